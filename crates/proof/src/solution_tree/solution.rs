//! A solution tree, taken out of a search tree.

use quod_model::Relative;

use super::SearchTree;
use crate::solution::{NodeId, SolutionTree};

/// The two kinds of solution trees, named as in the paper by where all children are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// All children at max nodes and one at min nodes: a strategy of Min, which shows an upper bound.
    Max,
    /// All children at min nodes and one at max nodes: a strategy of Max, which shows a lower bound.
    Min,
}

impl Side {
    /// Which of the bounds f- and f+ it is about.
    fn bound(self, (lower, upper): (Relative, Relative)) -> Relative {
        match self {
            Self::Max => upper,
            Self::Min => lower,
        }
    }

    /// Whether one bound is as good as another.
    fn shows(self, one: Relative, other: Relative) -> bool {
        match self {
            Self::Max => one <= other,
            Self::Min => one >= other,
        }
    }

    /// The value of a solution tree from those of its leaves: the largest of a max solution tree, the smallest of the other.
    fn value(self, one: Relative, other: Relative) -> Relative {
        match self {
            Self::Max => one.max(other),
            Self::Min => one.min(other),
        }
    }

    /// Whether all children are kept where Max moves, or where Min does.
    fn keeps_all(self, is_max: bool) -> bool {
        (self == Self::Max) == is_max
    }
}

/// An optimal solution tree of one side, copied out of a search tree and compact: its nodes stand in the order of their depth.
///
/// Parts may be missing, because they did not fit or because the search had not kept them: they end in leaves that
/// [`SolutionTree`] has nothing to say about.
#[derive(Clone, Debug)]
pub struct Solution {
    side: Side,
    value: Relative,
    closed: bool,
    missing: usize,
    nodes: Vec<Node>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    code: u32,
    first: u32,
    count: u32,
    is_max: bool,
}

impl Node {
    fn leaf(code: u32, is_max: bool) -> Self {
        Self { code, first: 0, count: 0, is_max }
    }
}

impl Solution {
    /// The bytes that one node takes while a solution is copied.
    pub const NODE_BYTES: usize = size_of::<Node>() + size_of::<NodeId>();

    /// The leftmost optimal solution tree of a side (Stockman's theorem: where one child is kept, the first one with the bound of
    /// its parent). It has `nodes_max` nodes at the most, the shallow ones first, beside the root and its children.
    #[must_use]
    pub fn extract(tree: &impl SearchTree, side: Side, nodes_max: usize) -> Self {
        let root = tree.root();
        let mut nodes = vec![Node::leaf(0, tree.is_max(root))];
        let mut sources = vec![root];
        let (mut value, mut closed, mut missing) = (None, true, 0);
        let mut at = 0;
        while at < nodes.len() {
            let source = sources[at];
            let shown = side.bound(tree.bounds(source));
            let known = tree.known(source);
            let first = nodes.len();
            let is_leaf = side.shows(side.bound(known), shown);
            if !is_leaf {
                let all = side.keeps_all(nodes[at].is_max);
                let mut others = 0;
                for (code, child) in tree.children(source) {
                    if !side.shows(side.bound(tree.bounds(child)), shown) {
                        others += 1;
                    } else if all || nodes.len() == first {
                        nodes.push(Node::leaf(code, tree.is_max(child)));
                        sources.push(child);
                    }
                }
                if (all && others > 0) || (at > 0 && nodes.len() > nodes_max) {
                    nodes.truncate(first);
                    sources.truncate(first);
                }
            }
            if nodes.len() > first {
                nodes[at].first = u32::try_from(first).expect("a node has a number");
                nodes[at].count = u32::try_from(nodes.len() - first).expect("a node has a number");
            } else {
                value = Some(value.map_or(shown, |value| side.value(value, shown)));
                closed &= is_leaf && known.0 == known.1;
                missing += usize::from(!is_leaf);
            }
            at += 1;
        }
        nodes.shrink_to_fit();
        Self { side, value: value.expect("a tree has a leaf"), closed, missing, nodes }
    }

    /// Whose strategy it is.
    #[must_use]
    pub fn side(&self) -> Side {
        self.side
    }

    /// Its value g: what it shows of the root.
    #[must_use]
    pub fn value(&self) -> Relative {
        self.value
    }

    /// Whether all leaves are closed: it is then a solution tree of the game, too.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// How many leaves end parts that are missing.
    #[must_use]
    pub fn missing(&self) -> usize {
        self.missing
    }

    /// How many nodes it has.
    #[must_use]
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    /// The bytes that it holds.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        (self.nodes.capacity() * size_of::<Node>()) as u64
    }

    /// Whether Max is to move at a node.
    #[must_use]
    pub fn is_max(&self, node: NodeId) -> bool {
        self.nodes[node as usize].is_max
    }

    /// Whether it keeps all children of a node, or one.
    pub(super) fn keeps_all_at(&self, node: NodeId) -> bool {
        self.side.keeps_all(self.is_max(node))
    }

    /// The children of a node, with the codes of the moves that lead to them.
    pub fn children(&self, node: NodeId) -> impl Iterator<Item = (u32, NodeId)> {
        let Node { first, count, .. } = self.nodes[node as usize];
        (first..first + count).map(|child| (self.nodes[child as usize].code, child))
    }

    /// Whether it has the shape of a solution tree in a search tree: a move of either list is one of the search tree's, where all
    /// are kept none is missing, where one is kept there is no other, and it ends only where something is known or missing.
    #[must_use]
    pub fn is_solution_in(&self, tree: &impl SearchTree) -> bool {
        let mut missing = self.missing;
        let mut open = vec![(0, tree.root())];
        while let Some((node, source)) = open.pop() {
            if self.is_max(node) != tree.is_max(source) {
                return false;
            }
            let codes: Vec<u32> = self.children(node).map(|(code, _)| code).collect();
            let sources: Vec<(u32, NodeId)> = tree.children(source).collect();
            if codes.is_empty() {
                if !self.side.shows(self.side.bound(tree.known(source)), self.value) {
                    if missing == 0 {
                        return false;
                    }
                    missing -= 1;
                }
                continue;
            }
            let wanted = if self.keeps_all_at(node) { sources.len() } else { 1 };
            if codes.len() != wanted {
                return false;
            }
            for (code, child) in self.children(node) {
                let Some((_, source)) = sources.iter().find(|(other, _)| *other == code) else {
                    return false;
                };
                open.push((child, *source));
            }
        }
        true
    }
}

impl SolutionTree for Solution {
    fn root(&self) -> NodeId {
        0
    }

    fn winning_child(&self, node: NodeId) -> Option<(u32, NodeId)> {
        if self.keeps_all_at(node) { None } else { self.children(node).next() }
    }

    fn child(&self, node: NodeId, code: u32) -> Option<NodeId> {
        self.children(node).find(|(other, _)| *other == code).map(|(_, child)| child)
    }
}
