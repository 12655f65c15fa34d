//! Woodpush, a game on a line of cells in which no board may come again.
//!
//! Left's pieces go to the right, Right's to the left: forward to the first empty cell, over whatever stands between, and
//! off the board if there is none. A piece with an opponent's piece right behind it may go one cell back instead, and
//! pushes everything that stands behind it without a gap; what is pushed over the edge is off the board. No move may make a
//! board that stood before, whoever was to move. Who has the only pieces left wins as many points as there are.
//!
//! Saffidine and Cazenave 2011, section 5.2, describe the game in a paragraph. It speaks of the previous position only and of
//! a score in moves; their tables are those of the rules above.

mod board;
mod history;
mod notation;
mod picture;
#[cfg(test)]
mod tests;

pub use notation::Named;

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::OnceLock;

use board::{Board, each_from_right, mixed};
use history::History;
use quod_model::{Game, Player, Repetition, Value};

use crate::bits::Bits;

/// The rules for one length of the line and one number of pieces.
#[derive(Clone, Debug)]
pub struct Woodpush<B> {
    length: u32,
    pieces: u32,
    /// Values are taken to lie between this and its negative.
    range: u32,
    /// All cells.
    full: B,
}

/// The pieces, whose turn it is, and the boards that must not come again.
#[derive(Clone)]
pub struct Position<B> {
    board: Board<B>,
    to_move: Player,
    /// The boards since a piece was last lost: those before it had more pieces.
    earlier: History<B>,
    /// The same with this board, for all positions behind this one: made for the first of them.
    until_now: OnceLock<History<B>>,
}

impl<B: Bits> Position<B> {
    fn new(board: Board<B>, to_move: Player, earlier: History<B>) -> Self {
        Self { board, to_move, earlier, until_now: OnceLock::new() }
    }

    /// What tells positions apart.
    fn parts(&self) -> (Board<B>, Player, &History<B>) {
        (self.board, self.to_move, &self.earlier)
    }
}

impl<B: Bits> PartialEq for Position<B> {
    fn eq(&self, other: &Self) -> bool {
        self.parts() == other.parts()
    }
}

impl<B: Bits> Eq for Position<B> {}

impl<B: Bits> Hash for Position<B> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.board, self.to_move, self.earlier.hash()).hash(state);
    }
}

impl<B: Bits> fmt::Debug for Position<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Position");
        shown.field("board", &self.board).field("to_move", &self.to_move).field("earlier", &self.earlier);
        shown.finish()
    }
}

impl<B: Bits> Woodpush<B> {
    /// A line of `length` cells. Each side has `pieces` pieces, on every second cell from its end on. Nothing if the line is
    /// too short for both sides, or longer than the bitboard.
    #[must_use]
    pub fn new(length: u32, pieces: u32) -> Option<Self> {
        let fits = (1..=B::WIDTH).contains(&pieces) && (shortest(pieces)..=B::WIDTH).contains(&length);
        fits.then(|| Self { length, pieces, range: pieces, full: !B::NONE >> (B::WIDTH - length) })
    }

    /// The same rules with values taken to lie between `-range` and `range`: the questions that a search by halving asks
    /// depend on it. Nothing if there are more pieces than that.
    #[must_use]
    pub fn with_range(mut self, range: u32) -> Option<Self> {
        self.range = range;
        (self.pieces..=i32::MAX as u32).contains(&range).then_some(self)
    }

    fn cell(&self, play: u8) -> u32 {
        self.length - 1 - u32::from(play) / 2
    }

    fn is_forward(play: u8) -> bool {
        play % 2 == 1
    }

    #[inline]
    fn moved(&self, position: &Position<B>, play: u8) -> Board<B> {
        let (player, cell) = (position.to_move, self.cell(play));
        if Self::is_forward(play) {
            position.board.forward(self.full, player, cell)
        } else {
            position.board.backward(self.full, player, cell)
        }
    }

    /// The legal moves in their order: the rightmost piece first, and back before forward.
    #[inline]
    fn legal(&self, position: &Position<B>) -> impl Iterator<Item = u8> {
        each_from_right(position.board.of(position.to_move)).flat_map(move |cell| {
            let back = ((self.length - 1 - cell) * 2) as u8;
            let first = if position.board.can_go_back(position.to_move, cell) { back } else { back + 1 };
            (first..=back + 1).filter(|play| !position.earlier.contains(self.moved(position, *play)))
        })
    }
}

/// The length of the line on which the sides just do not meet at the start.
fn shortest(pieces: u32) -> u32 {
    4 * pieces - 2
}

impl<B: Bits> Game for Woodpush<B> {
    type Position = Position<B>;
    /// Twice the number of cells on the right of the piece, and one more if it goes forward.
    type Move = u8;

    fn start(&self) -> Position<B> {
        let pieces = (0..self.pieces).map(|piece| 2 * piece);
        let left = pieces.clone().fold(B::NONE, |set, cell| set | B::ONE << cell);
        let right = pieces.fold(B::NONE, |set, cell| set | B::ONE << (self.length - 1 - cell));
        Position::new(Board { left, right }, Player::First, History::none())
    }

    #[inline]
    fn to_move(&self, position: &Position<B>) -> Player {
        position.to_move
    }

    /// Never both sides lose their last piece: who goes forward leaves the opponent's pieces alone, and who pushes stays.
    /// A side whose moves would all make earlier boards has lost against the opponent's pieces. The paper does not speak of
    /// it: play from the start was never seen to come to that, but a position with any past can be given.
    #[inline]
    fn outcome(&self, position: &Position<B>) -> Option<Value> {
        let (left, right) = position.board.pieces();
        let winner = if right == 0 {
            Player::First
        } else if left == 0 {
            Player::Second
        } else if self.legal(position).next().is_none() {
            position.to_move.other()
        } else {
            return None;
        };
        Some(match winner {
            Player::First => Value(left as i32),
            Player::Second => Value(-(right as i32)),
        })
    }

    /// The rightmost piece first, and each back before forward, as in the tables of Saffidine and Cazenave.
    fn moves(&self, position: &Position<B>, moves: &mut Vec<u8>) {
        moves.extend(self.legal(position));
    }

    #[inline]
    fn after(&self, position: &Position<B>, play: u8) -> Position<B> {
        let board = self.moved(position, play);
        let earlier = if board.pieces() == position.board.pieces() {
            position.until_now.get_or_init(|| position.earlier.with(position.board)).clone()
        } else {
            History::none()
        };
        Position::new(board, position.to_move.other(), earlier)
    }

    /// A hash of 128 bits.
    fn key(&self, position: &Position<B>) -> u128 {
        mixed(position.board.hash() ^ position.to_move as u128, position.earlier.hash())
    }

    fn values(&self) -> (Value, Value) {
        (Value(-(self.range as i32)), Value(self.range as i32))
    }

    fn repetition(&self) -> Repetition<Self> {
        Repetition::Impossible
    }

    #[inline]
    fn mobility(&self, position: &Position<B>) -> u32 {
        self.legal(position).count() as u32
    }
}
