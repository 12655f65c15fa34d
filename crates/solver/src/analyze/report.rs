//! What a post-mortem has found out, as plain data.

use quod_model::{Notation, Player, Relative, Value};
use serde::Serialize;

use crate::report::Stop;

/// What is proven of a value, for the player who made or makes the move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Range {
    /// The exact value, if it is known.
    pub value: Option<i32>,
    /// It is at least this.
    pub lower: i32,
    /// It is at most this.
    pub upper: i32,
    /// The same in the game's words: `draw`, `>= draw`, `?`.
    pub text: String,
}

impl Range {
    pub(super) fn new<G: Notation>(game: &G, bounds: (Value, Value), player: Player) -> Self {
        let (lower, upper) = Value::range_seen_by(bounds, player);
        let (lowest, highest) = Value::range_seen_by(game.values(), player);
        let text = |value: Relative| game.value_text(value);
        let words = match (lower == lowest, upper == highest) {
            _ if lower == upper => text(lower),
            (true, true) => "?".to_owned(),
            (false, true) => format!(">= {}", text(lower)),
            (true, false) => format!("<= {}", text(upper)),
            (false, false) => format!("{} to {}", text(lower), text(upper)),
        };
        let value = (lower == upper).then_some(lower.0);
        Self { value, lower: lower.0, upper: upper.0, text: words }
    }
}

/// Whether a move was as good as any.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Judgement {
    /// No move gets more.
    Best,
    /// Another move gets more.
    Mistake,
    /// Not found out.
    Unknown,
}

/// A move of the game and what is proven about it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AnalyzedMove {
    /// Its place in the game, from 1.
    pub ply: usize,
    /// Its number in a score sheet: two moves have one.
    pub number: usize,
    /// Whether First has made it.
    pub by_first: bool,
    /// The name of the player who has made it.
    pub mover: &'static str,
    /// The move.
    #[serde(rename = "move")]
    pub text: String,
    /// The position before it.
    pub position: String,
    /// The value before it, for its mover.
    pub before: Range,
    /// The value after it, for its mover.
    pub after: Range,
    /// Whether it was a mistake.
    pub judgement: Judgement,
    /// It has cost at least this much.
    pub cost_least: i32,
    /// And at most this much.
    pub cost_most: i32,
    /// A move that gets more, if it was a mistake.
    pub best_move: Option<String>,
    /// Positions that were generated to find that out.
    pub nodes: u64,
    /// How long it took.
    pub seconds: f64,
    /// Why the search of the position before it has ended; nothing if the analysis did not come to it.
    pub stop: Option<Stop>,
}

/// Where the game has ended.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LastPosition {
    /// The position.
    pub position: String,
    /// The name of the player to move there.
    pub to_move: &'static str,
    /// Whether the game is over there.
    pub over: bool,
    /// Its value, for the player to move.
    pub value: Range,
    /// Positions that were generated to find that out.
    pub nodes: u64,
    /// How long it took.
    pub seconds: f64,
    /// Why its search has ended; nothing if it did not begin.
    pub stop: Option<Stop>,
}

/// What a player has given away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Mistakes {
    /// The name of the player.
    pub player: &'static str,
    /// How many moves were mistakes for certain.
    pub mistakes: usize,
    /// What they have cost together, at least.
    pub cost_least: i64,
    /// How many moves are not judged.
    pub unknown: usize,
}

/// Why an analysis has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum AnalysisEnd {
    /// It came to the start of the game.
    Start,
    /// Too many positions in a row were not solved.
    Unsolved,
    /// The time for all of it was over.
    Time,
    /// Somebody asked it to stop.
    Interrupted,
}

/// A game with the values of its positions, as far back as they are proven.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Analysis {
    /// The text that names the game.
    pub game: String,
    /// Where it began.
    pub start: String,
    /// The smallest and the largest value that there is.
    pub values: (i32, i32),
    /// The names of First and Second.
    pub players: [&'static str; 2],
    /// Its moves.
    pub moves: Vec<AnalyzedMove>,
    /// Where it ended.
    pub last: LastPosition,
    /// The first ply from whose position on every value is known exactly, the last position being the ply after the last.
    pub solved_from: Option<usize>,
    /// How many of the positions have exact values, the last one included.
    pub solved: usize,
    /// What First and Second have given away.
    pub mistakes: [Mistakes; 2],
    /// Why it has ended.
    pub end: AnalysisEnd,
    /// Positions generated in all.
    pub nodes: u64,
    /// How long it took.
    pub seconds: f64,
}
