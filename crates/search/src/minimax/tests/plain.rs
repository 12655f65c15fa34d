//! Random trees whose nodes are numbers, and a cursor that writes down what is expanded.

use std::cell::RefCell;
use std::collections::HashMap;

use quod_model::{Bounded, Minimax, Numbers, Relative};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

pub(super) type Random = Xoshiro256PlusPlus;

pub(super) fn random(seed: u64) -> Random {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

pub(super) struct Node {
    pub(super) is_max: bool,
    pub(super) children: Vec<u32>,
    /// The minimax value.
    pub(super) value: i32,
    /// What the rules say of it.
    pub(super) bounds: (i32, i32),
    /// Equal for equal subtrees.
    pub(super) key: u128,
}

pub(super) struct Plain {
    pub(super) nodes: Vec<Node>,
    pub(super) range: (i32, i32),
}

/// What the rules of a tree know beside its leaves.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Rules {
    /// Nothing but the range of values.
    Range,
    /// Now and then a bound of an inner node.
    Bounds,
}

impl Plain {
    /// A tree of up to `size` nodes with up to `outcomes` values; players move as it happens.
    pub(super) fn random(seed: u64, size: u32, outcomes: i32, rules: Rules) -> Self {
        let mut random = random(seed);
        let mut nodes = vec![(random.random_bool(0.5), vec![])];
        for number in 1..random.random_range(2..=size) {
            let low = if random.random_bool(0.5) { number.saturating_sub(4) } else { 0 };
            let parent = random.random_range(low..number) as usize;
            nodes[parent].1.push(number);
            nodes.push((random.random_bool(0.5), vec![]));
        }
        Self::finish(nodes, outcomes, rules, &mut random)
    }

    /// A tree of equal depth and width with players that take turns, Max first.
    pub(super) fn uniform(seed: u64, width: u32, depth: u32, outcomes: i32) -> Self {
        let mut nodes: Vec<(bool, Vec<u32>)> = vec![(true, vec![])];
        let mut level = 0..1;
        for _ in 0..depth {
            let begin = nodes.len();
            for parent in level {
                for _ in 0..width {
                    let child = nodes.len() as u32;
                    nodes[parent].1.push(child);
                    let is_max = !nodes[parent].0;
                    nodes.push((is_max, vec![]));
                }
            }
            level = begin..nodes.len();
        }
        Self::finish(nodes, outcomes, Rules::Range, &mut random(seed))
    }

    /// A tree whose leaves follow its inner nodes and have these values.
    pub(super) fn with_leaves(inner: Vec<(bool, Vec<u32>)>, leaves: &[i32], range: (i32, i32)) -> Self {
        let inner = inner.into_iter().map(|(is_max, children)| Node {
            is_max,
            children,
            value: 0,
            bounds: range,
            key: 0,
        });
        let leaves = leaves.iter().map(|value| Node {
            is_max: true,
            children: vec![],
            value: *value,
            bounds: (*value, *value),
            key: 0,
        });
        Self { nodes: inner.chain(leaves).collect(), range }.with_values()
    }

    /// Works out the values of inner nodes. Children have larger numbers than their parents.
    fn with_values(mut self) -> Self {
        for node in (0..self.nodes.len()).rev() {
            let values = self.nodes[node].children.iter().map(|child| self.nodes[*child as usize].value);
            let best = if self.nodes[node].is_max { values.max() } else { values.min() };
            self.nodes[node].value = best.unwrap_or(self.nodes[node].value);
        }
        self
    }

    fn finish(nodes: Vec<(bool, Vec<u32>)>, outcomes: i32, rules: Rules, random: &mut Random) -> Self {
        let low = random.random_range(-outcomes..=0);
        let range = (low, low + outcomes - 1);
        let mut tree = Self { nodes: Vec::new(), range };
        for (is_max, children) in nodes {
            let value = random.random_range(range.0..=range.1);
            tree.nodes.push(Node { is_max, children, value, bounds: range, key: 0 });
        }
        let mut tree = tree.with_values();
        for node in &mut tree.nodes {
            if node.children.is_empty() {
                node.bounds = (node.value, node.value);
            } else if rules == Rules::Bounds && random.random_bool(0.3) {
                node.bounds =
                    (random.random_range(range.0..=node.value), random.random_range(node.value..=range.1));
            }
        }
        tree
    }

