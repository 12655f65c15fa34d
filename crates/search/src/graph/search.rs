//! The search itself: descend, expand, update.
//!
//! **Dag and Dcg** update all parents of what has changed, so every best edge is right and descents follow them from the
//! root. Dcg looks, when it expands, for children that are ancestors by whatever path; such an edge counts as a
//! leaf worth endless play, until its target is solved the other way.
//!
//! **Sound** lets numbers only guide. It updates along the path of the descent, where an edge to a node of the
//! path counts as a leaf worth endless play: numbers that become 0 by this are an assumption and no fact. Other
//! parents see new numbers when a descent next comes by. Facts go to all parents at once. When assumptions
//! use the root up, and whenever the graph has grown by half, the fixed points of `status.rs` turn
//! assumptions into facts where the explored graph bears them out, and all others are opened again: a wrong
//! assumption can hide a win for a while and never for good.

use std::collections::VecDeque;

use quod_model::{AndOr, Child, Evaluation, Identity, Numbers, StopReason, Verdict};
use quod_proof::NodeId;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::arena::{Graph, MARK, ON_PATH, ROOT, TOUCHED, is_assumption, is_fact};
use super::collect::Collecting;
use super::status::Settling;
use crate::backup::Backup;
use crate::limits::{Budget, Counters, Progress, Search};
use crate::pn::Order;

/// What is made of places that can be reached again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphMethod {
    /// Nothing: there are none. For cursors that join what cannot come again.
    Dag,
    /// The published method, not complete. For cursors that join everything.
    Dcg,
    /// Cycles are decided by fixed points. For cursors that join everything.
    Sound,
}

/// Which nodes are updated after an expansion, and in which order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphUpdates {
    /// All parents of changed nodes, one parent with all its ancestors after the other, as published.
    Early,
    /// The same, of unchanged nodes too.
    Full,
    /// All parents of changed nodes, in a queue: each once, where all paths to a node have the same length.
    Queue,
    /// The nodes of the path.
    Path,
}

/// The switches of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GraphOptions {
    /// What is made of places that can be reached again.
    pub method: GraphMethod,
    /// When nodes are judged.
    pub evaluation: Evaluation,
    /// How numbers that must all fall make one.
    pub backup: Backup,
    /// Which nodes are updated: [`GraphUpdates::Path`] for the sound method, another for the others.
    pub updates: GraphUpdates,
    /// The order of children.
    pub order: Order,
    /// Whether solved parts that nothing open leads to are dropped when memory is full.
    pub drop_solved: bool,
    /// Whether nodes that took little work go back to being leaves when memory is full.
    pub fold_back: bool,
    /// Whether new children of one key stay apart, as in the experiment of Schijf's appendix A.
    pub siblings_apart: bool,
}

impl GraphOptions {
    /// A method with its defaults.
    #[must_use]
    pub fn new(method: GraphMethod) -> Self {
        Self {
            method,
            evaluation: Evaluation::Immediate,
            backup: Backup::Sum,
            updates: match method {
                GraphMethod::Dag => GraphUpdates::Queue,
                GraphMethod::Dcg => GraphUpdates::Early,
                GraphMethod::Sound => GraphUpdates::Path,
            },
            order: Order::Generated,
            drop_solved: false,
            fold_back: false,
            siblings_apart: false,
        }
    }

    /// Whether a graph may have lost parts of its solution.
    #[must_use]
    pub fn deletes(&self) -> bool {
        self.drop_solved || self.fold_back
    }
}

/// How often memory may be collected: a search that has filled it so often is not going to fit.
const COLLECTIONS_MAX: u32 = 1000;

/// How many nodes one step of a job takes: some milliseconds.
const NODES_PER_STEP: usize = 1 << 14;
/// How many ordinary steps take as long.
const STEPS_OF_A_JOB: u64 = 1 << 10;

/// Work on the whole graph.
enum Job {
    /// The fixed points, and what comes after them.
    Settle(Settling, Then),
    /// Memory is collected; how many bytes there were.
    Collect(Collecting, u64),
    /// The index grows; how many nodes it has.
    Index(NodeId),
}

/// What comes when facts and assumptions are told apart.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Then {
    /// The search is over.
    Nothing,
    /// The search goes on.
    GoOn,
    /// Assumptions had used the root up: if it is still open, a leaf that can tell is expanded.
    Doubt,
    /// Memory is collected.
    Collect,
}

