//! MTD(f) on its table of bounds.

use std::rc::Rc;

use quod_model::{Game, Goal, InputError, Move, Notation, Numbers, Player, Relative, Value, Verdict};
use quod_search::{
    BoundsTable, Budget, Counters, DepthFirst, Interval, Mtdf, Progress, QUESTION_MOST, Search,
    seen_at_a_glance,
};

use crate::drive::Driver;
use crate::request::Aim;
use crate::solve::Answer;
use crate::table::{FirstMove, Table};

/// A table of bounds with the searches that fill it. Its moves are those of the positions themselves, also where the table
/// joins symmetric ones.
pub(crate) struct BoundsSearch<'g, G: Game> {
    game: &'g G,
    symmetric: bool,
    table: BoundsTable,
}

impl<'g, G: Notation> BoundsSearch<'g, G> {
    /// In so many bytes.
    pub(crate) fn new(game: &'g G, symmetric: bool, bytes: u64) -> Self {
        /// What the path needs.
        const PATH_BYTES: u64 = 64 << 10;
        Self { game, symmetric, table: BoundsTable::new(bytes - PATH_BYTES.min(bytes / 2)) }
    }

    fn search(&self, position: &G::Position, asked: Interval) -> Mtdf<'g, G> {
        Mtdf::new(self.game, position.clone(), asked, Value::DRAW, self.symmetric, self.table.clone())
    }

    /// A search whether the side to move reaches a goal if it is its own, or else keeps the other side from it; and which it is.
    fn search_for(&self, position: &G::Position, goal: Goal) -> (Mtdf<'g, G>, bool) {
        let (claimant, mover) = (goal.claimant, self.game.to_move(position));
        let own = mover == claimant;
        let question =
            if own { goal.at_least } else { goal.at_least.for_first(claimant).seen_by(mover).above() };
        (self.search(position, Interval::of_question(question)), own)
    }

    /// Searches for what is asked about the root: what shows the lower and the upper bound.
    pub(crate) fn answer(
        &self,
        root: &G::Position,
        aim: Aim,
        driver: &mut Driver<'_>,
    ) -> (Option<Answer>, Option<Answer>) {
        let known = driver.interval;
        let asked = match aim {
            Aim::Value => known,
            Aim::AtLeast(value) => Interval::of_question(Relative(value)),
        };
        if known.lower >= asked.upper || known.upper <= asked.lower {
            return (None, None);
        }
        let mut search = self.search(root, asked);
        driver.run(&mut search, asked, 0);
        let Interval { lower, upper } = driver.interval;
        let answer = |at_least, holds: bool, code: Option<u32>| Answer {
            goal: Goal::new(self.game.to_move(root), at_least),
            holds,
            tree: code.map(|code| Rc::new(FirstMove(code)) as _),
            symmetric: false,
        };
        let below = (lower > known.lower).then(|| answer(lower, true, search.root_move()));
        let above = (upper < known.upper).then(|| answer(upper.above(), false, None));
        (below, above)
    }
}

/// Whether a search for one question has found that it is reached.
fn is_reached<G: Game>(search: &Mtdf<'_, G>, asked: Interval) -> bool {
    search.standing().is_some_and(|standing| standing.proven.lower >= asked.upper)
}

/// A search whose bounds are none of the root's.
struct Aside<'s, S>(&'s mut S);

impl<S: Search> Search for Aside<'_, S> {
    fn advance(&mut self, budget: Budget) -> Progress {
        self.0.advance(budget)
    }
    fn root_numbers(&self) -> Numbers {
        self.0.root_numbers()
    }
    fn depth_first(&self) -> Option<DepthFirst> {
        self.0.depth_first()
    }
    fn counters(&self) -> Counters {
        self.0.counters()
    }
}

/// Refuses a game with more values than a table can tell apart.
pub(crate) fn check_outcomes(outcomes: i64) -> Result<(), InputError> {
    if outcomes <= i64::from(QUESTION_MOST) {
        return Ok(());
    }
    let problem = format!("the game has {outcomes} outcomes, and it can have {QUESTION_MOST}");
    Err(InputError::new("algorithm", "mtdf", problem).hint("dfpn asks one question after the other"))
}

