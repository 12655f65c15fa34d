//! A goal: the question that makes an AND/OR problem of a game.

use crate::{Player, Relative, Value};

/// "Can `claimant` get at least `at_least`?"
///
/// The claimant moves at OR nodes, the opponent at AND nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Goal {
    /// The player who wants to reach the threshold: the side to move at the root of a search.
    pub claimant: Player,
    /// The threshold as the claimant sees it.
    pub at_least: Relative,
}

impl Goal {
    /// The goal of `claimant` to get at least `at_least`.
    #[must_use]
    pub fn new(claimant: Player, at_least: Relative) -> Self {
        Self { claimant, at_least }
    }

    /// Whether an ending of this value reaches the goal.
    ///
    /// ```
    /// use quod_model::{Goal, Player, Relative, Value};
    /// let draw_for_second = Goal::new(Player::Second, Relative(0));
    /// assert!(draw_for_second.is_reached_by(Value::SECOND_WINS));
    /// assert!(!draw_for_second.is_reached_by(Value::FIRST_WINS));
    /// ```
    #[must_use]
    pub fn is_reached_by(self, value: Value) -> bool {
        value.seen_by(self.claimant) >= self.at_least
    }

    /// What sound bounds on a value say of the goal, if they say anything.
    #[must_use]
    pub fn settled_by(self, bounds: (Value, Value)) -> Option<bool> {
        let (low, high) = Value::range_seen_by(bounds, self.claimant);
        if low >= self.at_least {
            Some(true)
        } else if high < self.at_least {
            Some(false)
        } else {
            None
        }
    }
}