/// Updates of one step, at the most: published updates without early stop can go on for ever.
const UPDATES_PER_STEP: u32 = 1 << 12;

/// A proof-number search on the graph below the place where its cursor stands.
pub struct GraphPn<'c> {
    cursor: Box<dyn AndOr + 'c>,
    options: GraphOptions,
    graph: Graph,
    /// From the root to where the cursor stands.
    path: Vec<NodeId>,
    /// Buffers: the codes of a descent, the children of an expansion and what they are known by.
    codes: Vec<u32>,
    children: Vec<Child>,
    identities: Vec<Option<Identity>>,
    shuffle: Option<Xoshiro256PlusPlus>,
    /// Nodes that wait for their update.
    pending: VecDeque<NodeId>,
    /// How many nodes of the path must be updated, because a child of theirs has changed. They have a flag.
    touched: usize,
    /// Whether there are assumptions, and how large the graph was when they were last looked through.
    assumptions: bool,
    looked_through: usize,
    claim: Option<bool>,
    collections: u32,
    /// Work on the whole graph that goes on in slices before anything else does.
    job: Option<Job>,
    end_nodes: u64,
    nodes: u64,
    expansions: u64,
    updates: u64,
}

impl<'c> GraphPn<'c> {
    /// A search of the problem below the cursor's place, with `memory_bytes_max` bytes for its graph.
    pub fn new(cursor: impl AndOr + 'c, options: GraphOptions, memory_bytes_max: u64) -> Self {
        assert_eq!(
            options.method == GraphMethod::Sound,
            options.updates == GraphUpdates::Path,
            "the sound method updates the path, and it alone"
        );
        let mut cursor: Box<dyn AndOr + 'c> = Box::new(cursor);
        // The root is judged at once and by no judge, so that an answer comes with a move.
        let settled = cursor.evaluate(Evaluation::Immediate);
        let numbers = settled.map_or(Numbers::ONE, |settled| Numbers::solved(settled.holds));
        let root = Child { code: 0, is_or: cursor.is_or(), numbers };
        let graph = Graph::new(memory_bytes_max, options.backup, root, cursor.identity());
        let shuffle = match options.order {
            Order::Generated => None,
            Order::Random(seed) => Some(Xoshiro256PlusPlus::seed_from_u64(seed)),
        };
        let mut search = Self {
            cursor,
            options,
            graph,
            path: vec![ROOT],
            codes: Vec::new(),
            children: Vec::new(),
            identities: Vec::new(),
            shuffle,
            pending: VecDeque::new(),
            touched: 0,
            assumptions: false,
            looked_through: 0,
            claim: None,
            collections: 0,
            job: None,
            end_nodes: 0,
            nodes: 0,
            expansions: 0,
            updates: 0,
        };
        search.graph.set(ROOT, ON_PATH);
        search
    }

    /// The answer, if there is one.
    fn verdict(&self) -> Option<Verdict> {
        match self.graph.numbers(ROOT) {
            _ if !self.pending.is_empty() || self.job.is_some() => None,
            Numbers::PROVEN => Some(Verdict::Proven),
            Numbers::DISPROVEN => Some(Verdict::Disproven),
            _ if self.claim.is_some() => Some(Verdict::Unknown(StopReason::Repetition)),
            _ => None,
        }
    }

    /// What the published method would have reported when it ended, right or wrong.
    #[must_use]
    pub fn claim(&self) -> Option<bool> {
        self.claim.or_else(|| {
            let numbers = self.graph.numbers(ROOT);
            numbers.is_solved().then(|| numbers.is_proven())
        })
    }

    /// Selects a leaf, develops it, and updates what depends on it.
    fn step(&mut self, nodes_max: u64) -> Result<(), StopReason> {
        if let Some(job) = self.job.take() {
            return self.go_on(job, nodes_max);
        }
        if self.graph.starts_new_index() {
            self.job = Some(Job::Index(0));
            return Ok(());
        }
        if self.options.method == GraphMethod::Sound {
            return self.step_on_path(nodes_max);
        }
        if self.pending.is_empty() {
            if self.graph.numbers(ROOT).is_solved() {
                // Only the published method comes here: it has an answer, and nobody to vouch for it.
                self.claim = Some(self.graph.numbers(ROOT).is_proven());
                self.job = Some(Job::Settle(Settling::new(&self.graph), Then::Nothing));
                return Ok(());
            }
            self.rewind();
            let leaf = self.descend();
            if self.develop(leaf, nodes_max)? {
                self.pending.push_back(leaf);
            }
        }
        self.update_parents();
        Ok(())
    }

