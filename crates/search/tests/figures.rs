//! Figures 1, 2, 3 and 5 of Allis et al. (1994) as textual graphs: their numbers and most-proving nodes.
//! Leaves with a question mark are those that the paper leaves unevaluated.

use quod_model::testkit::Graph;
use quod_model::{Game, Goal, GoalCursor, LeafNumbers, Numbers, Player, Relative};
use quod_proof::SolutionTree;
use quod_search::{Budget, Pn, PnOptions, Search, Tree};

const FIGURE_1: &str = "
    a max: b c
    b min: d e f
    c min: g h
    d = 1
    e ?
    f ?
    g = 1
    h ?
    values 0 1";

const FIGURE_2: &str = "
    a max: b c
    b min: d e
    c min: f g h
    d max: i j k
    e max: l m
    f ?
    g ?
    h ?
    i ?
    j ?
    k ?
    l ?
    m ?
    values 0 1";

/// Figure 5 is this tree with the numbers for the value 3.
const FIGURES_3_AND_5: &str = "
    a max: b c
    b min: d e
    c min: f g
    d max: h i j
    e max: k l
    f = 2
    g ?
    h = 0
    i ?
    j ?
    k = 1
    l ?
    values 0 3";

/// Expands the inner nodes of the figure, which the search does first of its own accord.
fn search(text: &str, value: i32, inner_nodes: u64, look: impl FnOnce(&Graph, &Tree)) {
    let graph: Graph = text.parse().expect("a graph");
    let goal = Goal::new(Player::First, Relative(value));
    let cursor = GoalCursor::new(&graph, graph.start(), goal, LeafNumbers::One);
    let mut search = Pn::new(cursor, PnOptions::default(), 1 << 16);
    search.advance(Budget { steps_max: inner_nodes, ..Budget::UNLIMITED });
    assert_eq!(search.counters().expansions, inner_nodes);
    look(&graph, search.tree());
}

/// The names on the most-proving path.
fn most_proving_path(graph: &Graph, tree: &Tree) -> String {
    let (mut node, mut position) = (tree.root(), graph.start());
    let mut names = graph.name(position).to_owned();
    while let Some(child) = tree.most_proving_child(node) {
        position = graph.after(&position, u16::try_from(tree.code(child)).expect("a small code"));
        names.push_str(graph.name(position));
        node = child;
    }
    names
}

/// The numbers of the node that a path of names leads to.
fn numbers(graph: &Graph, tree: &Tree, path: &str) -> (u32, u32) {
    let (mut node, mut position) = (tree.root(), graph.start());
    for name in path.chars().skip(1) {
        let target = graph.position(&name.to_string()).expect("a name");
        let child = tree.children(node).find(|child| {
            graph.after(&position, u16::try_from(tree.code(*child)).expect("a small code")) == target
        });
        (node, position) = (child.expect("a child of that name"), target);
    }
    let Numbers { pn, dn } = tree.numbers(node);
    (pn, dn)
}

#[test]
fn figure_1_selects_h() {
    search(FIGURE_1, 1, 3, |graph, tree| {
        assert_eq!(most_proving_path(graph, tree), "ach");
        assert_eq!((numbers(graph, tree, "ab").0, numbers(graph, tree, "ac").0), (2, 1));
    });
}

#[test]
fn figure_2_selects_l() {
    search(FIGURE_2, 1, 5, |graph, tree| {
        assert_eq!(most_proving_path(graph, tree), "abel");
        assert_eq!((numbers(graph, tree, "ab").0, numbers(graph, tree, "ac").0), (2, 3));
        assert_eq!((numbers(graph, tree, "abd").1, numbers(graph, tree, "abe").1), (3, 2));
    });
}

#[test]
fn figure_5_has_its_numbers_and_selects_l() {
    const INFINITE: u32 = Numbers::INFINITE;
    search(FIGURES_3_AND_5, 3, 5, |graph, tree| {
        assert_eq!(most_proving_path(graph, tree), "abel");
        for (path, expected) in [
            ("a", (2, 1)),
            ("ab", (2, 1)),
            ("ac", (INFINITE, 0)),
            ("abd", (1, 2)),
            ("abe", (1, 1)),
            ("abdh", (INFINITE, 0)),
            ("abdi", (1, 1)),
            ("abdj", (1, 1)),
            ("abek", (INFINITE, 0)),
            ("abel", (1, 1)),
            ("acf", (INFINITE, 0)),
        ] {
            assert_eq!(numbers(graph, tree, path), expected, "{path}");
        }
    });
}

/// Section 2.2: whatever g turns out to be, a question about one value has no dilemma.
#[test]
fn figure_3_depends_on_the_value_asked_for() {
    search(FIGURES_3_AND_5, 1, 2, |graph, tree| {
        assert_eq!(most_proving_path(graph, tree), "ac");
    });
}