    /// The same with keys that are equal for equal subtrees.
    pub(super) fn with_keys(mut self) -> Self {
        let mut keys = HashMap::new();
        for node in (0..self.nodes.len()).rev() {
            let Node { is_max, bounds, .. } = self.nodes[node];
            let below: Vec<u128> =
                self.nodes[node].children.iter().map(|child| self.nodes[*child as usize].key).collect();
            let next = keys.len() as u128;
            self.nodes[node].key = *keys.entry((is_max, bounds, below)).or_insert(next);
        }
        self
    }

    /// The same with the best move first everywhere.
    pub(super) fn best_first(mut self) -> Self {
        for node in 0..self.nodes.len() {
            let mut children = std::mem::take(&mut self.nodes[node].children);
            children.sort_by_key(|child| {
                let value = self.nodes[*child as usize].value;
                if self.nodes[node].is_max { -value } else { value }
            });
            self.nodes[node].children = children;
        }
        self
    }

    pub(super) fn value(&self) -> Relative {
        Relative(self.nodes[0].value)
    }

    pub(super) fn cursor(&self) -> PlainCursor<'_> {
        PlainCursor { tree: self, path: vec![0], hidden: false, log: None }
    }

    /// A cursor whose leaves are not known until they are expanded, as the papers have it, and that writes down what is expanded.
    pub(super) fn recorded<'t>(&'t self, log: &'t RefCell<Vec<u32>>) -> PlainCursor<'t> {
        PlainCursor { tree: self, path: vec![0], hidden: true, log: Some(log) }
    }
}

pub(super) struct PlainCursor<'t> {
    tree: &'t Plain,
    path: Vec<u32>,
    hidden: bool,
    log: Option<&'t RefCell<Vec<u32>>>,
}

impl PlainCursor<'_> {
    fn here(&self) -> &Node {
        &self.tree.nodes[*self.path.last().expect("the path holds the root") as usize]
    }

    fn bounds_of(&self, node: &Node) -> (Relative, Relative) {
        let is_hidden = self.hidden && node.children.is_empty();
        let (lower, upper) = if is_hidden { self.tree.range } else { node.bounds };
        (Relative(lower), Relative(upper))
    }
}

impl Minimax for PlainCursor<'_> {
    fn is_max(&self) -> bool {
        self.here().is_max
    }

    fn down(&mut self, codes: &[u32]) {
        for code in codes {
            self.path.push(self.here().children[*code as usize]);
        }
    }

    fn up(&mut self, steps: usize) {
        assert!(steps < self.path.len());
        self.path.truncate(self.path.len() - steps);
    }

    fn bounds(&mut self) -> (Relative, Relative) {
        self.bounds_of(self.here())
    }

    fn expand(&mut self, _: Relative, children: &mut Vec<Bounded>) {
        let here = self.here();
        if let Some(log) = self.log {
            log.borrow_mut().push(*self.path.last().expect("the path holds the root"));
        }
        let bounded = |code: u32, is_max: bool, (lower, upper): (Relative, Relative), key: Option<u128>| {
            Bounded { code, is_max, lower, upper, numbers: Numbers::ONE, key }
        };
        if here.children.is_empty() {
            assert!(self.hidden, "a leaf that is known must not be expanded");
            children.push(bounded(0, here.is_max, (Relative(here.value), Relative(here.value)), None));
        }
        for (code, number) in (0..).zip(&here.children) {
            let child = &self.tree.nodes[*number as usize];
            children.push(bounded(code, child.is_max, self.bounds_of(child), Some(child.key)));
        }
    }
}
