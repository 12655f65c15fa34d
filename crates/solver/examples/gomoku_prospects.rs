//! Learns the weights of Go-Moku's prospects (`crates/games/src/gomoku/prospects.rs`): positions in which the attacker is to move are taken from searches of openings, each of
//! his moves there is searched for a short while, and a logistic model is fitted to whether it was proved, and to whether any was. Prints both models, and how well they
//! tell wins from others on a fifth of the positions that they were not fitted to. The searches use the weights that are there, so it can be done again and again.
//!
//! `cargo run --release -p quod-solver --example gomoku_prospects [POSITIONS]`: 2,000 positions take five minutes.

use std::sync::{Arc, Mutex};

use quod_games::Gomoku;
use quod_games::gomoku::Tally;
use quod_model::{
    AndOr, Child, Evaluation, Game, Goal, Identity, Move, Notation, Numbers, Player, Relative,
    RememberingCursor, Settled, ThreatCursor, Threats, Verdict, is_held_back,
};
use quod_search::{Budget, Dfpn, DfpnOptions, Progress, Search, SharedTable};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

type Position = <Gomoku<4> as Game>::Position;

/// Second moves with third ones: a random reply makes an opening of them.
const OPENINGS: [&str; 12] = [
    "h8 h9 i9",
    "h8 h9 g7",
    "h8 i9 g7",
    "h8 i9 h10",
    "h8 j8 g7",
    "h8 j8 i10",
    "h8 j9 g7",
    "h8 j9 h10",
    "h8 h10 i9",
    "h8 i10 g8",
    "h8 k9 g7",
    "h8 m8 g7",
];
/// The nodes of a search that positions are taken from, how many it gives, and the stones that they may have.
const SEARCH: u64 = 25_000;
const SAMPLES: usize = 20;
const STONES: usize = 24;
/// The nodes that a move gets.
const TRIAL: u64 = 800;

fn main() {
    let wanted = std::env::args().nth(1).map_or(2_000, |text| text.parse().expect("a number of positions"));
    let game = Gomoku::<4>::new(15, 5).expect("a usual board");
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let (mut to_move, mut moved, mut positions) = (Samples::default(), Samples::default(), 0);
    while positions < wanted {
        for position in positions_of_a_search(&game, &mut random) {
            let held_out = random.random_range(0..5) == 0;
            let Some(trials) = try_moves(&game, &position) else { continue };
            to_move.add(features(&game, &position, None), trials.iter().any(|(.., won)| *won), held_out);
            for (after, answers, won) in trials {
                moved.add(features(&game, &after, Some(answers)), won, held_out);
            }
            positions += 1;
        }
        eprintln!("{positions} positions, {} moves", moved.rows.len());
    }
    for (name, samples) in [("TO_MOVE", to_move), ("MOVED", moved)] {
        let weights = samples.fit();
        println!("{name}: tells wins from others in {:.3} of pairs", samples.told_apart(&weights));
        print_model(&weights);
    }
}

/// Positions with the attacker to move, from a search of an opening.
fn positions_of_a_search(game: &Gomoku<4>, random: &mut Xoshiro256PlusPlus) -> Vec<Position> {
    let mut root = game.start();
    for word in OPENINGS[random.random_range(0..OPENINGS.len())].split(' ') {
        root = game.after(&root, game.parse_move(&root, word).expect("a legal move"));
    }
    let mut replies = Vec::new();
    game.attacks(&root, 3, &mut replies);
    root = game.after(&root, replies[random.random_range(0..replies.len())]);
    let seen = Arc::new(Mutex::new(Vec::new()));
    let goal = Goal::new(Player::First, Relative(1));
    let cursor = ThreatCursor::new(game, &root, goal, false).expect("Go-Moku has threats");
    let looking = Looking { cursor, game, path: vec![root], seen: Arc::clone(&seen) };
    let table = Arc::new(SharedTable::new(16 << 20, false, false));
    let mut search = Dfpn::new(looking, DfpnOptions::default(), 1, table, false);
    search.advance(Budget { nodes_max: SEARCH, ..Budget::UNLIMITED });
    let mut seen = std::mem::take(&mut *seen.lock().expect("nobody else has it"));
    (0..SAMPLES.min(seen.len())).map(|_| seen.swap_remove(random.random_range(0..seen.len()))).collect()
}

/// A cursor that notes where the attacker was to move.
struct Looking<'g> {
    cursor: ThreatCursor<'g, Gomoku<4>>,
    game: &'g Gomoku<4>,
    path: Vec<Position>,
    seen: Arc<Mutex<Vec<Position>>>,
}

