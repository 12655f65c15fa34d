//! How the numbers of children make those of a node, and which child a descent takes.

use quod_model::Numbers;

/// How the numbers of children make those of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effort {
    /// As published: the smallest of the side to move, the sum of the other (Saffidine and Cazenave 2011, figure 3).
    Sum,
    /// Ours: sums are discounted from ply to ply. The numbers are those of floating point, by their bits, which are in the
    /// same order.
    Discounted,
}

/// What is left of a sum of several.
const SEVERAL: f32 = 0.56;
/// What is left of a sum of one.
const SINGLE: f32 = 0.8;
/// What is left of the smallest.
const SMALLEST: f32 = 0.95;
/// How much harder each child looks than the one before it.
const LATER: f32 = 0.13;

/// What some children make of one question.
#[derive(Clone, Copy)]
pub(super) struct Fold {
    least: u32,
    count: u32,
    sum: u64,
    discounted: f32,
}

impl Fold {
    pub(super) const EMPTY: Self = Self { least: u32::MAX, count: 0, sum: 0, discounted: 0.0 };

    /// Adds a child for which the question is open.
    #[inline]
    pub(super) fn add(&mut self, effort: Effort, phi: u32, delta: u32) {
        self.least = self.least.min(phi);
        self.count += 1;
        match effort {
            Effort::Sum => self.sum += u64::from(delta),
            Effort::Discounted => self.discounted += f32::from_bits(delta),
        }
    }

    /// The number of the side to move, and the other one.
    #[inline]
    pub(super) fn total(&self, effort: Effort) -> (u32, u32) {
        match effort {
            Effort::Sum => (self.least, self.sum.min(u64::from(Numbers::MOST)) as u32),
            Effort::Discounted => {
                let discount = if self.count == 1 { SINGLE } else { SEVERAL };
                let least = SMALLEST * f32::from_bits(self.least);
                (least.to_bits(), (discount * self.discounted).to_bits())
            }
        }
    }
}

impl Effort {
    /// The numbers of a leaf, from those that are given.
    pub(super) fn of_leaf(self, given: Numbers, is_max: bool) -> Numbers {
        match self {
            Self::Sum => given,
            Self::Discounted => {
                let (phi, delta) = given.seen_by_mover(is_max);
                // As if it were expanded into as many leaves.
                let delta = if delta > 1 { SEVERAL * delta as f32 } else { 1.0 };
                Numbers::of_mover(is_max, (phi as f32).to_bits(), delta.to_bits())
            }
        }
    }

    /// Numbers to show.
    pub(super) fn shown(self, numbers: Numbers) -> Numbers {
        // Conversions stop at the ends of the range.
        let shown = |bits: u32| (f32::from_bits(bits).ceil() as u32).clamp(1, Numbers::MOST);
        match self {
            Self::Discounted if !numbers.is_solved() => {
                Numbers { pn: shown(numbers.pn), dn: shown(numbers.dn) }
            }
            _ => numbers,
        }
    }

    /// What a descent compares the children of a node by: the number of the side to move, and its place among them.
    #[inline]
    pub(super) fn rank(self, phi: u32, place: usize) -> u32 {
        match self {
            Self::Sum => phi,
            Self::Discounted => (f32::from_bits(phi) * (1.0 + LATER * place as f32)).to_bits(),
        }
    }
}
