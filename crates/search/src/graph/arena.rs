//! The search graph: nodes joined by key, with edges both ways.
//!
//! A node has 28 bytes: its numbers and flags together, since a parent that is updated reads them of all its
//! children, and apart from them its key and two links. An edge has 12 bytes: the child, the next edge to the same
//! child, and the move. The edges of a node stand side by side behind a word that says whose they are; flags mark the
//! first and the last, and the node's link leads to the most-proving one, as in the tree.
//!
//! Solved numbers come in two strengths. A *fact* holds whatever the path: one number is 0, the other infinite. An
//! *assumption* leans on a repetition that some path shows and another may not: one number is 0, the other
//! [`PENDING`]. Folding children keeps the two apart, and only facts are ever reported.

use quod_model::{Child, Identity, Numbers};
use quod_proof::NodeId;

use crate::backup::Backup;
use crate::index::{Index, Key};
use crate::pages::{prefer_huge_pages, prefetch};
use zerocopy::{FromBytes, Immutable, IntoBytes};

/// The bytes of a node without its place in the index.
pub const GRAPH_NODE_BYTES: usize = size_of::<Hot>() + size_of::<Cold>();
/// The bytes of an edge.
pub const EDGE_BYTES: usize = 3 * size_of::<u32>();

pub(super) const ROOT: NodeId = 0;
/// No edge: the first word of all belongs to none.
pub(super) const NONE: u32 = 0;
/// In the place of the next edge to the same child: this edge is a second one from the same parent.
pub(super) const SECOND: u32 = u32::MAX;

/// The other number of a node that is solved only as long as an assumed repetition stands.
pub(super) const PENDING: u32 = Numbers::UNREACHABLE;

pub(super) const OR: u32 = 1;
pub(super) const ENDLESS: u32 = 1 << 1;
pub(super) const UNJOINED: u32 = 1 << 2;
pub(super) const ON_PATH: u32 = 1 << 3;
pub(super) const MARK: u32 = 1 << 4;
pub(super) const TOUCHED: u32 = 1 << 5;
const KEY_SHIFT: u32 = 8;

/// Nodes and words are numbered with 32 bits; the last number means something else.
pub(super) const IDS_MAX: usize = (u32::MAX - 1) as usize;

pub(super) const FIRST: u32 = 1 << 31;
pub(super) const LAST: u32 = 1 << 30;
/// The edge closes a cycle, and counts as a leaf of the value of endless play.
pub(super) const BACK: u32 = 1 << 29;
/// The bits of a code.
const CODE: u32 = (1 << 29) - 1;

#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable)]
#[repr(C)]
pub(super) struct Hot {
    pub(super) pn: u32,
    pub(super) dn: u32,
    /// Flags, and the upper bits of the key.
    pub(super) flags: u32,
    /// The most-proving edge.
    pub(super) best: u32,
}

#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable)]
#[repr(C)]
pub(super) struct Cold {
    /// The lower bits of the key, in halves that need not be aligned.
    pub(super) key: [u32; 2],
    /// The first edge that leads here.
    pub(super) parents: u32,
}

/// What strength of solved a pair of numbers has.
pub(super) fn is_fact(numbers: Numbers) -> bool {
    numbers.pn == Numbers::INFINITE || numbers.dn == Numbers::INFINITE
}

pub(super) fn is_assumption(numbers: Numbers) -> bool {
    numbers.is_solved() && !is_fact(numbers)
}

/// A search graph with proof and disproof numbers.
pub struct Graph {
    pub(super) hot: Vec<Hot>,
    pub(super) cold: Vec<Cold>,
    /// Edges in threes, behind the number of the node that they leave from.
    pub(super) words: Vec<u32>,
    pub(super) index: Index,
    pub(super) backup: Backup,
    pub(super) bytes_max: u64,
    pub(super) edges: u64,
    pub(super) peak_nodes: u64,
    pub(super) peak_edges: u64,
    pub(super) peak_bytes: u64,
    /// Nodes that wait; empty between calls.
    pub(super) waiting: Vec<NodeId>,
    /// The keys of an expansion.
    keys: Vec<Option<Key>>,
    /// Whether there were nodes where endless play fails the goal, and where it reaches it.
    pub(super) endless: [bool; 2],
}

