//! The arguments, their help and their examples.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use quod_solver::{
    Aim, Algorithm, Backup, Compat, Deletion, Ends, Epsilon, Evaluate, Init, Limits, Many, Order, Request,
    SecondLevel, Switches, TableKind, Update,
};

use crate::compare::options::{COMPARE_EXAMPLES, CompareOptions};
use crate::numbers::parse_bytes;

#[derive(Parser)]
#[command(
    name = "quod",
    version,
    about = "Proves who wins: game values with certificates that anybody can check"
)]
#[command(after_help = "Example: quod solve connect4:5x4 --certificate c4.quod && quod check c4.quod")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Find the value of a position, or whether a goal can be reached
    #[command(after_help = SOLVE_EXAMPLES)]
    Solve(Box<SolveOptions>),
    /// Let several searches loose on the same positions: table, CSV, JSON and plot
    #[command(after_help = COMPARE_EXAMPLES)]
    Compare(Box<CompareOptions>),
    /// Check a certificate by the rules of its game
    #[command(
        after_help = "Exit status: 0 accepted, 1 refused, 2 unreadable, 3 interrupted.\nExample: quod check c4.quod"
    )]
    Check(CheckOptions),
    /// List the games, their parameters and notation
    #[command(after_help = "Example: quod games")]
    Games(GamesOptions),
    /// Measure published tables again: published and measured figures side by side
    #[command(after_help = "Without a table, lists them.\nExample: quod reproduce saffidine2011-1")]
    Reproduce(ReproduceOptions),
    /// Print completions for a shell
    #[command(
        after_help = "Example: quod completions bash > ~/.local/share/bash-completion/completions/quod"
    )]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Write man pages into a folder
    #[command(after_help = "Example: quod man ~/.local/share/man/man1")]
    Man {
        /// The folder
        dir: PathBuf,
    },
}

const SOLVE_EXAMPLES: &str = "\
Values are said for the side to move.
Exit status: 0 solved, 3 stopped unsolved at a limit or by Ctrl-C, 2 bad input, 1 anything else.

Examples:
  quod solve connect4:5x4
  quod solve connect4:4x4 --moves 1122 --goal win
  quod solve tictactoe --position 'x.o/.x./..o' --certificate ttt.quod
  quod solve connect4:5x5 --time 60s --memory 2GiB --json";

#[derive(Args)]
pub(crate) struct SolveOptions {
    /// The game, with parameters: tictactoe, connect4:7x6 ('quod games' lists them)
    pub(crate) game: String,
    /// The position, in the game's notation [default: the start]
    #[arg(long, value_name = "TEXT")]
    pub(crate) position: Option<String>,
    /// Moves to play first, from the start or from --position
    #[arg(long, value_name = "MOVES")]
    pub(crate) moves: Option<String>,
    /// What to find out: value, win, draw (at least), or '>=N'
    #[arg(long, value_name = "GOAL", default_value = "value")]
    pub(crate) goal: Aim,
    /// Write a certificate to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) certificate: Option<PathBuf>,
    /// Print the report as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// The search
    #[arg(long, value_enum, default_value_t = AlgorithmName::Auto)]
    algorithm: AlgorithmName,

    /// Stop before more nodes than this are created
    #[arg(long, value_name = "N", help_heading = "Limits")]
    nodes: Option<u64>,
    /// Search memory, such as 64MiB or 2GiB [default: three quarters of what is free]
    #[arg(long, value_name = "BYTES", value_parser = parse_memory, help_heading = "Limits")]
    memory: Option<u64>,
    /// Time, such as 90s or 5m
    #[arg(long, value_name = "TIME", value_parser = parse_time, help_heading = "Limits")]
    time: Option<Duration>,
    /// Threads of a depth-first search [default: all cores for auto, one for a named algorithm]
    #[arg(long, value_name = "N", value_parser = parse_threads, help_heading = "Limits")]
    threads: Option<usize>,

