//! The score sheet: written after every move, so that nothing is lost, in a form that `quod analyze` reads.

use quod_solver::Playing;

use crate::numbers::wrapped;
use crate::target::Target;

use super::options::{PlayOptions, Side};

pub(super) struct Sheet {
    target: Option<Target>,
    head: String,
}

/// How a game stands for the sheet.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Result {
    /// It goes on, or was left.
    Open,
    /// What First gets: a win, a draw or a loss.
    Over(i32),
}

impl Sheet {
    pub(super) fn new(game: &str, options: &PlayOptions) -> anyhow::Result<Self> {
        let target = options.sheet.as_deref().map(|path| Target::new("sheet", path)).transpose()?;
        let player = |side| if options.itself || options.side != side { "program" } else { "person" };
        let head = format!("# {game}, {} against {}\n", player(Side::First), player(Side::Second));
        Ok(Self { target, head })
    }

    pub(super) fn write(&self, board: &dyn Playing, result: Result) -> anyhow::Result<()> {
        let Some(target) = &self.target else { return Ok(()) };
        let begun = board.begun_at().map_or_else(String::new, |position| format!("# from {position}\n"));
        let word = match result {
            Result::Open => "*",
            Result::Over(value) => ["0-1", "1/2-1/2", "1-0"][(value.signum() + 1) as usize],
        };
        let score = board.score();
        let text = wrapped("", score.split(' ').filter(|word| !word.is_empty()).chain([word]), 80);
        target.store(format!("{}{begun}{text}\n", self.head).as_bytes())
    }
}
