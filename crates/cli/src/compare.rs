//! `quod compare`.

pub(crate) mod options;

mod data;
mod positions;
mod table;

use std::path::{Path, PathBuf};

use anyhow::anyhow;
use quod_solver::{Algorithm, Certified, Comparison, Door, Games, InputError};

use crate::drawing::Drawing as _;
use crate::output::print;
use crate::plot::Figure;
use crate::progress::{ProgressLine, catch_interrupts, interrupted};
use crate::solve::terminal_width;
use crate::target::Target;
use crate::{Ending, Failure, open, program};

use options::CompareOptions;

pub(crate) fn run(games: &Games, options: &CompareOptions) -> Result<Ending, Failure> {
    let game = open(games, &options.game, options.db.as_deref())?;
    let door = &*game;
    let mut comparison = prepared(door, options).map_err(Failure::input)?;
    positions::add(&mut comparison, door, options).map_err(Failure::input)?;
    // Looked at before the searches, so that a wrong folder is not found out after a week.
    let files = Files::of(door, options).map_err(Failure::input)?;
    catch_interrupts();
    measure(&mut comparison, door)?;

    let figure = Figure::of(&door.game_text(), &comparison);
    let plots = files.store(&comparison, &figure)?;
    if options.json {
        let names = files.names(plots);
        crate::output::print_json(&data::json(door, &comparison, &names))?;
    } else if files.csv_is_printed {
        print(&data::csv(&comparison)?)?;
    } else {
        let mut text = table::drawn(door, &comparison, terminal_width());
        for name in files.names(plots) {
            text.push_str(&format!("written: {name}\n"));
        }
        if !plots && !files.plots.is_empty() {
            text.push_str("no plot: no position is solved by the standard\n");
        }
        print(&text)?;
    }
    ending(&comparison)
}

/// The searches that are wanted, as far as they can be asked this about the game.
fn prepared(door: &dyn Door, options: &CompareOptions) -> Result<Comparison, InputError> {
    let mut comparison = Comparison {
        aim: door.aim(options.goal.as_deref())?,
        algorithms: options.named(),
        standard: 0,
        limits: options.limits(),
        threads: options.threads,
        certify: options.certify,
        rows: Vec::new(),
    };
    if comparison.algorithms.is_empty() {
        // Threads are no question of the game: who cannot use them is refused below, and not left out.
        let alone = Comparison { threads: None, ..comparison.clone() };
        let suits = |algorithm: &Algorithm| alone.accepts(door, *algorithm).is_ok();
        comparison.algorithms = Comparison::USUAL.into_iter().filter(suits).collect();
    }
    if let Some(standard) = options.standard() {
        let place = comparison.algorithms.iter().position(|algorithm| *algorithm == standard);
        comparison.standard = place.unwrap_or_else(|| {
            comparison.algorithms.insert(0, standard);
            0
        });
    }
    for (place, algorithm) in comparison.algorithms.iter().enumerate() {
        if comparison.algorithms[..place].contains(algorithm) {
            return Err(InputError::new("algorithm", algorithm.name(), "it is named twice")
                .hint("every search runs once on every position"));
        }
        comparison.accepts(door, *algorithm)?;
    }
    Ok(comparison)
}

/// Runs all searches on all positions, one after the other, until somebody asks to stop.
fn measure(comparison: &mut Comparison, door: &dyn Door) -> Result<(), InputError> {
    let mut progress = ProgressLine::new();
    let (rows, columns) = (comparison.rows.len(), comparison.algorithms.len());
    for row in 0..rows {
        for column in 0..columns {
            if interrupted() {
                return Ok(());
            }
            let name = comparison.algorithms[column].name();
            progress.label = format!("{}/{rows} {name}: ", row + 1);
            comparison.measure(door, row, column, &mut progress)?;
        }
    }
    Ok(())
}

/// The files that are to be written.
struct Files {
    csv: Option<(PathBuf, Target)>,
    csv_is_printed: bool,
    plots: Vec<(PathBuf, Target)>,
}

impl Files {
    fn of(door: &dyn Door, options: &CompareOptions) -> anyhow::Result<Self> {
        let csv_is_printed = options.csv.as_deref() == Some(Path::new("-"));
        if csv_is_printed && options.json {
            return Err(anyhow!("--csv -: --json is printed already; name a file for one of them"));
        }
        let named = |what, path: PathBuf| Target::new(what, &path).map(|target| (path, target));
        let csv = options.csv.clone().filter(|_| !csv_is_printed).map(|path| named("CSV", path));
        let usual = || {
            let name: String =
                door.game_text().chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
            ["svg", "png"].map(|ending| PathBuf::from(format!("compare-{name}.{ending}"))).to_vec()
        };
        let plots = match &options.plot[..] {
            _ if options.no_plot => Vec::new(),
            [] => usual(),
            named => named.to_vec(),
        };
        let plots = plots
            .into_iter()
            .map(|path| named("plot", path).map_err(|error| anyhow!("{error}\n  --no-plot draws none")));
        let plots = plots.collect::<anyhow::Result<_>>()?;
        Ok(Self { csv: csv.transpose()?, csv_is_printed, plots })
    }

