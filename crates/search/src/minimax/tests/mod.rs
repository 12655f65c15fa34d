//! The theory of solution trees on random trees, and the searches against it.

mod figures;
mod mtdf;
mod plain;
mod searches;
mod surpassing;
mod theory;
