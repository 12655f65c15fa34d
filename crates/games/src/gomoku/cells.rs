//! Sets of cells of a padded board, for all directions at once.
//!
//! The cell in column `x` and row `y`, both counted from the lower left, has the number `y * stride + x`, where the stride
//! is the size of the board plus one. The extra column on the right stays empty; it also guards the left of the next row, so
//! that shifted rows do not run from one row of cells into another.

use std::ops::{BitAnd, BitOr, BitXor, Not};

/// A set of cells, in `N` words from the lowest numbers on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cells<const N: usize>(pub(super) [u64; N]);

impl<const N: usize> Cells<N> {
    /// No cell.
    pub const NONE: Self = Self([0; N]);

    /// How many cells there is room for.
    pub const ROOM: u32 = 64 * N as u32;

    /// One cell. Made of whole words: a store into one of them would delay whoever reads the set next.
    #[inline]
    #[must_use]
    pub fn one(at: u32) -> Self {
        let (word, bit) = ((at / 64) as usize, at % 64);
        Self(std::array::from_fn(|place| u64::from(place == word) << bit))
    }

    /// Whether a cell is among them.
    #[inline]
    #[must_use]
    pub fn contains(self, at: u32) -> bool {
        self.0[(at / 64) as usize] >> (at % 64) & 1 != 0
    }

    /// They and one more.
    #[inline]
    #[must_use]
    pub fn with(self, at: u32) -> Self {
        self | Self::one(at)
    }

    /// They but for one.
    #[inline]
    #[must_use]
    pub fn without(self, at: u32) -> Self {
        self & !Self::one(at)
    }

    /// Adds one: faster than [`Cells::with`] where many are added before anybody looks.
    #[inline]
    pub fn insert(&mut self, at: u32) {
        self.0[(at / 64) as usize] |= 1 << (at % 64);
    }

    /// How many they are.
    #[inline]
    #[must_use]
    pub fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Whether there is none.
    #[inline]
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    /// Whether there are two or more.
    #[inline]
    #[must_use]
    pub fn is_many(self) -> bool {
        // A second one is in the word of another or in a later one.
        let (mut met, mut more) = (0, 0);
        for word in self.0 {
            let others = word & word.wrapping_sub(1);
            more |= others | if met != 0 { word } else { 0 };
            met |= word;
        }
        more != 0
    }

    /// The one with the lowest number.
    #[inline]
    #[must_use]
    pub fn lowest(self) -> Option<u32> {
        let (place, word) = (0..).zip(self.0).find(|(_, word)| *word != 0)?;
        Some(64 * place + word.trailing_zeros())
    }

    /// They one by one, the lowest number first.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = u32> {
        let (mut place, mut left) = (0, self.0[0]);
        std::iter::from_fn(move || {
            while left == 0 {
                place += 1;
                left = *self.0.get(place)?;
            }
            let cell = 64 * place as u32 + left.trailing_zeros();
            left &= left - 1;
            Some(cell)
        })
    }

    /// Each moved to the number that is higher by `shift`, which is below 128; those that leave the room are lost.
    #[inline]
    #[must_use]
    pub fn up(self, shift: u32) -> Self {
        debug_assert!(shift < 128, "shifts are below two words");
        let (whole, bits) = ((shift / 64) as usize, shift % 64);
        let mut words = [0; N];
        for (word, low) in words[whole..].iter_mut().zip(self.0) {
            *word = low << bits;
        }
        for (word, low) in words[whole + 1..].iter_mut().zip(self.0) {
            *word |= low >> 1 >> (63 - bits);
        }
        Self(words)
    }

    /// Each moved to the number that is lower by `shift`, which is below 128; those that leave the room are lost.
    #[inline]
    #[must_use]
    pub fn down(self, shift: u32) -> Self {
        debug_assert!(shift < 128, "shifts are below two words");
        let (whole, bits) = ((shift / 64) as usize, shift % 64);
        let mut words = [0; N];
        for (word, high) in words.iter_mut().zip(&self.0[whole..]) {
            *word = high >> bits;
        }
        for (word, high) in words.iter_mut().zip(&self.0[whole + 1..]) {
            *word |= high << 1 << (63 - bits);
        }
        Self(words)
    }
}

impl<const N: usize> BitAnd for Cells<N> {
    type Output = Self;
    #[inline]
    fn bitand(mut self, other: Self) -> Self {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word &= other;
        }
        self
    }
}

impl<const N: usize> BitOr for Cells<N> {
    type Output = Self;
    #[inline]
    fn bitor(mut self, other: Self) -> Self {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word |= other;
        }
        self
    }
}

impl<const N: usize> BitXor for Cells<N> {
    type Output = Self;
    #[inline]
    fn bitxor(mut self, other: Self) -> Self {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word ^= other;
        }
        self
    }
}

/// All others that there is room for, on the board or not.
impl<const N: usize> Not for Cells<N> {
    type Output = Self;
    #[inline]
    fn not(mut self) -> Self {
        for word in &mut self.0 {
            *word = !*word;
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;
    use std::collections::BTreeSet;

    fn set<const N: usize>(cells: &BTreeSet<u32>) -> Cells<N> {
        let mut set = Cells::NONE;
        cells.iter().for_each(|cell| set.insert(*cell));
        set
    }

    fn check<const N: usize>(random: &mut Xoshiro256PlusPlus, one: &BTreeSet<u32>, other: &BTreeSet<u32>) {
        let room = Cells::<N>::ROOM;
        let same = |cells: Cells<N>, wanted: BTreeSet<u32>| {
            assert_eq!(cells.iter().collect::<Vec<_>>(), wanted.into_iter().collect::<Vec<_>>());
        };
        let (a, b) = (set::<N>(one), set::<N>(other));
        same(a, one.clone());
        same(a & b, one & other);
        same(a | b, one | other);
        same(a ^ b, one ^ other);
        same(!a, (0..room).filter(|cell| !one.contains(cell)).collect());
        for shift in [0, 1, 63, 64, 65, 127, random.random_range(0..128)] {
            same(a.up(shift), one.iter().map(|cell| cell + shift).filter(|cell| *cell < room).collect());
            same(a.down(shift), one.iter().filter_map(|cell| cell.checked_sub(shift)).collect());
        }
        let size = one.len();
        assert_eq!((a.count() as usize, a.is_empty(), a.is_many()), (size, size == 0, size > 1));
        assert_eq!(a.lowest(), one.first().copied());
        let cell = random.random_range(0..room);
        assert_eq!(a.contains(cell), one.contains(&cell));
        assert_eq!(a.without(cell).count() as usize, size - usize::from(one.contains(&cell)));
        let mut more = a;
        more.insert(cell);
        assert_eq!(a.with(cell), more);
        same(a.with(cell), one | &BTreeSet::from([cell]));
        same(a.without(cell), one - &BTreeSet::from([cell]));
    }

    #[test]
    fn they_are_the_sets_that_a_tree_holds() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        for size in 0..200 {
            let mut draw = |room: u32| (0..size).map(|_| random.random_range(0..room)).collect();
            let (one, other) = (draw(256), draw(256));
            let (long, longer) = (draw(448), draw(448));
            check::<4>(&mut random, &one, &other);
            check::<7>(&mut random, &long, &longer);
        }
        // Two in one word, and the last one of all.
        for cells in [vec![64, 127], vec![255], vec![0, 255], vec![63, 64]] {
            check::<4>(&mut random, &cells.into_iter().collect(), &BTreeSet::new());
        }
    }
}
