//! How a search sees a problem: a cursor over an AND/OR graph.
//!
//! Searches know no positions and no game types. They go down a path, go up, and expand where they stand into a
//! buffer; one dynamic call serves a whole path or a whole batch of children. Games enter through [`GoalCursor`], problems
//! that are no games by implementing [`AndOr`] themselves.

use crate::{Abilities, CanonicalFn, Game, Goal, GuessFn, Move, Numbers, Oracle, Repetition};

/// A cursor over an AND/OR problem.
///
/// A search leaves the cursor where it found it, or knows how many steps it stands below.
pub trait AndOr {
    /// Whether one child suffices here (OR) or all are needed (AND).
    fn is_or(&self) -> bool;

    /// Goes down along a path of codes, each of which [`AndOr::expand`] gave at its place.
    fn down(&mut self, codes: &[u32]);

    /// Goes back up by so many steps.
    fn up(&mut self, steps: usize);

    /// Judges the place itself, with [`Evaluation::Delayed`] also by a judge that may be slow.
    fn evaluate(&mut self, evaluation: Evaluation) -> Option<Settled>;

    /// Appends the children of an unsettled place, at least one, in a fixed order. With
    /// [`Evaluation::Immediate`] each is judged at once, otherwise all get the numbers of unsolved leaves.
    fn expand(&mut self, evaluation: Evaluation, children: &mut Vec<Child>);

    /// What the place is known by when searches join places, if it may be joined with others.
    fn identity(&self) -> Option<Identity> {
        None
    }

    /// Expands, and appends for every child what it is known by, if it may be joined.
    fn expand_joined(
        &mut self,
        evaluation: Evaluation,
        children: &mut Vec<Child>,
        identities: &mut Vec<Option<Identity>>,
    ) {
        let begin = children.len();
        self.expand(evaluation, children);
        identities.extend(children[begin..].iter().map(|_| None));
    }
}

/// What a place is known by: places with equal keys are one, however they are reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity {
    /// Equal for equal places, and with all but certainty different for others.
    pub key: u128,
    /// Whether going around forever through this place reaches the goal. The same all along a cycle.
    pub endless: bool,
}

impl<C: AndOr + ?Sized> AndOr for &mut C {
    fn is_or(&self) -> bool {
        (**self).is_or()
    }
    fn down(&mut self, codes: &[u32]) {
        (**self).down(codes);
    }
    fn up(&mut self, steps: usize) {
        (**self).up(steps);
    }
    fn evaluate(&mut self, evaluation: Evaluation) -> Option<Settled> {
        (**self).evaluate(evaluation)
    }
    fn expand(&mut self, evaluation: Evaluation, children: &mut Vec<Child>) {
        (**self).expand(evaluation, children);
    }
    fn identity(&self) -> Option<Identity> {
        (**self).identity()
    }
    fn expand_joined(
        &mut self,
        evaluation: Evaluation,
        children: &mut Vec<Child>,
        identities: &mut Vec<Option<Identity>>,
    ) {
        (**self).expand_joined(evaluation, children, identities);
    }
}

/// When a node is judged (Breuker et al. 1994, section 3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Evaluation {
    /// When it is generated.
    Immediate,
    /// When it is selected.
    Delayed,
}

/// A place that is known to hold or to fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settled {
    /// Whether the goal holds.
    pub holds: bool,
    /// What this leans on.
    pub basis: Basis,
}

/// What a result leans on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// The rules: the game is over, or the rules' own bounds decide. A checker sees the same.
    Rules,
    /// Knowledge from outside: an oracle or a judge.
    Knowledge,
    /// The path: the position stood on it before. Another path may give another result.
    Path,
}

/// A child as [`AndOr::expand`] hands it over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Child {
    /// What [`AndOr::down`] takes to go there; below [`Move::CODE_LIMIT`].
    pub code: u32,
    /// Whether it is an OR node.
    pub is_or: bool,
    /// Its leaf numbers, or those of a solved node.
    pub numbers: Numbers,
}

/// Which places a cursor lets searches join, and what it makes of repetitions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Joining {
    /// None: the problem is a tree, and a position that stood on the path before is a leaf.
    #[default]
    Nothing,
    /// Those behind converting moves, which no path can lead back from; the rest as in a tree (Schijf 1993, section 5.4,
    /// the second method). All, where no position can come again.
    Converted,
    /// All: the problem is a graph that may have cycles, and the search must know what to make of them.
    Everything,
}

