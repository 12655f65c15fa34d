//! A table of fixed size for searches that forget: which is kept when room is short, and how threads share it.
//!
//! An entry takes sixteen bytes, four of them a cache line, which is a bucket. Its first word is the exclusive or of 64 bits of
//! key with the second, so that words of two entries that threads have written at once fit no key and count for
//! nothing. The bucket comes from other bits of the key: two places are taken for one only if more than 64 bits agree, and
//! never if their keys are below 2^64.
//!
//! The table begins small, so that small searches stay in the caches and touch little memory, and doubles in place when it is
//! half full, up to its limit. From then on the entry with the least work behind it makes room for a new one; and when nearly
//! everything is full, entries with little work go all at once, so that old large ones do not crowd out the present (Nagai's
//! SmallTreeGC).

mod entry;

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};

pub(crate) use entry::{
    Entry, Fact, INFINITE, MOST, NOT_REFUTED, Open, PLACE_BITS, RANK_MOST, UnderPath, rounded,
};

use quod_checkpoint::{Failure, Reader, State, Writer};

use crate::index::mixed;
use crate::pages::{Zeroed, Zeros, prefetch};
use crate::saved::Restore;
use entry::{is_fact, place_of, work_code};

/// What a place is known by in a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Key {
    /// What an entry keeps. Different for different keys below 2^64.
    check: u64,
    /// Where it goes.
    home: u64,
}

impl Key {
    /// The halves of a key mixed with each other, without losing anything.
    #[inline]
    pub(crate) fn new(key: u128) -> Self {
        let (low, high) = (key as u64, (key >> 64) as u64);
        let check = mixed(low ^ mixed(high));
        Self { check, home: mixed(high ^ mixed(check)) }
    }

    /// Where ways begin that lead from nothing known: no key of a place, as far from those below 2^64 as from others.
    pub(crate) const NOWHERE: Self = Self { check: 0x9e37_79b9_7f4a_7c15, home: 0xd1b5_4a32_d192_ed03 };

    /// The key of what a step with a number leads to from here, for places that are known by the way to them.
    #[inline]
    pub(crate) fn then(self, step: u64) -> Self {
        Self::new(u128::from(self.home.rotate_left(17) ^ step) << 64 | u128::from(self.check))
    }

    /// The bits that decide where its entry goes when the table grows.
    #[inline]
    fn growth(self) -> u64 {
        self.home & ((1 << PLACE_BITS) - 1)
    }

    /// Both halves, to be written.
    pub(crate) fn halves(self) -> [u64; 2] {
        [self.check, self.home]
    }

    /// Puts a key together again from its halves.
    pub(crate) fn of_halves([check, home]: [u64; 2]) -> Self {
        Self { check, home }
    }

    /// What an entry keeps of it.
    #[inline]
    pub(crate) fn check(self) -> u64 {
        self.check
    }

    /// A few bits, as many as a rank has: positions behind the moves of one place hardly share them.
    #[inline]
    pub(crate) fn tag(self) -> u16 {
        self.check as u16 & RANK_MOST
    }

    /// Some bits, for tables of other things.
    #[inline]
    pub(crate) fn bits(self) -> u32 {
        (self.home >> 20) as u32
    }

