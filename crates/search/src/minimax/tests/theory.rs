//! Sections 2, 3 and 7 of de Bruin, Pijls and Plaat: what is said of search trees is true of random ones.

use std::collections::BTreeSet;

use quod_model::Relative;
use quod_proof::{CriticalTree, NodeId, NodeType, SearchTree, Side, Solution, by_definition};
use rand::RngExt;
use rustc_hash::FxHashMap;

use super::plain::{Plain, Random, Rules, random};

/// A part of a tree: some inner nodes are leaves, and some leaves have not been looked at.
struct Part<'t> {
    tree: &'t Plain,
    expanded: Vec<bool>,
    closed: Vec<bool>,
    /// What is said of open leaves.
    open: (Relative, Relative),
    bounds: FxHashMap<NodeId, (Relative, Relative)>,
}

const INFINITE: (Relative, Relative) = (Relative(i32::MIN), Relative(i32::MAX));

impl<'t> Part<'t> {
    fn new(
        tree: &'t Plain,
        expand: f64,
        close: f64,
        open: (Relative, Relative),
        random: &mut Random,
    ) -> Self {
        let count = tree.nodes.len();
        let mut part = Self {
            tree,
            expanded: (0..count).map(|_| random.random_bool(expand)).collect(),
            closed: (0..count).map(|_| random.random_bool(close)).collect(),
            open,
            bounds: FxHashMap::default(),
        };
        part.bounds = by_definition(&part);
        part
    }

    fn nodes(&self) -> impl Iterator<Item = NodeId> {
        self.bounds.keys().copied()
    }

    fn children_of(&self, node: NodeId) -> Vec<NodeId> {
        self.children(node).map(|(_, child)| child).collect()
    }
}

impl SearchTree for Part<'_> {
    fn root(&self) -> NodeId {
        0
    }

    fn is_max(&self, node: NodeId) -> bool {
        self.tree.nodes[node as usize].is_max
    }

    fn children(&self, node: NodeId) -> impl Iterator<Item = (u32, NodeId)> {
        let children =
            if self.expanded[node as usize] { &self.tree.nodes[node as usize].children[..] } else { &[] };
        (0..).zip(children.iter().copied())
    }

    fn known(&self, node: NodeId) -> (Relative, Relative) {
        let Self { tree, closed, .. } = self;
        let node = node as usize;
        if tree.nodes[node].children.is_empty() {
            let value = Relative(tree.nodes[node].value);
            if closed[node] { (value, value) } else { self.open }
        } else if self.expanded[node] {
            INFINITE
        } else {
            self.open
        }
    }

    fn bounds(&self, node: NodeId) -> (Relative, Relative) {
        self.bounds[&node]
    }
}

/// The values of all solution trees of a side below a node.
fn all_values(part: &Part<'_>, side: Side, node: NodeId) -> BTreeSet<Relative> {
    let children = part.children_of(node);
    if children.is_empty() {
        let (lower, upper) = part.known(node);
        return BTreeSet::from([if side == Side::Max { upper } else { lower }]);
    }
    let below = children.into_iter().map(|child| all_values(part, side, child));
    if part.is_max(node) == (side == Side::Max) {
        // Every way to choose one of each child.
        below
            .reduce(|one, other| {
                let pairs = one.iter().flat_map(|one| other.iter().map(move |other| (*one, *other)));
                pairs
                    .map(|(one, other)| if side == Side::Max { one.max(other) } else { one.min(other) })
                    .collect()
            })
            .expect("an inner node has children")
    } else {
        below.flatten().collect()
    }
}

#[test]
fn the_best_solution_tree_has_the_value_of_the_bound() {
    for seed in 0..3_000 {
        let tree = Plain::random(seed, 24, 5, Rules::Range);
        let part = Part::new(&tree, 0.8, 0.7, INFINITE, &mut random(seed));
        let (lower, upper) = part.bounds(0);
        let value = tree.value();
        assert!(lower <= value && value <= upper, "seed {seed}");
        assert_eq!(all_values(&part, Side::Max, 0).first(), Some(&upper), "seed {seed}");
        assert_eq!(all_values(&part, Side::Min, 0).last(), Some(&lower), "seed {seed}");
        for (side, bound, infinite) in
            [(Side::Max, upper, Relative(i32::MAX)), (Side::Min, lower, Relative(i32::MIN))]
        {
            let solution = Solution::extract(&part, side, usize::MAX);
            assert_eq!((solution.value(), solution.missing()), (bound, 0), "seed {seed}");
            assert!(solution.is_solution_in(&part), "seed {seed}");
            // The value is finite if and only if the solution tree is closed.
            assert_eq!(solution.is_closed(), bound != infinite, "seed {seed}");
            let cut = Solution::extract(&part, side, 6);
            let few = cut.size() <= 6.max(1 + part.children_of(0).len());
            assert!(few && cut.is_solution_in(&part) && cut.value() == bound, "seed {seed}");
        }
    }
}

