//! The one door to Quod. A [`Request`] and a [`Report`] are plain data; clocks, limits, memory and
//! certificates are handled here, so that searches need not know them and front ends need not know searches.
//!
//! ```
//! use quod_solver::{Request, games};
//!
//! let game = games().open("tictactoe").unwrap();
//! let solution = game.solve(&Default::default(), &Request::default(), &mut ()).unwrap();
//! assert_eq!(solution.report.value, Some(0));
//! ```

mod bounds;
mod certify;
mod compare;
mod depth_first;
mod door;
mod drive;
mod jobs;
mod line;
mod memory;
mod places;
mod report;
mod reproduce;
mod request;
mod run;
mod solve;
mod table;
mod team;

pub use compare::{
    Certified, Class, Comparison, Contradiction, Reduction, Row, Run, Summary, class_of, tree_size,
};
pub use door::{Door, Doors, Games, Located, Place, games};
pub use drive::{Phase, Snapshot, Watch};
pub use report::{Report, Solution, Stop};
pub use reproduce::{Cell, Table, tables};
pub use request::{
    Aim, Algorithm, Backup, Compat, Deletion, Ends, Epsilon, Evaluate, Init, Limits, Many, Order, Request,
    SecondLevel, Switches, TableKind, Update,
};
pub use solve::solve;

pub use quod_model::{Description, InputError};
pub use quod_proof::{
    Certificate, CertificateError, CertificateFile, CheckError, Checked, CheckedClaim, Claim,
};
pub use quod_search::{DepthFirst, EDGE_BYTES};
