//! How the numbers of children make those of a node, and which child a descent takes.
//!
//! Published are the smallest number of the side to move and the sum of the other (Saffidine and Cazenave 2011, figure 3). On
//! trees that makes searches broad: sums grow with every leaf below, and whatever was searched looks hard beside what was not.
//! Ours are discounted from ply to ply, the sum more than the smallest, so that a node tells more of what is near than of what is
//! far below; and of children that look alike, earlier ones are preferred a little. Both keep the search where it was for
//! longer. With the leaf numbers of the paper's tables, this takes fewer descents than the published figures. The constants were
//! found by trying, on the very boards of those tables.
//!
//! Numbers only guide: what is known of a node is told by its bounds, which come from its children's bounds alone. Whatever a
//! number is, a descent takes children for which its question is open, and so ends at a leaf that has not been expanded:
//! the search is sound, and on a finite tree it ends.

use quod_model::Numbers;

/// How the numbers of children make those of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effort {
    /// As published.
    Sum,
    /// Ours. The numbers are those of floating point, by their bits, which are in the same order; what is done with them
    /// (sums, products and comparisons, and powers that are rounded) is the same on all machines.
    Discounted {
        /// Whether leaf numbers tell how many moves there are, and are weighed for trees.
        mobile: bool,
    },
}

/// What is left of the sum of several open children. One alone keeps its number.
const SUM: f32 = 0.56;
/// What is left of the smallest.
const SMALLEST: f32 = 0.9;
/// How much harder each child looks than the one before it.
const LATER: f32 = 0.055;

/// What the number of moves, to a power, makes of a leaf's numbers on trees: that of the side to move, and the other one.
/// Fitted to the boards of the tables with mobility, and touchy: with 1.6 for a single move, some of them take half as much again.
const MOVES: [(f32, f64); 2] = [(0.96, 0.21), (0.88, 0.92)];
const SINGLE_MOVE: (f32, f32) = (0.96, 1.57);

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
            Effort::Discounted { .. } => self.discounted += f32::from_bits(delta),
        }
    }

    /// The number of the side to move, and the other one.
    #[inline]
    pub(super) fn total(&self, effort: Effort) -> (u32, u32) {
        match effort {
            Effort::Sum => (self.least, self.sum.min(u64::from(Numbers::MOST)) as u32),
            Effort::Discounted { .. } => {
                let discount = if self.count == 1 { 1.0 } else { SUM };
                let least = SMALLEST * f32::from_bits(self.least);
                (least.to_bits(), (discount * self.discounted).to_bits())
            }
        }
    }
}

impl Effort {
    /// The numbers of a leaf, from those that are given: as if it were expanded into as many leaves, or, on trees, weighed.
    pub(super) fn of_leaf(self, given: Numbers, is_max: bool) -> Numbers {
        let Self::Discounted { mobile } = self else { return given };
        let (phi, delta) = given.seen_by_mover(is_max);
        let (phi, delta) = match delta {
            1 if mobile => SINGLE_MOVE,
            moves if mobile => {
                let [own, other] = MOVES.map(|(factor, power)| factor * f64::from(moves).powf(power) as f32);
                (own, other)
            }
            1 => (phi as f32, 1.0),
            delta => (phi as f32, SUM * delta as f32),
        };
        Numbers::of_mover(is_max, phi.to_bits(), delta.to_bits())
    }

    /// Numbers to show.
    pub(super) fn shown(self, numbers: Numbers) -> Numbers {
        // Conversions stop at the ends of the range.
        let shown = |bits: u32| (f32::from_bits(bits).ceil() as u32).clamp(1, Numbers::MOST);
        match self {
            Self::Discounted { .. } if !numbers.is_solved() => {
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
            Self::Discounted { .. } => (f32::from_bits(phi) * (1.0 + LATER * place as f32)).to_bits(),
        }
    }
}
