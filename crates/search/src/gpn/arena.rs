//! The search tree, or acyclic graph, of a search for many outcomes.
//!
//! A question is a threshold: "is the value at least this outcome?". Questions are numbered from 0 in the order of their
//! outcomes, so that those answered with yes come first, then the open ones, then those answered with no: a node keeps where
//! the open ones begin and end (the pessimistic and the optimistic bound), and a pair of numbers for each of them, the
//! greater number of the outcome and the smaller number of the one below (Saffidine and Cazenave 2011, section 4.1).
//!
//! A node has 24 bytes, and the edge to it 8.

use std::ops::Range;

use quod_model::{Bounded, Numbers};
use quod_proof::NodeId;

use super::effort::{Effort, Fold};
use super::keys::{KEY_BYTES, Keys};
use super::numbers::{Kept, Store};
use crate::blocks::{Blocks, Item, NONE};
use crate::index::Key;
use crate::saved::Marks;
use quod_checkpoint::{Failure, Reader, State, Writer};
use zerocopy::{FromBytes, Immutable, IntoBytes};

/// The most questions that a search can have.
pub const QUESTIONS_MAX: usize = (1 << 14) - 1;

pub(super) const ROOT: NodeId = 0;

/// Max is to move. In a node's first open question.
const MAX: u16 = 1 << 15;
/// Its children are kept. In a node's first open question, while memory is collected.
const KEPT: u16 = 1 << 14;
/// It is kept. In the end of a node's open questions, while memory is collected.
const REACHED: u16 = 1 << 15;
const QUESTION: u16 = KEPT - 1;

/// The last edge of a node.
const LAST: u32 = 1 << 31;
/// The bits of a code.
pub(super) const CODE: u32 = (1 << 29) - 1;

#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable)]
#[repr(C)]
struct Node {
    /// Questions before this one are answered with yes; flags.
    low: u16,
    /// Questions from this one on are answered with no; flags.
    high: u16,
    /// The first edge.
    edges: u32,
    numbers: Kept,
}

/// A node that is not in use: no node has its questions in this order.
const FREE: (u16, u16) = (1, 0);

impl Item for Node {
    fn link(&self) -> u32 {
        self.edges
    }
    fn set_link(&mut self, link: u32) {
        (self.low, self.high) = FREE;
        self.edges = link;
    }
}

#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable)]
#[repr(C)]
struct Edge {
    child: NodeId,
    /// The code of the move, and a flag.
    code: u32,
}

impl Item for Edge {
    fn link(&self) -> u32 {
        self.child
    }
    fn set_link(&mut self, link: u32) {
        self.child = link;
    }
}

/// How much memory a tree may take.
#[derive(Clone, Copy)]
pub(super) struct Room {
    pub(super) bytes_max: u64,
    /// What is reserved at once, for nodes, edges and numbers each.
    pub(super) reserved: u64,
}

/// A search tree or acyclic graph with many outcomes.
pub(super) struct Arena {
    nodes: Blocks<Node>,
    edges: Blocks<Edge>,
    numbers: Store,
    /// Where equal places are one.
    keys: Option<Keys>,
    effort: Effort,
    bytes_max: u64,
    peak: u64,
    /// What the children of a node add up to; empty between calls.
    folds: Vec<Fold>,
    /// The children of a node that waits for them; empty between calls.
    targets: Vec<(NodeId, bool)>,
    /// Nodes that wait; empty between calls.
    pub(super) waiting: Vec<(NodeId, u16, u16)>,
}

/// A node as its parent gives it: bounds in questions.
#[derive(Clone, Copy)]
pub(super) struct Child {
    pub(super) code: u32,
    pub(super) is_max: bool,
    pub(super) open: (u16, u16),
    pub(super) numbers: Numbers,
    pub(super) key: Option<u128>,
}

impl Child {
    pub(super) fn new(child: &Bounded, open: (u16, u16)) -> Self {
        Self { code: child.code, is_max: child.is_max, open, numbers: child.numbers, key: child.key }
    }
}

/// Numbers for each of some questions.
pub(super) struct OwnNumbers {
    pub(super) open: (u16, u16),
    pub(super) numbers: Vec<Numbers>,
}

