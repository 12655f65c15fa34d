//! DeleteLeastProving (Allis et al. 1994, section 4.1 and figure 10): when memory is full, give up the leaves
//! that would be selected last.
//!
//! The paper sets the numbers of such a leaf to infinity. Here they become unreachable, which is neither
//! proven nor disproven: what is given up can make the answer unknown and never wrong. A node whose both
//! numbers are unreachable is given up itself, and what hangs below it makes room.

use quod_model::Numbers;
use quod_proof::{NodeId, SolutionTree};

use crate::tree::Tree;

/// Gives up least-proving leaves until there is room for `nodes` nodes or nothing is left to give up.
pub(crate) fn delete_least_proving(tree: &mut Tree, nodes: u64, updates: &mut u64) {
    let mut path: Vec<NodeId> = Vec::new();
    while tree.room() < nodes && tree.numbers(tree.root()).is_open() {
        path.clear();
        let mut node = tree.root();
        while let Some(child) = least_proving_child(tree, node) {
            path.push(node);
            node = child;
        }
        tree.set_numbers(node, Numbers::ABANDONED);
        while let Some(parent) = path.pop() {
            *updates += 1;
            let changed = tree.update(parent);
            if tree.numbers(parent).is_abandoned() {
                tree.delete_below(parent);
            }
            if !changed {
                break;
            }
        }
    }
}

/// The rightmost open child with the largest proof number (at OR) or disproof number (at AND).
fn least_proving_child(tree: &Tree, node: NodeId) -> Option<NodeId> {
    let is_or = tree.is_or(node);
    let weight = |child: &NodeId| {
        let numbers = tree.numbers(*child);
        if is_or { numbers.pn } else { numbers.dn }
    };
    tree.children(node).filter(|child| tree.numbers(*child).is_open()).max_by_key(weight)
}