impl Graph {
    /// A graph of a single root, with room for `bytes_max` bytes in all.
    pub(super) fn new(bytes_max: u64, backup: Backup, root: Child, identity: Option<Identity>) -> Self {
        let mut graph = Self {
            hot: Vec::new(),
            cold: Vec::new(),
            words: vec![0],
            index: Index::new(),
            backup,
            bytes_max,
            edges: 0,
            peak_nodes: 0,
            peak_edges: 0,
            peak_bytes: 0,
            waiting: Vec::new(),
            keys: Vec::new(),
            endless: [false; 2],
        };
        // Room that is reserved and not touched costs nothing. Where the system does not give it, vectors grow as
        // they always do.
        let most =
            |bytes: usize| usize::try_from(bytes_max / bytes as u64).unwrap_or(usize::MAX).min(IDS_MAX);
        let _ = graph.hot.try_reserve_exact(most(GRAPH_NODE_BYTES));
        let _ = graph.cold.try_reserve_exact(most(GRAPH_NODE_BYTES));
        let _ = graph.words.try_reserve_exact(most(size_of::<u32>()));
        prefer_huge_pages(&graph.hot);
        prefer_huge_pages(&graph.cold);
        prefer_huge_pages(&graph.words);
        let key = identity.map(|identity| Key::new(identity.key));
        graph.create(root, identity, key);
        graph.remember_peak();
        graph
    }

    /// Proof and disproof number.
    #[must_use]
    pub fn numbers(&self, node: NodeId) -> Numbers {
        let Hot { pn, dn, .. } = self.hot[node as usize];
        Numbers { pn, dn }
    }

    pub(super) fn set_numbers(&mut self, node: NodeId, numbers: Numbers) {
        let hot = &mut self.hot[node as usize];
        (hot.pn, hot.dn) = (numbers.pn, numbers.dn);
    }

    /// Whether it is an OR node.
    #[must_use]
    pub fn is_or(&self, node: NodeId) -> bool {
        self.has(node, OR)
    }

    /// Whether going around forever through it reaches the goal.
    #[must_use]
    pub fn is_endless(&self, node: NodeId) -> bool {
        self.has(node, ENDLESS)
    }

    pub(super) fn has(&self, node: NodeId, flag: u32) -> bool {
        self.hot[node as usize].flags & flag != 0
    }

    pub(super) fn set(&mut self, node: NodeId, flag: u32) {
        self.hot[node as usize].flags |= flag;
    }

    pub(super) fn unset(&mut self, node: NodeId, flag: u32) {
        self.hot[node as usize].flags &= !flag;
    }

    /// Whether its children are there.
    #[must_use]
    pub fn is_expanded(&self, node: NodeId) -> bool {
        self.hot[node as usize].best != NONE
    }

    /// The most-proving child and the code of the move to it.
    pub(super) fn best(&self, node: NodeId) -> Option<(NodeId, u32)> {
        let edge = self.hot[node as usize].best;
        (edge != NONE).then(|| (self.child(edge), self.code(edge)))
    }

    pub(crate) fn child(&self, edge: u32) -> NodeId {
        self.words[edge as usize]
    }

    pub(crate) fn code(&self, edge: u32) -> u32 {
        self.words[edge as usize + 2] & CODE
    }

    /// Whether another edge leads from the same node to the same child before it.
    pub(super) fn is_second(&self, edge: u32) -> bool {
        self.words[edge as usize + 1] == SECOND
    }

    pub(crate) fn is_back(&self, edge: u32) -> bool {
        self.words[edge as usize + 2] & BACK != 0
    }

    pub(super) fn set_back(&mut self, edge: u32) {
        self.words[edge as usize + 2] |= BACK;
    }

    /// The first edge of the block that an edge stands in.
    pub(super) fn first(&self, mut edge: u32) -> u32 {
        while self.words[edge as usize + 2] & FIRST == 0 {
            edge -= 3;
        }
        edge
    }

    /// The node that an edge leaves from.
    pub(super) fn owner(&self, edge: u32) -> NodeId {
        self.words[self.first(edge) as usize - 1]
    }

