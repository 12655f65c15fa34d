//! From keys to nodes: a hash table of one cache line a bucket, which holds node numbers alone.
//!
//! Keys stay with the nodes. A bucket keeps eight bits of each key beside the number, so that a look-up touches
//! one line of the table, and a node only if it is very likely the right one. When the table is full it is
//! thrown away and built again half as large again: the nodes know their keys, and never are two tables held.

use quod_proof::NodeId;

use crate::pages::{prefer_huge_pages, prefetch};

/// 88 bits of a key of 128. Keys below 2^64 stay different from each other; of 10^8 others, two are taken for one with
/// a probability of 10^-11.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    pub(crate) low: u64,
    /// 24 bits.
    pub(crate) high: u32,
}

impl Key {
    /// Two rounds of a Feistel network mix the halves of a key without losing anything; then 40 bits are dropped.
    pub(crate) fn new(key: u128) -> Self {
        let (low, high) = (key as u64, (key >> 64) as u64);
        let low = mixed(low ^ mixed(high));
        Self { low, high: (mixed(high ^ mixed(low)) >> 40) as u32 }
    }

    /// Puts a key together again from [`Key::halves`] and its upper bits.
    pub(crate) fn of_parts(halves: [u32; 2], high: u32) -> Self {
        Self { low: u64::from(halves[1]) << 32 | u64::from(halves[0]), high }
    }

    /// The lower bits.
    pub(crate) fn halves(self) -> [u32; 2] {
        [self.low as u32, (self.low >> 32) as u32]
    }

    /// What a bucket keeps of it; never zero.
    fn tag(self) -> u8 {
        (self.low as u8).max(1)
    }
}

