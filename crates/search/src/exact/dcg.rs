//! Complete sets, numbers and most-proving nodes in graphs with cycles (Schijf 1993, sections 5.2 and 5.3).
//!
//! What a node is worth can depend on the path to it, for a node that is on the path already is a repetition.
//! So the sets are those of the tree of all paths from the root, in which equal open terminals are one. The
//! thesis puts a node without parents above the root; its sets are those of the root and it is left out here.

use quod_model::Numbers;

use super::sets::CompleteSets;
use super::{Effort, ExactError, Node, SearchGraph, State, reached_from};

/// The complete sets of the root.
///
/// # Errors
/// If it is too much.
pub fn complete(graph: &SearchGraph, effort: &mut Effort) -> Result<CompleteSets, ExactError> {
    complete_from(graph, 0, effort)
}

/// The complete sets that a node has as the root, by way of all paths (figure 5.4, depth first).
///
/// As printed the figure takes union and tensor union the wrong way around: at a max node it combines the
/// proof sets of all children. It is right in figure 3.2, and here.
///
/// # Errors
/// If it is too much.
///
/// # Panics
/// If there is no such node.
pub fn complete_from(
    graph: &SearchGraph,
    root: usize,
    effort: &mut Effort,
) -> Result<CompleteSets, ExactError> {
    if let Some(sets) = CompleteSets::of_terminal(graph, root)? {
        return Ok(sets);
    }
    let begin = |node: usize| (node, 0, CompleteSets::solved(!graph.nodes[node].is_or));
    let mut on_path = vec![false; graph.nodes.len()];
    on_path[root] = true;
    let mut path = vec![begin(root)];
    loop {
        let (node, next, sets) = path.last_mut().expect("the root is left by returning");
        let Some(child) = graph.children(*node).get(*next).copied() else {
            let (node, _, done) = path.pop().expect("it was there");
            on_path[node] = false;
            match path.last_mut() {
                Some((parent, _, sets)) => sets.add_child(graph.nodes[*parent].is_or, &done, effort)?,
                None => return Ok(done),
            }
            continue;
        };
        effort.spend(1)?;
        *next += 1;
        let child_sets = if on_path[child] {
            Some(CompleteSets::solved(graph.nodes[child].endless))
        } else {
            CompleteSets::of_terminal(graph, child)?
        };
        match child_sets {
            Some(child) => sets.add_child(graph.nodes[*node].is_or, &child, effort)?,
            None => {
                on_path[child] = true;
                path.push(begin(child));
            }
        }
    }
}

/// The complete sets that each node has as the root, for every node that the root leads to: the incremental
/// algorithm of section 5.3.
///
/// The thesis lets a node take its sets from those of its children unless it is both a transposition and on
/// a cycle. What the children have as roots is not what they have below this node, but it comes to the same
/// as long as all repetitions on cycles through the node are worth the same. Then the minimal sets say who
/// wins the endless game, which knows no paths, and they fit together at *every* node. The nodes computed
/// separately are needed only to begin somewhere: every cycle has one, for it is entered from outside.
/// Where repetitions are worth different things, the rule is wrong for nodes on cycles, and all of these are
/// computed separately here.
///
/// # Errors
/// If it is too much.
pub fn unique(graph: &SearchGraph, effort: &mut Effort) -> Result<Vec<Option<CompleteSets>>, ExactError> {
    let parents = graph.parents();
    let mut all: Vec<Option<CompleteSets>> = vec![None; graph.nodes.len()];
    for node in graph.reached() {
        effort.spend(graph.nodes.len())?;
        let cycles = part(graph, &parents, node);
        // The root has one more parent: the node that the thesis puts above it.
        let is_transposition = parents[node].len() + usize::from(node == 0) > 1;
        let differ = cycles.iter().any(|other| graph.nodes[*other].endless != graph.nodes[node].endless);
        if !cycles.is_empty() && (is_transposition || differ) {
            all[node] = Some(complete_from(graph, node, effort)?);
        }
    }
    let separate: Vec<bool> = all.iter().map(Option::is_some).collect();
    let children = |node: usize| if separate[node] { &[] } else { graph.children(node) };
    for node in graph.children_first(children)? {
        if separate[node] {
            continue;
        }
        all[node] = Some(CompleteSets::of_node(graph, node, &all, effort)?);
    }
    Ok(all)
}

/// The nodes on cycles through this one, itself included; none if there is no such cycle.
fn part(graph: &SearchGraph, parents: &[Vec<usize>], node: usize) -> Vec<usize> {
    let ahead = reached_from(node, parents.len(), |node| graph.children(node));
    let behind = reached_from(node, parents.len(), |node| &parents[node]);
    (0..parents.len()).filter(|other| ahead[*other] && behind[*other]).collect()
}

/// A graph without cycles that has the same complete sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unrolled {
    /// The graph.
    pub graph: SearchGraph,
    /// Which node of the graph with cycles each of its nodes stands for.
    pub labels: Vec<usize>,
}

/// Every path from the root becomes a node of its own, and ends where a node comes again. Open terminals are
/// the same on all paths (figure 5.3).
///
/// # Errors
/// If it is too much.
pub fn unroll(graph: &SearchGraph, effort: &mut Effort) -> Result<Unrolled, ExactError> {
    // In the order of their creation, with the place of the parent: together they are the path to a node.
    let mut labels = vec![0];
    let mut above = vec![None];
    let mut nodes = vec![graph.nodes[0].clone()];
    let mut joined: Vec<Option<usize>> = vec![None; graph.nodes.len()];
    let mut ahead = vec![0];
    while let Some(place) = ahead.pop() {
        let mut children = Vec::new();
        for label in graph.children(labels[place]).iter().copied() {
            effort.spend(1)?;
            if let Some(terminal) = joined[label] {
                children.push(terminal);
                continue;
            }
            if nodes.len() >= effort.nodes_max {
                return Err(ExactError::Nodes(effort.nodes_max));
            }
            let child = nodes.len();
            children.push(child);
            let mut node: Node = graph.nodes[label].clone();
            match node.state {
                State::Open => joined[label] = Some(child),
                State::Inner(_) => {
                    let path = std::iter::successors(Some(place), |place| above[*place]);
                    let path: Vec<usize> = path.map(|place| labels[place]).collect();
                    effort.spend(path.len())?;
                    if path.contains(&label) {
                        node.state = if node.endless { State::Won } else { State::Lost };
                    } else {
                        ahead.push(child);
                    }
                }
                State::Won | State::Lost => {}
            }
            labels.push(label);
            above.push(Some(place));
            nodes.push(node);
        }
        if let State::Inner(own) = &mut nodes[place].state {
            *own = children;
        }
    }
    Ok(Unrolled { graph: SearchGraph::new(nodes)?, labels })
}

/// The true numbers of the root.
///
/// # Errors
/// If it is too much.
pub fn numbers(graph: &SearchGraph, effort: &mut Effort) -> Result<Numbers, ExactError> {
    Ok(complete(graph, effort)?.numbers())
}

/// The most-proving nodes, none if the root is solved.
///
/// # Errors
/// If it is too much.
pub fn most_proving(graph: &SearchGraph, effort: &mut Effort) -> Result<Vec<usize>, ExactError> {
    Ok(graph.terminals(complete(graph, effort)?.most_proving()))
}
