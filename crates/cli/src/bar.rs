//! The progress bar of work that knows how much there is. On a terminal only, and only when it takes longer than a second.

use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::program;
use crate::progress::interrupted;

const QUIET: Duration = Duration::from_secs(1);
const REDRAW: Duration = Duration::from_millis(200);
const STEPS: u64 = 10_000;

pub(crate) struct Bar {
    bar: ProgressBar,
    begun: Instant,
    drawn: Option<Instant>,
    /// How much was done when it began: what earlier work has left.
    first: Option<f64>,
}

impl Bar {
    pub(crate) fn new() -> Self {
        let bar = ProgressBar::with_draw_target(Some(STEPS), ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("{spinner} [{wide_bar}] {percent:>3}% {msg}");
        bar.set_style(style.expect("a fixed template").progress_chars("=> "));
        Self { bar, begun: Instant::now(), drawn: None, first: None }
    }

    /// Shows which part of the work is done, with a message about it, if it is time to. False if somebody has asked to stop.
    pub(crate) fn show(&mut self, fraction: f64, message: impl FnOnce() -> String) -> bool {
        let first = *self.first.get_or_insert(fraction);
        let due = match self.drawn {
            None => self.begun.elapsed() >= QUIET,
            Some(drawn) => drawn.elapsed() >= REDRAW,
        };
        if due {
            self.drawn = Some(Instant::now());
            let left = self.begun.elapsed().as_secs_f64() * (1.0 - fraction) / (fraction - first).max(1e-6);
            let left = HumanDuration(Duration::try_from_secs_f64(left).unwrap_or(Duration::MAX));
            self.bar.set_message(format!("{}, {left:#} left", message()));
            self.bar.set_position((fraction * STEPS as f64) as u64);
        }
        !interrupted()
    }

    /// Says something that stays, above the bar.
    pub(crate) fn say(&self, text: &str) {
        self.bar.suspend(|| eprintln!("{}: {text}", program()));
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
