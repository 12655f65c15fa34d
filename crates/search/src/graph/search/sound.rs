//! The sound method: numbers only guide. The path of the descent is updated, where an edge to a node of the path counts as a
//! leaf worth endless play: numbers that become 0 by this are an assumption and no fact. Other parents see new
//! numbers when a descent next comes by. Facts go to all parents at once. When assumptions use the root up, whenever the
//! graph has grown by half, and before memory is collected, the fixed points of `status.rs` turn assumptions
//! into facts where the explored graph bears them out, and all others are opened again: a wrong assumption can hide a win for a
//! while and never for good.

use quod_model::{Numbers, StopReason};
use quod_proof::NodeId;

use super::GraphPn;
use super::jobs::{Job, Then};
use crate::graph::arena::{ON_PATH, ROOT, TOUCHED, is_assumption, is_fact};
use crate::graph::status::Settling;

impl GraphPn<'_> {
    pub(super) fn step_on_path(&mut self, nodes_max: u64) -> Result<(), StopReason> {
        if is_assumption(self.graph.numbers(ROOT)) {
            self.shorten_path(1);
            self.job = Some(Job::Settle(Settling::new(&self.graph), Then::Doubt));
            return Ok(());
        }
        if self.assumptions && self.graph.len() > self.looked_through + self.looked_through / 2 + 64 {
            self.shorten_path(1);
            self.job = Some(Job::Settle(Settling::new(&self.graph), Then::GoOn));
            return Ok(());
        }
        match self.descend_on_path() {
            Some(leaf) => self.develop_and_update(leaf, nodes_max),
            None => {
                self.update_path();
                Ok(())
            }
        }
    }

    fn develop_and_update(&mut self, leaf: NodeId, nodes_max: u64) -> Result<(), StopReason> {
        if !self.develop(leaf, nodes_max)? {
            return Ok(());
        }
        if !self.graph.is_expanded(leaf) {
            self.tell_parents(leaf);
        }
        self.update_path();
        Ok(())
    }

    /// Goes down along best edges to a leaf. Where one leads to a solved node or back to the path, because others have changed
    /// what is below, the numbers are brought up to date first. Nothing if a node on the way turns out to be solved; the
    /// path then ends there.
    fn descend_on_path(&mut self) -> Option<NodeId> {
        let begin = self.path.len();
        self.codes.clear();
        let mut node = *self.path.last().expect("the path holds the root");
        let leaf = loop {
            if !self.graph.is_expanded(node) {
                break Some(node);
            }
            if self.path.len() > begin && !self.graph.best_is_open(node) && self.update(node) {
                self.touch(self.path[self.path.len() - 2]);
                if self.graph.numbers(node).is_solved() {
                    break None;
                }
            }
            let (child, code) = self.graph.best(node).expect("it is expanded");
            self.graph.set(child, ON_PATH);
            self.path.push(child);
            self.codes.push(code);
            node = child;
        };
        if !self.codes.is_empty() {
            self.cursor.down(&self.codes);
        }
        leaf
    }

    /// Recomputes a node of the path. True if its numbers have changed.
    fn update(&mut self, node: NodeId) -> bool {
        self.updates += 1;
        let changed = self.graph.update(node, true);
        if changed {
            let numbers = self.graph.numbers(node);
            self.assumptions |= is_assumption(numbers);
            if is_fact(numbers) {
                self.tell_parents(node);
            }
        }
        changed
    }

    /// Makes facts of what follows from a fact. Parents on the path must then be updated.
    fn tell_parents(&mut self, node: NodeId) {
        let touched = &mut self.touched;
        self.graph.spread_fact(node, |graph, parent| {
            if graph.has(parent, ON_PATH) && !graph.has(parent, TOUCHED) {
                graph.set(parent, TOUCHED);
                *touched += 1;
            }
        });
    }

    /// A child of this node of the path has changed.
    fn touch(&mut self, node: NodeId) {
        if !self.graph.has(node, TOUCHED) {
            self.graph.set(node, TOUCHED);
            self.touched += 1;
        }
    }

    /// True if a child of this node had changed.
    fn untouch(&mut self, node: NodeId) -> bool {
        let touched = self.graph.has(node, TOUCHED);
        self.graph.unset(node, TOUCHED);
        self.touched -= usize::from(touched);
        touched
    }

    /// Updates the end of the path and what that changes above it, and goes back to the highest node that was looked at.
    pub(super) fn update_path(&mut self) {
        let last = self.path.len() - 1;
        self.touch(self.path[last]);
        let mut at = last;
        // The node updated before, and what its numbers were.
        let mut below: Option<(NodeId, Numbers)> = None;
        loop {
            let node = self.path[at];
            if self.untouch(node) {
                let old = self.graph.numbers(node);
                let corrected = below
                    .filter(|(child, _)| self.graph.best(node).is_some_and(|(best, _)| best == *child))
                    .and_then(|(_, old)| self.graph.update_from_best(node, old));
                self.updates += u64::from(corrected.is_some());
                let changed = corrected.unwrap_or_else(|| self.graph.is_expanded(node) && self.update(node));
                if changed && at > 0 {
                    self.touch(self.path[at - 1]);
                }
                // A new fact may have itself below it.
                self.untouch(node);
                below = Some((node, old));
            } else {
                below = None;
            }
            if at == 0 || self.touched == 0 {
                break;
            }
            // Below the node that is updated next, nothing is a repetition.
            self.graph.unset(node, ON_PATH);
            at -= 1;
        }
        if at < last {
            self.path.truncate(at + 1);
            self.cursor.up(last - at);
        }
    }

    /// Assumptions have used the root up. Either they are facts, or there is a leaf that can tell: expands one.
    pub(super) fn doubt(&mut self, nodes_max: u64) -> Result<(), StopReason> {
        if is_fact(self.graph.numbers(ROOT)) {
            return Ok(());
        }
        let way = self.graph.way_to_open_leaf();
        self.graph.reopen_assumptions();
        self.codes.clear();
        for edge in way {
            let child = self.graph.child(edge);
            self.graph.set(child, ON_PATH);
            self.path.push(child);
            self.codes.push(self.graph.code(edge));
        }
        self.cursor.down(&self.codes);
        self.touch(ROOT);
        let leaf = *self.path.last().expect("the path holds the root");
        self.develop_and_update(leaf, nodes_max)
    }
}
