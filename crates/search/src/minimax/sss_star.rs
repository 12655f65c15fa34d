//! SSS* (Stockman 1979): best first, by upper bounds of what Max can get.
//!
//! The OPEN list holds the leaves of a max solution tree, each live or solved, with a merit: no solution through it gives Max more. The
//! state with the largest merit is worked on, the leftmost among equals. When the root is solved, its merit is its value. Stockman's cases
//! take turns for granted; here what becomes of a solved node is told by who moves at its parent. Rules that bound values
//! lower a merit before a node is expanded, and solve it where it cannot fall below its merit.
//!
//! States below a solved node are purged when they come up. The whole tree stays in memory, with its bounds.

use quod_model::{Bounded, Minimax, Numbers, Relative, StopReason, Verdict};
use quod_proof::{NodeId, SearchTree, Solution};

use super::open_list::{OpenList, State};
use super::order;
use super::solutions::{beside_tree, solutions, tree_bytes};
use super::tree::{NODE_BYTES, ROOT, Tree};
use crate::limits::{Budget, Counters, Progress, Search, Standing, take_steps};
use crate::many::{Interval, Many};

/// SSS*, for the value of the place where its cursor stands.
pub struct SssStar<'c> {
    cursor: Box<dyn Minimax + 'c>,
    pub(super) tree: Tree,
    open: OpenList,
    /// Nodes that are solved: what is below them is purged.
    solved: Vec<bool>,
    asked: Interval,
    about: Relative,
    /// From the root to where the cursor stands.
    path: Vec<NodeId>,
    codes: Vec<u32>,
    buffer: Vec<Bounded>,
    memory_bytes_max: u64,
    nodes: u64,
    expansions: u64,
    updates: u64,
}

impl<'c> SssStar<'c> {
    /// A search for a value within `asked`, from its upper end down. It has `memory_bytes_max` bytes.
    pub fn new(cursor: impl Minimax + 'c, asked: Interval, memory_bytes_max: u64) -> Self {
        let mut cursor: Box<dyn Minimax + 'c> = Box::new(cursor);
        let rules = cursor.bounds();
        // Nodes take room in the list, too.
        let share = tree_bytes(memory_bytes_max) / (NODE_BYTES + OpenList::NODE_BYTES + 1) * NODE_BYTES;
        let root = State { node: ROOT, solved: false, merit: asked.upper };
        Self {
            tree: Tree::new(share, cursor.is_max(), rules),
            cursor,
            open: OpenList::new(root, share),
            solved: beside_tree(share, false),
            asked,
            about: asked.question(Many::Binary).unwrap_or(asked.upper),
            path: vec![ROOT],
            codes: Vec::new(),
            buffer: Vec::new(),
            memory_bytes_max,
            nodes: 0,
            expansions: 0,
            updates: 0,
        }
    }

    /// Done when the root is solved, or when no merit is left that was asked about.
    fn verdict(&self) -> Option<Verdict> {
        let State { node, solved, merit } = self.open.first();
        let settled = (solved && node == ROOT) || merit <= self.asked.lower;
        settled.then_some(Verdict::Proven)
    }

    fn step(&mut self, nodes_max: u64) -> Result<(), StopReason> {
        let State { node, solved, merit } = self.open.first();
        if self.is_purged(node) {
            self.open.pop();
            return Ok(());
        }
        if solved {
            self.open.pop();
            self.solve_parent(node, merit);
            return Ok(());
        }
        let (lower, upper) = self.tree.bounds(node);
        if upper < merit {
            self.open.pop();
            self.open.push(State { node, solved, merit: upper });
        } else if lower >= merit {
            self.open.pop();
            self.solve(node, merit);
        } else {
            let count = self.expand(node, nodes_max)?;
            self.open.pop();
            // All children of a max node are in a max solution tree, and one of a min node.
            let live = if self.tree.is_max(node) { count } else { 1 };
            for place in 0..live {
                self.open.push(State { node: self.tree.child(node, place), solved: false, merit });
            }
        }
        Ok(())
    }

