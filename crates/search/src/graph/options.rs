//! The switches of the searches on graphs.

use quod_model::Evaluation;

use crate::backup::Backup;
use crate::pn::Order;

/// What is made of places that can be reached again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphMethod {
    /// Nothing: there are none. For cursors that join what cannot come again.
    Dag,
    /// The published method, not complete. For cursors that join everything.
    Dcg,
    /// Cycles are decided by fixed points. For cursors that join everything.
    Sound,
}

/// Which nodes are updated after an expansion, and in which order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphUpdates {
    /// All parents of changed nodes, one parent with all its ancestors after the other, as published.
    Early,
    /// The same, of unchanged nodes too.
    Full,
    /// All parents of changed nodes, in a queue: each once, where all paths to a node have the same length.
    Queue,
}

/// The switches of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GraphOptions {
    /// What is made of places that can be reached again.
    pub method: GraphMethod,
    /// When nodes are judged.
    pub evaluation: Evaluation,
    /// How numbers that must all fall make one.
    pub backup: Backup,
    /// Which nodes are updated; the sound method updates its path.
    pub updates: GraphUpdates,
    /// The order of children.
    pub order: Order,
    /// Whether solved parts that nothing open leads to are dropped when memory is full.
    pub drop_solved: bool,
    /// Whether nodes that took little work go back to being leaves when memory is full.
    pub fold_back: bool,
    /// Whether new children of one key stay apart, as in the experiment of Schijf's appendix A.
    pub siblings_apart: bool,
}

impl GraphOptions {
    /// A method with its defaults.
    #[must_use]
    pub fn new(method: GraphMethod) -> Self {
        Self {
            method,
            evaluation: Evaluation::Immediate,
            backup: Backup::Sum,
            updates: if method == GraphMethod::Dcg { GraphUpdates::Early } else { GraphUpdates::Queue },
            order: Order::Generated,
            drop_solved: false,
            fold_back: false,
            siblings_apart: false,
        }
    }

    /// Whether a graph may have lost parts of its solution.
    #[must_use]
    pub fn deletes(&self) -> bool {
        self.drop_solved || self.fold_back
    }
}
