//! What proof and disproof numbers, sets and most-proving nodes are in graphs, exactly as defined and far too
//! slowly for a search (Schijf, *Proof-number search and transpositions*, 1993). Searches that approximate
//! them are compared with this.
//!
//! [`sets`] is the definition itself (section 3.2) for graphs without cycles, [`dnf`] the algorithm for the
//! same graphs (4.3), [`dcg`] the algorithms for graphs with cycles (5.3).
//!
//! ```
//! use quod_model::Numbers;
//! use quod_search::exact::{Effort, Node, SearchGraph, State, sets};
//!
//! // Both replies b and c have the terminal 3 below them: one loss there is enough to disprove the root.
//! let graph = SearchGraph::new(vec![
//!     Node { is_or: true, endless: false, state: State::Inner(vec![1, 2]) },
//!     Node { is_or: false, endless: false, state: State::Inner(vec![3, 4]) },
//!     Node { is_or: false, endless: false, state: State::Inner(vec![3, 5]) },
//!     Node { is_or: true, endless: false, state: State::Open },
//!     Node { is_or: true, endless: false, state: State::Open },
//!     Node { is_or: true, endless: false, state: State::Open },
//! ])?;
//! assert_eq!(sets::numbers(&graph, &mut Effort::default())?, Numbers { pn: 2, dn: 1 });
//! assert_eq!(sets::most_proving(&graph, &mut Effort::default())?, [3]);
//! # Ok::<(), quod_search::exact::ExactError>(())
//! ```

pub mod dcg;
pub mod dnf;
pub mod sets;

/// A search graph at one moment of a search. Node 0 is the root; nodes that it does not lead to have no part
/// in anything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchGraph {
    nodes: Vec<Node>,
    open: Vec<usize>,
}

/// A node of a search graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Whether one child that holds is enough (a max node).
    pub is_or: bool,
    /// Whether an inner node counts as holding when it comes again on a path. The thesis has only `false`.
    pub endless: bool,
    /// What is known about it.
    pub state: State,
}

/// What is known about a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// Expanded into these nodes.
    Inner(Vec<usize>),
    /// A terminal that is neither proven nor disproven.
    Open,
    /// A terminal where the goal holds.
    Won,
    /// A terminal where the goal fails.
    Lost,
}

/// Why there is no exact answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExactError {
    /// No root.
    #[error("a search graph has at least one node")]
    Empty,
    /// An inner node without children.
    #[error("node {0} is an inner node without children")]
    Childless(usize),
    /// An edge to nowhere.
    #[error("node {node} has the child {child}, and there is no such node")]
    NoSuchChild {
        /// Where the edge starts.
        node: usize,
        /// Where it leads.
        child: usize,
    },
    /// A way around where none may be.
    #[error("the graph has a cycle through node {0}; only exact::dcg takes such graphs")]
    Cyclic(usize),
    /// Sets of terminals are 64 bits.
    #[error("more than 64 open terminals")]
    Terminals,
    /// Sets of transpositions are 64 bits.
    #[error("more than 64 nodes with several parents")]
    Transpositions,
    /// More sets or clauses than [`Effort::sets_max`].
    #[error("a node has more than {0} sets or clauses")]
    Sets(usize),
    /// More nodes than [`Effort::nodes_max`].
    #[error("the graph without cycles has more than {0} nodes")]
    Nodes(usize),
    /// [`Effort::steps_left`] came to its end.
    #[error("the steps are used up: the graph is too large for an exact answer")]
    Steps,
}

/// What an exact answer may still cost. All of this grows exponentially with the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// The most sets or clauses of one node, before the superfluous ones are dropped.
    pub sets_max: usize,
    /// The most nodes of a graph whose cycles are unrolled.
    pub nodes_max: usize,
    /// Nodes visited, sets and clauses looked at.
    pub steps_left: u64,
}

impl Default for Effort {
    /// At most about half a minute.
    fn default() -> Self {
        Self { sets_max: 20_000, nodes_max: 1 << 20, steps_left: 1 << 30 }
    }
}

impl Effort {
    fn spend(&mut self, steps: usize) -> Result<(), ExactError> {
        self.steps_left = self.steps_left.checked_sub(steps as u64).ok_or(ExactError::Steps)?;
        Ok(())
    }

    fn check_sets(&self, count: usize) -> Result<(), ExactError> {
        if count > self.sets_max { Err(ExactError::Sets(self.sets_max)) } else { Ok(()) }
    }
}

impl SearchGraph {
    /// A graph from its nodes. Children are a set: what is there twice is taken once, in the order of the
    /// first.
    ///
    /// # Errors
    /// If there is no node, an inner node has no children or a child does not exist.
    pub fn new(mut nodes: Vec<Node>) -> Result<Self, ExactError> {
        if nodes.is_empty() {
            return Err(ExactError::Empty);
        }
        let count = nodes.len();
        // The node whose children were last seen to have this one among them.
        let mut seen_at = vec![usize::MAX; count];
        for (node, Node { state, .. }) in nodes.iter_mut().enumerate() {
            if let State::Inner(children) = state {
                if children.is_empty() {
                    return Err(ExactError::Childless(node));
                }
                if let Some(child) = children.iter().copied().find(|child| *child >= count) {
                    return Err(ExactError::NoSuchChild { node, child });
                }
                children.retain(|child| std::mem::replace(&mut seen_at[*child], node) != node);
            }
        }
        let open = (0..count).filter(|node| nodes[*node].state == State::Open).collect();
        Ok(Self { nodes, open })
    }

