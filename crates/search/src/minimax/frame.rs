//! A place of the path of a depth-first search, with its windows.
//!
//! With a horizon a node has two values: one if everything behind the horizon is as bad for Max as the rules allow, one if it is as good.
//! Both are searched at once, each with a window of its own, and a cut needs both (the alpha-beta search of Allis et al. 1994,
//! section 6.3). Without a horizon both are always equal, and what is left is figure 3 of de Bruin, Pijls and Plaat.

use quod_model::Relative;
use quod_proof::NodeId;

/// The values that matter: larger than alpha and smaller than beta.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Window {
    /// At most this is too little for Max.
    pub(super) alpha: Relative,
    /// At least this is too much for Min.
    pub(super) beta: Relative,
}

impl Window {
    /// Everything matters.
    pub(super) const OPEN: Self = Self { alpha: Relative(i32::MIN), beta: Relative(i32::MAX) };

    /// The window of the question "at least this?".
    pub(super) fn null(at_least: Relative) -> Self {
        Self { alpha: at_least.below(), beta: at_least }
    }

    /// The null window at the end of this one that the mover wants to pass.
    pub(super) fn scout(self, is_max: bool) -> Self {
        Self::null(if is_max { self.alpha.above() } else { self.beta })
    }
}

/// Where the values of a place lie, the pessimistic and the optimistic one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Outlook {
    pub(super) pessimistic: (Relative, Relative),
    pub(super) optimistic: (Relative, Relative),
}

impl Outlook {
    /// Nothing but its bounds is known of a place.
    pub(super) fn within(bounds: (Relative, Relative)) -> Self {
        Self { pessimistic: bounds, optimistic: bounds }
    }

    /// Of a place at the horizon no more will be known.
    pub(super) fn at_horizon((lower, upper): (Relative, Relative)) -> Self {
        Self { pessimistic: (lower, lower), optimistic: (upper, upper) }
    }

    pub(super) fn parts(self) -> [(Relative, Relative); 2] {
        [self.pessimistic, self.optimistic]
    }
}

/// One of the two values of a place that is searched.
#[derive(Clone, Copy)]
pub(super) struct Part {
    /// The window that the place was entered with.
    pub(super) window: Window,
    pub(super) value: Relative,
    /// Whether moves can still matter.
    pub(super) open: bool,
    /// Whether it was open at first.
    pub(super) searched: bool,
}

impl Part {
    /// A part that does not matter here, or is known.
    pub(super) fn closed(window: Window, value: Relative) -> Self {
        Self { window, value, open: false, searched: false }
    }

    pub(super) fn open(window: Window, is_max: bool) -> Self {
        let value = if is_max { Relative(i32::MIN) } else { Relative(i32::MAX) };
        Self { window, value, open: true, searched: true }
    }

    /// What is left of the window after the moves so far.
    pub(super) fn rest(&self, is_max: bool) -> Window {
        let Window { alpha, beta } = self.window;
        if is_max {
            Window { alpha: alpha.max(self.value), beta }
        } else {
            Window { alpha, beta: beta.min(self.value) }
        }
    }

    /// Whether a move of this value is the best one so far.
    pub(super) fn is_improved_by(&self, value: Relative, is_max: bool) -> bool {
        if is_max { value > self.value } else { value < self.value }
    }

    /// Whether a move of this value is better than all before, and than what the window asks for at the least.
    pub(super) fn is_raised_by(&self, value: Relative, is_max: bool) -> bool {
        let Window { alpha, beta } = self.rest(is_max);
        if is_max { value > alpha } else { value < beta }
    }

    /// Takes the value of a move; whether it is the best one so far.
    pub(super) fn take(&mut self, value: Relative, is_max: bool) -> bool {
        let better = self.is_improved_by(value, is_max);
        if better {
            self.value = value;
            let Window { alpha, beta } = self.window;
            self.open &= if is_max { value < beta } else { value > alpha };
        }
        better
    }
}

/// What a window says of a value that lies in a range: nothing if it must be searched.
pub(super) fn settled((low, high): (Relative, Relative), window: Window) -> Option<Relative> {
    if low >= window.beta || low == high {
        Some(low)
    } else if high <= window.alpha {
        Some(high)
    } else {
        None
    }
}

/// How the move of a frame is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    /// With all of the window.
    Whole,
    /// With a null window, whether it is better than those before.
    Scout,
    /// Once more, because it is, by the value that the null window gave.
    Again(Relative),
}

pub(super) struct Frame {
    pub(super) node: NodeId,
    /// The place of the move that is looked at.
    pub(super) next: u32,
    pub(super) look: Look,
    /// The pessimistic and the optimistic value.
    pub(super) parts: [Part; 2],
    /// Whether only a question is asked here (Pearl's TEST).
    pub(super) tests: bool,
    /// What the place is known by.
    pub(super) key: Option<u128>,
    /// Where the keys of its children begin.
    pub(super) keys: usize,
    /// How many nodes there were before.
    pub(super) nodes: u64,
    /// The move that was best so far.
    pub(super) best: Option<u32>,
    /// Whether the principal variation of the last iteration leads here.
    pub(super) is_principal: bool,
    /// The lists of moves along the best line below.
    pub(super) below: Vec<Box<[u32]>>,
}
