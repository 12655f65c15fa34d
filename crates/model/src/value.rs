//! Players and values. A value seen by nobody in particular and a value seen by a player are two types,
//! so that no sign is ever flipped by hand.

use std::fmt;

/// One of the two players. The one called First need not move first in a given position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Player {
    /// The player for whom a [`Value`] is good when it is large.
    First,
    /// The other one.
    Second,
}

impl Player {
    /// The opponent.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }

    /// Better for this player than every value.
    #[must_use]
    pub fn best(self) -> Value {
        match self {
            Self::First => Value(i32::MAX),
            Self::Second => Value(i32::MIN),
        }
    }

    /// What this player gets at the least, and at the most, of a value between two bounds.
    #[must_use]
    #[inline]
    pub fn range(self, lower: Value, upper: Value) -> (Value, Value) {
        match self {
            Self::First => (lower, upper),
            Self::Second => (upper, lower),
        }
    }

    /// The better of two values for this player.
    ///
    /// ```
    /// use quod_model::{Player, Value};
    /// assert_eq!(Player::Second.better(Value(3), Value(-1)), Value(-1));
    /// ```
    #[must_use]
    pub fn better(self, one: Value, other: Value) -> Value {
        match self {
            Self::First => one.max(other),
            Self::Second => one.min(other),
        }
    }

    /// Whether this player likes a value as the answer to "does First get at least this?".
    #[must_use]
    #[inline]
    pub fn likes(self, value: Value, at_least: Value) -> bool {
        (value >= at_least) == (self == Self::First)
    }
}

/// What a position or an ending is worth for First. Win, draw and loss are +1, 0 and -1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Value(pub i32);

/// What a position or an ending is worth for a player named in the context.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Relative(pub i32);

impl Value {
    /// First has won, in games that know win, draw and loss only.
    pub const FIRST_WINS: Self = Self(1);
    /// Nobody has won.
    pub const DRAW: Self = Self(0);
    /// Second has won, in games that know win, draw and loss only.
    pub const SECOND_WINS: Self = Self(-1);

    /// The same value as `player` sees it.
    ///
    /// ```
    /// use quod_model::{Player, Relative, Value};
    /// assert_eq!(Value::FIRST_WINS.seen_by(Player::Second), Relative(-1));
    /// ```
    #[must_use]
    pub fn seen_by(self, player: Player) -> Relative {
        match player {
            Player::First => Relative(self.0),
            Player::Second => Relative(-self.0),
        }
    }

    /// The smallest and the largest of a range of values, as `player` sees them.
    #[must_use]
    pub fn range_seen_by(range: (Self, Self), player: Player) -> (Relative, Relative) {
        let (low, high) = (range.0.seen_by(player), range.1.seen_by(player));
        (low.min(high), low.max(high))
    }

    /// The next larger value.
    #[must_use]
    pub fn above(self) -> Self {
        Self(self.0.saturating_add(1))
    }

    /// The next smaller value.
    #[must_use]
    pub fn below(self) -> Self {
        Self(self.0.saturating_sub(1))
    }
}

impl Relative {
    /// The next larger value.
    #[must_use]
    pub fn above(self) -> Self {
        Self(self.0.saturating_add(1))
    }

    /// The next smaller value.
    #[must_use]
    pub fn below(self) -> Self {
        Self(self.0.saturating_sub(1))
    }

    /// The value that `player` sees as this.
    ///
    /// ```
    /// use quod_model::{Player, Relative, Value};
    /// assert_eq!(Relative(-1).for_first(Player::Second), Value::FIRST_WINS);
    /// ```
    #[must_use]
    pub fn for_first(self, player: Player) -> Value {
        match player {
            Player::First => Value(self.0),
            Player::Second => Value(-self.0),
        }
    }
}

impl fmt::Display for Relative {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