/// The numbers of an unsolved leaf.
pub enum LeafNumbers<G: Game> {
    /// 1 and 1.
    One,
    /// 1 and the number of legal moves, as if the leaf were expanded (Breuker et al. 1994, 3.3.1).
    Mobility,
    /// The game's own [`crate::Guess`].
    Guess(GuessFn<G>),
}

impl<G: Game> Clone for LeafNumbers<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for LeafNumbers<G> {}

/// The AND/OR problem of a goal in a game.
///
/// A position that stood on the path before is a leaf of the value of endless play there. In a tree
/// search that is exact: since that value is the same all along a cycle, the first repetition decides as
/// well as the thousandth. A cursor that joins everything makes such leaves only of positions that stood on the path
/// before it began to join: from there on, cycles are the search's.
pub struct GoalCursor<'g, G: Game> {
    game: &'g G,
    goal: Goal,
    leaf: LeafNumbers<G>,
    abilities: Abilities<G>,
    repetition: Repetition<G>,
    oracle: Option<&'g dyn Oracle<G>>,
    joining: Joining,
    /// Positions that stand for all symmetric ones, if those are joined.
    canonical: Option<CanonicalFn<G>>,
    path: Vec<G::Position>,
    /// How many positions of the path make a leaf of an equal one.
    remembered: usize,
    /// Keys of the path, kept only where positions can come again.
    keys: Vec<u128>,
    moves: Vec<G::Move>,
}

impl<'g, G: Game> GoalCursor<'g, G> {
    /// The problem of reaching `goal` from `root`.
    pub fn new(game: &'g G, root: G::Position, goal: Goal, leaf: LeafNumbers<G>) -> Self {
        let mut cursor = Self {
            game,
            goal,
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
        cursor.enter(root);
        cursor
    }

    /// The same with exact values from outside.
    #[must_use]
    pub fn with_oracle(mut self, oracle: &'g dyn Oracle<G>) -> Self {
        self.oracle = Some(oracle);
        self
    }

    /// The same with places that searches may join, and with symmetric positions as one if the game has symmetries and
    /// `symmetric` is set. To be called at the root.
    #[must_use]
    pub fn joining(mut self, joining: Joining, symmetric: bool) -> Self {
        self.canonical = self.abilities.canonical.filter(|_| symmetric);
        let root = self.identified(self.position().clone());
        (self.path, self.keys) = (Vec::new(), Vec::new());
        self.enter(root);
        self.join_from_here(joining);
        self
    }

    /// Changes what is joined from here on; the way back is [`GoalCursor::join_from_here`] with [`Joining::Nothing`].
    pub fn join_from_here(&mut self, joining: Joining) {
        self.joining = joining;
        self.remembered = if joining == Joining::Everything { self.path.len() - 1 } else { usize::MAX };
    }

    /// The representative of a position.
    #[inline(always)]
    fn identified(&self, position: G::Position) -> G::Position {
        match self.canonical {
            Some(canonical) => canonical(self.game, &position),
            None => position,
        }
    }

    /// The rules.
    #[must_use]
    pub fn game(&self) -> &'g G {
        self.game
    }

    /// The question.
    #[must_use]
    pub fn goal(&self) -> Goal {
        self.goal
    }

    /// Where the cursor stands.
    #[must_use]
    pub fn position(&self) -> &G::Position {
        self.path.last().expect("the path holds the root")
    }

    /// Appends the legal moves here.
    pub fn moves(&self, moves: &mut Vec<G::Move>) {
        self.game.moves(self.position(), moves);
    }

    fn enter(&mut self, position: G::Position) {
        if matches!(self.repetition, Repetition::Worth(_)) {
            self.keys.push(self.game.key(&position));
        }
        self.path.push(position);
    }

    /// What the rules and the path say of a position that `depth` positions of the path lead to.
    #[inline(always)]
    fn settle(&self, position: &G::Position, depth: usize) -> Option<Settled> {
        if let Some(value) = self.game.outcome(position) {
            return Some(Settled { holds: self.goal.is_reached_by(value), basis: Basis::Rules });
        }
        if let Some(bounds) = self.abilities.bounds
            && let Some(holds) = self.goal.settled_by(bounds(self.game, position))
        {
            return Some(Settled { holds, basis: Basis::Rules });
        }
        if let Repetition::Worth(worth) = self.repetition {
            let key = self.game.key(position);
            let depth = depth.min(self.remembered);
            let again = (0..depth).any(|at| self.keys[at] == key && self.path[at] == *position);
            if again {
                let holds = self.goal.is_reached_by(worth(self.game, position));
                return Some(Settled { holds, basis: Basis::Path });
            }
        }
        let value = self.oracle?.value(self.game, position)?;
        Some(Settled { holds: self.goal.is_reached_by(value), basis: Basis::Knowledge })
    }

