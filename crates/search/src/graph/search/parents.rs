//! The published methods: all parents of what has changed are updated, so every best edge is right and descents follow them
//! from the root. Dcg looks, when it expands, for children that are ancestors by whatever path; such an edge counts as a
//! leaf worth endless play, until its target is solved the other way.

use quod_model::StopReason;
use quod_proof::NodeId;

use super::GraphPn;
use super::jobs::{Job, Then};
use crate::graph::arena::{MARK, ROOT};
use crate::graph::options::GraphUpdates;
use crate::graph::status::Settling;

/// Updates of one step, at the most: published updates without early stop can go on for ever.
const UPDATES_PER_STEP: u32 = 1 << 12;

impl GraphPn<'_> {
    /// A step of the methods that update parents: selects a leaf, develops it, and updates what depends on it.
    pub(super) fn step_by_parents(&mut self, nodes_max: u64) -> Result<(), StopReason> {
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

    /// Makes end nodes of the children that are ancestors of their parent by any path (section 5.4).
    pub(super) fn mark_back_edges(&mut self, leaf: NodeId, older: NodeId) {
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
}
