//! The published procedures as they are printed, recursive and without memory: the searches expand the same nodes in the same order. Leaves
//! are not known until they are expanded.

use std::cell::RefCell;

use quod_model::Relative;

use super::plain::{Plain, Rules};
use crate::limits::{Budget, Progress, Search};
use crate::many::Interval;
use crate::minimax::{WindowMethod, WindowOptions, WindowSearch};

fn tree(seed: u64) -> Plain {
    let outcomes = [2, 3, 5, 20][(seed % 4) as usize];
    if seed % 5 == 4 {
        Plain::uniform(seed, 3, 4, outcomes)
    } else {
        Plain::random(seed, 60, outcomes, Rules::Range)
    }
}

/// What a search expands, and how many nodes it counts by their depth.
fn expanded(tree: &Plain, asked: Interval, options: WindowOptions) -> (Vec<u32>, u64) {
    let log = RefCell::new(Vec::new());
    let mut search = WindowSearch::new(tree.recorded(&log), asked, options, 1 << 18);
    assert!(matches!(search.advance(Budget::UNLIMITED), Progress::Done(_)));
    let counted = search.counters().deepened_nodes;
    drop(search);
    (log.take(), counted)
}

/// Figure 3.
fn alpha_beta(tree: &Plain, node: u32, mut alpha: i32, mut beta: i32, log: &mut Vec<u32>) -> i32 {
    log.push(node);
    let here = &tree.nodes[node as usize];
    if here.children.is_empty() {
        return here.value;
    }
    let mut value = if here.is_max { i32::MIN } else { i32::MAX };
    for child in &here.children {
        if here.is_max && value < beta {
            value = value.max(alpha_beta(tree, *child, alpha, beta, log));
            alpha = alpha.max(value);
        } else if !here.is_max && value > alpha {
            value = value.min(alpha_beta(tree, *child, alpha, beta, log));
            beta = beta.min(value);
        }
    }
    value
}

#[test]
fn alpha_beta_is_figure_3() {
    for seed in 0..5_000 {
        let tree = tree(seed);
        // A null window is figure 4.
        let (alpha, beta) = match seed % 3 {
            0 => (tree.range.0 + (seed / 3 % 2) as i32 * (tree.range.1 - tree.range.0 - 1), tree.range.0 + 1),
            _ => tree.range,
        };
        let beta = beta.max(alpha + 1);
        let mut log = Vec::new();
        let value = alpha_beta(&tree, 0, alpha, beta, &mut log);
        assert!(tree.value().0 == value || value <= alpha || value >= beta);
        let asked = Interval { lower: Relative(alpha), upper: Relative(beta) };
        for method in [WindowMethod::AlphaBeta, WindowMethod::Brute] {
            let (nodes, _) = expanded(&tree, asked, WindowOptions::new(method));
            if method == WindowMethod::Brute {
                assert_eq!(nodes.len(), tree.nodes.len(), "seed {seed}");
            } else {
                assert_eq!(nodes, log, "seed {seed}, {asked:?}");
            }
        }
    }
}

/// A place of the deepening search: a node, or what a leaf turns out to be when it is expanded.
#[derive(Clone, Copy)]
enum Place {
    Node(u32),
    Value(i32),
}

/// Alpha-beta with iterative deepening (Allis et al. 1994, section 6.3): the values L and U of a node, each with its window.
struct Deepening<'t> {
    tree: &'t Plain,
    horizon: usize,
    principal: Vec<Vec<usize>>,
    counted: u64,
    log: Vec<u32>,
}

type Windows = [(i32, i32); 2];