    /// Goes back up the path to where it leaves the best edges.
    fn rewind(&mut self) {
        let follows = |two: &[NodeId]| self.graph.best(two[0]).is_some_and(|(best, _)| best == two[1]);
        let kept = 1 + self.path.windows(2).take_while(|two| follows(two)).count();
        self.shorten_path(kept);
    }

    fn shorten_path(&mut self, kept: usize) {
        let steps = self.path.len() - kept;
        if steps > 0 {
            for node in &self.path[kept..] {
                self.touched -= usize::from(self.graph.has(*node, TOUCHED));
                self.graph.unset(*node, ON_PATH | TOUCHED);
            }
            self.path.truncate(kept);
            self.cursor.up(steps);
        }
    }

    /// Goes down along best edges to a leaf: first through the graph, where it waits for memory, then with the cursor
    /// along the whole path at once.
    fn descend(&mut self) -> NodeId {
        let mut node = *self.path.last().expect("the path holds the root");
        self.codes.clear();
        while let Some((child, code)) = self.graph.best(node) {
            self.path.push(child);
            self.codes.push(code);
            node = child;
        }
        if !self.codes.is_empty() {
            self.cursor.down(&self.codes);
        }
        debug_assert!(!self.graph.numbers(node).is_solved());
        node
    }

    /// Judges or expands a leaf. False if making room has sent the search back to the root.
    fn develop(&mut self, leaf: NodeId, nodes_max: u64) -> Result<bool, StopReason> {
        if self.options.evaluation == Evaluation::Delayed
            && leaf != ROOT
            && let Some(settled) = self.cursor.evaluate(Evaluation::Delayed)
        {
            self.graph.set_numbers(leaf, Numbers::solved(settled.holds));
            return Ok(true);
        }
        self.children.clear();
        self.identities.clear();
        self.cursor.expand_joined(self.options.evaluation, &mut self.children, &mut self.identities);
        let count = self.children.len() as u64;
        if self.nodes + count > nodes_max {
            return Err(StopReason::Nodes);
        }
        if let Some(random) = &mut self.shuffle {
            let mut both: Vec<_> = self.children.drain(..).zip(self.identities.drain(..)).collect();
            both.shuffle(random);
            (self.children, self.identities) = both.into_iter().unzip();
        }
        self.nodes += count;
        self.expansions += 1;
        let apart = self.options.siblings_apart;
        let older = self.graph.len() as NodeId;
        if !self.graph.add_children(leaf, &self.children, &self.identities, apart) {
            self.make_room()?;
            return Ok(false);
        }
        if self.options.method == GraphMethod::Dcg {
            self.mark_back_edges(leaf, older);
        }
        Ok(true)
    }

    /// Makes end nodes of the children that are ancestors of their parent by any path (section 5.4).
    fn mark_back_edges(&mut self, leaf: NodeId, older: NodeId) {
        let old = self.graph.edges_of(leaf).filter(|edge| self.graph.child(*edge) < older);
        let old: Vec<u32> = old.collect();
        if old.is_empty() {
            return;
        }
        let mut ancestors = vec![leaf];
        self.graph.set(leaf, MARK);
        let mut next = 0;
        while let Some(node) = ancestors.get(next).copied() {
            next += 1;
            let mut to = self.graph.edges_to(node).next();
            while let Some(edge) = to {
                let parent = self.graph.owner(edge);
                if !self.graph.is_back(edge) && !self.graph.has(parent, MARK) {
                    self.graph.set(parent, MARK);
                    ancestors.push(parent);
                }
                to = self.graph.next_to(edge);
            }
        }
        for edge in old {
            if self.graph.has(self.graph.child(edge), MARK) {
                self.graph.set_back(edge);
                self.end_nodes += 1;
            }
        }
        for node in ancestors {
            self.graph.unset(node, MARK);
        }
    }

