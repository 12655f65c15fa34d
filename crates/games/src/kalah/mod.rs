//! Kalah: sow, also into one's own store; who ends there moves again.
//!
//! A last stone in an empty pit of one's own row captures itself and the stones opposite, if there are any. The game is over
//! when a row is empty; the other player gets what is left. A value is what South has in the end less what North has.

mod notation;
#[cfg(test)]
mod tests;

pub use crate::sowing::{Position, Row};
pub use notation::Named;

use quod_model::{Abilities, Bounds, Game, Player, Relative, Repetition, Value};

use crate::sowing::{Place, Round, Sowing};

/// The rules for one board.
#[derive(Clone)]
pub struct Kalah {
    sowing: Sowing,
    /// In every pit at the start.
    stones: u8,
}

/// What a move does.
struct Sown {
    /// The rows; the turn has not passed yet.
    after: Position,
    captured: u8,
    /// Whether the same player moves again.
    again: bool,
}

impl Default for Kalah {
    fn default() -> Self {
        Self::new(6, 4).expect("the usual board")
    }
}

impl Kalah {
    /// Rows of `width` pits, with `stones` in each at the start. Nothing if there are more than six pits or 72 stones.
    #[must_use]
    pub fn new(width: u8, stones: u8) -> Option<Self> {
        Some(Self { sowing: Sowing::new(width, stones, Round::FeedsStore)?, stones })
    }

    /// The pits of a row.
    #[must_use]
    pub fn width(&self) -> u8 {
        self.sowing.width()
    }

    #[inline]
    fn sown(&self, position: &Position, pit: u8) -> Sown {
        let (mut mover, mut other, last) = self.sowing.sow(position, pit);
        let mut captured = 0;
        if let Place::Own(last) = last
            && mover.pit(last) == 1
        {
            let opposite = self.width() - 1 - last;
            let stones = other.pit(opposite);
            if stones > 0 {
                captured = stones + 1;
                (mover, other) = (mover.without(last).with_captured(captured), other.without(opposite));
            }
        }
        let again = last == Place::Store;
        Sown { after: Position { mover, other, to_move: position.to_move }, captured, again }
    }
}

impl Game for Kalah {
    type Position = Position;
    /// A pit, from the left as its owner sees it.
    type Move = u8;

    fn start(&self) -> Position {
        let row = Row::new(&vec![self.stones; usize::from(self.width())], 0);
        Position { mover: row, other: row, to_move: Player::First }
    }

    #[inline]
    fn to_move(&self, position: &Position) -> Player {
        position.to_move
    }

    #[inline]
    fn outcome(&self, position: &Position) -> Option<Value> {
        let (mover, other) = (position.mover, position.other);
        if !mover.is_empty() && !other.is_empty() {
            return None;
        }
        let lead = position.lead() + i32::from(mover.stones()) - i32::from(other.stones());
        Some(Relative(lead).for_first(position.to_move))
    }

    /// From the pit next to the store: moves that end there come first.
    #[inline]
    fn moves(&self, position: &Position, moves: &mut Vec<u8>) {
        moves.extend((0..self.width()).rev().filter(|pit| position.mover.pit(*pit) > 0));
    }

    #[inline]
    fn after(&self, position: &Position, pit: u8) -> Position {
        let sown = self.sown(position, pit);
        if sown.again { sown.after } else { sown.after.passed() }
    }

    #[inline]
    fn key(&self, position: &Position) -> u128 {
        position.key()
    }

    fn values(&self) -> (Value, Value) {
        let all = 2 * i32::from(self.width()) * i32::from(self.stones);
        (Value(-all), Value(all))
    }

    /// Stones only go towards the stores: round the board they pass one's own.
    fn repetition(&self) -> Repetition<Self> {
        Repetition::Impossible
    }

    fn abilities(&self) -> Abilities<Self> {
        Abilities::none().bounds()
    }
}

/// Nobody gets more than what is left.
impl Bounds for Kalah {
    #[inline]
    fn bounds(&self, position: &Position) -> (Value, Value) {
        position.bounds()
    }
}
