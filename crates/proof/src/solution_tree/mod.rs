//! Search trees and the solution trees in them: the theory that every search for a value rests on (de Bruin, Pijls, Plaat,
//! *Solution trees as a basis for game tree search*, sections 2 and 3), executable.
//!
//! A search tree S is what a search has generated of a game tree. It shows two bounds of every node: f-, the value if all that is
//! unknown turns out as bad for Max as it can, and f+, the value if it turns out as well. A bound is shown by a solution
//! tree in S, which is a strategy of one side: by Stockman's theorem the best of them has the value of the bound. Two that meet are
//! a critical tree, and show the value.

mod critical;
mod solution;

use quod_model::Relative;
use rustc_hash::FxHashMap;

pub use critical::{CriticalTree, NodeType};
pub use solution::{Side, Solution};

use crate::solution::NodeId;

/// A search tree. Of every node it has all children or none.
pub trait SearchTree {
    /// Where it begins.
    fn root(&self) -> NodeId;

    /// Whether Max is to move.
    fn is_max(&self, node: NodeId) -> bool;

    /// The children in their order, with the codes of the moves that lead to them; none at a leaf.
    fn children(&self, node: NodeId) -> impl Iterator<Item = (u32, NodeId)>;

    /// The smallest and the largest value that the node can have as far as the rules tell it. A leaf is closed if both are equal, and open
    /// otherwise. What is not known is as small and as large as a [`Relative`] can be.
    fn known(&self, node: NodeId) -> (Relative, Relative);

    /// The bounds f- and f+ as the search keeps them: those of [`by_definition`], and more where it has known more than it has kept.
    fn bounds(&self, node: NodeId) -> (Relative, Relative);
}

/// The bounds f- and f+ of every node, by their definition: at a leaf what is known of it; above, the largest of the children's at
/// max nodes and the smallest at min nodes, or what is known of the node itself where that is more.
#[must_use]
pub fn by_definition(tree: &impl SearchTree) -> FxHashMap<NodeId, (Relative, Relative)> {
    let mut bounds = FxHashMap::default();
    let mut open = vec![(tree.root(), false)];
    while let Some((node, children_done)) = open.pop() {
        if !children_done {
            open.push((node, true));
            open.extend(tree.children(node).map(|(_, child)| (child, false)));
            continue;
        }
        let of_children = tree.children(node).map(|(_, child)| bounds[&child]);
        let folded = of_children.reduce(|one: (Relative, Relative), other: (Relative, Relative)| {
            if tree.is_max(node) {
                (one.0.max(other.0), one.1.max(other.1))
            } else {
                (one.0.min(other.0), one.1.min(other.1))
            }
        });
        let known = tree.known(node);
        bounds.insert(node, folded.map_or(known, |folded| (folded.0.max(known.0), folded.1.min(known.1))));
    }
    bounds
}
