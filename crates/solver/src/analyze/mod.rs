//! Post-mortem analysis: the values of all positions of a finished game, from its end backwards (Allis, van der Meulen and van
//! den Herik 1994, section 6.2), and which moves were mistakes.
//!
//! The mover of a position gets at least what the move of the game gets, and that was found before. So the first question
//! about a position is whether another move gets more; where that is answered with no, nothing else is asked. At the end what
//! is known of a position bounds what is behind it from the other side.
//!
//! A value is that of the position itself: how often it has been on the board before does not count.

mod report;

use std::time::{Duration, Instant};

use quod_model::{InputError, Notation, Oracle, Player, Relative, Value};
use quod_search::Interval;

pub use report::{Analysis, AnalysisEnd, AnalyzedMove, Judgement, LastPosition, Mistakes, Range};

use crate::drive::Watch;
use crate::report::Stop;
use crate::request::{Aim, Limits, Request};
use crate::solve::solve_within;

/// How a game is analyzed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnalyzeRequest {
    /// How every position is solved, and its limits. What it asks for is not used, nor a wish for a certificate.
    pub request: Request,
    /// The time for all positions together.
    pub total_time: Option<Duration>,
    /// After so many positions in a row that are not solved, it ends.
    pub unsolved_max: usize,
}

impl Default for AnalyzeRequest {
    fn default() -> Self {
        Self { request: Request::default(), total_time: None, unsolved_max: 4 }
    }
}

/// Somebody who looks on at an analysis.
pub trait Follow: Watch {
    /// Called before a position is looked at: its ply, from 1, and the number of positions.
    fn comes_to(&mut self, ply: usize, positions: usize);
}

/// Nobody looks on.
impl Follow for () {
    fn comes_to(&mut self, _: usize, _: usize) {}
}

/// What is known of a position.
struct Known {
    /// Bounds on its value for First.
    bounds: (Value, Value),
    /// A move that gets its mover more than the move of the game.
    better_move: Option<String>,
    nodes: u64,
    seconds: f64,
    stop: Option<Stop>,
}

impl Known {
    fn is_solved(&self) -> bool {
        self.bounds.0 == self.bounds.1
    }

    /// Takes that its value is no better than this for a player.
    fn at_most(&mut self, player: Player, most: Value) {
        match player {
            Player::First => self.bounds.1 = self.bounds.1.min(most),
            Player::Second => self.bounds.0 = self.bounds.0.max(most),
        }
    }
}

/// Analyzes the game that a score tells, from `start`, with exact values from outside if there are any.
///
/// # Errors
/// If a move of the score cannot be played, or the request cannot be carried out for this game.
///
/// ```
/// use quod_model::{Game, testkit::Graph};
/// use quod_solver::{AnalyzeRequest, Judgement, analyze};
///
/// let game: Graph = "a max: b c\n b = 0\n c min: d e\n d = 2\n e = 1".parse().unwrap();
/// let analysis = analyze(&game, &game.start(), "1. b", &AnalyzeRequest::default(), None, &mut ()).unwrap();
/// let b = &analysis.moves[0];
/// assert_eq!((b.before.value, b.after.value, b.judgement), (Some(1), Some(0), Judgement::Mistake));
/// assert_eq!((b.cost_least, b.best_move.as_deref()), (1, Some("c")));
/// ```
pub fn analyze<G: Notation>(
    game: &G,
    start: &G::Position,
    score: &str,
    how: &AnalyzeRequest,
    oracle: Option<&dyn Oracle<G>>,
    watch: &mut dyn Follow,
) -> Result<Analysis, InputError> {
    let played = game.parse_score(start, score)?;
    let mut positions = vec![start.clone()];
    for mv in &played {
        positions.push(game.after(&positions[positions.len() - 1], *mv));
    }
    let begun = Instant::now();
    let unknown = || Known { bounds: game.values(), better_move: None, nodes: 0, seconds: 0.0, stop: None };
    let mut known: Vec<Known> = positions.iter().map(|_| unknown()).collect();
    let mut end = AnalysisEnd::Start;
    let mut unsolved = 0;
    for at in (0..positions.len()).rev() {
        let left = how.total_time.map(|total| total.saturating_sub(begun.elapsed()));
        if left.is_some_and(|left| left.is_zero()) {
            end = AnalysisEnd::Time;
            break;
        }
        watch.comes_to(at + 1, positions.len());
        let behind = known.get(at + 1).map(|known| known.bounds);
        known[at] = look(
            game,
            &positions[at],
            behind,
            oracle,
            Request { limits: within(how.request.limits, left), ..how.request },
            watch,
        )?;
        if known[at].stop == Some(Stop::Interrupted) {
            end = AnalysisEnd::Interrupted;
            break;
        }
        unsolved = if known[at].is_solved() { 0 } else { unsolved + 1 };
        if unsolved >= how.unsolved_max.max(1) && at > 0 {
            end = AnalysisEnd::Unsolved;
            break;
        }
    }
    // No move gets more than its mover has: what is known of a position bounds the one behind it.
    for at in 1..positions.len() {
        let mover = game.to_move(&positions[at - 1]);
        let most = mover.range(known[at - 1].bounds.0, known[at - 1].bounds.1).1;
        known[at].at_most(mover, most);
    }
    Ok(told(game, &played, &positions, known, end, begun.elapsed()))
}

