//! A solved graph as the solution that it holds.
//!
//! Every fact was shown by its best edge when it became one: by an older fact, or, in a set that endless play lost
//! together, by a node of that set. So the winner who follows best edges either comes to older and older facts, or
//! stays for ever where that wins. Steps to moves that were held back are no moves, and are left out.

use quod_checkpoint::State;
use quod_model::is_held_back;
use quod_proof::{NodeId, SolutionTree};

use super::arena::{Graph, ROOT, is_fact};
use crate::limits::{Solved, longest_line};

impl Graph {
    /// Whether the side to move at a solved node is the one that has won there.
    pub(super) fn winner_moves(&self, node: NodeId) -> bool {
        self.is_or(node) == self.numbers(node).is_proven()
    }

    /// The edges of moves that the winner's strategy leaves.
    fn played(&self, node: NodeId) -> Vec<u32> {
        if self.winner_moves(node) {
            return self.best_move(node).into_iter().collect();
        }
        let (mut played, mut next) = (Vec::new(), Some(node));
        while let Some(node) = next.take() {
            for edge in self.edges_of(node) {
                if is_held_back(self.code(edge)) {
                    next = Some(Graph::child(self, edge));
                } else {
                    played.push(edge);
                }
            }
        }
        played
    }

    /// The edge of the most-proving move: in a solved node, of the one that shows it.
    pub(crate) fn best_move(&self, mut node: NodeId) -> Option<u32> {
        loop {
            self.best(node)?;
            let edge = self.hot[node as usize].best;
            if !is_held_back(self.code(edge)) {
                return Some(edge);
            }
            node = Graph::child(self, edge);
        }
    }
}

impl SolutionTree for Graph {
    fn root(&self) -> NodeId {
        ROOT
    }

    fn winning_child(&self, node: NodeId) -> Option<(u32, NodeId)> {
        let wins = is_fact(self.numbers(node)) && self.winner_moves(node);
        let edge = self.best_move(node).filter(|_| wins)?;
        Some((self.code(edge), Graph::child(self, edge)))
    }

    fn child(&self, node: NodeId, code: u32) -> Option<NodeId> {
        let mut next = Some(node);
        while let Some(node) = next.take() {
            for edge in self.edges_of(node) {
                if self.code(edge) == code {
                    return Some(Graph::child(self, edge));
                }
                if is_held_back(self.code(edge)) {
                    next = Some(Graph::child(self, edge));
                }
            }
        }
        None
    }
}

impl Solved for Graph {
    fn is_or(&self, node: NodeId) -> bool {
        Graph::is_or(self, node)
    }

    fn bytes(&self) -> u64 {
        Graph::bytes(self)
    }

    fn state(&self) -> Option<&dyn State> {
        Some(self)
    }

    fn longest_line(&self) -> Vec<u32> {
        longest_line(ROOT, |node| {
            self.played(node).into_iter().map(|edge| (self.code(edge), Graph::child(self, edge)))
        })
    }
}
