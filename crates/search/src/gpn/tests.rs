//! Values and anytime bounds against the truth, and the propositions of the paper (Saffidine and Cazenave 2011).

use std::cell::RefCell;
use std::rc::Rc;

use quod_model::testkit::{Graph, Truth, random_cyclic, random_dag_of, random_tree, random_tree_of};
use quod_model::{
    AndOr, Bounded, Child, Evaluation, Game, Goal, GoalCursor, LeafNumbers, Minimax, Numbers, Player,
    Relative, Settled, StopReason, Value, ValueCursor, Verdict,
};
use quod_proof::NodeId;

use super::arena::ROOT;
use super::search::Core;
use super::{Ends, Gpn, Gpn2, GpnMethod, GpnOptions};
use crate::limits::{Budget, Progress, Search};
use crate::many::Interval;
use crate::pn::{Pn, PnOptions};
use crate::second_level::SecondLevel;

fn range(graph: &Graph) -> Interval {
    let (lower, upper) = Value::range_seen_by(graph.values(), graph.to_move(&graph.start()));
    Interval { lower, upper }
}

fn truth(graph: &Graph) -> Relative {
    Truth::new(graph, &graph.start()).value(&graph.start()).seen_by(graph.to_move(&graph.start()))
}

fn leaf(seed: u64) -> LeafNumbers<Graph> {
    [LeafNumbers::One, LeafNumbers::Mobility, LeafNumbers::Guess(quod_model::Guess::guess)][seed as usize % 3]
}

fn graph(seed: u64, size: u32) -> Graph {
    let outcomes = [2, 3, 5, 12, 40][seed as usize / 2 % 5];
    if seed.is_multiple_of(2) {
        random_tree_of(seed, size, outcomes)
    } else {
        random_dag_of(seed, size / 2, outcomes)
    }
}

fn options(seed: u64) -> GpnOptions {
    GpnOptions {
        method: if (seed / 11).is_multiple_of(2) { GpnMethod::Published } else { GpnMethod::Focused },
        mobility: seed % 3 == 1,
        ends: if (seed / 3).is_multiple_of(4) { Ends::Unknown } else { Ends::Known },
        joined: (seed / 2).is_multiple_of(2),
        prune: !(seed / 5).is_multiple_of(2),
    }
}

/// Runs a search step by step; its bounds hold the truth all the time and never get wider. True if it found the value.
fn follow(mut search: impl Search, truth: Relative, what: &str) -> bool {
    let mut last = search.standing().expect("a search for a value").proven;
    for _ in 0..1_000_000 {
        let progress = search.advance(Budget { steps_max: 1, ..Budget::UNLIMITED });
        let now = search.standing().expect("a search for a value").proven;
        assert!(now.lower <= truth && truth <= now.upper, "{now:?} without {truth:?}: {what}");
        assert!(last.lower <= now.lower && now.upper <= last.upper, "{last:?} became {now:?}: {what}");
        last = now;
        match progress {
            Progress::Running => {}
            Progress::Done(Verdict::Proven) => {
                assert_eq!((now.lower, now.upper), (truth, truth), "{what}");
                return true;
            }
            Progress::Done(verdict) => {
                assert_eq!(verdict, Verdict::Unknown(StopReason::Memory), "{what}");
                return false;
            }
        }
    }
    panic!("no end: {what}");
}

const GAMES: u64 = 10_000;

#[test]
fn values_and_bounds_are_right_on_trees_and_dags() {
    for seed in 0..GAMES {
        let graph = graph(seed, 60);
        let truth = truth(&graph);
        for prune in [false, true] {
            let options = GpnOptions { prune, ..options(seed) };
            let cursor = ValueCursor::new(&graph, graph.start(), leaf(seed)).joining_converted(false);
            let search = Gpn::new(cursor, range(&graph), options, 1 << 20);
            assert!(follow(search, truth, &format!("seed {seed}, {options:?}\n{graph}")));
        }
    }
}

#[test]
fn repetitions_on_the_path_are_worth_what_the_rules_say() {
    for seed in 0..3_000 {
        let graph = random_cyclic(seed, 9);
        let options = options(seed);
        let cursor = ValueCursor::new(&graph, graph.start(), leaf(seed)).joining_converted(false);
        let search = Gpn::new(cursor, range(&graph), options, 1 << 22);
        assert!(follow(search, truth(&graph), &format!("seed {seed}, {options:?}\n{graph}")));
    }
}

