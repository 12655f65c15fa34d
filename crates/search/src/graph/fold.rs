//! How the numbers of children make those of their parent, and facts those of many.
//!
//! Folding keeps facts and assumptions apart: a child that is a fact can make a fact of its parent, one that is only assumed
//! can make no more than an assumption.

use quod_model::Numbers;
use quod_proof::NodeId;

use super::arena::{
    BACK, ENDLESS, Graph, Hot, LAST, NONE, ON_PATH, OR, PENDING, SECOND, is_assumption, is_fact,
};
use crate::backup::{Backup, Masked, Operator, Sum, Weak};

fn assumed(holds: bool) -> Numbers {
    if holds { Numbers { pn: 0, dn: PENDING } } else { Numbers { pn: PENDING, dn: 0 } }
}

impl Graph {
    /// What a child counts for, over a back edge or another. With `on_path`, a child that stands on the path is a repetition.
    #[inline(always)]
    fn counted(&self, child: NodeId, back: bool, on_path: bool) -> Numbers {
        let Hot { pn, dn, flags, .. } = self.hot[child as usize];
        let numbers = Numbers { pn, dn };
        let repeated = on_path && flags & ON_PATH != 0;
        if (!repeated && !back) || is_fact(numbers) {
            return numbers;
        }
        let assumption = assumed(flags & ENDLESS != 0);
        // What is solved the other way in spite of the assumption takes it back (Schijf 1993, section 5.4).
        let other_way = numbers.is_solved() && numbers != assumption;
        if other_way { numbers } else { assumption }
    }

    /// The numbers of a node by those of its children, and the most-proving edge: the leftmost one with the smallest
    /// number that counts, facts before assumptions.
    #[inline(always)]
    fn fold_with<O: Operator>(&self, node: NodeId, on_path: bool) -> (Numbers, u32) {
        let Hot { flags, best: some, .. } = self.hot[node as usize];
        let is_or = flags & OR != 0;
        let (mut least, mut best) = (u64::MAX, NONE);
        let (mut total, mut open, mut all_facts) = (O::default(), false, true);
        let mut edge = self.first(some);
        loop {
            let [child, next, code] = self.words[edge as usize..edge as usize + 3] else { unreachable!() };
            if next != SECOND {
                let (phi, delta) = self.counted(child, code & BACK != 0, on_path).seen_by_mover(is_or);
                // A fact wins over an assumption.
                let rank = u64::from(phi) * 2 + u64::from(phi == 0 && delta != Numbers::INFINITE);
                if rank < least {
                    (least, best) = (rank, edge);
                }
                if delta == 0 {
                    all_facts &= phi == Numbers::INFINITE;
                } else {
                    open = true;
                    total.add(delta.into(), || self.has_several_parents(child));
                }
            }
            if code & LAST != 0 {
                break;
            }
            edge += 3;
        }
        let (phi, delta) = match least {
            0 => (0, Numbers::INFINITE),
            1 => (0, PENDING),
            _ if !open => (if all_facts { Numbers::INFINITE } else { PENDING }, 0),
            _ => ((least / 2) as u32, total.total().clamp(1, u64::from(Numbers::MOST)) as u32),
        };
        (Numbers::of_mover(is_or, phi, delta), best)
    }

    fn fold(&self, node: NodeId, on_path: bool) -> (Numbers, u32) {
        match self.backup {
            Backup::Sum => self.fold_with::<Sum>(node, on_path),
            Backup::Weak => self.fold_with::<Weak>(node, on_path),
            Backup::Masked => self.fold_with::<Masked>(node, on_path),
        }
    }

    /// Recomputes the numbers of an expanded node and its most-proving edge. True if the numbers have changed. A fact
    /// stays as it is, and so does the edge that shows it.
    pub(super) fn update(&mut self, node: NodeId, on_path: bool) -> bool {
        let old = self.numbers(node);
        if is_fact(old) {
            return false;
        }
        let (numbers, best) = self.fold(node, on_path);
        debug_assert!(best != NONE);
        self.hot[node as usize].best = best;
        self.set_numbers(node, numbers);
        numbers != old
    }

