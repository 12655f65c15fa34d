//! How the numbers of children make those of a node.

use quod_model::Numbers;

/// How the numbers of children make those of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effort {
    /// As published: the smallest of the side to move, the sum of the other (Saffidine and Cazenave 2011, figure 3).
    Sum,
}

/// What some children make of one question.
#[derive(Clone, Copy)]
pub(super) struct Fold {
    least: u32,
    sum: u64,
}

impl Fold {
    pub(super) const EMPTY: Self = Self { least: u32::MAX, sum: 0 };

    /// Adds a child for which the question is open.
    #[inline]
    pub(super) fn add(&mut self, _: Effort, phi: u32, delta: u32) {
        self.least = self.least.min(phi);
        self.sum += u64::from(delta);
    }

    /// The number of the side to move, and the other one.
    #[inline]
    pub(super) fn total(&self, _: Effort) -> (u32, u32) {
        (self.least, self.sum.min(u64::from(Numbers::MOST)) as u32)
    }
}