#[test]
fn any_memory_gives_the_same_value_or_bounds_around_it() {
    let (mut solved, mut stopped) = (0, 0);
    for seed in 0..GAMES {
        let graph = graph(seed, 60);
        let options = options(seed);
        let bytes = [200, 400, 800, 1600, 3200][(seed / 7 % 5) as usize];
        let cursor = ValueCursor::new(&graph, graph.start(), leaf(seed)).joining_converted(false);
        let search = Gpn::new(cursor, range(&graph), options, bytes);
        let what = format!("seed {seed}, {bytes} bytes, {options:?}\n{graph}");
        if follow(search, truth(&graph), &what) {
            solved += 1;
        } else {
            stopped += 1;
        }
    }
    assert!(solved > 1_000 && stopped > 1_000, "{solved} solved and {stopped} stopped: both must occur");
}

#[test]
fn two_levels_find_the_same_values() {
    let sizes = [SecondLevel::Allis, SecondLevel::Breuker { a: 8, b: 3 }];
    let (mut solved, mut stopped) = (0, 0);
    for seed in 0..GAMES {
        let graph = graph(seed, 60);
        let options = options(seed);
        let bytes = [600, 2_000, 1 << 16][(seed / 7 % 3) as usize];
        let cursor = ValueCursor::new(&graph, graph.start(), leaf(seed));
        let search = Gpn2::new(cursor, range(&graph), options, sizes[seed as usize / 2 % 2], bytes);
        let what = format!("seed {seed}, {bytes} bytes, {options:?}\n{graph}");
        if follow(search, truth(&graph), &what) {
            solved += 1;
        } else {
            assert!(bytes < 1 << 16, "{what}");
            stopped += 1;
        }
    }
    assert!(solved > 1_000 && stopped > 100, "{solved} solved and {stopped} stopped: both must occur");
}

/// A search of a random game, step by step; `look` sees it with its path at a leaf, and the question of the descent.
fn each_descent(seed: u64, graph: &Graph, options: GpnOptions, mut look: impl FnMut(&Core)) {
    let mut cursor = ValueCursor::new(graph, graph.start(), leaf(seed));
    let mut core = Core::new(&mut cursor, range(graph), options, 1 << 20);
    while !core.is_solved() {
        let leaf = core.find_leaf(&mut cursor).expect("there is memory").expect("trees are never stale");
        look(&core);
        core.generate(&mut cursor, u64::MAX).expect("no limit");
        let children = core.generated().to_vec();
        core.attach(&mut cursor, leaf, &children, &[]).expect("there is memory");
    }
    core.leave(&mut cursor);
    look(&core);
}

/// The greater and the smaller number of each outcome of a node (section 4.1), where play is known to end.
fn greater_and_smaller(core: &Core, node: NodeId, outcomes: u16) -> (Vec<u32>, Vec<u32>) {
    let numbers = |question: u16| core.arena().numbers(node, question);
    let greater = |outcome: u16| if outcome == 0 { 0 } else { numbers(outcome - 1).pn };
    let smaller = |outcome: u16| if outcome + 1 == outcomes { 0 } else { numbers(outcome).dn };
    ((0..outcomes).map(greater).collect(), (0..outcomes).map(smaller).collect())
}

fn all_nodes(core: &Core) -> Vec<NodeId> {
    let mut nodes = vec![ROOT];
    let mut at = 0;
    while at < nodes.len() {
        nodes.extend(core.arena().children(nodes[at]).map(|(_, child)| child));
        at += 1;
    }
    nodes
}

#[test]
fn numbers_are_permanent_and_monotonic_as_propositions_1_and_2_say() {
    for seed in 0..300 {
        let graph = random_tree_of(seed, 40, 5);
        let outcomes = range(&graph).upper.0.abs_diff(range(&graph).lower.0) as u16 + 1;
        each_descent(seed, &graph, GpnOptions::default(), |core| {
            for node in all_nodes(core) {
                let (greater, smaller) = greater_and_smaller(core, node, outcomes);
                assert!(greater.is_sorted() && smaller.is_sorted_by(|a, b| a >= b), "monotonic");
                for outcome in 0..greater.len() {
                    // Proposition 1.
                    if greater[outcome] == 0 {
                        assert!(smaller[..outcome].iter().all(|number| *number == Numbers::INFINITE));
                    }
                    if smaller[outcome] == 0 {
                        assert!(greater[outcome + 1..].iter().all(|number| *number == Numbers::INFINITE));
                    }
                    // Proposition 2.
                    assert!(greater[outcome] != Numbers::INFINITE || smaller[outcome] == 0);
                    assert!(smaller[outcome] != Numbers::INFINITE || greater[outcome] == 0);
                }
            }
        });
    }
}

