//! The arguments, their help and their examples.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use quod_solver::{
    Aim, Algorithm, Backup, Compat, Deletion, Ends, Epsilon, Evaluate, Init, Keeping, Length, Limits, Many,
    Order, Request, SecondLevel, Switches, TableKind, Update,
};

use crate::analyze::options::{ANALYZE_EXAMPLES, AnalyzeOptions};
use crate::compare::options::{COMPARE_EXAMPLES, CompareOptions};
use crate::db::options::{DB_EXAMPLES, DbCommand};
use crate::drawing::parse_plot;
use crate::explore::{EXPLORE_EXAMPLES, ExploreOptions};
use crate::numbers::parse_bytes;
use crate::play::options::{PLAY_EXAMPLES, PlayOptions};
use crate::uci::UCI_EXAMPLES;

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
    /// Find out where a finished game was won and lost, from its end backwards
    #[command(after_help = ANALYZE_EXAMPLES)]
    Analyze(Box<AnalyzeOptions>),
    /// Play against the program, or let it play itself
    #[command(after_help = PLAY_EXAMPLES)]
    Play(Box<PlayOptions>),
    /// See proofs and searches in the browser
    #[command(after_help = EXPLORE_EXAMPLES)]
    Explore(Box<ExploreOptions>),
    /// Check a certificate by the rules of its game
    #[command(
        after_help = "Exit status: 0 accepted, 1 refused, 2 unreadable, 3 interrupted.\nExample: quod check c4.quod\n         quod check --db awari-db ending.quod"
    )]
    Check(CheckOptions),
    /// Build, look into and verify endgame databases
    #[command(subcommand, after_help = DB_EXAMPLES)]
    Db(DbCommand),
    /// List the games, their parameters and notation
    #[command(after_help = "Example: quod games")]
    Games(GamesOptions),
    /// Measure published tables again: published and measured figures side by side
    #[command(
        after_help = "Without a table, lists them.\nExample: quod reproduce saffidine2011-1\n         quod reproduce allis1994-1 --rows 55S,54N --columns alphabeta,pn"
    )]
    Reproduce(ReproduceOptions),
    /// Be a chess engine for a graphical interface: a solver of mates that speaks UCI
    #[command(after_help = UCI_EXAMPLES)]
    Uci,
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

--epd FILE solves a suite: a position in every line, and behind it what is known, as in EPD; '#' begins
a remark. The operations id and dm (moves to the mate) are understood, others are left alone:
  7k/5K2/8/6Q1/8/8/8/8 w - - dm 1; id \"queen and king\";
Each position is solved by one thread. Limits are for each; without --memory, those that are solved at
once share what is free. Status 0 says that all are solved. --json and --csv have the names of a report
with id, mate (moves until the win, if one is proven) and dm.

--checkpoint DIR keeps what the search holds in a folder every five minutes (--every), and when it is
stopped: by a limit, Ctrl-C or SIGTERM. After a crash, 'quod solve --resume DIR' goes on from there. One
thread ends with the same counts and the same certificate as if nothing had happened. --time is for each
run, --nodes for all of them. Files that --certificate and --db name are looked for from where you are.

Exit status: 0 solved, 3 stopped unsolved at a limit or by Ctrl-C, 2 bad input, 1 anything else.

Examples:
  quod solve connect4:5x4
  quod solve connect4:4x4 --moves 1122 --goal win
  quod solve tictactoe --position 'x.o/.x./..o' --certificate ttt.quod
  quod solve awari --db awari-db --position '1 1 1 1 1 2 / 4 2 3 0 0 0'
  quod solve connect4:5x5 --time 60s --memory 2GiB --json
  quod solve connect4:7x6 --checkpoint c4 --every 10m
  quod solve --resume c4
  quod solve chess --position '7k/5K2/8/8/8/8/6Q1/8 w - -' --shortest
  quod solve chess --epd mates.epd --time 10s --csv mates.csv --certificate proofs";

#[derive(Args)]
pub(crate) struct SolveOptions {
    /// The game, with parameters: tictactoe, connect4:7x6 ('quod games' lists them)
    #[arg(required_unless_present = "resume")]
    pub(crate) game: Option<String>,
    /// The position, in the game's notation [default: the start]
    #[arg(long, value_name = "TEXT")]
    pub(crate) position: Option<String>,
    /// Moves to play first, from the start or from --position
    #[arg(long, value_name = "MOVES")]
    pub(crate) moves: Option<String>,
    /// Solve all positions of a file, one in a line, several at once; '-' is standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["position", "moves"])]
    pub(crate) epd: Option<PathBuf>,
    /// What to find out: value, win, draw (at least), '>=N', or in chess mate [default: value; in chess mate]
    #[arg(long, value_name = "GOAL")]
    pub(crate) goal: Option<String>,
    /// Find a shortest mate and prove that none is shorter, or say how far that came (a certificate shows the mate, not its length)
    #[arg(long, conflicts_with = "within")]
    shortest: bool,
    /// Mate within so many moves of the side to move
    #[arg(long, value_name = "MOVES", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    within: Option<u32>,
    /// Write a certificate to this file; with --epd, one for each solved position into this folder
    #[arg(long, value_name = "FILE")]
    pub(crate) certificate: Option<PathBuf>,
    /// A folder with endgame databases of the game ('quod db build' makes them); certificates cite them
    #[arg(long, value_name = "DIR")]
    pub(crate) db: Option<PathBuf>,
    /// Print the report as one JSON object; with --epd, an array of them
    #[arg(long)]
    pub(crate) json: bool,
    /// With --epd: write a line for every position to this file; without a name, print them in place of the table
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-", requires = "epd")]
    pub(crate) csv: Option<PathBuf>,
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
    /// Threads of a depth-first search [default: all cores for auto, one for a named algorithm]; with --epd, positions
    /// that are solved at once [default: all cores]
    #[arg(long, value_name = "N", value_parser = parse_threads, help_heading = "Limits")]
    pub(crate) threads: Option<usize>,

