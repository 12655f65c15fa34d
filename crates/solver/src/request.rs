//! What is asked for.

use std::time::Duration;

use quod_model::{Evaluation, InputError};
use quod_search::PnOptions;

pub use quod_search::{Deletion, Many, Order, Updates as Update};

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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// What to find out.
    pub aim: Aim,
    /// Which search.
    pub algorithm: Algorithm,
    /// Its switches.
    pub switches: Switches,
    /// How far it may go.
    pub limits: Limits,
    /// Whether a certificate is wanted.
    pub certificate: bool,
}

/// A request with everything decided.
pub(crate) struct Plan {
    pub(crate) name: &'static str,
    pub(crate) why: Option<&'static str>,
    pub(crate) init: Init,
    pub(crate) pn: PnOptions,
    pub(crate) many: Many,
}

impl Request {
    /// Decides what is left open; `guesses` says whether the game has leaf numbers of its own.
    pub(crate) fn plan(&self, guesses: bool) -> Result<Plan, InputError> {
        let switches = self.switches;
        match self.algorithm {
            Algorithm::Auto => {
                if switches != Switches::default() {
                    return Err(InputError::new("algorithm", "auto", "it chooses its switches itself")
                        .hint("name the algorithm that the switches are for: --algorithm pn"));
                }
                Ok(Plan {
                    name: "pn",
                    why: Some(if guesses {
                        "proof-number search on the tree, with the game's own leaf numbers"
                    } else {
                        "proof-number search on the tree, with mobility as leaf numbers"
                    }),
                    init: if guesses { Init::Guess } else { Init::Mobility },
                    pn: PnOptions { delete_solved: Deletion::WhenFull, ..PnOptions::default() },
                    many: Many::Binary,
                })
            }
            Algorithm::Pn => Ok(Plan {
                name: "pn",
                why: None,
                init: switches.init.unwrap_or(Init::One),
                pn: PnOptions {
                    evaluation: switches.evaluate.unwrap_or(Evaluate::Immediate),
                    delete_solved: switches.delete_solved.unwrap_or(Deletion::Never),
                    delete_least_proving: switches.delete_least_proving,
                    updates: switches.update.unwrap_or(Update::Early),
                    order: switches.order.unwrap_or(Order::Generated),
                },
                many: switches.many.unwrap_or(Many::Binary),
            }),
        }
    }

    /// The limit of memory in bytes.
    pub(crate) fn memory(&self) -> u64 {
        self.limits.memory.unwrap_or_else(crate::memory::three_quarters_free)
    }
}
