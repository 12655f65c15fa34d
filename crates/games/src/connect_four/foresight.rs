//! What a search for scores wants to know: the moves that do not lose at once, best first, and what answers show of each.

use quod_model::{Ahead, Foresight, Game, Notes, Sight, Value};

use super::decide::{Threats, good_moves};
use super::{ConnectFour, Position};
use crate::bits::Bits;

impl<B: Bits> Foresight for ConnectFour<B> {
    fn foresee(
        &self,
        position: &Position<B>,
        notes: Option<&Notes>,
        at_least: Value,
        sight: &mut Sight<Self>,
    ) -> (Value, Value) {
        let threats = match notes {
            None => self.threats(position),
            Some(notes) => self.noted(position, notes),
        };
        let (mover, stones) = (threats.mover, threats.stones);
        if threats.wins & threats.playable != B::NONE {
            let win = self.win(mover, stones + 1);
            return (win, win);
        }
        let good = good_moves(threats.playable, threats.losses);
        if good == B::NONE || (threats.losses & threats.playable).is_many() {
            let loss = self.win(mover.other(), stones + 2);
            return (loss, loss);
        }
        let (soon, least) = (self.win(mover, stones + 3), self.win(mover.other(), stones + 4));
        let range = (least.min(soon), least.max(soon));
        if range.0 >= at_least || range.1 < at_least {
            return range;
        }
        sight.rest = mover.other().best();
        let begin = sight.moves.len();
        let mut left = good;
        while let Some(at) = left.lowest() {
            let cell = B::ONE << at;
            left = left ^ cell;
            sight.made += 1;
            let next = self.threats_after(&threats, cell);
            let promise = self.promise(&threats, &next, at);
            let (lower, upper, last) = self.behind(next, at_least, sight);
            let (sure, most) = mover.range(lower, upper);
            if mover.likes(sure, at_least) {
                // No other move has to be looked at for this question.
                sight.moves.truncate(begin);
                return (sure.min(soon), sure.max(soon));
            }
            if !mover.likes(most, at_least) {
                sight.rest = mover.better(sight.rest, most);
                continue;
            }
            let ahead = Ahead {
                mv: self.columns[at as usize],
                position: Position { mover: last.own, all: last.all, stones: last.stones as u8 },
                lower,
                upper,
                promise,
                notes: notes_of(&last),
            };
            sight.insert(begin, ahead);
        }
        if sight.moves.len() == begin { (least.min(sight.rest), least.max(sight.rest)) } else { range }
    }
}

/// The threats of both sides, where the board fits into a word.
#[inline]
fn notes_of<B: Bits>(threats: &Threats<B>) -> Option<Notes> {
    Some([threats.wins.word()?, threats.losses.word()?])
}

impl<B: Bits> ConnectFour<B> {
    /// The threats of a position that notes were taken of.
    #[inline]
    fn noted(&self, position: &Position<B>, notes: &Notes) -> Threats<B> {
        let all = position.all;
        Threats {
            mover: self.to_move(position),
            own: position.mover,
            all,
            stones: u32::from(position.stones),
            empty: self.board & !all,
            playable: (all + self.bottom) & self.board,
            wins: B::from_word(notes[0]),
            losses: B::from_word(notes[1]),
        }
    }

    /// Bounds behind a move that leaves the opponent no win at once, and where moves without a choice lead from there.
    #[inline]
    fn behind(
        &self,
        mut next: Threats<B>,
        at_least: Value,
        sight: &mut Sight<Self>,
    ) -> (Value, Value, Threats<B>) {
        loop {
            if next.empty == B::NONE {
                return (Value::DRAW, Value::DRAW, next);
            }
            let (leader, follower) = (next.mover, next.mover.other());
            let good = good_moves(next.playable, next.losses);
            if good == B::NONE || (next.losses & next.playable).is_many() {
                let win = self.win(follower, next.stones + 2);
                return (win, win, next);
            }
            let (most, least) = (self.win(follower, next.stones + 4), self.win(leader, next.stones + 3));
            let range = (most.min(least), most.max(least));
            if range.0 >= at_least || range.1 < at_least {
                return (range.0, range.1, next);
            }
            if good.is_many() || sight.made + u64::from(self.width) >= sight.made_max {
                let sure = self.followers_bound(&next).map_or(least, |bound| follower.better(least, bound));
                return (sure.min(most), sure.max(most), next);
            }
            sight.made += 1;
            next = self.threats_after(&next, good);
        }
    }

    /// How good a move looks: threats that it leaves its player with, those that force an answer above all, but none right above
    /// the move that was there before, which the answer takes away. Then the cell.
    #[inline]
    fn promise(&self, threats: &Threats<B>, next: &Threats<B>, at: u32) -> u32 {
        let spoils = threats.wins & (B::ONE << (at + 1)) != B::NONE;
        let forces = next.losses & next.playable & !threats.wins != B::NONE;
        let threats = 4 + 2 * next.losses.count() + u32::from(forces) - 4 * u32::from(spoils);
        let order = self.order[at as usize];
        (threats << 16) + u32::from(order)
    }
}