    /// The key under which the numbers for one question are kept; facts have the key itself.
    #[inline]
    fn asked(self, question: u16) -> u64 {
        self.check ^ u64::from(question).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

/// The largest number of a question.
pub const QUESTION_MOST: u16 = NOT_REFUTED - 1;

const WAYS: usize = 4;

/// One cache line.
#[repr(align(64))]
struct Bucket([[AtomicU64; 2]; WAYS]);

// SAFETY: a bucket is made of atomic words alone, for which zero is a value.
#[allow(unsafe_code)]
unsafe impl Zeroed for Bucket {}

/// The bytes of a bucket.
pub(crate) const BUCKET_BYTES: u64 = size_of::<Bucket>() as u64;

impl Bucket {
    #[inline]
    fn read(&self, way: usize) -> (u64, u64) {
        let [check, word] = &self.0[way];
        let word = word.load(Relaxed);
        (check.load(Relaxed) ^ word, word)
    }

    #[inline]
    fn write(&self, way: usize, check: u64, word: u64) {
        self.0[way][0].store(check ^ word, Relaxed);
        self.0[way][1].store(word, Relaxed);
    }

    fn clear(&self, way: usize) {
        self.0[way][0].store(0, Relaxed);
        self.0[way][1].store(0, Relaxed);
    }
}

/// What a table says about a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    /// Nothing.
    Nothing,
    /// Not answered yet.
    Open(Open),
    /// Answered, with its rank.
    Answer(bool, u16),
}

pub(crate) struct Table {
    buckets: Zeros<Bucket>,
    /// Buckets of the first size.
    first: usize,
    /// How often it has doubled since.
    doublings: u32,
    /// How often it may.
    doublings_max: u32,
    /// How many entries are in use: kept by those who store, some of whom may be a little late.
    filled: AtomicI64,
    /// The next bucket to sweep, and the largest work that goes: one above the last if nothing is swept.
    sweep: AtomicU64,
    sweep_work: AtomicU64,
}

impl Table {
    /// A table of so many bytes at the most; at least one bucket.
    pub(crate) fn new(bytes_max: u64) -> Self {
        /// The first size, a megabyte or a little less: what fits into caches.
        const FIRST_BUCKETS: usize = 1 << 14;
        // Where the system gives less, the table is smaller.
        let buckets: Zeros<Bucket> = Zeros::new((bytes_max / BUCKET_BYTES).max(1) as usize);
        let mut doublings_max = 0;
        while buckets.len() >> doublings_max > FIRST_BUCKETS && doublings_max < PLACE_BITS {
            doublings_max += 1;
        }
        let first = buckets.len() >> doublings_max;
        let (filled, sweep, sweep_work) = (AtomicI64::new(0), AtomicU64::new(u64::MAX), AtomicU64::new(0));
        Self { buckets, first, doublings: 0, doublings_max, filled, sweep, sweep_work }
    }

    /// The buckets in use.
    fn len(&self) -> usize {
        self.first << self.doublings
    }

    /// The bytes in use.
    pub(crate) fn bytes(&self) -> u64 {
        self.len() as u64 * BUCKET_BYTES
    }

    /// The entries in use, and those that there are.
    pub(crate) fn fill(&self) -> (u64, u64) {
        let places = (self.len() * WAYS) as u64;
        (self.filled().min(places), places)
    }

    fn filled(&self) -> u64 {
        self.filled.load(Relaxed).max(0) as u64
    }

    /// Counts entries that have come and gone, as storing and forgetting say.
    #[inline]
    pub(crate) fn count(&self, entries: i64) {
        self.filled.fetch_add(entries, Relaxed);
    }

    #[inline]
    fn home(&self, key: Key) -> usize {
        let base = ((u128::from(key.home) * self.first as u128) >> 64) as usize;
        base << self.doublings | (key.growth() >> (PLACE_BITS - self.doublings)) as usize
    }

    /// Asks for the line of a key that will be looked up soon.
    #[inline]
    pub(crate) fn prefetch(&self, key: Key) {
        prefetch(&self.buckets[self.home(key)]);
    }

    /// What is known of a place for a question.
    #[inline]
    pub(crate) fn probe(&self, key: Key, question: u16) -> Seen {
        let bucket = &self.buckets[self.home(key)];
        let asked = key.asked(question);
        let mut seen = Seen::Nothing;
        for way in 0..WAYS {
            let (check, word) = bucket.read(way);
            if check == key.check && is_fact(word) {
                if let Entry::Fact(fact) = Entry::unpacked(word) {
                    if question <= fact.proven {
                        return Seen::Answer(true, fact.rank);
                    }
                    if question >= fact.refuted {
                        return Seen::Answer(false, fact.rank);
                    }
                }
            } else if check == asked
                && let Entry::Open(open) = Entry::unpacked(word)
            {
                seen = Seen::Open(open);
            }
        }
        seen
    }

    /// Both bounds of a place.
    pub(crate) fn fact(&self, key: Key) -> Option<Fact> {
        let bucket = &self.buckets[self.home(key)];
        (0..WAYS).find_map(|way| match bucket.read(way) {
            (check, word) if check == key.check && is_fact(word) => match Entry::unpacked(word) {
                Entry::Fact(fact) => Some(fact),
                _ => None,
            },
            _ => None,
        })
    }

    /// What is known of a path.
    #[inline]
    pub(crate) fn under_path(&self, key: Key) -> Option<UnderPath> {
        let bucket = &self.buckets[self.home(key)];
        (0..WAYS).find_map(|way| match bucket.read(way) {
            (check, word) if check == key.check && word != 0 => match Entry::unpacked(word) {
                Entry::Path(path) => Some(path),
                _ => None,
            },
            _ => None,
        })
    }