impl AndOr for Looking<'_> {
    fn is_or(&self) -> bool {
        self.cursor.is_or()
    }

    fn down(&mut self, codes: &[u32]) {
        for code in codes {
            let here = self.path.last().expect("the path holds the root");
            let held_back = is_held_back(*code);
            self.path.push(if held_back { *here } else { self.game.after(here, u16::from_code(*code)) });
        }
        self.cursor.down(codes);
    }

    fn up(&mut self, steps: usize) {
        self.path.truncate(self.path.len() - steps);
        self.cursor.up(steps);
    }

    fn evaluate(&mut self, evaluation: Evaluation) -> Option<Settled> {
        self.cursor.evaluate(evaluation)
    }

    fn expand(&mut self, evaluation: Evaluation, children: &mut Vec<Child>) {
        self.expand_joined(evaluation, children, &mut Vec::new());
    }

    fn identity(&self) -> Option<Identity> {
        self.cursor.identity()
    }

    fn expand_joined(
        &mut self,
        evaluation: Evaluation,
        children: &mut Vec<Child>,
        identities: &mut Vec<Option<Identity>>,
    ) {
        let here = self.path.last().expect("the path holds the root");
        if self.cursor.is_or() && stones(self.game, here) <= STONES {
            self.seen.lock().expect("nobody else has it").push(*here);
        }
        self.cursor.expand_joined(evaluation, children, identities);
    }
}

fn stones(game: &Gomoku<4>, position: &Position) -> usize {
    game.position_text(position).bytes().filter(|byte| matches!(byte, b'x' | b'o')).count()
}

/// What is behind each move of the attacker that may win, how many answers it has, and whether a short search proves it. Nothing if there is hardly a choice.
fn try_moves(game: &Gomoku<4>, position: &Position) -> Option<Vec<(Position, u32, bool)>> {
    let goal = Goal::new(Player::First, Relative(1));
    let mut cursor = ThreatCursor::new(game, position, goal, false)?;
    let (mut children, mut trials) = (Vec::new(), Vec::new());
    for _stage in 0..3 {
        children.clear();
        cursor.expand(Evaluation::Immediate, &mut children);
        for child in children.iter().filter(|child| !is_held_back(child.code)) {
            match child.numbers.seen_by_mover(true).0 {
                0 => return None,
                Numbers::INFINITE => {}
                _ => {
                    let after = game.after(position, u16::from_code(child.code));
                    trials.push((after, answers(game, &after), is_proved(game, &after, goal)));
                }
            }
        }
        let Some(held_back) = children.iter().find(|child| is_held_back(child.code)) else { break };
        cursor.down(&[held_back.code]);
    }
    (trials.len() > 1).then_some(trials)
}

fn answers(game: &Gomoku<4>, position: &Position) -> u32 {
    let (mut line, mut answers) = (Vec::new(), Vec::new());
    if game.threat_line(position, Player::First, &mut line, &mut 0) {
        game.answers(position, Player::First, &line, &mut answers);
    }
    answers.len() as u32
}

fn is_proved(game: &Gomoku<4>, position: &Position, goal: Goal) -> bool {
    let cursor = ThreatCursor::new(game, position, goal, false).expect("Go-Moku has threats");
    let table = Arc::new(SharedTable::new(1 << 20, false, false));
    let mut search = Dfpn::new(RememberingCursor::new(cursor), DfpnOptions::default(), 1, table, false);
    search.advance(Budget { nodes_max: TRIAL, ..Budget::UNLIMITED }) == Progress::Done(Verdict::Proven)
}

/// What a position is judged by, with what is always there: as the model has it.
fn features(game: &Gomoku<4>, position: &Position, answers: Option<u32>) -> Vec<f64> {
    let logarithm = |count: u32| f64::from(quod_games::gomoku::logarithm(count));
    let tallies = game.tallies(position, Player::First);
    let mut features: Vec<f64> = tallies.iter().flat_map(Tally::counts).map(logarithm).collect();
    features.extend([stones(game, position) as f64, 1.0]);
    if let Some(answers) = answers {
        let is = |condition: bool| f64::from(u8::from(condition));
        features.extend([logarithm(answers), is(answers == 0), is(answers == 1), is(answers <= 4)]);
    }
    features
}

#[derive(Default)]
struct Samples {
    rows: Vec<Vec<f64>>,
    won: Vec<bool>,
    held_out: Vec<bool>,
}

impl Samples {
    fn add(&mut self, row: Vec<f64>, won: bool, held_out: bool) {
        self.rows.push(row);
        self.won.push(won);
        self.held_out.push(held_out);
    }