    /// Recomputes the nodes that wait, and lets the parents of those that change wait, as the options say.
    fn update_parents(&mut self) {
        for _ in 0..UPDATES_PER_STEP {
            let next = match self.options.updates {
                GraphUpdates::Queue => self.pending.pop_front(),
                _ => self.pending.pop_back(),
            };
            let Some(node) = next else { return };
            self.graph.unset(node, MARK);
            let old = self.graph.numbers(node);
            // A leaf that was judged has changed already.
            let judged = !self.graph.is_expanded(node);
            if !judged {
                self.updates += 1;
            }
            let changed = judged || self.graph.update(node, false);
            if !changed && self.options.updates != GraphUpdates::Full {
                continue;
            }
            let solved = judged || self.graph.numbers(node).is_solved() && !old.is_solved();
            let begin = self.pending.len();
            let mut next = self.graph.edges_to(node).next();
            while let Some(edge) = next {
                // A repetition counts by itself, until its target is solved.
                if solved || !self.graph.is_back(edge) {
                    let parent = self.graph.owner(edge);
                    if self.options.updates != GraphUpdates::Queue {
                        self.pending.push_back(parent);
                    } else if !self.graph.has(parent, MARK) {
                        self.graph.set(parent, MARK);
                        self.pending.push_back(parent);
                    }
                }
                next = self.graph.next_to(edge);
            }
            // The first parent is the next one.
            if self.options.updates != GraphUpdates::Queue {
                self.pending.make_contiguous()[begin..].reverse();
            }
        }
    }

    /// Frees memory as the options allow and goes back to the root, since the path may be gone.
    fn make_room(&mut self) -> Result<(), StopReason> {
        if !self.options.deletes() || self.options.method == GraphMethod::Dcg {
            return Err(StopReason::Memory);
        }
        self.shorten_path(1);
        self.job = Some(match self.options.method {
            GraphMethod::Sound => Job::Settle(Settling::new(&self.graph), Then::Collect),
            _ => self.collection(),
        });
        Ok(())
    }

    fn collection(&self) -> Job {
        Job::Collect(Collecting::new(self.options.fold_back), self.graph.bytes())
    }

    /// Goes on with work on the whole graph; what comes after it follows at once.
    fn go_on(&mut self, mut job: Job, nodes_max: u64) -> Result<(), StopReason> {
        let done = match &mut job {
            Job::Settle(settling, _) => self.graph.settle(settling, NODES_PER_STEP),
            Job::Collect(collecting, _) => self.graph.collect(collecting, NODES_PER_STEP),
            Job::Index(nodes) => {
                let end = (*nodes).saturating_add(NODES_PER_STEP as NodeId).min(self.graph.len() as NodeId);
                self.graph.index_nodes(*nodes..end);
                *nodes = end;
                end == self.graph.len() as NodeId
            }
        };
        self.graph.remember_peak();
        match job {
            _ if !done => self.job = Some(job),
            Job::Collect(_, before) => self.collected(before)?,
            Job::Index(_) => {}
            Job::Settle(_, then) => {
                self.assumptions = false;
                self.looked_through = self.graph.len();
                match then {
                    Then::Nothing => {}
                    Then::Doubt => self.doubt(nodes_max)?,
                    Then::GoOn => {
                        self.graph.reopen_assumptions();
                        self.update_path();
                    }
                    Then::Collect => {
                        self.graph.reopen_assumptions();
                        self.job = Some(self.collection());
                    }
                }
            }
        }
        Ok(())
    }

    /// Memory was collected: is it enough?
    fn collected(&mut self, before: u64) -> Result<(), StopReason> {
        self.collections += 1;
        self.looked_through = self.graph.len();
        // Less than an eighth is not worth the next time.
        let too_little = self.graph.bytes() > before - before / 8;
        if (too_little || self.collections > COLLECTIONS_MAX) && !is_fact(self.graph.numbers(ROOT)) {
            return Err(StopReason::Memory);
        }
        if self.options.method == GraphMethod::Sound {
            self.update_path();
        }
        Ok(())
    }
}

