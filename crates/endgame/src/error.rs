//! What can go wrong with databases.

use std::path::{Path, PathBuf};

const MEBIBYTE: f64 = (1 << 20) as f64;

/// A database that cannot be built, opened or believed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file or folder cannot be used.
    #[error("cannot {what} {}: {problem}", path.display())]
    Io {
        /// What was tried.
        what: &'static str,
        /// With what.
        path: PathBuf,
        /// Why not.
        problem: std::io::Error,
    },
    /// A file is no whole database file.
    #[error("{}: {problem}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// A file is of another game, or of other rules.
    #[error("{}: this is a slice of {found}, not of {wanted}; name another folder", path.display())]
    OtherGame {
        /// The file.
        path: PathBuf,
        /// Whose it is.
        found: String,
        /// Whose it was to be.
        wanted: String,
    },
    /// A folder holds checkpoints of another game, of other rules, or of something else.
    #[error("{}: these are checkpoints of {found}, not of a database of {wanted}; name another folder", path.display())]
    OtherCheckpoint {
        /// The folder.
        path: PathBuf,
        /// Whose they are.
        found: String,
        /// Whose they were to be.
        wanted: String,
    },
    /// The folder for checkpoints cannot be used.
    #[error(transparent)]
    Checkpoint(#[from] quod_checkpoint::Failure),
    /// There are no files.
    #[error("{}: there is no database here (no file {})", path.display(), crate::files::name(0))]
    Nothing {
        /// The folder.
        path: PathBuf,
    },
    /// The game has no numbering.
    #[error("{0} has no numbering of its positions, so there are no databases of it")]
    NoNumbering(String),
    /// The game has no such slice.
    #[error("slice {slice}: the slices of {game} are 0 to {last}")]
    NoSlice {
        /// The slice asked for.
        slice: u32,
        /// The game.
        game: String,
        /// Its last slice.
        last: u32,
    },
    /// It takes more memory than allowed.
    #[error(
        "slice {slice} takes {:.1} MiB of memory to build, {:.1} MiB are allowed",
        *needed as f64 / MEBIBYTE,
        *allowed as f64 / MEBIBYTE
    )]
    Memory {
        /// The first slice that is too large.
        slice: u32,
        /// What it needs in bytes, the smaller slices included.
        needed: u64,
        /// What it may have, in bytes.
        allowed: u64,
    },
    /// A value is wrong.
    #[error("slice {slice}, number {number} ({position}): {problem}")]
    Wrong {
        /// The slice.
        slice: u32,
        /// The number.
        number: u64,
        /// The position there.
        position: String,
        /// What is wrong with its value.
        problem: String,
    },
}

impl Error {
    pub(crate) fn io(what: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        move |problem| Self::Io { what, path: path.to_owned(), problem }
    }

    pub(crate) fn file(path: &Path, problem: impl Into<String>) -> Self {
        Self::File { path: path.to_owned(), problem: problem.into() }
    }
}
