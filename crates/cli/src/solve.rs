//! `quod solve`.

use std::path::Path;

use anyhow::anyhow;
use clap::Parser as _;
use quod_solver::{
    CheckpointCounts, EDGE_BYTES, Games, Keeping, OpeningStanding, Place, Plies, Report, Solution, Stop,
    label_of,
};

use crate::arguments::{Arguments, Command, SolveOptions};
use crate::numbers::{bytes, grouped, wrapped};
use crate::output::{print, print_json};
use crate::progress::{ProgressLine, catch_interrupts, interrupted};
use crate::target::Target;
use crate::{Ending, Failure, open, program, suite};

/// Replies that are named at the most.
const NAMED: usize = 16;

pub(crate) fn run(games: &Games, options: &SolveOptions) -> Result<Ending, Failure> {
    match &options.resume {
        None => {
            let words = std::env::args_os().skip(1).map(std::ffi::OsString::into_string);
            let words: Vec<String> =
                words.collect::<Result<_, _>>().or_else(|word| match options.checkpoint {
                    None => Ok(Vec::new()),
                    Some(_) => Err(Failure::input(anyhow!(
                        "\"{}\" is no UTF-8 text, and a checkpoint keeps the words of the command",
                        word.display()
                    ))),
                })?;
            ask(games, options, &words)
        }
        Some(folder) => {
            let label = label_of(folder).map_err(Failure::input)?;
            let (words, asked) = asked(&label).ok_or_else(|| {
                Failure::input(anyhow!("{}: its question is not understood", folder.display()))
            })?;
            ask(games, &options.resumed(asked), &words)
        }
    }
}

/// The words with which a search was asked for, and what they say.
fn asked(label: &str) -> Option<(Vec<String>, SolveOptions)> {
    let words: Vec<String> = serde_json::from_str(label).ok()?;
    let all = std::iter::once(program()).chain(words.iter().cloned());
    match Arguments::try_parse_from(all).ok()?.command {
        Command::Solve(options) => Some((words, *options)),
        _ => None,
    }
}

/// Solves what is asked for, with these words.
fn ask(games: &Games, options: &SolveOptions, words: &[String]) -> Result<Ending, Failure> {
    let game = open(games, options.game.as_deref().unwrap_or_default(), options.db.as_deref())?;
    let aim = game.aim(options.goal.as_deref()).map_err(Failure::input)?;
    if let Some(file) = &options.epd {
        return suite::run(&*game, &options.request(aim), options, file);
    }
    let place = Place { position: options.position.clone(), moves: options.moves.clone() };
    // Looked at before the search, so that a wrong folder is not found out after a week.
    let target = options.certificate.as_deref().map(|path| Target::new("certificate", path));
    let target = target.transpose().map_err(Failure::input)?;
    catch_interrupts();
    let mut progress = ProgressLine::new();
    let request = options.request(aim);
    let keeping = options.keeping(words);
    let solved = match &keeping {
        None => game.solve(&place, &request, &mut progress),
        Some(keeping) => game.solve_keeping(&place, &request, keeping, &mut progress),
    };
    drop(progress);
    let mut solution = solved.map_err(Failure::input)?;
    let mut size = None;
    if let (Some(target), Some(path), Some(certificate)) =
        (target, &options.certificate, &solution.certificate)
    {
        let encoded = certificate.encode();
        target.store(&encoded)?;
        size = Some(encoded.len() as u64);
        solution.report.certificate = Some(path.display().to_string());
    }
    if options.json {
        print_json(&solution.report)?;
    } else {
        print(&described(&solution, size, options.db.as_deref(), keeping.as_ref()))?;
    }
    if solution.report.stop != Stop::Solved {
        if let Some(problem) = &solution.certificate_problem {
            let what = if options.certificate.is_some() { "no certificate: " } else { "" };
            eprintln!("{}: {what}{problem}", program());
        }
        return Ok(Ending::Unsolved);
    }
    match solution.certificate_problem {
        None => Ok(Ending::Done),
        Some(problem) if interrupted() => {
            eprintln!("{}: it is solved, but there is no certificate: {problem}", program());
            Ok(Ending::Unsolved)
        }
        Some(problem) => Err(anyhow!("it is solved, but there is no certificate: {problem}").into()),
    }
}