/// The sound method.
impl GraphPn<'_> {
    fn step_on_path(&mut self, nodes_max: u64) -> Result<(), StopReason> {
        if is_assumption(self.graph.numbers(ROOT)) {
            self.shorten_path(1);
            self.job = Some(Job::Settle(Settling::new(&self.graph), Then::Doubt));
            return Ok(());
        }
        if self.assumptions && self.graph.len() > self.looked_through + self.looked_through / 2 + 64 {
            self.shorten_path(1);
            self.job = Some(Job::Settle(Settling::new(&self.graph), Then::GoOn));
            return Ok(());
        }
        match self.descend_fresh() {
            Some(leaf) => self.develop_and_update(leaf, nodes_max),
            None => {
                self.update_path();
                Ok(())
            }
        }
    }

    fn develop_and_update(&mut self, leaf: NodeId, nodes_max: u64) -> Result<(), StopReason> {
        if !self.develop(leaf, nodes_max)? {
            return Ok(());
        }
        if !self.graph.is_expanded(leaf) {
            self.tell_parents(leaf);
        }
        self.update_path();
        Ok(())
    }

    /// Goes down to a leaf, bringing the numbers of every node on the way up to date: others may have changed its
    /// children. Nothing if a node on the way turns out to be solved; the path then ends there.
    fn descend_fresh(&mut self) -> Option<NodeId> {
        let begin = self.path.len();
        self.codes.clear();
        let mut node = *self.path.last().expect("the path holds the root");
        let leaf = loop {
            if !self.graph.is_expanded(node) {
                break Some(node);
            }
            if self.path.len() > begin && !self.graph.best_is_fresh(node) && self.update(node) {
                self.touch(self.path[self.path.len() - 2]);
                if self.graph.numbers(node).is_solved() {
                    break None;
                }
            }
            let (child, code) = self.graph.best(node).expect("it is expanded");
            self.graph.set(child, ON_PATH);
            self.path.push(child);
            self.codes.push(code);
            node = child;
        };
        if !self.codes.is_empty() {
            self.cursor.down(&self.codes);
        }
        leaf
    }

    /// Recomputes a node of the path. True if its numbers have changed.
    fn update(&mut self, node: NodeId) -> bool {
        self.updates += 1;
        let changed = self.graph.update(node, true);
        if changed {
            let numbers = self.graph.numbers(node);
            self.assumptions |= is_assumption(numbers);
            if is_fact(numbers) {
                self.tell_parents(node);
            }
        }
        changed
    }

    /// Makes facts of what follows from a fact. Parents on the path must then be updated.
    fn tell_parents(&mut self, node: NodeId) {
        let touched = &mut self.touched;
        self.graph.spread_fact(node, |graph, parent| {
            if graph.has(parent, ON_PATH) && !graph.has(parent, TOUCHED) {
                graph.set(parent, TOUCHED);
                *touched += 1;
            }
        });
    }

    /// A child of this node of the path has changed.
    fn touch(&mut self, node: NodeId) {
        if !self.graph.has(node, TOUCHED) {
            self.graph.set(node, TOUCHED);
            self.touched += 1;
        }
    }

    /// True if a child of this node had changed.
    fn untouch(&mut self, node: NodeId) -> bool {
        let touched = self.graph.has(node, TOUCHED);
        self.graph.unset(node, TOUCHED);
        self.touched -= usize::from(touched);
        touched
    }

    /// Updates the end of the path and what that changes above it, and goes back to the highest node that was looked at.
    fn update_path(&mut self) {
        let last = self.path.len() - 1;
        self.touch(self.path[last]);
        let mut at = last;
        // The node updated before, and what its numbers were.
        let mut below: Option<(NodeId, Numbers)> = None;
        loop {
            let node = self.path[at];
            if self.untouch(node) {
                let old = self.graph.numbers(node);
                let corrected = below
                    .filter(|(child, _)| self.graph.best(node).is_some_and(|(best, _)| best == *child))
                    .and_then(|(_, old)| self.graph.update_from_best(node, old));
                self.updates += u64::from(corrected.is_some());
                let changed = corrected.unwrap_or_else(|| self.graph.is_expanded(node) && self.update(node));
                if changed && at > 0 {
                    self.touch(self.path[at - 1]);
                }
                // A new fact may have itself below it.
                self.untouch(node);
                below = Some((node, old));
            } else {
                below = None;
            }
            if at == 0 || self.touched == 0 {
                break;
            }
            // Below the node that is updated next, nothing is a repetition.
            self.graph.unset(node, ON_PATH);
            at -= 1;
        }
        if at < last {
            self.path.truncate(at + 1);
            self.cursor.up(last - at);
        }
    }

    /// Assumptions have used the root up. Either they are facts, or there is a leaf that can tell: expands one.
    fn doubt(&mut self, nodes_max: u64) -> Result<(), StopReason> {
        if is_fact(self.graph.numbers(ROOT)) {
            return Ok(());
        }
        let way = self.graph.way_to_open_leaf();
        self.graph.reopen_assumptions();
        self.codes.clear();
        for edge in way {
            let child = self.graph.child(edge);
            self.graph.set(child, ON_PATH);
            self.path.push(child);
            self.codes.push(self.graph.code(edge));
        }
        self.cursor.down(&self.codes);
        self.touch(ROOT);
        let leaf = *self.path.last().expect("the path holds the root");
        self.develop_and_update(leaf, nodes_max)
    }
}

