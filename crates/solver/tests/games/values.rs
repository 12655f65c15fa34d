//! Searches for many outcomes and searches of two levels against the exhaustive truth: every bound and every value must be
//! right with every switch, and every answer must come with a certificate that the checker accepts.

use quod_solver::{
    Aim, Algorithm, Deletion, Ends, Init, Limits, Many, Order, Request, SecondLevel, Switches,
};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::kinds::{Judged, pick};

const ALGORITHMS: [Algorithm; 6] =
    [Algorithm::Pn2, Algorithm::Gpn, Algorithm::GpnDag, Algorithm::Gpn2, Algorithm::Mopn, Algorithm::MopnDag];

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
        ..Request::default()
    }
}

const JUDGED: Judged = Judged {
    graphs: 10_000,
    algorithms: &ALGORITHMS,
    request,
    plenty_bytes: 64 << 20,
    cyclic_sizes: (10, 6),
};

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
