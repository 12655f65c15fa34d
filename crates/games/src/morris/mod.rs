//! Nine Men's Morris and its small sisters.
//!
//! The players put their men on the board one by one, then move them along the edges. Three men on a line are
//! a mill: who closes one removes a man of the opponent, if possible one that stands in no mill. Who has
//! fewer than three men, or no move, has lost.

mod board;
mod notation;
mod picture;
#[cfg(test)]
mod tests;

pub use board::{Board, POINTS_MAX};
pub use notation::Named;

use board::each;
use quod_model::{Abilities, Converts, Game, Move, Player, Repetition, Symmetry, Value};

/// The rules for one board and one number of men.
#[derive(Clone)]
pub struct Morris {
    board: Board,
    men: u8,
    /// Whether a player with three men left may move to any empty point.
    fly: bool,
}

/// The men on the board and in the hands, and whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    mover: u32,
    other: u32,
    mover_hand: u8,
    other_hand: u8,
    to_move: Player,
}

/// A move: where a man goes to, where it comes from, and which man it removes, five bits each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Play(u16);

/// Stands for the hand, or for no man removed: beyond every board.
const NOWHERE: u8 = 31;

impl Play {
    fn new(from: u8, to: u8, removed: u8) -> Self {
        Self(u16::from(to) << 10 | u16::from(from) << 5 | u16::from(removed))
    }

    fn part(self, shift: u32) -> u8 {
        (self.0 >> shift & 31) as u8
    }

    /// The point that a man leaves, or nothing if it comes from the hand.
    #[must_use]
    pub fn from(self) -> Option<u8> {
        Some(self.part(5)).filter(|point| *point != NOWHERE)
    }

    /// The point that a man goes to.
    #[must_use]
    pub fn to(self) -> u8 {
        self.part(10)
    }

    /// The point of the man that is removed, if one is.
    #[must_use]
    pub fn removed(self) -> Option<u8> {
        Some(self.part(0)).filter(|point| *point != NOWHERE)
    }
}

impl Move for Play {
    fn code(self) -> u32 {
        u32::from(self.0)
    }

    fn from_code(code: u32) -> Self {
        Self(u16::try_from(code).expect("a code that `code` gave fits"))
    }
}

impl Morris {
    /// The usual rules for nine men (24 points, with flying), six men (16 points) or three men (9 points with
    /// diagonals). Nothing for other numbers.
    #[must_use]
    pub fn new(men: u8) -> Option<Self> {
        let board = match men {
            9 => Board::squares(3),
            6 => Board::squares(2),
            3 => Board::nine_points(),
            _ => return None,
        };
        Some(Self { board, men, fly: Self::flies_by_default(men) })
    }

    /// The same rules with or without flying.
    #[must_use]
    pub fn with_flying(mut self, fly: bool) -> Self {
        self.fly = fly;
        self
    }

    /// Play on a board of one's own. Nothing unless each player has 3 to 15 men; they need not all find room.
    #[must_use]
    pub fn on_board(board: Board, men: u8, fly: bool) -> Option<Self> {
        (3..=15).contains(&men).then_some(Self { board, men, fly })
    }

    fn flies_by_default(men: u8) -> bool {
        men == 9
    }

    fn empty(&self, position: &Position) -> u32 {
        self.board.full() & !(position.mover | position.other)
    }

    fn flies(&self, position: &Position) -> bool {
        self.fly && position.mover_hand == 0 && position.mover.count_ones() == 3
    }

    fn can_move(&self, position: &Position) -> bool {
        let empty = self.empty(position);
        if position.mover_hand > 0 || self.flies(position) {
            return empty != 0;
        }
        each(position.mover).any(|from| self.board.neighbours(from) & empty != 0)
    }

    /// The men that a mill may remove: those outside of mills, or all if there are none.
    fn removable(&self, men: u32) -> u32 {
        let outside = men & !self.board.in_mills(men);
        if outside == 0 { men } else { outside }
    }

    /// The men that can go to an empty point, and those of them that close a mill there. `threats` are the
    /// points that complete a mill of the mover.
    #[inline]
    fn sources(&self, position: &Position, flies: bool, threats: u32, to: u8) -> (u32, u32) {
        let reach = if flies { !0 } else { self.board.neighbours(to) };
        let sources = reach & position.mover;
        if threats >> to & 1 == 0 {
            return (sources, 0);
        }
        // A man that every such mill needs is missing from it when it goes.
        (sources, sources & !self.board.needed(position.mover, to))
    }
}

