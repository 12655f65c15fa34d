//! Depth-first search with windows, on a stack of frames: one call from the root, for all algorithms of the family.
//!
//! A node returns by its bounds: what they settle is not searched, whether rules or earlier calls have given them. After its moves, its
//! bounds are those that its children show, and its value is the one that the window asks for: f+ if that is at most alpha, f- if
//! that is at least beta, and both are equal in between (postconditions 1 to 4 of de Bruin, Pijls and Plaat).

use quod_model::{Bounded, Minimax, Relative, StopReason};
use quod_proof::{NodeId, SearchTree};

use super::frame::{Frame, Look, Outlook, Part, Window, settled};
use super::order;
use super::rule::Rule;
use super::table::{Entry, Table};
use super::tree::{ROOT, Tree};

/// What is kept of the tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Keep {
    /// What the bounds of finished nodes need.
    #[default]
    Solutions,
    /// Everything.
    Everything,
}

/// No horizon.
pub(super) const ENDLESS: u32 = u32::MAX;

pub(super) struct Engine {
    pub(super) tree: Tree,
    rule: Rule,
    keep: Keep,
    pub(super) table: Option<Table>,
    /// How deep this call goes.
    pub(super) horizon: u32,
    /// What leaf numbers are about.
    about: Relative,
    /// The window of this call.
    window: Window,
    frames: Vec<Frame>,
    /// The moves to the last frame.
    codes: Vec<u32>,
    /// How many of them the cursor has gone.
    walked: usize,
    /// The keys of children of all frames, where there is a table.
    keys: Vec<Option<u128>>,
    buffer: Vec<Bounded>,
    /// The lists of moves along the principal variation of the last call.
    principal: Vec<Box<[u32]>>,
    /// What the path may take.
    path_bytes_max: u64,
    pub(super) nodes: u64,
    pub(super) expansions: u64,
    pub(super) updates: u64,
    /// Nodes at the horizon.
    pub(super) deepened: u64,
}

impl Engine {
    pub(super) fn new(
        tree: Tree,
        rule: Rule,
        keep: Keep,
        table: Option<Table>,
        about: Relative,
        path_bytes_max: u64,
    ) -> Self {
        Self {
            tree,
            rule,
            keep,
            table,
            horizon: ENDLESS,
            about,
            window: Window::OPEN,
            frames: Vec::new(),
            codes: Vec::new(),
            walked: 0,
            keys: Vec::new(),
            buffer: Vec::new(),
            principal: Vec::new(),
            path_bytes_max,
            nodes: 0,
            expansions: 0,
            updates: 0,
            deepened: 0,
        }
    }

    /// Whether no call is under way.
    pub(super) fn is_idle(&self) -> bool {
        self.frames.is_empty()
    }

    pub(super) fn depth(&self) -> usize {
        self.codes.len()
    }

    /// The bytes of everything but the tree.
    pub(super) fn bytes(&self) -> u64 {
        self.path_bytes() + self.table.as_ref().map_or(0, Table::bytes)
    }

    fn path_bytes(&self) -> u64 {
        let stacks = self.frames.capacity() * size_of::<Frame>()
            + self.codes.capacity() * size_of::<u32>()
            + self.keys.capacity() * size_of::<Option<u128>>()
            + self.buffer.capacity() * size_of::<Bounded>();
        stacks as u64
    }

    /// Begins a call at the root, if its bounds do not answer it.
    pub(super) fn call(&mut self, window: Window) {
        debug_assert!(self.is_idle() && window.alpha < window.beta);
        self.window = window;
        let bounds = self.tree.bounds(ROOT);
        let outlook = if self.horizon == 0 { Outlook::at_horizon(bounds) } else { Outlook::within(bounds) };
        let is_max = self.tree.is_max(ROOT);
        let parts = outlook.parts().map(|range| match settled(range, window) {
            Some(value) => Part::closed(window, value),
            None => Part::open(window, is_max),
        });
        self.deepened += u64::from(self.horizon == 0);
        if parts.iter().any(|part| part.open) {
            self.push(ROOT, parts, false, None, self.horizon != ENDLESS);
        }
    }

    fn push(&mut self, node: NodeId, parts: [Part; 2], tests: bool, key: Option<u128>, is_principal: bool) {
        self.frames.push(Frame {
            node,
            next: 0,
            look: Look::Whole,
            parts,
            tests,
            key,
            keys: self.keys.len(),
            nodes: self.nodes,
            best: None,
            is_principal,
            below: Vec::new(),
        });
    }

