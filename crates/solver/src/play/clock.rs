//! The time or the nodes that a player has for a piece of work, and how much of it is done at a time.

use std::time::{Duration, Instant};

/// Asked between slices of work whether to go on.
pub(super) type GoesOn<'w> = &'w mut dyn FnMut() -> bool;

/// Limits of a piece of work.
pub(super) struct Clock<'w> {
    deadline: Option<Instant>,
    nodes_left: u64,
    spent: u64,
    goes_on: GoesOn<'w>,
}

impl<'w> Clock<'w> {
    pub(super) fn new(goes_on: GoesOn<'w>) -> Self {
        Self { deadline: None, nodes_left: u64::MAX, spent: 0, goes_on }
    }

    /// Until then, and so many nodes from now on.
    pub(super) fn set(&mut self, deadline: Option<Instant>, nodes: Option<u64>) {
        self.deadline = deadline;
        self.nodes_left = nodes.unwrap_or(u64::MAX);
    }

    /// Whether a piece of work that has made so many nodes may go on.
    pub(super) fn goes_on(&mut self, nodes: u64) -> bool {
        nodes < self.nodes_left
            && self.deadline.is_none_or(|deadline| Instant::now() < deadline)
            && (self.goes_on)()
    }

    pub(super) fn nodes_max(&self) -> u64 {
        self.nodes_left
    }

    /// Takes nodes that were made.
    pub(super) fn spend(&mut self, nodes: u64) {
        self.nodes_left = self.nodes_left.saturating_sub(nodes);
        self.spent += nodes;
    }

    /// The nodes of all work so far.
    pub(super) fn spent(&self) -> u64 {
        self.spent
    }
}

/// Steps of the next slice of a search, learned from the last ones.
#[derive(Clone, Copy)]
pub(super) struct Slice(u64);

/// At first.
pub(super) const SLICE: Slice = Slice(64);

impl Slice {
    pub(super) fn steps(self) -> u64 {
        self.0
    }

    /// Aims at a millisecond: short beside the shortest time for a move.
    pub(super) fn learn(&mut self, took: Duration) {
        if took < Duration::from_micros(500) {
            self.0 = (self.0 * 2).min(1 << 16);
        } else if took > Duration::from_millis(2) {
            self.0 = (self.0 / 2).max(1);
        }
    }
}
