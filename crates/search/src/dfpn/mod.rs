//! Depth-first proof-number search on a table that forgets (Nagai 2002), with its older relatives PN* and PDS.
//!
//! The search keeps a path. Below each place it stays while a most-proving node is certainly there: two thresholds say when to
//! leave. What it has left stands in a table, where the next visit finds it again, or not: then it is searched again. A
//! child's numbers are those that the visit returned, never those that the table still has of it, so that a full table
//! costs time and nothing else.
//!
//! Where places can come again, answers may lean on the path. Every answer carries the depth of the highest place of the
//! path whose repetition it assumes; only those that assume nothing above the place itself become facts of the
//! table, the others stay in a table of their own under the whole path.

mod frame;
mod options;
mod saved;
mod search;
mod shared;
mod sources;
#[cfg(test)]
mod tests;

pub use options::{DfpnOptions, Epsilon, Thresholds};
pub use search::Dfpn;
pub use shared::SharedTable;
