//! Awari (Wari, Awele, Oware): sow, and capture what becomes two or three.
//!
//! The rules are those of the experiment that made proof-number search known (Allis, van der Meulen and van den Herik 1994,
//! section 6.1), and by parameters those that people play:
//!
//! | | the experiment, and the default | people |
//! |---|---|---|
//! | a move that captures all stones of the opponent (grand slam) | like every move that leaves the opponent without a stone: not allowed if there is another | so; or allowed, and captures (`slam=captures`); or allowed, and captures nothing (`slam=keeps`) |
//! | more than half of all stones captured | play goes on for the difference | the game is over (`stop`), and only who has won counts |
//! | a position for the third time | endless play; what is left is divided evenly, half stones too | the third time ends the game, with the same division: who plays the game out does so |
//! | only moves that leave the opponent without a stone | all are allowed, and the player gets what is left | so, mostly |
//!
//! A value is what South has captured in the end less what North has.

mod index;
mod notation;
mod published;
mod ranking;
#[cfg(test)]
mod tests;

pub use crate::sowing::{Position, Row};
pub use notation::Named;

use std::sync::Arc;

use quod_model::{Abilities, Bounds, Converts, Game, Player, Relative, Repetition, Value};

use ranking::Ranking;

use crate::sowing::{Place, Round, Sowing, WIDTH_MAX};

/// The fifth game of MARCO and Lithidion (Allis et al. 1994, appendix B), which the experiment analyzed most deeply. Its sixth move
/// is misprinted there.
pub const GAME_5: &str = include_str!("../../data/awari_game5.txt");

/// What becomes of a move that would capture all stones of the opponent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Slam {
    /// It is not allowed if there is another move.
    #[default]
    Forbidden,
    /// It captures them.
    Captures,
    /// It captures nothing.
    Keeps,
}

/// The rules for one board.
#[derive(Clone)]
pub struct Awari {
    sowing: Sowing,
    /// In every pit at the start.
    stones: u8,
    slam: Slam,
    /// Whether the game is over when somebody has more than half of the stones.
    stop: bool,
    /// Boards by their numbers.
    ranking: Arc<Ranking>,
}

/// The moves of a position, with the rows that they leave: at most one for each pit.
struct Moves {
    moves: [(u8, u8); WIDTH_MAX as usize],
    count: usize,
}

impl Default for Awari {
    fn default() -> Self {
        Self::new(6, 4).expect("the usual board")
    }
}

impl Awari {
    /// The rules of the experiment for rows of `width` pits, with `stones` in each at the start. Nothing if there are more
    /// than six pits or 72 stones.
    #[must_use]
    pub fn new(width: u8, stones: u8) -> Option<Self> {
        Some(Self {
            sowing: Sowing::new(width, stones, Round::SkipsOrigin)?,
            stones,
            slam: Slam::default(),
            stop: false,
            ranking: Arc::new(Ranking::new(width)),
        })
    }

    /// The same with another rule for grand slams.
    #[must_use]
    pub fn with_slam(self, slam: Slam) -> Self {
        Self { slam, ..self }
    }

    /// The same, over as soon as somebody has more than half of the stones; or not.
    #[must_use]
    pub fn with_stop(self, stop: bool) -> Self {
        Self { stop, ..self }
    }

    /// The pits of a row.
    #[must_use]
    pub fn width(&self) -> u8 {
        self.sowing.width()
    }

    /// The rows after the stones of a pit are sown and captured, and how many were. The turn has not passed yet.
    #[inline]
    fn sown(&self, position: &Position, pit: u8) -> (Position, u8) {
        let (mover, other, last) = self.sowing.sow(position, pit);
        let uncaptured = Position { mover, other, to_move: position.to_move };
        let Place::Other(last) = last else { return (uncaptured, 0) };
        // From the last pit backwards, as long as there are two or three: a byte of that is zero but for its lowest bit.
        let others = (other.pits() ^ 0x0202_0202_0202) & 0xfefe_fefe_fefe;
        let chain = ((others << (56 - 8 * last)).leading_zeros() / 8).min(u32::from(last) + 1);
        let bytes = ((1u64 << (8 * chain)) - 1) << (8 * (u32::from(last) + 1 - chain));
        let (left, captured) = other.taken(bytes);
        if self.slam == Slam::Keeps && left.is_empty() {
            return (uncaptured, 0);
        }
        let after = Position { mover: mover.with_captured(captured), other: left, to_move: position.to_move };
        (after, captured)
    }

