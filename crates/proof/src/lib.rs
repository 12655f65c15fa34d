//! Solution trees and certificates.
//!
//! Every answer of every search is a solution tree: for the side that claims something one move where it
//! is to move, all moves where the opponent is. [`Strategy`] makes a positional strategy of what a search
//! knows, [`Certificate`] is that strategy as a file, and [`check`] judges it by the rules alone. Nothing
//! here knows a search, a table or a proof number.

mod certificate;
mod checker;
mod claim;
mod demonstration;
mod played;
mod solution;
mod solution_tree;
mod strategy;
#[cfg(feature = "testkit")]
pub mod testkit;
mod text;
mod traversal;

pub use certificate::{Certificate, CertificateError, CertificateFile, Chooser, Layout, Part, PartSummary};
pub use checker::{
    CheckError, Checked, CheckedClaim, check, check_bytes, check_demonstrating, check_leaning,
};
pub use claim::{Claim, Relation};
pub use demonstration::{Demonstration, Reply};
pub use solution::{NodeId, SolutionTree};
pub use solution_tree::{CriticalTree, NodeType, SearchTree, Side, Solution, by_definition};
pub use strategy::{Again, Context, Strategy, StrategyError};
pub use traversal::Refusal;
