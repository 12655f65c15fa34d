//! Playing: a game on the board with a player for it ([`Playing`]), and matches between two ways to play.

mod ask;
mod clock;
mod contest;
mod game;
mod player;

pub(crate) use contest::contest;
pub use contest::{ContestRequest, Tally};
pub(crate) use game::GameInPlay;
pub use game::{Chosen, GameEnd, Playing};
pub use player::{Certainty, PlayStyle};
