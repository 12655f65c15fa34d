//! What threatens in a line, as words of bits: in one line, or in four at once.

use std::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};

/// Places of a line, or of four.
pub(super) trait Word:
    Copy
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    const NONE: Self;
}

impl Word for u32 {
    const NONE: Self = 0;
}

/// Four words, on each of which the same is done: one instruction does it.
#[derive(Clone, Copy)]
pub(super) struct Four(pub(super) [u32; 4]);

impl Word for Four {
    const NONE: Self = Self([0; 4]);
}

impl Not for Four {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        let [a, b, c, d] = self.0;
        Self([!a, !b, !c, !d])
    }
}

macro_rules! on_each {
    ($name:ident, $function:ident, $operator:tt) => {
        impl $name for Four {
            type Output = Self;

            #[inline(always)]
            fn $function(self, other: Self) -> Self {
                let (own, other) = (self.0, other.0);
                Self([own[0] $operator other[0], own[1] $operator other[1], own[2] $operator other[2], own[3] $operator other[3]])
            }
        }
    };
}
on_each!(BitAnd, bitand, &);
on_each!(BitOr, bitor, |);
on_each!(BitXor, bitxor, ^);

impl Shl<u32> for Four {
    type Output = Self;

    #[inline(always)]
    fn shl(self, steps: u32) -> Self {
        let [a, b, c, d] = self.0;
        Self([a << steps, b << steps, c << steps, d << steps])
    }
}

impl Shr<u32> for Four {
    type Output = Self;

    #[inline(always)]
    fn shr(self, steps: u32) -> Self {
        let [a, b, c, d] = self.0;
        Self([a >> steps, b >> steps, c >> steps, d >> steps])
    }
}

/// Windows of a row's length by how many stones of one side they hold; a window is known by its first place.
#[derive(Clone, Copy)]
pub(super) struct Windows<W> {
    /// Those that this side can still fill.
    pub(super) open: W,
    ones: W,
    twos: W,
    fours: W,
}

impl<W: Word> Windows<W> {
    /// The windows of `row` places; only those of exact rows where `exact` is set.
    #[inline(always)]
    pub(super) fn new(row: u32, exact: bool, own: W, barred: W) -> Self {
        let mut windows = Self { open: !W::NONE, ones: W::NONE, twos: W::NONE, fours: W::NONE };
        for step in 0..row {
            let stones = own >> step;
            windows.fours = windows.fours | windows.ones & windows.twos & stones;
            windows.twos = windows.twos ^ (windows.ones & stones);
            windows.ones = windows.ones ^ stones;
            windows.open = windows.open & !(barred >> step);
        }
        if exact {
            windows.open = windows.open & !(own << 1) & !(own >> row);
        }
        windows
    }

    /// The windows with so many stones.
    #[inline(always)]
    pub(super) fn exactly(self, count: u32) -> W {
        let bit = |bit: u32, words: W| if count & bit == 0 { !words } else { words };
        self.open & bit(1, self.ones) & bit(2, self.twos) & bit(4, self.fours)
    }
}

/// The places of windows of a length.
#[inline(always)]
pub(super) fn spread<W: Word>(windows: W, length: u32) -> W {
    (0..length).fold(W::NONE, |places, step| places | windows << step)
}

/// What an attacker sees in a line.
#[derive(Clone, Copy)]
pub(super) struct Sight<W> {
    /// Where the attacker completes a row.
    pub(super) wins: W,
    /// Where the attacker would make a four: a row that lacks one.
    pub(super) fours: W,
    /// Where the attacker would make a three: something that lacks one to be a straight four.
    pub(super) threes: W,
    /// The first inner places of threes that are there.
    pub(super) straights: W,
    /// Where the opponent completes a row.
    pub(super) foe_wins: W,
    /// Where the opponent would make a four.
    pub(super) foe_fours: W,
}

impl<W: Word> Sight<W> {
    /// The usual length of a row has code of its own, in which no loop is left.
    #[inline(always)]
    pub(super) fn new(row: u32, exact: bool, own: W, foe: W, outside: W) -> Self {
        match row {
            5 => Self::of_rows(5, exact, own, foe, outside),
            row => Self::of_rows(row, exact, own, foe, outside),
        }
    }

    #[inline(always)]
    fn of_rows(row: u32, exact: bool, own: W, foe: W, outside: W) -> Self {
        let free = !(own | foe | outside);
        let windows = Windows::new(row, exact, own, foe | outside);
        // A straight four has both ends free, so both windows that hold its inner places can be filled.
        let both = |windows: W| windows & windows << 1 & free << 1 & free >> (row - 1);
        // Longer rows of the opponent count too: he may have fewer stones than he is given here, and then a row that is too long is none too long.
        let foe_windows = Windows::new(row, false, foe, own | outside);
        Self {
            wins: spread(windows.exactly(row - 1), row) & free,
            fours: spread(windows.exactly(row - 2), row) & free,
            threes: spread(both(windows.exactly(row - 3)), row - 1) & free,
            straights: both(windows.exactly(row - 2)),
            foe_wins: spread(foe_windows.exactly(row - 1), row) & free,
            foe_fours: spread(foe_windows.exactly(row - 2), row) & free,
        }
    }
}

impl Sight<Four> {
    /// One of the four.
    #[inline(always)]
    pub(super) fn of(&self, at: usize) -> Sight<u32> {
        Sight {
            wins: self.wins.0[at],
            fours: self.fours.0[at],
            threes: self.threes.0[at],
            straights: self.straights.0[at],
            foe_wins: self.foe_wins.0[at],
            foe_fours: self.foe_fours.0[at],
        }
    }
}
