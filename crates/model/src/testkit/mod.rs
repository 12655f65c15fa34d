//! What tests of games and searches need: laws that every game keeps, small game graphs as text and at
//! random, and the truth about them by exhaustive fixed point.

mod graph;
mod laws;
mod layers;
mod mirrored;
mod numbering;
mod random;
mod threats;
mod truth;

pub use graph::Graph;
pub use laws::{Laws, check_foreseen, check_move, check_pointing, check_position, perft};
pub use layers::Layers;
pub use mirrored::Mirrored;
pub use random::{random_cyclic, random_dag, random_dag_of, random_maze, random_tree, random_tree_of};
pub use threats::Lines;
pub use truth::Truth;