fn described(
    solution: &Solution,
    certificate_bytes: Option<u64>,
    db: Option<&Path>,
    keeping: Option<&Keeping>,
) -> String {
    let report = &solution.report;
    let width = terminal_width();
    let mut lines = vec![format!("{}, {} to move\n", report.game, report.to_move)];
    lines.push(format!("{}\n", solution.picture));
    lines.push(wrapped("Answer       ", solution.sentence().split(' '), width));
    if let Some(best) = &report.best_move {
        lines.push(format!("Best move    {best}"));
    }
    if !report.line.is_empty() {
        lines.push(wrapped("Line         ", report.line.iter().map(String::as_str), width));
    }
    if let (Some(moves), false) = (solution.wins_in, report.goal.starts_with("mate")) {
        let plural = if moves == 1 { "" } else { "s" };
        lines.push(format!("Wins in      {moves} move{plural} of {}, at the latest", report.to_move));
    }
    if let Some(text) = report.length.filter(|_| !report.goal.contains("within")).and_then(shortest) {
        lines.push(format!("Shortest     {text}"));
    }
    let search = [
        match report.threat_nodes {
            0 => format!("{}: {} nodes,", report.algorithm, grouped(report.nodes)),
            threats => format!(
                "{}: {} nodes ({} more in lines of threats),",
                report.algorithm,
                grouped(report.nodes),
                grouped(threats)
            ),
        },
        format!("{} expansions,", grouped(report.expansions)),
        format!("{} updates,", grouped(report.updates)),
        format!("{:.2} s,", report.seconds),
        format!("{} of memory", bytes(report.memory_bytes)),
        format!("for {} nodes ({:.0} bytes each)", grouped(report.peak_nodes), bytes_per_node(report)),
        format!("and {} edges ({EDGE_BYTES} bytes each)", grouped(report.peak_edges)),
    ];
    // Only some graphs keep their edges apart, and a handful of nodes say nothing of what one takes.
    let shown = if report.peak_edges > 0 { 7 } else { 5 + usize::from(report.peak_nodes >= 100) };
    let search = &search[..shown];
    lines.push(wrapped("Search       ", search.iter().map(String::as_str), width));
    if let Some(why) = report.why {
        lines.push(wrapped("Why          ", why.split(' '), width));
    }
    if let Some(opening) = &report.opening {
        lines.push(wrapped(
            "Opening      ",
            standing(opening, report.stop == Stop::Solved).split(' '),
            width,
        ));
    }
    if let Some(resident) = report.resident_bytes {
        lines.push(format!("Resident     {} at the most, the whole program", bytes(resident)));
    }
    if let Some(nodes) = report.resumed_nodes {
        lines.push(format!("Resumed      after {} nodes", grouped(nodes)));
    }
    if let Some(CheckpointCounts { written, failed, bytes: size, longest_pause }) = report.checkpoints {
        let failed = if failed > 0 { format!(", {failed} failed") } else { String::new() };
        lines.push(format!(
            "Checkpoints  {written} written{failed}, the last of {}; longest pause {longest_pause:.2} s",
            bytes(size)
        ));
    }
    let unfinished = report.stop != Stop::Solved || solution.certificate_problem.is_some();
    if let Some(keeping) = keeping.filter(|_| unfinished) {
        let folder = keeping.folder.display().to_string();
        let plain = folder.chars().all(|sign| sign.is_alphanumeric() || "._-/+=:,".contains(sign));
        let folder = if plain { folder } else { format!("'{}'", folder.replace('\'', "'\\''")) };
        // The limit that has stopped it would stop it again.
        let more = match report.stop {
            Stop::Nodes => format!(" --nodes {}", report.nodes.saturating_mul(2)),
            Stop::Memory => " --memory MORE".to_owned(),
            _ => String::new(),
        };
        lines.push(format!("             go on: {} solve --resume {folder}{more}", program()));
    }
    if let Some(databases) = &report.databases {
        let last = databases.slices.saturating_sub(1);
        lines.push(format!(
            "Leans on     databases of slices 0 to {last}, checksum {:.16}...",
            databases.checksum
        ));
    }
    if let (Some(file), Some(size)) = (&report.certificate, certificate_bytes) {
        let db = db.map_or_else(String::new, |dir| format!(" --db {}", dir.display()));
        lines.push(format!(
            "Certificate  {file} ({})\n             check it: {} check{db} {file}",
            bytes(size),
            program()
        ));
    }
    lines.join("\n") + "\n"
}

/// What a node takes; in a graph that keeps its edges apart, beside those.
fn bytes_per_node(report: &Report) -> f64 {
    let edges = report.peak_edges * EDGE_BYTES as u64;
    let nodes = if edges == 0 { report.memory_bytes } else { report.graph_bytes.saturating_sub(edges) };
    nodes as f64 / report.peak_nodes.max(1) as f64
}

/// How far an opening has come; the replies that are left are named when they are few. Once it is proved, they do not matter.
fn standing(opening: &OpeningStanding, is_proved: bool) -> String {
    let OpeningStanding { after, replies, open, certificates } = opening;
    let certificates = format!("{} certificates", grouped(*certificates as u64));
    if is_proved || *replies == 0 {
        return certificates;
    }
    let after = after.first().map_or_else(String::new, |mv| format!(" to {mv}"));
    let (lost, left) = (replies - open.len(), open.len());
    let names = if left <= NAMED { format!(": {}", open.join(" ")) } else { String::new() };
    format!("{certificates}; {lost} of {replies} replies{after} are proved lost, {left} left{names}")
}

/// What is proven of the shortest way to a goal.
fn shortest(length: Plies) -> Option<String> {
    let (least, most) = (length.at_least.div_ceil(2), length.at_most?.div_ceil(2));
    Some(match (least, most) {
        (least, most) if least == most => format!("{}, and none is shorter (proven)", moves(length.at_most?)),
        (least, most) => format!("{least} to {most} moves (proven); limits leave the rest open"),
    })
}

/// How many moves of its own a side makes that moves first and last.
fn moves(plies: u32) -> String {
    match plies.div_ceil(2) {
        1 => "1 move".to_owned(),
        moves => format!("{moves} moves"),
    }
}

/// The width of the terminal; 80 where there is none.
pub(crate) fn terminal_width() -> usize {
    let size = console::Term::stdout().size_checked();
    size.map_or(80, |(_, columns)| usize::from(columns)).clamp(40, 120)
}