    /// All nodes by number.
    #[must_use]
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The children of a node, none for a terminal.
    #[must_use]
    pub fn children(&self, node: usize) -> &[usize] {
        match &self.nodes[node].state {
            State::Inner(children) => children,
            _ => &[],
        }
    }

    /// The open terminals in ascending order: the i-th is bit i of every set of terminals.
    #[must_use]
    pub fn open(&self) -> &[usize] {
        &self.open
    }

    /// The nodes of a set of terminals.
    #[must_use]
    pub fn terminals(&self, set: u64) -> Vec<usize> {
        self.open
            .iter()
            .take(64)
            .enumerate()
            .filter(|(bit, _)| set >> bit & 1 == 1)
            .map(|(_, node)| *node)
            .collect()
    }

    /// The nodes that the root leads to, itself included, in ascending order.
    #[must_use]
    pub fn reached(&self) -> Vec<usize> {
        let mut reached = reached_from(0, self.nodes.len(), |node| self.children(node));
        reached[0] = true;
        (0..self.nodes.len()).filter(|node| reached[*node]).collect()
    }

    /// The parents of each node among those that the root leads to.
    fn parents(&self) -> Vec<Vec<usize>> {
        let mut parents = vec![Vec::new(); self.nodes.len()];
        for node in self.reached() {
            for child in self.children(node) {
                parents[*child].push(node);
            }
        }
        parents
    }

    /// The nodes that the root leads to, children before their parents.
    fn children_first<'a>(&self, children: impl Fn(usize) -> &'a [usize]) -> Result<Vec<usize>, ExactError> {
        let mut order = Vec::new();
        let mut entered = vec![false; self.nodes.len()];
        let mut left = vec![false; self.nodes.len()];
        for start in self.reached() {
            if entered[start] {
                continue;
            }
            entered[start] = true;
            let mut path = vec![(start, 0)];
            while let Some((node, next)) = path.last_mut() {
                if let Some(child) = children(*node).get(*next).copied() {
                    *next += 1;
                    if !std::mem::replace(&mut entered[child], true) {
                        path.push((child, 0));
                    } else if !left[child] {
                        return Err(ExactError::Cyclic(child));
                    }
                } else {
                    left[*node] = true;
                    order.push(*node);
                    path.pop();
                }
            }
        }
        Ok(order)
    }
}

/// Where one edge or more lead from a node.
fn reached_from<'a>(from: usize, count: usize, edges: impl Fn(usize) -> &'a [usize]) -> Vec<bool> {
    let mut reached = vec![false; count];
    let mut ahead = vec![from];
    while let Some(node) = ahead.pop() {
        for next in edges(node) {
            if !std::mem::replace(&mut reached[*next], true) {
                ahead.push(*next);
            }
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inner(children: &[usize]) -> Node {
        Node { is_or: true, endless: false, state: State::Inner(children.to_vec()) }
    }

    fn open() -> Node {
        Node { is_or: true, endless: false, state: State::Open }
    }

    #[test]
    fn bad_graphs_are_refused() {
        assert_eq!(SearchGraph::new(vec![]), Err(ExactError::Empty));
        assert_eq!(SearchGraph::new(vec![inner(&[])]), Err(ExactError::Childless(0)));
        let error = SearchGraph::new(vec![inner(&[1]), inner(&[2])]).unwrap_err();
        assert_eq!(error.to_string(), "node 1 has the child 2, and there is no such node");
    }

    #[test]
    fn children_are_a_set() {
        let graph = SearchGraph::new(vec![inner(&[2, 1, 2, 1]), inner(&[2]), open()]).unwrap();
        assert_eq!(graph.children(0), [2, 1]);
        assert_eq!(graph.parents()[2], [0, 1]);
        assert_eq!(graph.children_first(|node| graph.children(node)), Ok(vec![2, 1, 0]));
    }

    #[test]
    fn limits_are_errors() {
        let wide = SearchGraph::new([vec![inner(&(1..=65).collect::<Vec<_>>())], vec![open(); 65]].concat())
            .unwrap();
        assert_eq!(sets::numbers(&wide, &mut Effort::default()), Err(ExactError::Terminals));
        let and = |children: &[usize]| Node { is_or: false, ..inner(children) };
        let pairs = vec![and(&[1, 2]), inner(&[3, 4]), inner(&[5, 6]), open(), open(), open(), open()];
        let pairs = SearchGraph::new(pairs).unwrap();
        let few = Effort { sets_max: 3, ..Effort::default() };
        assert_eq!(sets::numbers(&pairs, &mut few.clone()), Err(ExactError::Sets(3)));
        assert_eq!(dcg::numbers(&pairs, &mut few.clone()), Err(ExactError::Sets(3)));
        let ladder = (0..67).map(|node: usize| inner(&[node + 1, node + 2])).chain([open(), open()]);
        let ladder = SearchGraph::new(ladder.collect()).unwrap();
        assert_eq!(dnf::Dag::new(&ladder, &mut Effort::default()).err(), Some(ExactError::Transpositions));
        let short = Effort { steps_left: 3, ..Effort::default() };
        assert_eq!(sets::numbers(&pairs, &mut short.clone()), Err(ExactError::Steps));
        assert_eq!(dcg::numbers(&pairs, &mut short.clone()), Err(ExactError::Steps));
        assert_eq!(dnf::Dag::new(&pairs, &mut short.clone()).err(), Some(ExactError::Steps));
        let small = Effort { nodes_max: 6, ..Effort::default() };
        assert_eq!(dcg::unroll(&pairs, &mut small.clone()).err(), Some(ExactError::Nodes(6)));
    }
}