    fn identity_of(&self, position: &G::Position) -> Identity {
        let endless = match self.repetition {
            Repetition::Impossible => false,
            Repetition::Worth(worth) => self.goal.is_reached_by(worth(self.game, position)),
        };
        Identity { key: self.game.key(position), endless }
    }

    /// Whether nothing can come back from behind a move from here.
    fn converts(&self, mv: G::Move) -> bool {
        match (&self.repetition, self.abilities.converts) {
            (Repetition::Impossible, _) => true,
            (_, Some(converts)) => converts(self.game, self.position(), mv),
            (_, None) => false,
        }
    }

    /// The child behind a move, whose position is known.
    #[inline(always)]
    fn child(&self, mv: G::Move, position: &G::Position, evaluation: Evaluation) -> Child {
        let is_or = self.game.to_move(position) == self.goal.claimant;
        let settled = match evaluation {
            Evaluation::Immediate => self.settle(position, self.path.len()),
            Evaluation::Delayed => None,
        };
        let numbers = match settled {
            Some(settled) => Numbers::solved(settled.holds),
            None => self.leaf_numbers(position, is_or),
        };
        Child { code: mv.code(), is_or, numbers }
    }

    #[inline(always)]
    fn list_moves(&mut self) {
        let here = self.path.last().expect("the path holds the root");
        self.moves.clear();
        self.game.moves(here, &mut self.moves);
        assert!(!self.moves.is_empty(), "the game says that {here:?} is not over, and gives no move");
    }

    #[inline]
    fn leaf_numbers(&self, position: &G::Position, is_or: bool) -> Numbers {
        match self.leaf {
            LeafNumbers::One => Numbers::ONE,
            LeafNumbers::Mobility => {
                let moves = self.game.mobility(position);
                if is_or { Numbers::guessed(1, moves) } else { Numbers::guessed(moves, 1) }
            }
            LeafNumbers::Guess(guess) => {
                let (pn, dn) = guess(self.game, position, self.goal);
                Numbers::guessed(pn, dn)
            }
        }
    }
}

impl<G: Game> AndOr for GoalCursor<'_, G> {
    fn is_or(&self) -> bool {
        self.game.to_move(self.position()) == self.goal.claimant
    }

    fn down(&mut self, codes: &[u32]) {
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

    fn up(&mut self, steps: usize) {
        debug_assert!(steps < self.path.len(), "up from the root");
        let left = self.path.len() - steps;
        self.path.truncate(left);
        self.keys.truncate(left);
    }

    fn evaluate(&mut self, evaluation: Evaluation) -> Option<Settled> {
        let position = self.position();
        if let Some(settled) = self.settle(position, self.path.len() - 1) {
            return Some(settled);
        }
        if evaluation == Evaluation::Immediate {
            return None;
        }
        let holds = self.abilities.decide?(self.game, position, self.goal)?;
        Some(Settled { holds, basis: Basis::Knowledge })
    }

    fn expand(&mut self, evaluation: Evaluation, children: &mut Vec<Child>) {
        self.list_moves();
        let here = self.position();
        if let Some(canonical) = self.canonical {
            children.extend(
                self.moves.iter().map(|mv| {
                    self.child(*mv, &canonical(self.game, &self.game.after(here, *mv)), evaluation)
                }),
            );
        } else {
            // Trees of all kinds grow here: nothing that they do not need.
            children
                .extend(self.moves.iter().map(|mv| self.child(*mv, &self.game.after(here, *mv), evaluation)));
        }
    }

    fn expand_joined(
        &mut self,
        evaluation: Evaluation,
        children: &mut Vec<Child>,
        identities: &mut Vec<Option<Identity>>,
    ) {
        self.list_moves();
        let here = self.position();
        for mv in &self.moves {
            let position = self.identified(self.game.after(here, *mv));
            children.push(self.child(*mv, &position, evaluation));
            let joined = match self.joining {
                Joining::Nothing => false,
                Joining::Everything => true,
                Joining::Converted => self.converts(*mv),
            };
            identities.push(joined.then(|| self.identity_of(&position)));
        }
    }

    fn identity(&self) -> Option<Identity> {
        // Nothing can come back to where a search of converted places begins.
        (self.joining == Joining::Everything).then(|| self.identity_of(self.position()))
    }
}