    /// Writes them, and says whether there was anything to draw.
    fn store(&self, comparison: &Comparison, figure: &Figure) -> anyhow::Result<bool> {
        if let Some((_, target)) = &self.csv {
            target.store(data::csv(comparison)?.as_bytes())?;
        }
        if figure.is_empty() {
            return Ok(false);
        }
        for (path, target) in &self.plots {
            target.store(&figure.form_of(path)?)?;
        }
        Ok(true)
    }

    fn names(&self, with_plots: bool) -> Vec<String> {
        let plots = self.plots.iter().filter(|_| with_plots);
        self.csv.iter().chain(plots).map(|(path, _)| path.display().to_string()).collect()
    }
}

/// What is wrong is said after everything that was found, where nobody overlooks it.
fn ending(comparison: &Comparison) -> Result<Ending, Failure> {
    let mut problems: Vec<String> = comparison
        .contradictions()
        .map(|found| {
            format!(
                "CONTRADICTION about {}: {} says that its value is at least {}, {} that it is at most {}",
                found.position, found.at_least.0, found.at_least.1, found.at_most.0, found.at_most.1
            )
        })
        .collect();
    let mut missing = 0;
    for row in &comparison.rows {
        for (run, algorithm) in row.runs.iter().zip(&comparison.algorithms) {
            let (position, name) = (&row.position, algorithm.name());
            match run.as_ref().and_then(|run| run.certified.as_ref()) {
                Some(Certified::Refused(why)) => {
                    problems.push(format!("certificate of {name} about {position}: {why}"));
                }
                Some(Certified::Missing(why)) => {
                    missing += 1;
                    eprintln!("{}: no certificate of {name} about {position}: {why}", program());
                }
                Some(Certified::Accepted) | None => {}
            }
        }
    }
    if !problems.is_empty() {
        let all = problems.join("\n  ");
        return Err(anyhow!("one of the searches is WRONG, please report this:\n  {all}").into());
    }
    Ok(if interrupted() || missing > 0 { Ending::Unsolved } else { Ending::Done })
}

#[cfg(test)]
mod tests {
    use super::*;
    use quod_solver::{Aim, Limits, Place};

    fn game() -> Box<dyn Door> {
        quod_solver::games().open("tictactoe").unwrap()
    }

    fn measured(certify: bool) -> Comparison {
        let game = game();
        let mut comparison = Comparison {
            aim: Aim::Value,
            algorithms: vec![Algorithm::Pn, Algorithm::Dfpn],
            standard: 0,
            limits: Limits::default(),
            threads: None,
            certify,
            rows: Vec::new(),
        };
        comparison.add(&*game, Place::default()).unwrap();
        measure(&mut comparison, &*game).unwrap();
        comparison
    }

    #[test]
    fn a_contradiction_is_a_failure_of_the_program() {
        let mut comparison = measured(false);
        assert!(matches!(ending(&comparison), Ok(Ending::Done)));
        let report = &mut comparison.rows[0].runs[1].as_mut().unwrap().report;
        (report.lower, report.upper, report.value) = (1, 1, Some(1));
        let failure = ending(&comparison).map(|_| ()).unwrap_err();
        assert_eq!(failure.status, 1);
        let message = failure.error.to_string();
        assert!(message.contains("CONTRADICTION about .../.../...: dfpn says"), "{message}");
        assert!(table::drawn(&*game(), &comparison, 80).contains("(start)   !!"));
        assert_eq!(data::json(&*game(), &comparison, &[])["contradictions"][0]["at_most"]["algorithm"], "pn");
    }

    #[test]
    fn a_refused_certificate_is_a_failure_and_a_missing_one_is_unsolved() {
        let mut comparison = measured(true);
        assert!(matches!(ending(&comparison), Ok(Ending::Done)));
        let mut certified = |new| comparison.rows[0].runs[1].as_mut().unwrap().certified = Some(new);
        certified(Certified::Missing("the time is over".to_owned()));
        assert!(matches!(ending(&comparison), Ok(Ending::Unsolved)));
        comparison.rows[0].runs[1].as_mut().unwrap().certified = Some(Certified::Refused("no".to_owned()));
        assert_eq!(ending(&comparison).map(|_| ()).unwrap_err().status, 1);
    }
}
