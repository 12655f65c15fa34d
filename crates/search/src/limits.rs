//! How far a search may go, and what it counts. The same words mean the same in every search.

use std::collections::HashMap;

use quod_checkpoint::State;
use quod_model::{Numbers, Relative, StopReason, Verdict};
use quod_proof::{NodeId, SolutionTree};

use crate::many::Interval;
use crate::saved::Restore;
use crate::view::View;
use zerocopy::{FromBytes, Immutable, IntoBytes};

/// How far one call of `advance` may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Nodes created in all since the search began. Never exceeded: the search stops before the expansion
    /// that would pass it.
    pub nodes_max: u64,
    /// Steps of this call: expansions, or evaluations where those are delayed.
    pub steps_max: u64,
}

impl Budget {
    /// Until the search is done.
    pub const UNLIMITED: Self = Self { nodes_max: u64::MAX, steps_max: u64::MAX };
}

/// Where a search stands after a call of `advance`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The steps of this call are used up.
    Running,
    /// There is an answer, or no way to one within the limits of nodes and memory.
    Done(Verdict),
}

/// A search that somebody drives. Between two calls it can be stopped, looked into and asked for what it knows.
pub trait Search {
    /// Goes on until there is an answer or the budget is used up.
    fn advance(&mut self, budget: Budget) -> Progress;

    /// The numbers of the root.
    fn root_numbers(&self) -> Numbers;

    /// How far it has come, if it is for a value and not for an answer to one question.
    fn standing(&self) -> Option<Standing> {
        None
    }

    /// Where it is, if it goes depth first.
    fn depth_first(&self) -> Option<DepthFirst> {
        None
    }

    /// What it holds, if that can be looked into now.
    fn view(&self) -> Option<&dyn View> {
        None
    }

    /// What is needed to go on from here, if that can be written down now: work on everything that a search holds is done first.
    fn state(&self) -> Option<&dyn State> {
        None
    }

    /// Itself as something that takes a state back, if it ever has one.
    fn restored(&mut self) -> Option<&mut dyn Restore> {
        None
    }

    /// What has been done so far.
    fn counters(&self) -> Counters;
}

/// Where a depth-first search is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DepthFirst {
    /// The moves at the root.
    pub moves: usize,
    /// How many of them are solved.
    pub solved: usize,
    /// The smallest distance from the root that the last slice of work has been at.
    pub shallowest: u32,
    /// The largest one.
    pub deepest: u32,
    /// Entries of the table in use.
    pub filled: u64,
    /// Entries that there are.
    pub places: u64,
}

/// Takes one step after the other until there is an answer, a step fails, or the budget is used up.
#[inline(always)]
pub(crate) fn take_steps<S>(
    search: &mut S,
    budget: Budget,
    verdict: impl Fn(&S) -> Option<Verdict>,
    mut step: impl FnMut(&mut S, u64) -> Result<(), StopReason>,
) -> Progress {
    for _ in 0..budget.steps_max {
        if let Some(verdict) = verdict(search) {
            return Progress::Done(verdict);
        }
        if let Err(reason) = step(search, budget.nodes_max) {
            return Progress::Done(Verdict::Unknown(reason));
        }
    }
    verdict(search).map_or(Progress::Running, Progress::Done)
}

/// How far a search for a value has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// What is proven, within the range that was asked about.
    pub proven: Interval,
    /// The question that is searched now: "at least this?".
    pub at_least: Relative,
}

/// What is left of a search that has solved its root.
pub trait Solved: SolutionTree {
    /// Whether it is an OR node.
    fn is_or(&self, node: NodeId) -> bool;

    /// The bytes that it holds.
    fn bytes(&self) -> u64;

    /// The moves of a longest defence against the winner's choice.
    fn longest_line(&self) -> Vec<u32>;

    /// What is needed to have it again, if it can be written down.
    fn state(&self) -> Option<&dyn State> {
        None
    }
}

/// The longest of the lines that `played` leads along, with the codes of its moves: how long play goes on from a node that is
/// left behind is found bottom-up, and what is still above counts as an end. It repeats nothing. Of a great many nodes it looks at
/// the first ones alone, so that it takes little memory and time: the line may then be shorter.
pub(crate) fn longest_line<I: Iterator<Item = (u32, NodeId)>>(
    root: NodeId,
    played: impl Fn(NodeId) -> I,
) -> Vec<u32> {
    const NODES_MAX: usize = 1 << 18;
    let mut lengths: HashMap<NodeId, u32> = HashMap::new();
    let mut open: Vec<(NodeId, bool)> = vec![(root, false)];
    while let Some((node, left)) = open.pop() {
        if left {
            let longest =
                played(node).map(|(_, child)| lengths.get(&child).map_or(0, |length| length + 1)).max();
            lengths.insert(node, longest.unwrap_or(0));
        } else if lengths.len() < NODES_MAX && !lengths.contains_key(&node) {
            lengths.insert(node, 0);
            open.push((node, true));
            open.extend(played(node).map(|(_, child)| (child, false)));
        }
    }
    let (mut line, mut node) = (Vec::new(), root);
    // What was passed is taken out: the line ends where it would come again.
    while lengths.remove(&node).is_some() {
        // The first of the longest.
        let next =
            played(node).min_by_key(|(_, child)| std::cmp::Reverse(lengths.get(child).copied().unwrap_or(0)));
        let Some((code, child)) = next else { break };
        line.push(code);
        node = child;
    }
    line
}

/// What a search has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, FromBytes, IntoBytes, Immutable)]
#[repr(C)]
pub struct Counters {
    /// Positions generated by making a move; the root is not.
    pub nodes: u64,
    /// Nodes whose children were generated.
    pub expansions: u64,
    /// Recomputations of a node's numbers, those found unchanged included.
    pub updates: u64,
    /// Positions that were made beside the nodes, in lines of threats.
    pub threat_nodes: u64,
    /// The most nodes that were held at once, the root included.
    pub peak_nodes: u64,
    /// The most edges that were held at once, where a search keeps them apart from nodes.
    pub peak_edges: u64,
    /// The most bytes that nodes, edges and their index took together, in such a search.
    pub graph_bytes: u64,
    /// Nodes at depth i that iteration i of a search that deepens has visited, summed over all iterations; the root is one of them.
    pub deepened_nodes: u64,
    /// The most bytes that the search has used.
    pub memory_bytes: u64,
}

impl Counters {
    /// The counters of a search while another one holds so many nodes and bytes beside it.
    #[must_use]
    pub(crate) fn beside(self, nodes: u64, bytes: u64) -> Self {
        Self { peak_nodes: self.peak_nodes + nodes, memory_bytes: self.memory_bytes + bytes, ..self }
    }

    /// The counters of two searches one after the other.
    #[must_use]
    pub fn then(self, next: Self) -> Self {
        Self {
            nodes: self.nodes + next.nodes,
            expansions: self.expansions + next.expansions,
            updates: self.updates + next.updates,
            threat_nodes: self.threat_nodes + next.threat_nodes,
            peak_nodes: self.peak_nodes.max(next.peak_nodes),
            peak_edges: self.peak_edges.max(next.peak_edges),
            graph_bytes: self.graph_bytes.max(next.graph_bytes),
            deepened_nodes: self.deepened_nodes + next.deepened_nodes,
            memory_bytes: self.memory_bytes.max(next.memory_bytes),
        }
    }
}
