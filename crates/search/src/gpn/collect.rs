//! When memory is full: what can no longer matter at the root is removed (Saffidine and Cazenave 2011, section 4.5).
//!
//! The relevancy bounds of a node are the questions that are open all along the path to it. Where none is left, nothing below
//! can contribute to the root's value, and it goes. In a graph the first path to a node decides: what another path would
//! have kept is found again when it is needed. All this is done in slices, so that a search of any size can be stopped at
//! any time.

use quod_model::Numbers;
use quod_proof::NodeId;

use super::arena::{Arena, ROOT};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// What can be reached is marked, and what is relevant there.
    Mark,
    /// The rest is given back.
    Sweep,
}

/// How far a collection has come.
pub(super) struct Collecting {
    phase: Phase,
    at: usize,
    live_before: u64,
}

impl Collecting {
    pub(super) fn new(arena: &mut Arena) -> Self {
        let (low, high) = arena.open(ROOT);
        arena.waiting.push((ROOT, low, high));
        Self { phase: Phase::Mark, at: 0, live_before: arena.live() }
    }
}

impl Arena {
    /// Goes on with a collection for about so many nodes. When it is done: whether it was worth its time.
    pub(super) fn collect(&mut self, job: &mut Collecting, nodes: usize) -> Option<bool> {
        match job.phase {
            Phase::Mark => {
                for _ in 0..nodes {
                    let Some((node, begin, end)) = self.waiting.pop() else {
                        self.waiting = Vec::new();
                        job.phase = Phase::Sweep;
                        break;
                    };
                    self.mark(node, begin, end);
                }
                None
            }
            Phase::Sweep => {
                let end = job.at.saturating_add(nodes).min(self.len());
                for node in job.at..end {
                    self.sweep(node as NodeId);
                }
                job.at = end;
                (end == self.len()).then(|| {
                    self.refill_index();
                    self.live() <= job.live_before / 16 * 15
                })
            }
        }
    }

    /// Marks a node that questions from `begin` to `end` lead to.
    fn mark(&mut self, node: NodeId, begin: u16, end: u16) {
        self.set_reached(node);
        let (low, high) = self.open(node);
        let (begin, end) = (begin.max(low), end.min(high));
        if begin < end && self.is_expanded(node) && self.set_kept(node) {
            let mut waiting = std::mem::take(&mut self.waiting);
            waiting.extend(self.children(node).map(|(_, child)| (child, begin, end)));
            self.waiting = waiting;
        }
    }

    /// Gives back a node without marks, or its children, and takes the marks away.
    fn sweep(&mut self, node: NodeId) {
        if self.is_free(node) {
            return;
        }
        let (reached, kept) = self.take_marks(node);
        if !kept {
            self.make_leaf(node, Numbers::ONE);
        }
        if !reached {
            self.give_node(node);
        }
    }
}
