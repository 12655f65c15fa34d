//! SSS-2 (Pijls and de Bruin 1990; de Bruin, Pijls and Plaat, section 6): SSS* as a series of null-window searches, each of which makes a
//! better max solution tree of the last one.
//!
//! The first call is NWS, which builds a max solution tree T; the others are T-NWS (figure 5), which visits in T only nodes whose value is the
//! one of the root. Where a min node of T has an open younger brother that NWS makes smaller, it takes its place. The test for that
//! in figure 5 reads v < gamma, where it must be v' < gamma. All that was generated stays in memory: T is marked in it.

use quod_model::{Bounded, Minimax, Numbers, Relative, StopReason, Verdict};
use quod_proof::{NodeId, SearchTree, Solution};

use super::order;
use super::solutions::{beside_tree, solutions, tree_bytes};
use super::tree::{NODE_BYTES, ROOT, Tree};
use crate::limits::{Budget, Counters, Progress, Search, Standing, take_steps};
use crate::many::{Interval, Many};

struct Frame {
    node: NodeId,
    /// The place of the child that is visited.
    next: u32,
    /// The best of the values so far.
    value: Relative,
}

/// SSS-2, for the value of the place where its cursor stands.
pub struct Sss2<'c> {
    cursor: Box<dyn Minimax + 'c>,
    pub(super) tree: Tree,
    asked: Interval,
    /// The place of the single child in T of each min node, by its number.
    single: Vec<u16>,
    /// What every call asks: at least this?
    gamma: Relative,
    /// Whether the last call has said yes.
    reached: bool,
    about: Relative,
    frames: Vec<Frame>,
    codes: Vec<u32>,
    walked: usize,
    buffer: Vec<Bounded>,
    memory_bytes_max: u64,
    nodes: u64,
    expansions: u64,
    updates: u64,
}

impl<'c> Sss2<'c> {
    /// A search for a value within `asked`, from its upper end down. It has `memory_bytes_max` bytes.
    pub fn new(cursor: impl Minimax + 'c, asked: Interval, memory_bytes_max: u64) -> Self {
        let mut cursor: Box<dyn Minimax + 'c> = Box::new(cursor);
        let rules = cursor.bounds();
        // Each node has a mark, too.
        let share = tree_bytes(memory_bytes_max) / (NODE_BYTES + size_of::<u16>() as u64) * NODE_BYTES;
        Self {
            tree: Tree::new(share, cursor.is_max(), rules),
            cursor,
            asked,
            single: beside_tree(share, 0),
            gamma: asked.upper.min(rules.1),
            reached: false,
            about: asked.question(Many::Binary).unwrap_or(asked.upper),
            frames: Vec::new(),
            codes: Vec::new(),
            walked: 0,
            buffer: Vec::new(),
            memory_bytes_max,
            nodes: 0,
            expansions: 0,
            updates: 0,
        }
    }

    /// Done when the root has the value of T, or when that is less than was asked about.
    fn verdict(&self) -> Option<Verdict> {
        let settled = self.reached || self.tree.bounds(ROOT).1 <= self.asked.lower;
        (self.frames.is_empty() && settled).then_some(Verdict::Proven)
    }

    fn step(&mut self, nodes_max: u64) -> Result<(), StopReason> {
        /// About as long as an expansion.
        const TRANSITIONS: usize = 16;
        if self.frames.is_empty() {
            // T has this value: the next call asks whether the root has it too.
            self.gamma = self.gamma.min(self.tree.bounds(ROOT).1);
            match self.settled(ROOT) {
                Some(value) => self.reached = value >= self.gamma,
                None => self.enter(ROOT),
            }
        }
        for _ in 0..TRANSITIONS {
            let Some(frame) = self.frames.last() else { break };
            let Frame { node, next, value } = *frame;
            if !self.tree.is_expanded(node) {
                return self.expand(nodes_max);
            }
            let goes_on = if self.tree.is_max(node) { value < self.gamma } else { value >= self.gamma };
            if !goes_on || next == self.tree.count(node) {
                self.finish();
                continue;
            }
            let child = self.tree.child(node, next);
            match self.settled(child) {
                Some(value) => self.take(value),
                None => {
                    self.codes.push(self.tree.code(child));
                    self.enter(child);
                }
            }
        }
        Ok(())
    }

