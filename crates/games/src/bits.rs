//! Bitboards of two widths behind one name, so that small boards run on machine words.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{Add, BitAnd, BitOr, BitXor, Not, Shl, Shr};

/// An unsigned word used as a set of cells.
pub trait Bits:
    Copy
    + Eq
    + Ord
    + Hash
    + Debug
    + Send
    + Sync
    + 'static
    + Into<u128>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Add<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// How many cells it can hold.
    const WIDTH: u32;
    /// No cell.
    const NONE: Self;
    /// The lowest cell.
    const ONE: Self;
    /// How many cells it holds.
    fn count(self) -> u32;
    /// Whether it holds two cells or more.
    fn is_many(self) -> bool;
    /// The number of its lowest cell, if it holds one.
    fn lowest(self) -> Option<u32>;
    /// The number of its highest cell, if it holds one.
    fn highest(self) -> Option<u32>;
    /// As a machine word, if it never needs more.
    fn word(self) -> Option<u64>;
    /// What [`Bits::word`] gave.
    fn from_word(word: u64) -> Self;
}

macro_rules! word {
    ($($word:ty),*) => {$(
        impl Bits for $word {
            const WIDTH: u32 = <$word>::BITS;
            const NONE: Self = 0;
            const ONE: Self = 1;
            #[inline]
            fn count(self) -> u32 {
                self.count_ones()
            }
            #[inline]
            fn is_many(self) -> bool {
                self & self.wrapping_sub(1) != 0
            }
            #[inline]
            fn lowest(self) -> Option<u32> {
                (self != 0).then(|| self.trailing_zeros())
            }
            #[inline]
            fn highest(self) -> Option<u32> {
                self.checked_ilog2()
            }
            #[inline]
            fn word(self) -> Option<u64> {
                (Self::WIDTH <= u64::BITS).then_some(self as u64)
            }
            #[inline]
            fn from_word(word: u64) -> Self {
                Self::from(word)
            }
        }
    )*};
}
word!(u64, u128);