/// Figure 3: every number is what the children make of it, whatever was updated and when.
#[test]
fn numbers_are_those_of_figure_3() {
    for seed in 0..300 {
        let graph = random_tree_of(seed, 40, 5);
        let outcomes = range(&graph).upper.0.abs_diff(range(&graph).lower.0) as u16 + 1;
        each_descent(seed, &graph, GpnOptions::default(), |core| {
            // Numbers above the place where updating stopped are those of the last descent.
            for node in all_nodes(core) {
                let children: Vec<NodeId> = core.arena().children(node).map(|(_, child)| child).collect();
                if children.is_empty() {
                    continue;
                }
                let of_children: Vec<_> =
                    children.iter().map(|child| greater_and_smaller(core, *child, outcomes)).collect();
                let (greater, smaller) = greater_and_smaller(core, node, outcomes);
                for outcome in 0..usize::from(outcomes) {
                    let greaters = of_children.iter().map(|(greater, _)| u64::from(greater[outcome]));
                    let smallers = of_children.iter().map(|(_, smaller)| u64::from(smaller[outcome]));
                    let most = u64::from(Numbers::INFINITE);
                    let (expected_greater, expected_smaller) = if core.arena().is_max(node) {
                        (greaters.min(), Some(smallers.sum::<u64>().min(most)))
                    } else {
                        (Some(greaters.sum::<u64>().min(most)), smallers.min())
                    };
                    assert_eq!(Some(u64::from(greater[outcome])), expected_greater, "seed {seed}\n{graph}");
                    assert_eq!(Some(u64::from(smaller[outcome])), expected_smaller, "seed {seed}\n{graph}");
                }
            }
        });
    }
}

/// A cursor that remembers where it was expanded.
struct Recording<C> {
    cursor: C,
    path: Vec<u32>,
    expanded: Rc<RefCell<Vec<Vec<u32>>>>,
}

impl<C> Recording<C> {
    fn new(cursor: C) -> (Self, Rc<RefCell<Vec<Vec<u32>>>>) {
        let expanded = Rc::default();
        (Self { cursor, path: Vec::new(), expanded: Rc::clone(&expanded) }, expanded)
    }
}

impl<C: AndOr> AndOr for Recording<C> {
    fn is_or(&self) -> bool {
        self.cursor.is_or()
    }
    fn down(&mut self, codes: &[u32]) {
        self.path.extend(codes);
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
        self.expanded.borrow_mut().push(self.path.clone());
        self.cursor.expand(evaluation, children);
    }
}

impl<C: Minimax> Minimax for Recording<C> {
    fn is_max(&self) -> bool {
        self.cursor.is_max()
    }
    fn down(&mut self, codes: &[u32]) {
        self.path.extend(codes);
        self.cursor.down(codes);
    }
    fn up(&mut self, steps: usize) {
        self.path.truncate(self.path.len() - steps);
        self.cursor.up(steps);
    }
    fn bounds(&mut self) -> (Relative, Relative) {
        self.cursor.bounds()
    }
    fn expand(&mut self, about: Relative, children: &mut Vec<Bounded>) {
        self.expanded.borrow_mut().push(self.path.clone());
        self.cursor.expand(about, children);
    }
}

#[test]
fn two_outcomes_are_searched_node_for_node_as_by_pn_as_proposition_3_says() {
    let mut longest = 0;
    for seed in 0..2_000 {
        let graph = if seed % 2 == 0 { random_tree(seed, 600) } else { random_cyclic(seed, 12) };
        let (root, mover) = (graph.start(), graph.to_move(&graph.start()));
        let range = range(&graph);
        if range.lower == range.upper {
            continue;
        }
        // All outcomes below a threshold are one, and all others are one.
        let at_least = Relative(range.lower.0 + 1 + seed as i32 % (range.upper.0 - range.lower.0));
        let goal = Goal::new(mover, at_least);
        let (cursor, by_pn) = Recording::new(GoalCursor::new(&graph, root, goal, leaf(seed)));
        let mut pn = Pn::new(cursor, PnOptions::default(), 1 << 22);
        let Progress::Done(verdict) = pn.advance(Budget::UNLIMITED) else { panic!("it has no limits") };
        let (cursor, by_gpn) = Recording::new(ValueCursor::new(&graph, root, leaf(seed)));
        let two = Interval { lower: at_least.below(), upper: at_least };
        let mut gpn = Gpn::new(cursor, two, GpnOptions::default(), 1 << 22);
        assert_eq!(gpn.advance(Budget::UNLIMITED), Progress::Done(Verdict::Proven));
        let holds = gpn.standing().expect("a value").proven.lower == at_least;
        assert_eq!(verdict == Verdict::Proven, holds);
        assert_eq!(*by_pn.borrow(), *by_gpn.borrow(), "seed {seed}\n{graph}");
        longest = longest.max(by_pn.borrow().len());
    }
    assert!(longest > 50, "no search was longer than {longest} expansions");
}

