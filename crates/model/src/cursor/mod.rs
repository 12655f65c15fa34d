//! How a search sees a problem: a cursor over an AND/OR graph.
//!
//! Searches know no positions and no game types. They go down a path, go up, and expand where they stand into a
//! buffer; one dynamic call serves a whole path or a whole batch of children. Games enter through [`GoalCursor`], problems
//! that are no games by implementing [`AndOr`] themselves.

use crate::{Game, GuessFn, Numbers};

mod goal;
mod limited;
mod remembering;
mod staged;
mod threatened;
mod value;
mod walk;

pub use goal::GoalCursor;
pub use limited::LimitedCursor;
pub use remembering::RememberingCursor;
pub use staged::{StagedCursor, is_held_back};
pub use threatened::ThreatCursor;
pub use value::{Bounded, Minimax, ValueCursor};

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

    /// Judges the place itself, also by a judge that may be slow unless it is [`Evaluation::Immediate`].
    fn evaluate(&mut self, evaluation: Evaluation) -> Option<Settled>;

    /// Appends the children of an unsettled place, at least one, in a fixed order. With
    /// [`Evaluation::Delayed`] all get the numbers of unsolved leaves, otherwise each is judged at once.
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

    /// How many positions were looked at beside the children since this was last asked: in lines of threats.
    fn looked(&mut self) -> u64 {
        0
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

/// Cursors behind a pointer are cursors.
macro_rules! pointer_is_a_cursor {
    ($($pointer:ty),*) => {$(
impl<C: AndOr + ?Sized> AndOr for $pointer {
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
    fn looked(&mut self) -> u64 {
        (**self).looked()
    }
}
    )*};
}
pointer_is_a_cursor!(&mut C, Box<C>);

/// When a node is judged (Breuker et al. 1994, section 3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Evaluation {
    /// When it is generated.
    Immediate,
    /// When it is selected.
    Delayed,
    /// When it is generated, by the judge too: for judges that cost little.
    Judged,
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
    /// What [`AndOr::down`] takes to go there; below [`crate::Move::CODE_LIMIT`], or a step that [`is_held_back`] knows.
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
