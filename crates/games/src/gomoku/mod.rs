//! Go-Moku on a square board of any size up to twenty.

mod cells;

pub use cells::Cells;
