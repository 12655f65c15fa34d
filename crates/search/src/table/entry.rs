//! What one entry says, and how it is packed into eight bytes.
//!
//! Beside these eight stand eight of key. Numbers and work are rounded up to a few leading bits: numbers are rounded before
//! anybody compares them ([`rounded`]), so that what a search sees and what it finds again in the table are the same.

use super::Key;

/// What is known of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    /// Proof and disproof number for one question.
    Open(Open),
    /// What is proven and refuted, whatever path leads there.
    Fact(Fact),
    /// The answer to one question under one path.
    Path(UnderPath),
}

/// An unsolved place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Open {
    pub(crate) pn: u64,
    pub(crate) dn: u64,
    /// The smallest distance from the root that it was met at.
    pub(crate) depth: u32,
    /// How many expansions it took, at the most.
    pub(crate) work: u64,
}

/// Two bounds on the value of a place, in numbers of questions: question q is "at least the q-th value?".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fact {
    /// The largest question that is answered with yes; zero if there is none.
    pub(crate) proven: u16,
    /// The smallest question that is answered with no; [`NOT_REFUTED`] if there is none.
    pub(crate) refuted: u16,
    /// In how many moves at the most the claim is reached, where endless play would fail it.
    pub(crate) rank: u16,
}

/// An answer that leans on repetitions of places of the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct UnderPath {
    pub(crate) holds: bool,
    /// The depth of the highest of those places.
    pub(crate) low: u32,
}

/// No question is answered with no. Questions are smaller.
pub(crate) const NOT_REFUTED: u16 = (1 << NUMBER_BITS) - 1;
/// Ranks and depths from here on are not told apart.
pub(crate) const RANK_MOST: u16 = (1 << RANK_BITS) - 1;
/// The largest finite number; sums stop here.
pub(crate) const MOST: u64 = 1 << 60;
/// The other number of a solved place.
pub(crate) const INFINITE: u64 = u64::MAX;

const KIND_BITS: u32 = 2;
const WORK_BITS: u32 = 8;
const NUMBER_BITS: u32 = 14;
const RANK_BITS: u32 = 12;
/// Bits of the key that say where an entry goes when the table grows.
pub(crate) const PLACE_BITS: u32 = 64 - KIND_BITS - WORK_BITS - 2 * NUMBER_BITS - RANK_BITS;

const WORK_AT: u32 = KIND_BITS;
const X_AT: u32 = WORK_AT + WORK_BITS;
const Y_AT: u32 = X_AT + NUMBER_BITS;
const RANK_AT: u32 = Y_AT + NUMBER_BITS;
const PLACE_AT: u32 = RANK_AT + RANK_BITS;

const OPEN: u64 = 1;
const FACT: u64 = 2;
const PATH: u64 = 3;

/// Leading bits of a number that are kept beside the first.
const NUMBER_FRACTION: u32 = 8;
const WORK_FRACTION: u32 = 2;

/// A fact takes as much to find again as this many expansions more: it is never a guess.
const FACT_BONUS: u64 = 1000;

/// A number as a power of two with a few bits behind the point, rounded up. Larger numbers have larger codes.
#[inline]
fn code(number: u64, fraction: u32) -> u64 {
    let small = 1 << (fraction + 1);
    if number < small {
        return number;
    }
    let shift = 63 - number.leading_zeros() - fraction;
    // Rounding up may carry into the next power, whose code follows.
    let mantissa = (number >> shift) + u64::from(number & ((1 << shift) - 1) != 0);
    (u64::from(shift) << fraction) + mantissa
}

#[inline]
fn decoded(code: u64, fraction: u32) -> u64 {
    let small = 1 << (fraction + 1);
    if code < small {
        return code;
    }
    let shift = (code >> fraction) - 1;
    (code - (shift << fraction)) << shift
}

/// A finite number as the table keeps it: not smaller, and larger by less than half a hundredth.
#[inline]
pub(crate) fn rounded(number: u64) -> u64 {
    decoded(code(number.min(MOST), NUMBER_FRACTION), NUMBER_FRACTION)
}

