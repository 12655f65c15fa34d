//! Every algorithm against the truth on random trees, and the postconditions of the paper for random windows.

use quod_model::{Minimax, Relative, Verdict};
use quod_proof::{SearchTree, Solution, by_definition};
use rand::RngExt;

use super::plain::{Plain, Rules, random};
use crate::limits::{Budget, Counters, Progress, Search};
use crate::many::Interval;
use crate::minimax::calls::Calls;
use crate::minimax::frame::Window;
use crate::minimax::tree::ROOT;
use crate::minimax::{
    Keep, Sss2, SssStar, TableKind, TableOptions, WindowMethod, WindowOptions, WindowSearch,
};

const TREES: u64 = 10_000;
const PLENTY_BYTES: u64 = 1 << 18;
const METHODS: [WindowMethod; 6] = [
    WindowMethod::AlphaBeta,
    WindowMethod::Nws,
    WindowMethod::Pvs,
    WindowMethod::Scout,
    WindowMethod::NegacStar,
    WindowMethod::Brute,
];

fn tree(seed: u64) -> Plain {
    let rules = if seed.is_multiple_of(2) { Rules::Range } else { Rules::Bounds };
    let outcomes = [2, 3, 5, 20][(seed / 2 % 4) as usize];
    if seed % 7 == 6 {
        Plain::uniform(seed, 3, 4, outcomes)
    } else {
        Plain::random(seed, 60, outcomes, rules)
    }
    .with_keys()
}

/// Everything that was asked about: the range of values.
fn range(tree: &Plain) -> Interval {
    Interval { lower: Relative(tree.range.0), upper: Relative(tree.range.1) }
}

type Solutions = (Option<Solution>, Option<Solution>);

/// Runs a search in slices of so many steps.
fn run<S: Search>(mut search: S, steps_max: u64) -> (S, Counters) {
    let budget = Budget { nodes_max: u64::MAX, steps_max };
    loop {
        match search.advance(budget) {
            Progress::Running => {}
            Progress::Done(verdict) => {
                assert_eq!(verdict, Verdict::Proven);
                let counters = search.counters();
                return (search, counters);
            }
        }
    }
}

fn all_windows() -> Vec<WindowOptions> {
    let mut all: Vec<WindowOptions> = METHODS.into_iter().map(WindowOptions::new).collect();
    all.push(WindowOptions { deepen: true, ..all[0] });
    for kind in [TableKind::Published, TableKind::Modern] {
        let table = Some(TableOptions { kind, entries: 64 });
        all.push(WindowOptions { deepen: true, table, ..all[0] });
    }
    let keeping = |options: &WindowOptions| WindowOptions { keep: Keep::Everything, ..*options };
    let kept: Vec<WindowOptions> = all.iter().map(keeping).collect();
    all.extend(kept);
    all
}

/// The solutions that a search hands over show what it says, by leaves that are closed or that the rules know.
fn check(tree: &Plain, asked: Interval, whole: bool, (below, above): Solutions, told: &str) {
    let value = tree.value();
    let shown = |solution: &Option<Solution>| solution.as_ref().map(Solution::value);
    for solution in below.iter().chain(&above) {
        assert!(solution.missing() == 0 || !whole, "{told}");
    }
    if asked == range(tree) {
        assert_eq!(shown(&below).unwrap_or(asked.lower), value, "{told}");
        assert_eq!(shown(&above).unwrap_or(asked.upper), value, "{told}");
    } else if value >= asked.upper {
        assert!(shown(&below).is_some_and(|bound| asked.upper <= bound && bound <= value), "{told}");
    } else {
        assert!(shown(&above).is_some_and(|bound| value <= bound && bound <= asked.lower), "{told}");
    }
}

