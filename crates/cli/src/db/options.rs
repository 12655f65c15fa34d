//! The arguments of `quod db`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};

use crate::arguments::{parse_memory, parse_threads, parse_time};

pub(crate) const DB_EXAMPLES: &str = "\
A database holds the exact value of every position with few stones (awari), in slices: a file for
each number of stones. It is built from the smallest up, and a build that was stopped goes on.

Examples:
  quod db build awari --stones 13 --dir awari-db
  quod db info --dir awari-db
  quod db probe awari --dir awari-db --position '0 1 0 0 1 0 / 0 0 2 0 0 1 S'
  quod db verify --dir awari-db";

const BUILD_EXAMPLES: &str = "\
Slices that are there and whole are kept. Ctrl-C loses only the slice at hand; the same command goes
on from there. Building takes two bytes for each position of a slice and one for each position of
the smaller slices.

With --checkpoint not even that is lost: every so often (--every), and when it is stopped by Ctrl-C or
SIGTERM, what is known of the slice at hand goes to that folder, two bytes for each of its positions,
and the same command goes on from there. After a crash or SIGKILL what was done since the last
checkpoint is done again. Two are kept; if the newer one is damaged, the older one is taken. They are
removed when the slice is complete. One that cannot be written is reported, and the work goes on.
Exit status: 0 built, 3 stopped by Ctrl-C or SIGTERM, 2 bad input, 1 anything else.

Examples:
  quod db build awari --stones 17 --dir awari-db
  quod db build awari --stones 20 --dir awari-db --threads 2 --memory 8GiB
  quod db build awari --stones 24 --dir awari-db --checkpoint awari-under-way --every 10m";

const INFO_EXAMPLES: &str = "\
--json prints an array with an object for each slice: stones, positions, won, drawn, lost, sum (of
all values), checksum (BLAKE3 of the values, whatever the form of the file), fnv1a64 (of the same
bytes), form, bytes (of the file).

Example: quod db info --dir awari-db";

const PROBE_EXAMPLES: &str = "\
Values are said for the side to move, also those of its moves.
--json prints one object: game, position, to_move, stones, value, moves (an array of move and value).

Examples:
  quod db probe awari --dir awari-db --position '1 0 0 0 1 0 / 0 2 0 0 0 1 S 20 23'
  quod db probe tictactoe --dir ttt-db --moves 'b2 a1' --json";

const VERIFY_EXAMPLES: &str = "\
Every value is derived again from the rules: it is the best that a move is worth, and every win and
every loss leads to an end, not around in circles.
Exit status: 0 all values are right, 1 one is wrong or a file is damaged, 3 stopped, 2 bad input.

Example: quod db verify --dir awari-db";

#[derive(Subcommand)]
pub(crate) enum DbCommand {
    /// Build the slices that a folder does not hold yet
    #[command(after_help = BUILD_EXAMPLES)]
    Build(BuildOptions),
    /// Say what a folder holds
    #[command(after_help = INFO_EXAMPLES)]
    Info(InfoOptions),
    /// Look a position up, and its moves
    #[command(after_help = PROBE_EXAMPLES)]
    Probe(ProbeOptions),
    /// Derive every value again
    #[command(after_help = VERIFY_EXAMPLES)]
    Verify(VerifyOptions),
}

#[derive(Args)]
pub(crate) struct BuildOptions {
    /// The game: awari, or another that has databases
    pub(crate) game: String,
    /// The last slice: for awari the stones on the board, for tictactoe the empty cells
    #[arg(long, visible_alias = "slice", value_name = "N")]
    pub(crate) stones: u32,
    /// The folder; it is made if it is not there
    #[arg(long, value_name = "DIR")]
    pub(crate) dir: PathBuf,
    /// Threads [default: one for each core]
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    pub(crate) threads: Option<usize>,
    /// Refuse to begin if it takes more memory [default: three quarters of what is free]
    #[arg(long, value_name = "BYTES", value_parser = parse_memory)]
    pub(crate) memory: Option<u64>,
    /// Keep checkpoints of the slice at hand in this folder, and go on from them
    #[arg(long, value_name = "FOLDER")]
    pub(crate) checkpoint: Option<PathBuf>,
    /// Take a checkpoint every so often
    #[arg(long, value_name = "TIME", value_parser = parse_time, default_value = "5m", requires = "checkpoint")]
    pub(crate) every: Duration,
    /// Write a byte for each value instead of compressing: twice as large, several times as fast to probe
    #[arg(long)]
    pub(crate) plain: bool,
}

#[derive(Args)]
pub(crate) struct InfoOptions {
    /// The folder
    #[arg(long, value_name = "DIR")]
    pub(crate) dir: PathBuf,
    /// Print an array of JSON objects
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct ProbeOptions {
    /// The game
    pub(crate) game: String,
    /// The folder
    #[arg(long, value_name = "DIR")]
    pub(crate) dir: PathBuf,
    /// The position, in the game's notation [default: the start]
    #[arg(long, value_name = "TEXT")]
    pub(crate) position: Option<String>,
    /// Moves to play first, from the start or from --position
    #[arg(long, value_name = "MOVES")]
    pub(crate) moves: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct VerifyOptions {
    /// The folder
    #[arg(long, value_name = "DIR")]
    pub(crate) dir: PathBuf,
    /// Threads [default: one for each core]
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    pub(crate) threads: Option<usize>,
}
