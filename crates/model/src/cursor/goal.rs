//! A goal in a game, as an AND/OR problem.

use super::walk::Walk;
use super::{AndOr, Basis, Child, Evaluation, Identity, Joining, LeafNumbers, Settled};
use crate::{Game, Goal, Move, Numbers, Oracle, Repetition};

/// The AND/OR problem of a goal in a game.
///
/// A position that stood on the path before is a leaf of the value of endless play there. In a tree
/// search that is exact: since that value is the same all along a cycle, the first repetition decides as
/// well as the thousandth. A cursor that joins everything makes such leaves only of positions that stood on the path
/// before it began to join: from there on, cycles are the search's.
pub struct GoalCursor<'g, G: Game> {
    walk: Walk<'g, G>,
    goal: Goal,
}

impl<'g, G: Game> GoalCursor<'g, G> {
    /// The problem of reaching `goal` from `root`.
    pub fn new(game: &'g G, root: G::Position, goal: Goal, leaf: LeafNumbers<G>) -> Self {
        Self { walk: Walk::new(game, root, leaf), goal }
    }

    /// The same with exact values from outside, if there are any.
    #[must_use]
    pub fn with_oracle(mut self, oracle: Option<&'g dyn Oracle<G>>) -> Self {
        self.walk.oracle = oracle;
        self
    }

    /// The same with places that searches may join, and with symmetric positions as one if the game has symmetries and
    /// `symmetric` is set. To be called at the root.
    #[must_use]
    pub fn joining(mut self, joining: Joining, symmetric: bool) -> Self {
        self.walk.join(joining, symmetric);
        self
    }

    /// Changes what is joined from here on; the way back is [`GoalCursor::join_from_here`] with [`Joining::Nothing`].
    pub fn join_from_here(&mut self, joining: Joining) {
        self.walk.join_from_here(joining);
    }

    /// The rules.
    #[must_use]
    pub fn game(&self) -> &'g G {
        self.walk.game
    }

    /// The question.
    #[must_use]
    pub fn goal(&self) -> Goal {
        self.goal
    }

    /// Where the cursor stands.
    #[must_use]
    pub fn position(&self) -> &G::Position {
        self.walk.position()
    }

    /// Appends the legal moves here.
    pub fn moves(&self, moves: &mut Vec<G::Move>) {
        self.walk.game.moves(self.position(), moves);
    }

    /// What the rules and the path say of a position that `depth` positions of the path lead to.
    #[inline(always)]
    fn settle(&self, position: &G::Position, depth: usize) -> Option<Settled> {
        let walk = &self.walk;
        if let Some(value) = walk.game.outcome(position) {
            return Some(Settled { holds: self.goal.is_reached_by(value), basis: Basis::Rules });
        }
        if let Some(bounds) = walk.abilities.bounds
            && let Some(holds) = self.goal.settled_by(bounds(walk.game, position))
        {
            return Some(Settled { holds, basis: Basis::Rules });
        }
        if let Some(value) = walk.repeated(position, depth) {
            return Some(Settled { holds: self.goal.is_reached_by(value), basis: Basis::Path });
        }
        let value = walk.oracle?.value(walk.game, position)?;
        Some(Settled { holds: self.goal.is_reached_by(value), basis: Basis::Knowledge })
    }

    /// What the judge says of a position.
    #[inline(always)]
    fn decided(&self, position: &G::Position) -> Option<Settled> {
        let holds = self.walk.abilities.decide?(self.walk.game, position, self.goal)?;
        Some(Settled { holds, basis: Basis::Knowledge })
    }

    fn identity_of(&self, position: &G::Position) -> Identity {
        let endless = match self.walk.repetition {
            Repetition::Impossible => false,
            Repetition::Worth(worth) => self.goal.is_reached_by(worth(self.walk.game, position)),
        };
        Identity { key: self.walk.game.key(position), endless }
    }

    /// The child behind a move from here, and what it is known by.
    pub(super) fn child_joined(&self, mv: G::Move, evaluation: Evaluation) -> (Child, Option<Identity>) {
        let position = self.walk.identified(self.walk.game.after(self.walk.position(), mv));
        let identity = self.walk.joins(mv).then(|| self.identity_of(&position));
        (self.child(mv, &position, evaluation), identity)
    }

    /// The child behind a move, whose position is known.
    #[inline(always)]
    fn child(&self, mv: G::Move, position: &G::Position, evaluation: Evaluation) -> Child {
        let is_or = self.walk.game.to_move(position) == self.goal.claimant;
        let settled = match evaluation {
            Evaluation::Immediate => self.settle(position, self.walk.path.len()),
            Evaluation::Delayed => None,
            Evaluation::Judged => {
                self.settle(position, self.walk.path.len()).or_else(|| self.decided(position))
            }
        };
        let numbers = match settled {
            Some(settled) => Numbers::solved(settled.holds),
            None => self.walk.leaf_numbers(position, is_or, self.goal),
        };
        Child { code: mv.code(), is_or, numbers }
    }
}

impl<G: Game> AndOr for GoalCursor<'_, G> {
    fn is_or(&self) -> bool {
        self.walk.game.to_move(self.position()) == self.goal.claimant
    }

    fn down(&mut self, codes: &[u32]) {
        self.walk.down(codes);
    }

    fn up(&mut self, steps: usize) {
        self.walk.up(steps);
    }

    fn evaluate(&mut self, evaluation: Evaluation) -> Option<Settled> {
        let position = self.position();
        if let Some(settled) = self.settle(position, self.walk.path.len() - 1) {
            return Some(settled);
        }
        if evaluation == Evaluation::Immediate {
            return None;
        }
        self.decided(position)
    }

    fn expand(&mut self, evaluation: Evaluation, children: &mut Vec<Child>) {
        self.walk.list_moves();
        let (here, game) = (self.walk.position(), self.walk.game);
        if let Some(canonical) = self.walk.canonical {
            children.extend(
                self.walk
                    .moves
                    .iter()
                    .map(|mv| self.child(*mv, &canonical(game, &game.after(here, *mv)), evaluation)),
            );
        } else {
            // Trees of all kinds grow here: nothing that they do not need.
            children
                .extend(self.walk.moves.iter().map(|mv| self.child(*mv, &game.after(here, *mv), evaluation)));
        }
    }

    fn expand_joined(
        &mut self,
        evaluation: Evaluation,
        children: &mut Vec<Child>,
        identities: &mut Vec<Option<Identity>>,
    ) {
        self.walk.list_moves();
        for mv in &self.walk.moves {
            let (child, identity) = self.child_joined(*mv, evaluation);
            children.push(child);
            identities.push(identity);
        }
    }

    fn identity(&self) -> Option<Identity> {
        // Nothing can come back to where a search of converted places begins.
        (self.walk.joining == Joining::Everything).then(|| self.identity_of(self.position()))
    }
}
