//! The stack of a depth-first search: a frame for every place of the path, a slot for every child of those.

use crate::table::{INFINITE, Key, RANK_MOST};

/// No assumption: true whatever path leads there.
pub(super) const ALWAYS: u32 = u32::MAX;

/// A child of a place of the path. Its numbers are seen from there: the place takes the smallest `own`, and all `other` must
/// fall.
#[derive(Clone, Copy)]
pub(super) struct Slot {
    pub(super) key: Key,
    pub(super) own: u64,
    pub(super) other: u64,
    pub(super) code: u32,
    /// If it is solved, the depth of the highest place of the path whose repetition that assumes, or [`ALWAYS`]. While it is
    /// open, the smallest depth that it was met at, or [`ALWAYS`] if it never was.
    pub(super) low: u32,
    /// How much work its numbers stand for, as far as the table knows.
    pub(super) work: u32,
    pub(super) rank: u16,
    pub(super) flags: u8,
}

/// An OR node.
pub(super) const OR: u8 = 1;
/// Going around forever through it reaches the goal.
pub(super) const ENDLESS: u8 = 2;
/// Something below it is also below another child of the place.
pub(super) const SHARED: u8 = 4;

impl Slot {
    #[inline]
    pub(super) fn has(self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    /// Solved in favour of the side to move at its parent.
    #[inline]
    pub(super) fn is_won(self) -> bool {
        self.own == 0
    }

    #[inline]
    pub(super) fn is_lost(self) -> bool {
        self.other == 0
    }

    #[inline]
    pub(super) fn is_open(self) -> bool {
        self.own != 0 && self.other != 0
    }

    /// Solves it.
    #[inline]
    pub(super) fn solve(&mut self, won: bool, low: u32, rank: u16) {
        (self.own, self.other) = if won { (0, INFINITE) } else { (INFINITE, 0) };
        (self.low, self.rank) = (low, rank);
    }

    /// How far its answer is from being seen, for its parent: not at all where endless play gives the same answer, for
    /// then the parent cannot be reached again, or need not care.
    pub(super) fn rank_for(self, holds: bool) -> u16 {
        if self.has(ENDLESS) == holds { 0 } else { self.rank }
    }
}

/// A place of the path.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    pub(super) key: Key,
    /// What the path to it is known by, where places can come again.
    pub(super) way: Key,
    /// When one of these is reached, the search looks around again.
    pub(super) pn_max: u64,
    pub(super) dn_max: u64,
    /// Where its slots begin.
    pub(super) begin: u32,
    /// The child that the search went to last.
    pub(super) chosen: u32,
    pub(super) is_or: bool,
    /// How often thresholds were still to be extended when it was entered.
    pub(super) extensions: u32,
    /// The expansions of the search until then.
    pub(super) expansions: u64,
    /// The work that the table knew of.
    pub(super) work: u32,
    /// The smallest depth that it was met at.
    pub(super) depth: u32,
}

/// The numbers of a place by those of its children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Folded {
    pub(super) own: u64,
    pub(super) other: u64,
    /// The child with the smallest own number.
    pub(super) best: usize,
    /// The second-smallest own number.
    pub(super) second: u64,
}

pub(super) fn next_rank(rank: u16) -> u16 {
    (rank + 1).min(RANK_MOST)
}
