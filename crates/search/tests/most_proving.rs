//! The practical searches judged by the exact definitions (Schijf 1993, sections 4.2 and 5.2): how often do they select a
//! true most-proving node, and how far are their numbers above the true ones?
//!
//! A sample by default; `cargo xtask judge` sets the number of graphs and prints the table that docs/measurements.md shows.

use quod_model::testkit::{Graph, random_dag, random_maze};
use quod_model::{Game, Goal, GoalCursor, Joining, LeafNumbers, Numbers, Player, Relative};
use quod_search::exact::{Effort, ExactError, Node, SearchGraph, State, dcg, sets};
use quod_search::{Backup, Budget, GraphMethod, GraphOptions, GraphPn, Progress, Search};

/// Enough for graphs of this size; what takes more is counted and left out.
const EFFORT: Effort = Effort { sets_max: 2_000, nodes_max: 1 << 14, steps_left: 1 << 22 };

fn graphs() -> u64 {
    std::env::var("QUOD_JUDGE_GRAPHS").ok().and_then(|text| text.parse().ok()).unwrap_or(300)
}

/// What a search has explored, as the definitions see it.
fn explored(search: &GraphPn<'_>) -> SearchGraph {
    let graph = search.graph();
    let nodes = (0..graph.len() as u32).map(|node| {
        let numbers = graph.numbers(node);
        let state = match numbers {
            Numbers::PROVEN => State::Won,
            Numbers::DISPROVEN => State::Lost,
            _ if graph.is_expanded(node) => {
                State::Inner(graph.children(node).map(|child| child as usize).collect())
            }
            _ => State::Open,
        };
        Node { is_or: graph.is_or(node), endless: graph.is_endless(node), state }
    });
    SearchGraph::new(nodes.collect()).expect("a search graph")
}

#[derive(Default)]
struct Tally {
    /// Expansions judged, and those that were left out because the definitions took too much effort.
    judged: u64,
    skipped: u64,
    /// Expansions although the explored graph decides the root already.
    late: u64,
    /// Expansions of a true most-proving node.
    most_proving: u64,
    /// Pairs of root numbers that are the true ones, and how far they are above them in all.
    exact_numbers: u64,
    ratio: f64,
    worst: f64,
}

/// The true numbers and most-proving nodes.
fn truth(graph: &SearchGraph, cyclic: bool) -> Result<(Numbers, Vec<usize>), ExactError> {
    let mut effort = EFFORT;
    if cyclic {
        Ok((dcg::numbers(graph, &mut effort)?, dcg::most_proving(graph, &mut effort)?))
    } else {
        Ok((sets::numbers(graph, &mut effort)?, sets::most_proving(graph, &mut effort)?))
    }
}

fn judge(game: &Graph, options: GraphOptions, cyclic: bool, tally: &mut Tally) {
    let (low, high) = game.values();
    for at_least in low.0 + 1..=high.0 {
        let goal = Goal::new(Player::First, Relative(at_least));
        let cursor =
            GoalCursor::new(game, game.start(), goal, LeafNumbers::One).joining(Joining::Everything, false);
        let mut search = GraphPn::new(cursor, options, 1 << 20);
        loop {
            let before = explored(&search);
            let numbers = search.root_numbers();
            let expanded: Vec<bool> =
                (0..search.graph().len() as u32).map(|node| search.graph().is_expanded(node)).collect();
            let progress = search.advance(Budget { steps_max: 1, ..Budget::UNLIMITED });
            let selected = expanded
                .iter()
                .enumerate()
                .position(|(node, expanded)| !expanded && search.graph().is_expanded(node as u32));
            if let Some(selected) = selected.filter(|_| !numbers.is_solved()) {
                match truth(&before, cyclic) {
                    Err(_) => tally.skipped += 1,
                    Ok((exact, _)) if exact.is_solved() => tally.late += 1,
                    Ok((exact, most_proving)) => {
                        if !cyclic && options.backup == Backup::Sum {
                            // A sum counts shared leaves again, and never too few.
                            assert!(
                                numbers.pn >= exact.pn && numbers.dn >= exact.dn,
                                "{numbers:?} {exact:?}"
                            );
                        }
                        tally.judged += 1;
                        tally.most_proving += u64::from(most_proving.contains(&selected));
                        tally.exact_numbers += u64::from(exact == numbers);
                        let ratio = f64::from(numbers.pn + numbers.dn) / f64::from(exact.pn + exact.dn);
                        tally.ratio += ratio;
                        tally.worst = tally.worst.max(ratio);
                    }
                }
            }
            if matches!(progress, Progress::Done(_)) {
                break;
            }
        }
    }
}

#[test]
fn practical_searches_beside_the_definitions() {
    let count = graphs();
    println!(
        "| search, {count} random graphs | expansions | most-proving | exact numbers | mean excess | worst | late |"
    );
    println!("|---|---|---|---|---|---|---|");
    for (name, method, backup, cyclic) in [
        ("pn-dag, sum", GraphMethod::Dag, Backup::Sum, false),
        ("pn-dag, weak", GraphMethod::Dag, Backup::Weak, false),
        ("pn-dag, masked", GraphMethod::Dag, Backup::Masked, false),
        ("pn-dcg, sum, cyclic", GraphMethod::Dcg, Backup::Sum, true),
        ("pn-graph, sum, cyclic", GraphMethod::Sound, Backup::Sum, true),
        ("pn-graph, weak, cyclic", GraphMethod::Sound, Backup::Weak, true),
        ("pn-graph, masked, cyclic", GraphMethod::Sound, Backup::Masked, true),
    ] {
        let options = GraphOptions { backup, ..GraphOptions::new(method) };
        let mut tally = Tally::default();
        for seed in 0..count {
            let game = if cyclic { random_maze(seed, 20) } else { random_dag(seed, 40) };
            judge(&game, options, cyclic, &mut tally);
        }
        let share = |part: u64| 100.0 * part as f64 / tally.judged as f64;
        println!(
            "| {name} | {} ({} left out) | {:.2} % | {:.2} % | {:.2} % | {:.1} | {} |",
            tally.judged,
            tally.skipped,
            share(tally.most_proving),
            share(tally.exact_numbers),
            100.0 * (tally.ratio / tally.judged as f64 - 1.0),
            tally.worst,
            tally.late
        );
        assert!(tally.judged > 10 * tally.skipped, "too much is left out");
        assert!(share(tally.most_proving) > 80.0, "hardly better than chance");
    }
}
