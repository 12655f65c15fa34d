//! What games of sowing share: two rows of pits with a store each, and sowing from a table.
//!
//! A row is one word, a byte for every pit and one for the store, so that sowing is an addition for each row and
//! exchanging the players is an exchange of two words.

pub(crate) mod notation;
pub(crate) mod picture;

use quod_model::{Player, Relative, Value};

/// The most pits of a row.
pub(crate) const WIDTH_MAX: u8 = 6;
/// The most stones of a game.
pub(crate) const STONES_MAX: u8 = 72;
/// Adds up the bytes of a word in its highest byte.
const ONES: u64 = 0x0101_0101_0101_0101;
const PITS: u64 = (1 << 48) - 1;
const STORE: u32 = 56;

/// A row of pits, from the left as its owner sees it, and what its owner has captured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Row(u64);

impl Row {
    /// A row with these pits.
    ///
    /// # Panics
    /// If there are more than six pits.
    #[must_use]
    pub fn new(pits: &[u8], store: u8) -> Self {
        assert!(pits.len() <= usize::from(WIDTH_MAX), "a row has six pits at the most");
        let pits = pits.iter().rev().fold(0, |row, pit| row << 8 | u64::from(*pit));
        Self(pits | u64::from(store) << STORE)
    }

    /// The stones in a pit.
    #[inline]
    #[must_use]
    pub fn pit(self, pit: u8) -> u8 {
        (self.0 >> (8 * pit)) as u8
    }

    /// The stones in the store.
    #[inline]
    #[must_use]
    pub fn store(self) -> u8 {
        (self.0 >> STORE) as u8
    }

    /// The stones in all pits.
    #[inline]
    #[must_use]
    pub fn stones(self) -> u8 {
        ((self.0 & PITS).wrapping_mul(ONES) >> STORE) as u8
    }

    /// Whether there is no stone in a pit.
    #[inline]
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 & PITS == 0
    }

    /// The row with the stones of a pit removed.
    #[inline]
    pub(crate) fn without(self, pit: u8) -> Self {
        Self(self.0 & !(0xff << (8 * pit)))
    }

    /// The row with more stones in its store.
    #[inline]
    pub(crate) fn with_captured(self, stones: u8) -> Self {
        Self(self.0 + (u64::from(stones) << STORE))
    }

    /// The pits alone.
    #[inline]
    pub(crate) fn pits(self) -> u64 {
        self.0 & PITS
    }

    /// The row with these pits, a byte for each, and nothing captured.
    #[inline]
    pub(crate) fn of_pits(pits: u64) -> Self {
        Self(pits)
    }

    /// The stones from the first pit up to each, a byte for every pit. For a row with nothing captured.
    #[inline]
    pub(crate) fn sums(self) -> u64 {
        self.0.wrapping_mul(ONES)
    }

    /// Pits and store as a number of 54 bits.
    #[inline]
    pub(crate) fn code(self) -> u64 {
        self.0 & PITS | (self.0 >> STORE) << 48
    }

    /// The row without the stones in those bytes of `bytes`, and how many they are.
    #[inline]
    pub(crate) fn taken(self, bytes: u64) -> (Self, u8) {
        let taken = self.0 & bytes;
        (Self(self.0 ^ taken), (taken.wrapping_mul(ONES) >> STORE) as u8)
    }
}

/// Both rows, and whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The row of the player to move.
    pub mover: Row,
    /// The other row.
    pub other: Row,
    /// Whose turn it is.
    pub to_move: Player,
}

impl Position {
    /// The row of a player.
    #[must_use]
    pub fn row(&self, player: Player) -> Row {
        if player == self.to_move { self.mover } else { self.other }
    }

    /// The stones in all pits.
    #[inline]
    #[must_use]
    pub fn stones(&self) -> u8 {
        self.mover.stones() + self.other.stones()
    }

    /// What the player to move has captured more than the other.
    #[inline]
    #[must_use]
    pub fn lead(&self) -> i32 {
        i32::from(self.mover.store()) - i32::from(self.other.store())
    }