    /// The edges of a node, in the order of its children.
    pub(crate) fn edges_of(&self, node: NodeId) -> impl Iterator<Item = u32> {
        let best = self.hot[node as usize].best;
        let mut next = (best != NONE).then(|| self.first(best));
        std::iter::from_fn(move || {
            let edge = next?;
            next = self.next_of(edge);
            Some(edge)
        })
    }

    /// The edge behind this one in its node.
    pub(super) fn next_of(&self, edge: u32) -> Option<u32> {
        (self.words[edge as usize + 2] & LAST == 0).then_some(edge + 3)
    }

    /// The next edge to the same child.
    pub(super) fn next_to(&self, edge: u32) -> Option<u32> {
        let next = self.words[edge as usize + 1];
        (next != NONE).then_some(next)
    }

    /// The word behind the block whose first edge this is.
    pub(super) fn end_of_block(&self, first: u32) -> u32 {
        let mut edge = first;
        while let Some(next) = self.next_of(edge) {
            edge = next;
        }
        edge + 3
    }

    /// The children of a node, in their order; one that several moves lead to as often.
    pub fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        self.edges_of(node).map(|edge| self.child(edge))
    }

    /// The edges that lead to a node, the youngest first.
    pub(super) fn edges_to(&self, node: NodeId) -> impl Iterator<Item = u32> {
        let first = self.cold[node as usize].parents;
        let mut next = (first != NONE).then_some(first);
        std::iter::from_fn(move || {
            let edge = next?;
            next = self.next_to(edge);
            Some(edge)
        })
    }

    pub(super) fn has_several_parents(&self, node: NodeId) -> bool {
        self.edges_to(node).nth(1).is_some()
    }

    /// How many nodes are held.
    #[must_use]
    pub fn len(&self) -> usize {
        self.hot.len()
    }

    /// Never: a graph has a root.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.hot.is_empty()
    }

    /// The bytes in use, with everything.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let nodes = self.hot.len() * GRAPH_NODE_BYTES + self.waiting.capacity() * size_of::<NodeId>();
        (nodes + self.words.len() * size_of::<u32>()) as u64 + self.index.bytes()
    }

    pub(super) fn bytes_max(&self) -> u64 {
        self.bytes_max
    }

    pub(super) fn remember_peak(&mut self) {
        self.peak_nodes = self.peak_nodes.max(self.hot.len() as u64);
        self.peak_edges = self.peak_edges.max(self.edges);
        self.peak_bytes = self.peak_bytes.max(self.bytes());
    }

    /// The most nodes, edges and bytes that were held at once.
    #[must_use]
    pub fn peaks(&self) -> (u64, u64, u64) {
        (self.peak_nodes, self.peak_edges, self.peak_bytes)
    }

    fn key(&self, node: NodeId) -> Option<Key> {
        let flags = self.hot[node as usize].flags;
        let key = self.cold[node as usize].key;
        (flags & UNJOINED == 0).then_some(Key::of_parts(key, flags >> KEY_SHIFT))
    }

    fn find(&self, key: Key) -> Option<NodeId> {
        self.index.find(key, |node| self.key(node) == Some(key))
    }

    fn create(&mut self, child: Child, identity: Option<Identity>, key: Option<Key>) -> NodeId {
        let node = NodeId::try_from(self.hot.len()).expect("room was checked");
        let mut flags = if child.is_or { OR } else { 0 };
        match key {
            None => flags |= UNJOINED,
            Some(key) => {
                flags |= key.high << KEY_SHIFT;
                self.index.insert(key, node);
            }
        }
        let endless = identity.is_some_and(|identity| identity.endless);
        self.endless[usize::from(endless)] = true;
        if endless {
            flags |= ENDLESS;
        }
        self.hot.push(Hot { pn: child.numbers.pn, dn: child.numbers.dn, flags, best: NONE });
        self.cold.push(Cold { key: key.map_or([0; 2], Key::halves), parents: NONE });
        node
    }

    /// Begins a larger index if the one that there is will soon be full, and says so: all nodes must then be put into it. Small
    /// ones, and those for a great many children at once, grow as they must.
    pub(super) fn starts_new_index(&mut self) -> bool {
        const SOON: usize = 1 << 10;
        self.len() >= 1 << 16 && !self.index.has_room(SOON) && self.begin_index(SOON)
    }

    /// Makes the index ready for `more` nodes; false if memory does not allow it.
    fn make_index_room(&mut self, more: usize) -> bool {
        if self.index.has_room(more) {
            return true;
        }
        let begun = self.begin_index(more);
        if begun {
            self.index_nodes(0..self.hot.len() as NodeId);
        }
        begun
    }

    /// Begins a larger index, empty, with room for the nodes that are there and `more`; false if memory does not allow it.
    fn begin_index(&mut self, more: usize) -> bool {
        let (old, size) = (self.index.size(), self.index.next_size(more));
        if self.bytes() - self.index.bytes() + Index::bytes_of(size) > self.bytes_max {
            return false;
        }
        // Two are never held at once.
        self.index = Index::new();
        let larger = Index::try_of_size(size);
        let begun = larger.is_some();
        self.index = larger.unwrap_or_else(|| Index::of_size(old));
        if !begun {
            self.index_nodes(0..self.hot.len() as NodeId);
            // The system gives no more: what is there is all.
            self.bytes_max = self.bytes();
        }
        begun
    }

    /// Empties the index. With `refilled`, it is to take the nodes that are there.
    pub(super) fn clear_index(&mut self, refilled: bool) {
        self.index = Index::new();
        if refilled {
            self.index = Index::of_size(self.index.next_size(self.hot.len()));
        }
    }

    /// Puts nodes into the index, which has room for them.
    pub(super) fn index_nodes(&mut self, nodes: std::ops::Range<NodeId>) {
        let (begin, end) = (nodes.start as usize, nodes.end as usize);
        let keys = nodes.zip(self.hot[begin..end].iter().zip(&self.cold[begin..end]));
        let joined = keys.filter(|(_, (hot, _))| hot.flags & UNJOINED == 0);
        self.index.insert_all(
            joined.map(|(node, (hot, cold))| (Key::of_parts(cold.key, hot.flags >> KEY_SHIFT), node)),
        );
    }

    /// Gives a leaf its children, joined with what is there. False, and nothing done, if there is no room.
    /// With `apart`, two new children of one key stay two.
    pub(super) fn add_children(
        &mut self,
        node: NodeId,
        children: &[Child],
        identities: &[Option<Identity>],
        apart: bool,
    ) -> bool {
        debug_assert!(!self.is_expanded(node));
        let words = 1 + 3 * children.len();
        let more = children.len() * GRAPH_NODE_BYTES + words * size_of::<u32>();
        let ids = self.hot.len() + children.len() <= IDS_MAX && self.words.len() + words <= IDS_MAX;
        if !ids || self.bytes() + more as u64 > self.bytes_max || !self.make_index_room(children.len()) {
            return false;
        }
        // Where the system gave less room than was wanted, it may give no more.
        let given = self.hot.try_reserve(children.len()).is_ok()
            && self.cold.try_reserve(children.len()).is_ok()
            && self.words.try_reserve(words).is_ok();
        if !given {
            self.bytes_max = self.bytes();
            return false;
        }
        let mut keys = std::mem::take(&mut self.keys);
        keys.clear();
        keys.extend(identities.iter().map(|identity| identity.map(|identity| Key::new(identity.key))));
        // Every look-up misses all caches, in the index and then at the node: all are asked for before any is used.
        for key in keys.iter().flatten() {
            self.index.prefetch(*key);
        }
        for node in keys.iter().flatten().filter_map(|key| self.index.likely(*key)) {
            prefetch(&self.hot[node as usize]);
            prefetch(&self.cold[node as usize]);
        }
        let before: Vec<Option<NodeId>> =
            if apart { keys.iter().map(|key| self.find((*key)?)).collect() } else { Vec::new() };
        self.words.push(node);
        let begin = self.words.len();
        for (at, child) in children.iter().enumerate() {
            assert!(child.code <= CODE, "the move code {} is too large", child.code);
            let found = if apart { before[at] } else { keys[at].and_then(|key| self.find(key)) };
            let place = self.words.len();
            let (target, second) = match found {
                None => (self.create(*child, identities[at], keys[at]), false),
                // The youngest edge to a node stands first: is it one of these?
                Some(found) => (found, self.cold[found as usize].parents as usize >= begin),
            };
            let next = if second {
                SECOND
            } else {
                let parents = &mut self.cold[target as usize].parents;
                std::mem::replace(parents, place as u32)
            };
            self.words.extend([target, next, child.code]);
        }
        self.words[begin + 2] |= FIRST;
        let end = self.words.len();
        self.words[end - 1] |= LAST;
        self.hot[node as usize].best = begin as u32;
        self.edges += children.len() as u64;
        self.keys = keys;
        self.remember_peak();
        true
    }

    /// Whether the best edge leads to an open node that is not on the path.
    pub(super) fn best_is_open(&self, node: NodeId) -> bool {
        let child = self.child(self.hot[node as usize].best);
        let Hot { pn, dn, flags, .. } = self.hot[child as usize];
        pn != 0 && dn != 0 && flags & ON_PATH == 0
    }

    /// Forgets the children of a node.
    pub(super) fn make_leaf(&mut self, node: NodeId) {
        self.hot[node as usize].best = NONE;
    }

    /// Writes an edge to another place, with the new number of its child.
    pub(super) fn move_edge(&mut self, from: u32, to: u32, child: NodeId, only: bool) {
        let (from, to) = (from as usize, to as usize);
        let [_, next, code] = [self.words[from], self.words[from + 1], self.words[from + 2]];
        let next = if next == SECOND && !only { SECOND } else { NONE };
        let flags = if only { FIRST | LAST } else { 0 };
        self.words[to..to + 3].copy_from_slice(&[child, next, code | flags]);
    }

    /// Links the edges of a block, whose first one this is, to their children, and says where the block ends.
    pub(super) fn link_block(&mut self, first: u32) -> u32 {
        let end = self.end_of_block(first);
        for edge in (first..end).step_by(3) {
            if !self.is_second(edge) {
                let child = self.child(edge) as usize;
                let next = std::mem::replace(&mut self.cold[child].parents, edge);
                self.words[edge as usize + 1] = next;
            }
        }
        end
    }

    /// Whether there may be nodes where endless play reaches the goal, or where it does not.
    pub(super) fn has_endless(&self, holds: bool) -> bool {
        self.endless[usize::from(holds)]
    }
}

