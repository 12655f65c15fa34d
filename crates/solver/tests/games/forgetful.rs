//! Strategies from graphs that have forgotten parts of their solution, where positions come again: what is missing is solved
//! again under the path that the strategy leads to it by, and everything must fit together.

use std::rc::Rc;

use quod_model::testkit::{Graph, Mirrored, Truth, random_cyclic, random_maze};
use quod_model::{Goal, GoalCursor, Joining, LeafNumbers, Notation, Relative, Verdict};
use quod_proof::{Again, Certificate, Claim, Context, NodeId, Part, SolutionTree, Strategy, check_bytes};
use quod_search::{Budget, GraphMethod, GraphOptions, GraphPn, Progress, Search};

/// A solution that has forgotten the moves of some nodes and some nodes altogether.
struct Forgetful {
    solution: quod_search::Graph,
    seed: u64,
}

impl Forgetful {
    fn forgets(&self, number: u64) -> bool {
        (number ^ self.seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 62 == 0
    }
}

impl SolutionTree for Forgetful {
    fn root(&self) -> NodeId {
        self.solution.root()
    }

    fn winning_child(&self, node: NodeId) -> Option<(u32, NodeId)> {
        let forgotten = node != self.root() && self.forgets(u64::from(node));
        self.solution.winning_child(node).filter(|_| !forgotten)
    }

    fn child(&self, node: NodeId, code: u32) -> Option<NodeId> {
        let forgotten = self.forgets(u64::from(node) << 32 | u64::from(code));
        SolutionTree::child(&self.solution, node, code).filter(|_| !forgotten)
    }
}

struct SolveAgain {
    holds: bool,
    seed: u64,
    times: u64,
}

fn solved<G: Notation>(cursor: &mut GoalCursor<'_, G>) -> (bool, quod_search::Graph) {
    let mut search = GraphPn::new(cursor, GraphOptions::new(GraphMethod::Sound), 1 << 20);
    let Progress::Done(verdict) = search.advance(Budget { nodes_max: u64::MAX, steps_max: 1 << 20 }) else {
        panic!("it does not end");
    };
    assert!(!matches!(verdict, Verdict::Unknown(_)));
    let mut graph = search.into_graph();
    graph.keep_solution();
    (verdict == Verdict::Proven, graph)
}

impl<G: Notation> Context<G> for SolveAgain {
    fn solve_again(&mut self, cursor: &mut GoalCursor<'_, G>) -> Again {
        self.times += 1;
        cursor.join_from_here(Joining::Everything);
        let (holds, solution) = solved(cursor);
        cursor.join_from_here(Joining::Nothing);
        assert_eq!(holds, self.holds, "a part of a whole solution has another answer under its path");
        Again::Solved(Rc::new(Forgetful { solution, seed: self.seed + self.times }))
    }

    fn goes_on(&mut self, _: u64, _: u64) -> bool {
        true
    }
}

/// Returns how many parts were solved again.
fn judge<G: Notation>(game: &G, seed: u64, symmetric: bool) -> u64 {
    let root = game.start();
    let truth = Truth::new(game, &root);
    let (low, high) = game.values();
    let mut times = 0;
    for at_least in low.0 + 1..=high.0 {
        let goal = Goal::new(quod_model::Player::First, Relative(at_least));
        if game.outcome(&root).is_some() || game.to_move(&root) != goal.claimant {
            continue;
        }
        let cursor = |joining| {
            GoalCursor::new(game, root.clone(), goal, LeafNumbers::Mobility).joining(joining, symmetric)
        };
        let (holds, solution) = solved(&mut cursor(Joining::Everything));
        assert_eq!(holds, goal.is_reached_by(truth.value(&root)), "seed {seed}");
        let tree: Rc<dyn SolutionTree> = Rc::new(Forgetful { solution, seed });
        let mut context = SolveAgain { holds, seed, times: 0 };
        let walk = cursor(Joining::Nothing);
        let strategy = Strategy::of_solution(walk, holds, Some(tree), 1 << 20, &mut context);
        let strategy = strategy.expect("no limit was set");
        let part = Part::record(game, &root, Claim::of(goal, holds), &strategy, None, &mut |_| true)
            .expect("a strategy");
        let file = Certificate::new(game, &root, None, vec![part]).encode();
        check_bytes(game, &file).unwrap_or_else(|error| panic!("seed {seed}, at least {at_least}: {error}"));
        times += context.times;
    }
    times
}

#[test]
fn forgotten_parts_fit_together() {
    let graph_of = |seed: u64| -> Graph {
        if seed.is_multiple_of(4) { random_cyclic(seed, 60) } else { random_maze(seed, 60) }
    };
    let (mut plain, mut mirrored) = (0, 0);
    for seed in 0..10_000 {
        plain += judge(&graph_of(seed), seed, false);
        mirrored += judge(&Mirrored(graph_of(seed)), seed, seed.is_multiple_of(2));
    }
    println!("{plain} parts of graphs and {mirrored} of mirrored graphs solved again");
    assert!(plain > 1_000 && mirrored > 1_000);
}