    /// What need not be visited: in T, all whose value is smaller than gamma; outside, what the rules settle. What the tree shows of
    /// lower bounds inside T is not looked at: SSS* does not know it, and both expand the same nodes.
    fn settled(&self, node: NodeId) -> Option<Relative> {
        let (lower, upper) = self.tree.bounds(node);
        if upper < self.gamma {
            Some(upper)
        } else if lower >= self.gamma && !self.tree.is_expanded(node) {
            Some(lower)
        } else {
            None
        }
    }

    /// Visits a node: by T-NWS if it has been expanded, which is when it is in T, and by NWS otherwise.
    fn enter(&mut self, node: NodeId) {
        let (next, value) = match (self.tree.is_max(node), self.tree.is_expanded(node)) {
            (true, _) => (0, Relative(i32::MIN)),
            // Older brothers of the single child have shown that they are at least gamma.
            (false, true) => (self.single[node as usize].into(), Relative(i32::MAX)),
            (false, false) => (0, Relative(i32::MAX)),
        };
        self.frames.push(Frame { node, next, value });
    }

    fn expand(&mut self, nodes_max: u64) -> Result<(), StopReason> {
        if self.walked < self.codes.len() {
            self.cursor.down(&self.codes[self.walked..]);
            self.walked = self.codes.len();
        }
        self.buffer.clear();
        self.cursor.expand(self.about, &mut self.buffer);
        let count = self.buffer.len();
        if self.nodes + count as u64 > nodes_max {
            return Err(StopReason::Nodes);
        }
        let node = self.frames.last().expect("a call is under way").node;
        order::by_numbers(&mut self.buffer, self.tree.is_max(node));
        if !self.tree.attach(node, &self.buffer) {
            return Err(StopReason::Memory);
        }
        self.single.resize(self.single.len() + count, 0);
        self.nodes += count as u64;
        self.expansions += 1;
        Ok(())
    }

    /// The last frame takes the value of the child that it has visited.
    fn take(&mut self, value: Relative) {
        let gamma = self.gamma;
        let frame = self.frames.last_mut().expect("a call is under way");
        if self.tree.is_max(frame.node) {
            frame.value = frame.value.max(value);
        } else {
            if value < gamma {
                self.single[frame.node as usize] = u16::try_from(frame.next).expect("fewer than 2^16 moves");
            }
            frame.value = frame.value.min(value);
        }
        frame.next += 1;
    }

    fn finish(&mut self) {
        let Frame { node, value, .. } = self.frames.pop().expect("a call is under way");
        self.updates += 1;
        self.tree.update(node);
        if self.codes.pop().is_some() && self.walked > self.codes.len() {
            self.cursor.up(1);
            self.walked -= 1;
        }
        let (lower, upper) = self.tree.bounds(node);
        let value = value.clamp(lower, upper);
        if self.frames.is_empty() {
            self.reached = value >= self.gamma;
        } else {
            self.take(value);
        }
    }

    /// Ends the search and keeps what shows its lower and its upper bound, where those are more than was asked about.
    #[must_use]
    pub fn into_solutions(self) -> (Option<Solution>, Option<Solution>) {
        let used = self.counters().memory_bytes;
        solutions(&self.tree, self.asked, self.tree.proven(), self.memory_bytes_max, used)
    }
}

impl Search for Sss2<'_> {
    fn advance(&mut self, budget: Budget) -> Progress {
        take_steps(self, budget, Self::verdict, Self::step)
    }

    /// There are none: open, or known.
    fn root_numbers(&self) -> Numbers {
        if self.verdict().is_some() { Numbers::PROVEN } else { Numbers::ONE }
    }

    fn standing(&self) -> Option<Standing> {
        Some(Standing { proven: self.tree.proven(), at_least: self.gamma })
    }

    fn counters(&self) -> Counters {
        let stacks = self.frames.capacity() * size_of::<Frame>()
            + self.codes.capacity() * size_of::<u32>()
            + self.buffer.capacity() * size_of::<Bounded>()
            + self.single.len() * size_of::<u16>();
        Counters {
            nodes: self.nodes,
            expansions: self.expansions,
            updates: self.updates,
            peak_nodes: self.tree.peak(),
            memory_bytes: self.tree.bytes() + stacks as u64,
            ..Counters::default()
        }
    }
}