impl Game for Morris {
    type Position = Position;
    type Move = Play;

    fn start(&self) -> Position {
        let hand = self.men;
        Position { mover: 0, other: 0, mover_hand: hand, other_hand: hand, to_move: Player::First }
    }

    #[inline]
    fn to_move(&self, position: &Position) -> Player {
        position.to_move
    }

    #[inline]
    fn outcome(&self, position: &Position) -> Option<Value> {
        let men = position.mover.count_ones() + u32::from(position.mover_hand);
        if men >= 3 && self.can_move(position) {
            return None;
        }
        Some(if position.to_move == Player::First { Value::SECOND_WINS } else { Value::FIRST_WINS })
    }

    /// By the point that the man goes to, then by the one that it leaves, then by the man that it removes; a1
    /// first, along the rows.
    fn moves(&self, position: &Position, moves: &mut Vec<Play>) {
        let empty = self.empty(position);
        let threats = self.board.completing(position.mover) & empty;
        let removable = if threats == 0 { 0 } else { self.removable(position.other) };
        let mut push = |from, to, closes| {
            if closes && removable != 0 {
                moves.extend(each(removable).map(|removed| Play::new(from, to, removed)));
            } else {
                moves.push(Play::new(from, to, NOWHERE));
            }
        };
        if position.mover_hand > 0 {
            each(empty).for_each(|to| push(NOWHERE, to, threats >> to & 1 != 0));
            return;
        }
        let flies = self.flies(position);
        for to in each(empty) {
            let (sources, closing) = self.sources(position, flies, threats, to);
            each(sources).for_each(|from| push(from, to, closing >> from & 1 != 0));
        }
    }

    #[inline]
    fn after(&self, position: &Position, play: Play) -> Position {
        // What is nowhere falls off the board.
        let point = |shift| (1 << play.part(shift)) & self.board.full();
        Position {
            mover: position.other & !point(0),
            other: position.mover & !point(5) | point(10),
            mover_hand: position.other_hand,
            other_hand: position.mover_hand.saturating_sub(1),
            to_move: position.to_move.other(),
        }
    }

    /// An exact code of 57 bits.
    #[inline]
    fn key(&self, position: &Position) -> u128 {
        let men = u64::from(position.mover) | u64::from(position.other) << 24;
        let hands = u64::from(position.mover_hand) << 48 | u64::from(position.other_hand) << 52;
        u128::from(men | hands | (position.to_move as u64) << 56)
    }

    fn values(&self) -> (Value, Value) {
        (Value::SECOND_WINS, Value::FIRST_WINS)
    }

    fn repetition(&self) -> Repetition<Self> {
        Repetition::Worth(|_, _| Value::DRAW)
    }

    fn mobility(&self, position: &Position) -> u32 {
        let empty = self.empty(position);
        let threats = self.board.completing(position.mover) & empty;
        let flies = self.flies(position);
        let plain = if position.mover_hand > 0 {
            empty.count_ones()
        } else if flies {
            3 * empty.count_ones()
        } else {
            self.board.edges_between(position.mover, empty)
        };
        if threats == 0 || position.other == 0 {
            return plain;
        }
        let closing = if position.mover_hand > 0 {
            threats.count_ones()
        } else {
            let sources = each(threats).map(|to| self.sources(position, flies, threats, to));
            sources.map(|(_, closing)| closing.count_ones()).sum()
        };
        plain + closing * (self.removable(position.other).count_ones() - 1)
    }

    fn abilities(&self) -> Abilities<Self> {
        Abilities::none().symmetry().converts()
    }
}

/// Rotations and reflections, and the exchange of the inner and the outer square.
impl Symmetry for Morris {
    fn canonical(&self, position: &Position) -> Position {
        let (mover, other) = (self.board.images(position.mover), self.board.images(position.other));
        let images =
            mover.iter().zip(&other).map(|(mover, other)| u64::from(*mover) << 32 | u64::from(*other));
        let least = images.min().expect("there is more than one symmetry");
        Position { mover: (least >> 32) as u32, other: least as u32, ..*position }
    }
}

/// Men do not come back, neither to the hand nor to the board.
impl Converts for Morris {
    fn converts(&self, position: &Position, play: Play) -> bool {
        position.mover_hand > 0 || play.removed().is_some()
    }
}