    /// Corrects the numbers of an open node for its best child alone, whose numbers were `old`, as the tree does. True if they
    /// have changed; nothing if all children must be looked at. What others have become is seen when that happens.
    pub(super) fn update_from_best(&mut self, node: NodeId, old: Numbers) -> Option<bool> {
        let Hot { pn, dn, flags, best } = self.hot[node as usize];
        let is_or = flags & OR != 0;
        let (least, sum) = Numbers { pn, dn }.seen_by_mover(is_or);
        let (old_phi, old_delta) = old.seen_by_mover(is_or);
        let (phi, delta) = self.numbers(self.child(best)).seen_by_mover(is_or);
        let open = phi != 0 && delta != 0 && sum > old_delta && sum.max(delta) < Numbers::MOST / 2;
        if self.backup != Backup::Sum || !open || phi > old_phi || least != old_phi {
            return None;
        }
        let total = sum - old_delta + delta;
        self.set_numbers(node, Numbers::of_mover(is_or, phi, total));
        Some((phi, total) != (least, sum))
    }

    /// Makes an assumption an open node again: its children that are assumptions too count as unknown leaves.
    pub(super) fn reopen(&mut self, node: NodeId) {
        let is_or = self.is_or(node);
        let (mut least, mut best, mut sum) = (u32::MAX, NONE, 0u64);
        for edge in self.edges_of(node) {
            let numbers = self.numbers(self.child(edge));
            let numbers = if is_assumption(numbers) { Numbers::ONE } else { numbers };
            let (phi, delta) = numbers.seen_by_mover(is_or);
            if phi < least {
                (least, best) = (phi, edge);
            }
            sum += u64::from(delta);
        }
        let (phi, delta) = (least.clamp(1, Numbers::MOST), sum.clamp(1, u64::from(Numbers::MOST)) as u32);
        self.hot[node as usize].best = best;
        self.set_numbers(node, Numbers::of_mover(is_or, phi, delta));
    }

    /// Makes facts of the parents of a fact, as far up as they follow. `seen` is told every parent of a new fact.
    pub(super) fn spread_fact(&mut self, node: NodeId, mut seen: impl FnMut(&mut Self, NodeId)) {
        debug_assert!(is_fact(self.numbers(node)) && self.waiting.is_empty());
        self.waiting.push(node);
        while let Some(node) = self.waiting.pop() {
            let mut next = self.edges_to(node).next();
            while let Some(edge) = next {
                let parent = self.owner(edge);
                seen(self, parent);
                if !is_fact(self.numbers(parent)) && self.take_fact(parent) {
                    self.waiting.push(parent);
                }
                next = self.next_to(edge);
            }
        }
    }

    /// Makes a fact of a node, and of what follows, if its children make it one.
    pub(super) fn become_fact(&mut self, node: NodeId) {
        if self.take_fact(node) {
            self.spread_fact(node, |_, _| {});
        }
    }

    fn take_fact(&mut self, node: NodeId) -> bool {
        let Some((numbers, best)) = self.fact(node) else { return false };
        self.set_numbers(node, numbers);
        self.hot[node as usize].best = best;
        true
    }

    /// Whether the facts of its children make one of a node, and the edge that shows it.
    fn fact(&self, node: NodeId) -> Option<(Numbers, u32)> {
        let is_or = self.is_or(node);
        let (won, lost) = (Numbers::solved(is_or), Numbers::solved(!is_or));
        let mut all_lost = true;
        for edge in self.edges_of(node) {
            let numbers = self.numbers(self.child(edge));
            if numbers == won {
                return Some((won, edge));
            }
            all_lost &= numbers == lost;
        }
        all_lost.then(|| (lost, self.hot[node as usize].best))
    }
}
