//! Searches for many outcomes and searches of two levels against the exhaustive truth: every bound and every value must be
//! right with every switch, and every answer must come with a certificate that the checker accepts.

use std::fmt::Display;

use quod_model::Notation;
use quod_model::testkit::{Mirrored, Truth, random_cyclic, random_dag_of, random_tree_of};
use quod_solver::{
    Aim, Algorithm, Deletion, Ends, Init, Limits, Many, Order, Report, Request, SecondLevel, Switches,
};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

#[path = "common/verdicts.rs"]
mod verdicts;
use verdicts::{Tally, judge};

const GRAPHS: u64 = 10_000;
const PLENTY_BYTES: u64 = 64 << 20;
const ALGORITHMS: [Algorithm; 6] =
    [Algorithm::Pn2, Algorithm::Gpn, Algorithm::GpnDag, Algorithm::Gpn2, Algorithm::Mopn, Algorithm::MopnDag];

fn pick<T: Copy>(random: &mut Xoshiro256PlusPlus, choices: &[T]) -> T {
    choices[random.random_range(0..choices.len())]
}

/// A request at random, with every switch that the algorithm knows.
fn request(random: &mut Xoshiro256PlusPlus, algorithm: Algorithm, memory: u64) -> Request {
    let aim = if random.random_bool(0.7) { Aim::Value } else { Aim::AtLeast(random.random_range(-20..=20)) };
    let many = Switches {
        init: Some(pick(random, &[Init::One, Init::Mobility, Init::Guess])),
        prune: Some(random.random_bool(0.5)),
        ..Switches::default()
    };
    let sizes = [SecondLevel::Allis, SecondLevel::Breuker { a: 20, b: 7 }];
    let ends = Some(pick(random, &[Ends::Known, Ends::Unknown]));
    let switches = match algorithm {
        Algorithm::Gpn => Switches { ends, ..many },
        Algorithm::GpnDag => Switches { ends, symmetry: Some(random.random_bool(0.5)), ..many },
        Algorithm::Gpn2 => Switches { ends, second_level: Some(pick(random, &sizes)), ..many },
        Algorithm::MopnDag => Switches { symmetry: Some(random.random_bool(0.5)), ..many },
        Algorithm::Pn2 => Switches {
            init: many.init,
            delete_solved: Some(pick(random, &[Deletion::Never, Deletion::AtOnce, Deletion::WhenFull])),
            delete_least_proving: random.random_bool(0.3),
            many: Some(pick(random, &[Many::Binary, Many::Up, Many::Down])),
            order: Some(pick(random, &[Order::Generated, Order::Random(7)])),
            second_level: Some(pick(random, &sizes)),
            ..Switches::default()
        },
        _ => many,
    };
    Request {
        aim,
        algorithm,
        switches,
        limits: Limits { memory: Some(memory), ..Limits::default() },
        threads: None,
        certificate: true,
    }
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
        for algorithm in ALGORITHMS {
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
    judge_with_plenty("cyclic graphs", |seed| random_cyclic(seed, 10));
}

#[test]
fn symmetric_graphs() {
    judge_with_plenty("symmetric graphs", |seed| Mirrored(random_dag_of(seed, 10, outcomes(seed))));
    judge_with_plenty("symmetric cyclic graphs", |seed| Mirrored(random_cyclic(seed, 6)));
}

#[test]
fn little_memory() {
    let little = |random: &mut Xoshiro256PlusPlus| 1 << random.random_range(7..13);
    let tally = judge_all("trees in little memory", |seed| random_tree_of(seed, 90, outcomes(seed)), little);
    assert!(tally.unsolved > 1_000 && tally.uncertified > 10, "memory must matter");
    judge_all("graphs in little memory", |seed| random_dag_of(seed, 24, outcomes(seed)), little);
    judge_all("cyclic graphs in little memory", |seed| random_cyclic(seed, 10), little);
}
