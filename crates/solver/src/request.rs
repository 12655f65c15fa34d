//! What is asked for.

use std::time::Duration;

use quod_model::{Evaluation, InputError};

pub use quod_search::{Backup, Deletion, Ends, Epsilon, Many, Order, SecondLevel, TableKind};

use crate::length::Length;

/// When nodes are judged.
pub type Evaluate = Evaluation;

/// What to find out, for the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Aim {
    /// The exact value.
    #[default]
    Value,
    /// Whether the value is at least this.
    AtLeast(i32),
}

impl std::str::FromStr for Aim {
    type Err = InputError;

    /// `value`, `win`, `draw` or `>=N`.
    fn from_str(text: &str) -> Result<Self, InputError> {
        let number = |text: &str| text.trim().parse().ok().filter(|n: &i32| n.unsigned_abs() < 1 << 30);
        match text {
            "value" => Ok(Self::Value),
            "win" => Ok(Self::AtLeast(1)),
            "draw" => Ok(Self::AtLeast(0)),
            _ => text.strip_prefix(">=").and_then(number).map(Self::AtLeast).ok_or_else(|| {
                InputError::new("goal", text, "it is not understood")
                    .hint("value, win, draw (at least a draw), or '>=N' such as '>=3'")
            }),
        }
    }
}

impl std::fmt::Display for Aim {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Value => f.write_str("value"),
            Self::AtLeast(1) => f.write_str("win"),
            Self::AtLeast(0) => f.write_str("draw"),
            Self::AtLeast(value) => write!(f, ">={value}"),
        }
    }
}

/// Which search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Algorithm {
    /// Chosen for the problem; the report says why.
    #[default]
    Auto,
    /// Proof-number search on trees, as published.
    Pn,
    /// Proof-number search of two levels: time for memory.
    Pn2,
    /// Proof-number search on acyclic graphs, as published: equal positions are one, where they cannot come again.
    PnDag,
    /// Proof-number search on cyclic graphs, as published. Not complete: what it cannot vouch for is unknown.
    PnDcg,
    /// Proof-number search on graphs of all kinds, never wrong and complete.
    PnGraph,
    /// Generalized proof-number search on trees, as published: all outcomes in one search.
    Gpn,
    /// Generalized proof-number search on acyclic graphs.
    GpnDag,
    /// Generalized proof-number search of two levels.
    Gpn2,
    /// All outcomes in one search, one question at a time, on trees.
    Mopn,
    /// The same on acyclic graphs.
    MopnDag,
    /// Depth-first proof-number search on a table that forgets.
    Dfpn,
    /// A tree of proof-number search on top, whose leaves are jobs for depth-first search.
    PnDfpn,
    /// Its older relative with thresholds of proof numbers alone.
    PnStar,
    /// Its older relative with thresholds that grow by one.
    Pds,
    /// Alpha-beta.
    AlphaBeta,
    /// Alpha-beta with iterative deepening and a transposition table.
    AlphaBetaTt,
    /// Plain minimax.
    Brute,
    /// Null windows from a guess, each at the bound that the last found, on a table of bounds: MTD(f).
    Mtdf,
    /// Null windows that halve what is left.
    NegacStar,
    /// Null windows from a guess towards the value.
    Nws,
    /// Principal variation search.
    Pvs,
    /// Values without windows, and tests.
    Scout,
    /// SSS* as a series of null-window searches.
    Sss2,
    /// Best first by upper bounds.
    SssStar,
}

impl Algorithm {
    /// All of them, the choice of one first.
    pub const ALL: [Self; 25] = [
        Self::Auto,
        Self::Pn,
        Self::Pn2,
        Self::PnDag,
        Self::PnDcg,
        Self::PnGraph,
        Self::Gpn,
        Self::GpnDag,
        Self::Gpn2,
        Self::Mopn,
        Self::MopnDag,
        Self::Dfpn,
        Self::PnDfpn,
        Self::PnStar,
        Self::Pds,
        Self::AlphaBeta,
        Self::AlphaBetaTt,
        Self::Brute,
        Self::Mtdf,
        Self::NegacStar,
        Self::Nws,
        Self::Pvs,
        Self::Scout,
        Self::Sss2,
        Self::SssStar,
    ];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Pn => "pn",
            Self::Pn2 => "pn2",
            Self::PnDag => "pn-dag",
            Self::PnDcg => "pn-dcg",
            Self::PnGraph => "pn-graph",
            Self::Gpn => "gpn",
            Self::GpnDag => "gpn-dag",
            Self::Gpn2 => "gpn2",
            Self::Mopn => "mopn",
            Self::MopnDag => "mopn-dag",
            Self::Dfpn => "dfpn",
            Self::PnDfpn => "pn-dfpn",
            Self::PnStar => "pn-star",
            Self::Pds => "pds",
            Self::AlphaBeta => "alphabeta",
            Self::AlphaBetaTt => "alphabeta-tt",
            Self::Brute => "brute",
            Self::Mtdf => "mtdf",
            Self::NegacStar => "negac-star",
            Self::Nws => "nws",
            Self::Pvs => "pvs",
            Self::Scout => "scout",
            Self::Sss2 => "sss2",
            Self::SssStar => "sss-star",
        }
    }

    /// Whether it holds a tree or graph that can be looked into.
    #[must_use]
    pub fn holds_a_tree(self) -> bool {
        self.is_for_values()
            || matches!(self, Self::Pn | Self::Pn2 | Self::PnDag | Self::PnDcg | Self::PnGraph)
    }

    /// Whether it searches for all outcomes at once.
    pub(crate) fn is_for_values(self) -> bool {
        matches!(self, Self::Gpn | Self::GpnDag | Self::Gpn2 | Self::Mopn | Self::MopnDag)
    }

    /// Whether it joins equal positions only where they cannot come again.
    pub(crate) fn is_acyclic(self) -> bool {
        matches!(self, Self::PnDag | Self::GpnDag | Self::MopnDag)
    }
}