    /// Numbers of unsolved leaves (of every search but mtdf) [default: one; where alpha-beta deepens, the game's guess]
    #[arg(long, value_enum, help_heading = PN_SWITCHES)]
    init: Option<InitName>,
    /// When nodes are judged, and by whom [default: immediate]
    #[arg(long, value_enum, help_heading = PN_SWITCHES)]
    evaluate: Option<EvaluateName>,
    /// Delete what is below solved nodes: at once (pn, pn2), or when memory is full [default: never]
    #[arg(long, value_enum, value_name = "WHEN", num_args = 0..=1, require_equals = true,
          default_missing_value = "always", help_heading = PN_SWITCHES)]
    delete_solved: Option<DeletionName>,
    /// When memory is full, give up least-proving leaves (pn: may end unknown), or make leaves again of nodes that took
    /// little work (graphs: nothing is lost)
    #[arg(long, help_heading = PN_SWITCHES)]
    delete_least_proving: bool,
    /// Update up to unchanged ancestors, up to the root, or (pn-dag) in a queue [default: early; queue for pn-dag]
    #[arg(long, value_enum, help_heading = PN_SWITCHES)]
    update: Option<UpdateName>,
    /// Thresholds on the way to an exact value [default: binary; guess for depth-first searches]
    #[arg(long, value_enum, help_heading = PN_SWITCHES)]
    many: Option<ManyName>,
    /// Order of children: generated, or random:SEED [default: generated]
    #[arg(long, value_name = "ORDER", value_parser = parse_order, help_heading = PN_SWITCHES)]
    order: Option<Order>,
    /// How numbers that must all fall make one [default: sum]
    #[arg(long, value_enum, help_heading = GRAPH_SWITCHES)]
    backup: Option<BackupName>,
    /// Whether symmetric positions are one [default: no for pn-dag and pn-dcg, yes for the others]
    #[arg(long, value_enum, value_name = "YES_OR_NO", num_args = 0..=1, require_equals = true,
          default_missing_value = "yes", help_heading = GRAPH_SWITCHES)]
    symmetry: Option<YesNo>,
    /// Follow the conventions of a published experiment, where they decide counts
    #[arg(long, value_enum, value_name = "PAPER", help_heading = GRAPH_SWITCHES)]
    compat: Option<CompatName>,
    /// Size of the second level (pn2, gpn2): allis (as large as the first), breuker, or breuker:A,B [default: allis]
    #[arg(long, value_name = "SIZE", value_parser = parse_second_level, help_heading = VALUE_SWITCHES)]
    second_level: Option<SecondLevel>,
    /// Whether every line of play is known to end, or that too is to be proven (gpn...) [default: known]
    #[arg(long, value_enum, help_heading = VALUE_SWITCHES)]
    ends: Option<EndsName>,
    /// When memory is full, remove what cannot matter at the root and make leaves again of nodes that took little work (gpn..., mopn...) [default: yes]
    #[arg(long, value_enum, value_name = "YES_OR_NO", num_args = 0..=1, require_equals = true,
          default_missing_value = "yes", help_heading = VALUE_SWITCHES)]
    prune: Option<YesNo>,
    /// How much more the best child may cost than the second before the search turns away, such as 0, 0.25, 1 [default: 0.25]
    #[arg(long, value_name = "PART", allow_negative_numbers = true, value_parser = parse_epsilon, help_heading = DEPTH_FIRST_SWITCHES)]
    epsilon: Option<Epsilon>,
    /// Stay with a child until it costs so much more than the best
    #[arg(long, help_heading = DEPTH_FIRST_SWITCHES)]
    hysteresis: bool,
    /// What every edge costs beside what is below it [default: 0]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=1000), help_heading = DEPTH_FIRST_SWITCHES)]
    edge_cost: Option<u32>,
    /// Search one ply deeper after the other (alphabeta; alphabeta-tt always does)
    #[arg(long, help_heading = WINDOW_SWITCHES)]
    deepen: bool,
    /// The transposition table (alphabeta-tt) [default: modern]
    #[arg(long, value_enum, help_heading = WINDOW_SWITCHES)]
    table: Option<TableName>,
    /// How many positions it holds (alphabeta-tt) [default: 262144]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = WINDOW_SWITCHES)]
    entries: Option<u64>,
}

const DEPTH_FIRST_SWITCHES: &str = "Switches of depth-first search (dfpn)";
const WINDOW_SWITCHES: &str = "Switches of alpha-beta search (alphabeta, alphabeta-tt)";
const PN_SWITCHES: &str = "Switches of the searches for one question (pn...; auto has none)";
const VALUE_SWITCHES: &str = "Switches of two levels and of many outcomes (pn2, gpn..., mopn...)";
const GRAPH_SWITCHES: &str =
    "Switches of those on graphs (--symmetry also of gpn-dag, mopn-dag, alphabeta-tt, mtdf)";