    /// Keep checkpoints of the search in this folder, two of them; it is made if it is not there. Openings of gomoku are proved piece
    /// by piece instead, and the folder holds a certificate of each
    #[arg(long, value_name = "DIR", group = "kept", conflicts_with = "epd", help_heading = "Checkpoints")]
    pub(crate) checkpoint: Option<PathBuf>,
    /// How long the search goes on between two checkpoints [default: 5m]
    #[arg(long, value_name = "TIME", value_parser = parse_time, requires = "kept", help_heading = "Checkpoints")]
    every: Option<Duration>,
    /// Go on from the newest good checkpoint of a folder, with what was asked then; --nodes, --memory, --time, --threads, --every,
    /// --certificate, --db and --json can be said anew
    #[arg(long, value_name = "DIR", group = "kept", help_heading = "Checkpoints", conflicts_with_all = [
        "game", "position", "moves", "epd", "goal", "shortest", "within", "algorithm", "init", "evaluate",
        "delete_solved", "delete_least_proving", "update", "many", "order", "stages", "threats", "backup", "symmetry",
        "compat", "second_level", "ends", "prune", "epsilon", "hysteresis", "edge_cost", "deepen", "table",
        "entries",
    ])]
    pub(crate) resume: Option<PathBuf>,

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
    /// Look at moves in the stages that the game names (chess: checks first), and hold the others back
    #[arg(long, help_heading = GRAPH_SWITCHES)]
    stages: bool,
    /// Look for lines of threats wherever somebody attacks, and leave out replies that they beat (qubic, gomoku)
    #[arg(long, help_heading = DEPTH_FIRST_SWITCHES)]
    threats: bool,
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
    /// What was asked when checkpoints began, with what is said anew.
    pub(crate) fn resumed(&self, asked: Self) -> Self {
        Self {
            nodes: self.nodes.or(asked.nodes),
            memory: self.memory.or(asked.memory),
            time: self.time.or(asked.time),
            threads: self.threads.or(asked.threads),
            every: self.every.or(asked.every),
            certificate: self.certificate.clone().or(asked.certificate),
            db: self.db.clone().or(asked.db),
            json: self.json || asked.json,
            checkpoint: None,
            resume: self.resume.clone(),
            ..asked
        }
    }

    /// Where checkpoints go, if they are wanted; `words` are those with which this was asked for.
    pub(crate) fn keeping(&self, words: &[String]) -> Option<Keeping> {
        const EVERY: Duration = Duration::from_secs(300);
        let folder = self.resume.as_ref().or(self.checkpoint.as_ref())?;
        Some(Keeping {
            folder: folder.clone(),
            every: self.every.unwrap_or(EVERY),
            resume: self.resume.is_some(),
            label: serde_json::to_string(words).expect("words are text"),
        })
    }

    pub(crate) fn request(&self, aim: Aim) -> Request {
        Request {
            aim,
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
                stages: self.stages,
                threats: self.threats,
                backup: self.backup.map(|name| match name {
                    BackupName::Sum => Backup::Sum,
                    BackupName::Weak => Backup::Weak,
                    BackupName::Masked => Backup::Masked,
                }),
                symmetry: self.symmetry.map(|answer| matches!(answer, YesNo::Yes)),
                compat: self.compat.map(|name| match name {
                    CompatName::Schijf1993 => Compat::Schijf1993,
                    CompatName::Allis1994 => Compat::Allis1994,
                    CompatName::Breuker1994 => Compat::Breuker1994,
                }),
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
            length: match self.within {
                _ if self.shortest => Length::Shortest,
                // The side to move makes the last move.
                Some(moves) => Length::Within(2 * moves - 1),
                None => Length::Any,
            },
        }
    }
}

#[derive(Args)]
pub(crate) struct CheckOptions {
    /// The certificate
    pub(crate) file: PathBuf,
    /// The folder with the endgame databases that it cites, if it cites any
    #[arg(long, value_name = "DIR")]
    pub(crate) db: Option<PathBuf>,
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
    /// Measure only these columns, by name or its beginning; columns that take long must be named, as alphabeta
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) columns: Vec<String>,
    /// Measure only these rows (of the tables of allis1994, and of chess)
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) rows: Vec<String>,
    /// Draw the figure (allis1994-figure13) into this file, .svg or .png; it needs --columns alphabeta,pn
    #[arg(long, value_name = "FILE", value_parser = parse_plot)]
    pub(crate) plot: Option<PathBuf>,
    /// A folder with endgame databases; what is missing is built for the occasion
    #[arg(long, value_name = "DIR")]
    pub(crate) db: Option<PathBuf>,
    /// A folder with EPD files of the chess positions k8, r1, ..., which are no part of Quod (schijf1993-5.1, -B, breuker1994-3.1)
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
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
    /// Awari as the experiment saw it, counted as it counted (pn, alphabeta, alphabeta-tt)
    Allis1994,
    /// Mates in chess with the order of moves of the experiment, counted as it counted (pn, pn-dcg)
    Breuker1994,
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
