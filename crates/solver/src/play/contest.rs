//! Matches between two ways to play: pairs of games from random openings, with sides exchanged, so that what an opening is worth
//! cancels out.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use quod_model::{Notation, Oracle, Player, Repetition};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::Serialize;

use super::game::GameInPlay;
use super::player::{Certainty, Mind, PlayStyle};

/// A game that is longer ends as endless play does.
const PLIES_MAX: usize = 2_000;

/// What match is played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContestRequest {
    /// The player whose results are counted, and the other one.
    pub styles: [PlayStyle; 2],
    /// How many pairs of games.
    pub pairs: usize,
    /// Random moves before the players begin.
    pub opening_plies: usize,
    /// Where chance begins.
    pub seed: u64,
    /// How many games are played at once.
    pub threads: usize,
    /// Whether proofs go on in the opponent's time, on a thread of their own.
    pub ponder: bool,
}

/// The results of a match so far, for the player that is counted.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Tally {
    /// Games played.
    pub games: usize,
    /// Games won.
    pub wins: usize,
    /// Games drawn.
    pub draws: usize,
    /// Games lost.
    pub losses: usize,
    /// The mean of 1 for a win, ½ for a draw, 0 for a loss.
    pub mean: f64,
    /// Its standard error over pairs, if there are two of them.
    pub error: Option<f64>,
    /// The mean of what the player got.
    pub value_mean: f64,
    /// Its standard error over pairs.
    pub value_error: Option<f64>,
    /// Moves that were vetoed.
    pub vetoes: u64,
    /// Games in which the player has proven a win.
    pub proven: usize,
    /// Those of them that it has not won: the proof was not found again.
    pub proven_and_missed: usize,
    /// Plies in all.
    pub plies: u64,
}

/// One game: what the counted player got, its vetoes, and how long it was.
#[derive(Clone, Copy)]
struct Played {
    value: i32,
    vetoes: u64,
    proven: bool,
    plies: u64,
}

impl Tally {
    fn of(pairs: &[[Played; 2]]) -> Self {
        let games = || pairs.iter().flatten();
        let count = |sign: i32| games().filter(|game| game.value.signum() == sign).count();
        let point = |game: &Played| (f64::from(game.value.signum()) + 1.0) / 2.0;
        let (mean, error) =
            mean_and_error(pairs.iter().map(|pair| (point(&pair[0]) + point(&pair[1])) / 2.0));
        let values = pairs.iter().map(|pair| f64::from(pair[0].value + pair[1].value) / 2.0);
        let (value_mean, value_error) = mean_and_error(values);
        Self {
            games: 2 * pairs.len(),
            wins: count(1),
            draws: count(0),
            losses: count(-1),
            mean,
            error,
            value_mean,
            value_error,
            proven: games().filter(|game| game.proven).count(),
            proven_and_missed: games().filter(|game| game.proven && game.value <= 0).count(),
            vetoes: games().map(|game| game.vetoes).sum(),
            plies: games().map(|game| game.plies).sum(),
        }
    }
}

fn mean_and_error(numbers: impl Iterator<Item = f64> + Clone) -> (f64, Option<f64>) {
    let count = numbers.clone().count() as f64;
    let mean = numbers.clone().sum::<f64>() / count.max(1.0);
    let squares: f64 = numbers.map(|number| (number - mean).powi(2)).sum();
    (mean, (count > 1.0).then(|| (squares / (count - 1.0) / count).sqrt()))
}