    /// The weights of a logistic model, by Newton's method; large ones are not liked.
    fn fit(&self) -> Vec<f64> {
        const SHRINK: f64 = 1e-3;
        let size = self.rows[0].len();
        let count = self.rows.len() as f64;
        // Each feature has its own scale.
        let scale: Vec<f64> = (0..size)
            .map(|at| (self.rows.iter().map(|row| row[at] * row[at]).sum::<f64>() / count).sqrt().max(1e-9))
            .collect();
        let mut weights = vec![0.0; size];
        for _ in 0..20 {
            let mut slope: Vec<f64> = weights.iter().map(|weight| SHRINK * weight).collect();
            let mut curve = vec![vec![0.0; size]; size];
            for ((row, won), _) in
                self.rows.iter().zip(&self.won).zip(&self.held_out).filter(|(_, held_out)| !**held_out)
            {
                let row: Vec<f64> = row.iter().zip(&scale).map(|(value, scale)| value / scale).collect();
                let odds: f64 = row.iter().zip(&weights).map(|(value, weight)| value * weight).sum();
                let likely = 1.0 / (1.0 + (-odds).exp());
                let missed = likely - f64::from(u8::from(*won));
                for at in 0..size {
                    slope[at] += row[at] * missed / count;
                    for other in 0..size {
                        curve[at][other] += row[at] * row[other] * likely * (1.0 - likely) / count;
                    }
                }
            }
            (0..size).for_each(|at| curve[at][at] += SHRINK);
            for (weight, step) in weights.iter_mut().zip(solve(curve, slope)) {
                *weight -= step;
            }
        }
        weights.iter().zip(&scale).map(|(weight, scale)| weight / scale).collect()
    }

    /// How often, of a win and another one that it was not fitted to, the win has the better odds.
    fn told_apart(&self, weights: &[f64]) -> f64 {
        let odds =
            |row: &Vec<f64>| row.iter().zip(weights).map(|(value, weight)| value * weight).sum::<f64>();
        let rows = self.rows.iter().zip(&self.won).zip(&self.held_out).filter(|(_, held_out)| **held_out);
        let mut judged: Vec<(f64, bool)> = rows.map(|((row, won), _)| (odds(row), *won)).collect();
        judged.sort_by(|one, other| one.0.total_cmp(&other.0));
        let (mut others, mut right, mut wins) = (0.0, 0.0, 0.0);
        for (_, won) in judged {
            if won {
                (right, wins) = (right + others, wins + 1.0);
            } else {
                others += 1.0;
            }
        }
        right / (wins * others)
    }
}

/// Solves linear equations that have one solution, by elimination.
fn solve(mut rows: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let size = right.len();
    for at in 0..size {
        let pivot = (at..size).max_by(|one, other| rows[*one][at].abs().total_cmp(&rows[*other][at].abs()));
        let pivot = pivot.expect("there is a row left");
        rows.swap(at, pivot);
        right.swap(at, pivot);
        let (above, below) = rows.split_at_mut(at + 1);
        for (row, below) in below.iter_mut().zip(at + 1..) {
            let factor = row[at] / above[at][at];
            row.iter_mut().zip(&above[at]).for_each(|(value, pivot)| *value -= factor * pivot);
            right[below] -= factor * right[at];
        }
    }
    for at in (0..size).rev() {
        let known: f64 = (at + 1..size).map(|column| rows[at][column] * right[column]).sum();
        right[at] = (right[at] - known) / rows[at][at];
    }
    right
}

/// Prints the weights in the units of the model: 1/256 for logarithms in sixteenths of a doubling, and 1/256 of such a sixteenth for the rest.
fn print_model(weights: &[f64]) {
    // A logarithm in sixteenths of a doubling counts for odds in the same; odds were fitted as natural ones.
    let unit = 256.0 * 16.0 / std::f64::consts::LN_2;
    let whole: Vec<i64> = weights.iter().map(|weight| (weight * unit).round() as i64).collect();
    let side = (whole.len().min(36) - 2) / 2;
    let [own, foe] = [&whole[..side], &whole[side..2 * side]];
    for (name, side) in [("own", own), ("foe", foe)] {
        println!("    {name}: Weights {{ windows: {:?}, pairs: {:?} }},", &side[..3], &side[3..]);
    }
    let rest: Vec<i64> = whole[2 * side..].to_vec();
    println!("    stone: {}, always: {}", rest[0], rest[1]);
    if let [answers, no_line, one_answer, few_answers] = rest[2..] {
        println!(
            "    answers: {answers}, no_line: {no_line}, one_answer: {one_answer}, few_answers: {few_answers}"
        );
    }
}