impl SolveOptions {
    pub(crate) fn request(&self) -> Request {
        Request {
            aim: self.goal,
            algorithm: self.algorithm.algorithm(),
            switches: Switches {
                init: self.init.map(|name| match name {
                    InitName::One => Init::One,
                    InitName::Mobility => Init::Mobility,
                    InitName::Guess => Init::Guess,
                }),
                evaluate: self.evaluate.map(|name| match name {
                    EvaluateName::Immediate => Evaluate::Immediate,
                    EvaluateName::Delayed => Evaluate::Delayed,
                    EvaluateName::Judged => Evaluate::Judged,
                }),
                delete_solved: self.delete_solved.map(|name| match name {
                    DeletionName::Never => Deletion::Never,
                    DeletionName::Always => Deletion::AtOnce,
                    DeletionName::Full => Deletion::WhenFull,
                }),
                delete_least_proving: self.delete_least_proving,
                update: self.update.map(|name| match name {
                    UpdateName::Early => Update::Early,
                    UpdateName::Full => Update::Full,
                    UpdateName::Queue => Update::Queue,
                }),
                many: self.many.map(|name| match name {
                    ManyName::Binary => Many::Binary,
                    ManyName::Up => Many::Up,
                    ManyName::Down => Many::Down,
                    ManyName::Guess => Many::Guess,
                }),
                order: self.order,
                backup: self.backup.map(|name| match name {
                    BackupName::Sum => Backup::Sum,
                    BackupName::Weak => Backup::Weak,
                    BackupName::Masked => Backup::Masked,
                }),
                symmetry: self.symmetry.map(|answer| matches!(answer, YesNo::Yes)),
                compat: self.compat.map(|CompatName::Schijf1993| Compat::Schijf1993),
                second_level: self.second_level,
                ends: self.ends.map(|name| match name {
                    EndsName::Known => Ends::Known,
                    EndsName::Unknown => Ends::Unknown,
                }),
                prune: self.prune.map(|answer| matches!(answer, YesNo::Yes)),
                epsilon: self.epsilon,
                hysteresis: self.hysteresis,
                edge_cost: self.edge_cost,
                deepen: self.deepen,
                table: self.table.map(|name| match name {
                    TableName::Published => TableKind::Published,
                    TableName::Modern => TableKind::Modern,
                }),
                entries: self.entries,
            },
            threads: self.threads,
            limits: Limits { nodes: self.nodes, memory: self.memory, time: self.time },
            certificate: self.certificate.is_some(),
        }
    }
}