/// Plays a match. `goes_on` is told the results now and then; games under way are dropped if it says no.
pub(crate) fn contest<G: Notation>(
    game: &G,
    start: &G::Position,
    oracle: Option<&dyn Oracle<G>>,
    request: &ContestRequest,
    goes_on: &mut dyn FnMut(&Tally) -> bool,
) -> Tally {
    let openings = openings(game, start, request);
    let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let results: Mutex<Vec<[Played; 2]>> = Mutex::new(Vec::new());
    let tally = || Tally::of(&results.lock().unwrap_or_else(std::sync::PoisonError::into_inner));
    std::thread::scope(|scope| {
        let work = || {
            while let Some(opening) = openings.get(next.fetch_add(1, Ordering::SeqCst)) {
                let one = played(game, start, opening, oracle, request, Player::First, &stop);
                let other = played(game, start, opening, oracle, request, Player::Second, &stop);
                if let (Some(one), Some(other)) = (one, other) {
                    let mut results = results.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                    results.push([one, other]);
                }
            }
        };
        let workers: Vec<_> = (0..request.threads.max(1)).map(|_| scope.spawn(work)).collect();
        while workers.iter().any(|worker| !worker.is_finished()) {
            std::thread::sleep(Duration::from_millis(20));
            if !goes_on(&tally()) {
                stop.store(true, Ordering::SeqCst);
                next.store(openings.len(), Ordering::SeqCst);
            }
        }
    });
    tally()
}

/// Openings that are not over, one for each pair.
fn openings<G: Notation>(game: &G, start: &G::Position, request: &ContestRequest) -> Vec<Vec<G::Move>> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(request.seed);
    let mut openings = Vec::new();
    let mut tries = 0;
    while openings.len() < request.pairs && tries < 100 * request.pairs {
        tries += 1;
        let (mut position, mut line) = (start.clone(), Vec::new());
        while line.len() < request.opening_plies && game.outcome(&position).is_none() {
            let mut moves = Vec::new();
            game.moves(&position, &mut moves);
            let mv = moves[random.random_range(0..moves.len())];
            position = game.after(&position, mv);
            line.push(mv);
        }
        if game.outcome(&position).is_none() {
            openings.push(line);
        }
    }
    openings
}

/// Plays a game in which the counted player has this side; nothing if it is stopped.
fn played<G: Notation>(
    game: &G,
    start: &G::Position,
    opening: &[G::Move],
    oracle: Option<&dyn Oracle<G>>,
    request: &ContestRequest,
    counted: Player,
    stop: &AtomicBool,
) -> Option<Played> {
    // Each player has a mind of its own.
    let mut minds = [Mind::new(game, oracle), Mind::new(game, oracle)];
    let mut board = GameInPlay::new(game, start.clone(), None);
    opening.iter().for_each(|mv| board.make(*mv));
    let (mut vetoes, mut proven, mut plies) = (0, false, 0);
    loop {
        if stop.load(Ordering::SeqCst) {
            return None;
        }
        let endless = match game.repetition() {
            Repetition::Worth(worth) if plies >= PLIES_MAX => Some((worth(game, board.present()), true)),
            _ => None,
        };
        if let Some((value, _)) = board.result().or(endless) {
            let value = value.seen_by(counted).0;
            return Some(Played { value, vetoes, proven, plies: plies as u64 });
        }
        let player = usize::from(game.to_move(board.present()) != counted);
        let mut goes_on = || !stop.load(Ordering::SeqCst);
        let (past, style) = (board.past(), &request.styles[player]);
        let [one, other] = &mut minds;
        let (mover, waiting) = if player == 0 { (one, other) } else { (other, one) };
        let ponders = request.ponder && request.styles[1 - player].proofs;
        let choice = if ponders {
            let has_moved = AtomicBool::new(false);
            std::thread::scope(|scope| {
                scope.spawn(|| waiting.ponder(past, &mut || !has_moved.load(Ordering::Relaxed)));
                let choice = mover.choose(past, style, &mut goes_on);
                has_moved.store(true, Ordering::Relaxed);
                choice
            })
        } else {
            mover.choose(past, style, &mut goes_on)
        };
        vetoes += choice.vetoed.len() as u64;
        proven |= player == 0 && choice.certainty == Certainty::Wins;
        board.make(choice.mv);
        plies += 1;
    }
}
