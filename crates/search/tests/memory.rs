//! Whatever the memory, the same verdict or none: small trees force every kind of deletion.

use quod_model::testkit::{Graph, Truth, random_cyclic, random_dag, random_tree};
use quod_model::{Evaluation, Game, Goal, GoalCursor, LeafNumbers, Relative, StopReason, Verdict};
use quod_search::{Budget, Deletion, NODE_BYTES, Order, Pn, PnOptions, Progress, Search, Updates};

const GRAPHS: u64 = 1_000;
const LIMITS_NODES: [u64; 5] = [4, 12, 40, 150, 1_000];

fn options(number: u64) -> PnOptions {
    PnOptions {
        evaluation: if number & 1 == 0 { Evaluation::Immediate } else { Evaluation::Delayed },
        delete_solved: [Deletion::Never, Deletion::AtOnce, Deletion::WhenFull][(number / 2 % 3) as usize],
        delete_least_proving: (number / 6).is_multiple_of(2),
        updates: if (number / 12).is_multiple_of(2) { Updates::Early } else { Updates::Full },
        order: if (number / 24).is_multiple_of(2) { Order::Generated } else { Order::Random(number) },
    }
}

/// Returns the verdicts at all limits, each checked against the truth.
fn verdicts(graph: &Graph, seed: u64) -> Vec<Verdict> {
    let root = graph.start();
    let truth = Truth::new(graph, &root);
    let mover = graph.to_move(&root);
    let (low, high) = graph.values();
    let thresholds = u64::from(high.0.abs_diff(low.0)) + 1;
    let offset = i32::try_from(seed % thresholds).expect("a small number");
    let goal = Goal::new(mover, Relative(low.seen_by(mover).0.min(high.seen_by(mover).0) + offset));
    let holds = goal.is_reached_by(truth.value(&root));
    let mut all = Vec::new();
    for (number, limit) in LIMITS_NODES.into_iter().enumerate() {
        let options = options(seed.wrapping_mul(5) + number as u64);
        let cursor = GoalCursor::new(graph, root, goal, LeafNumbers::One);
        let bytes = limit * NODE_BYTES as u64;
        let mut search = Pn::new(cursor, options, bytes);
        let Progress::Done(verdict) = search.advance(Budget { steps_max: 1_000_000, ..Budget::UNLIMITED })
        else {
            panic!("seed {seed}: no end with {options:?}");
        };
        let told = || format!("seed {seed}, {limit} nodes, {goal:?}, {options:?}\n{graph}");
        match verdict {
            Verdict::Proven => assert!(holds, "false proof, {}", told()),
            Verdict::Disproven => assert!(!holds, "false disproof, {}", told()),
            Verdict::Unknown(reason) => assert_eq!(reason, StopReason::Memory, "{}", told()),
        }
        assert!(search.counters().peak_nodes <= limit, "{}", told());
        all.push(verdict);
    }
    all
}

#[test]
fn any_memory_limit_gives_the_same_verdict_or_none() {
    println!("{GRAPHS} graphs, seeds 0 to {}, limits of {LIMITS_NODES:?} nodes", GRAPHS - 1);
    let (mut solved, mut unknown) = (0, 0);
    for seed in 0..GRAPHS {
        let graph = match seed % 3 {
            0 => random_tree(seed, 60),
            1 => random_dag(seed, 16),
            _ => random_cyclic(seed, 12),
        };
        for verdict in verdicts(&graph, seed) {
            if matches!(verdict, Verdict::Unknown(_)) {
                unknown += 1;
            } else {
                solved += 1;
            }
        }
    }
    println!("{solved} solved, {unknown} unknown");
    // Both must occur often, or the test shows nothing.
    assert!(solved > 1_000 && unknown > 200, "{solved} solved, {unknown} unknown");
}

/// The three ways in which DeleteLeastProving ends: solved after deleting, nothing left, and going on.
#[test]
fn giving_up_leaves_can_still_solve() {
    let mut rescued = 0;
    for seed in 0..2_000 {
        let graph = random_tree(seed, 200);
        let goal = Goal::new(graph.to_move(&0), Relative(0));
        let run = |delete_least_proving| {
            let options = PnOptions { delete_least_proving, ..PnOptions::default() };
            let cursor = GoalCursor::new(&graph, 0, goal, LeafNumbers::One);
            Pn::new(cursor, options, 24 * NODE_BYTES as u64).advance(Budget::UNLIMITED)
        };
        let full = Progress::Done(Verdict::Unknown(StopReason::Memory));
        if run(false) == full && run(true) != full {
            rescued += 1;
        }
    }
    assert!(rescued > 0, "never solved what would not fit");
}

/// A search that was stopped goes on as if it had not been.
#[test]
fn slices_do_not_change_the_search() {
    for seed in 0..300 {
        let graph = random_cyclic(seed, 12);
        let goal = Goal::new(graph.to_move(&0), Relative(0));
        let options = options(seed);
        let cursor = || GoalCursor::new(&graph, 0, goal, LeafNumbers::Mobility);
        let mut whole = Pn::new(cursor(), options, 1 << 20);
        let result = whole.advance(Budget::UNLIMITED);
        let mut sliced = Pn::new(cursor(), options, 1 << 20);
        let mut nodes_max = 0;
        let end = loop {
            match sliced.advance(Budget { nodes_max, steps_max: 3 }) {
                Progress::Running => {}
                Progress::Done(Verdict::Unknown(StopReason::Nodes)) => {
                    assert!(sliced.counters().nodes <= nodes_max);
                    nodes_max += 2;
                }
                end => break end,
            }
        };
        assert_eq!((end, sliced.counters()), (result, whole.counters()), "seed {seed}");
    }
}