    /// Goes on to the next expansion, or some way towards it.
    pub(super) fn step(&mut self, cursor: &mut dyn Minimax, nodes_max: u64) -> Result<(), StopReason> {
        /// About as long as an expansion: those who drive a search count steps.
        const TRANSITIONS: usize = 16;
        for _ in 0..TRANSITIONS {
            let Some(frame) = self.frames.last() else { return Ok(()) };
            let node = frame.node;
            if !self.tree.is_expanded(node) {
                return self.expand(cursor, nodes_max);
            }
            let done = self.rule != Rule::Everything
                && (frame.parts.iter().all(|part| !part.open) || self.tree.is_closed(node));
            if done || frame.next == self.tree.count(node) {
                self.finish(cursor);
            } else {
                self.look_at_move(cursor);
            }
        }
        Ok(())
    }

    fn expand(&mut self, cursor: &mut dyn Minimax, nodes_max: u64) -> Result<(), StopReason> {
        if self.walked < self.codes.len() {
            cursor.down(&self.codes[self.walked..]);
            self.walked = self.codes.len();
        }
        if self.path_bytes() > self.path_bytes_max {
            return Err(StopReason::Memory);
        }
        self.buffer.clear();
        cursor.expand(self.about, &mut self.buffer);
        let count = self.buffer.len() as u64;
        if self.nodes + count > nodes_max {
            return Err(StopReason::Nodes);
        }
        let frame = self.frames.last().expect("a call is under way");
        let (node, depth) = (frame.node, self.codes.len());
        order::by_numbers(&mut self.buffer, self.tree.is_max(node));
        let best = frame.key.and_then(|key| self.table.as_ref()?.best(key));
        if let Some(list) = self.principal.get(depth).filter(|_| frame.is_principal) {
            order::by_list(&mut self.buffer, list);
        } else if let Some(best) = best {
            order::first(&mut self.buffer, best);
        }
        if !self.tree.attach(node, &self.buffer) {
            self.forget();
            let node = self.frames.last().expect("a call is under way").node;
            if !self.tree.attach(node, &self.buffer) {
                return Err(StopReason::Memory);
            }
        }
        if self.table.is_some() {
            self.keys.extend(self.buffer.iter().map(|child| child.key));
        }
        self.nodes += count;
        self.expansions += 1;
        Ok(())
    }

    /// Gives up everything but the path and the moves along it: finished moves keep their bounds, which is all that the search needs.
    /// What a certificate needs of the rest is solved again.
    fn forget(&mut self) {
        let mut path: Vec<NodeId> = self.frames.iter().map(|frame| frame.node).collect();
        self.tree.keep_path(&mut path);
        for (frame, node) in self.frames.iter_mut().zip(path) {
            frame.node = node;
        }
    }

    /// Enters the move that it is the last frame's turn to look at, or takes its value where that is settled.
    fn look_at_move(&mut self, cursor: &mut dyn Minimax) {
        let depth = u32::try_from(self.frames.len()).expect("a path has fewer than 2^32 moves");
        let frame = self.frames.last_mut().expect("a call is under way");
        let is_max = self.tree.is_max(frame.node);
        let child = self.tree.child(frame.node, frame.next);
        frame.look = self.rule.look(frame);
        let tests = frame.tests || frame.look == Look::Scout;
        let windows = frame.parts.map(|part| self.rule.window(frame, part.rest(is_max), is_max, self.window));
        // What is still open here, with what is left of its window.
        let left = frame.parts.map(|part| part.open.then(|| part.rest(is_max)));
        let key = self.keys.get(frame.keys + frame.next as usize).copied().flatten();
        let is_principal = frame.is_principal && frame.next == 0;

        let outlook = self.outlook(child, depth, key);
        if depth == self.horizon {
            let seen = cursor.glance(self.tree.code(child));
            let (lower, upper) = seen.unwrap_or_else(|| self.tree.bounds(child));
            let improves = |rest: Window| if is_max { upper > rest.alpha } else { lower < rest.beta };
            self.deepened += u64::from(left.into_iter().flatten().any(improves));
        }
        let child_is_max = self.tree.is_max(child);
        let ranges = outlook.parts();
        let parts = std::array::from_fn(|part| match (settled(ranges[part], windows[part]), left[part]) {
            (Some(value), _) => Part::closed(windows[part], value),
            (None, Some(_)) => Part::open(windows[part], child_is_max),
            // Nobody looks at the value.
            (None, None) => Part::closed(windows[part], ranges[part].0),
        });
        if parts.iter().any(|part| part.open) {
            self.codes.push(self.tree.code(child));
            self.push(child, parts, tests, key, is_principal);
        } else {
            self.take(child, parts.map(|part| part.value), None);
        }
    }

