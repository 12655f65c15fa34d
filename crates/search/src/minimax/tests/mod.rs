//! The theory of solution trees on random trees, and the searches against it.

mod figures;
mod plain;
mod searches;
mod surpassing;
mod theory;