/// The value of a tree when one position has another value.
fn value_with(graph: &Graph, position: u32, replaced: (u32, Value)) -> Value {
    if position == replaced.0 {
        return replaced.1;
    }
    if let Some(value) = graph.outcome(&position) {
        return value;
    }
    let mut moves = Vec::new();
    graph.moves(&position, &mut moves);
    let values = moves.iter().map(|mv| value_with(graph, graph.after(&position, *mv), replaced));
    let best = if graph.to_move(&position) == Player::First { values.max() } else { values.min() };
    best.expect("a position that is not over has moves")
}

/// Proposition 4: where the bounds of relevancy meet, the root's value is the same whatever the node is worth, as long as
/// that lies within its own bounds.
#[test]
fn what_is_not_relevant_does_not_matter_as_proposition_4_says() {
    let mut pruned = 0;
    for seed in 0..400 {
        let graph = random_tree_of(seed, 120, 6);
        let root = graph.start();
        let mover = graph.to_move(&root);
        let true_value = value_with(&graph, root, (u32::MAX, Value::DRAW));
        let range = range(&graph);
        each_descent(seed, &graph, GpnOptions::default(), |core| {
            let mut open = vec![(ROOT, root, core.arena().open(ROOT))];
            while let Some((node, position, window)) = open.pop() {
                let (low, high) = core.arena().open(node);
                let window = (window.0.max(low), window.1.min(high));
                if window.0 < window.1 {
                    let children = core.arena().children(node);
                    open.extend(
                        children.map(|(code, child)| (child, graph.after(&position, code as u16), window)),
                    );
                    continue;
                }
                pruned += usize::from(low < high);
                for bound in [low, high] {
                    let value = match mover {
                        Player::First => Value(range.lower.0 + i32::from(bound)),
                        Player::Second => Value(-(range.lower.0 + i32::from(bound))),
                    };
                    let changed = value_with(&graph, root, (position, value));
                    if node != ROOT {
                        assert_eq!(changed, true_value, "seed {seed}, n{position}\n{graph}");
                    }
                }
            }
        });
    }
    assert!(pruned > 500, "only {pruned} unsolved nodes were pruned");
}

/// Proposition 5: every node of a descent has the attracting outcome within its bounds of relevancy.
#[test]
fn descents_never_lead_to_what_is_not_relevant_as_proposition_5_says() {
    let mut descents = 0;
    for seed in 0..1_000 {
        let graph = random_tree_of(seed, 60, [3, 6, 20][seed as usize % 3]);
        for ends in [Ends::Known, Ends::Unknown] {
            let options = GpnOptions { ends, ..GpnOptions::default() };
            each_descent(seed, &graph, options, |core| {
                let (begin, end) = core.relevant();
                let at_leaf = core.path().len() > 1;
                assert!(
                    !at_leaf || (begin <= core.question() && core.question() < end),
                    "seed {seed}\n{graph}"
                );
                descents += usize::from(at_leaf);
            });
        }
    }
    assert!(descents > 10_000, "only {descents} descents");
}

/// So it makes no difference for the descents whether what is not relevant is there or not.
#[test]
fn pruning_changes_no_descent() {
    for seed in 0..1_000 {
        let graph = random_tree_of(seed, 80, [3, 6, 20][seed as usize % 3]);
        let expanded = |prune: bool| {
            let (cursor, expanded) = Recording::new(ValueCursor::new(&graph, graph.start(), leaf(seed)));
            let options = GpnOptions { prune, ..GpnOptions::default() };
            let mut search = Gpn::new(cursor, range(&graph), options, 1 << 20);
            assert_eq!(search.advance(Budget::UNLIMITED), Progress::Done(Verdict::Proven));
            expanded.take()
        };
        assert_eq!(expanded(false), expanded(true), "seed {seed}\n{graph}");
    }
}

/// Figure 2 and its text: which outcome attracts.
#[test]
fn where_the_end_is_not_known_it_must_be_proven_too() {
    let graph: Graph = "a max: b c\n b = 0\n c min: d e\n d = 1\n e = -1".parse().expect("a graph");
    let mut cursor = ValueCursor::new(&graph, graph.start(), LeafNumbers::One);
    let options = GpnOptions { ends: Ends::Unknown, ..GpnOptions::default() };
    let core = Core::new(&mut cursor, range(&graph), options, 1 << 12);
    // Three outcomes, and two more questions: whether Max and whether Min can force an end.
    assert_eq!(core.arena().open(ROOT), (0, 4));
    let mut search = Gpn::new(cursor, range(&graph), options, 1 << 12);
    assert_eq!(search.advance(Budget::UNLIMITED), Progress::Done(Verdict::Proven));
    let proven = search.standing().expect("a value").proven;
    assert_eq!(proven, Interval { lower: Relative(0), upper: Relative(0) });
}
