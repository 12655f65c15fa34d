//! Values from a series of two-valued searches (Allis et al. 1994, sections 2.3 and 3.5, figure 9).

use quod_checkpoint::{Failure, Reader, State, Writer};
use quod_model::Relative;

use crate::saved::Restore;

/// Which threshold is asked about next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Many {
    /// The middle: fewest searches.
    Binary,
    /// From the smallest value up: the lower bound rises step by step.
    Up,
    /// From the largest value down: the upper bound falls step by step.
    Down,
    /// From a guess of the value: whether it is reached, and whether the next one is not.
    Guess,
}

/// A series of questions that ends with the value.
#[derive(Clone, Copy, Debug)]
pub struct Series {
    many: Many,
    guess: Relative,
    /// How far the next question lies from what is proven, when the guess was wrong.
    step: i32,
}

impl Series {
    /// Without a guess.
    #[must_use]
    pub fn new(many: Many) -> Self {
        Self { many, guess: Relative(0), step: 1 }
    }

    /// Around a guess of the value.
    #[must_use]
    pub fn around(guess: Relative) -> Self {
        Self { many: Many::Guess, guess, step: 1 }
    }

    /// The next question, or nothing if the value is known. Around a guess: whether it is reached, then whether the next one is; if
    /// the guess was wrong, in growing steps away from it.
    ///
    /// ```
    /// use quod_model::Relative;
    /// use quod_search::{Interval, Series};
    /// let (mut interval, mut series) = (Interval { lower: Relative(-9), upper: Relative(9) }, Series::around(Relative(3)));
    /// let mut asked = vec![];
    /// while let Some(question) = series.next(interval) {
    ///     asked.push(question.0);
    ///     interval.answer(question, 5 >= question.0);
    /// }
    /// assert_eq!((interval.lower.0, asked), (5, vec![3, 4, 6, 5]));
    /// ```
    pub fn next(&mut self, interval: Interval) -> Option<Relative> {
        let (lower, upper) = (interval.lower, interval.upper);
        if self.many != Many::Guess {
            return interval.question(self.many);
        }
        if lower >= upper {
            return None;
        }
        if lower < self.guess && self.guess <= upper {
            return Some(self.guess);
        }
        let step = self.step;
        self.step = step.saturating_mul(2);
        Some(if self.guess <= lower {
            self.guess = lower;
            Relative(lower.0.saturating_add(step).min(upper.0))
        } else {
            Relative(upper.0.saturating_sub(step - 1).max(lower.0 + 1))
        })
    }
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
    /// What both leave.
    #[must_use]
    pub fn within(self, other: Self) -> Self {
        Self { lower: self.lower.max(other.lower), upper: self.upper.min(other.upper) }
    }

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
            Many::Guess => unreachable!("a series of questions around a guess knows the next"),
        })
    }

    /// A guess of the value, by what questions look like, halving what is left.
    pub fn guess(mut self, mut looks: impl FnMut(Relative) -> bool) -> Relative {
        while let Some(question) = self.question(Many::Binary) {
            self.answer(question, looks(question));
        }
        self.lower
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

impl State for Series {
    fn write(&self, to: &mut Writer<'_>) -> std::io::Result<()> {
        to.item([self.guess.0, self.step])
    }
}

impl Restore for Series {
    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Failure> {
        let [guess, step] = from.item()?;
        (self.guess, self.step) = (Relative(guess), step);
        if step < 1 { Err(Failure::damaged("a series of questions without steps")) } else { Ok(()) }
    }
}
