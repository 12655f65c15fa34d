//! The arguments of `quod play`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use quod_solver::PlayStyle;

use crate::arguments::{parse_memory, parse_threads, parse_time};

pub(crate) const PLAY_EXAMPLES: &str = "\
On your turn type a move, or: hint, undo, moves, resign, quit, help. The program searches by
alpha-beta; proof-number search vetoes moves that lose for certain and finds wins (Allis, van der
Meulen and van den Herik 1994, section 7.3), also in your time. What is called proven is; scores and
depths are opinions. A position that is there for the third time ends the game as endless play does.

A match is played by the program as it is against itself without proof-number search, in pairs of
games with sides exchanged, from random openings. Its mean counts 1 for a win and 1/2 for a draw.

Exit status: 0 the game or match is over (or you left), 3 interrupted, 2 bad input, 1 anything else.

Examples:
  quod play connect4 --side second --time 2s
  quod play awari --game-time 10m --sheet game.txt && quod analyze awari game.txt
  quod play morris:6 --self --nodes 20000
  quod play awari --match 100 --against no-pn --time 50ms --db awari-db";

#[derive(Args)]
pub(crate) struct PlayOptions {
    /// The game, with parameters: tictactoe, connect4:7x6 ('quod games' lists them)
    pub(crate) game: String,
    /// Your side
    #[arg(long, value_enum, default_value_t = Side::First)]
    pub(crate) side: Side,
    /// The program plays both sides
    #[arg(long = "self")]
    pub(crate) itself: bool,
    /// Where play begins, in the game's notation [default: the start]
    #[arg(long, value_name = "TEXT")]
    pub(crate) position: Option<String>,
    /// Moves to play first, from the start or from --position
    #[arg(long, value_name = "MOVES")]
    pub(crate) moves: Option<String>,
    /// Write the score of the game to this file, after every move
    #[arg(long, value_name = "FILE", conflicts_with = "games")]
    pub(crate) sheet: Option<PathBuf>,

    /// Time for each move of the program, such as 5s or 200ms [default: 5s; of a match 100ms]
    #[arg(long, value_name = "TIME", value_parser = parse_time, help_heading = PLAYER)]
    time: Option<Duration>,
    /// Time for all moves of one side, such as 10m
    #[arg(long, value_name = "TIME", value_parser = parse_time, conflicts_with_all = ["time", "games"], help_heading = PLAYER)]
    pub(crate) game_time: Option<Duration>,
    /// Nodes for each move: the same moves every time, and no thinking in your time
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "game_time", help_heading = PLAYER)]
    nodes: Option<u64>,
    /// Memory for what the program remembers of positions, such as 64MiB [default: 64MiB for each player]
    #[arg(long, value_name = "BYTES", value_parser = parse_memory, help_heading = PLAYER)]
    memory: Option<u64>,
    /// A folder with endgame databases of the game ('quod db build' makes them)
    #[arg(long, value_name = "DIR", help_heading = PLAYER)]
    pub(crate) db: Option<PathBuf>,
    /// Without proof-number search: alpha-beta alone
    #[arg(long, conflicts_with = "games", help_heading = PLAYER)]
    no_pn: bool,
    /// Without thinking in your time
    #[arg(long, help_heading = PLAYER)]
    no_ponder: bool,

    /// Play a match of so many games, an even number
    #[arg(id = "games", long = "match", value_name = "N", value_parser = parse_games, requires = "against", conflicts_with = "itself", help_heading = MATCH)]
    pub(crate) games: Option<usize>,
    /// Against whom: the same player without proof-number search
    #[arg(long, value_enum, requires = "games", help_heading = MATCH)]
    pub(crate) against: Option<Against>,
    /// Where chance begins
    #[arg(long, value_name = "SEED", default_value_t = 1, help_heading = MATCH)]
    pub(crate) seed: u64,
    /// Random moves before the players begin
    #[arg(long, value_name = "N", default_value_t = 8, help_heading = MATCH)]
    pub(crate) opening_plies: usize,
    /// Games that are played at once, each with one more thread if proofs go on in the opponent's time
    #[arg(long, value_name = "N", default_value = "1", value_parser = parse_threads, help_heading = MATCH)]
    pub(crate) threads: usize,
    /// Print the result of the match as one JSON object
    #[arg(long, requires = "games", help_heading = MATCH)]
    pub(crate) json: bool,
}

const PLAYER: &str = "The player";
const MATCH: &str = "Matches";

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Side {
    /// You move first
    First,
    /// You move second
    Second,
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Against {
    /// The same player without proof-number search
    NoPn,
}

impl PlayOptions {
    pub(crate) fn style(&self) -> PlayStyle {
        let usual = if self.games.is_some() { Duration::from_millis(100) } else { Duration::from_secs(5) };
        let time = self.time.or_else(|| self.nodes.is_none().then_some(usual));
        let table_bytes = self.memory.unwrap_or(PlayStyle::default().table_bytes);
        PlayStyle { time, nodes: self.nodes, proofs: !self.no_pn, table_bytes }
    }

    /// Whether the program thinks in the time of the person.
    pub(crate) fn ponders(&self) -> bool {
        !self.no_ponder && !self.no_pn && self.nodes.is_none()
    }
}

fn parse_games(text: &str) -> Result<usize, String> {
    let even = |games: &usize| *games > 0 && games.is_multiple_of(2);
    text.parse()
        .ok()
        .filter(even)
        .ok_or_else(|| "it is an even number such as 100: from every opening two games are played".to_owned())
}