#[test]
fn all_agree_with_the_truth() {
    let all = all_windows();
    for seed in 0..TREES {
        let tree = tree(seed);
        let mut random = random(seed);
        let whole = range(&tree);
        let question = Relative(random.random_range(tree.range.0 + 1..=tree.range.1));
        let asked = if seed % 3 == 2 { Interval::of_question(question) } else { whole };
        // What the rules have answered at the root is not asked.
        let bounds = tree.cursor().bounds();
        if bounds.0 == bounds.1 || bounds.0 >= asked.upper || bounds.1 <= asked.lower {
            continue;
        }
        let slice = random.random_range(1..5);
        for options in &all {
            let told = format!("seed {seed}, {asked:?}, {options:?}");
            let new = || WindowSearch::new(tree.cursor(), asked, *options, PLENTY_BYTES);
            let (search, counters) = run(new(), u64::MAX);
            assert_eq!(run(new(), slice).1, counters, "{told}");
            // What a later call takes from an earlier one may have been given up since.
            let once = matches!(options.method, WindowMethod::AlphaBeta | WindowMethod::Brute);
            let everything = options.keep == Keep::Everything;
            let whole = options.table.is_none() && (once || everything);
            if whole && everything {
                for (node, bounds) in by_definition(&search.engine.tree) {
                    assert_eq!(search.engine.tree.bounds(node), bounds, "node {node}, {told}");
                }
            }
            check(&tree, asked, whole, search.into_solutions(), &told);
        }
        let told = format!("seed {seed}, {asked:?}, SSS-2 and SSS*");
        let new = || Sss2::new(tree.cursor(), asked, PLENTY_BYTES);
        let (search, counters) = run(new(), u64::MAX);
        assert_eq!(run(new(), slice).1, counters, "{told}");
        check(&tree, asked, true, search.into_solutions(), &told);
        let new = || SssStar::new(tree.cursor(), asked, PLENTY_BYTES);
        let (search, counters) = run(new(), u64::MAX);
        assert_eq!(run(new(), slice).1, counters, "{told}");
        check(&tree, asked, true, search.into_solutions(), &told);
    }
}

/// Postconditions 1 to 3 for random windows, and 4 for null windows, with f- and f+ by definition.
#[test]
fn postconditions_hold() {
    let (mut low, mut exact, mut high) = (0, 0, 0);
    for seed in 0..TREES {
        let tree = tree(seed);
        let mut random = random(seed);
        let alpha = random.random_range(tree.range.0 - 1..=tree.range.1);
        let width = if seed.is_multiple_of(2) { 1 } else { random.random_range(1..=4) };
        let window = Interval { lower: Relative(alpha), upper: Relative(alpha + width) };
        for method in [WindowMethod::AlphaBeta, WindowMethod::Pvs, WindowMethod::Scout] {
            let options = WindowOptions { keep: Keep::Everything, ..WindowOptions::new(method) };
            let (search, _) = run(WindowSearch::new(tree.cursor(), window, options, PLENTY_BYTES), u64::MAX);
            let (lower, upper) = by_definition(&search.engine.tree)[&ROOT];
            let told = format!("seed {seed}, {window:?}, {method:?}: {lower}..{upper}");
            let value = tree.value();
            assert!(lower <= value && value <= upper, "{told}");
            if upper <= window.lower {
                low += 1;
            } else if lower >= window.upper {
                high += 1;
            } else {
                assert_eq!((lower, upper), (value, value), "{told}");
                assert!(width > 1, "{told}");
                exact += 1;
            }
        }
    }
    assert!(low > 3_000 && exact > 1_000 && high > 3_000, "{low} {exact} {high}");
}

/// The pessimistic and the optimistic value of a search to some depth, by definition.
fn reach(tree: &Plain, node: u32, depth: u32) -> (i32, i32) {
    let here = &tree.nodes[node as usize];
    let (lower, upper) = here.bounds;
    if depth == 0 || here.children.is_empty() {
        return (lower, upper);
    }
    let below = here.children.iter().map(|child| reach(tree, *child, depth - 1));
    let (low, high): (Vec<i32>, Vec<i32>) = below.unzip();
    let best = |values: Vec<i32>| {
        let values = values.into_iter();
        let best = if here.is_max { values.max() } else { values.min() };
        best.expect("an inner node has children").clamp(lower, upper)
    };
    (best(low), best(high))
}

#[test]
fn everything_that_a_table_holds_is_true() {
    let mut audited = 0;
    for seed in 0..2_000 {
        let tree = tree(seed);
        for kind in [TableKind::Published, TableKind::Modern] {
            let table = Some(TableOptions { kind, entries: 32 });
            let options =
                WindowOptions { deepen: true, table, ..WindowOptions::new(WindowMethod::AlphaBeta) };
            let (search, _) = run(WindowSearch::new(tree.cursor(), range(&tree), options, 1 << 20), u64::MAX);
            let table = search.engine.table.as_ref().expect("it has a table");
            for entry in table.entries.iter().filter(|entry| entry.work > 0) {
                let node = tree.nodes.iter().position(|node| node.key == entry.key).expect("a node");
                let value = Relative(tree.nodes[node].value);
                let (low, high) = reach(&tree, node as u32, entry.depth);
                let told = format!("seed {seed}, {kind:?}, node {node}");
                assert!(entry.bounds.0 <= value && value <= entry.bounds.1, "{told}");
                assert!(entry.pessimistic_most >= Relative(low), "{told}");
                assert!(entry.optimistic_least <= Relative(high), "{told}");
                audited += 1;
            }
        }
    }
    assert!(audited > 10_000, "{audited}");
}

