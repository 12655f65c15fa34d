//! Generalized proof-number search (Saffidine and Cazenave 2011): the exact value of a problem with many outcomes, in one
//! search and one tree.

mod arena;
mod collect;
mod effort;
mod keys;
mod nested;
mod numbers;
mod search;
mod solution;
#[cfg(test)]
mod tests;

pub use arena::QUESTIONS_MAX;
pub use nested::Gpn2;
pub use search::{Ends, Gpn, GpnMethod, GpnOptions};
pub use solution::Shown;
