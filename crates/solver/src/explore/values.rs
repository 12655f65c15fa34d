//! What every move of a position is worth.

use std::time::Duration;

use quod_model::{InputError, Notation, Oracle, Relative, Value};

use super::noun;
use crate::drive::{Snapshot, Watch};
use crate::request::{Limits, Request};
use crate::solve::solve_leaning;

/// What is known of a move's worth, for the player who makes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveValue {
    /// The move.
    pub mv: String,
    /// At least this.
    pub lower: i32,
    /// At most this.
    pub upper: i32,
    /// The same in the game's words; empty if nothing is known.
    pub text: String,
    /// In how many moves of its own the winner wins at the latest, this one included if it is the winner's; nothing if that is not known, or
    /// nobody wins.
    pub wins_in: Option<u32>,
    /// Whether no other move can be better.
    pub is_best: bool,
}

/// Somebody who wants to know what moves are worth.
pub trait FollowValues {
    /// Called often. False ends the work.
    fn goes_on(&mut self) -> bool;

    /// Told of every move at first, and then whenever more is known of one.
    fn value(&mut self, value: &MoveValue);
}

/// The time for a move in the first round, and how often there is a round with four times as much.
const FIRST_ROUND: Duration = Duration::from_millis(40);
const ROUNDS: u32 = 6;
const MEMORY: u64 = 256 << 20;

struct Going<'f>(&'f mut dyn FollowValues);

impl Watch for Going<'_> {
    fn goes_on(&mut self, _: &Snapshot) -> bool {
        self.0.goes_on()
    }
}

struct Behind<P> {
    position: P,
    mv: String,
    lower: Relative,
    upper: Relative,
    wins_in: Option<u32>,
    /// What was told last.
    told: Option<MoveValue>,
}

/// Looks behind every move for a short time, then for longer where that was not enough, and so on. True when everything is known.
pub(crate) fn value_moves<G: Notation>(
    game: &G,
    root: &G::Position,
    oracle: Option<&dyn Oracle<G>>,
    follow: &mut dyn FollowValues,
) -> Result<bool, InputError> {
    let mover = game.to_move(root);
    let mut moves = Vec::new();
    if game.outcome(root).is_none() {
        game.moves(root, &mut moves);
    }
    let range = Value::range_seen_by(game.values(), mover);
    let behind = |mv: &G::Move| {
        let position = game.after(root, *mv);
        let known = game.outcome(&position).map(|value| (value.seen_by(mover), value.seen_by(mover)));
        let (lower, upper) = known.unwrap_or(range);
        // A win by this very move.
        let wins_in = known.and_then(|(lower, _)| (lower > Relative(0)).then_some(1));
        Behind { mv: game.move_text(root, *mv), position, lower, upper, wins_in, told: None }
    };
    let mut all: Vec<_> = moves.iter().map(behind).collect();
    tell(game, &mut all, range, follow);
    for round in 0..ROUNDS {
        for at in 0..all.len() {
            let Behind { position, lower, upper, .. } = &all[at];
            if lower == upper {
                continue;
            }
            let limits = Limits {
                time: Some(FIRST_ROUND * 4u32.pow(round)),
                memory: Some(MEMORY.min(crate::memory::three_quarters_free())),
                nodes: None,
            };
            let request = Request { limits, ..Request::default() };
            let solution = solve_leaning(game, position, &request, oracle, &mut Going(follow))?;
            let report = &solution.report;
            let (mut low, mut high) = (Relative(report.lower), Relative(report.upper));
            let same = game.to_move(position) == mover;
            if !same {
                (low, high) = (Relative(-high.0), Relative(-low.0));
            }
            let place = &mut all[at];
            (place.lower, place.upper) = (place.lower.max(low), place.upper.min(high));
            let (own, other) = if same {
                (solution.wins_in, solution.loses_in)
            } else {
                (solution.loses_in, solution.wins_in)
            };
            place.wins_in = own.map(|moves| moves + 1).or(other);
            if !follow.goes_on() {
                return Ok(false);
            }
            tell(game, &mut all, range, follow);
        }
    }
    Ok(all.iter().all(|behind| behind.lower == behind.upper))
}

/// Tells what is new.
fn tell<G: Notation>(
    game: &G,
    all: &mut [Behind<G::Position>],
    range: (Relative, Relative),
    follow: &mut dyn FollowValues,
) {
    let most = all.iter().map(|behind| behind.upper).max().unwrap_or(range.1);
    for behind in all {
        let Behind { lower, upper, .. } = *behind;
        let text = match (lower > range.0, upper < range.1) {
            _ if lower == upper => game.value_text(lower),
            (true, true) => format!("{} to {}", game.value_text(lower), game.value_text(upper)),
            (true, false) => format!("at least {}", noun(game, lower)),
            (false, true) => format!("at most {}", noun(game, upper)),
            (false, false) => String::new(),
        };
        let value = MoveValue {
            mv: behind.mv.clone(),
            lower: lower.0,
            upper: upper.0,
            text,
            wins_in: behind.wins_in,
            is_best: lower == upper && lower == most,
        };
        if behind.told.as_ref() != Some(&value) {
            follow.value(&value);
            behind.told = Some(value);
        }
    }
}
