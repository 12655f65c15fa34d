//! The graph searches on random graphs against the exhaustive truth.

use quod_model::testkit::{Graph, Truth, random_cyclic, random_dag, random_maze};
use quod_model::{
    Evaluation, Game, Goal, GoalCursor, Joining, LeafNumbers, Player, Relative, StopReason, Value, Verdict,
};
use quod_search::{Budget, GraphMethod, GraphOptions, GraphPn, Progress, Search};

fn verdict(search: &mut GraphPn<'_>) -> Verdict {
    let budget = Budget { nodes_max: 1_000_000, steps_max: 100_000 };
    match search.advance(budget) {
        Progress::Done(verdict) => verdict,
        Progress::Running => panic!("it does not end: {:?}", search.counters()),
    }
}

fn search(graph: &Graph, goal: Goal, joining: Joining, options: GraphOptions) -> GraphPn<'_> {
    let cursor = GoalCursor::new(graph, graph.start(), goal, LeafNumbers::One).joining(joining, false);
    GraphPn::new(cursor, options, 1 << 22)
}

#[test]
fn cyclic_graphs_tell_the_truth() {
    let (mut searches, mut wrong, mut unknown, mut nodes, mut nodes_dcg) = (0, 0, 0, 0, 0);
    for seed in 0..20_000 {
        let graph = if seed % 4 == 0 { random_cyclic(seed, 60) } else { random_maze(seed, 60) };
        let truth = Truth::new(&graph, &graph.start());
        let value = truth.value(&graph.start());
        let (low, high) = graph.values();
        for at_least in low.0 + 1..=high.0 {
            let goal = Goal::new(Player::First, Relative(at_least));
            let holds = goal.is_reached_by(value);
            let mut sound = search(&graph, goal, Joining::Everything, GraphOptions::new(GraphMethod::Sound));
            let found = verdict(&mut sound);
            assert_eq!(
                found == Verdict::Proven,
                holds,
                "seed {seed}, at least {at_least}: {found:?}\n{graph}"
            );
            assert!(matches!(found, Verdict::Proven | Verdict::Disproven));
            let mut dcg = search(&graph, goal, Joining::Everything, GraphOptions::new(GraphMethod::Dcg));
            match verdict(&mut dcg) {
                Verdict::Unknown(StopReason::Repetition) => unknown += 1,
                other => assert_eq!(other == Verdict::Proven, holds, "{other:?}"),
            }
            wrong += u64::from(dcg.claim().expect("it ended") != holds);
            let mut dag = search(&graph, goal, Joining::Converted, GraphOptions::new(GraphMethod::Dag));
            if seed % 8 == 0 && graph.len() < 20 {
                assert_eq!(verdict(&mut dag) == Verdict::Proven, holds, "seed {seed} {goal:?}\n{graph}");
            }
            searches += 1;
            nodes += sound.counters().nodes;
            nodes_dcg += dcg.counters().nodes;
        }
    }
    println!(
        "{searches} searches; the published method: {wrong} wrong, {unknown} unknown; nodes {nodes} and {nodes_dcg}"
    );
}

#[test]
fn acyclic_graphs_tell_the_truth() {
    for seed in 0..5_000 {
        let graph = random_dag(seed, 40);
        let value = Truth::new(&graph, &graph.start()).value(&graph.start());
        let (low, high) = graph.values();
        for at_least in low.0 + 1..=high.0 {
            let goal = Goal::new(Player::First, Relative(at_least));
            for method in [GraphMethod::Dag, GraphMethod::Dcg, GraphMethod::Sound] {
                let mut search = search(&graph, goal, Joining::Everything, GraphOptions::new(method));
                let holds = verdict(&mut search) == Verdict::Proven;
                assert_eq!(holds, goal.is_reached_by(value), "seed {seed}, {method:?}\n{graph}");
            }
        }
    }
}

/// A search that was stopped goes on as if it had not been.
#[test]
fn slices_do_not_change_the_search() {
    for seed in 0..600 {
        let graph = random_maze(seed, 60);
        let goal = Goal::new(graph.to_move(&0), Relative(0));
        for method in [GraphMethod::Dag, GraphMethod::Dcg, GraphMethod::Sound] {
            let joining = if method == GraphMethod::Dag { Joining::Converted } else { Joining::Everything };
            let options = GraphOptions {
                evaluation: if seed % 2 == 0 { Evaluation::Immediate } else { Evaluation::Delayed },
                fold_back: seed % 3 == 0 && method == GraphMethod::Sound,
                ..GraphOptions::new(method)
            };
            let memory = if options.fold_back { 4 << 10 } else { 1 << 20 };
            let new = || {
                let cursor = GoalCursor::new(&graph, 0, goal, LeafNumbers::Mobility).joining(joining, false);
                GraphPn::new(cursor, options, memory)
            };
            let (mut whole, mut sliced) = (new(), new());
            let limit = 5_000;
            let result = whole.advance(Budget { nodes_max: limit, ..Budget::UNLIMITED });
            let mut nodes_max = 0;
            let end = loop {
                match sliced.advance(Budget { nodes_max, steps_max: 3 }) {
                    Progress::Running => {}
                    Progress::Done(Verdict::Unknown(StopReason::Nodes)) if nodes_max < limit => {
                        assert!(sliced.counters().nodes <= nodes_max);
                        nodes_max = (nodes_max + 2).min(limit);
                    }
                    end => break end,
                }
            };
            assert_eq!((end, sliced.counters()), (result, whole.counters()), "seed {seed}, {method:?}");
        }
    }
}

/// A search goes on where it is, and does not begin at the root again: on a long line that would take for ever.
#[test]
fn a_long_line_takes_time_in_proportion() {
    let length = 30_000;
    let line = (0..=length).map(|number| {
        let player = if number % 2 == 0 { Player::First } else { Player::Second };
        let next = if number < length { vec![number + 1] } else { vec![] };
        (player, next, Value(1))
    });
    let graph = Graph::from_nodes(line.collect());
    let goal = Goal::new(Player::First, Relative(1));
    let mut search = search(&graph, goal, Joining::Everything, GraphOptions::new(GraphMethod::Sound));
    assert_eq!(verdict(&mut search), Verdict::Proven);
    let counters = search.counters();
    assert!(counters.updates < 4 * counters.nodes, "{counters:?}");
}
