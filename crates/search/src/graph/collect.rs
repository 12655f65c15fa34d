//! When memory is full: what nothing open leads to is dropped, and what took little work goes back to being a leaf.
//!
//! A solved node stays as long as an open one leads to it, without what is below. An open node whose children are
//! leaves or solved becomes a leaf again and keeps its numbers: nothing is given up, and the search can still find
//! everything. Then nodes and edges are moved together, in place.

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

impl Graph {
    /// Drops what nobody needs; with `fold_back`, open nodes that took little work go back to being leaves, until half of
    /// the room is free or there are none.
    pub(super) fn collect(&mut self, fold_back: bool) {
        self.drop_below_facts();
        self.mark(Kept::Search);
        let mut folds = fold_back;
        while folds && self.marked_bytes() > self.bytes_max() / 2 {
            self.unmark();
            // Where everything leads to everything, there may be no node that leads to leaves alone.
            if !self.fold_back_low() {
                self.fold_back_far();
                folds = false;
            }
            self.mark(Kept::Search);
        }
        self.compact(Kept::Search);
    }

    /// The bytes of what is marked, without its edges' owners.
    fn marked_bytes(&self) -> u64 {
        let marked = (0..self.len() as NodeId).filter(|node| self.has(*node, MARK));
        // A node has 8 bytes in the index, at the most.
        marked.map(|node| (GRAPH_NODE_BYTES + 8 + self.edges_of(node).count() * EDGE_BYTES) as u64).sum()
    }

    fn unmark(&mut self) {
        for node in 0..self.len() as NodeId {
            self.unset(node, MARK);
        }
    }

    /// Keeps of a solved graph what shows its solution: one child where the winner moves, all where the loser does.
    pub fn keep_solution(&mut self) {
        debug_assert!(is_fact(self.numbers(ROOT)));
        self.mark(Kept::Solution);
        self.compact(Kept::Solution);
        self.hot.shrink_to_fit();
        self.cold.shrink_to_fit();
        self.words.shrink_to_fit();
        self.waiting.shrink_to_fit();
    }

    fn drop_below_facts(&mut self) {
        for node in 0..self.len() as NodeId {
            // The root's children tell its best move.
            if node != ROOT && is_fact(self.numbers(node)) {
                self.make_leaf(node);
            }
        }
    }

    fn mark(&mut self, kept: Kept) {
        self.set(ROOT, MARK);
        self.waiting.push(ROOT);
        while let Some(node) = self.waiting.pop() {
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
    }

    /// Makes leaves of open nodes that lead to no open node that is expanded, the oldest first, but for the best line.
    /// False if there are none.
    fn fold_back_low(&mut self) -> bool {
        // The root stands on every path already.
        let mut line = Vec::new();
        let mut node = ROOT;
        while let Some((child, _)) = self.best(node) {
            if self.has(child, ON_PATH) {
                break;
            }
            self.set(child, ON_PATH);
            line.push(child);
            node = child;
        }
        let mut freed = 0;
        for node in 0..self.len() as NodeId {
            if freed > self.bytes_max() / 2 {
                break;
            }
            let open = |node: NodeId| self.is_expanded(node) && !is_fact(self.numbers(node));
            if self.has(node, ON_PATH) || !open(node) || self.children(node).any(open) {
                continue;
            }
            freed += (self.children(node).count() * (EDGE_BYTES + GRAPH_NODE_BYTES)) as u64;
            self.make_leaf(node);
        }
        for node in line {
            self.unset(node, ON_PATH);
        }
        freed > 0
    }

    /// Keeps the oldest nodes, to half of the room, and makes leaves of the open ones behind them: what is old is mostly near
    /// the root, and has most of the work below it.
    fn fold_back_far(&mut self) {
        let mut kept = 0;
        for node in 0..self.len() as NodeId {
            if is_fact(self.numbers(node)) || !self.is_expanded(node) {
                continue;
            }
            if kept > self.bytes_max() / 2 {
                self.make_leaf(node);
            } else {
                // Most children are new ones.
                kept += (self.children(node).count() * (EDGE_BYTES + GRAPH_NODE_BYTES)) as u64;
            }
        }
    }

    /// Moves what is marked together and renumbers it.
    fn compact(&mut self, kept: Kept) {
        // The new number of a node stands where its parents did; those are linked anew at the end.
        let mut live = 0;
        for node in 0..self.len() {
            if self.hot[node].flags & MARK != 0 {
                self.cold[node].parents = live;
                live += 1;
            }
        }
        self.move_edges(kept);
        for from in 0..self.len() {
            if self.hot[from].flags & MARK != 0 {
                let to = self.cold[from].parents as usize;
                self.hot[to] = self.hot[from];
                self.hot[to].flags &= !MARK;
                self.cold[to] = Cold { parents: 0, ..self.cold[from] };
            }
        }
        self.hot.truncate(live as usize);
        self.cold.truncate(live as usize);
        self.link_parents();
        self.shrink_index();
    }

    fn move_edges(&mut self, kept: Kept) {
        let (mut from, mut to) = (1, 1);
        self.edges = 0;
        while from < self.words.len() {
            let owner = self.words[from];
            let begin = from as u32 + 1;
            let end = self.end_of_block(begin);
            from = end as usize;
            let best = self.hot[owner as usize].best;
            if !self.has(owner, MARK) || !(begin..end).contains(&best) {
                continue;
            }
            let only_best = kept == Kept::Solution && self.winner_moves(owner);
            let edges = if only_best { best..best + 3 } else { begin..end };
            self.words[to] = self.cold[owner as usize].parents;
            let moved = to as u32 + 1;
            to += 1;
            for edge in edges.clone().step_by(3) {
                let child = self.child(edge);
                let child = self.cold[child as usize].parents;
                self.move_edge(edge, to as u32, child, only_best);
                to += 3;
                self.edges += 1;
            }
            self.hot[owner as usize].best = moved + (best - edges.start);
        }
        self.words.truncate(to);
    }
}
