//! When memory is full: what nothing open leads to is dropped, and what took little work goes back to being a leaf.
//!
//! A solved node stays as long as an open one leads to it, without what is below. An open node whose children are
//! leaves or solved becomes a leaf again and keeps its numbers: nothing is given up, and the search can still find
//! everything. Then nodes and edges are moved together, in place. All this is done in slices, so that a search of any size
//! can be stopped at any time.

use quod_proof::NodeId;

use super::arena::{Cold, EDGE_BYTES, GRAPH_NODE_BYTES, Graph, MARK, ON_PATH, ROOT, is_fact};

/// What is kept.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kept {
    /// What a search needs to go on.
    Search,
    /// What shows the solution of a solved root.
    Solution,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// What is below solved nodes is cut off.
    Drop,
    /// What can be reached is marked.
    Mark,
    /// Is it still too much?
    Measure,
    /// Then marks go, and open nodes become leaves: first those that lead to leaves alone, then those far from the root.
    Unmark,
    FoldLow,
    FoldFar,
    /// New numbers are given, and everything moves.
    Number,
    MoveEdges,
    MoveNodes,
    Link,
    Index,
}

/// How far a collection has come.
pub(super) struct Collecting {
    kept: Kept,
    fold_back: bool,
    phase: Phase,
    /// Where the phase stands: a node, or a word.
    at: usize,
    /// Where the next node or word goes.
    to: usize,
    /// How many nodes are kept.
    live: usize,
    /// Bytes that were found so far in this phase.
    bytes: u64,
}

impl Collecting {
    /// Drops what nobody needs; with `fold_back`, open nodes that took little work go back to being leaves, until half of the
    /// room is free or there are none.
    pub(super) fn new(fold_back: bool) -> Self {
        Self { kept: Kept::Search, fold_back, phase: Phase::Drop, at: 0, to: 0, live: 0, bytes: 0 }
    }

    fn enter(&mut self, phase: Phase) {
        (self.phase, self.at, self.to, self.bytes) = (phase, 0, 0, 0);
    }
}

impl Graph {
    /// Keeps of a solved graph what shows its solution: one child where the winner moves, all where the loser does.
    pub fn keep_solution(&mut self) {
        debug_assert!(is_fact(self.numbers(ROOT)));
        let mut job = Collecting { kept: Kept::Solution, phase: Phase::Mark, ..Collecting::new(false) };
        while !self.collect(&mut job, usize::MAX) {}
        self.hot.shrink_to_fit();
        self.cold.shrink_to_fit();
        self.words.shrink_to_fit();
        self.waiting.shrink_to_fit();
    }

