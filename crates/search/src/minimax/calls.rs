//! Which window is searched next, for algorithms that are series of null-window searches (de Bruin, Pijls and Plaat, sections 5, 6 and 8).
//! Each call finds in the tree what the earlier ones have shown.

use quod_model::Relative;

use super::frame::Window;
use crate::many::{Interval, Many};

/// A series of calls at the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Calls {
    /// One, with the window of all that is asked.
    Once,
    /// Null windows: first at a guess, then each at the bound that the last one has returned.
    Nws,
    /// Null windows in the middle of what is left (Weill's NegaC*).
    NegacStar,
}

impl Calls {
    /// The next window, with what was asked and what is proven; `last` is the question that was answered last.
    pub(super) fn next(self, asked: Interval, proven: Interval, last: Option<Relative>) -> Window {
        let left = Interval { lower: asked.lower.max(proven.lower), upper: asked.upper.min(proven.upper) };
        let middle = || left.question(Many::Binary).expect("something is left to ask");
        match (self, last) {
            (Self::Once, _) => Window { alpha: asked.lower, beta: asked.upper },
            (Self::NegacStar, _) => Window::null(middle()),
            (Self::Nws, None) => {
                let zero = Relative(0);
                Window::null(if left.lower < zero && zero <= left.upper { zero } else { middle() })
            }
            // The value was at least what was asked: is it more than was returned? It was less: is it what was returned?
            (Self::Nws, Some(last)) if proven.lower >= last => Window::null(left.lower.above()),
            (Self::Nws, Some(_)) => Window::null(left.upper),
        }
    }
}
