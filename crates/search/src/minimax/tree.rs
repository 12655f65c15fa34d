//! The search tree S of the searches for a value, with the bounds f- and f+ of every node.
//!
//! Siblings stand side by side. What a finished node needs for neither of its bounds is given up, so that what stays in memory is
//! solution trees; blocks that were given up are taken apart a few at a time, when room is wanted, so that no step takes long.

use quod_model::{Bounded, Relative};
use quod_proof::{NodeId, SearchTree};

use crate::blocks::{Blocks, Item, NONE};
use crate::many::Interval;

pub(super) const ROOT: NodeId = 0;
pub(super) const NODE_BYTES: u64 = size_of::<Node>() as u64;

const IS_MAX: u8 = 1;
/// The children show the bound: without them less would be known.
const LOWER_SHOWN: u8 = 2;
const UPPER_SHOWN: u8 = 4;
/// The bound is known from elsewhere: children have shown it that are not there any more, or a table has it.
const LOWER_LOST: u8 = 8;
const UPPER_LOST: u8 = 16;

#[derive(Clone, Copy)]
struct Node {
    code: u32,
    lower: Relative,
    upper: Relative,
    /// The first child.
    first: u32,
    count: u16,
    flags: u8,
}

/// A free block is in a list by its size.
impl Item for Node {
    fn link(&self) -> u32 {
        self.first
    }

    fn set_link(&mut self, link: u32) {
        self.first = link;
    }
}

impl Node {
    fn new(code: u32, is_max: bool, (lower, upper): (Relative, Relative)) -> Self {
        let flags = if is_max { IS_MAX } else { 0 };
        Self { code, lower, upper, first: NONE, count: 0, flags }
    }

    fn is(self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    fn lose_children(&mut self) {
        self.count = 0;
        self.first = NONE;
        for (shown, lost) in [(LOWER_SHOWN, LOWER_LOST), (UPPER_SHOWN, UPPER_LOST)] {
            if self.is(shown) {
                self.flags = self.flags & !shown | lost;
            }
        }
    }

    /// Takes a lower bound that the children show.
    fn raise(&mut self, lower: Relative) {
        if lower > self.lower || (lower == self.lower && self.is(LOWER_LOST)) {
            self.lower = lower;
            self.flags = self.flags & !LOWER_LOST | LOWER_SHOWN;
        }
    }

    /// The same for an upper bound.
    fn reduce(&mut self, upper: Relative) {
        if upper < self.upper || (upper == self.upper && self.is(UPPER_LOST)) {
            self.upper = upper;
            self.flags = self.flags & !UPPER_LOST | UPPER_SHOWN;
        }
    }
}

pub(super) struct Tree {
    nodes: Blocks<Node>,
    /// The first of the blocks that were given up with all that is below them. The first node of each holds the next one and
    /// the size of its own, where its bounds were.
    given_up: u32,
    peak: usize,
    /// The most bytes that were in use.
    bytes: u64,
}

impl Tree {
    /// A tree of one node, with room for so many bytes.
    pub(super) fn new(bytes_max: u64, is_max: bool, bounds: (Relative, Relative)) -> Self {
        let root = Node::new(0, is_max, bounds);
        Self { nodes: Blocks::growing(bytes_max, bytes_max, root), given_up: NONE, peak: 1, bytes: 0 }
    }

    /// How many nodes fit into so many bytes.
    pub(super) fn nodes_in(bytes: u64) -> usize {
        usize::try_from(bytes / NODE_BYTES).unwrap_or(usize::MAX)
    }

    fn node(&self, node: NodeId) -> &Node {
        &self.nodes[node as usize]
    }

    fn node_mut(&mut self, node: NodeId) -> &mut Node {
        &mut self.nodes[node as usize]
    }

    pub(super) fn code(&self, node: NodeId) -> u32 {
        self.node(node).code
    }

    pub(super) fn is_expanded(&self, node: NodeId) -> bool {
        self.node(node).count > 0
    }

