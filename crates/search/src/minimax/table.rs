//! The transposition table of alpha-beta search.
//!
//! As published (Allis et al. 1994, section 6.3): one entry for each place of the table, the full code of the position in it, and the
//! deeper search stays. What an entry holds is not published; ours holds what is proven, and within what the two values of a
//! search to some depth lie. The modern form has buckets of four, lets what took least work go, and remembers the best move.

use quod_model::Relative;

use super::frame::Outlook;

/// Which table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TableKind {
    /// One entry for each place, the deeper search stays.
    Published,
    /// Buckets of four, what took least work goes, the best move is searched first.
    #[default]
    Modern,
}

/// A transposition table that is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableOptions {
    /// How it replaces.
    pub kind: TableKind,
    /// How many positions it holds.
    pub entries: u64,
}

impl Default for TableOptions {
    /// A quarter million entries, as published.
    fn default() -> Self {
        Self { kind: TableKind::default(), entries: 1 << 18 }
    }
}

#[derive(Clone, Copy)]
pub(super) struct Entry {
    pub(super) key: u128,
    /// What is proven of the value.
    pub(super) bounds: (Relative, Relative),
    /// Where the values of a search of that depth lie beside that: the pessimistic one is at most, the optimistic one at least.
    pub(super) pessimistic_most: Relative,
    pub(super) optimistic_least: Relative,
    pub(super) depth: u32,
    /// No entry is there if it is 0.
    pub(super) work: u32,
    pub(super) best: Option<u32>,
}

const BUCKET: usize = 4;

pub(super) struct Table {
    kind: TableKind,
    pub(super) entries: Vec<Entry>,
    filled: u64,
}

impl Table {
    /// As many entries as wanted, or as fit.
    pub(super) fn new(options: TableOptions, bytes_max: u64) -> Self {
        let fitting = bytes_max / size_of::<Entry>() as u64;
        let mut count = usize::try_from(options.entries.min(fitting)).unwrap_or(usize::MAX);
        if options.kind == TableKind::Modern && count > BUCKET {
            count -= count % BUCKET;
        }
        let nothing = Relative(0);
        let empty = Entry {
            key: 0,
            bounds: (nothing, nothing),
            pessimistic_most: nothing,
            optimistic_least: nothing,
            depth: 0,
            work: 0,
            best: None,
        };
        Self { kind: options.kind, entries: vec![empty; count], filled: 0 }
    }

    pub(super) fn bytes(&self) -> u64 {
        (self.entries.len() * size_of::<Entry>()) as u64
    }

    /// How many entries are in use, and how many there are.
    pub(super) fn filling(&self) -> (u64, u64) {
        (self.filled, self.entries.len() as u64)
    }

    /// Where a position can be.
    fn places(&self, key: u128) -> std::ops::Range<usize> {
        // Fibonacci hashing: keys may be codes that count up.
        let mixed = (key ^ (key >> 64)) as u64;
        let mixed = mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let size = if self.kind == TableKind::Modern { BUCKET.min(self.entries.len()) } else { 1 };
        let buckets = self.entries.len() / size.max(1);
        let bucket = ((u128::from(mixed) * buckets as u128) >> 64) as usize;
        bucket * size..((bucket + 1) * size).min(self.entries.len())
    }

    pub(super) fn find(&self, key: u128) -> Option<&Entry> {
        self.entries[self.places(key)].iter().find(|entry| entry.work > 0 && entry.key == key)
    }

    /// The best move of a position, where that is kept.
    pub(super) fn best(&self, key: u128) -> Option<u32> {
        if self.kind == TableKind::Modern { self.find(key)?.best } else { None }
    }

    pub(super) fn put(&mut self, mut entry: Entry) {
        entry.work = entry.work.max(1);
        let places = self.places(entry.key);
        let bucket = &mut self.entries[places];
        let known = bucket.iter_mut().find(|other| other.work > 0 && other.key == entry.key);
        let place = match known {
            Some(known) => {
                entry.bounds = (entry.bounds.0.max(known.bounds.0), entry.bounds.1.min(known.bounds.1));
                entry.best = entry.best.or(known.best);
                Some(known)
            }
            // An empty entry has done no work and is the first to go.
            None => bucket.iter_mut().min_by_key(|entry| entry.work),
        };
        let Some(place) = place else { return };
        let collides = place.work > 0 && place.key != entry.key;
        if self.kind == TableKind::Published && collides && place.depth > entry.depth {
            return;
        }
        self.filled += u64::from(place.work == 0);
        *place = entry;
    }
}

impl Entry {
    /// What it says of a search of this depth. Deeper searches say it too: both values come nearer to each other with every ply.
    pub(super) fn outlook(&self, depth: u32, bounds: (Relative, Relative)) -> Outlook {
        let (lower, upper) = (self.bounds.0.max(bounds.0), self.bounds.1.min(bounds.1));
        if self.depth < depth {
            return Outlook::within((lower, upper));
        }
        Outlook {
            pessimistic: (lower, self.pessimistic_most.clamp(lower, upper)),
            optimistic: (self.optimistic_least.clamp(lower, upper), upper),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(key: u128, depth: u32, work: u32) -> Entry {
        let value = Relative(0);
        Entry {
            key,
            bounds: (value, value),
            pessimistic_most: value,
            optimistic_least: value,
            depth,
            work,
            best: None,
        }
    }

    fn kept(kind: TableKind, entries: u64, put: &[Entry]) -> Vec<u128> {
        let mut table = Table::new(TableOptions { kind, entries }, 1 << 20);
        put.iter().for_each(|entry| table.put(*entry));
        put.iter().map(|entry| entry.key).filter(|key| table.find(*key).is_some()).collect()
    }

    #[test]
    fn the_deeper_search_stays_as_published() {
        assert_eq!(kept(TableKind::Published, 1, &[entry(1, 5, 1), entry(2, 4, 9)]), [1]);
        assert_eq!(kept(TableKind::Published, 1, &[entry(1, 5, 9), entry(2, 5, 1)]), [2]);
    }

    #[test]
    fn what_took_least_work_goes() {
        let put: Vec<Entry> = (1..=5).map(|key| entry(key, 1, if key == 3 { 1 } else { 9 })).collect();
        assert_eq!(kept(TableKind::Modern, 4, &put), [1, 2, 4, 5]);
    }

    #[test]
    fn a_table_is_as_large_as_fits() {
        let size = |bytes| Table::new(TableOptions::default(), bytes).filling().1;
        assert_eq!((size(u64::MAX), size(100 * size_of::<Entry>() as u64), size(0)), (1 << 18, 100, 0));
    }
}
