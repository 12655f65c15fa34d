//! Searches for a value that go by windows and merits instead of numbers: alpha-beta and its relatives, SSS* and SSS-2. All of them build
//! solution trees (de Bruin, Pijls, Plaat, *Solution trees as a basis for game tree search*), and hand them over. MTD(f) is the
//! strongest of them: it keeps bounds in a table, and what it shows is read off that.

mod calls;
mod engine;
mod frame;
mod looks;
mod mtdf;
mod null_window;
mod open_list;
mod order;
mod play;
mod rule;
mod solutions;
mod sss2;
mod sss_star;
mod table;
#[cfg(test)]
mod tests;
mod tree;
mod windows;

pub use engine::Keep;
pub use mtdf::{BoundsTable, Mtdf, seen_at_a_glance};
pub use play::{PlaySearch, PlayTable, Proposal, Thinking};
pub use sss_star::SssStar;
pub use sss2::Sss2;
pub use table::{TableKind, TableOptions};
pub use windows::{WindowMethod, WindowOptions, WindowSearch};
