//! A copy of what a search held: it stays when the search is gone.

use quod_model::Numbers;
use quod_proof::NodeId;
use quod_search::{Interval, Seen, Step, View};

use crate::drive::Look;

const NONE: u32 = u32::MAX;
/// In a code: the step closes a cycle.
const BACK: u32 = 1 << 31;

struct Node {
    numbers: Numbers,
    /// The first step; the next node's first step ends them.
    first: u32,
    /// The code of the best move, or [`NONE`].
    best: u32,
    is_or: bool,
    /// Whether its children were left out.
    is_cut: bool,
}

/// A search tree or graph, or as many of its nodes as were wanted, those near the root first.
pub struct KeptTree {
    nodes: Vec<Node>,
    /// For every node, in searches for many outcomes.
    bounds: Vec<Interval>,
    /// Codes, and where they lead; [`NONE`] for what is not kept.
    steps: Vec<(u32, NodeId)>,
    symmetric: bool,
    at_least: i32,
    /// How many nodes there were.
    total: u64,
}

impl KeptTree {
    /// Copies no more than so many nodes.
    #[must_use]
    pub fn copy(look: &Look<'_>, nodes_max: usize) -> Self {
        let view = look.view;
        let mut tree = Self {
            nodes: Vec::new(),
            bounds: Vec::new(),
            steps: Vec::new(),
            symmetric: look.symmetric,
            at_least: look.at_least,
            total: view.nodes(),
        };
        // Where each node has gone; nodes are copied in the order in which they were met.
        let mut places = vec![NONE; view.ids_end() as usize];
        let mut met = vec![view.top()];
        places[view.top() as usize] = 0;
        let (mut at, mut steps) = (0, Vec::new());
        while let Some(node) = met.get(at).copied() {
            at += 1;
            let seen = view.seen(node);
            let first = tree.steps.len() as u32;
            let best = view.best(node).unwrap_or(NONE);
            steps.clear();
            view.steps(node, &mut steps);
            // All children of a node are kept, or none.
            let is_cut = !steps.is_empty() && met.len() + steps.len() > nodes_max;
            tree.nodes.push(Node { numbers: seen.numbers, first, best, is_or: seen.is_or, is_cut });
            tree.bounds.extend(seen.bounds);
            if is_cut {
                continue;
            }
            for step in &steps {
                let place = &mut places[step.node as usize];
                if *place == NONE {
                    *place = met.len() as u32;
                    met.push(step.node);
                }
                tree.steps.push((step.code | if step.is_back { BACK } else { 0 }, *place));
            }
        }
        tree
    }

    /// The copy, to be looked into.
    #[must_use]
    pub fn look(&self) -> Look<'_> {
        Look { view: self, symmetric: self.symmetric, at_least: self.at_least, ended: true }
    }
}

impl View for KeptTree {
    fn nodes(&self) -> u64 {
        self.total
    }

    fn ids_end(&self) -> NodeId {
        self.nodes.len() as NodeId
    }

    fn seen(&self, node: NodeId) -> Seen {
        let Node { numbers, is_or, .. } = self.nodes[node as usize];
        Seen { is_or, numbers, bounds: self.bounds.get(node as usize).copied() }
    }

    fn steps(&self, node: NodeId, steps: &mut Vec<Step>) {
        let first = self.nodes[node as usize].first as usize;
        let end = self.nodes.get(node as usize + 1).map_or(self.steps.len(), |next| next.first as usize);
        let step =
            |&(code, node): &(u32, NodeId)| Step { code: code & !BACK, node, is_back: code & BACK != 0 };
        steps.extend(self.steps[first..end].iter().map(step));
    }

    fn best(&self, node: NodeId) -> Option<u32> {
        Some(self.nodes[node as usize].best).filter(|code| *code != NONE)
    }

    fn is_cut(&self, node: NodeId) -> bool {
        self.nodes[node as usize].is_cut
    }
}
