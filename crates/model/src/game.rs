//! The rules of a game.

use std::fmt::Debug;
use std::hash::Hash;

use crate::{Abilities, Player, Value};

/// A move, small enough for every tree to hold one per node.
pub trait Move: Copy + Eq + Ord + Hash + Debug + Send + Sync + 'static {
    /// Codes are smaller than this: 29 bits, so that a tree node packs three flags beside one, and 256 of them for steps that are
    /// no moves.
    const CODE_LIMIT: u32 = (1 << 29) - 256;

    /// A number below [`Move::CODE_LIMIT`], different for different moves of one position and
    /// ascending with the order of moves.
    fn code(self) -> u32;

    /// The move with this code. Called only with codes that [`Move::code`] gave.
    fn from_code(code: u32) -> Self;
}

macro_rules! number_is_a_move {
    ($($number:ty),*) => {$(
        impl Move for $number {
            fn code(self) -> u32 {
                u32::from(self)
            }
            fn from_code(code: u32) -> Self {
                Self::try_from(code).expect("a code that `code` gave fits")
            }
        }
    )*};
}
number_is_a_move!(u8, u16, u32);

/// What endless play is worth.
pub enum Repetition<G: Game> {
    /// No position can come again: every move converts.
    Impossible,
    /// The value of going around forever, as a function of the position. It is the same for all
    /// positions of one cycle (a law that the testkit checks).
    Worth(fn(&G, &G::Position) -> Value),
}

/// A move that the rules do not allow here, given back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the move {0:?} is not legal here")]
pub struct IllegalMove<M: Debug>(pub M);

/// The rules of a game for two players with perfect information and no chance.
///
/// Equal positions (by `Eq`) must have the same moves, the same outcome and the same future: whatever
/// the rules depend on, such as a history that forbids repeating, is part of the position. Where the
/// rules of a game forbid repetition, positions carry that history and `repetition` is `Impossible`.
pub trait Game: Sized + Send + Sync + 'static {
    /// A position: everything that the future depends on.
    type Position: Clone + Eq + Hash + Debug + Send + Sync + 'static;
    /// A move.
    type Move: Move;

    /// Where the game begins.
    fn start(&self) -> Self::Position;

    /// Whose turn it is.
    fn to_move(&self, position: &Self::Position) -> Player;

    /// The final value if the game is over, nothing otherwise.
    fn outcome(&self, position: &Self::Position) -> Option<Value>;

    /// Appends the legal moves of a position that is not over, each once, in an order that depends on
    /// the position alone. There is at least one. What it appends for a finished position means nothing,
    /// but it must not panic.
    fn moves(&self, position: &Self::Position, moves: &mut Vec<Self::Move>);

    /// The position after a legal move. Trusts its caller; [`Game::play`] checks.
    fn after(&self, position: &Self::Position, mv: Self::Move) -> Self::Position;

    /// A number that is equal for equal positions and must differ for others: searches on graphs take positions of one key
    /// for one position. It never merges symmetric positions. The best key is an exact code of the position, below 2^64
    /// if it can be; the next best is a hash of 128 bits that no two positions of a search share but by a miracle. The laws
    /// of the testkit catch keys that are not good enough.
    fn key(&self, position: &Self::Position) -> u128;

    /// The smallest and the largest value that the game can have.
    fn values(&self) -> (Value, Value);

    /// What endless play is worth.
    fn repetition(&self) -> Repetition<Self>;

    /// How many legal moves a position has that is not over; any number for a finished one. Games count
    /// faster than they list.
    fn mobility(&self, position: &Self::Position) -> u32 {
        let mut moves = Vec::new();
        self.moves(position, &mut moves);
        u32::try_from(moves.len()).expect("fewer than 2^32 moves")
    }

    /// A move that ends the game at once with the best value that the player to move can have, if there is one: any of them. Games see that
    /// faster than by trying all moves. Anything for a finished position.
    fn winning_move(&self, position: &Self::Position) -> Option<Self::Move> {
        let (low, high) = self.values();
        let best = self.to_move(position).better(low, high);
        let mut moves = Vec::new();
        self.moves(position, &mut moves);
        moves.into_iter().find(|mv| self.outcome(&self.after(position, *mv)) == Some(best))
    }

    /// Appends the legal moves of a position that is not over, but for those after which the opponent has a [winning move](Game::winning_move), in any order.
    /// Games see that faster than by trying all moves.
    fn unpunished(&self, position: &Self::Position, moves: &mut Vec<Self::Move>) {
        let mut all = Vec::new();
        self.moves(position, &mut all);
        moves.extend(all.into_iter().filter(|mv| {
            let after = self.after(position, *mv);
            let again = self.to_move(&after) == self.to_move(position);
            self.outcome(&after).is_some() || again || self.winning_move(&after).is_none()
        }));
    }

    /// Whether the opponent's `threat` is an answer to a move in a position that is not over, which does not end the game and leaves no move that is not
    /// [punished](Game::unpunished). Positions after the move and the threat have the players take turns.
    fn falls_to(&self, position: &Self::Position, mv: Self::Move, threat: Self::Move) -> bool {
        let (player, after) = (self.to_move(position), self.after(position, mv));
        if self.outcome(&after).is_some() || self.to_move(&after) == player {
            return false;
        }
        let mut moves = Vec::new();
        self.moves(&after, &mut moves);
        if !moves.contains(&threat) {
            return false;
        }
        let threatened = self.after(&after, threat);
        if self.outcome(&threatened).is_some() || self.to_move(&threatened) != player {
            return false;
        }
        moves.clear();
        self.unpunished(&threatened, &mut moves);
        moves.is_empty()
    }

    /// Removes the moves that [fall](Game::falls_to) to a threat from some moves of a position that is not over. Games see that faster than one by one.
    fn withstand(&self, position: &Self::Position, threat: Self::Move, moves: &mut Vec<Self::Move>) {
        moves.retain(|mv| !self.falls_to(position, *mv, threat));
    }

    /// What this game can do beyond its rules.
    fn abilities(&self) -> Abilities<Self> {
        Abilities::none()
    }

    /// The position after a move, if the move is legal.
    ///
    /// # Errors
    /// Gives the move back if it is not legal here, or if the game is over.
    fn play(
        &self,
        position: &Self::Position,
        mv: Self::Move,
    ) -> Result<Self::Position, IllegalMove<Self::Move>> {
        let mut moves = Vec::new();
        if self.outcome(position).is_none() {
            self.moves(position, &mut moves);
        }
        if moves.contains(&mv) { Ok(self.after(position, mv)) } else { Err(IllegalMove(mv)) }
    }
}
