//! Proof and disproof numbers, and the arithmetic that never mistakes "very many" for "solved".
//!
//! A node is solved if and only if one number is 0, and then the other is `INFINITE`. Finite sums stop at
//! `MOST`. Between the two lies `UNREACHABLE`: below this node something was given up for lack of memory,
//! so this number can never become 0 (Allis et al. 1994, section 4.1, sets it to infinity; here it is a
//! value of its own, so that given up never looks like solved). A node with both numbers unreachable is
//! abandoned.

use zerocopy::{FromBytes, Immutable, IntoBytes};

/// The proof number and the disproof number of a node, relative to the goal of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, FromBytes, IntoBytes, Immutable)]
#[repr(C)]
pub struct Numbers {
    /// How many leaves must at least be proven to prove the node.
    pub pn: u32,
    /// How many leaves must at least be disproven to disprove the node.
    pub dn: u32,
}

impl Numbers {
    /// The other number of a solved node.
    pub const INFINITE: u32 = u32::MAX;
    /// The number of a node that can no longer be solved this way.
    pub const UNREACHABLE: u32 = u32::MAX - 1;
    /// The largest finite number: where sums stop.
    pub const MOST: u32 = u32::MAX - 2;

    /// An unsolved leaf about which nothing is known.
    pub const ONE: Self = Self { pn: 1, dn: 1 };
    /// Proven.
    pub const PROVEN: Self = Self { pn: 0, dn: Self::INFINITE };
    /// Disproven.
    pub const DISPROVEN: Self = Self { pn: Self::INFINITE, dn: 0 };
    /// Given up for lack of memory.
    pub const ABANDONED: Self = Self { pn: Self::UNREACHABLE, dn: Self::UNREACHABLE };

    /// The numbers of a node that is known to hold or to fail.
    #[must_use]
    pub fn solved(holds: bool) -> Self {
        if holds { Self::PROVEN } else { Self::DISPROVEN }
    }

    /// The numbers of a node, from the number of the side to move (the smallest child counts) and the other one (children
    /// add up).
    #[must_use]
    pub fn of_mover(is_or: bool, phi: u32, delta: u32) -> Self {
        if is_or { Self { pn: phi, dn: delta } } else { Self { pn: delta, dn: phi } }
    }

    /// The number of the side to move, and the other one.
    #[must_use]
    pub fn seen_by_mover(self, is_or: bool) -> (u32, u32) {
        if is_or { (self.pn, self.dn) } else { (self.dn, self.pn) }
    }

    /// Leaf numbers from a game's guess, brought into the range of unsolved leaves.
    #[must_use]
    pub fn guessed(pn: u32, dn: u32) -> Self {
        Self { pn: pn.clamp(1, Self::MOST), dn: dn.clamp(1, Self::MOST) }
    }

    /// Whether the goal holds here.
    #[must_use]
    pub fn is_proven(self) -> bool {
        self.pn == 0
    }

    /// Whether the goal fails here.
    #[must_use]
    pub fn is_disproven(self) -> bool {
        self.dn == 0
    }

    /// Proven or disproven.
    #[must_use]
    pub fn is_solved(self) -> bool {
        self.pn == 0 || self.dn == 0
    }

    /// Given up: neither solved nor ever to be solved in this search.
    #[must_use]
    pub fn is_abandoned(self) -> bool {
        self == Self::ABANDONED
    }

    /// Neither solved nor abandoned: there is a leaf below that is worth expanding.
    #[must_use]
    pub fn is_open(self) -> bool {
        !self.is_solved() && !self.is_abandoned()
    }

    /// Whether the pair is one that a node can have. Checked by debug assertions.
    #[must_use]
    pub fn is_consistent(self) -> bool {
        (self.pn == 0) == (self.dn == Self::INFINITE) && (self.dn == 0) == (self.pn == Self::INFINITE)
    }
}