impl Arena {
    /// A single root with these open questions. With `joined`, children of equal keys are one.
    pub(super) fn new(
        room: Room,
        effort: Effort,
        joined: bool,
        questions: u16,
        is_max: bool,
        open: (u16, u16),
    ) -> Self {
        let Room { bytes_max, reserved } = room;
        let leaf = Kept::of_leaf(effort.of_leaf(Numbers::ONE, is_max));
        let low = open.0 | if is_max { MAX } else { 0 };
        let root = Node { low, high: open.1, edges: NONE, numbers: leaf };
        Self {
            nodes: Blocks::growing(reserved, bytes_max, root),
            edges: Blocks::growing(reserved, bytes_max, Edge { child: NONE, code: LAST }),
            numbers: Store::new(questions, reserved, bytes_max),
            keys: joined.then(Keys::new),
            effort,
            bytes_max,
            peak: 1,
            // Room for all questions from the start, so that it is counted from the start.
            folds: Vec::with_capacity(usize::from(questions)),
            targets: Vec::new(),
            waiting: Vec::new(),
        }
    }

    pub(super) fn is_max(&self, node: NodeId) -> bool {
        self.nodes[node as usize].low & MAX != 0
    }

    /// The numbers of a question, to be looked at.
    pub(super) fn shown(&self, node: NodeId, question: u16) -> Numbers {
        self.effort.shown(self.numbers(node, question))
    }

    /// The open questions of a node.
    pub(super) fn open(&self, node: NodeId) -> (u16, u16) {
        let Node { low, high, .. } = self.nodes[node as usize];
        (low & QUESTION, high & !REACHED)
    }

    pub(super) fn is_open_at(&self, node: NodeId, question: u16) -> bool {
        let (low, high) = self.open(node);
        low <= question && question < high
    }

    pub(super) fn is_expanded(&self, node: NodeId) -> bool {
        self.nodes[node as usize].edges != NONE
    }

    /// The numbers of a question, which matters at the root if it is open.
    #[inline]
    pub(super) fn numbers(&self, node: NodeId, question: u16) -> Numbers {
        let (low, high) = self.open(node);
        if question < low {
            return Numbers::PROVEN;
        }
        if question >= high {
            return Numbers::DISPROVEN;
        }
        self.numbers.at(&self.nodes[node as usize].numbers, question)
    }

    /// The children with the codes of their moves, in their order.
    #[inline]
    pub(super) fn children(&self, node: NodeId) -> impl Iterator<Item = (u32, NodeId)> {
        let edges = match self.nodes[node as usize].edges {
            NONE => &[],
            first => &self.edges[first as usize..],
        };
        let mut last = false;
        edges.iter().map_while(move |edge| {
            let after_last = std::mem::replace(&mut last, edge.code & LAST != 0);
            (!after_last).then_some((edge.code & CODE, edge.child))
        })
    }

    /// The child that a descent takes for a question, with the code of the move to it: of those for which it is open, the
    /// leftmost with the smallest number of the side to move. Min looks at the numbers of another question.
    #[inline]
    pub(super) fn best_child(&self, node: NodeId, question: u16, distracting: u16) -> Option<(u32, NodeId)> {
        let is_max = self.is_max(node);
        let (mut least, mut best) = (u32::MAX, None);
        for (place, (code, child)) in self.children(node).enumerate() {
            if self.is_open_at(child, question) {
                let number = if is_max {
                    self.numbers.at(&self.nodes[child as usize].numbers, question).pn
                } else {
                    self.numbers(child, distracting).dn
                };
                let rank = self.effort.rank(number, place);
                if rank < least {
                    (least, best) = (rank, Some((code, child)));
                }
            }
        }
        best
    }

    /// How many nodes are held.
    pub(super) fn live(&self) -> u64 {
        self.nodes.live() as u64
    }

    /// The most nodes that were held at once.
    pub(super) fn peak(&self) -> u64 {
        self.peak
    }

