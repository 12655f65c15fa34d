//! What can be told of a position at a glance.
//!
//! All rules work on sets of cells for the whole board: the cells that complete a row for a side, whether they can
//! be played now or not, are worked out once.
//!
//! **Threats.** The player to move wins at once on a cell that completes a row. Otherwise a move is *good* if it
//! leaves the opponent no such cell: it takes the only one that the opponent could play, and does not open another
//! one right above itself. Without a good move the opponent wins with the next stone. With a single good move the
//! value is that of the position behind it, since every other move allows the earliest loss that there is; so such
//! moves are followed to where they end.
//!
//! **Answers.** The opponent of the player to move, the *follower*, can often answer every stone of the player to
//! move, the *leader*, until the board is full:
//!
//! - in a column with an even number of empty cells, by a stone on top of it. The leader gets the first, third, ...
//!   empty cell of the column, the follower the others.
//! - in a column with an odd number of empty cells, and another one of that kind, the two first cells are a pair:
//!   when the leader takes one, the follower takes the other, and both columns are even from then on. The leader
//!   may get either of the two, and gets the second, fourth, ... empty cell; the follower gets the third, fifth,
//!   ... one. So the number of such columns has to be even.
//! - in a column in which the second or fourth or ... empty cell completes a row for the follower already, again by
//!   a stone on top: the follower gets that cell and wins, nobody gets a cell above it, and it does not matter how
//!   many there are. An odd column of this kind may be treated so or be paired, as the follower likes.
//!
//! If the leader's stones with all the cells that the leader could get make no row, the leader cannot win. If
//! moreover some column ends the game, the follower wins, since the leader is always to move and every other column
//! is full some day. If none does, the board is full in the end; then the follower wins if the follower's stones
//! with the cells that are the follower's for certain make a row. For Second this is "claimeven"; for First it is
//! the odd threat that Second has to play below when nothing else is left.
//!
//! **How late.** Where columns end the game, the cells from the winning one up stay empty in each, and so does the cell
//! below it in all of them but the last, where the leader gives in: the winning stone is the second one after everything
//! else is full. A row is complete when the last of its cells is taken, and what is above that cell is empty then: if the
//! row lies below the highest `above` cells of its columns, so many cells are left. Both together: whichever column
//! the leader puts off, that of the row or one that ends the game, the cells that both leave empty are left.
//!
//! **Unrolling.** What is said here can be played out move by move, judged by the same rules: a single good move
//! leads to where they say the same. Whatever the leader plays, after the follower's answer the leader still has
//! the move and could get fewer cells than before; the columns that ended the game still do, and others are even as
//! before. New cells that complete a row for the follower are new choices, none is lost.

use quod_model::{Decide, Game, Goal, Player, Value};

use super::{ConnectFour, Position};
use crate::bits::Bits;

/// A position with what its threats are.
pub(super) struct Threats<B> {
    pub(super) mover: Player,
    /// Stones of the player to move.
    pub(super) own: B,
    pub(super) all: B,
    pub(super) stones: u32,
    /// The empty cells.
    pub(super) empty: B,
    /// The cells that can be played.
    pub(super) playable: B,
    /// The empty cells that complete a row for the player to move.
    pub(super) wins: B,
    /// Those that complete one for the opponent.
    pub(super) losses: B,
}

impl<B: Bits> ConnectFour<B> {
    #[inline]
    pub(super) fn threats(&self, position: &Position<B>) -> Threats<B> {
        let (own, all) = (position.mover, position.all);
        let empty = self.board & !all;
        Threats {
            mover: self.to_move(position),
            own,
            all,
            stones: u32::from(position.stones),
            empty,
            playable: (all + self.bottom) & self.board,
            wins: self.completing(own, empty),
            losses: self.completing(all ^ own, empty),
        }
    }

    /// The threats after a stone on a cell.
    #[inline]
    pub(super) fn threats_after(&self, threats: &Threats<B>, cell: B) -> Threats<B> {
        let all = threats.all | cell;
        let empty = self.board & !all;
        Threats {
            mover: threats.mover.other(),
            own: threats.all ^ threats.own,
            all,
            stones: threats.stones + 1,
            empty,
            playable: (all + self.bottom) & self.board,
            wins: threats.losses & empty,
            losses: self.completing(threats.own | cell, empty),
        }
    }

