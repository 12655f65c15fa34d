//! What a game is, and how a search sees it.
//!
//! A [`Game`] is a rules value: board size and variant are its fields, positions and moves its types.
//! What a game can do beyond its rules (symmetries, bounds, guesses) are traits of their own, gathered in
//! [`Abilities`]. A [`Goal`] turns a game into an AND/OR problem, which searches drive through [`AndOr`],
//! an interface that knows no positions and is open to problems that are no games.
//!
//! ```
//! use quod_model::{AndOr, Game, Goal, GoalCursor, LeafNumbers, Player, Relative};
//! use quod_model::testkit::Graph;
//!
//! // Max chooses between 1 and what Min leaves of {0, 2}.
//! let game: Graph = "a max: b c\n b = 1\n c min: d e\n d = 0\n e = 2".parse().unwrap();
//! let goal = Goal::new(Player::First, Relative(1));
//! let mut cursor = GoalCursor::new(&game, game.start(), goal, LeafNumbers::One);
//! assert!(cursor.is_or());
//! let mut children = Vec::new();
//! cursor.expand(quod_model::Evaluation::Immediate, &mut children);
//! assert!(children[0].numbers.is_proven());
//! ```

mod abilities;
mod board;
mod cursor;
mod game;
mod goal;
mod index;
mod input;
mod numbers;
mod registry;
#[cfg(feature = "testkit")]
pub mod testkit;
mod threats;
mod value;
mod verdict;

pub use abilities::{
    Abilities, Ahead, Bounds, BoundsFn, CanonicalFn, Citation, Converts, ConvertsFn, Decide, DecideFn,
    ForeseeFn, Foresight, Guess, GuessFn, HeldBackFn, Notation, Notes, Oracle, Published, PublishedFns,
    PublishedGoalFn, PublishedValue, PublishedValueFn, Sight, Stages, StagesFn, StagesFns, Symmetry,
};
pub use board::{Area, Board, Ink, ManKind, Pointing, Shape, Spot};
pub use cursor::{
    AndOr, Basis, Bounded, Child, Evaluation, GoalCursor, Identity, Joining, LeafNumbers, LimitedCursor,
    Minimax, RememberingCursor, Settled, StagedCursor, ThreatCursor, ValueCursor, is_held_back,
};
pub use game::{Game, IllegalMove, Move, Repetition};
pub use goal::Goal;
pub use index::{Index, IndexFns, Slot, Successor, Surveyed};
pub use input::{InputError, Parameters, shortened};
pub use numbers::Numbers;
pub use registry::{Adapter, Description, Family, Receiver, Registry};
pub use threats::{
    AnswersFn, AttacksFn, CanWinFn, DoubleThreatFn, IsOpeningFn, Outlook, ReplaysFn, ThreatLineFn, Threats,
    ThreatsFns, WeighFn, WeighLaterFn,
};
pub use value::{Player, Relative, Value};
pub use verdict::{StopReason, Verdict};