    /// Goes on with a collection for about so many nodes. True when it is done.
    pub(super) fn collect(&mut self, job: &mut Collecting, nodes: usize) -> bool {
        let begin = job.at;
        let end = begin.saturating_add(nodes).min(self.len());
        let sweep = begin as NodeId..end as NodeId;
        let whole = end == self.len();
        job.at = end;
        match job.phase {
            Phase::Drop => {
                for node in sweep {
                    // The root's children tell its best move.
                    if node != ROOT && is_fact(self.numbers(node)) {
                        self.make_leaf(node);
                    }
                }
                if whole {
                    job.enter(Phase::Mark);
                }
            }
            Phase::Mark => {
                if self.mark(job.kept, begin == 0, nodes) {
                    job.enter(if job.fold_back { Phase::Measure } else { Phase::Number });
                }
            }
            Phase::Measure => {
                let marked = sweep.filter(|node| self.has(*node, MARK));
                // A node has 8 bytes in the index, at the most.
                let bytes =
                    marked.map(|node| GRAPH_NODE_BYTES + 8 + self.edges_of(node).count() * EDGE_BYTES);
                job.bytes += bytes.sum::<usize>() as u64;
                if whole {
                    let fits = job.bytes <= self.bytes_max() / 2;
                    job.enter(if fits { Phase::Number } else { Phase::Unmark });
                }
            }
            Phase::Unmark => {
                for node in sweep {
                    self.unset(node, MARK);
                }
                if whole {
                    job.enter(Phase::FoldLow);
                }
            }
            Phase::FoldLow => {
                let line = self.best_line();
                for node in &line {
                    self.set(*node, ON_PATH);
                }
                for node in sweep {
                    if job.bytes <= self.bytes_max() / 2 && self.is_low(node) {
                        job.bytes += (self.edges_of(node).count() * (EDGE_BYTES + GRAPH_NODE_BYTES)) as u64;
                        self.make_leaf(node);
                    }
                }
                for node in line {
                    self.unset(node, ON_PATH);
                }
                if whole {
                    // Where everything leads to everything, there may be no such node.
                    job.enter(if job.bytes > 0 { Phase::Mark } else { Phase::FoldFar });
                }
            }
            Phase::FoldFar => {
                // What is old is mostly near the root, and has most of the work below it: it is kept, to half of the room.
                for node in sweep {
                    if is_fact(self.numbers(node)) || !self.is_expanded(node) {
                        continue;
                    }
                    if job.bytes > self.bytes_max() / 2 {
                        self.make_leaf(node);
                    } else {
                        // Most children are new ones.
                        job.bytes += (self.edges_of(node).count() * (EDGE_BYTES + GRAPH_NODE_BYTES)) as u64;
                    }
                }
                if whole {
                    job.fold_back = false;
                    job.enter(Phase::Mark);
                }
            }
            Phase::Number => {
                // The new number of a node stands where its parents did; those are linked anew at the end.
                for node in begin..end {
                    if self.hot[node].flags & MARK != 0 {
                        self.cold[node].parents = job.to as u32;
                        job.to += 1;
                    }
                }
                if whole {
                    job.live = job.to;
                    job.enter(Phase::MoveEdges);
                    (job.at, job.to, self.edges) = (1, 1, 0);
                }
            }
            Phase::MoveEdges => {
                job.at = begin;
                let until = begin.saturating_add(nodes.saturating_mul(8)).min(self.words.len());
                while job.at < until {
                    self.move_block(job);
                }
                if job.at == self.words.len() {
                    self.words.truncate(job.to);
                    job.enter(Phase::MoveNodes);
                }
            }
            Phase::MoveNodes => {
                for from in begin..end {
                    if self.hot[from].flags & MARK != 0 {
                        let to = self.cold[from].parents as usize;
                        self.hot[to] = self.hot[from];
                        self.hot[to].flags &= !MARK;
                        self.cold[to] = Cold { parents: 0, ..self.cold[from] };
                    }
                }
                if whole {
                    self.hot.truncate(job.live);
                    self.cold.truncate(job.live);
                    job.enter(Phase::Link);
                    job.at = 1;
                }
            }
            Phase::Link => {
                job.at = begin;
                let until = begin.saturating_add(nodes.saturating_mul(8)).min(self.words.len());
                while job.at < until {
                    job.at = self.link_block(job.at as u32 + 1) as usize;
                }
                if job.at == self.words.len() {
                    self.clear_index(job.kept == Kept::Search);
                    if job.kept == Kept::Solution {
                        return true;
                    }
                    job.enter(Phase::Index);
                }
            }
            Phase::Index => {
                self.index_nodes(sweep);
                return whole;
            }
        }
        false
    }

    /// Marks what can be reached, `nodes` nodes at a time. True when all is marked.
    fn mark(&mut self, kept: Kept, first: bool, nodes: usize) -> bool {
        if first {
            self.set(ROOT, MARK);
            self.waiting.push(ROOT);
        }
        for _ in 0..nodes {
            let Some(node) = self.waiting.pop() else { return true };
            let only_best = kept == Kept::Solution && self.winner_moves(node);
            let best = self.hot[node as usize].best;
            let mut next = self.edges_of(node).next();
            while let Some(edge) = next {
                let child = self.child(edge);
                if (!only_best || edge == best) && !self.has(child, MARK) {
                    self.set(child, MARK);
                    self.waiting.push(child);
                }
                next = self.next_of(edge);
            }
        }
        false
    }

    /// The nodes that best edges lead to from the root, which itself stands on every path.
    fn best_line(&self) -> Vec<NodeId> {
        let mut line = Vec::new();
        let mut node = ROOT;
        while let Some((child, _)) = self.best(node) {
            if child == ROOT || line.contains(&child) || line.len() == 1000 {
                break;
            }
            line.push(child);
            node = child;
        }
        line
    }

    /// Whether a node is open and leads to no open node that is expanded, and is not needed at once.
    fn is_low(&self, node: NodeId) -> bool {
        let open = |node: NodeId| self.is_expanded(node) && !is_fact(self.numbers(node));
        open(node) && !self.has(node, ON_PATH) && !self.children(node).any(open)
    }

    /// Moves the edges of the next node, if they are kept.
    fn move_block(&mut self, job: &mut Collecting) {
        let owner = self.words[job.at];
        let begin = job.at as u32 + 1;
        let end = self.end_of_block(begin);
        job.at = end as usize;
        let best = self.hot[owner as usize].best;
        if !self.has(owner, MARK) || !(begin..end).contains(&best) {
            return;
        }
        let only_best = job.kept == Kept::Solution && self.winner_moves(owner);
        let edges = if only_best { best..best + 3 } else { begin..end };
        self.words[job.to] = self.cold[owner as usize].parents;
        job.to += 1;
        self.hot[owner as usize].best = job.to as u32 + (best - edges.start);
        for edge in edges.step_by(3) {
            let child = self.child(edge);
            let child = self.cold[child as usize].parents;
            self.move_edge(edge, job.to as u32, child, only_best);
            job.to += 3;
            self.edges += 1;
        }
    }
}
