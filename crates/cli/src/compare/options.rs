//! The arguments of `quod compare`.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use quod_solver::{Algorithm, Limits};

use crate::arguments::{AlgorithmName, parse_memory, parse_threads, parse_time};
use crate::drawing::parse_plot;

pub(crate) const COMPARE_EXAMPLES: &str = "\
Runs go one after the other, so that times can be compared. A run that stops at a limit is shown as
>N and takes no part in averages. Classes are those of figure 13 of Allis, van der Meulen and van
den Herik 1994: class n has the positions whose standard tree has 2^3n to 2^3(n+1) nodes; the table
has log2 of the standard's average size divided by the other's, the plot the same as a factor.

--json prints one object: game, goal, algorithms, standard; runs (an array: every run is a report as
of quod solve --json, with number and moves of its position, named (the algorithm as it was named),
tree_size and certified); summaries and classes as in the tables; contradictions; files.
--csv has a line for every run, with the same names.

Every search has its default switches: mtdf sees what the game foresees, alphabeta-tt orders moves by
the game's leaf numbers, most others know the rules alone.

Exit status: 0 compared (also where runs stopped at limits), 1 two searches contradict each other or
a certificate was refused, 2 bad input, 3 interrupted or a certificate is missing.

Examples:
  quod compare connect4:5x4 --algorithms pn,gpn,dfpn
  quod compare morris:3 --random 50 --seed 7 --goal win --csv three.csv
  quod compare tictactoe --positions games.txt --standard pn --plot ttt.svg --certify";

#[derive(Args)]
pub(crate) struct CompareOptions {
    /// The game, with parameters: tictactoe, connect4:7x6 ('quod games' lists them)
    pub(crate) game: String,
    /// A folder with endgame databases of the game ('quod db build' makes them), for all searches
    #[arg(long, value_name = "DIR")]
    pub(crate) db: Option<PathBuf>,
    /// The searches, with commas between, named as in 'quod solve --algorithm' [default: pn, pn-graph, gpn, mopn and
    /// dfpn, as far as they suit the game]
    #[arg(long, value_enum, value_delimiter = ',', value_name = "NAMES", hide_possible_values = true)]
    algorithms: Vec<AlgorithmName>,
    /// The search that the others are compared with [default: the first]
    #[arg(long, value_enum, value_name = "NAME", hide_possible_values = true)]
    standard: Option<AlgorithmName>,
    /// What to find out: value, win, draw (at least), '>=N', or in chess mate [default: value; in chess mate]
    #[arg(long, value_name = "GOAL")]
    pub(crate) goal: Option<String>,
    /// Have every answer shown by a certificate, and check that (slow)
    #[arg(long)]
    pub(crate) certify: bool,

    /// A position, in the game's notation (may be repeated)
    #[arg(long, value_name = "TEXT", help_heading = POSITIONS)]
    pub(crate) position: Vec<String>,
    /// A position by the moves that lead to it from the start (may be repeated)
    #[arg(long, value_name = "MOVES", help_heading = POSITIONS)]
    pub(crate) moves: Vec<String>,
    /// A file with moves or a position in every line, '#' begins a comment; '-' is standard input
    #[arg(long, value_name = "FILE", help_heading = POSITIONS)]
    pub(crate) positions: Option<PathBuf>,
    /// Different positions that random play from the start comes to
    #[arg(long, value_name = "N", value_parser = parse_count, help_heading = POSITIONS)]
    pub(crate) random: Option<usize>,
    /// Where chance begins
    #[arg(long, value_name = "SEED", default_value_t = 1, help_heading = POSITIONS)]
    pub(crate) seed: u64,
    /// Moves played before random positions: 8, 4..12, 4.. or ..12 [default: any number up to 200]
    #[arg(long, value_name = "RANGE", value_parser = parse_plies, help_heading = POSITIONS)]
    pub(crate) plies: Option<RangeInclusive<usize>>,

    /// Stop a run before more nodes than this are created
    #[arg(long, value_name = "N", default_value_t = 10_000_000, help_heading = LIMITS)]
    nodes: u64,
    /// Search memory of a run, such as 64MiB or 2GiB [default: three quarters of what is free]
    #[arg(long, value_name = "BYTES", value_parser = parse_memory, help_heading = LIMITS)]
    memory: Option<u64>,
    /// Time of a run, such as 90s or 5m
    #[arg(long, value_name = "TIME", value_parser = parse_time, help_heading = LIMITS)]
    time: Option<Duration>,
    /// Threads of depth-first searches [default: all cores for auto, one for a named algorithm]
    #[arg(long, value_name = "N", value_parser = parse_threads, help_heading = LIMITS)]
    pub(crate) threads: Option<usize>,

    /// Print everything as one JSON object
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) json: bool,
    /// Write all runs to this file; '-' prints them in place of the table
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub(crate) csv: Option<PathBuf>,
    /// Draw the classes into this file, .svg or .png (may be repeated) [default: compare-GAME.svg and compare-GAME.png here]
    #[arg(long, value_name = "FILE", value_parser = parse_plot, help_heading = OUTPUT)]
    pub(crate) plot: Vec<PathBuf>,
    /// Draw nothing
    #[arg(long, conflicts_with = "plot", help_heading = OUTPUT)]
    pub(crate) no_plot: bool,
}

const POSITIONS: &str = "Positions (if none are named, the start and a random sample)";
const LIMITS: &str = "Limits of each run";
const OUTPUT: &str = "Output";

/// Random games of games that never end are left off there.
pub(crate) const PLIES_MAX: usize = 200;
/// More positions than anybody waits for.
const RANDOM_MAX: usize = 1_000_000;

impl CompareOptions {
    pub(crate) fn limits(&self) -> Limits {
        Limits { nodes: Some(self.nodes), memory: self.memory, time: self.time }
    }

    /// The searches that were named, in that order.
    pub(crate) fn named(&self) -> Vec<Algorithm> {
        self.algorithms.iter().map(|name| name.algorithm()).collect()
    }

    pub(crate) fn standard(&self) -> Option<Algorithm> {
        self.standard.map(AlgorithmName::algorithm)
    }
}

fn parse_count(text: &str) -> Result<usize, String> {
    let count = text.parse().ok().filter(|count| (1..=RANDOM_MAX).contains(count));
    count.ok_or_else(|| format!("it is a number from 1 to {RANDOM_MAX}"))
}

fn parse_plies(text: &str) -> Result<RangeInclusive<usize>, String> {
    let wrong = || "it is a number of moves such as 8, or a range such as 4..12, 4.. or ..12".to_owned();
    let number = |text: &str, otherwise| match text {
        "" => Ok(otherwise),
        _ => text.parse::<usize>().ok().filter(|plies| *plies <= 100_000).ok_or_else(wrong),
    };
    let Some((from, to)) = text.split_once("..") else {
        let exactly = text.parse().map_err(|_| wrong())?;
        return Ok(exactly..=exactly);
    };
    let from = number(from, 0)?;
    let to = number(to, from.max(PLIES_MAX))?;
    if from > to {
        Err(format!("{from} is more than {to}: the smaller number comes first"))
    } else {
        Ok(from..=to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_moves_are_read() {
        assert_eq!(parse_plies("8"), Ok(8..=8));
        assert_eq!(parse_plies("4..12"), Ok(4..=12));
        assert_eq!(parse_plies("..12"), Ok(0..=12));
        assert_eq!(parse_plies("4.."), Ok(4..=PLIES_MAX));
        for wrong in ["", "x", "4...5", "12..4", "-1..3", "99999999999999999999"] {
            assert!(parse_plies(wrong).is_err(), "{wrong}");
        }
    }
}