impl GraphPn<'_> {
    /// The graph, to look into.
    #[must_use]
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Ends the search and keeps its graph.
    #[must_use]
    pub fn into_graph(self) -> Graph {
        self.graph
    }
}

impl Search for GraphPn<'_> {
    fn advance(&mut self, budget: Budget) -> Progress {
        let mut left = budget.steps_max;
        while left > 0 {
            // Work on the whole graph takes its time.
            left = left.saturating_sub(if self.job.is_some() { STEPS_OF_A_JOB } else { 1 });
            if let Some(verdict) = self.verdict() {
                // The cursor is left where it was found.
                self.shorten_path(1);
                return Progress::Done(verdict);
            }
            if let Err(reason) = self.step(budget.nodes_max) {
                return Progress::Done(Verdict::Unknown(reason));
            }
        }
        Progress::Running
    }

    fn root_numbers(&self) -> Numbers {
        self.graph.numbers(ROOT)
    }

    fn counters(&self) -> Counters {
        let buffers = (self.path.capacity() + self.codes.capacity() + self.pending.capacity())
            * size_of::<NodeId>()
            + self.children.capacity() * size_of::<Child>()
            + self.identities.capacity() * size_of::<Option<Identity>>();
        let (nodes, edges, bytes) = self.graph.peaks();
        Counters {
            nodes: self.nodes,
            expansions: self.expansions,
            updates: self.updates,
            peak_nodes: nodes + self.end_nodes,
            peak_edges: edges,
            graph_bytes: bytes,
            memory_bytes: bytes + buffers as u64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quod_model::testkit::{random_dag, random_maze};
    use quod_model::{Goal, GoalCursor, Joining, LeafNumbers, Player, Relative};

    /// Whatever was joined, updated, collected and moved: links, keys and numbers stay in order.
    #[test]
    fn the_graph_stays_in_order() {
        let (mut collections, mut checks) = (0, 0);
        for seed in 0..400 {
            let graph = if seed % 2 == 0 { random_maze(seed, 60) } else { random_dag(seed, 60) };
            let goal = Goal::new(Player::First, Relative(0));
            for (method, fold_back) in [
                (GraphMethod::Sound, false),
                (GraphMethod::Sound, true),
                (GraphMethod::Dcg, false),
                (GraphMethod::Dag, true),
            ] {
                let joining =
                    if method == GraphMethod::Dag { Joining::Converted } else { Joining::Everything };
                let cursor = GoalCursor::new(&graph, 0, goal, LeafNumbers::One).joining(joining, false);
                let options = GraphOptions { drop_solved: fold_back, fold_back, ..GraphOptions::new(method) };
                let memory = if fold_back { 1_500 } else { 1 << 20 };
                let mut search = GraphPn::new(cursor, options, memory);
                let budget = Budget { nodes_max: 3_000, steps_max: 1 };
                while search.advance(budget) == Progress::Running {
                    // In the middle of work on the whole graph, it may be in any state.
                    if search.job.is_some() {
                        continue;
                    }
                    search.graph.check();
                    let nodes = 0..search.graph.len() as NodeId;
                    let touched: Vec<NodeId> =
                        nodes.filter(|node| search.graph.has(*node, TOUCHED)).collect();
                    assert_eq!(touched.len(), search.touched);
                    assert!(touched.iter().all(|node| search.path.contains(node)));
                    checks += 1;
                }
                collections += search.collections;
            }
        }
        assert!(collections > 100 && checks > 5_000, "{collections} collections, {checks} checks");
    }
}
