//! The arguments of `quod analyze`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use quod_solver::{AnalyzeRequest, Limits, Request};

use crate::arguments::{parse_memory, parse_threads, parse_time};
use crate::drawing::parse_plot;

pub(crate) const ANALYZE_EXAMPLES: &str = "\
The score is a list of moves; move numbers (12.), a result at its end (1-0) and lines that begin with
'#' are passed over. Positions are solved from the last one backwards (Allis, van der Meulen and van
den Herik 1994, section 6.2). Every value is proven, and is that of the position itself: how often it
was on the board before does not count. 'Before' and 'after' are values for the player who moved;
'cost' is the difference, where it is known.

Exit status: 0 done (at the start, or where positions could not be solved), 3 stopped by Ctrl-C or
--total-time (what is proven is still printed), 2 bad input, 1 anything else.

Examples:
  quod analyze connect4:5x4 game.txt
  quod analyze connect4:4x4 --moves 1122334 --plot game.png
  quod analyze morris:3 game.txt --time 60s --total-time 10m --json";

#[derive(Args)]
pub(crate) struct AnalyzeOptions {
    /// The game, with parameters: tictactoe, connect4:7x6 ('quod games' lists them)
    pub(crate) game: String,
    /// The file with the score; '-' is standard input
    #[arg(required_unless_present = "moves")]
    pub(crate) file: Option<PathBuf>,
    /// The score itself, in place of a file
    #[arg(long, value_name = "TEXT", conflicts_with = "file")]
    pub(crate) moves: Option<String>,
    /// Where the game began, in its notation [default: the start]
    #[arg(long, value_name = "TEXT")]
    pub(crate) position: Option<String>,
    /// A folder with endgame databases of the game ('quod db build' makes them)
    #[arg(long, value_name = "DIR")]
    pub(crate) db: Option<PathBuf>,
    /// Print everything as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Draw the value over the game into this file, .svg or .png
    #[arg(long, value_name = "FILE", value_parser = parse_plot)]
    pub(crate) plot: Option<PathBuf>,

    /// Nodes for each position
    #[arg(long, value_name = "N", help_heading = "Limits")]
    nodes: Option<u64>,
    /// Time for each position, such as 90s or 5m [default: 10s, unless --nodes is given]
    #[arg(long, value_name = "TIME", value_parser = parse_time, help_heading = "Limits")]
    time: Option<Duration>,
    /// Search memory, such as 64MiB or 2GiB [default: three quarters of what is free]
    #[arg(long, value_name = "BYTES", value_parser = parse_memory, help_heading = "Limits")]
    memory: Option<u64>,
    /// Time for all positions together
    #[arg(long, value_name = "TIME", value_parser = parse_time, help_heading = "Limits")]
    total_time: Option<Duration>,
    /// Go no further back after so many positions in a row that were not solved
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = parse_unsolved, help_heading = "Limits")]
    pub(crate) unsolved: usize,
    /// Threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = parse_threads, help_heading = "Limits")]
    threads: Option<usize>,
}

/// The time for a position where no limit is named: an analysis has to come to an end.
const POSITION_TIME: Duration = Duration::from_secs(10);

impl AnalyzeOptions {
    pub(crate) fn limits(&self) -> Limits {
        let time = self.time.or_else(|| self.nodes.is_none().then_some(POSITION_TIME));
        Limits { nodes: self.nodes, memory: self.memory, time }
    }

    pub(crate) fn request(&self) -> AnalyzeRequest {
        AnalyzeRequest {
            request: Request { limits: self.limits(), threads: self.threads, ..Request::default() },
            total_time: self.total_time,
            unsolved_max: self.unsolved,
        }
    }
}

fn parse_unsolved(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|number| *number > 0).ok_or_else(|| "it is a number from 1 on".to_owned())
}
