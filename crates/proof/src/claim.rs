//! What a certificate claims.

use std::fmt;

use quod_model::{Goal, Player, Relative, Value};

/// Which way a claim bounds a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// The side to move at the root gets at least the value.
    AtLeast,
    /// The side to move at the root gets at most the value.
    AtMost,
}

/// "The value of the root is at least (at most) `value` for the side to move there."
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Claim {
    /// Which way.
    pub relation: Relation,
    /// The bound, as the side to move at the root sees it.
    pub value: Relative,
}

impl Claim {
    /// What a proof (`holds`) or a disproof of a goal claims.
    ///
    /// ```
    /// use quod_model::{Goal, Player, Relative};
    /// use quod_proof::Claim;
    /// let win = Goal::new(Player::First, Relative(1));
    /// assert_eq!(Claim::of(win, false).to_string(), "<= 0");
    /// ```
    #[must_use]
    pub fn of(goal: Goal, holds: bool) -> Self {
        if holds {
            Self { relation: Relation::AtLeast, value: goal.at_least }
        } else {
            Self { relation: Relation::AtMost, value: goal.at_least.below() }
        }
    }

    /// The player who must show it, when `mover` is to move at the root.
    #[must_use]
    pub fn claimer(self, mover: Player) -> Player {
        match self.relation {
            Relation::AtLeast => mover,
            Relation::AtMost => mover.other(),
        }
    }

    /// Whether an ending keeps the claim.
    #[must_use]
    pub fn is_kept_by(self, value: Value, mover: Player) -> bool {
        match self.relation {
            Relation::AtLeast => value.seen_by(mover) >= self.value,
            Relation::AtMost => value.seen_by(mover) <= self.value,
        }
    }

    /// What sound bounds on a value say of the claim, if they say anything.
    #[must_use]
    pub fn settled_by(self, bounds: (Value, Value), mover: Player) -> Option<bool> {
        let (low, high) = Value::range_seen_by(bounds, mover);
        let (kept, broken) = match self.relation {
            Relation::AtLeast => (low >= self.value, high < self.value),
            Relation::AtMost => (high <= self.value, low > self.value),
        };
        if kept {
            Some(true)
        } else if broken {
            Some(false)
        } else {
            None
        }
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = match self.relation {
            Relation::AtLeast => ">=",
            Relation::AtMost => "<=",
        };
        write!(f, "{sign} {}", self.value)
    }
}
