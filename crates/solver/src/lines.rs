//! Wins that stand on lines of threats, played out move by move for a certificate.

use quod_model::{Game, Goal, Notation, Player, ThreatsFns, Value};
use quod_proof::{Again, Chooser};

use crate::drive::Driver;
use crate::line::real_move;
use crate::table::Table;

/// The lines of whoever has won.
pub(crate) struct Lines<G: Game> {
    fns: ThreatsFns<G>,
    pub(crate) attacker: Player,
}

impl<G: Game> Lines<G> {
    /// Nothing if the game knows none, or the answer to the question is no win.
    pub(crate) fn of_winner(game: &G, goal: Goal, holds: bool) -> Option<Self> {
        let (lower, upper) = Value::range_seen_by(game.values(), goal.claimant);
        let attacker = match holds {
            true if goal.at_least == upper => goal.claimant,
            false if goal.at_least == lower.above() => goal.claimant.other(),
            _ => return None,
        };
        Self::of_player(game, attacker)
    }

    /// The lines of a player, if the game knows any.
    pub(crate) fn of_player(game: &G, attacker: Player) -> Option<Self> {
        Some(Self { fns: game.abilities().threats?, attacker })
    }

    /// A line of the winner, who is to move.
    pub(crate) fn line(&self, game: &G, position: &G::Position) -> Option<Vec<G::Move>> {
        let mut line = Vec::new();
        (self.fns.line)(game, position, self.attacker, &mut line, &mut 0).then_some(line)
    }

    /// The winner's move in a line, one that wins soonest if it is seen.
    pub(crate) fn first_move(&self, game: &G, position: &G::Position) -> Option<G::Move> {
        game.winning_move(position)
            .or_else(|| (self.fns.double_threat)(game, position))
            .or_else(|| self.line(game, position)?.first().copied())
    }

    /// A line as it is played in a position, if it wins there.
    fn replayed(&self, game: &G, position: &G::Position, line: &[G::Move]) -> Option<Vec<G::Move>> {
        let first = (self.fns.replays)(game, position, line, &mut 0)?;
        let before = (line.first() != Some(&first)).then_some(first);
        Some(before.into_iter().chain(line.iter().copied()).collect())
    }
}

/// Makes the moves of a winner: by lines of threats where there are any, by a table otherwise. A line that is good against many replies is kept against all of
/// them, so that a certificate holds the same moves again and again.
pub(crate) struct Playing<'a, 'w, G: Notation> {
    pub(crate) lines: Lines<G>,
    pub(crate) table: &'a dyn Table<G>,
    pub(crate) goal: Goal,
    pub(crate) holds: bool,
    pub(crate) driver: &'a mut Driver<'w>,
    /// The bytes that are held beside what is gone through, and the most that may be.
    pub(crate) held: u64,
    pub(crate) bytes_max: u64,
    /// The line at each depth: what is left of it there, the move at hand first, and earlier ones, the last first.
    pub(crate) recent: Vec<Vec<Vec<G::Move>>>,
    /// Whether the table has another answer, and not a limit stopped the work.
    pub(crate) apart: bool,
}

/// Lines that are remembered at a depth.
const RECENT: usize = 8;

impl<G: Notation> Chooser<G> for Playing<'_, '_, G> {
    fn choose(&mut self, position: &G::Position, depth: usize) -> Option<G::Move> {
        let game = self.table.game();
        if self.recent.len() <= depth {
            self.recent.resize(depth + 1, Vec::new());
        }
        // What wins soonest is taken, and what was planned is left for replies against which it does not.
        if let Some(mv) = (self.lines.fns.double_threat)(game, position) {
            self.recent[depth].insert(0, Vec::new());
            self.recent[depth].truncate(RECENT);
            return Some(mv);
        }
        let before = depth.checked_sub(2).and_then(|before| self.recent[before].first());
        let going_on = before.and_then(|line| line.get(1..));
        let here = &self.recent[depth];
        let known = going_on.into_iter().chain(here.iter().map(Vec::as_slice));
        let mut known = known.filter_map(|line| self.lines.replayed(game, position, line));
        let line = known.next().or_else(|| self.lines.line(game, position));
        let recent = &mut self.recent[depth];
        if let Some(line) = line {
            let mv = line[0];
            recent.retain(|other| *other != line && !other.is_empty());
            recent.truncate(RECENT - 1);
            recent.insert(0, line);
            return Some(mv);
        }
        // Nothing goes on from here.
        recent.insert(0, Vec::new());
        recent.truncate(RECENT);
        match self.table.winning_move(position, self.goal, self.holds, self.held, self.driver) {
            Again::Move(code) => Some(real_move(game, position, code, self.table.is_symmetric())),
            Again::Apart => {
                self.apart = true;
                None
            }
            Again::Stopped | Again::Solved(_) => None,
        }
    }

    fn goes_on(&mut self, positions: u64) -> bool {
        // Every second one is kept, in a table that is half full.
        let bytes = self.held + positions * size_of::<G::Position>() as u64;
        bytes <= self.bytes_max && self.driver.certifies(positions, self.goal.at_least.0, bytes)
    }
}