/// Which nodes are updated after an expansion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Update {
    /// Ancestors, up to the first that does not change.
    Early,
    /// All ancestors.
    Full,
    /// In a graph, ancestors up to those that do not change, in a queue that holds each once.
    Queue,
}

/// A published experiment whose conventions are followed where they decide counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compat {
    /// Schijf 1993, appendix A: children of one expansion are not joined with each other.
    Schijf1993,
    /// Allis, van der Meulen and van den Herik 1994: the game as their program saw it, with what it did differently from the
    /// rules. Nothing that is found so is claimed.
    Allis1994,
    /// Breuker, Allis and van den Herik 1994, and Schijf 1993, section 5.5: mates with the order of moves that their program
    /// seems to have had. Nothing that is found so is claimed.
    Breuker1994,
}

impl Compat {
    /// Its name in requests.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Schijf1993 => "schijf1993",
            Self::Allis1994 => "allis1994",
            Self::Breuker1994 => "breuker1994",
        }
    }
}

/// Where the numbers of unsolved leaves come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Init {
    /// 1 and 1.
    One,
    /// 1 and the number of legal moves.
    Mobility,
    /// The game's own guess.
    Guess,
}

/// The switches of a search. What is not said is the algorithm's default.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Switches {
    /// Numbers of unsolved leaves.
    pub init: Option<Init>,
    /// When nodes are judged.
    pub evaluate: Option<Evaluate>,
    /// When solved subtrees are deleted.
    pub delete_solved: Option<Deletion>,
    /// Whether least-proving leaves are given up when memory is full.
    pub delete_least_proving: bool,
    /// How far up numbers are updated.
    pub update: Option<Update>,
    /// Which thresholds are asked about on the way to an exact value.
    pub many: Option<Many>,
    /// The order of children.
    pub order: Option<Order>,
    /// Whether moves come in the stages of the game.
    pub stages: bool,
    /// Whether lines of threats are looked for.
    pub threats: bool,
    /// How numbers that must all fall make one.
    pub backup: Option<Backup>,
    /// Whether symmetric positions are joined.
    pub symmetry: Option<bool>,
    /// Whose conventions are followed.
    pub compat: Option<Compat>,
    /// How large the second of two levels may become.
    pub second_level: Option<SecondLevel>,
    /// Whether every line of play is known to end.
    pub ends: Option<Ends>,
    /// Whether what cannot matter at the root any more is removed.
    pub prune: Option<bool>,
    /// How much more than the second-best child the best one may cost before a depth-first search turns away from it.
    pub epsilon: Option<Epsilon>,
    /// Whether it stays with a child until that costs so much more than the best one.
    pub hysteresis: bool,
    /// What every edge costs in a depth-first search.
    pub edge_cost: Option<u32>,
    /// Whether alpha-beta deepens by one ply after the other.
    pub deepen: bool,
    /// Which transposition table alpha-beta has.
    pub table: Option<TableKind>,
    /// How many positions it holds.
    pub entries: Option<u64>,
}

/// How far it may go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Nodes created.
    pub nodes: Option<u64>,
    /// Bytes of search memory; three quarters of what is free if nothing is said.
    pub memory: Option<u64>,
    /// Time.
    pub time: Option<Duration>,
}

/// What is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Request {
    /// What to find out.
    pub aim: Aim,
    /// Which search.
    pub algorithm: Algorithm,
    /// Its switches.
    pub switches: Switches,
    /// How far it may go.
    pub limits: Limits,
    /// How many threads search, at least one; if nothing is said, all cores for [`Algorithm::Auto`] and one for the others.
    pub threads: Option<usize>,
    /// Whether a certificate is wanted.
    pub certificate: bool,
    /// How long a win may be, where a goal is asked about.
    pub length: Length,
}

impl Request {
    /// The limit of memory in bytes.
    pub(crate) fn memory(&self) -> u64 {
        self.limits.memory.unwrap_or_else(crate::memory::three_quarters_free)
    }
}