    /// What rules, earlier calls, the horizon and the table say of a place.
    fn outlook(&mut self, node: NodeId, depth: u32, key: Option<u128>) -> Outlook {
        let left = self.horizon - depth;
        let entry = key.and_then(|key| self.table.as_ref()?.find(key));
        let outlook = entry.map(|entry| entry.outlook(left, self.tree.bounds(node)));
        if let Some(outlook) = outlook {
            self.tree.learn(node, outlook.pessimistic.0, outlook.optimistic.1);
        }
        let bounds = self.tree.bounds(node);
        if left == 0 { Outlook::at_horizon(bounds) } else { outlook.unwrap_or(Outlook::within(bounds)) }
    }

    /// The last frame has looked at all moves that matter.
    fn finish(&mut self, cursor: &mut dyn Minimax) {
        let mut frame = self.frames.pop().expect("a call is under way");
        let node = frame.node;
        self.updates += 1;
        self.tree.update(node);
        let (lower, upper) = self.tree.bounds(node);
        let values = frame.parts.map(|part| part.value.clamp(lower, upper));
        self.remember(&frame, values, (lower, upper));
        self.keys.truncate(frame.keys);
        let depth = self.frames.len();
        if self.codes.len() > depth.saturating_sub(1) {
            self.codes.pop();
        }
        if self.walked > self.codes.len() {
            cursor.up(1);
            self.walked -= 1;
        }
        let variation = self.becomes_principal(values).then(|| {
            let list = self.tree.children(node).map(|(code, _)| code).collect();
            frame.below.insert(0, list);
            frame.below
        });
        if self.keep == Keep::Solutions {
            self.tree.tidy(node);
        }
        if self.frames.is_empty() {
            self.principal = variation.unwrap_or_default();
        } else {
            self.take(node, values, variation);
        }
    }

    /// Whether the next iteration begins with the line through the place that is finished.
    fn becomes_principal(&self, values: [Relative; 2]) -> bool {
        self.horizon != ENDLESS
            && self.frames.last().is_none_or(|parent| {
                let is_max = self.tree.is_max(parent.node);
                let part = usize::from(is_max);
                parent.parts[part].open && parent.parts[part].is_raised_by(values[part], is_max)
            })
    }

    /// Puts what is known of a finished place into the table.
    fn remember(&mut self, frame: &Frame, values: [Relative; 2], bounds: (Relative, Relative)) {
        let (Some(table), Some(key)) = (&mut self.table, frame.key) else { return };
        let [pessimistic, optimistic] = &frame.parts;
        let depth = self.horizon - self.frames.len() as u32;
        let most = pessimistic.searched && values[0] < pessimistic.window.beta;
        let least = optimistic.searched && values[1] > optimistic.window.alpha;
        table.put(Entry {
            key,
            bounds,
            pessimistic_most: if most { values[0] } else { bounds.1 },
            optimistic_least: if least { values[1] } else { bounds.0 },
            depth,
            work: u32::try_from(self.nodes - frame.nodes).unwrap_or(u32::MAX),
            best: frame.best,
        });
    }

    /// The last frame takes the values of the move that it has looked at.
    fn take(&mut self, child: NodeId, values: [Relative; 2], variation: Option<Vec<Box<[u32]>>>) {
        let frame = self.frames.last_mut().expect("a call is under way");
        let node = frame.node;
        let is_max = self.tree.is_max(node);
        self.tree.take_from(child, node);
        if frame.look == Look::Scout {
            let [part, _] = &frame.parts;
            let Window { alpha, beta } = part.rest(is_max);
            let value = values[0];
            if alpha < value && value < beta && !self.tree.is_closed(child) {
                frame.look = Look::Again(value);
                return;
            }
        }
        frame.look = Look::Whole;
        let optimistic = usize::from(is_max);
        let raises = frame.parts[optimistic].is_raised_by(values[optimistic], is_max);
        let mut better = [false; 2];
        for ((part, value), better) in frame.parts.iter_mut().zip(values).zip(&mut better) {
            *better = part.open && part.take(value, is_max);
        }
        if better.contains(&true) {
            frame.best = Some(self.tree.code(child));
        }
        // What is best for the mover where everything beyond the horizon is as it wishes.
        if self.horizon != ENDLESS && better[optimistic] && raises {
            frame.below = variation.unwrap_or_default();
            self.tree.bring_to_front(node, frame.next);
        }
        frame.next += 1;
    }
}
