//! Searches by windows and merits against the exhaustive truth: every bound and every value must be right with every switch, and every
//! answer must come with a certificate that the checker accepts.

use quod_solver::{Aim, Algorithm, Init, Limits, Request, Switches, TableKind};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::kinds::{Judged, pick};

const ALGORITHMS: [Algorithm; 10] = [
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
    Request { aim, algorithm, switches, limits, threads: None, certificate: true, ..Request::default() }
}

const JUDGED: Judged =
    Judged { graphs: 3_000, algorithms: &ALGORITHMS, request, plenty_bytes: 1 << 20, cyclic_sizes: (8, 5) };

#[test]
fn trees() {
    JUDGED.trees();
}

#[test]
fn acyclic_graphs() {
    JUDGED.acyclic_graphs();
}

#[test]
fn cyclic_graphs() {
    JUDGED.cyclic_graphs();
}

#[test]
fn symmetric_graphs() {
    JUDGED.symmetric_graphs();
}

#[test]
fn little_memory() {
    JUDGED.little_memory();
}
