//! What can be wrong with a checkpoint.

use std::path::{Path, PathBuf};

/// Why a checkpoint could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The system did not let it be written or read.
    #[error("cannot {doing} {}: {error}", path.display())]
    System {
        /// What was tried, as in "cannot write".
        doing: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// The bytes are not those that were written, or make no sense.
    #[error("it is damaged: {0}")]
    Damaged(String),
    /// It is good, and of no use here.
    #[error("{0}")]
    Unfit(String),
    /// It was written in another version of the format.
    #[error("it has format {found}, and this program reads format {read}")]
    Version {
        /// The format of the file.
        found: u32,
        /// The format that is read.
        read: u32,
    },
    /// There is no checkpoint.
    #[error("there is no checkpoint in {}", .0.display())]
    Nothing(PathBuf),
    /// None of the checkpoints can be used; each with what is wrong with it.
    #[error("no checkpoint in {} can be used: {}", .0.display(), .1.join("; "))]
    Useless(PathBuf, Vec<String>),
    /// Another program has the folder.
    #[error("another program uses the checkpoints in {}", .0.display())]
    InUse(PathBuf),
}

impl Failure {
    /// The bytes make no sense.
    pub fn damaged(what: impl Into<String>) -> Self {
        Self::Damaged(what.into())
    }

    /// It is good, and of no use here.
    pub fn unfit(why: impl Into<String>) -> Self {
        Self::Unfit(why.into())
    }

    pub(crate) fn system(doing: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |error| Self::System { doing, path, error }
    }
}
