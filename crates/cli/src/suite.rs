//! `quod solve GAME --epd FILE`: all positions of a suite.

mod certificates;
mod data;
mod table;

use std::path::Path;

use anyhow::anyhow;
use quod_solver::{
    Door, Problem, Request, Solution, Stop, SuiteProgress, SuiteRow, WatchSuite, read_suite, solve_suite,
};

use crate::arguments::SolveOptions;
use crate::bar::Bar;
use crate::numbers::short;
use crate::output::{print, print_json};
use crate::progress::{catch_interrupts, interrupted};
use crate::solve::terminal_width;
use crate::target::Target;
use crate::{Ending, Failure, program, source};
use certificates::Certificates;

pub(crate) fn run(
    door: &dyn Door,
    request: &Request,
    options: &SolveOptions,
    file: &Path,
) -> Result<Ending, Failure> {
    let (name, text) = source::read(file).map_err(Failure::input)?;
    let problems = read_suite(door, &name, &text).map_err(Failure::input)?;
    let csv_is_printed = options.csv.as_deref() == Some(Path::new("-"));
    if csv_is_printed && options.json {
        let message = "--csv: --json is printed already; name a file for one of them";
        return Err(Failure::input(anyhow!(message)));
    }
    // Looked at before the searches, so that a wrong folder is not found out after a week.
    let csv = options.csv.as_deref().filter(|_| !csv_is_printed).map(|path| Target::new("CSV", path));
    let csv = csv.transpose().map_err(Failure::input)?;
    let folder = options.certificate.as_deref().map(|folder| Certificates::new(folder, &problems));
    let certificates = folder.transpose().map_err(Failure::input)?;
    catch_interrupts();
    let workers =
        options.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let mut desk = Desk { problems: &problems, certificates, missing: 0, failed: None, bar: Bar::new() };
    let rows = solve_suite(door, &problems, request, workers, &mut desk);
    let Desk { missing, failed, bar, .. } = desk;
    drop(bar);
    let rows = rows.map_err(Failure::input)?;

    if let Some(target) = csv {
        target.store(data::csv(&rows)?.as_bytes())?;
    }
    if options.json {
        print_json(&data::json(&rows))?;
    } else if csv_is_printed {
        print(&data::csv(&rows)?)?;
    } else {
        print(&table::drawn(door, request.aim, &rows, problems.len(), terminal_width()))?;
    }
    if let Some(error) = failed {
        return Err(error.into());
    }
    if missing > 0 {
        return Err(anyhow!("{missing} of the solved positions have no certificate").into());
    }
    let solved = rows.iter().filter(|row| row.is_solved()).count();
    Ok(if solved == problems.len() { Ending::Done } else { Ending::Unsolved })
}

/// Where solved positions arrive.
struct Desk<'s> {
    problems: &'s [Problem],
    certificates: Option<Certificates>,
    /// Solved positions without a certificate that was asked for.
    missing: usize,
    /// What went wrong with a file.
    failed: Option<anyhow::Error>,
    bar: Bar,
}

impl WatchSuite for Desk<'_> {
    fn takes(&mut self, place: usize, solution: &mut Solution) -> bool {
        let Some(certificates) = &self.certificates else { return true };
        if let Some(problem) =
            solution.certificate_problem.as_ref().filter(|_| solution.report.stop == Stop::Solved)
        {
            self.missing += 1;
            eprintln!("{}: {}: no certificate: {problem}", program(), self.problems[place].id);
        }
        match certificates.store(place, solution) {
            Ok(()) => true,
            Err(error) => {
                self.failed = Some(error);
                false
            }
        }
    }

    fn goes_on(&mut self, progress: &SuiteProgress) -> bool {
        let SuiteProgress { done, solved, positions, nodes, elapsed } = *progress;
        let message = || {
            let rate = short((nodes as f64 / elapsed.as_secs_f64().max(0.001)) as u64);
            format!("{done}/{positions}, {solved} solved, {} nodes ({rate}/s)", short(nodes))
        };
        self.bar.show(done as f64 / positions as f64, message) && !interrupted()
    }
}

/// Whether the file says how long the mates are.
fn knows_lengths(rows: &[SuiteRow]) -> bool {
    rows.iter().any(|row| row.problem.dm.is_some())
}
