//! A search for many outcomes as the solutions that it holds: one for each bound, both in one tree.

use std::rc::Rc;

use quod_proof::{NodeId, SolutionTree};

use super::arena::{Arena, ROOT};
use crate::limits::{Solved, longest_line};

/// What a tree shows of one question: the strategy of the side for which it was answered.
pub struct Shown {
    arena: Rc<Arena>,
    question: u16,
    /// Whether the answer is yes.
    holds: bool,
    /// The bytes that this part of the tree answers for.
    bytes: u64,
}

impl Shown {
    pub(super) fn new(arena: &Rc<Arena>, question: u16, holds: bool, bytes: u64) -> Self {
        Self { arena: Rc::clone(arena), question, holds, bytes }
    }

    /// Whether the question is answered at a node as it is at the root.
    fn is_won(&self, node: NodeId) -> bool {
        let (low, high) = self.arena.open(node);
        if self.holds { self.question < low } else { self.question >= high }
    }

    /// The moves that the winner's strategy leaves: one of its own, all of the other side.
    fn played(&self, node: NodeId) -> impl Iterator<Item = (u32, NodeId)> {
        let only = if self.arena.is_max(node) == self.holds { 1 } else { usize::MAX };
        self.arena.children(node).filter(|(_, child)| self.is_won(*child)).take(only)
    }
}

impl SolutionTree for Shown {
    fn root(&self) -> NodeId {
        ROOT
    }

    fn winning_child(&self, node: NodeId) -> Option<(u32, NodeId)> {
        let winner_moves = self.arena.is_max(node) == self.holds;
        if winner_moves { self.played(node).next() } else { None }
    }

    fn child(&self, node: NodeId, code: u32) -> Option<NodeId> {
        self.arena.children(node).find(|(other, _)| *other == code).map(|(_, child)| child)
    }
}

impl Solved for Shown {
    fn is_or(&self, node: NodeId) -> bool {
        self.arena.is_max(node)
    }

    fn bytes(&self) -> u64 {
        self.bytes
    }

    fn longest_line(&self) -> Vec<u32> {
        longest_line(ROOT, |node| self.played(node))
    }
}
