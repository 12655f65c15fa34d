//! When memory is full: what can no longer matter at the root is removed (Saffidine and Cazenave 2011, section 4.5).
//!
//! The relevancy bounds of a node are the questions that are open all along the path to it. Where none is left, nothing below
//! can contribute to the root's value, and it goes. In a graph the first path to a node decides: what another path would
//! have kept is found again when it is needed. If that frees too little, nodes all of whose children are leaves become leaves
//! again, which keep their bounds and numbers: nothing that was proven is lost, and the search can still find everything.
//! All this is done in slices, so that a search of any size can be stopped at
//! any time.

use quod_proof::NodeId;

use super::arena::{Arena, ROOT};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// What can be reached is marked, and what is relevant there.
    Mark,
    /// The rest is given back.
    Sweep,
    /// What is there is put into a new index.
    Index,
}

/// How far a collection has come.
pub(super) struct Collecting {
    phase: Phase,
    at: usize,
    /// Whether nodes that took little work become leaves.
    fold_back: bool,
    /// How many nodes there were, if some are to go.
    live_before: Option<u64>,
}

impl Collecting {
    pub(super) fn new(arena: &mut Arena, fold_back: bool) -> Self {
        let (low, high) = arena.open(ROOT);
        arena.waiting.push((ROOT, low, high));
        Self { phase: Phase::Mark, at: 0, fold_back, live_before: Some(arena.live()) }
    }

    pub(super) fn folds_back(&self) -> bool {
        self.fold_back
    }

    /// Only the index is built anew; it was begun.
    pub(super) fn only_index() -> Self {
        Self { phase: Phase::Index, at: 0, fold_back: false, live_before: None }
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
                    self.mark(node, begin, end, job.fold_back);
                }
                None
            }
            Phase::Sweep => {
                let end = job.at.saturating_add(nodes).min(self.len());
                for node in job.at..end {
                    self.sweep(node as NodeId);
                }
                job.at = end;
                if end == self.len() {
                    (job.phase, job.at) = (Phase::Index, if self.clear_index() { 0 } else { end });
                }
                None
            }
            Phase::Index => {
                let end = job.at.saturating_add(nodes).min(self.len());
                self.fill_index(job.at..end);
                job.at = end;
                let worthwhile = job.live_before.is_none_or(|before| self.live() <= before / 16 * 15);
                (end == self.len()).then_some(worthwhile)
            }
        }
    }

    /// Marks a node that questions from `begin` to `end` lead to.
    fn mark(&mut self, node: NodeId, begin: u16, end: u16, fold_back: bool) {
        self.set_reached(node);
        let (low, high) = self.open(node);
        let (begin, end) = (begin.max(low), end.min(high));
        let little =
            fold_back && node != ROOT && self.children(node).all(|(_, child)| !self.is_expanded(child));
        if begin < end && !little && self.is_expanded(node) && self.set_kept(node) {
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
            self.make_leaf(node);
        }
        if !reached {
            self.give_node(node);
        }
    }
}
