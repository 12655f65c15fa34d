//! The questions of a player: does somebody win from here? Two-valued proof-number search of limited size (Allis, van der Meulen and
//! van den Herik 1994, section 7.3), depth first on tables that last for a game: the search of a move goes on where the last one ended.

use std::sync::Arc;
use std::time::Instant;

use quod_model::{
    AndOr as _, Evaluation, Game, Goal, GoalCursor, Joining, LeafNumbers, Move, Oracle, Player, Relative,
};
use quod_model::{Repetition, StopReason, Verdict};
use quod_search::{Budget, Dfpn, DfpnOptions, Progress, Search as _, SharedTable};

use super::clock::{Clock, SLICE};

/// The size of a table. The paper's tree held 150,000 nodes.
const TABLE_BYTES: u64 = 16 << 20;

/// What became of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// Yes, proven; the code of a move that does it, if the claimant is to move and had to search for one.
    Yes(Option<u32>),
    /// No.
    No,
    /// The search has no room for its path.
    TooHard,
    /// There was no time to find out.
    NoTime,
}

/// Play that led to a position.
#[derive(Clone)]
pub(super) struct Past<P> {
    /// Positions since the last move behind which none can come again, the present one at the end.
    pub(super) positions: Vec<P>,
    /// The moves between them.
    pub(super) codes: Vec<u32>,
}

impl<P: Clone> Past<P> {
    pub(super) fn new(position: P) -> Self {
        Self { positions: vec![position], codes: Vec::new() }
    }

    pub(super) fn present(&self) -> &P {
        self.positions.last().expect("there is a present")
    }

    /// After one move more.
    pub(super) fn after<G: Game<Position = P>>(&self, game: &G, mv: G::Move) -> Self {
        let here = self.present();
        let next = game.after(here, mv);
        let forgets = match game.repetition() {
            Repetition::Impossible => true,
            Repetition::Worth(_) => {
                game.abilities().converts.is_some_and(|converts| converts(game, here, mv))
            }
        };
        if forgets {
            return Self::new(next);
        }
        let mut past = self.clone();
        past.positions.push(next);
        past.codes.push(mv.code());
        past
    }
}

/// Asks one question after the other and remembers what was found, so that a search goes on where that of the last move ended.
pub(super) struct Prover<'g, G: Game> {
    game: &'g G,
    oracle: Option<&'g dyn Oracle<G>>,
    /// Whether First wins, and whether Second does: tables of fixed size.
    tables: [Arc<SharedTable>; 2],
}

impl<'g, G: Game> Prover<'g, G> {
    pub(super) fn new(game: &'g G, oracle: Option<&'g dyn Oracle<G>>) -> Self {
        let cyclic = matches!(game.repetition(), Repetition::Worth(_));
        let table = || Arc::new(SharedTable::new(TABLE_BYTES, cyclic, false));
        Self { game, oracle, tables: [table(), table()] }
    }

    /// Whether `claimant` wins from the present position of `past`.
    ///
    /// A win that is proven is one in the game as it stands, where a position that comes again is endless play. If that is no win for
    /// the claimant, positions of the past count as visited: a proof then leads through none of them, and who follows one after the
    /// other does not walk in circles. A table that remembers this may take a win for none later, never the other way round: no proof
    /// leans on a position that is not won. If endless play is a win, the past does not count: what was played before has shown no way
    /// to keep it.
    pub(super) fn wins(&self, past: &Past<G::Position>, claimant: Player, clock: &mut Clock<'_>) -> Answer {
        let game = self.game;
        let abilities = game.abilities();
        let goal = Goal::new(claimant, Relative(1));
        let leaf = abilities.guess.map_or(LeafNumbers::Mobility, LeafNumbers::Guess);
        let present = past.present();
        let (cyclic, endless_wins) = match game.repetition() {
            Repetition::Impossible => (false, true),
            Repetition::Worth(worth) => (true, goal.is_reached_by(worth(game, present))),
        };
        let from = if endless_wins { present } else { &past.positions[0] };
        let mut cursor = GoalCursor::new(game, from.clone(), goal, leaf).with_oracle(self.oracle);
        if !endless_wins {
            cursor.down(&past.codes);
        }
        cursor.join_from_here(Joining::Everything);
        // What a judge says does not know the path.
        let judged = abilities.decide.is_some() && abilities.decides_quickly && endless_wins;
        let options = DfpnOptions {
            evaluation: if judged { Evaluation::Judged } else { Evaluation::Immediate },
            cyclic,
            ..DfpnOptions::default()
        };
        let table = Arc::clone(&self.tables[claimant as usize]);
        let mut search = Dfpn::new(cursor, options, 1, table, false);
        let mut slice = SLICE;
        let answer = loop {
            if !clock.goes_on(search.counters().nodes) {
                break Answer::NoTime;
            }
            let begun = Instant::now();
            let budget = Budget { nodes_max: clock.nodes_max(), steps_max: slice.steps() };
            let progress = search.advance(budget);
            slice.learn(begun.elapsed());
            match progress {
                Progress::Running => {}
                Progress::Done(Verdict::Proven) => {
                    let own = game.to_move(present) == claimant;
                    break Answer::Yes(search.root_move().filter(|_| own));
                }
                Progress::Done(Verdict::Disproven) => break Answer::No,
                Progress::Done(Verdict::Unknown(StopReason::Nodes)) => break Answer::NoTime,
                Progress::Done(Verdict::Unknown(_)) => break Answer::TooHard,
            }
        };
        // What was found on the way is kept.
        search.come_back();
        clock.spend(search.counters().nodes);
        answer
    }
}