impl<G: Notation> Table<G> for BoundsSearch<'_, G> {
    fn game(&self) -> &G {
        self.game
    }

    fn is_symmetric(&self) -> bool {
        false
    }

    fn bytes(&self) -> u64 {
        self.table.bytes()
    }

    fn knows_one_question(&self) -> bool {
        false
    }

    fn known(&self, position: &G::Position, goal: Goal, _: Option<bool>) -> Vec<(u32, Option<(bool, u16)>)> {
        let game = self.game;
        // The question that is put to First.
        let at_least = match goal.claimant {
            Player::First => goal.at_least.for_first(Player::First),
            Player::Second => goal.at_least.for_first(Player::Second).above(),
        };
        let mut moves = Vec::new();
        game.moves(position, &mut moves);
        let answer = |mv: G::Move| {
            let position = game.after(position, mv);
            if let Some(holds) = goal.settled_by(seen_at_a_glance(game, &position, at_least)) {
                return (mv.code(), Some((holds, 0)));
            }
            let bounds = self.table.bounds(game, &position, self.symmetric);
            (mv.code(), bounds.and_then(|bounds| goal.settled_by(bounds)).map(|holds| (holds, 1)))
        };
        moves.into_iter().map(answer).collect()
    }

    fn search_again(
        &self,
        position: &G::Position,
        goal: Goal,
        held: u64,
        driver: &mut Driver<'_>,
    ) -> (Verdict, Option<u32>) {
        let (mut search, own) = self.search_for(position, goal);
        let asked = search.standing().expect("it is for a value").proven;
        let solved = driver.run(&mut Aside(&mut search), asked, held);
        match solved {
            Verdict::Unknown(reason) => (Verdict::Unknown(reason), None),
            _ if is_reached(&search, asked) == own => (Verdict::Proven, search.root_move()),
            _ => (Verdict::Disproven, search.root_move()),
        }
    }

    /// Searches where the table knows nothing, such as where moves had no choice. Nobody waits long for it, and it counts for
    /// nothing: the question is answered.
    fn found_move(&self, position: &G::Position, goal: Goal, holds: bool) -> Option<u32> {
        const STEPS_MAX: u64 = 1 << 16;
        self.known_move(position, goal, holds).or_else(|| {
            let (mut search, _) = self.search_for(position, goal);
            search.advance(Budget { steps_max: STEPS_MAX, ..Budget::UNLIMITED });
            search.root_move()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quod_model::testkit::{Mirrored, Truth, random_dag_of, random_tree_of};

    use crate::Limits;

    /// What is known and what is searched again must be the truth, for goals of both players.
    fn check<G: Notation>(game: &G) -> u64 {
        let truth = Truth::new(game, &game.start());
        let search = BoundsSearch::new(game, true, 1 << 16);
        let (low, high) = game.values();
        let whole = Interval { lower: Relative(low.0), upper: Relative(high.0) };
        let watch = &mut ();
        let mut driver = Driver::new(Limits::default(), whole, watch);
        let mut known = 0;
        for (position, value) in truth.iter().filter(|(position, _)| game.outcome(position).is_none()) {
            for claimant in [Player::First, Player::Second] {
                let (lower, upper) = Value::range_seen_by((low, high), claimant);
                for at_least in (lower.0 + 1..=upper.0).map(Relative) {
                    let goal = Goal::new(claimant, at_least);
                    let holds = goal.is_reached_by(value);
                    let (verdict, code) = search.search_again(position, goal, 0, &mut driver);
                    assert_eq!(verdict, if holds { Verdict::Proven } else { Verdict::Disproven });
                    // Whoever has what it wants has a move for it.
                    let wins = (game.to_move(position) == claimant) == holds;
                    assert_eq!(code.is_some(), wins);
                    let keeps = |code| {
                        let behind = game.after(position, G::Move::from_code(code));
                        goal.is_reached_by(truth.value(&behind)) == holds
                    };
                    assert!(
                        code.is_none_or(keeps) && search.found_move(position, goal, holds).is_none_or(keeps)
                    );
                    for (code, answer) in search.known(position, goal, None) {
                        let behind = game.after(position, G::Move::from_code(code));
                        if let Some((answer, _)) = answer {
                            assert_eq!(answer, goal.is_reached_by(truth.value(&behind)));
                            known += 1;
                        }
                    }
                }
            }
        }
        known
    }

    #[test]
    fn what_the_table_says_is_true_for_both_players() {
        let mut known = 0;
        for seed in 0..100 {
            known += check(&random_tree_of(seed, 30, 5)) + check(&random_dag_of(seed, 20, 4));
            known += check(&Mirrored(random_dag_of(seed, 8, 5)));
        }
        assert!(known > 5_000, "{known}");
    }
}