/// What a table knows of a place that a search of this depth has reached is as good as searching it again: no more iterations
/// are needed.
#[test]
fn a_table_does_not_make_iterations_necessary() {
    let mut saved = 0;
    for seed in 0..2_000 {
        let tree = match seed % 2 {
            0 => Plain::uniform(seed, 2, 7, 3 + (seed / 2 % 3) as i32).with_keys(),
            _ => tree(seed),
        };
        let plain = WindowOptions { deepen: true, ..WindowOptions::new(WindowMethod::AlphaBeta) };
        let run = |options| run(WindowSearch::new(tree.cursor(), range(&tree), options, 1 << 20), u64::MAX);
        let (without, nodes_without) = run(plain);
        for kind in [TableKind::Published, TableKind::Modern] {
            let table = Some(TableOptions { kind, entries: 1 << 10 });
            let (with, nodes_with) = run(WindowOptions { table, ..plain });
            assert_eq!(with.engine.tree.bounds(ROOT), (tree.value(), tree.value()), "seed {seed}");
            assert!(with.engine.horizon <= without.engine.horizon, "seed {seed}, {kind:?}");
            saved += u64::from(nodes_with.nodes < nodes_without.nodes);
        }
    }
    assert!(saved > 1_000, "{saved}");
}

/// The next null window stands at the bound that the last one has returned, or in the middle of what is left.
#[test]
fn null_windows_follow_each_other() {
    let interval = |lower, upper| Interval { lower: Relative(lower), upper: Relative(upper) };
    let asked = interval(-9, 9);
    let beta = |calls: Calls, proven, last: Option<i32>| {
        let window = calls.next(asked, proven, last.map(Relative));
        assert_eq!(window, Window::null(window.beta));
        window.beta.0
    };
    assert_eq!(beta(Calls::Nws, asked, None), 0);
    assert_eq!(beta(Calls::Nws, interval(3, 9), Some(0)), 4);
    assert_eq!(beta(Calls::Nws, interval(-9, -4), Some(0)), -4);
    assert_eq!(beta(Calls::Nws, interval(1, 9), None), 5);
    assert_eq!(beta(Calls::NegacStar, asked, None), 0);
    assert_eq!(beta(Calls::NegacStar, interval(-9, -4), Some(0)), -6);
    assert_eq!(Calls::Once.next(asked, asked, None), Window { alpha: Relative(-9), beta: Relative(9) });
}

/// Memory for a handful of nodes is enough to search by, though not to show a solution.
#[test]
fn depth_first_searches_need_room_for_a_path_alone() {
    let tree = Plain::uniform(5, 3, 8, 9);
    let whole = range(&tree);
    for method in METHODS {
        let options = WindowOptions::new(method);
        let (_, plenty) = run(WindowSearch::new(tree.cursor(), whole, options, 1 << 20), u64::MAX);
        let (search, little) = run(WindowSearch::new(tree.cursor(), whole, options, 1 << 10), u64::MAX);
        assert!(little.peak_nodes < 40 && plenty.peak_nodes > 100, "{method:?} {little:?} {plenty:?}");
        let bounds = search.engine.tree.bounds(ROOT);
        assert_eq!(bounds, (tree.value(), tree.value()), "{method:?}");
    }
}

/// Nodes at depth i count in iteration i: the root, then the two moves, then those below the moves that can matter.
#[test]
fn iterations_count_their_own_depth() {
    let nodes = vec![(true, vec![1, 2]), (false, vec![3, 4]), (false, vec![5, 6])];
    let tree = Plain::with_leaves(nodes, &[1, 3, 0, 2], (0, 4));
    let options = WindowOptions { deepen: true, ..WindowOptions::new(WindowMethod::AlphaBeta) };
    let (search, counters) = run(WindowSearch::new(tree.cursor(), range(&tree), options, 1 << 16), u64::MAX);
    assert_eq!(search.engine.tree.bounds(ROOT), (Relative(1), Relative(1)));
    // In the last iteration the second answer to the first move cannot matter, and the first one refutes the second move.
    assert_eq!((counters.deepened_nodes, counters.nodes), (1 + 2 + 2, 2 + 2 + 4));
}
