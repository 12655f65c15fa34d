//! The answer to a goal.

use std::fmt;

/// Why a search stopped before it had an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StopReason {
    /// The next expansion would have passed the limit of nodes.
    Nodes,
    /// The time was over.
    Time,
    /// The memory was full, or what was given up for lack of memory left no way to an answer.
    Memory,
    /// Somebody asked it to stop.
    Interrupted,
    /// A method that is not complete came to an end, and what it found leans on repetitions that it cannot vouch for.
    Repetition,
}

/// The answer to "can the claimant get at least v?". Nothing turns `Unknown` into one of the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// Yes.
    Proven,
    /// No.
    Disproven,
    /// Not found out, and why.
    Unknown(StopReason),
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Nodes => "nodes",
            Self::Time => "time",
            Self::Memory => "memory",
            Self::Interrupted => "interrupted",
            Self::Repetition => "repetition",
        })
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Proven => "proven",
            Self::Disproven => "disproven",
            Self::Unknown(_) => "unknown",
        })
    }
}