    /// Stores the numbers of a place for a question. Like everything that changes the table it says how many entries more are
    /// in use.
    pub(crate) fn store_open(&self, key: Key, question: u16, open: Open) -> i64 {
        let bucket = &self.buckets[self.home(key)];
        let check = key.asked(question);
        let (way, more) = self.way_for(bucket, |other, word| other == check && !is_fact(word));
        bucket.write(way, check, Entry::Open(open).packed(key, open.work));
        more
    }

    /// Stores the answer to a question, with what was known of others. Numbers for the question are not needed any more.
    pub(crate) fn store_answer(&self, key: Key, question: u16, holds: bool, rank: u16, work: u64) -> i64 {
        let bucket = &self.buckets[self.home(key)];
        let asked = key.asked(question);
        let old = self.fact(key).unwrap_or(Fact { proven: 0, refuted: NOT_REFUTED, rank: 0 });
        let one_sided = if holds { old.refuted == NOT_REFUTED } else { old.proven == 0 };
        let known = question <= old.proven || question >= old.refuted;
        let same = question == if holds { old.proven } else { old.refuted };
        let fact = Fact {
            proven: if holds { old.proven.max(question) } else { old.proven },
            refuted: if holds { old.refuted } else { old.refuted.min(question) },
            rank: match (known, one_sided) {
                (true, true) if same => old.rank.min(rank),
                // It is the rank of what is known, which says more.
                (true, _) => old.rank,
                (false, true) => rank,
                // One rank stands for both sides: the larger is right for each.
                (false, false) => old.rank.max(rank),
            },
        };
        let fewer = forget(bucket, |check, word| check == asked && !is_fact(word));
        let (way, more) = self.way_for(bucket, |check, word| check == key.check && is_fact(word));
        bucket.write(way, key.check, Entry::Fact(fact).packed(key, work));
        more + fewer
    }

    /// Stores bounds, together with those that were known. In a search that needs no ranks, the rank can be anything.
    #[inline]
    pub(crate) fn store_bounds(&self, key: Key, fact: Fact, work: u64) -> i64 {
        let bucket = &self.buckets[self.home(key)];
        let old = self.fact(key).unwrap_or(Fact { proven: 0, refuted: NOT_REFUTED, rank: 0 });
        let (proven, refuted) = (fact.proven.max(old.proven), fact.refuted.min(old.refuted));
        let (way, more) = self.way_for(bucket, |check, word| check == key.check && is_fact(word));
        bucket.write(way, key.check, Entry::Fact(Fact { proven, refuted, ..fact }).packed(key, work));
        more
    }

    /// Stores the answer under a path.
    pub(crate) fn store_path(&self, key: Key, path: UnderPath, work: u64) -> i64 {
        let bucket = &self.buckets[self.home(key)];
        let (way, more) = self.way_for(bucket, |check, word| check == key.check && word != 0);
        bucket.write(way, key.check, Entry::Path(path).packed(key, work));
        more
    }

    /// Forgets the numbers of a place for a question.
    pub(crate) fn forget_open(&self, key: Key, question: u16) -> i64 {
        let asked = key.asked(question);
        forget(&self.buckets[self.home(key)], |check, word| check == asked && !is_fact(word))
    }

    /// Where a new entry goes: to its older self, to a free place, or to the one with the least work. Also says how many
    /// entries more there are then.
    #[inline]
    fn way_for(&self, bucket: &Bucket, is_it: impl Fn(u64, u64) -> bool) -> (usize, i64) {
        let (mut least, mut way) = (u64::MAX, 0);
        for at in 0..WAYS {
            let (check, word) = bucket.read(at);
            if word == 0 {
                if least > 0 {
                    (least, way) = (0, at);
                }
            } else if is_it(check, word) {
                return (at, 0);
            } else if work_code(word) + 1 < least {
                (least, way) = (work_code(word) + 1, at);
            }
        }
        (way, i64::from(least == 0))
    }

    /// Whether it is time to [`Table::grow`].
    #[inline]
    pub(crate) fn wants_to_grow(&self) -> bool {
        self.doublings < self.doublings_max && self.filled() * 2 > (self.len() * WAYS) as u64
    }

    /// Doubles it in place, from the last bucket down: what was in one bucket goes to two that lie at or above it.
    pub(crate) fn grow(&mut self) {
        let old = self.len();
        self.doublings += 1;
        let shift = PLACE_BITS - self.doublings;
        for from in (0..old).rev() {
            let entries: [(u64, u64); WAYS] = std::array::from_fn(|way| self.buckets[from].read(way));
            for way in 0..WAYS {
                self.buckets[from].clear(way);
            }
            let mut held = [0; 2];
            for (check, word) in entries {
                if word != 0 {
                    let half = (place_of(word) >> shift & 1) as usize;
                    self.buckets[2 * from + half].write(held[half], check, word);
                    held[half] += 1;
                }
            }
        }
    }