    /// What the game can end with at the least and at the most, if it is for the difference: nobody gets more than what is left.
    #[inline]
    pub(crate) fn bounds(&self) -> (Value, Value) {
        let (lead, left) = (self.lead(), i32::from(self.stones()));
        let (worst, best) = (Relative(lead - left), Relative(lead + left));
        let (worst, best) = (worst.for_first(self.to_move), best.for_first(self.to_move));
        (worst.min(best), worst.max(best))
    }

    /// With the other player to move.
    #[inline]
    pub(crate) fn passed(self) -> Self {
        Self { mover: self.other, other: self.mover, to_move: self.to_move.other() }
    }

    /// An exact code of 113 bits.
    #[inline]
    pub(crate) fn key(&self) -> u128 {
        u128::from(self.mover.code()) | u128::from(self.other.code()) << 56 | (self.to_move as u128) << 112
    }
}

/// Where stones go: onto their own row, onto the other, and where the last one falls.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sown {
    own: u64,
    other: u64,
    last: Place,
}

/// Where a stone falls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Place {
    /// A pit of one's own row.
    Own(u8),
    /// One's own store.
    #[default]
    Store,
    /// A pit of the other row.
    Other(u8),
}

/// Which places are sown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Round {
    /// All pits but the one that the stones come from.
    SkipsOrigin,
    /// All pits, and one's own store.
    FeedsStore,
}

/// All sowings of a board.
#[derive(Clone)]
pub(crate) struct Sowing {
    width: u8,
    /// For every pit and number of stones.
    table: Vec<Sown>,
}

impl Sowing {
    /// For rows of `width` pits and `stones` in each at the start; nothing if there are more than six pits or 72 stones.
    pub(crate) fn new(width: u8, stones: u8, round: Round) -> Option<Self> {
        if !(1..=WIDTH_MAX).contains(&width) || stones == 0 || stones > STONES_MAX / (2 * width) {
            return None;
        }
        let mut table = Vec::new();
        for origin in 0..width {
            let mut sown = Sown::default();
            let mut place = Place::Own(origin);
            for _ in 0..=STONES_MAX {
                table.push(sown);
                place = Self::next(width, round, place);
                if round == Round::SkipsOrigin && place == Place::Own(origin) {
                    place = Self::next(width, round, place);
                }
                sown.last = place;
                match place {
                    Place::Own(pit) => sown.own += 1 << (8 * pit),
                    Place::Store => sown.own += 1 << STORE,
                    Place::Other(pit) => sown.other += 1 << (8 * pit),
                }
            }
        }
        Some(Self { width, table })
    }

    fn next(width: u8, round: Round, place: Place) -> Place {
        match place {
            Place::Own(pit) if pit + 1 < width => Place::Own(pit + 1),
            Place::Own(_) if round == Round::FeedsStore => Place::Store,
            Place::Own(_) | Place::Store => Place::Other(0),
            Place::Other(pit) if pit + 1 < width => Place::Other(pit + 1),
            Place::Other(_) => Place::Own(0),
        }
    }

    /// The pits of a row.
    #[inline]
    pub(crate) fn width(&self) -> u8 {
        self.width
    }

    /// What so many stones from a pit add to one's own row and to the other, and where the last one falls.
    #[inline]
    pub(crate) fn sown(&self, pit: u8, stones: u8) -> (u64, u64, Place) {
        let sown = self.table[usize::from(pit) * (usize::from(STONES_MAX) + 1) + usize::from(stones)];
        (sown.own, sown.other, sown.last)
    }

    /// Sows the stones of a pit: the mover's row, the other row, and where the last stone fell.
    #[inline]
    pub(crate) fn sow(&self, position: &Position, pit: u8) -> (Row, Row, Place) {
        let stones = position.mover.pit(pit);
        let (own, other, last) = self.sown(pit, stones);
        (Row(position.mover.without(pit).0 + own), Row(position.other.0 + other), last)
    }
}
