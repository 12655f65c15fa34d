//! The value of a game, as a problem of many outcomes.

use super::walk::Walk;
use super::{Joining, LeafNumbers};
use crate::{Game, Goal, Move, Numbers, Oracle, Player, Relative, Value};

/// A cursor over a problem whose leaves have values: Max wants a large one, Min a small one.
///
/// What [`super::AndOr`] is for a goal, this is for a value; a search leaves the cursor where it found it, or knows how
/// many steps it stands below.
pub trait Minimax {
    /// Whether Max is to move.
    fn is_max(&self) -> bool;

    /// Goes down along a path of codes, each of which [`Minimax::expand`] gave at its place.
    fn down(&mut self, codes: &[u32]);

    /// Goes back up by so many steps.
    fn up(&mut self, steps: usize);

    /// The smallest and the largest value that the place can have, as far as rules and path show it at once.
    fn bounds(&mut self) -> (Relative, Relative);

    /// Appends the children of a place whose bounds are not equal, at least one, in a fixed order, each with its bounds. Leaf
    /// numbers that know the problem are those of the question "at least `about`?".
    fn expand(&mut self, about: Relative, children: &mut Vec<Bounded>);

    /// The bounds of a child by which an experiment decided whether to count it, where those are not its bounds.
    fn glance(&mut self, code: u32) -> Option<(Relative, Relative)> {
        let _ = code;
        None
    }
}

impl<C: Minimax + ?Sized> Minimax for Box<C> {
    fn is_max(&self) -> bool {
        (**self).is_max()
    }
    fn down(&mut self, codes: &[u32]) {
        (**self).down(codes);
    }
    fn up(&mut self, steps: usize) {
        (**self).up(steps);
    }
    fn bounds(&mut self) -> (Relative, Relative) {
        (**self).bounds()
    }
    fn expand(&mut self, about: Relative, children: &mut Vec<Bounded>) {
        (**self).expand(about, children);
    }
    fn glance(&mut self, code: u32) -> Option<(Relative, Relative)> {
        (**self).glance(code)
    }
}

/// A child as [`Minimax::expand`] hands it over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounded {
    /// What [`Minimax::down`] takes to go there; below [`Move::CODE_LIMIT`].
    pub code: u32,
    /// Whether Max is to move.
    pub is_max: bool,
    /// Its value is at least this.
    pub lower: Relative,
    /// Its value is at most this.
    pub upper: Relative,
    /// The numbers of an unsolved leaf, whatever its bounds.
    pub numbers: Numbers,
    /// What it is known by, if it may be joined with others: equal for equal places, and with all but certainty different
    /// for others.
    pub key: Option<u128>,
}

/// The problem of a game's value for one player, who is Max.
///
/// Repetitions are what they are for [`super::GoalCursor`]. It may join what cannot come again, and never everything.
pub struct ValueCursor<'g, G: Game> {
    walk: Walk<'g, G>,
    max: Player,
    /// What the rules say of every position.
    range: (Relative, Relative),
}

impl<'g, G: Game> ValueCursor<'g, G> {
    /// The value of `root` for the side to move there.
    pub fn new(game: &'g G, root: G::Position, leaf: LeafNumbers<G>) -> Self {
        let max = game.to_move(&root);
        let range = Value::range_seen_by(game.values(), max);
        Self { walk: Walk::new(game, root, leaf), max, range }
    }

    /// The same with exact values from outside, if there are any.
    #[must_use]
    pub fn with_oracle(mut self, oracle: Option<&'g dyn Oracle<G>>) -> Self {
        self.walk.oracle = oracle;
        self
    }

    /// The same with places that searches may join where no position can come again, and with symmetric positions as one if
    /// the game has symmetries and `symmetric` is set. To be called at the root.
    #[must_use]
    pub fn joining_converted(mut self, symmetric: bool) -> Self {
        self.walk.join(Joining::Converted, symmetric);
        self
    }

    /// What rules and path say of a position that `depth` positions of the path lead to.
    #[inline(always)]
    fn bounds_of(&self, position: &G::Position, depth: usize) -> (Relative, Relative) {
        let walk = &self.walk;
        let seen = |value: Value| value.seen_by(self.max);
        if let Some(value) = walk.game.outcome(position) {
            return (seen(value), seen(value));
        }
        let (low, high) = match walk.abilities.bounds {
            None => self.range,
            Some(bounds) => Value::range_seen_by(bounds(walk.game, position), self.max),
        };
        let known = match walk.repeated(position, depth) {
            // Bounds come first, as they do for a goal.
            Some(value) => Some(seen(value).clamp(low, high)),
            None => walk.oracle.and_then(|oracle| oracle.value(walk.game, position)).map(seen),
        };
        known.map_or((low, high), |value| (value, value))
    }
}

impl<G: Game> Minimax for ValueCursor<'_, G> {
    fn is_max(&self) -> bool {
        self.walk.game.to_move(self.walk.position()) == self.max
    }

    fn down(&mut self, codes: &[u32]) {
        self.walk.down(codes);
    }

    fn up(&mut self, steps: usize) {
        self.walk.up(steps);
    }

    fn bounds(&mut self) -> (Relative, Relative) {
        self.bounds_of(self.walk.position(), self.walk.path.len() - 1)
    }

    fn expand(&mut self, about: Relative, children: &mut Vec<Bounded>) {
        self.walk.list_moves();
        let walk = &self.walk;
        let goal = Goal::new(self.max, about);
        children.extend(walk.moves.iter().map(|mv| {
            let position = walk.identified(walk.game.after(walk.position(), *mv));
            let is_max = walk.game.to_move(&position) == self.max;
            let (lower, upper) = self.bounds_of(&position, walk.path.len());
            let numbers =
                if lower == upper { Numbers::ONE } else { walk.leaf_numbers(&position, is_max, goal) };
            let key = walk.joins(*mv).then(|| walk.game.key(&position));
            Bounded { code: mv.code(), is_max, lower, upper, numbers, key }
        }));
    }
}
