//! A file for each slice. docs/formats/database.md says what every byte means.

mod head;
mod read;
mod summary;
mod write;

use std::path::{Path, PathBuf};

pub use head::Form;
pub(crate) use head::Head;
pub use read::SliceFile;
pub(crate) use read::rules_text;
pub use summary::Summary;
pub(crate) use summary::Summing;
pub(crate) use write::{Source, write};

/// The name of a slice's file.
pub(crate) fn name(slice: u32) -> String {
    format!("slice-{slice:03}.quoddb")
}

pub(crate) fn path(dir: &Path, slice: u32) -> PathBuf {
    dir.join(name(slice))
}
