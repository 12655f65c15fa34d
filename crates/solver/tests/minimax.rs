//! Searches by windows and merits against the exhaustive truth: every bound and every value must be right with every switch, and every
//! answer must come with a certificate that the checker accepts.

use std::fmt::Display;

use quod_model::testkit::{Mirrored, Truth, random_cyclic, random_dag_of, random_tree_of};
use quod_model::{Notation, Repetition};
use quod_solver::{Aim, Algorithm, Init, Limits, Report, Request, Switches, TableKind};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

#[path = "common/verdicts.rs"]
mod verdicts;
use verdicts::{Tally, judge};

const GRAPHS: u64 = 3_000;
const PLENTY_BYTES: u64 = 1 << 20;
const ALGORITHMS: [Algorithm; 10] = [
    // Not for games that repeat positions.
    Algorithm::Mtdf,
    Algorithm::AlphaBeta,
    Algorithm::AlphaBetaTt,
    Algorithm::Brute,
    Algorithm::NegacStar,
    Algorithm::Nws,
    Algorithm::Pvs,
    Algorithm::Scout,
    Algorithm::Sss2,
    Algorithm::SssStar,
];

fn pick<T: Copy>(random: &mut Xoshiro256PlusPlus, choices: &[T]) -> T {
    choices[random.random_range(0..choices.len())]
}

/// A request at random, with every switch that the algorithm knows.
fn request(random: &mut Xoshiro256PlusPlus, algorithm: Algorithm, memory: u64) -> Request {
    let aim = if random.random_bool(0.7) { Aim::Value } else { Aim::AtLeast(random.random_range(-20..=20)) };
    let plain = Switches {
        init: Some(pick(random, &[Init::One, Init::Mobility, Init::Guess])),
        ..Switches::default()
    };
    let switches = match algorithm {
        Algorithm::AlphaBeta => Switches { deepen: random.random_bool(0.5), ..plain },
        Algorithm::AlphaBetaTt => Switches {
            symmetry: Some(random.random_bool(0.5)),
            table: Some(pick(random, &[TableKind::Published, TableKind::Modern])),
            // So few that most is forgotten, and enough for everything.
            entries: Some(pick(random, &[1, 3, 4, 10, 100])),
            ..plain
        },
        Algorithm::Mtdf => Switches { symmetry: Some(random.random_bool(0.5)), ..Switches::default() },
        _ => plain,
    };
    let limits = Limits { memory: Some(memory), ..Limits::default() };
    Request { aim, algorithm, switches, limits, threads: None, certificate: true }
}

fn judge_all<G: Notation + Display>(
    kind: &str,
    graph_of: impl Fn(u64) -> G,
    memory: impl Fn(&mut Xoshiro256PlusPlus) -> u64,
) -> Tally {
    let mut tally = Tally::default();
    for seed in 0..GRAPHS {
        let graph = graph_of(seed);
        let truth = Truth::new(&graph, &graph.start());
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let repeats = matches!(graph.repetition(), Repetition::Worth(_));
        for algorithm in ALGORITHMS.into_iter().skip(usize::from(repeats)) {
            let memory = memory(&mut random);
            let request = request(&mut random, algorithm, memory);
            let told = |report: &Report| format!("seed {seed}, {request:?}\n{graph}{report:#?}");
            judge(&graph, &truth, &request, told, &mut tally);
        }
    }
    println!(
        "{kind}: {GRAPHS} graphs, {} searches, {} unsolved and {} without a certificate for lack of memory",
        tally.searches, tally.unsolved, tally.uncertified
    );
    tally
}

fn judge_with_plenty<G: Notation + Display>(kind: &str, graph_of: impl Fn(u64) -> G) {
    let tally = judge_all(kind, graph_of, |_| PLENTY_BYTES);
    assert_eq!((tally.unsolved, tally.uncertified), (0, 0));
}

fn outcomes(seed: u64) -> i32 {
    [2, 3, 4, 7, 40][(seed % 5) as usize]
}

#[test]
fn trees() {
    judge_with_plenty("trees", |seed| random_tree_of(seed, 60, outcomes(seed)));
}

#[test]
fn acyclic_graphs() {
    judge_with_plenty("acyclic graphs", |seed| random_dag_of(seed, 20, outcomes(seed)));
}

#[test]
fn cyclic_graphs() {
    judge_with_plenty("cyclic graphs", |seed| random_cyclic(seed, 8));
}

#[test]
fn symmetric_graphs() {
    judge_with_plenty("symmetric graphs", |seed| Mirrored(random_dag_of(seed, 10, outcomes(seed))));
    judge_with_plenty("symmetric cyclic graphs", |seed| Mirrored(random_cyclic(seed, 5)));
}

#[test]
fn little_memory() {
    let little = |random: &mut Xoshiro256PlusPlus| 1 << random.random_range(7..13);
    let tally = judge_all("trees in little memory", |seed| random_tree_of(seed, 90, outcomes(seed)), little);
    assert!(tally.unsolved > 1_000 && tally.uncertified > 10, "memory must matter");
    judge_all("graphs in little memory", |seed| random_dag_of(seed, 24, outcomes(seed)), little);
    judge_all("cyclic graphs in little memory", |seed| random_cyclic(seed, 8), little);
}
