//! MTD(f) against the truth: its value, its move, and everything that its table holds, in tables of all sizes.

use quod_games::ConnectFour;
use quod_model::testkit::{Mirrored, Truth, random_dag_of, random_tree_of};
use quod_model::{Game, Move, StopReason, Value, Verdict};

use crate::limits::{Budget, Progress, Search};
use crate::many::Interval;
use crate::minimax::{BoundsTable, Mtdf};

fn whole<G: Game>(game: &G, root: &G::Position) -> Interval {
    let (lower, upper) = Value::range_seen_by(game.values(), game.to_move(root));
    Interval { lower, upper }
}

/// Solves the start of a game in slices and checks all that comes out of it.
fn check<G: Game>(game: &G, truth: &Truth<G>, guess: Value, bytes: u64, worth: (u64, u64), steps_max: u64) {
    let root = game.start();
    let symmetric = game.abilities().canonical.is_some();
    let table = BoundsTable::new(bytes);
    let mut search = Mtdf::new(game, root.clone(), whole(game, &root), guess, symmetric, table.clone());
    search.use_table_from(worth);
    let mut progress = Progress::Running;
    while progress == Progress::Running {
        progress = search.advance(Budget { steps_max, ..Budget::UNLIMITED });
    }
    assert_eq!(progress, Progress::Done(Verdict::Proven));
    let mover = game.to_move(&root);
    let value = truth.value(&root).seen_by(mover);
    let proven = search.standing().expect("a value").proven;
    assert_eq!((proven.lower, proven.upper), (value, value));
    if let Some(code) = search.root_move() {
        let behind = game.after(&root, G::Move::from_code(code));
        assert_eq!(truth.value(&behind).seen_by(mover), value, "the move does not keep the value");
    } else {
        assert!(value == whole(game, &root).lower || game.outcome(&root).is_some(), "no move for {value}");
    }
    audit(game, truth, symmetric, &table);
}

fn audit<G: Game>(game: &G, truth: &Truth<G>, symmetric: bool, table: &BoundsTable) {
    for (position, value) in truth.iter() {
        if let Some((lower, upper)) = table.bounds(game, position, symmetric) {
            assert!(lower <= value && value <= upper, "{position:?}: {lower:?} {upper:?} {value:?}");
        }
    }
}

fn check_all<G: Game>(graph_of: impl Fn(u64) -> G) {
    for seed in 0..2_000 {
        let graph = graph_of(seed);
        let truth = Truth::new(&graph, &graph.start());
        for (bytes, worth) in [
            (64, (0, 0)),
            (256, (0, 0)),
            (1 << 20, (0, 0)),
            (1 << 20, (0, u64::MAX)),
            (1 << 20, (4, 32)),
            (1 << 20, (u64::MAX, u64::MAX)),
        ] {
            let guess = Value((seed % 7) as i32 - 3);
            check(&graph, &truth, guess, bytes, worth, 1 + seed % 50);
        }
    }
}

fn outcomes(seed: u64) -> i32 {
    [2, 3, 4, 7, 40][(seed % 5) as usize]
}

#[test]
fn random_graphs() {
    check_all(|seed| random_tree_of(seed, 60, outcomes(seed)));
    check_all(|seed| random_dag_of(seed, 40, outcomes(seed)));
    check_all(|seed| Mirrored(random_dag_of(seed, 12, outcomes(seed))));
}

#[test]
fn boards_that_foresee() {
    for (width, height, row) in [(4, 4, 4), (4, 4, 3), (5, 3, 3), (3, 6, 3), (6, 3, 4), (1, 63, 4), (2, 8, 3)]
    {
        let plain = ConnectFour::<u64>::new(width, height, row).expect("it fits");
        for game in [plain.clone(), plain.with_score()] {
            let truth = Truth::new(&game, &game.start());
            for (bytes, worth) in [(64, (0, 0)), (1 << 10, (0, 0)), (1 << 20, (0, 0)), (1 << 20, (4, 32))] {
                check(&game, &truth, Value::DRAW, bytes, worth, 1_000);
            }
        }
    }
}

#[test]
fn nodes_are_limited_to_the_node() {
    let game = ConnectFour::<u64>::new(4, 4, 4).expect("it fits").with_score();
    let root = game.start();
    let counters_of = |limits: &[u64]| {
        let table = BoundsTable::new(1 << 20);
        let mut search = Mtdf::new(&game, root, whole(&game, &root), Value::DRAW, true, table);
        for limit in limits {
            let progress = search.advance(Budget { nodes_max: *limit, ..Budget::UNLIMITED });
            assert_eq!(progress, Progress::Done(Verdict::Unknown(StopReason::Nodes)));
            assert!(search.counters().nodes <= *limit);
        }
        assert_eq!(search.advance(Budget::UNLIMITED), Progress::Done(Verdict::Proven));
        search.counters()
    };
    let free = counters_of(&[]);
    assert!(free.nodes > 1_000, "{free:?}");
    // After a stop, what moves without a choice led to is looked at again; just before one, less far.
    let stopped = counters_of(&(0..200).map(|limit| limit * 5).collect::<Vec<_>>());
    assert!(stopped.nodes < 2 * free.nodes, "{stopped:?}");
}
