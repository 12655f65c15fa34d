//! The OPEN list of SSS*: states by merit, those further to the left first among equals.

use std::cmp::Ordering;

use quod_model::Relative;
use quod_proof::NodeId;

use super::solutions::beside_tree;

/// A state of SSS*: a node, whether it is solved or still live, and its merit, an upper bound of what Max can get there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct State {
    pub(super) node: NodeId,
    pub(super) solved: bool,
    pub(super) merit: Relative,
}

/// Where a node stands in the tree.
#[derive(Clone, Copy)]
struct Place {
    parent: NodeId,
    depth: u32,
}

/// A heap of states, and the places of all nodes, which tell which is further to the left.
pub(super) struct OpenList {
    heap: Vec<State>,
    places: Vec<Place>,
}

impl OpenList {
    /// The list with the root in it, beside a tree of so many bytes.
    pub(super) fn new(root: State, tree_bytes: u64) -> Self {
        Self { heap: vec![root], places: beside_tree(tree_bytes, Place { parent: 0, depth: 0 }) }
    }

    /// Tells where the children of a node are: they stand side by side, the last that were made.
    pub(super) fn add_places(&mut self, parent: NodeId, count: usize) {
        let depth = self.places[parent as usize].depth + 1;
        self.places.resize(self.places.len() + count, Place { parent, depth });
    }

    pub(super) fn parent(&self, node: NodeId) -> NodeId {
        self.places[node as usize].parent
    }

    pub(super) fn depth(&self, node: NodeId) -> u32 {
        self.places[node as usize].depth
    }

    pub(super) fn bytes(&self) -> u64 {
        (self.heap.capacity() * size_of::<State>() + self.places.len() * size_of::<Place>()) as u64
    }

    /// The bytes that each node takes here.
    pub(super) const NODE_BYTES: u64 = (size_of::<Place>() + size_of::<State>()) as u64;

    /// The order of nodes as they stand: from left to right, and from the top down.
    fn across(&self, mut one: NodeId, mut other: NodeId) -> Ordering {
        let (depth, other_depth) = (self.depth(one), self.depth(other));
        let shallow = depth.min(other_depth);
        for _ in shallow..depth {
            one = self.parent(one);
        }
        for _ in shallow..other_depth {
            other = self.parent(other);
        }
        if one == other {
            return depth.cmp(&other_depth);
        }
        while self.parent(one) != self.parent(other) {
            (one, other) = (self.parent(one), self.parent(other));
        }
        one.cmp(&other)
    }

    /// Whether the first of two states comes first.
    fn before(&self, one: usize, other: usize) -> bool {
        let (one, other) = (self.heap[one], self.heap[other]);
        match other.merit.cmp(&one.merit) {
            Ordering::Equal => self.across(one.node, other.node) == Ordering::Less,
            order => order == Ordering::Less,
        }
    }

    pub(super) fn push(&mut self, state: State) {
        let mut at = self.heap.len();
        self.heap.push(state);
        while at > 0 && self.before(at, (at - 1) / 2) {
            self.heap.swap(at, (at - 1) / 2);
            at = (at - 1) / 2;
        }
    }

    pub(super) fn first(&self) -> State {
        self.heap[0]
    }

    /// Takes out the first state.
    pub(super) fn pop(&mut self) {
        self.heap.swap_remove(0);
        let mut at = 0;
        loop {
            let children = [2 * at + 1, 2 * at + 2].into_iter().filter(|child| *child < self.heap.len());
            let Some(best) = children.reduce(|one, other| if self.before(other, one) { other } else { one })
            else {
                break;
            };
            if !self.before(best, at) {
                break;
            }
            self.heap.swap(at, best);
            at = best;
        }
    }
}
