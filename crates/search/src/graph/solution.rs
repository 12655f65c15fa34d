//! A solved graph as the solution that it holds.
//!
//! Every fact was shown by its best edge when it became one: by an older fact, or, in a set that endless play lost
//! together, by a node of that set. So the winner who follows best edges either comes to older and older facts, or
//! stays for ever where that wins.

use quod_proof::{NodeId, SolutionTree};

use super::arena::{Graph, ROOT, is_fact};
use crate::limits::{Solved, longest_line};

impl Graph {
    /// Whether the side to move at a solved node is the one that has won there.
    pub(super) fn winner_moves(&self, node: NodeId) -> bool {
        self.is_or(node) == self.numbers(node).is_proven()
    }

    /// The edges that the winner's strategy leaves.
    fn played(&self, node: NodeId) -> impl Iterator<Item = u32> {
        let only = self.winner_moves(node).then_some(self.hot[node as usize].best);
        self.edges_of(node).filter(move |edge| only.is_none_or(|only| only == *edge))
    }
}

impl SolutionTree for Graph {
    fn root(&self) -> NodeId {
        ROOT
    }

    fn winning_child(&self, node: NodeId) -> Option<(u32, NodeId)> {
        let wins = is_fact(self.numbers(node)) && self.winner_moves(node);
        self.best(node).filter(|_| wins).map(|(child, code)| (code, child))
    }

    fn child(&self, node: NodeId, code: u32) -> Option<NodeId> {
        self.edges_of(node).find(|edge| self.code(*edge) == code).map(|edge| Graph::child(self, edge))
    }
}

impl Solved for Graph {
    fn is_or(&self, node: NodeId) -> bool {
        Graph::is_or(self, node)
    }

    fn bytes(&self) -> u64 {
        Graph::bytes(self)
    }

    fn longest_line(&self) -> Vec<u32> {
        longest_line(ROOT, |node| self.played(node).map(|edge| (self.code(edge), Graph::child(self, edge))))
    }
}
