//! Endgame databases: the values of all positions of a slice of a game, worked out by retrograde analysis, kept in a file, found
//! again in constant time, and verified.
//!
//! ```
//! use quod_endgame::{BuildOptions, Databases, build};
//! use quod_games::TicTacToe;
//! use quod_model::{Game, Oracle, Value};
//!
//! let dir = tempfile::tempdir().unwrap();
//! build(&TicTacToe, dir.path(), &BuildOptions::up_to(9), &mut |_| true).unwrap();
//! let databases = Databases::open(dir.path(), &TicTacToe).unwrap();
//! assert_eq!(databases.value(&TicTacToe, &TicTacToe.start()), Some(Value::DRAW));
//! ```

mod build;
mod code;
mod databases;
mod error;
mod files;
mod held;
mod keeper;
mod memory;
mod retrograde;
mod verify;
mod word;
mod work;

pub use build::{BuildOptions, Built, Plan, build, plan};
pub use databases::{Databases, slices_in};
pub use error::Error;
pub use files::{Form, SliceFile, Summary};
pub use keeper::{Checkpoints, Notice};
pub use verify::verify;
pub use work::{Event, Phase, Progress, Watch};
