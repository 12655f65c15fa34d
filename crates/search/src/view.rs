//! What a search holds, for people who look into it between two calls.

use quod_model::{Numbers, is_held_back};
use quod_proof::NodeId;

use crate::graph::Graph;
use crate::many::Interval;
use crate::tree::Tree;

/// A search tree or graph that can be looked into.
pub trait View {
    /// How many nodes it holds.
    fn nodes(&self) -> u64;

    /// All nodes have numbers below this one.
    fn ids_end(&self) -> NodeId;

    /// The root: the first node that there was.
    fn top(&self) -> NodeId {
        0
    }

    /// What is known of a node.
    fn seen(&self, node: NodeId) -> Seen;

    /// Puts the moves that leave from a node into `steps`, in the order of its children; none if it is a leaf.
    fn steps(&self, node: NodeId, steps: &mut Vec<Step>);

    /// The code of the move to the most-proving child.
    fn best(&self, node: NodeId) -> Option<u32>;

    /// Whether the node has children that are not held here.
    fn is_cut(&self, _node: NodeId) -> bool {
        false
    }
}

/// What is known of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Whether the side is to move that wants the question answered with yes.
    pub is_or: bool,
    /// Proof and disproof number of the question.
    pub numbers: Numbers,
    /// The bounds of a search for many outcomes, for the side to move at the root.
    pub bounds: Option<Interval>,
}

/// A move in a search tree or graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The code of the move.
    pub code: u32,
    /// Where it leads.
    pub node: NodeId,
    /// Whether it closes a cycle, and the search looks no further there.
    pub is_back: bool,
}

impl View for Tree {
    fn nodes(&self) -> u64 {
        self.live()
    }

    fn ids_end(&self) -> NodeId {
        self.ids()
    }

    fn seen(&self, node: NodeId) -> Seen {
        Seen { is_or: self.is_or(node), numbers: self.numbers(node), bounds: None }
    }

    fn steps(&self, node: NodeId, steps: &mut Vec<Step>) {
        steps.extend(self.children(node).map(|child| Step {
            code: self.code(child),
            node: child,
            is_back: false,
        }));
    }

    fn best(&self, node: NodeId) -> Option<u32> {
        self.most_proving_child(node).map(|child| self.code(child))
    }
}

impl View for Graph {
    fn nodes(&self) -> u64 {
        self.len() as u64
    }

    fn ids_end(&self) -> NodeId {
        self.len() as NodeId
    }

    fn seen(&self, node: NodeId) -> Seen {
        Seen { is_or: self.is_or(node), numbers: self.numbers(node), bounds: None }
    }

    /// Moves that were held back are listed behind the others of their node.
    fn steps(&self, node: NodeId, steps: &mut Vec<Step>) {
        let mut next = Some(node);
        while let Some(node) = next.take() {
            for edge in self.edges_of(node) {
                let step =
                    Step { code: self.code(edge), node: self.child(edge), is_back: self.is_back(edge) };
                if is_held_back(step.code) {
                    next = Some(step.node);
                } else {
                    steps.push(step);
                }
            }
        }
    }

    fn best(&self, node: NodeId) -> Option<u32> {
        self.best_move(node).map(|edge| self.code(edge))
    }
}