#[derive(Args)]
pub(crate) struct CheckOptions {
    /// The certificate
    pub(crate) file: PathBuf,
    /// Print what was verified as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct GamesOptions {
    /// Print them as a JSON array
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct ReproduceOptions {
    /// The table, or the beginning of the names of several
    pub(crate) table: Option<String>,
    /// Print the figures as a JSON array
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum AlgorithmName {
    /// Chosen for the problem
    Auto,
    /// Proof-number search on trees, as published
    Pn,
    /// With two levels, as published: less memory, more time
    Pn2,
    /// On acyclic graphs, as published: equal positions are one where they cannot come again
    PnDag,
    /// On cyclic graphs, as published: not complete; what it cannot vouch for stays unknown
    PnDcg,
    /// On graphs of all kinds: complete and never wrong
    PnGraph,
    /// Generalized: all outcomes in one search, on trees, as published
    Gpn,
    /// The same on acyclic graphs
    GpnDag,
    /// The same on trees, with two levels
    Gpn2,
    /// Ours: all outcomes in one search, one question at a time, on trees
    Mopn,
    /// The same on acyclic graphs
    MopnDag,
    /// Depth first, on a table that forgets: any number of nodes in any memory
    Dfpn,
    /// The same below the leaves of a tree in memory, which are jobs for threads
    PnDfpn,
    /// Its older relative with thresholds of proof numbers alone, as published
    PnStar,
    /// Its older relative with thresholds that grow by one, as published
    Pds,
    /// Alpha-beta: values by windows, depth first, in little memory
    Alphabeta,
    /// The same with iterative deepening and a transposition table
    AlphabetaTt,
    /// Plain minimax: every position
    Brute,
    /// Null windows on a table of bounds, MTD(f): the strongest for values of games that end
    Mtdf,
    /// Null windows that halve what is left (NegaC*)
    NegacStar,
    /// Null windows from a guess towards the value
    Nws,
    /// Principal variation search
    Pvs,
    /// Values without windows, and tests (SCOUT)
    Scout,
    /// SSS* as a series of null-window searches (SSS-2)
    Sss2,
    /// Best first by upper bounds (SSS*)
    SssStar,
}

#[derive(Clone, Copy, ValueEnum)]
enum TableName {
    /// One entry for each place, the deeper search stays
    Published,
    /// Buckets of four, what took least work goes, the best move is searched first
    Modern,
}

impl AlgorithmName {
    pub(crate) fn algorithm(self) -> Algorithm {
        match self {
            Self::Auto => Algorithm::Auto,
            Self::Pn => Algorithm::Pn,
            Self::Pn2 => Algorithm::Pn2,
            Self::PnDag => Algorithm::PnDag,
            Self::PnDcg => Algorithm::PnDcg,
            Self::PnGraph => Algorithm::PnGraph,
            Self::Gpn => Algorithm::Gpn,
            Self::GpnDag => Algorithm::GpnDag,
            Self::Gpn2 => Algorithm::Gpn2,
            Self::Mopn => Algorithm::Mopn,
            Self::MopnDag => Algorithm::MopnDag,
            Self::Dfpn => Algorithm::Dfpn,
            Self::PnDfpn => Algorithm::PnDfpn,
            Self::PnStar => Algorithm::PnStar,
            Self::Pds => Algorithm::Pds,
            Self::Alphabeta => Algorithm::AlphaBeta,
            Self::AlphabetaTt => Algorithm::AlphaBetaTt,
            Self::Brute => Algorithm::Brute,
            Self::Mtdf => Algorithm::Mtdf,
            Self::NegacStar => Algorithm::NegacStar,
            Self::Nws => Algorithm::Nws,
            Self::Pvs => Algorithm::Pvs,
            Self::Scout => Algorithm::Scout,
            Self::Sss2 => Algorithm::Sss2,
            Self::SssStar => Algorithm::SssStar,
        }
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum InitName {
    One,
    Mobility,
    Guess,
}

#[derive(Clone, Copy, ValueEnum)]
enum EvaluateName {
    /// By the rules, when generated
    Immediate,
    /// By the game's judge too, when selected
    Delayed,
    /// By the game's judge too, when generated
    Judged,
}

#[derive(Clone, Copy, ValueEnum)]
enum DeletionName {
    Never,
    Always,
    Full,
}

#[derive(Clone, Copy, ValueEnum)]
enum UpdateName {
    Early,
    Full,
    Queue,
}

#[derive(Clone, Copy, ValueEnum)]
enum BackupName {
    /// The sum, as published
    Sum,
    /// The largest, and one for every other open child
    Weak,
    /// The sum over children with one parent, and the largest of the others
    Masked,
}

#[derive(Clone, Copy, ValueEnum)]
enum EndsName {
    Known,
    Unknown,
}

#[derive(Clone, Copy, ValueEnum)]
enum YesNo {
    Yes,
    No,
}

#[derive(Clone, Copy, ValueEnum)]
enum CompatName {
    /// Children of one expansion are not joined with each other (pn-dag)
    Schijf1993,
}

#[derive(Clone, Copy, ValueEnum)]
enum ManyName {
    /// From the middle
    Binary,
    /// From below
    Up,
    /// From above
    Down,
    /// From a guess by short searches (depth-first searches)
    Guess,
}

fn parse_order(text: &str) -> Result<Order, String> {
    match text.split_once(':') {
        None if text == "generated" => Ok(Order::Generated),
        Some(("random", seed)) => {
            let seed =
                seed.parse().map_err(|_| format!("\"{seed}\" is not a seed: a number, as in random:7"))?;
            Ok(Order::Random(seed))
        }
        _ => Err("it is generated, or random:SEED as in random:7".to_owned()),
    }
}

fn parse_epsilon(text: &str) -> Result<Epsilon, String> {
    let part: f64 = text
        .parse()
        .ok()
        .filter(|part| (0.0..=100.0).contains(part))
        .ok_or("it is a number from 0 to 100, such as 0.25")?;
    Ok(Epsilon((part * 1024.0).round() as u32))
}

pub(crate) fn parse_threads(text: &str) -> Result<usize, String> {
    let threads = text.parse().ok().filter(|threads| (1..=250).contains(threads));
    threads.ok_or_else(|| "it is a number from 1 to 250".to_owned())
}

fn parse_second_level(text: &str) -> Result<SecondLevel, String> {
    let wrong = || "it is allis, breuker, or breuker:A,B as in breuker:1800000,240000".to_owned();
    match text {
        "allis" => Ok(SecondLevel::Allis),
        "breuker" => Ok(SecondLevel::BREUKER),
        _ => {
            let parameters =
                text.strip_prefix("breuker:").and_then(|text| text.split_once(',')).ok_or_else(wrong)?;
            let number = |text: &str| text.trim().parse().ok().filter(|n: &u64| *n > 0).ok_or_else(wrong);
            Ok(SecondLevel::Breuker { a: number(parameters.0)?, b: number(parameters.1)? })
        }
    }
}

/// The least memory limit that is accepted.
const MEMORY_BYTES_MIN: u64 = 64 << 10;

pub(crate) fn parse_memory(text: &str) -> Result<u64, String> {
    let bytes = parse_bytes(text)?;
    if bytes < MEMORY_BYTES_MIN { Err("it is too small: 64KiB is the least".to_owned()) } else { Ok(bytes) }
}

pub(crate) fn parse_time(text: &str) -> Result<Duration, String> {
    humantime::parse_duration(text).map_err(|error| format!("{error}; times are like 90s, 5m or 2h 30m"))
}