    /// How many children there are.
    pub(super) fn count(&self, node: NodeId) -> u32 {
        self.node(node).count.into()
    }

    /// One of the children by its place.
    pub(super) fn child(&self, node: NodeId, place: u32) -> NodeId {
        debug_assert!(place < self.count(node));
        self.node(node).first + place
    }

    fn block(&self, node: NodeId) -> std::ops::Range<usize> {
        let Node { first, count, .. } = *self.node(node);
        first as usize..first as usize + usize::from(count)
    }

    /// Whether the value is known.
    pub(super) fn is_closed(&self, node: NodeId) -> bool {
        let node = self.node(node);
        node.lower >= node.upper
    }

    /// The most nodes that were held at once.
    pub(super) fn peak(&self) -> u64 {
        self.peak as u64
    }

    /// What it shows of the root.
    pub(super) fn proven(&self) -> Interval {
        let (lower, upper) = self.bounds(ROOT);
        Interval { lower, upper }
    }

    pub(super) fn bytes(&self) -> u64 {
        self.bytes.max(self.nodes.bytes())
    }

    /// Gives a leaf its children; false if there is no room.
    pub(super) fn attach(&mut self, node: NodeId, children: &[Bounded]) -> bool {
        debug_assert!(!self.is_expanded(node));
        // Two blocks for one: what was given up does not pile up.
        for _ in 0..2 {
            self.take_apart();
        }
        let new =
            || children.iter().map(|child| Node::new(child.code, child.is_max, (child.lower, child.upper)));
        let first = loop {
            match self.nodes.put(new(), usize::MAX) {
                Some(first) => break first,
                None if self.take_apart() => {}
                None => return false,
            }
        };
        let node = self.node_mut(node);
        node.first = first;
        node.count = u16::try_from(children.len()).expect("fewer than 2^16 moves");
        self.peak = self.peak.max(self.nodes.live());
        true
    }

    /// Makes room of one of the blocks that were given up; false if there is none.
    fn take_apart(&mut self) -> bool {
        let block = self.given_up;
        if block == NONE {
            return false;
        }
        let first = *self.node(block);
        let size = first.upper.0 as usize;
        self.given_up = first.lower.0 as u32;
        for node in block..block + size as u32 {
            self.give_up_block(node);
        }
        self.nodes.give(block, size);
        true
    }

    fn give_up_block(&mut self, node: NodeId) {
        let Node { first, count, .. } = *self.node(node);
        if count > 0 {
            let next = self.given_up;
            let head = self.node_mut(first);
            head.lower = Relative(next as i32);
            head.upper = Relative(count.into());
            self.given_up = first;
        }
    }

    /// Makes a leaf of a node that keeps its bounds.
    fn give_up(&mut self, node: NodeId) {
        self.give_up_block(node);
        self.node_mut(node).lose_children();
    }

    /// Forgets everything but a path from the root and the moves along it, and tells the new numbers of the path. Blocks of all sizes
    /// have been cut into small ones by then: room for larger ones is made by beginning anew.
    pub(super) fn keep_path(&mut self, path: &mut [NodeId]) {
        let mut blocks: Vec<Vec<Node>> =
            path.iter().map(|node| self.nodes[self.block(*node)].to_vec()).collect();
        let places: Vec<usize> =
            path.windows(2).map(|pair| (pair[1] - self.node(pair[0]).first) as usize).collect();
        for (at, block) in blocks.iter_mut().enumerate() {
            for (place, node) in block.iter_mut().enumerate() {
                if places.get(at) != Some(&place) {
                    node.lose_children();
                }
            }
        }
        self.bytes = self.bytes();
        self.nodes.clear();
        self.given_up = NONE;
        for (at, block) in blocks.into_iter().enumerate().filter(|(_, block)| !block.is_empty()) {
            let first = self.nodes.put(block.into_iter(), usize::MAX).expect("it has been there before");
            self.node_mut(path[at]).first = first;
            if let Some(place) = places.get(at) {
                path[at + 1] = first + *place as NodeId;
            }
        }
    }

