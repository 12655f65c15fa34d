//! `quod analyze`.

pub(crate) mod options;

mod chart;
mod table;

use std::io::Read as _;

use anyhow::anyhow;
use quod_solver::{AnalysisEnd, Follow, Games, Place, Snapshot, Watch};

use crate::drawing::Drawing as _;
use crate::output::{print, print_json};
use crate::progress::{ProgressLine, catch_interrupts};
use crate::solve::terminal_width;
use crate::target::Target;
use crate::{Ending, Failure, open};

use options::AnalyzeOptions;

pub(crate) fn run(games: &Games, options: &AnalyzeOptions) -> Result<Ending, Failure> {
    let game = open(games, &options.game, options.db.as_deref())?;
    let target = options.plot.as_deref().map(|path| Target::new("plot", path));
    let target = target.transpose().map_err(Failure::input)?;
    let score = score(options).map_err(Failure::input)?;
    let start = Place { position: options.position.clone(), moves: None };
    catch_interrupts();
    let mut progress = Progress(ProgressLine::new());
    let analyzed = game.analyze(&start, &score, &options.request(), &mut progress);
    drop(progress);
    let analysis = analyzed.map_err(Failure::input)?;
    if let (Some(target), Some(path)) = (target, &options.plot) {
        target.store(&chart::Chart::of(&analysis).form_of(path)?)?;
    }
    if options.json {
        print_json(&analysis)?;
    } else {
        let mut text = table::described(&analysis, options, terminal_width());
        if let Some(path) = &options.plot {
            text.push_str(&format!("written: {}\n", path.display()));
        }
        print(&text)?;
    }
    Ok(match analysis.end {
        AnalysisEnd::Start | AnalysisEnd::Unsolved => Ending::Done,
        AnalysisEnd::Time | AnalysisEnd::Interrupted => Ending::Unsolved,
    })
}

/// The score as it is given: in the arguments, in a file, or on standard input.
fn score(options: &AnalyzeOptions) -> anyhow::Result<String> {
    let Some(path) = &options.file else {
        return Ok(options.moves.clone().unwrap_or_default());
    };
    let wrong = |problem: String| anyhow!("score \"{}\": {problem}", path.display());
    let bytes = if path.as_os_str() == "-" {
        let mut bytes = Vec::new();
        std::io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        std::fs::read(path)
    };
    let bytes = bytes.map_err(|error| wrong(format!("it cannot be read: {error}")))?;
    String::from_utf8(bytes).map_err(|error| {
        let line =
            error.as_bytes()[..error.utf8_error().valid_up_to()].iter().filter(|b| **b == b'\n').count();
        wrong(format!("line {} is no text (UTF-8)", line + 1))
    })
}

/// The progress line says which position is looked at.
struct Progress(ProgressLine);

impl Watch for Progress {
    fn goes_on(&mut self, snapshot: &Snapshot) -> bool {
        self.0.goes_on(snapshot)
    }
}

impl Follow for Progress {
    fn comes_to(&mut self, ply: usize, positions: usize) {
        self.0.label = format!("{ply}/{positions}: ");
    }
}
