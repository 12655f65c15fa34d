//! How far a win looks.

use quod_model::{Goal, Guess};

use super::{Antichess, Position};
use crate::men;

/// A player has won when all men are gone, so every man is work to do, and work that every move of the other makes again. Depth
/// first, 1. d4, 1. d3 and 1. e4 take 8,524, 6,300 and 13,077 nodes with this, and 15,583, 12,092 and 13,777 with mobility alone.
impl Guess for Antichess {
    #[inline]
    fn guess(&self, position: &Position, goal: Goal) -> (u32, u32) {
        let side = position.side;
        let [own, theirs] = [side, !side].map(|color| position.men(color).len() + 1);
        let (mover, other) = (own, theirs * position.count(side));
        if men::player(side) == goal.claimant { (mover, other) } else { (other, mover) }
    }
}
