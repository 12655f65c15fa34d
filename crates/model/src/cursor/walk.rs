//! A walk through a game: the path from the root to where a cursor stands, and what the rules and the path say there.

use super::{Joining, LeafNumbers};
use crate::{Abilities, CanonicalFn, Game, Goal, Move, Numbers, Oracle, Repetition, Value};

pub(super) struct Walk<'g, G: Game> {
    pub(super) game: &'g G,
    pub(super) leaf: LeafNumbers<G>,
    pub(super) abilities: Abilities<G>,
    pub(super) repetition: Repetition<G>,
    pub(super) oracle: Option<&'g dyn Oracle<G>>,
    pub(super) joining: Joining,
    /// Positions that stand for all symmetric ones, if those are joined.
    pub(super) canonical: Option<CanonicalFn<G>>,
    pub(super) path: Vec<G::Position>,
    /// How many positions of the path make a leaf of an equal one.
    remembered: usize,
    /// Keys of the path, kept only where positions can come again.
    keys: Vec<u128>,
    pub(super) moves: Vec<G::Move>,
}

impl<'g, G: Game> Walk<'g, G> {
    pub(super) fn new(game: &'g G, root: G::Position, leaf: LeafNumbers<G>) -> Self {
        let mut walk = Self {
            game,
            leaf,
            abilities: game.abilities(),
            repetition: game.repetition(),
            oracle: None,
            joining: Joining::Nothing,
            canonical: None,
            path: Vec::new(),
            remembered: usize::MAX,
            keys: Vec::new(),
            moves: Vec::new(),
        };
        walk.enter(root);
        walk
    }

    /// To be called at the root.
    pub(super) fn join(&mut self, joining: Joining, symmetric: bool) {
        self.canonical = self.abilities.canonical.filter(|_| symmetric);
        let root = self.identified(self.position().clone());
        (self.path, self.keys) = (Vec::new(), Vec::new());
        self.enter(root);
        self.join_from_here(joining);
    }

    pub(super) fn join_from_here(&mut self, joining: Joining) {
        self.joining = joining;
        self.remembered = if joining == Joining::Everything { self.path.len() - 1 } else { usize::MAX };
    }

    /// The representative of a position.
    #[inline(always)]
    pub(super) fn identified(&self, position: G::Position) -> G::Position {
        match self.canonical {
            Some(canonical) => canonical(self.game, &position),
            None => position,
        }
    }

    #[inline(always)]
    pub(super) fn position(&self) -> &G::Position {
        self.path.last().expect("the path holds the root")
    }

    fn enter(&mut self, position: G::Position) {
        if matches!(self.repetition, Repetition::Worth(_)) {
            self.keys.push(self.game.key(&position));
        }
        self.path.push(position);
    }

    pub(super) fn down(&mut self, codes: &[u32]) {
        let Some(canonical) = self.canonical else {
            for code in codes {
                self.enter(self.game.after(self.position(), G::Move::from_code(*code)));
            }
            return;
        };
        for code in codes {
            let position = self.game.after(self.position(), G::Move::from_code(*code));
            self.enter(canonical(self.game, &position));
        }
    }

    pub(super) fn up(&mut self, steps: usize) {
        debug_assert!(steps < self.path.len(), "up from the root");
        let left = self.path.len() - steps;
        self.path.truncate(left);
        self.keys.truncate(left);
    }

    /// What endless play is worth, if the position is one of the first `depth` of the path.
    #[inline(always)]
    pub(super) fn repeated(&self, position: &G::Position, depth: usize) -> Option<Value> {
        let Repetition::Worth(worth) = self.repetition else { return None };
        let key = self.game.key(position);
        let depth = depth.min(self.remembered);
        let again = (0..depth).any(|at| self.keys[at] == key && self.path[at] == *position);
        again.then(|| worth(self.game, position))
    }

    /// Whether the place behind a move from here may be joined with others.
    pub(super) fn joins(&self, mv: G::Move) -> bool {
        match (self.joining, &self.repetition, self.abilities.converts) {
            (Joining::Nothing, ..) => false,
            (Joining::Everything, ..) | (Joining::Converted, Repetition::Impossible, _) => true,
            (Joining::Converted, _, Some(converts)) => converts(self.game, self.position(), mv),
            (Joining::Converted, _, None) => false,
        }
    }

    #[inline(always)]
    pub(super) fn list_moves(&mut self) {
        let here = self.path.last().expect("the path holds the root");
        self.moves.clear();
        self.game.moves(here, &mut self.moves);
        assert!(!self.moves.is_empty(), "the game says that {here:?} is not over, and gives no move");
    }

    #[inline]
    pub(super) fn leaf_numbers(&self, position: &G::Position, is_or: bool, goal: Goal) -> Numbers {
        match self.leaf {
            LeafNumbers::One => Numbers::ONE,
            LeafNumbers::Mobility => {
                let moves = self.game.mobility(position);
                if is_or { Numbers::guessed(1, moves) } else { Numbers::guessed(moves, 1) }
            }
            LeafNumbers::Guess(guess) => {
                let (pn, dn) = guess(self.game, position, goal);
                Numbers::guessed(pn, dn)
            }
        }
    }
}
