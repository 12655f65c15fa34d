//! What is known of a position while its slice is worked out, in two bytes.
//!
//! | bits | |
//! |---|---|
//! | 0-7 | the best value found so far, plus 128 |
//! | 8-13 | how many moves within the slice lead to positions that are not resolved |
//! | 14 | resolved: the best value is the value |
//! | 15 | pending: resolved, but its predecessors have not been told |

/// The most moves within a slice that one position may have.
pub(crate) const WITHIN_MAX: u32 = 63;
/// Stored values are within this and its negative.
pub(crate) const VALUE_MAX: i32 = 127;

const ONE_MOVE: u16 = 1 << 8;
const RESOLVED: u16 = 1 << 14;
const PENDING: u16 = 1 << 15;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Word(pub(crate) u16);

impl Word {
    /// No value so far is as bad as this.
    pub(crate) const NO_VALUE: i32 = -128;

    /// A position with a value.
    pub(crate) fn resolved(value: i32) -> Self {
        Self((value + 128) as u16 | RESOLVED)
    }

    /// A position with moves within its slice, and the best value of those that leave it.
    pub(crate) fn open(best: i32, within: u32) -> Self {
        Self((best + 128) as u16 | (within as u16) << 8)
    }

    #[inline]
    pub(crate) fn best(self) -> i32 {
        i32::from(self.0 & 0xff) - 128
    }

    #[inline]
    pub(crate) fn is_resolved(self) -> bool {
        self.0 & RESOLVED != 0
    }

    #[inline]
    pub(crate) fn is_pending(self) -> bool {
        self.0 & PENDING != 0
    }

    #[inline]
    pub(crate) fn pending(self) -> Self {
        Self(self.0 | PENDING)
    }

    #[inline]
    pub(crate) fn told(self) -> Self {
        Self(self.0 & !PENDING)
    }

    /// An open position whose best value is its value.
    #[inline]
    pub(crate) fn settled(self) -> Self {
        Self(self.0 | RESOLVED)
    }

    /// An open position, one move of which turned out to be worth `value`. It is resolved if no move is left, or if the value
    /// is `enough`.
    #[inline]
    pub(crate) fn with_move(self, value: i32, enough: i32) -> Self {
        let best = self.best().max(value);
        let rest = (self.0 & !0xff) - ONE_MOVE;
        let done = rest < ONE_MOVE || best >= enough;
        Self(rest | (best + 128) as u16 | if done { RESOLVED } else { 0 })
    }

    /// Whether this can be the word of a position, where values go up to `value_max` and those of open positions up to
    /// `best_max`. As long as all words are, they stay so: an open move is counted down only where there is one.
    pub(crate) fn is_sound(self, value_max: i32, best_max: i32) -> bool {
        let within = u32::from(self.0 >> 8) & WITHIN_MAX;
        if self.is_resolved() {
            self.best().abs() <= value_max
        } else {
            !self.is_pending() && within > 0 && self.best() <= best_max
        }
    }

    /// The stored value in the end.
    #[inline]
    pub(crate) fn value(self) -> i8 {
        // What was never resolved goes around forever.
        if self.is_resolved() { self.best() as i8 } else { 0 }
    }
}