    /// Whether small entries should go.
    pub(crate) fn wants_to_sweep(&self) -> bool {
        let (filled, places) = self.fill();
        self.doublings == self.doublings_max
            && self.sweep.load(Relaxed) >= self.len() as u64
            && places > SAMPLE
            && filled > places - places / 16
    }

    /// Begins to remove entries with little work: as much as a sample says that less than half of them have.
    pub(crate) fn begin_sweep(&self) {
        let stride = (self.len() / SAMPLE as usize).max(1);
        let mut works: Vec<u64> = self
            .buckets
            .iter()
            .take(self.len())
            .step_by(stride)
            .enumerate()
            .map(|(number, bucket)| work_code(bucket.read(number % WAYS).1))
            .collect();
        works.sort_unstable();
        // Threads that count at the same time may be wrong by a few: the sample puts it right.
        let free = works.partition_point(|work| *work == 0) as u64;
        let (_, places) = self.fill();
        self.filled.store((places - places * free / works.len() as u64) as i64, Relaxed);
        let median = works[works.len() / 2];
        // Many may have the same: a pass that removes little leaves it to replacement.
        self.sweep_work.store(median.saturating_sub(1), Relaxed);
        self.sweep.store(0, Relaxed);
    }

    /// Sweeps some buckets, if a sweep is under way.
    #[inline]
    pub(crate) fn sweep_some(&self) {
        const BUCKETS: u64 = 64;
        if self.sweep.load(Relaxed) < self.len() as u64 {
            let begin = self.sweep.fetch_add(BUCKETS, Relaxed);
            let most = self.sweep_work.load(Relaxed);
            let swept = begin..(begin + BUCKETS).min(self.len() as u64);
            self.count(
                swept.map(|at| forget(&self.buckets[at as usize], |_, word| work_code(word) <= most)).sum(),
            );
        }
    }
}

/// Words that are written or read at a time.
const ROUND: usize = 1 << 14;

/// Threads may go on storing while it is written: an entry whose halves do not belong together counts for nothing.
impl State for Table {
    fn write(&self, to: &mut Writer<'_>) -> std::io::Result<()> {
        to.item([self.first as u64, u64::from(self.doublings), self.sweep.load(Relaxed)])?;
        to.item(self.sweep_work.load(Relaxed))?;
        to.item(self.filled.load(Relaxed))?;
        let mut words = Vec::with_capacity(ROUND);
        for buckets in self.buckets[..self.len()].chunks(ROUND / (2 * WAYS)) {
            words.clear();
            let entries = buckets.iter().flat_map(|bucket| bucket.0.as_flattened());
            words.extend(entries.map(|word| word.load(Relaxed)));
            to.items(&words)?;
        }
        Ok(())
    }
}

impl Restore for Table {
    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Failure> {
        let [first, doublings, sweep] = from.item()?;
        let (sweep_work, filled) = (from.item()?, from.item::<i64>()?);
        if first != self.first as u64 || doublings > u64::from(self.doublings_max) {
            return Err(Failure::unfit("its table has another size: the memory limit must be the same"));
        }
        self.doublings = doublings as u32;
        // What is swept next is counted on from here.
        self.sweep = AtomicU64::new(if sweep > self.len() as u64 { u64::MAX } else { sweep });
        self.sweep_work = AtomicU64::new(sweep_work);
        let places = (self.len() * WAYS) as i64;
        self.filled = AtomicI64::new(filled.clamp(-places, 2 * places));
        let mut words = Vec::with_capacity(ROUND);
        for buckets in self.buckets[..self.len()].chunks(ROUND / (2 * WAYS)) {
            from.items_into(&mut words, buckets.len() * 2 * WAYS)?;
            if words.len() != buckets.len() * 2 * WAYS {
                return Err(Failure::damaged("a part of its table is missing"));
            }
            let places = buckets.iter().flat_map(|bucket| bucket.0.as_flattened());
            places.zip(&words).for_each(|(place, word)| place.store(*word, Relaxed));
        }
        Ok(())
    }
}

fn forget(bucket: &Bucket, is_it: impl Fn(u64, u64) -> bool) -> i64 {
    let mut fewer = 0;
    for way in 0..WAYS {
        let (check, word) = bucket.read(way);
        if word != 0 && is_it(check, word) {
            bucket.clear(way);
            fewer -= 1;
        }
    }
    fewer
}

/// How many entries are looked at to know which are small.
const SAMPLE: u64 = 20_000;

#[cfg(test)]
mod tests;