    /// The bytes in use, with everything.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let buffers = self.folds.capacity() * size_of::<Fold>();
        let keys = self.keys.as_ref().map_or(0, Keys::bytes);
        self.nodes.bytes() + self.edges.bytes() + self.numbers.bytes() + keys + buffers as u64
    }

    /// The bytes that are left.
    fn room(&self) -> u64 {
        self.bytes_max.saturating_sub(self.bytes())
    }

    /// Gives a leaf its children. False, and nothing done, if there is no room.
    pub(super) fn add_children(&mut self, node: NodeId, children: &[Child], window: &Range<u16>) -> bool {
        debug_assert!(!self.is_expanded(node) && !children.is_empty());
        if !self.make_index_room(children.len()) {
            return false;
        }
        if let Some(keys) = &self.keys {
            // Every look-up misses all caches: all are asked for before any is used.
            children.iter().filter_map(|child| child.key).for_each(|key| keys.prefetch(Key::new(key)));
        }
        let (low, high) = self.open(node);
        let (begin, end) = (low.max(window.start), high.min(window.end));
        let leaf = self.nodes[node as usize].numbers;
        let Some(numbers) = self.numbers.open(leaf, begin, end.max(begin), self.room()) else {
            self.nodes[node as usize].numbers = self.unknown();
            return false;
        };
        self.nodes[node as usize].numbers = numbers;
        let mut targets = std::mem::take(&mut self.targets);
        let all_there = children.iter().all(|child| {
            let target = self.find_or_create(child);
            targets.extend(target);
            target.is_some()
        });
        let last = children.len() - 1;
        let edges = targets.iter().zip(children).enumerate().map(|(at, ((target, _), child))| {
            // A code that reached into the flags would make false proofs.
            assert!(child.code <= CODE, "the move code {} is too large", child.code);
            Edge { child: *target, code: child.code | if at == last { LAST } else { 0 } }
        });
        let edges_max = self.edges.len() + (self.room() / size_of::<Edge>() as u64) as usize;
        let edges = if all_there { self.edges.put(edges, edges_max) } else { None };
        match edges {
            Some(edges) => {
                self.nodes[node as usize].edges = edges;
                self.peak = self.peak.max(self.live());
            }
            None => {
                // The index is wrong now; a collection, which builds it anew, or the end follows.
                for (target, _) in targets.iter().filter(|(_, is_new)| *is_new) {
                    self.nodes.give(*target, 1);
                }
            }
        }
        let done = edges.is_some();
        targets.clear();
        self.targets = targets;
        done
    }

    /// The node of a child, and whether it is a new one.
    fn find_or_create(&mut self, child: &Child) -> Option<(NodeId, bool)> {
        let key = child.key.map(Key::new);
        if let (Some(key), Some(keys)) = (key, &self.keys)
            && let Some(found) = keys.find(key)
        {
            return Some((found, false));
        }
        let low = child.open.0 | if child.is_max { MAX } else { 0 };
        let new = Node {
            low,
            high: child.open.1,
            edges: NONE,
            numbers: Kept::of_leaf(self.effort.of_leaf(child.numbers, child.is_max)),
        };
        let bytes = size_of::<Node>() + if self.keys.is_some() { KEY_BYTES } else { 0 };
        let room = (self.room() / bytes as u64) as usize;
        if !self.keys.as_mut().is_none_or(Keys::make_room) {
            return None;
        }
        let node = self.nodes.put(std::iter::once(new), self.nodes.len() + room)?;
        if let Some(keys) = &mut self.keys {
            keys.set(node, key);
        }
        Some((node, true))
    }

    /// Makes the index ready for `more` nodes; false if memory does not allow it.
    fn make_index_room(&mut self, more: usize) -> bool {
        let Some(keys) = &self.keys else { return true };
        if keys.has_room(more) {
            return true;
        }
        if keys.growth(more) > self.room() {
            return false;
        }
        let begun = self.keys.as_mut().is_some_and(|keys| keys.begin_larger(more));
        self.fill_index(0..self.len());
        if !begun {
            // The system gives no more: what is there is all.
            self.bytes_max = self.bytes();
        }
        begun
    }

    /// Begins a larger index if the one that there is will soon be full, and says so: all nodes must then be put into it. Small
    /// ones, and those for a great many children at once, grow as they must.
    pub(super) fn starts_new_index(&mut self) -> bool {
        const SOON: usize = 1 << 10;
        let (large, room) = (self.len() >= 1 << 16, self.room());
        match &mut self.keys {
            Some(keys) if large && !keys.has_room(SOON) && keys.growth(SOON) <= room => {
                if !keys.begin_larger(SOON) {
                    // The system gives no more: what is there is all. The index is empty, and must be filled too.
                    self.bytes_max = self.bytes();
                }
                true
            }
            _ => false,
        }
    }

    /// Begins an index for the nodes that are there, and says whether there is one to fill.
    pub(super) fn clear_index(&mut self) -> bool {
        if let Some(keys) = &mut self.keys {
            keys.begin(self.nodes.live());
        }
        self.keys.is_some()
    }

    /// Puts nodes into the index.
    pub(super) fn fill_index(&mut self, nodes: Range<usize>) {
        let used = &self.nodes;
        if let Some(keys) = &mut self.keys {
            let is_free = |node: NodeId| (used[node as usize].low, used[node as usize].high) == FREE;
            keys.fill(nodes.start as NodeId..nodes.end as NodeId, is_free);
        }
    }

    pub(super) fn is_free(&self, node: NodeId) -> bool {
        let Node { low, high, .. } = self.nodes[node as usize];
        (low, high) == FREE
    }

    /// Recomputes a node with children for the questions of `window`. Returns whether anything changed.
    ///
    /// Max has what its best child has: at least the largest lower and at most the largest upper bound; an open question
    /// is one that no child answers with yes and some child leaves open. For Min it is the mirror image.
    pub(super) fn update(&mut self, node: NodeId, window: &Range<u16>) -> bool {
        let effort = self.effort;
        let is_max = self.is_max(node);
        let old = self.open(node);
        let (first, last) = (old.0.max(window.start), old.1.min(window.end));
        let mut folds = std::mem::take(&mut self.folds);
        folds.clear();
        folds.resize(usize::from(last.saturating_sub(first)), Fold::EMPTY);
        let (mut low, mut high) = if is_max { (0, 0) } else { (u16::MAX, u16::MAX) };
        for (_, child) in self.children(node) {
            let (child_low, child_high) = self.open(child);
            if is_max {
                (low, high) = (low.max(child_low), high.max(child_high));
            } else {
                (low, high) = (low.min(child_low), high.min(child_high));
            }
            let (from, to) = (first.max(child_low), last.min(child_high));
            if from < to {
                let folds = &mut folds[usize::from(from - first)..usize::from(to - first)];
                let pairs = self.numbers.of(&self.nodes[child as usize].numbers, from, to);
                pairs.for_each_with(folds, |fold, pair| {
                    let (phi, delta) = pair.seen_by_mover(is_max);
                    fold.add(effort, phi, delta);
                });
            }
        }
        debug_assert!(node == ROOT || (low <= old.1 && high >= old.0), "bounds that contradict each other");
        // The rules may know more of a node than its children show; and a root that is asked only some questions may lie beyond
        // all of them.
        let (low, high) = (low.clamp(old.0, old.1), high.clamp(old.0, old.1));
        let (begin, end) = (low.max(first), high.min(last));
        let still_open =
            if begin < end { usize::from(begin - first)..usize::from(end - first) } else { 0..0 };
        let stored = &mut self.nodes[node as usize];
        let changed = self.numbers.write(&mut stored.numbers, begin, &folds[still_open], is_max, effort);
        stored.low = stored.low & !QUESTION | low;
        stored.high = stored.high & REACHED | high;
        self.folds = folds;
        changed || (low, high) != old
    }

    /// How many nodes there is room for that has been touched.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn set_reached(&mut self, node: NodeId) {
        self.nodes[node as usize].high |= REACHED;
    }

    /// False if it was set before.
    pub(super) fn set_kept(&mut self, node: NodeId) -> bool {
        let low = &mut self.nodes[node as usize].low;
        let is_new = *low & KEPT == 0;
        *low |= KEPT;
        is_new
    }

    /// Whether it was reached and its children are kept. Neither is remembered.
    pub(super) fn take_marks(&mut self, node: NodeId) -> (bool, bool) {
        let node = &mut self.nodes[node as usize];
        let marks = (node.high & REACHED != 0, node.low & KEPT != 0);
        node.high &= !REACHED;
        node.low &= !KEPT;
        marks
    }

    /// The numbers of a leaf about which nothing is known.
    fn unknown(&self) -> Kept {
        Kept::of_leaf(self.effort.of_leaf(Numbers::ONE, true))
    }

    /// Takes the children of a node away, if it has any. It keeps its numbers as long as they can matter at the root.
    pub(super) fn make_leaf(&mut self, node: NodeId) {
        let count = self.children(node).count();
        let edges = self.nodes[node as usize].edges;
        if count == 0 {
            return;
        }
        self.edges.give(edges, count);
        let ((low, high), root) = (self.open(node), self.open(ROOT));
        let unknown = self.unknown();
        let node = &mut self.nodes[node as usize];
        node.edges = NONE;
        if low.max(root.0) >= high.min(root.1) {
            self.numbers.give(&node.numbers);
            node.numbers = unknown;
        }
    }

    /// Gives the first children of a node, which are leaves, numbers for each of their questions; where there is no room for
    /// those, a leaf stays as it is.
    pub(super) fn set_numbers_of_children(&mut self, node: NodeId, own: &[OwnNumbers]) {
        let first = self.nodes[node as usize].edges as usize;
        for (edge, own) in (first..).zip(own).filter(|(_, own)| !own.numbers.is_empty()) {
            let leaf = self.edges[edge].child as usize;
            if let Some(kept) = self.numbers.put(own.open.0, &own.numbers, self.room()) {
                self.nodes[leaf].numbers = kept;
            }
        }
    }

    /// Gives back a node without children, which nothing leads to any more.
    pub(super) fn give_node(&mut self, node: NodeId) {
        self.numbers.give(&self.nodes[node as usize].numbers);
        self.nodes.give(node, 1);
    }
}

