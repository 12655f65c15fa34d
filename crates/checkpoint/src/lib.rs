//! Checkpoints: what long work holds, in files that survive a crash or say that they have not.
//!
//! A file is a series of frames, each with a checksum, so that nothing is handed out that was not checked. It is written
//! to the side, flushed, and takes its name when it is complete; the one before it stays. This crate knows neither searches
//! nor games: whoever has a state writes it item by item and reads it back in the same order. docs/formats/checkpoint.md has the
//! format.

mod failure;
mod folder;
mod frames;
mod reader;
mod writer;

pub use failure::Failure;
pub use folder::{Folder, Found, Taken};
pub use reader::Reader;
pub use writer::Writer;

/// What can be written as it lies in memory, and read back.
pub trait Plain: zerocopy::FromBytes + zerocopy::IntoBytes + zerocopy::Immutable + Copy {}

impl<T: zerocopy::FromBytes + zerocopy::IntoBytes + zerocopy::Immutable + Copy> Plain for T {}

/// Something that can be written into a checkpoint.
pub trait State {
    /// Writes all that is needed to go on from here.
    ///
    /// # Errors
    /// If the file cannot be written.
    fn write(&self, to: &mut Writer<'_>) -> std::io::Result<()>;
}
