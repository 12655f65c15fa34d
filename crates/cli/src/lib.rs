//! The command line of Quod as a library, so that a program with a game of its own gets all of it:
//!
//! ```no_run
//! # use std::process::ExitCode;
//! fn main() -> ExitCode {
//!     quod_cli::run(quod_cli::games()) // .with(YourGame)
//! }
//! ```

mod analyze;
mod arguments;
mod bar;
mod check;
mod columns;
mod compare;
mod db;
mod drawing;
mod explore;
mod games;
mod numbers;
mod output;
mod play;
mod plot;
mod progress;
mod records;
mod reproduce;
mod solve;
mod source;
mod suite;
mod target;
mod uci;

use std::path::Path;
use std::process::ExitCode;

use clap::{CommandFactory, Parser};

pub use quod_solver::{Games, games};

use arguments::{Arguments, Command};
use quod_solver::Door;

/// What the engine of `quod uci` answers to lines of input, if it begins no search: for those who try bad lines.
#[doc(hidden)]
pub fn rehearse_uci(door: &dyn Door, mut input: &[u8]) -> Vec<u8> {
    let mut output = Vec::new();
    uci::converse(door, &mut input, &mut output, false);
    output
}

/// How a command ended, when it did not fail.
pub(crate) enum Ending {
    /// Done.
    Done,
    /// Stopped at a limit or by a person.
    Unsolved,
    /// A certificate was refused.
    Refused,
}

/// Runs the command that the arguments name and returns the exit status.
#[must_use]
pub fn run(games: Games) -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Solve(options) => solve::run(&games, &options),
        Command::Compare(options) => compare::run(&games, &options),
        Command::Analyze(options) => analyze::run(&games, &options),
        Command::Play(options) => play::run(&games, &options),
        Command::Explore(options) => explore::run(games, &options),
        Command::Check(options) => check::run(&games, &options),
        Command::Db(command) => db::run(&games, &command),
        Command::Games(options) => games::run(&games, &options),
        Command::Reproduce(options) => reproduce::run(&games, &options),
        Command::Uci => uci::run(&games),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Arguments::command(), "quod", &mut script);
            output::print(&String::from_utf8_lossy(&script)).map(|()| Ending::Done)
        }
        Command::Man { dir } => man(&dir),
    };
    match result {
        Ok(Ending::Done) => ExitCode::SUCCESS,
        Ok(Ending::Refused) => ExitCode::from(1),
        Ok(Ending::Unsolved) => ExitCode::from(3),
        Err(failure) => {
            eprintln!("{}: {:#}", program(), failure.error);
            ExitCode::from(failure.status)
        }
    }
}

/// Opens a game, with its endgame databases if a folder is named.
pub(crate) fn open(games: &Games, text: &str, db: Option<&Path>) -> Result<Box<dyn Door>, Failure> {
    let mut game = games.open(text).map_err(Failure::input)?;
    if let Some(dir) = db {
        game.lean_on(dir, None).map_err(Failure::input)?;
    }
    Ok(game)
}

/// The name by which people have called this program: that of Quod, or of one with games of its own.
pub(crate) fn program() -> String {
    let path = std::env::current_exe().ok();
    let name =
        path.as_ref().and_then(|path| path.file_stem()).map(|name| name.to_string_lossy().into_owned());
    name.unwrap_or_else(|| "quod".to_owned())
}

/// An error with the exit status that it leads to.
pub(crate) struct Failure {
    status: u8,
    error: anyhow::Error,
}

impl Failure {
    /// Input that a person can mend.
    pub(crate) fn input(error: impl Into<anyhow::Error>) -> Self {
        Self { status: 2, error: error.into() }
    }
}

impl<E: Into<anyhow::Error>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self { status: 1, error: error.into() }
    }
}

fn man(dir: &std::path::Path) -> Result<Ending, Failure> {
    clap_mangen::generate_to(Arguments::command(), dir)
        .map_err(|error| Failure::input(anyhow::anyhow!("cannot write to {}: {error}", dir.display())))?;
    Ok(Ending::Done)
}
