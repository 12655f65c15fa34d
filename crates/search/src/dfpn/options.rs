//! The switches of depth-first searches.

use quod_model::Evaluation;

use crate::backup::Backup;

/// How far a depth-first search goes below a node before it looks around again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thresholds {
    /// Until a most-proving node lies elsewhere: df-pn (Nagai 2002).
    Dfpn,
    /// A proof number one larger each time, disproof numbers never: PN* (Seo et al. 2001).
    PnStar,
    /// One of both numbers one larger each time, whichever looks cheaper: PDS (Nagai 1998).
    Pds,
}

/// A number that grows by a part of itself, in 1/1024: the 1+epsilon trick (Pawlewicz and Lew 2006).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Epsilon(pub u32);

impl Epsilon {
    /// A quarter.
    pub const QUARTER: Self = Self(256);

    /// The smallest number that is more than `number` by this part, and at least by one.
    #[inline]
    pub(super) fn above(self, number: u64) -> u64 {
        let part = u64::from(self.0);
        number + (number / 1024 * part + number % 1024 * part / 1024).max(1)
    }
}

/// The switches of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DfpnOptions {
    /// How far it goes below a node.
    pub thresholds: Thresholds,
    /// How much more than the second-best child the best one may cost before the search turns away from it.
    pub epsilon: Epsilon,
    /// Whether the search stays with a child until it costs so much more than the best one.
    pub hysteresis: bool,
    /// How numbers that must all fall make one.
    pub backup: Backup,
    /// When nodes are judged.
    pub evaluation: Evaluation,
    /// What every edge costs beside what is below it (df-pn+, Nagai 2002).
    pub edge_cost: u32,
    /// Whether places can come again: the cursor then joins everything, and repetitions are the search's. Otherwise they are
    /// the cursor's, or there are none.
    pub cyclic: bool,
}

impl Default for DfpnOptions {
    fn default() -> Self {
        Self {
            thresholds: Thresholds::Dfpn,
            epsilon: Epsilon::QUARTER,
            hysteresis: false,
            backup: Backup::Sum,
            evaluation: Evaluation::Immediate,
            edge_cost: 0,
            cyclic: false,
        }
    }
}
