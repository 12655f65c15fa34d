//! What is left of a search for a value: a solution tree for each of its bounds.

use quod_proof::{NodeId, SearchTree, Side, Solution, SolutionTree};

use super::tree::{ROOT, Tree};
use crate::limits::{Solved, longest_line};
use crate::many::Interval;

/// The part of the memory that a tree may fill: the rest is for the solutions that are copied out of it.
pub(super) fn tree_bytes(memory_bytes_max: u64) -> u64 {
    memory_bytes_max / 4 * 3
}

/// A list with an item for every node of a tree that takes so many bytes, that of the root first. Its room is reserved at once and touched
/// as it fills, as that of the tree is.
pub(super) fn beside_tree<T>(tree_bytes: u64, root: T) -> Vec<T> {
    let mut list = Vec::new();
    // If the system does not give it, the list grows as other lists do.
    let _ = list.try_reserve_exact(Tree::nodes_in(tree_bytes));
    list.push(root);
    list
}

/// The solutions of both bounds that are proven, where they are more than was asked about and the tree shows them, in what is left of
/// the memory when so many bytes are used, and in a twentieth of it where that is less.
pub(super) fn solutions(
    tree: &Tree,
    asked: Interval,
    proven: Interval,
    memory_bytes_max: u64,
    used_bytes: u64,
) -> (Option<Solution>, Option<Solution>) {
    let room = memory_bytes_max.saturating_sub(used_bytes).max(memory_bytes_max / 20);
    let (lower, upper) = tree.bounds(ROOT);
    let nodes_max = usize::try_from(room / 2 / Solution::NODE_BYTES as u64).unwrap_or(usize::MAX);
    let solution = |side| Solution::extract(tree, side, nodes_max);
    let below = (lower > asked.lower && lower == proven.lower).then(|| solution(Side::Min));
    let above = (upper < asked.upper && upper == proven.upper).then(|| solution(Side::Max));
    (below, above)
}

impl Solved for Solution {
    fn is_or(&self, node: NodeId) -> bool {
        self.is_max(node)
    }

    fn bytes(&self) -> u64 {
        Self::bytes(self)
    }

    fn longest_line(&self) -> Vec<u32> {
        longest_line(self.root(), |node| self.children(node))
    }
}
