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

mod analyze;
mod bounds;
mod certify;
mod compare;
mod databases;
mod depth_first;
mod door;
mod drive;
mod explore;
mod goal;
mod jobs;
mod keep;
mod length;
mod line;
mod lines;
mod longest;
mod memory;
mod opening;
mod places;
mod plan;
mod play;
mod positional;
mod published;
mod report;
mod reproduce;
mod request;
mod run;
mod solve;
mod suite;
mod table;
mod team;

pub use analyze::{
    Analysis, AnalysisEnd, AnalyzeRequest, AnalyzedMove, Follow, Judgement, LastPosition, Mistakes, Range,
    analyze,
};
pub use compare::{
    Certified, Class, Comparison, Contradiction, Reduction, Row, Run, Summary, class_of, tree_size,
};
pub use databases::{DatabaseError, DatabaseRequest, Probed, slices_in};
pub use door::{Door, Doors, Games, Located, Place, games};
pub use drive::{Look, Phase, Snapshot, Watch};
pub use explore::{
    FollowValues, KeptTree, MoveValue, NodeState, Played, Proof, Scene, SceneMove, TreeRow, Unfold, Unfolded,
};
pub use keep::{Keeping, Notice, label_of};
pub use length::{Length, Plies};
pub use memory::three_quarters_free;
pub use play::{Certainty, Chosen, ContestRequest, GameEnd, PlayStyle, Playing, Tally};
pub use report::{CheckpointCounts, LeansOn, OpeningStanding, Report, Solution, Stop};
pub use reproduce::{Cell, Measuring, Positions, Table, tables};
pub use request::{
    Aim, Algorithm, Backup, Compat, Deletion, Ends, Epsilon, Evaluate, Init, Limits, Many, Order, Request,
    SecondLevel, Switches, TableKind, Update,
};
pub use solve::{solve, solve_keeping, solve_leaning};
pub use suite::{Problem, SuiteProgress, SuiteRow, WatchSuite, read_suite, solve_suite};

pub use quod_endgame::{
    Built, Checkpoints as DatabaseCheckpoints, Error as EndgameError, Event as DatabaseEvent, Form,
    Notice as DatabaseNotice, Plan, Progress as DatabaseProgress, SliceFile, Summary as SliceSummary,
    Watch as DatabaseWatch,
};
pub use quod_model::{
    Area, Board, Citation, Description, Ink, InputError, ManKind, Numbers, Player, Pointing, Shape, Spot,
};
pub use quod_proof::{
    Certificate, CertificateError, CertificateFile, CheckError, Checked, CheckedClaim, Claim,
};
pub use quod_search::{DepthFirst, EDGE_BYTES, View};
