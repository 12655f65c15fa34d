//! `quod solve`.

use std::fs::File;
use std::io::Write as _;
use std::path::Path;

use anyhow::{Context as _, anyhow};
use quod_solver::{Games, Place, Report, Solution, Stop};
use tempfile::NamedTempFile;

use crate::arguments::SolveOptions;
use crate::numbers::{bytes, grouped, wrapped};
use crate::progress::{ProgressLine, catch_interrupts};
use crate::{Ending, Failure};

pub(crate) fn run(games: &Games, options: &SolveOptions) -> Result<Ending, Failure> {
    let game = games.open(&options.game).map_err(Failure::input)?;
    let place = Place { position: options.position.clone(), moves: options.moves.clone() };
    // Made before the search, so that a wrong folder is not found out after a week.
    let file = options.certificate.as_deref().map(create).transpose().map_err(Failure::input)?;
    catch_interrupts();
    let mut progress = ProgressLine::new();
    let solved = game.solve(&place, &options.request(), &mut progress);
    drop(progress);
    let mut solution = solved.map_err(Failure::input)?;
    let mut size = None;
    if let (Some(file), Some(path), Some(certificate)) = (file, &options.certificate, &solution.certificate) {
        let encoded = certificate.encode();
        store(file, path, &encoded)?;
        size = Some(encoded.len() as u64);
        solution.report.certificate = Some(path.display().to_string());
    }
    if options.json {
        println!("{}", serde_json::to_string_pretty(&solution.report)?);
    } else {
        print(&solution, size);
    }
    if let Some(problem) = &solution.certificate_problem {
        eprintln!("quod: no certificate: {problem}");
    }
    let done = solution.report.stop == Stop::Solved && solution.certificate_problem.is_none();
    Ok(if done { Ending::Done } else { Ending::Unsolved })
}

/// A file beside the one that is to be written: it takes that one's place when it is complete.
fn create(path: &Path) -> anyhow::Result<NamedTempFile> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if path.is_dir() {
        return Err(anyhow!("certificate file \"{}\": it is a folder; name a file in it", path.display()));
    }
    NamedTempFile::new_in(folder)
        .with_context(|| format!("certificate file \"{}\": cannot write there", path.display()))
}

fn store(mut file: NamedTempFile, path: &Path, encoded: &[u8]) -> anyhow::Result<()> {
    let failed = || format!("cannot write the certificate to {}", path.display());
    file.write_all(encoded).with_context(failed)?;
    file.as_file().sync_all().with_context(failed)?;
    // Such files are private at first; a certificate is as readable as any new file.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        file.as_file().set_permissions(std::fs::Permissions::from_mode(0o644)).with_context(failed)?;
    }
    let stored: File = file.persist(path).map_err(|error| error.error).with_context(failed)?;
    drop(stored);
    Ok(())
}

fn print(solution: &Solution, certificate_bytes: Option<u64>) {
    let report = &solution.report;
    let width = terminal_width();
    println!("{}, {} to move\n", report.game, report.to_move);
    println!("{}\n", solution.picture);
    println!("Answer       {}", answer(solution));
    if let Some(best) = &report.best_move {
        println!("Best move    {best}");
    }
    if !report.line.is_empty() {
        println!("{}", wrapped("Line         ", report.line.iter().map(String::as_str), width));
    }
    let search = [
        format!("{}: {} nodes,", report.algorithm, grouped(report.nodes)),
        format!("{} expansions,", grouped(report.expansions)),
        format!("{} updates,", grouped(report.updates)),
        format!("{:.2} s,", report.seconds),
        format!("{} of memory", bytes(report.memory_bytes)),
    ];
    println!("{}", wrapped("Search       ", search.iter().map(String::as_str), width));
    if let Some(why) = report.why {
        println!("{}", wrapped("Why          ", why.split(' '), width));
    }
    if let (Some(file), Some(size)) = (&report.certificate, certificate_bytes) {
        println!("Certificate  {file} ({})\n             check it: quod check {file}", bytes(size));
    }
}

/// The answer as a sentence.
fn answer(solution: &Solution) -> String {
    let report = &solution.report;
    let (who, what) = (report.to_move, &solution.value_text);
    match report.stop {
        Stop::Solved if report.goal == "value" => format!("{what} for {who}: the exact value, proven"),
        Stop::Solved if report.verdict == "proven" => {
            format!("yes: {who} can get {}, proven", goal(report, what))
        }
        Stop::Solved => format!("no: {who} cannot get {}, proven", goal(report, what)),
        stop => {
            let why = match stop {
                Stop::Nodes => "the limit of nodes is reached",
                Stop::Time => "the time is over",
                Stop::Memory => "the memory is full",
                _ => "interrupted",
            };
            format!("unknown: {why}; the value is between {} and {}", report.lower, report.upper)
        }
    }
}

fn goal(report: &Report, what: &str) -> String {
    match report.goal.as_str() {
        "win" => "a win".to_owned(),
        "draw" => "at least a draw".to_owned(),
        _ => format!("at least {what}"),
    }
}

/// The width of the terminal; 80 where there is none.
pub(crate) fn terminal_width() -> usize {
    let size = console::Term::stdout().size_checked();
    size.map_or(80, |(_, columns)| usize::from(columns)).clamp(40, 120)
}
