//! The search itself: descend, expand, update.
//!
//! What the three methods share is here; how they go down and update is in `parents.rs` (Dag and Dcg, as published) and
//! `sound.rs`, work on the whole graph in `jobs.rs`.

mod jobs;
mod parents;
mod sound;

use std::collections::VecDeque;

use quod_checkpoint::State;
use quod_model::{AndOr, Child, Evaluation, Identity, Numbers, StopReason, Verdict, is_held_back};
use quod_proof::NodeId;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

use self::jobs::{Job, STEPS_OF_A_JOB};
use super::arena::{Graph, ON_PATH, ROOT, TOUCHED};
use super::options::{GraphMethod, GraphOptions};
use crate::limits::{Budget, Counters, Progress, Search};
use crate::pn::Order;
use crate::saved::Restore;
use crate::view::View;

/// A proof-number search on the graph below the place where its cursor stands.
pub struct GraphPn<'c> {
    pub(super) cursor: Box<dyn AndOr + 'c>,
    pub(super) options: GraphOptions,
    pub(super) graph: Graph,
    /// From the root to where the cursor stands.
    pub(super) path: Vec<NodeId>,
    /// Buffers: the codes of a descent, the children of an expansion and what they are known by.
    codes: Vec<u32>,
    children: Vec<Child>,
    identities: Vec<Option<Identity>>,
    pub(super) shuffle: Option<Xoshiro256PlusPlus>,
    /// Nodes that wait for their update.
    pub(super) pending: VecDeque<NodeId>,
    /// How many nodes of the path must be updated, because a child of theirs has changed. They have a flag.
    pub(super) touched: usize,
    /// Whether there are assumptions, and how large the graph was when they were last looked through.
    pub(super) assumptions: bool,
    pub(super) looked_through: usize,
    pub(super) claim: Option<bool>,
    pub(super) collections: u32,
    /// Work on the whole graph that goes on in slices before anything else does.
    job: Option<Job>,
    /// Repetitions that the published method has made end nodes of.
    pub(super) end_nodes: u64,
    pub(super) nodes: u64,
    pub(super) expansions: u64,
    pub(super) updates: u64,
}

impl<'c> GraphPn<'c> {
    /// A search of the problem below the cursor's place, with `memory_bytes_max` bytes for its graph.
    pub fn new(cursor: impl AndOr + 'c, options: GraphOptions, memory_bytes_max: u64) -> Self {
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
        self.step_by_parents(nodes_max)
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
        // Moves that are held back are not made.
        let count = self.children.iter().filter(|child| !is_held_back(child.code)).count() as u64;
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

    fn view(&self) -> Option<&dyn View> {
        // While the whole graph is worked on, links may be anything.
        self.job.is_none().then_some(&self.graph as &dyn View)
    }

    fn state(&self) -> Option<&dyn State> {
        self.job.is_none().then_some(self)
    }

    fn restored(&mut self) -> Option<&mut dyn Restore> {
        Some(self)
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
            // The thesis counts the end nodes that it makes of repetitions.
            peak_nodes: nodes + self.end_nodes,
            peak_edges: edges,
            graph_bytes: bytes,
            memory_bytes: bytes + buffers as u64,
            ..Counters::default()
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
