//! Leaf numbers for depth-first search.

use quod_model::{Game, Goal, Guess, Player};

use super::decide::good_moves;
use super::{ConnectFour, Position};
use crate::bits::Bits;

/// How finely ratios are told apart.
const UNIT: u32 = 16;

/// Moves that do not lose at once, weighed by the ratio of the threats of both sides: cells that complete a row, and
/// above all those in rows that the side gets if every stone is answered in its column.
impl<B: Bits> Guess for ConnectFour<B> {
    fn guess(&self, position: &Position<B>, goal: Goal) -> (u32, u32) {
        let mover = self.to_move(position);
        let empty = self.board & !position.all;
        let losses = self.completing(position.all ^ position.mover, empty);
        let own = self.weight(mover, self.completing(position.mover, empty));
        let other = self.weight(mover.other(), losses);
        let playable = (position.all + self.bottom) & self.board;
        let good = good_moves(playable, losses);
        let phi = (UNIT * other / own).max(1);
        let delta = (UNIT * good.count() * own / other).max(1);
        if mover == goal.claimant { (phi, delta) } else { (delta, phi) }
    }
}

impl<B: Bits> ConnectFour<B> {
    /// What the threats of a player weigh.
    fn weight(&self, player: Player, threats: B) -> u32 {
        let useful = match player {
            Player::First => threats & self.even_rows,
            Player::Second => threats & !self.even_rows,
        };
        1 + 2 * threats.count() + 4 * useful.count()
    }
}