    /// The legal moves and what they capture, from the left.
    #[inline]
    fn legal(&self, position: &Position) -> Moves {
        let mut feeding = Moves::default();
        let mut starving = Moves::default();
        for pit in 0..self.width() {
            if position.mover.pit(pit) == 0 {
                continue;
            }
            let (after, captured) = self.sown(position, pit);
            let allowed = !after.other.is_empty() || (self.slam == Slam::Captures && captured > 0);
            if allowed { feeding.push(pit, captured) } else { starving.push(pit, captured) }
        }
        if feeding.count > 0 { feeding } else { starving }
    }

    /// What a lead at the end is worth.
    #[inline]
    fn worth(&self, lead: i32) -> Relative {
        Relative(if self.stop { lead.signum() } else { lead })
    }

    /// The stones of the game: in pits and stores.
    #[inline]
    fn all(position: &Position) -> u8 {
        position.stones() + position.mover.store() + position.other.store()
    }
}

impl Default for Moves {
    fn default() -> Self {
        Self { moves: [(0, 0); WIDTH_MAX as usize], count: 0 }
    }
}

impl Moves {
    #[inline]
    fn push(&mut self, pit: u8, captured: u8) {
        self.moves[self.count] = (pit, captured);
        self.count += 1;
    }
}

impl Game for Awari {
    type Position = Position;
    /// A pit, from the left as its owner sees it.
    type Move = u8;

    fn start(&self) -> Position {
        let pits = vec![self.stones; usize::from(self.width())];
        let row = Row::new(&pits, 0);
        Position { mover: row, other: row, to_move: Player::First }
    }

    #[inline]
    fn to_move(&self, position: &Position) -> Player {
        position.to_move
    }

    /// A player without a stone to sow leaves what is left to the opponent.
    #[inline]
    fn outcome(&self, position: &Position) -> Option<Value> {
        let lead = if position.mover.is_empty() {
            position.lead() - i32::from(position.other.stones())
        } else {
            let most = position.mover.store().max(position.other.store());
            if !self.stop || 2 * u32::from(most) <= u32::from(Self::all(position)) {
                return None;
            }
            position.lead()
        };
        Some(self.worth(lead).for_first(position.to_move))
    }

    /// The largest captures first (section 6.3), those of one size from the left.
    #[inline]
    fn moves(&self, position: &Position, moves: &mut Vec<u8>) {
        let begin = moves.len();
        let legal = self.legal(position);
        let legal = &legal.moves[..legal.count];
        moves.extend(legal.iter().map(|(pit, _)| *pit));
        if legal.iter().any(|(_, captured)| *captured > 0) {
            let captured = |pit: &u8| legal.iter().find(|(other, _)| other == pit).map_or(0, |found| found.1);
            moves[begin..].sort_by_key(|pit| std::cmp::Reverse(captured(pit)));
        }
    }

    #[inline]
    fn after(&self, position: &Position, pit: u8) -> Position {
        self.sown(position, pit).0.passed()
    }

    #[inline]
    fn key(&self, position: &Position) -> u128 {
        position.key()
    }

    fn values(&self) -> (Value, Value) {
        let all = if self.stop { 1 } else { 2 * i32::from(self.width()) * i32::from(self.stones) };
        (Value(-all), Value(all))
    }

    /// What is left is divided evenly.
    fn repetition(&self) -> Repetition<Self> {
        Repetition::Worth(|game, position: &Position| game.worth(position.lead()).for_first(position.to_move))
    }

    #[inline]
    fn mobility(&self, position: &Position) -> u32 {
        self.legal(position).count as u32
    }

    fn abilities(&self) -> Abilities<Self> {
        let abilities = Abilities::none().bounds().converts().published_values();
        // What is left to win depends on what was captured where the game stops at half of the stones.
        if self.stop { abilities } else { abilities.index() }
    }
}

/// Nobody gets more than what is left.
impl Bounds for Awari {
    #[inline]
    fn bounds(&self, position: &Position) -> (Value, Value) {
        let (low, high) = position.bounds();
        if self.stop { (Value(low.0.signum()), Value(high.0.signum())) } else { (low, high) }
    }
}

/// Captured stones do not come back.
impl Converts for Awari {
    fn converts(&self, position: &Position, pit: u8) -> bool {
        self.sown(position, pit).1 > 0
    }
}