/// Limits that leave no more than so much time.
fn within(limits: Limits, time: Option<Duration>) -> Limits {
    Limits { time: limits.time.into_iter().chain(time).min(), ..limits }
}

/// Finds out what a position is worth, where the move of the game gets the mover `behind`.
fn look<G: Notation>(
    game: &G,
    position: &G::Position,
    behind: Option<(Value, Value)>,
    oracle: Option<&dyn Oracle<G>>,
    request: Request,
    watch: &mut dyn Watch,
) -> Result<Known, InputError> {
    let mut known =
        Known { bounds: game.values(), better_move: None, nodes: 0, seconds: 0.0, stop: Some(Stop::Solved) };
    if let Some(value) = game.outcome(position) {
        known.bounds = (value, value);
        return Ok(known);
    }
    let mover = game.to_move(position);
    let (lowest, highest) = Value::range_seen_by(game.values(), mover);
    let mut interval = Interval { lower: lowest, upper: highest };
    let mut first_question = None;
    if let Some(behind) = behind {
        let (lower, upper) = Value::range_seen_by(behind, mover);
        interval.lower = lower;
        // Whether there is a better move. If the game's move is not known exactly, the search chooses its questions itself.
        first_question = (lower == upper).then(|| Aim::AtLeast(lower.above().0));
    }
    let mut limits = request.limits;
    for aim in first_question.into_iter().chain([Aim::Value]) {
        if interval.lower >= interval.upper {
            break;
        }
        let request = Request { aim, limits, certificate: false, ..request };
        let report = solve_within(game, position, &request, oracle, Some(interval), None, watch)?.report;
        interval = Interval { lower: Relative(report.lower), upper: Relative(report.upper) };
        known.better_move = report.best_move.or(known.better_move);
        known.nodes += report.nodes;
        known.seconds += report.seconds;
        known.stop = Some(report.stop);
        if report.stop != Stop::Solved {
            break;
        }
        limits = Limits {
            nodes: limits.nodes.map(|nodes| nodes.saturating_sub(report.nodes)),
            time: limits.time.map(|time| time.saturating_sub(Duration::from_secs_f64(report.seconds))),
            ..limits
        };
    }
    let (one, other) = (interval.lower.for_first(mover), interval.upper.for_first(mover));
    known.bounds = (one.min(other), one.max(other));
    Ok(known)
}

/// Everything in words and numbers that people see.
fn told<G: Notation>(
    game: &G,
    played: &[G::Move],
    positions: &[G::Position],
    known: Vec<Known>,
    end: AnalysisEnd,
    took: Duration,
) -> Analysis {
    let solved_from = known.iter().rposition(|known| !known.is_solved()).map_or(1, |at| at + 2);
    let solved = known.iter().filter(|known| known.is_solved()).count();
    let nodes = known.iter().map(|known| known.nodes).sum();
    let moves: Vec<AnalyzedMove> =
        (0..played.len()).map(|at| told_move(game, at, played[at], &positions[at], &known)).collect();
    let (final_position, final_known) = (&positions[played.len()], &known[played.len()]);
    let to_move = game.to_move(final_position);
    let last = LastPosition {
        position: game.position_text(final_position),
        to_move: game.player_name(to_move),
        over: game.outcome(final_position).is_some(),
        value: Range::new(game, final_known.bounds, to_move),
        nodes: final_known.nodes,
        seconds: final_known.seconds,
        stop: final_known.stop,
    };
    let of_player = |player: Player| {
        let own = || moves.iter().filter(|mv| mv.by_first == (player == Player::First));
        let judged = |judgement| own().filter(|mv| mv.judgement == judgement).count();
        Mistakes {
            player: game.player_name(player),
            mistakes: judged(Judgement::Mistake),
            cost_least: own().map(|mv| i64::from(mv.cost_least)).sum(),
            unknown: judged(Judgement::Unknown),
        }
    };
    Analysis {
        game: game.game_text(),
        start: game.position_text(&positions[0]),
        values: (game.values().0.0, game.values().1.0),
        players: [Player::First, Player::Second].map(|player| game.player_name(player)),
        last,
        solved_from: (solved_from <= positions.len()).then_some(solved_from),
        solved,
        mistakes: [of_player(Player::First), of_player(Player::Second)],
        end,
        nodes,
        seconds: took.as_secs_f64(),
        moves,
    }
}

fn told_move<G: Notation>(
    game: &G,
    at: usize,
    mv: G::Move,
    position: &G::Position,
    known: &[Known],
) -> AnalyzedMove {
    let mover = game.to_move(position);
    let before = Range::new(game, known[at].bounds, mover);
    let after = Range::new(game, known[at + 1].bounds, mover);
    let cost_least = before.lower.saturating_sub(after.upper).max(0);
    let cost_most = before.upper.saturating_sub(after.lower);
    let judgement = match (cost_least, cost_most) {
        (_, 0) => Judgement::Best,
        (0, _) => Judgement::Unknown,
        _ => Judgement::Mistake,
    };
    let best_move = known[at].better_move.clone().filter(|_| judgement == Judgement::Mistake);
    AnalyzedMove {
        ply: at + 1,
        number: at / 2 + 1,
        by_first: mover == Player::First,
        mover: game.player_name(mover),
        text: game.move_text(position, mv),
        position: game.position_text(position),
        before,
        after,
        judgement,
        cost_least,
        cost_most,
        best_move,
        nodes: known[at].nodes,
        seconds: known[at].seconds,
        stop: known[at].stop,
    }
}