    /// Makes a leaf of the root, of which no more is known than this.
    pub(super) fn begin_again(&mut self, bounds: (Relative, Relative)) {
        self.give_up(ROOT);
        *self.node_mut(ROOT) = Node::new(0, SearchTree::is_max(self, ROOT), bounds);
    }

    /// Takes bounds that are known from elsewhere.
    pub(super) fn learn(&mut self, node: NodeId, lower: Relative, upper: Relative) {
        let node = self.node_mut(node);
        if lower > node.lower {
            node.lower = lower;
            node.flags = node.flags & !LOWER_SHOWN | LOWER_LOST;
        }
        if upper < node.upper {
            node.upper = upper;
            node.flags = node.flags & !UPPER_SHOWN | UPPER_LOST;
        }
    }

    /// Takes what a child shows of its parent alone: a lower bound at a max node, an upper bound at a min node.
    pub(super) fn take_from(&mut self, child: NodeId, parent: NodeId) {
        let Node { lower, upper, .. } = *self.node(child);
        let parent = self.node_mut(parent);
        if parent.is(IS_MAX) {
            parent.raise(lower);
        } else {
            parent.reduce(upper);
        }
    }

    /// Takes what all children show together; whether the bounds have changed.
    pub(super) fn update(&mut self, node: NodeId) -> bool {
        let old = self.bounds(node);
        let children = &self.nodes[self.block(node)];
        let (lowers, uppers) =
            (children.iter().map(|child| child.lower), children.iter().map(|child| child.upper));
        let (lower, upper) = if SearchTree::is_max(self, node) {
            (lowers.max(), uppers.max())
        } else {
            (lowers.min(), uppers.min())
        };
        let node = &mut self.nodes[node as usize];
        node.raise(lower.expect("an inner node has children"));
        node.reduce(upper.expect("an inner node has children"));
        debug_assert!(node.lower <= node.upper, "bounds that contradict each other");
        old != (node.lower, node.upper)
    }

    /// Gives up what a finished node needs for neither of its bounds: one child shows a lower bound of a max node and an upper bound
    /// of a min node, all children together the other one.
    pub(super) fn tidy(&mut self, node: NodeId) {
        let Node { lower, upper, .. } = *self.node(node);
        let is_max = SearchTree::is_max(self, node);
        let (by_one, by_all) = if is_max { (LOWER_SHOWN, UPPER_SHOWN) } else { (UPPER_SHOWN, LOWER_SHOWN) };
        if self.node(node).is(by_all) {
            return;
        }
        if !self.node(node).is(by_one) {
            self.give_up(node);
            return;
        }
        let shows = |child: &Node| if is_max { child.lower >= lower } else { child.upper <= upper };
        let block = self.block(node);
        let one = block.clone().find(|child| shows(&self.nodes[*child])).expect("a child shows the bound");
        for child in block.filter(|child| *child != one) {
            self.give_up(child as NodeId);
        }
    }

    /// Moves a child to the front, behind it those that stood before it.
    pub(super) fn bring_to_front(&mut self, node: NodeId, place: u32) {
        let block = self.block(node);
        self.nodes[block][..=place as usize].rotate_right(1);
    }
}

impl SearchTree for Tree {
    fn root(&self) -> NodeId {
        ROOT
    }

    fn is_max(&self, node: NodeId) -> bool {
        self.node(node).is(IS_MAX)
    }

    fn children(&self, node: NodeId) -> impl Iterator<Item = (u32, NodeId)> {
        self.block(node).map(|child| (self.nodes[child].code, child as NodeId))
    }

    fn known(&self, node: NodeId) -> (Relative, Relative) {
        let node = self.node(node);
        (
            if node.is(LOWER_SHOWN | LOWER_LOST) { Relative(i32::MIN) } else { node.lower },
            if node.is(UPPER_SHOWN | UPPER_LOST) { Relative(i32::MAX) } else { node.upper },
        )
    }

    fn bounds(&self, node: NodeId) -> (Relative, Relative) {
        let node = self.node(node);
        (node.lower, node.upper)
    }
}