#[test]
fn a_shape_that_is_none_is_told() {
    let tree = Plain::uniform(0, 2, 3, 3);
    let whole = Part::new(&tree, 1.0, 1.0, INFINITE, &mut random(0));
    let max = Solution::extract(&whole, Side::Max, usize::MAX);
    assert!(max.is_solution_in(&whole));
    // In another tree the root has no children.
    assert!(!max.is_solution_in(&Part::new(&tree, 0.0, 1.0, INFINITE, &mut random(0))));
    // In a wider one a child is missing where all are kept, and none where one is kept.
    let flat = |leaves: &[i32]| {
        let children = (1..=leaves.len() as u32).collect();
        Plain::with_leaves(vec![(true, children)], leaves, (0, 1))
    };
    let (narrow, wide) = (flat(&[0, 0]), flat(&[0, 0, 0]));
    let narrow = Part::new(&narrow, 1.0, 1.0, INFINITE, &mut random(0));
    let wide = Part::new(&wide, 1.0, 1.0, INFINITE, &mut random(0));
    let solution = |side| Solution::extract(&narrow, side, usize::MAX);
    assert!(!solution(Side::Max).is_solution_in(&wide));
    assert!(solution(Side::Min).is_solution_in(&wide));
}

#[test]
fn a_critical_path_has_the_value_of_the_root() {
    for seed in 0..3_000 {
        let tree = Plain::random(seed, 40, 4, Rules::Range);
        let part = Part::new(&tree, 1.0, 1.0, INFINITE, &mut random(seed));
        let critical = CriticalTree::extract(&part);
        assert_eq!((critical.max.value(), critical.min.value()), (tree.value(), tree.value()));
        let mut node = &tree.nodes[0];
        for code in critical.path() {
            node = &tree.nodes[node.children[code as usize] as usize];
            assert_eq!(node.value, tree.value().0, "seed {seed}");
        }
        assert!(node.children.is_empty(), "a critical path ends at a leaf, seed {seed}");
    }
}

/// Knuth and Moore 1975: a position is critical if all its even moves, or all its odd moves, are the first ones; its type is
/// told by how far its first other move lies back.
fn original_type(path: &[u32]) -> Option<NodeType> {
    let all_first = |parity: usize| path.iter().skip(parity).step_by(2).all(|code| *code == 0);
    if !all_first(0) && !all_first(1) {
        return None;
    }
    Some(match path.iter().position(|code| *code != 0) {
        None => NodeType::One,
        Some(place) if (path.len() - 1 - place).is_multiple_of(2) => NodeType::Two,
        Some(_) => NodeType::Three,
    })
}

#[test]
fn node_types_are_those_of_knuth_and_moore() {
    for seed in 0..200 {
        let tree = Plain::uniform(seed, 2 + seed as u32 % 2, 5, 4).best_first();
        let part = Part::new(&tree, 1.0, 1.0, INFINITE, &mut random(seed));
        let critical = CriticalTree::extract(&part);
        let mut open = vec![(0, Vec::new())];
        while let Some((node, path)) = open.pop() {
            assert_eq!(critical.node_type(&path), original_type(&path), "seed {seed}, {path:?}");
            for (code, child) in part.children(node) {
                open.push((child, [&path[..], &[code]].concat()));
            }
        }
    }
}

/// The numbers of open leaves of all proof trees of a node (or disproof trees), by definition: solution trees of a side without a closed
/// leaf of the other value.
fn all_efforts(part: &Part<'_>, side: Side, node: NodeId) -> BTreeSet<u32> {
    let children = part.children_of(node);
    if children.is_empty() {
        let wanted = Relative(i32::from(side == Side::Min));
        return match part.known(node) {
            (lower, upper) if lower != upper => BTreeSet::from([1]),
            (value, _) if value == wanted => BTreeSet::from([0]),
            _ => BTreeSet::new(),
        };
    }
    let below = children.into_iter().map(|child| all_efforts(part, side, child));
    if part.is_max(node) == (side == Side::Max) {
        below
            .reduce(|one, other| {
                one.iter().flat_map(|one| other.iter().map(move |other| one + other)).collect()
            })
            .expect("an inner node has children")
    } else {
        below.flatten().collect()
    }
}

#[test]
fn proof_and_disproof_numbers_follow_the_equations() {
    for seed in 0..3_000 {
        let mut tree = Plain::random(seed, 24, 2, Rules::Range);
        // Pay-offs are 0 and 1.
        for node in &mut tree.nodes {
            node.value -= tree.range.0;
        }
        let part = Part::new(&tree, 0.8, 0.6, (Relative(0), Relative(1)), &mut random(seed));
        let proof = |node| all_efforts(&part, Side::Min, node).first().copied();
        let disproof = |node| all_efforts(&part, Side::Max, node).first().copied();
        type Number = Option<u32>;
        // The smallest of none is infinite.
        let least = |numbers: Vec<Number>| numbers.into_iter().flatten().min();
        let sum = |numbers: Vec<Number>| numbers.into_iter().sum::<Number>();
        for node in part.nodes() {
            let children = part.children_of(node);
            if !children.is_empty() {
                let (proofs, disproofs): (Vec<Number>, Vec<Number>) =
                    children.iter().map(|child| (proof(*child), disproof(*child))).unzip();
                // Equations 5 and 6, and their dual counterparts.
                let expected = if part.is_max(node) {
                    (least(proofs), sum(disproofs))
                } else {
                    (sum(proofs), least(disproofs))
                };
                assert_eq!((proof(node), disproof(node)), expected, "seed {seed}, node {node}");
            }
            // Equations 7 and 8.
            let (lower, upper) = part.bounds(node);
            assert_eq!(lower == Relative(1), proof(node) == Some(0), "seed {seed}, node {node}");
            assert_eq!(lower == Relative(1), disproof(node).is_none(), "seed {seed}, node {node}");
            assert_eq!(upper == Relative(0), disproof(node) == Some(0), "seed {seed}, node {node}");
            assert_eq!(upper == Relative(0), proof(node).is_none(), "seed {seed}, node {node}");
        }
    }
}