impl Deepening<'_> {
    fn bounds(&self, place: Place) -> [i32; 2] {
        match place {
            Place::Node(_) => [self.tree.range.0, self.tree.range.1],
            Place::Value(value) => [value, value],
        }
    }

    /// The values of a place that is searched with windows for L and U, where `open` says so, and the orders of moves along its best line.
    fn visit(
        &mut self,
        place: Place,
        depth: usize,
        windows: Windows,
        open: [bool; 2],
        is_principal: bool,
    ) -> ([i32; 2], Vec<Vec<usize>>) {
        let bounds = self.bounds(place);
        let Place::Node(node) = place else { return (bounds, vec![]) };
        if depth == self.horizon || open == [false; 2] {
            return (bounds, vec![]);
        }
        self.log.push(node);
        let here = &self.tree.nodes[node as usize];
        let mut children: Vec<Place> = here.children.iter().map(|child| Place::Node(*child)).collect();
        if children.is_empty() {
            children.push(Place::Value(here.value));
        }
        let mut order: Vec<usize> = (0..children.len()).collect();
        if is_principal && let Some(list) = self.principal.get(depth) {
            order.clone_from(list);
        }
        let (mut values, mut line) = ([if here.is_max { i32::MIN } else { i32::MAX }; 2], vec![]);
        let mut windows = windows;
        for at in 0..order.len() {
            let wanted: [bool; 2] = std::array::from_fn(|part| {
                let (alpha, beta) = windows[part];
                open[part] && alpha < beta
            });
            if wanted == [false; 2] {
                break;
            }
            let child = children[order[at]];
            let [lower, upper] = self.bounds(child);
            // A child whose bounds cannot improve an open window does not count.
            let useful = |part: usize| {
                let (alpha, beta) = windows[part];
                wanted[part] && if here.is_max { upper > alpha } else { lower < beta }
            };
            if depth + 1 == self.horizon && (useful(0) || useful(1)) {
                self.counted += 1;
            }
            let inside: [bool; 2] = std::array::from_fn(|part| {
                let (alpha, beta) = windows[part];
                wanted[part] && lower < beta && upper > alpha
            });
            let (found, below) = self.visit(child, depth + 1, windows, inside, is_principal && at == 0);
            for part in [0, 1] {
                // What cannot improve has its bound for a value.
                let value = if inside[part] || lower == upper {
                    found[part]
                } else if lower >= windows[part].1 {
                    lower
                } else {
                    upper
                };
                let better =
                    wanted[part] && if here.is_max { value > values[part] } else { value < values[part] };
                if !better {
                    continue;
                }
                values[part] = value;
                let (alpha, beta) = &mut windows[part];
                // A move goes to the front if it is better than what the window asks for at the least.
                let raises = if here.is_max { value > *alpha } else { value < *beta };
                if here.is_max {
                    *alpha = value.max(*alpha);
                } else {
                    *beta = value.min(*beta);
                }
                if (part == 1) == here.is_max && raises {
                    line.clone_from(&below);
                    order[..=at].rotate_right(1);
                }
            }
        }
        line.insert(0, order);
        (values, line)
    }

    fn solve(tree: &Plain) -> (Vec<u32>, u64) {
        let mut search = Deepening { tree, horizon: 0, principal: vec![], counted: 1, log: vec![] };
        loop {
            let (values, principal) = search.visit(Place::Node(0), 0, [tree.range; 2], [true; 2], true);
            if values[0] == values[1] {
                assert_eq!(values[0], tree.value().0);
                return (search.log, search.counted);
            }
            search.principal = principal;
            search.horizon += 1;
        }
    }
}

#[test]
fn iterations_are_those_of_the_published_search() {
    let mut reordered = 0;
    for seed in 0..5_000 {
        let tree = tree(seed);
        let asked = Interval { lower: Relative(tree.range.0), upper: Relative(tree.range.1) };
        let options = WindowOptions { deepen: true, ..WindowOptions::new(WindowMethod::AlphaBeta) };
        let (log, counted) = Deepening::solve(&tree);
        assert_eq!(expanded(&tree, asked, options), (log.clone(), counted), "seed {seed}");
        // In the last iteration, which begins with the last time that the root is expanded, the order is not the one of the tree.
        let last = log.iter().rposition(|node| *node == 0).expect("the root is expanded");
        reordered += u64::from(log.get(last + 1) != tree.nodes[0].children.first());
    }
    assert!(reordered > 500, "{reordered}");
}
