//! What a front end needs that shows positions, trees and proofs as pictures.

mod kept;
mod proof;
mod rows;
mod scene;
mod tree;
mod values;

pub use kept::KeptTree;
pub use proof::Proof;
pub use rows::{NodeState, TreeRow, Unfold, Unfolded};
pub use scene::{Played, Scene, SceneMove};
pub use values::{FollowValues, MoveValue};

pub(crate) use proof::Shown;
pub(crate) use rows::unfold;
pub(crate) use scene::{board, scene};
pub(crate) use tree::SearchBranches;
pub(crate) use values::value_moves;

use quod_model::{Notation, Relative};

/// Bounds in the game's words: `draw to win`, or a value.
pub(crate) fn bounds_text<G: Notation>(game: &G, lower: Relative, upper: Relative) -> String {
    let text = |value| game.value_text(value);
    if lower == upper { text(lower) } else { format!("{} to {}", text(lower), text(upper)) }
}

/// A value in the game's words, as a thing: `a win`, `+3`.
pub(crate) fn noun<G: Notation>(game: &G, value: Relative) -> String {
    let text = game.value_text(value);
    if text.starts_with(char::is_alphabetic) { format!("a {text}") } else { text }
}