    /// What answers are worth at least to the follower, seen by First, with the best choice of columns that end
    /// the game.
    #[inline]
    pub(super) fn followers_bound(&self, threats: &Threats<B>) -> Option<Value> {
        let (even, odd) = (self.even_rows, self.board ^ self.even_rows);
        let leaders =
            (self.upwards(threats.playable & even) & even) | (self.upwards(threats.playable & odd) & odd);
        let ends = self.upwards(threats.losses & !leaders);
        let odd_columns = leaders & self.top;
        let choices = odd_columns & ends;
        let (mut chosen, mut bound) = (B::NONE, None);
        let follower = threats.mover.other();
        loop {
            let paired = odd_columns ^ chosen;
            if paired.count().is_multiple_of(2)
                && let Some(last) = self.answers(threats, leaders, ends, paired)
            {
                let least = match last {
                    None => Value::DRAW,
                    Some(stone) => self.win(follower, stone),
                };
                bound = Some(bound.map_or(least, |bound| follower.better(bound, least)));
            }
            if chosen == choices {
                return bound;
            }
            // The next subset: counting up in the bits that may be chosen.
            chosen = ((chosen | !choices) + B::ONE) & choices;
        }
    }

    /// Whether the leader cannot win against answers, and with which stone at the latest the follower then wins, if
    /// at all. `leaders` are the leader's cells if all answers are in the same column, `paired` the highest cells of
    /// the columns that are paired.
    #[inline]
    fn answers(&self, threats: &Threats<B>, leaders: B, ends: B, paired: B) -> Option<Option<u32>> {
        let columns = self.upwards(paired >> (self.height - 1));
        let ended = ends & !columns;
        let swapped = leaders ^ (threats.empty & columns);
        let leaders = swapped | (threats.playable & columns);
        if self.has_row(threats.own | (leaders & !ended)) {
            return None;
        }
        let followers =
            (threats.all ^ threats.own) | (threats.empty & !leaders & !self.upwards(self.downwards(ended)));
        let mut last = None;
        let filled = if ended == B::NONE {
            self.cells()
        } else {
            let filled = self.cells() - ended.count() - (ended & self.top).count();
            last = Some(filled + 2);
            filled
        };
        // The row is complete when the last of its cells is filled, and what is above that cell is empty then.
        let mut above = 0;
        let mut low = self.board;
        while above < self.height && self.has_row(followers & low) {
            last = Some(filled - above);
            above += 1;
            low = low & (low >> 1);
        }
        Some(last)
    }

    /// In each column, the lowest of some cells and everything above it. A column of ones with a number added to it has
    /// the number less one below a carry: that turns over the lowest one of the number and what is below it.
    #[inline]
    fn upwards(&self, cells: B) -> B {
        (((self.board + cells) ^ self.board) | cells) & self.board
    }

    /// The lowest cells of the columns of which some cells are the highest.
    #[inline]
    fn downwards(&self, cells: B) -> B {
        (cells & self.top) >> (self.height - 1)
    }
}

/// The playable cells that leave the opponent, who completes a row on `losses`, no such cell to play; where the opponent has
/// several already, each that takes one of them.
#[inline]
pub(super) fn good_moves<B: Bits>(playable: B, losses: B) -> B {
    let (forced, safe) = (losses & playable, playable & !(losses >> 1));
    if forced == B::NONE { safe } else { safe & forced }
}

/// Whether a goal is settled by a value that `player` reaches at least.
#[inline]
fn settled_by_least(goal: Goal, player: Player, least: Value) -> Option<bool> {
    let holds = goal.claimant == player;
    (goal.is_reached_by(least) == holds).then_some(holds)
}

impl<B: Bits> Decide for ConnectFour<B> {
    fn decide(&self, position: &Position<B>, goal: Goal) -> Option<bool> {
        let mut threats = self.threats(position);
        loop {
            let playable = threats.playable;
            if threats.wins & playable != B::NONE {
                return Some(goal.is_reached_by(self.win(threats.mover, threats.stones + 1)));
            }
            let good = good_moves(playable, threats.losses);
            if good == B::NONE || (threats.losses & playable).is_many() {
                return Some(goal.is_reached_by(self.win(threats.mover.other(), threats.stones + 2)));
            }
            if let Some(least) = self.followers_bound(&threats)
                && let Some(holds) = settled_by_least(goal, threats.mover.other(), least)
            {
                return Some(holds);
            }
            if good.is_many() {
                return None;
            }
            threats = self.threats_after(&threats, good);
            if threats.empty == B::NONE {
                return Some(goal.is_reached_by(Value::DRAW));
            }
        }
    }
}
