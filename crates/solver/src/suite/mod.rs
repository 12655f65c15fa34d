//! Suites: many positions of one game from one file, each solved by a search of its own.

mod read;
mod run;

pub use read::{Problem, read_suite};
pub use run::{SuiteProgress, SuiteRow, WatchSuite, solve_suite};
