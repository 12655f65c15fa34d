//! The searches of Quod. They drive [`quod_model::AndOr`] cursors and know no game.
//!
//! Every search is a value with `advance(budget)`: no recursion, no clock, no signals, no printing
//! inside. Between two calls it can be stopped, looked into and asked for what it knows.
//!
//! ```
//! use quod_model::{Game, Goal, GoalCursor, LeafNumbers, Player, Relative, Verdict};
//! use quod_model::testkit::Graph;
//! use quod_search::{Budget, Pn, PnOptions, Progress, Search};
//!
//! let game: Graph = "a max: b c\n b = 0\n c min: d e\n d = 1\n e = 1".parse().unwrap();
//! let goal = Goal::new(Player::First, Relative(1));
//! let cursor = GoalCursor::new(&game, game.start(), goal, LeafNumbers::One);
//! let mut search = Pn::new(cursor, PnOptions::default(), 1 << 20);
//! assert_eq!(search.advance(Budget::UNLIMITED), Progress::Done(Verdict::Proven));
//! assert_eq!(search.counters().expansions, 2);
//! ```

mod backup;
mod blocks;
mod dfpn;
pub mod exact;
mod gpn;
mod graph;
mod index;
mod least_proving;
mod limits;
mod many;
mod minimax;
mod pages;
mod pn;
mod pn2;
mod saved;
mod second_level;
mod table;
mod top_tree;
mod tree;
mod view;

pub use backup::Backup;
pub use dfpn::{Dfpn, DfpnOptions, Epsilon, SharedTable, Thresholds};
pub use gpn::{Ends, Gpn, Gpn2, GpnMethod, GpnOptions, QUESTIONS_MAX, Shown};
pub use graph::{EDGE_BYTES, GRAPH_NODE_BYTES, Graph, GraphMethod, GraphOptions, GraphPn, GraphUpdates};
pub use limits::{Budget, Counters, DepthFirst, Progress, Search, Solved, Standing};
pub use many::{Interval, Many, Series};
pub use minimax::{
    BoundsTable, Keep, Mtdf, PlaySearch, PlayTable, Proposal, Sss2, SssStar, TableKind, TableOptions,
    Thinking, WindowMethod, WindowOptions, WindowSearch, seen_at_a_glance,
};
pub use pn::{Deletion, Order, Pn, PnOptions, Updates};
pub use pn2::Pn2;
pub use saved::Restore;
pub use second_level::SecondLevel;
pub use table::QUESTION_MOST;
pub use top_tree::{Job, Pair, TopChild, TopTree};
pub use tree::{NODE_BYTES, Tree};
pub use view::{Seen, Step, View};