impl State for Arena {
    fn write(&self, to: &mut Writer<'_>) -> std::io::Result<()> {
        self.nodes.write(to)?;
        self.edges.write(to)?;
        self.numbers.save(to)?;
        if let Some(keys) = &self.keys {
            keys.save(to)?;
        }
        to.item(self.peak)
    }
}

impl Arena {
    /// Takes back what was written. Numbers are there for the questions of `window`, of `questions` in all.
    pub(super) fn restore(
        &mut self,
        questions: u16,
        window: impl FnOnce(&mut Reader<'_>) -> Result<Range<u16>, Failure>,
        from: &mut Reader<'_>,
    ) -> Result<Range<u16>, Failure> {
        let free_nodes = self.nodes.restore(from)?;
        let mut edges = self.edges.restore(from)?;
        let mut numbers = self.numbers.restore(from)?;
        if let Some(keys) = &mut self.keys {
            keys.restore(self.nodes.len(), &free_nodes, from)?;
        }
        self.peak = from.item()?;
        let window = window(from)?;
        let mut edges_in_use = 0;
        for node in (0..self.nodes.len()).filter(|node| !free_nodes.has(*node)) {
            let Node { low, high, edges: first, numbers: kept } = self.nodes[node];
            let (low, high) = (low & QUESTION, high);
            let matters = (low.max(window.start), high.min(window.end));
            let in_order = low <= high && high <= questions && !self.is_free(node as NodeId);
            if !in_order || !self.numbers.is_whole(&kept, matters, &mut numbers) {
                return Err(Failure::damaged("it holds no numbers"));
            }
            if first == NONE {
                continue;
            }
            for at in first as usize.. {
                let edge = self.edges.get(at).filter(|_| edges.add(at));
                let Some(edge) = edge.filter(|edge| {
                    (edge.child as usize) < self.nodes.len() && !free_nodes.has(edge.child as usize)
                }) else {
                    return Err(Failure::damaged("it holds no tree"));
                };
                edges_in_use += 1;
                if edge.code & LAST != 0 {
                    break;
                }
            }
        }
        // The first edge of all belongs to nobody.
        if edges_in_use + 1 != self.edges.live() || !self.has_no_circles() {
            return Err(Failure::damaged("it holds no tree"));
        }
        self.fill_index(0..self.nodes.len());
        Ok(window)
    }

    /// Whether no node leads to itself: a descent would never end.
    fn has_no_circles(&self) -> bool {
        let (mut entered, mut left) = (Marks::new(self.nodes.len()), Marks::new(self.nodes.len()));
        let mut open = vec![(ROOT, false)];
        while let Some((node, done)) = open.pop() {
            if done {
                left.add(node as usize);
            } else if entered.add(node as usize) {
                open.push((node, true));
                open.extend(self.children(node).map(|(_, child)| (child, false)));
            } else if !left.has(node as usize) {
                return false;
            }
        }
        true
    }

    /// The move from a node to a child.
    pub(super) fn code_to(&self, node: NodeId, child: NodeId) -> Option<u32> {
        if node as usize >= self.nodes.len() {
            return None;
        }
        self.children(node).find(|(_, other)| *other == child).map(|(code, _)| code)
    }
}
