//! A critical tree: two solution trees of opposite sides that meet in a value.

use super::{SearchTree, Side, Solution};
use crate::solution::{NodeId, SolutionTree};

/// Knuth and Moore's types of the nodes that every search must visit, as the paper reads them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeType {
    /// In both solution trees: on the critical path.
    One,
    /// Where the solution tree that the node is in keeps one child.
    Two,
    /// Where it keeps all.
    Three,
}

/// An optimal max solution tree and an optimal min solution tree. Where their values are equal, that is the value of the root.
#[derive(Clone, Debug)]
pub struct CriticalTree {
    /// Shows the upper bound.
    pub max: Solution,
    /// Shows the lower bound.
    pub min: Solution,
}

impl CriticalTree {
    /// The leftmost optimal solution trees of both sides in a search tree.
    #[must_use]
    pub fn extract(tree: &impl SearchTree) -> Self {
        Self {
            max: Solution::extract(tree, Side::Max, usize::MAX),
            min: Solution::extract(tree, Side::Min, usize::MAX),
        }
    }

    /// The moves of the critical path: all that the two trees have in common. Each of its nodes has the value of the root.
    #[must_use]
    pub fn path(&self) -> Vec<u32> {
        let mut path = Vec::new();
        let (mut max, mut min) = (self.max.root(), self.min.root());
        // At every node one of the trees has a single move, and the other one has that too.
        while let Some((code, _)) = self.max.winning_child(max).or_else(|| self.min.winning_child(min)) {
            let (Some(in_max), Some(in_min)) = (self.max.child(max, code), self.min.child(min, code)) else {
                break;
            };
            path.push(code);
            (max, min) = (in_max, in_min);
        }
        path
    }

    /// The type of the node that a path of moves leads to; nothing if it is in neither tree.
    #[must_use]
    pub fn node_type(&self, path: &[u32]) -> Option<NodeType> {
        let type_in = |solution: &Solution, node: NodeId| {
            if solution.keeps_all_at(node) { NodeType::Three } else { NodeType::Two }
        };
        match (follow(&self.max, path), follow(&self.min, path)) {
            (Some(_), Some(_)) => Some(NodeType::One),
            (Some(node), None) => Some(type_in(&self.max, node)),
            (None, Some(node)) => Some(type_in(&self.min, node)),
            (None, None) => None,
        }
    }
}

fn follow(solution: &Solution, path: &[u32]) -> Option<NodeId> {
    path.iter().try_fold(solution.root(), |node, code| solution.child(node, *code))
}
