//! What cycles decide (the answer to section 5.4 of Schijf 1993, where they decide too much).
//!
//! A position on a cycle has one value whatever the path, because endless play is worth the same all along a
//! cycle: the side that does not like this worth must be able to leave. So a node is lost for a side if that side
//! cannot force play to a leaf that may still turn out well, to a fact that is well, or to a node whose endless
//! play is well. That is a fixed point over the explored graph: it needs no path, and what it finds are facts.

use quod_model::Numbers;
use quod_proof::NodeId;

use super::arena::{Graph, MARK, ROOT, is_assumption, is_fact};

impl Graph {
    /// Makes facts of all that the explored graph decides. Nodes that stay open have, on the side that endless
    /// play is against, their best edge towards a leaf that is open.
    pub(super) fn settle_cycles(&mut self) {
        let nodes = self.len() as NodeId;
        let expanded = |node: &NodeId| self.is_expanded(*node);
        let endless = (0..nodes).filter(expanded).any(|node| self.is_endless(node));
        let ending = (0..nodes).filter(expanded).any(|node| !self.is_endless(node));
        loop {
            let lost = ending && self.settle_lost(true);
            let won = endless && self.settle_lost(false);
            // Where all endless play is worth the same, one pass finds everything.
            if !(endless && ending && (lost || won)) {
                return;
            }
        }
    }

    /// Makes facts of the nodes from which one side (`claimant`: the side of the goal) cannot force its way out of
    /// endless play that is against it. True if there were any.
    fn settle_lost(&mut self, claimant: bool) -> bool {
        let nodes = self.len() as NodeId;
        self.mark_well(claimant);
        let mut any = false;
        let lost = Numbers::solved(!claimant);
        for node in 0..nodes {
            if !self.has(node, MARK) && !is_fact(self.numbers(node)) {
                self.set_numbers(node, lost);
                any = true;
            }
        }
        if any {
            self.show_lost(claimant);
        }
        for node in 0..nodes {
            self.unset(node, MARK);
        }
        any
    }

    /// Marks the nodes from which a side can force play to where things may turn out well for it.
    fn mark_well(&mut self, claimant: bool) {
        // Sweeps through all nodes, children mostly before their parents, read memory in order and mark nearly all. What
        // they mark last is followed up to its parents, one by one.
        let few = self.len() / 64;
        loop {
            self.waiting.clear();
            let mut many = false;
            for node in (0..self.len() as NodeId).rev() {
                if self.has(node, MARK) || !self.turns_out_well(node, claimant) {
                    continue;
                }
                self.set(node, MARK);
                if self.waiting.len() < few {
                    self.waiting.push(node);
                } else {
                    many = true;
                }
            }
            if !many {
                break;
            }
        }
        while let Some(node) = self.waiting.pop() {
            let mut next = self.edges_to(node).next();
            while let Some(edge) = next {
                let parent = self.owner(edge);
                if !self.has(parent, MARK) && self.turns_out_well(parent, claimant) {
                    self.set(parent, MARK);
                    self.waiting.push(parent);
                }
                next = self.next_to(edge);
            }
        }
    }

    /// Whether a node is a place where things may turn out well for a side, or leads to marked ones against any defence. If
    /// the side itself moves, its best edge then leads to a marked one.
    fn turns_out_well(&mut self, node: NodeId, claimant: bool) -> bool {
        let numbers = self.numbers(node);
        if is_fact(numbers) {
            return numbers.is_proven() == claimant;
        }
        if !self.is_expanded(node) || self.is_endless(node) == claimant {
            return true;
        }
        if self.is_or(node) != claimant {
            return self.children(node).all(|child| self.has(child, MARK));
        }
        let edge = self.edges_of(node).find(|edge| self.has(self.child(*edge), MARK));
        if let Some(edge) = edge {
            self.hot[node as usize].best = edge;
        }
        edge.is_some()
    }

    /// Gives the winner of the nodes that were lost just now, which are not marked, a move that stays among them or
    /// leads to an older fact, and makes facts of what follows.
    fn show_lost(&mut self, claimant: bool) {
        let lost = Numbers::solved(!claimant);
        for node in 0..self.len() as NodeId {
            if self.has(node, MARK) || !self.is_expanded(node) || self.numbers(node) != lost {
                continue;
            }
            if self.is_or(node) != claimant {
                let best = self.hot[node as usize].best;
                if self.numbers(self.child(best)) != lost {
                    let edge = self.edges_of(node).find(|edge| self.numbers(self.child(*edge)) == lost);
                    self.hot[node as usize].best = edge.expect("the winner has a move");
                }
            }
        }
        for node in 0..self.len() as NodeId {
            if self.has(node, MARK) && !is_fact(self.numbers(node)) && self.is_expanded(node) {
                self.become_fact(node, |_, _| {});
            }
        }
    }

    /// Opens again what was only assumed.
    pub(super) fn reopen_assumptions(&mut self) {
        // Children are mostly younger than their parents: most are open again when their parents ask them.
        for node in (0..self.len() as NodeId).rev() {
            if is_assumption(self.numbers(node)) {
                self.reopen(node);
            }
        }
    }

    /// A way to an open leaf through nodes that are no facts, as edges from the root; best edges first. There is one
    /// wherever the root is open after [`Graph::settle_cycles`].
    pub(super) fn way_to_open_leaf(&mut self) -> Vec<u32> {
        let mut way: Vec<u32> = Vec::new();
        let mut touched = vec![ROOT];
        self.set(ROOT, MARK);
        let mut node = ROOT;
        while self.is_expanded(node) {
            let best = self.hot[node as usize].best;
            let new = |edge: &u32| {
                let child = self.child(*edge);
                !self.has(child, MARK) && !is_fact(self.numbers(child))
            };
            let edge = Some(best).filter(new).or_else(|| self.edges_of(node).find(new));
            if let Some(edge) = edge {
                node = self.child(edge);
                self.set(node, MARK);
                touched.push(node);
                way.push(edge);
            } else {
                let back = way.pop().expect("an open root leads to an open leaf");
                node = self.owner(back);
            }
        }
        for node in touched {
            self.unset(node, MARK);
        }
        way
    }
}
