//! What cycles decide (the answer to section 5.4 of Schijf 1993, where they decide too much).
//!
//! A position on a cycle has one value whatever the path, because endless play is worth the same all along a
//! cycle: the side that does not like this worth must be able to leave. So a node is lost for a side if that side
//! cannot force play to a leaf that may still turn out well, to a fact that is well, or to a node whose endless
//! play is well. That is a fixed point over the explored graph: it needs no path, and what it finds are facts. It is worked
//! out in slices, so that a search of any size can be stopped at any time.

use quod_model::Numbers;
use quod_proof::NodeId;

use super::arena::{Graph, MARK, ROOT, is_assumption, is_fact};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Sweeps through all nodes, children mostly before their parents, read memory in order and mark nearly all from which
    /// a side can force its way to where things may turn out well.
    Mark,
    /// What they mark last is followed up to its parents, one by one.
    Follow,
    /// What is not marked is lost for that side.
    Lose,
    /// The winner gets a move there that stays among the lost nodes or leads to an older fact.
    Show,
    /// What follows from the new facts.
    Spread,
    /// Marks go.
    Unmark,
}

/// How far the fixed points have come.
pub(super) struct Settling {
    /// Whose losses are looked for: those of the side of the goal, or those of the other.
    claimant: bool,
    phase: Phase,
    /// Nodes done in this phase.
    done: usize,
    /// Whether the last sweep marked too many to follow them one by one.
    many: bool,
    /// Whether something was lost for this side, and in this round.
    any: bool,
    any_in_round: bool,
}

impl Settling {
    /// Makes facts of all that the explored graph decides. Nodes that stay open have, on the side that endless play is
    /// against, their best edge towards a leaf that is open.
    pub(super) fn new(graph: &Graph) -> Self {
        Self {
            claimant: graph.has_endless(false),
            phase: Phase::Mark,
            done: 0,
            many: false,
            any: false,
            any_in_round: false,
        }
    }

    fn enter(&mut self, phase: Phase) {
        (self.phase, self.done, self.many) = (phase, 0, false);
    }
}

impl Graph {
    /// Goes on with the fixed points for about so many nodes. True when they are done.
    pub(super) fn settle(&mut self, job: &mut Settling, nodes: usize) -> bool {
        let begin = job.done;
        let end = begin.saturating_add(nodes).min(self.len());
        let sweep = begin as NodeId..end as NodeId;
        let whole = end == self.len();
        job.done = end;
        let lost = Numbers::solved(!job.claimant);
        match job.phase {
            Phase::Mark => {
                self.mark_well(job, sweep);
                if whole && job.many {
                    self.waiting.clear();
                    job.enter(Phase::Mark);
                } else if whole {
                    job.enter(Phase::Follow);
                }
            }
            Phase::Follow => {
                if self.follow_marks(job.claimant, nodes) {
                    job.any = false;
                    job.enter(Phase::Lose);
                }
            }
            Phase::Lose => {
                for node in sweep {
                    if !self.has(node, MARK) && !is_fact(self.numbers(node)) {
                        self.set_numbers(node, lost);
                        job.any = true;
                    }
                }
                if whole {
                    job.enter(if job.any { Phase::Show } else { Phase::Unmark });
                }
            }
            Phase::Show => {
                for node in sweep {
                    if !self.has(node, MARK) && self.is_expanded(node) && self.numbers(node) == lost {
                        self.show_lost(node, job.claimant);
                    }
                }
                if whole {
                    job.enter(Phase::Spread);
                }
            }
            Phase::Spread => {
                for node in sweep {
                    if self.has(node, MARK) && !is_fact(self.numbers(node)) && self.is_expanded(node) {
                        self.become_fact(node);
                    }
                }
                if whole {
                    job.enter(Phase::Unmark);
                }
            }
            Phase::Unmark => {
                for node in sweep {
                    self.unset(node, MARK);
                }
                if whole {
                    return self.next_side(job);
                }
            }
        }
        false
    }

    /// Turns to the other side, or to the next round. True if there is nothing more to find.
    fn next_side(&self, job: &mut Settling) -> bool {
        job.any_in_round |= job.any;
        let (against, in_favour) = (self.has_endless(false), self.has_endless(true));
        if job.claimant && in_favour {
            job.claimant = false;
        } else if against && in_favour && job.any_in_round {
            (job.claimant, job.any_in_round) = (true, false);
        } else {
            // Where all endless play is worth the same, one pass finds everything.
            return true;
        }
        job.enter(Phase::Mark);
        false
    }

    fn mark_well(&mut self, job: &mut Settling, sweep: std::ops::Range<NodeId>) {
        let few = self.len() / 64;
        let last = self.len() as NodeId - 1;
        for node in sweep.map(|number| last - number) {
            if self.has(node, MARK) || !self.turns_out_well(node, job.claimant) {
                continue;
            }
            self.set(node, MARK);
            if self.waiting.len() < few {
                self.waiting.push(node);
            } else {
                job.many = true;
            }
        }
    }

    /// Marks what marked nodes can be forced from. True when all is done.
    fn follow_marks(&mut self, claimant: bool, nodes: usize) -> bool {
        for _ in 0..nodes {
            let Some(node) = self.waiting.pop() else { return true };
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
        false
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

    /// Gives the winner of a node that was lost just now a move that stays among such nodes or leads to an older fact.
    fn show_lost(&mut self, node: NodeId, claimant: bool) {
        let lost = Numbers::solved(!claimant);
        let best = self.hot[node as usize].best;
        if self.is_or(node) != claimant && self.numbers(self.child(best)) != lost {
            let edge = self.edges_of(node).find(|edge| self.numbers(self.child(*edge)) == lost);
            self.hot[node as usize].best = edge.expect("the winner has a move");
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
    /// wherever the root is open when the fixed points are done.
    pub(super) fn way_to_open_leaf(&mut self) -> Vec<u32> {
        let mut way: Vec<u32> = Vec::new();
        let mut met = vec![ROOT];
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
                met.push(node);
                way.push(edge);
            } else {
                let back = way.pop().expect("an open root leads to an open leaf");
                node = self.owner(back);
            }
        }
        for node in met {
            self.unset(node, MARK);
        }
        way
    }
}
