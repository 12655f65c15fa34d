//! Which node has which key, where equal places are one.

use std::ops::Range;

use quod_proof::NodeId;

use crate::index::{Index, Key};
use crate::saved::Marks;
use quod_checkpoint::{Failure, Reader, Writer};

/// In the place of a key's upper bits: the node is not joined.
const UNJOINED: u32 = u32::MAX;

/// What a node's key takes, without its place in the index.
pub(super) const KEY_BYTES: usize = size_of::<[u32; 3]>();

pub(super) struct Keys {
    /// 88 bits of each node's key.
    keys: Vec<[u32; 3]>,
    index: Index,
}

impl Keys {
    /// Those of a single root, which is not joined.
    pub(super) fn new() -> Self {
        Self { keys: vec![[0, 0, UNJOINED]], index: Index::new() }
    }

    pub(super) fn bytes(&self) -> u64 {
        (self.keys.len() * KEY_BYTES) as u64 + self.index.bytes()
    }

    pub(super) fn find(&self, key: Key) -> Option<NodeId> {
        self.index.find(key, |node| self.key(node) == Some(key))
    }

    /// Asks for what a key will be looked up by soon.
    pub(super) fn prefetch(&self, key: Key) {
        self.index.prefetch(key);
    }

    fn key(&self, node: NodeId) -> Option<Key> {
        let [a, b, high] = self.keys[node as usize];
        (high != UNJOINED).then(|| Key::of_parts([a, b], high))
    }

    /// Gives a node its key. There must be room in the index.
    pub(super) fn set(&mut self, node: NodeId, key: Option<Key>) {
        let [a, b] = key.map_or([0; 2], Key::halves);
        let stored = [a, b, key.map_or(UNJOINED, |key| key.high)];
        match self.keys.get_mut(node as usize) {
            Some(place) => *place = stored,
            None => self.keys.push(stored),
        }
        if let Some(key) = key {
            self.index.insert(key, node);
        }
    }

    /// Whether `more` keys find room in the index.
    pub(super) fn has_room(&self, more: usize) -> bool {
        self.index.has_room(more)
    }

    /// How many bytes more an index takes that has room for `more` keys beside those that are there.
    pub(super) fn growth(&self, more: usize) -> u64 {
        Index::bytes_of(self.index.next_size(more)) - self.index.bytes()
    }

    /// Makes room for the key of one node more; false if the system gives none.
    pub(super) fn make_room(&mut self) -> bool {
        self.keys.try_reserve(1).is_ok()
    }

    /// Begins a larger index, empty, with room for `more` keys beside those that are there. False if the system gives no memory for it:
    /// then it is as large as before, and empty too.
    pub(super) fn begin_larger(&mut self, more: usize) -> bool {
        let (old, size) = (self.index.size(), self.index.next_size(more));
        // Two are never held at once.
        self.index = Index::new();
        let larger = Index::try_of_size(size);
        let begun = larger.is_some();
        self.index = larger.unwrap_or_else(|| Index::of_size(old));
        begun
    }

    /// Begins an index, empty, with room for so many keys.
    pub(super) fn begin(&mut self, count: usize) {
        self.index = Index::new();
        self.index = Index::of_size(self.index.next_size(count));
    }

    /// Puts those of some nodes that are in use into the index, which has room for them.
    pub(super) fn fill(&mut self, nodes: Range<NodeId>, is_free: impl Fn(NodeId) -> bool) {
        let used = nodes.filter(|node| !is_free(*node));
        let keys = &self.keys;
        let joined = used.filter_map(|node| {
            let [a, b, high] = keys[node as usize];
            (high != UNJOINED).then(|| (Key::of_parts([a, b], high), node))
        });
        self.index.insert_all(joined);
    }
}

impl Keys {
    pub(super) fn save(&self, to: &mut Writer<'_>) -> std::io::Result<()> {
        to.items(&self.keys)?;
        to.item(self.index.size() as u64)
    }

    /// Takes back the keys of so many nodes, and begins an index as large as it was, empty.
    pub(super) fn restore(
        &mut self,
        nodes: usize,
        free: &Marks,
        from: &mut Reader<'_>,
    ) -> Result<(), Failure> {
        from.items_into(&mut self.keys, nodes)?;
        let size = from.item::<u64>()?;
        let size = usize::try_from(size).ok().filter(|size| (1..=nodes + 2).contains(size));
        let (Some(size), true) = (size, self.keys.len() == nodes) else {
            return Err(Failure::damaged("its keys are lost"));
        };
        self.index = Index::new();
        let index = Index::try_of_size(size);
        self.index = index.ok_or_else(|| Failure::unfit("there is no memory for its index"))?;
        let keys = self.keys.iter().enumerate();
        let joined = keys.filter(|(node, key)| key[2] != UNJOINED && !free.has(*node)).count();
        if self.index.has_room(joined) { Ok(()) } else { Err(Failure::damaged("its index is too small")) }
    }
}