    /// Whether a node above it is solved.
    fn is_purged(&self, mut node: NodeId) -> bool {
        while node != ROOT {
            node = self.open.parent(node);
            if self.solved[node as usize] {
                return true;
            }
        }
        false
    }

    fn solve(&mut self, node: NodeId, merit: Relative) {
        self.solved[node as usize] = true;
        self.open.push(State { node, solved: true, merit });
    }

    /// A solved child solves a max node; of a min node, the next one is live then, and the last one solves it.
    fn solve_parent(&mut self, node: NodeId, merit: Relative) {
        let parent = self.open.parent(node);
        let next = node + 1;
        let last = self.tree.child(parent, self.tree.count(parent) - 1);
        if self.tree.is_max(parent) || node == last {
            self.solve(parent, merit);
        } else {
            self.open.push(State { node: next, solved: false, merit });
        }
    }

    /// Generates the children of a node, and takes what they show of all above.
    fn expand(&mut self, node: NodeId, nodes_max: u64) -> Result<u32, StopReason> {
        self.go_to(node);
        self.buffer.clear();
        self.cursor.expand(self.about, &mut self.buffer);
        let count = self.buffer.len();
        if self.nodes + count as u64 > nodes_max {
            return Err(StopReason::Nodes);
        }
        order::by_numbers(&mut self.buffer, self.tree.is_max(node));
        if !self.tree.attach(node, &self.buffer) {
            return Err(StopReason::Memory);
        }
        self.open.add_places(node, count);
        self.solved.resize(self.solved.len() + count, false);
        self.nodes += count as u64;
        self.expansions += 1;
        let mut above = node;
        loop {
            self.updates += 1;
            if !self.tree.update(above) || above == ROOT {
                break;
            }
            above = self.open.parent(above);
        }
        Ok(self.tree.count(node))
    }

    /// Brings the cursor to a node.
    fn go_to(&mut self, node: NodeId) {
        let mut path = vec![node];
        let mut above = node;
        while above != ROOT {
            above = self.open.parent(above);
            path.push(above);
        }
        path.reverse();
        let common = self.path.iter().zip(&path).take_while(|(one, other)| one == other).count();
        if self.path.len() > common {
            self.cursor.up(self.path.len() - common);
        }
        self.codes.clear();
        self.codes.extend(path[common..].iter().map(|node| self.tree.code(*node)));
        if !self.codes.is_empty() {
            self.cursor.down(&self.codes);
        }
        self.path = path;
    }

    /// Ends the search and keeps what shows its lower and its upper bound, where those are more than was asked about.
    #[must_use]
    pub fn into_solutions(self) -> (Option<Solution>, Option<Solution>) {
        let used = self.counters().memory_bytes;
        solutions(&self.tree, self.asked, self.tree.proven(), self.memory_bytes_max, used)
    }
}

impl Search for SssStar<'_> {
    fn advance(&mut self, budget: Budget) -> Progress {
        take_steps(self, budget, Self::verdict, Self::step)
    }

    /// There are none: open, or known.
    fn root_numbers(&self) -> Numbers {
        if self.verdict().is_some() { Numbers::PROVEN } else { Numbers::ONE }
    }

    fn standing(&self) -> Option<Standing> {
        Some(Standing { proven: self.tree.proven(), at_least: self.open.first().merit.min(self.asked.upper) })
    }

    fn counters(&self) -> Counters {
        let stacks = (self.path.capacity() + self.codes.capacity()) * size_of::<u32>()
            + self.buffer.capacity() * size_of::<Bounded>()
            + self.solved.len();
        Counters {
            nodes: self.nodes,
            expansions: self.expansions,
            updates: self.updates,
            peak_nodes: self.tree.peak(),
            memory_bytes: self.tree.bytes() + self.open.bytes() + stacks as u64,
            ..Counters::default()
        }
    }
}
