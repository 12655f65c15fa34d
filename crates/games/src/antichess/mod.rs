//! Give-away chess, also called antichess or losing chess.
//!
//! Who can capture must, the king is a man like any other (a pawn may become one, and no move is forbidden for its sake), nobody
//! castles, and the player who cannot move wins: whoever has no men left, or none that can go anywhere. White is the first
//! player. Going around forever is a draw. En passant is part of a position only where a pawn can capture so.

mod board;
mod guess;
mod notation;
#[cfg(test)]
mod tests;

use cozy_chess::Color;
use quod_model::{Abilities, Converts, Game, Player, Repetition, Value};

use crate::men::{self, Step};
pub use board::Position;
pub use notation::Named;

/// The rules of give-away chess.
#[derive(Clone, Copy, Debug, Default)]
pub struct Antichess;

impl Game for Antichess {
    type Position = Position;
    type Move = Step;

    fn start(&self) -> Position {
        board::start()
    }

    #[inline]
    fn to_move(&self, position: &Position) -> Player {
        men::player(position.side)
    }

    #[inline]
    fn outcome(&self, position: &Position) -> Option<Value> {
        if position.each_man(position.side, |_, _, _| true) {
            return None;
        }
        Some(match position.side {
            Color::White => Value::FIRST_WINS,
            Color::Black => Value::SECOND_WINS,
        })
    }

    #[inline]
    fn moves(&self, position: &Position, moves: &mut Vec<Step>) {
        let begin = moves.len();
        position.moves(moves);
        moves[begin..].sort_unstable();
    }

    #[inline]
    fn after(&self, position: &Position, step: Step) -> Position {
        position.after(step)
    }

    #[inline]
    fn key(&self, position: &Position) -> u128 {
        men::key(position.words())
    }

    fn values(&self) -> (Value, Value) {
        (Value::SECOND_WINS, Value::FIRST_WINS)
    }

    fn repetition(&self) -> Repetition<Self> {
        Repetition::Worth(|_, _| Value::DRAW)
    }

    #[inline]
    fn mobility(&self, position: &Position) -> u32 {
        position.count(position.side)
    }

    fn abilities(&self) -> Abilities<Self> {
        Abilities::none().guess().converts()
    }
}

/// Captures and pawn moves cannot be undone.
impl Converts for Antichess {
    fn converts(&self, position: &Position, step: Step) -> bool {
        position.captures(step) || position.is_pawn(step.from())
    }
}
