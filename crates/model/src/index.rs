//! Positions as numbers, for databases.

use std::ops::Range;

use crate::Game;

/// A dense numbering of positions in slices, for databases. A slice holds what play can stay within for long, such as all
/// positions with so many stones; a move stays in its slice or leads to a smaller one.
///
/// A position is kept without what was made before it (stones already captured) and without the names of the players: its
/// stored value is what the side to move still gets from here on. Going around forever must be worth nothing: a stored value of
/// 0. So a move within a slice passes the turn and gains nothing.
pub trait Index: Game {
    /// How many slices there are.
    fn slices(&self) -> u32;

    /// How many numbers a slice has.
    fn slice_size(&self, slice: u32) -> u64;

    /// No stored value of a slice is larger than this, or smaller than its negative.
    fn slice_value_max(&self, slice: u32) -> i32;

    /// Where a position is kept, if it is.
    fn slot(&self, position: &Self::Position) -> Option<Slot>;

    /// A position that is kept there, with nothing made before, or nothing where a number stands for no position.
    fn at_slot(&self, slot: Slot) -> Option<Self::Position>;

    /// What the side to move has made before: its value is this and the stored value.
    fn made(&self, position: &Self::Position) -> i32;

    /// Appends what the legal moves lead to, or gives the stored value if the rules say it without looking at a move's
    /// value. To be asked only where there is a position.
    fn successors(&self, slot: Slot, successors: &mut Vec<Successor>) -> Option<i32>;

    /// Appends the numbers in the same slice from which a move leads here, one for each such move; none of those whose
    /// stored value the rules say at once. To be asked only where there is a position.
    fn predecessors(&self, slot: Slot, numbers: &mut Vec<u64>);

    /// Looks at a range of numbers of a slice, one after the other: appends what each is, and behind `leaving` the successors
    /// in smaller slices. Those within the slice are only counted, which a game can do faster than it numbers them.
    fn survey(
        &self,
        slice: u32,
        numbers: Range<u64>,
        found: &mut Vec<Surveyed>,
        leaving: &mut Vec<Successor>,
    ) {
        let mut successors = Vec::new();
        for number in numbers {
            let slot = Slot { slice, number };
            if self.at_slot(slot).is_none() {
                found.push(Surveyed::Nothing);
                continue;
            }
            successors.clear();
            if let Some(value) = self.successors(slot, &mut successors) {
                found.push(Surveyed::Known(value));
                continue;
            }
            let all = successors.len();
            successors.retain(|successor| successor.slot.slice != slice);
            let (within, left) = ((all - successors.len()) as u32, successors.len() as u32);
            found.push(Surveyed::Open { within, leaving: left });
            leaving.append(&mut successors);
        }
    }
}

/// A place in a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Slot {
    /// The slice.
    pub slice: u32,
    /// The number within it.
    pub number: u64,
}

/// What a move leads to, as a database sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Successor {
    /// Where.
    pub slot: Slot,
    /// What the player who moves makes by it. Nothing within a slice.
    pub gain: i32,
    /// Whether the same player moves again. Never within a slice.
    pub again: bool,
}

impl Successor {
    /// What the move is worth for the player who makes it, if this is the stored value of where it leads.
    #[must_use]
    #[inline]
    pub fn worth(&self, stored: i32) -> i32 {
        self.gain + if self.again { stored } else { -stored }
    }
}

/// What [`Index::survey`] finds at a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surveyed {
    /// No position.
    Nothing,
    /// A position whose stored value the rules say at once.
    Known(i32),
    /// A position with moves.
    Open {
        /// How many moves stay within the slice.
        within: u32,
        /// How many leave it.
        leaving: u32,
    },
}

/// The methods of [`Index`] as values.
pub struct IndexFns<G: Game> {
    /// [`Index::slices`].
    pub slices: fn(&G) -> u32,
    /// [`Index::slice_size`].
    pub slice_size: fn(&G, u32) -> u64,
    /// [`Index::slice_value_max`].
    pub slice_value_max: fn(&G, u32) -> i32,
    /// [`Index::slot`].
    pub slot: fn(&G, &G::Position) -> Option<Slot>,
    /// [`Index::at_slot`].
    pub at_slot: fn(&G, Slot) -> Option<G::Position>,
    /// [`Index::made`].
    pub made: fn(&G, &G::Position) -> i32,
    /// [`Index::successors`].
    pub successors: fn(&G, Slot, &mut Vec<Successor>) -> Option<i32>,
    /// [`Index::predecessors`].
    pub predecessors: fn(&G, Slot, &mut Vec<u64>),
    /// [`Index::survey`].
    pub survey: fn(&G, u32, Range<u64>, &mut Vec<Surveyed>, &mut Vec<Successor>),
}

impl<G: Game> Clone for IndexFns<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for IndexFns<G> {}

impl<G: Index> IndexFns<G> {
    /// Those of a game.
    #[must_use]
    pub fn new() -> Self {
        Self {
            slices: G::slices,
            slice_size: G::slice_size,
            slice_value_max: G::slice_value_max,
            slot: G::slot,
            at_slot: G::at_slot,
            made: G::made,
            successors: G::successors,
            predecessors: G::predecessors,
            survey: G::survey,
        }
    }
}

impl<G: Index> Default for IndexFns<G> {
    fn default() -> Self {
        Self::new()
    }
}