fn field(word: u64, at: u32, bits: u32) -> u64 {
    word >> at & ((1 << bits) - 1)
}

/// The work that a packed entry stands for, as a code that grows with it.
#[inline]
pub(crate) fn work_code(word: u64) -> u64 {
    field(word, WORK_AT, WORK_BITS)
}

/// Whether a packed entry is a fact.
#[inline]
pub(crate) fn is_fact(word: u64) -> bool {
    word & 3 == FACT
}

#[inline]
pub(crate) fn place_of(word: u64) -> u64 {
    word >> PLACE_AT
}

impl Entry {
    /// Eight bytes, never zero.
    #[inline]
    pub(crate) fn packed(self, key: Key, work: u64) -> u64 {
        let (kind, work, x, y, rank) = match self {
            Self::Open(Open { pn, dn, depth, .. }) => {
                (OPEN, work, code(pn, NUMBER_FRACTION), code(dn, NUMBER_FRACTION), u64::from(depth))
            }
            Self::Fact(Fact { proven, refuted, rank }) => {
                (FACT, work + FACT_BONUS, proven.into(), refuted.into(), rank.into())
            }
            Self::Path(UnderPath { holds, low }) => {
                (PATH, work, holds.into(), u64::from(low).min(u64::from(NOT_REFUTED)), 0)
            }
        };
        let rank = rank.min(u64::from(RANK_MOST));
        kind | code(work.min(1 << 60), WORK_FRACTION) << WORK_AT
            | x << X_AT
            | y << Y_AT
            | rank << RANK_AT
            | key.growth() << PLACE_AT
    }

    #[inline]
    pub(crate) fn unpacked(word: u64) -> Self {
        let (x, y) = (field(word, X_AT, NUMBER_BITS), field(word, Y_AT, NUMBER_BITS));
        let rank = field(word, RANK_AT, RANK_BITS);
        match word & 3 {
            OPEN => Self::Open(Open {
                pn: decoded(x, NUMBER_FRACTION),
                dn: decoded(y, NUMBER_FRACTION),
                depth: rank as u32,
                work: decoded(work_code(word), WORK_FRACTION),
            }),
            FACT => Self::Fact(Fact { proven: x as u16, refuted: y as u16, rank: rank as u16 }),
            _ => Self::Path(UnderPath { holds: x != 0, low: y as u32 }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_rounded_up_a_little_and_stay_in_order() {
        let mut last = 0;
        let numbers = (0..5_000).chain((13..60).flat_map(|power| {
            let two = 1u64 << power;
            [two - 1, two, two + 1, two + two / 3, two + two / 2]
        }));
        for number in numbers.chain([MOST - 1, MOST]) {
            let kept = rounded(number);
            assert!(kept >= number && kept - number <= number / 256, "{number} became {kept}");
            assert!(kept >= last && rounded(kept) == kept, "{last} {number} {kept}");
            last = kept;
        }
        assert_eq!(rounded(u64::MAX - 1), MOST);
        assert!(code(MOST, NUMBER_FRACTION) < 1 << NUMBER_BITS);
        assert!(code(1 << 60, WORK_FRACTION) < 1 << WORK_BITS);
    }

    #[test]
    fn entries_are_what_they_were() {
        let key = Key::new(77 << 70);
        for entry in [
            Entry::Open(Open { pn: 1, dn: MOST, depth: 4095, work: 12 }),
            Entry::Open(Open { pn: rounded(12_345), dn: 511, depth: 0, work: 12 }),
            Entry::Fact(Fact { proven: 0, refuted: NOT_REFUTED, rank: RANK_MOST }),
            Entry::Fact(Fact { proven: 16_382, refuted: 1, rank: 3 }),
            Entry::Path(UnderPath { holds: true, low: 0 }),
            Entry::Path(UnderPath { holds: false, low: 16_000 }),
        ] {
            let word = entry.packed(key, 12);
            assert_eq!((Entry::unpacked(word), place_of(word)), (entry, key.growth()));
            assert_ne!(word, 0);
        }
    }
}
