//! The games of Quod, one module each: rules, notation, and nothing about search.
//!
//! ```
//! use quod_games::ConnectFour;
//! use quod_model::{Game, Notation};
//!
//! let game = ConnectFour::<u64>::new(7, 6, 4).unwrap();
//! let position = game.parse_moves(&game.start(), "4453").unwrap();
//! assert_eq!(game.position_text(&position), "......./......./......./......./...o.../..oxx..");
//! ```

pub mod antichess;
pub mod awari;
mod bits;
pub mod chess;
pub mod connect_four;
pub mod gomoku;
mod grid;
pub mod kalah;
mod men;
pub mod morris;
mod picture;
pub mod qubic;
mod sowing;
pub mod tic_tac_toe;
pub mod woodpush;

pub use antichess::Antichess;
pub use awari::Awari;
pub use chess::Chess;
pub use connect_four::ConnectFour;
pub use gomoku::Gomoku;
pub use kalah::Kalah;
pub use men::Step;
pub use morris::Morris;
pub use qubic::Qubic;
pub use tic_tac_toe::TicTacToe;
pub use woodpush::Woodpush;

use quod_model::{Adapter, Registry};

/// Adds every game of this crate. The one list of games that there is.
#[must_use]
pub fn add_to<A: Adapter>(registry: Registry<A>) -> Registry<A> {
    registry
        .with(tic_tac_toe::Named)
        .with(connect_four::Named)
        .with(qubic::Named)
        .with(gomoku::Named)
        .with(morris::Named)
        .with(woodpush::Named)
        .with(awari::Named)
        .with(kalah::Named)
        .with(chess::Named)
        .with(antichess::Named)
}
