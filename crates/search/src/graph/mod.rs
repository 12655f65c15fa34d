//! Proof-number search on graphs (Schijf 1993): equal positions are one node.
//!
//! Three methods share the graph. `Dag` is the practical algorithm of section 4.4, for problems in which no place can
//! come again. `Dcg` is the practical algorithm of section 5.4 as published; what it cannot vouch for stays unknown.
//! `Sound` is ours: the same idea, and never wrong.

mod arena;
mod collect;
mod fold;
mod options;
mod saved;
mod search;
mod solution;
mod status;

pub use arena::{EDGE_BYTES, GRAPH_NODE_BYTES, Graph};
pub use options::{GraphMethod, GraphOptions, GraphUpdates};
pub use search::GraphPn;