#[cfg(test)]
impl Graph {
    /// Panics if links, keys or numbers are not in order.
    pub(super) fn check(&self) {
        let mut edges_seen = 0;
        let mut lead_to = vec![Vec::new(); self.len()];
        for node in 0..self.len() as NodeId {
            assert!(!self.has(node, MARK), "a mark was left");
            if let Some(key) = self.key(node) {
                assert_eq!(self.find(key), Some(node), "a key is lost, or there twice");
            }
            let edges: Vec<u32> = self.edges_of(node).collect();
            edges_seen += edges.len() as u64;
            let best = self.hot[node as usize].best;
            assert!(edges.is_empty() || edges.contains(&best), "the best edge is another node's");
            for edge in edges {
                assert_eq!(self.owner(edge), node);
                let to = &mut lead_to[self.child(edge) as usize];
                assert_eq!(to.iter().any(|other| self.owner(*other) == node), self.is_second(edge));
                if !self.is_second(edge) {
                    to.push(edge);
                }
            }
            let numbers = self.numbers(node);
            let other = numbers.pn.max(numbers.dn);
            assert_eq!(numbers.is_solved(), other >= PENDING, "numbers {numbers:?}");
            assert!(!numbers.is_solved() || numbers.pn.min(numbers.dn) == 0);
        }
        assert_eq!(edges_seen, self.edges);
        for (node, mut edges) in lead_to.into_iter().enumerate() {
            let mut linked: Vec<u32> = self.edges_to(node as NodeId).collect();
            edges.sort_unstable();
            linked.sort_unstable();
            assert_eq!(linked, edges, "the parents of {node}");
        }
    }
}
