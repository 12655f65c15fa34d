//! Values from a series of two-valued searches (Allis et al. 1994, sections 2.3 and 3.5, figure 9).

use quod_model::Relative;

/// Which threshold is asked about next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Many {
    /// The middle: fewest searches.
    Binary,
    /// From the smallest value up: the lower bound rises step by step.
    Up,
    /// From the largest value down: the upper bound falls step by step.
    Down,
}

/// What is proven about a value: it lies between two bounds. Good at any moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// The value is at least this.
    pub lower: Relative,
    /// The value is at most this.
    pub upper: Relative,
}

impl Interval {
    /// The next question "at least v?", or nothing if the value is known.
    ///
    /// ```
    /// use quod_model::Relative;
    /// use quod_search::{Interval, Many};
    /// let interval = Interval { lower: Relative(-1), upper: Relative(2) };
    /// assert_eq!(interval.question(Many::Binary), Some(Relative(1)));
    /// assert_eq!(interval.question(Many::Up), Some(Relative(0)));
    /// assert_eq!(interval.question(Many::Down), Some(Relative(2)));
    /// ```
    #[must_use]
    pub fn question(self, many: Many) -> Option<Relative> {
        if self.lower >= self.upper {
            return None;
        }
        Some(match many {
            Many::Binary => Relative(self.lower.0 + (self.upper.0 - self.lower.0 + 1) / 2),
            Many::Up => self.lower.above(),
            Many::Down => self.upper,
        })
    }

    /// The range of values that a single question is about: whether its upper end is reached.
    #[must_use]
    pub fn of_question(at_least: Relative) -> Self {
        Self { lower: at_least.below(), upper: at_least }
    }

    /// Takes the answer to "at least v?".
    pub fn answer(&mut self, at_least: Relative, holds: bool) {
        if holds {
            self.lower = self.lower.max(at_least);
        } else {
            self.upper = self.upper.min(at_least.below());
        }
    }
}