/// A bijection of 64 bits that spreads every bit over all.
#[inline]
pub(crate) fn mixed(mut bits: u64) -> u64 {
    bits = (bits ^ bits >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    bits = (bits ^ bits >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    bits ^ bits >> 32
}

const WAYS: usize = 12;
/// How many lines are asked for at once.
const BATCH: usize = 16;

#[repr(align(64))]
#[derive(Clone, Copy)]
struct Bucket {
    /// Zero where nothing is; the last four are not used.
    tags: [u8; 16],
    nodes: [NodeId; WAYS],
}

const EMPTY: Bucket = Bucket { tags: [0; 16], nodes: [0; WAYS] };

impl Bucket {
    /// The ways with this tag, one bit each, eight bits apart. All bytes are compared at once: those that are equal become
    /// zero, and a byte is zero if neither it nor its lower seven bits with 127 added have the upper bit.
    #[inline]
    fn ways(&self, tag: u8) -> u128 {
        const LOW: u128 = u128::MAX / 255 * 127;
        let other = u128::from_le_bytes(self.tags) ^ (u128::MAX / 255 * u128::from(tag));
        !(((other & LOW) + LOW) | other | LOW)
    }
}

/// The first of some ways.
fn way(ways: u128) -> usize {
    (ways.trailing_zeros() / 8) as usize
}

pub(crate) struct Index {
    buckets: Vec<Bucket>,
    held: usize,
}

impl Index {
    pub(crate) fn new() -> Self {
        Self::of_size(1)
    }

    /// Whether it holds nothing.
    pub(crate) fn is_empty(&self) -> bool {
        self.held == 0
    }

    /// How many buckets it has.
    pub(crate) fn size(&self) -> usize {
        self.buckets.len()
    }

    pub(crate) fn bytes(&self) -> u64 {
        (self.buckets.len() * size_of::<Bucket>()) as u64
    }

    /// Whether `more` keys fit before it must be built anew.
    pub(crate) fn has_room(&self, more: usize) -> bool {
        self.held + more <= usable(self.buckets.len())
    }

    /// How many buckets the next table has, so that `more` keys fit.
    pub(crate) fn next_size(&self, more: usize) -> usize {
        let mut size = self.buckets.len();
        while self.held + more > usable(size) {
            size += size / 2 + 1;
        }
        size
    }

    /// The bytes of a table of that many buckets.
    pub(crate) fn bytes_of(size: usize) -> u64 {
        (size * size_of::<Bucket>()) as u64
    }

    /// An empty table of that many buckets.
    pub(crate) fn of_size(size: usize) -> Self {
        Self::try_of_size(size).expect("the system gives back what was just freed")
    }

    /// The same, if the system gives so much memory.
    pub(crate) fn try_of_size(size: usize) -> Option<Self> {
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(size).ok()?;
        prefer_huge_pages(&buckets);
        buckets.resize(size, EMPTY);
        Some(Self { buckets, held: 0 })
    }

    /// Inserts many keys, for which there must be room.
    pub(crate) fn insert_all(&mut self, mut keys: impl Iterator<Item = (Key, NodeId)>) {
        let mut batch = Vec::with_capacity(BATCH);
        loop {
            batch.extend(keys.by_ref().take(BATCH));
            if batch.is_empty() {
                return;
            }
            for (key, _) in &batch {
                self.prefetch(*key);
            }
            for (key, node) in batch.drain(..) {
                self.insert(key, node);
            }
        }
    }

    fn home(&self, key: Key) -> usize {
        ((u128::from(key.low) * self.buckets.len() as u128) >> 64) as usize
    }

    /// Asks for the line of a key that will be looked up soon.
    pub(crate) fn prefetch(&self, key: Key) {
        prefetch(&self.buckets[self.home(key)]);
    }

    /// A node that is likely the one under this key, by the first line alone.
    #[inline]
    pub(crate) fn likely(&self, key: Key) -> Option<NodeId> {
        let bucket = &self.buckets[self.home(key)];
        let ways = bucket.ways(key.tag());
        (ways != 0).then(|| bucket.nodes[way(ways)])
    }

    /// The first node under this key that `is_it` takes.
    #[inline]
    pub(crate) fn find(&self, key: Key, is_it: impl Fn(NodeId) -> bool) -> Option<NodeId> {
        let mut at = self.home(key);
        loop {
            let bucket = &self.buckets[at];
            let mut ways = bucket.ways(key.tag());
            while ways != 0 {
                let node = bucket.nodes[way(ways)];
                if is_it(node) {
                    return Some(node);
                }
                ways &= ways - 1;
            }
            if bucket.tags[WAYS - 1] == 0 {
                return None;
            }
            at = (at + 1) % self.buckets.len();
        }
    }

    /// Adds a node; there must be room.
    pub(crate) fn insert(&mut self, key: Key, node: NodeId) {
        let mut at = self.home(key);
        loop {
            let bucket = &mut self.buckets[at];
            if let Some(way) = bucket.tags[..WAYS].iter().position(|tag| *tag == 0) {
                bucket.tags[way] = key.tag();
                bucket.nodes[way] = node;
                self.held += 1;
                return;
            }
            at = (at + 1) % self.buckets.len();
        }
    }
}

/// How many keys a table of this size takes: 85 %, so that few buckets overflow into the next.
fn usable(buckets: usize) -> usize {
    buckets * WAYS * 17 / 20
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_found_again() {
        let mut index = Index::new();
        let keys: Vec<Key> = (0..100_000u128).map(|key| Key::new((key * key) << (key % 60))).collect();
        for (node, key) in (0..).zip(&keys) {
            if !index.has_room(1) {
                index = Index::of_size(index.next_size(1));
                index.insert_all((0..node).map(|node| (keys[node as usize], node)));
            }
            index.insert(*key, node);
        }
        for (node, key) in (0..).zip(&keys) {
            let found = index.find(*key, |node| keys[node as usize] == *key);
            assert!(found.is_some_and(|found| keys[found as usize] == *key && found <= node));
        }
        assert_eq!(index.find(Key::new(u128::MAX), |node| keys[node as usize] == Key::new(u128::MAX)), None);
    }

    #[test]
    fn keys_of_64_bits_stay_different() {
        let mut seen = std::collections::HashSet::new();
        assert!((0..1_000_000u128).all(|key| seen.insert(Key::new(key).low)));
    }
}
