//! The progress line, and Ctrl-C. On a terminal only, and only when it takes longer than a second.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use quod_solver::{DepthFirst, Notice, Phase, Snapshot, Watch};

use crate::numbers::{bytes, grouped, short};
use crate::program;

const QUIET: Duration = Duration::from_secs(1);
const REDRAW: Duration = Duration::from_millis(200);

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// From now on the first Ctrl-C (or SIGTERM) asks the work to stop and the second one leaves at once.
pub(crate) fn catch_interrupts() {
    // A handler that cannot be set leaves the system's own: Ctrl-C then ends the program at once.
    let _ = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::SeqCst) {
            std::process::exit(130);
        }
        eprintln!("\nstopping (again to leave at once) ...");
    });
}

pub(crate) fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}

/// A line on standard error that says how far the work has come.
pub(crate) struct ProgressLine {
    bar: ProgressBar,
    begun: Instant,
    drawn: Option<Instant>,
    /// Whether the last checkpoint could not be written.
    failed: bool,
    /// What is worked on, when there is more than one thing.
    pub(crate) label: String,
}

impl ProgressLine {
    pub(crate) fn new() -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        bar.set_style(ProgressStyle::with_template("{spinner} {wide_msg}").expect("a fixed template"));
        Self { bar, begun: Instant::now(), drawn: None, failed: false, label: String::new() }
    }

    /// Shows a message, if it is time to. False if somebody has asked to stop.
    pub(crate) fn show(&mut self, message: impl FnOnce() -> String) -> bool {
        let due = match self.drawn {
            None => self.begun.elapsed() >= QUIET,
            Some(drawn) => drawn.elapsed() >= REDRAW,
        };
        if due {
            self.drawn = Some(Instant::now());
            self.bar.set_message(format!("{}{}", self.label, message()));
            self.bar.tick();
        }
        !interrupted()
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

impl Watch for ProgressLine {
    fn goes_on(&mut self, snapshot: &Snapshot) -> bool {
        self.show(|| describe(snapshot))
    }

    fn notice(&mut self, notice: &Notice) {
        let say = |text: String| self.bar.suspend(|| eprintln!("{}: {text}", program()));
        match notice {
            Notice::Written(..) => self.failed = false,
            // Once, until one is written again.
            Notice::Failed(_) if self.failed => {}
            Notice::Failed(why) => {
                say(format!("no checkpoint was written: {why}; the search goes on"));
                self.failed = true;
            }
            Notice::Older(problems) => {
                problems.iter().for_each(|problem| say(format!("{problem}; the one before it is used")));
            }
            Notice::Resumed(path, nodes) => {
                say(format!("goes on from {}, after {} nodes", path.display(), grouped(*nodes)));
            }
        }
    }
}

/// Everything within 80 columns, what is asked most often first.
fn describe(snapshot: &Snapshot) -> String {
    let seconds = snapshot.elapsed.as_secs_f64();
    let rate = short((snapshot.nodes as f64 / seconds.max(0.001)) as u64);
    let what = match snapshot.phase {
        Phase::Search(numbers, depth_first) => {
            let (pn, dn) = (short(numbers.pn.into()), short(numbers.dn.into()));
            let asked = format!(">={}? pn {pn} dn {dn}", snapshot.at_least);
            match depth_first {
                None => asked,
                Some(at) => return depth_first_line(snapshot, &rate, &asked, &at),
            }
        }
        Phase::Pieces(proved, all) => format!("{proved} of {all} replies proved"),
        Phase::Certificate(positions) => format!("certificate, {} positions", short(positions)),
    };
    format!(
        "{seconds:.0}s  {} nodes ({rate}/s)  {what}  value {}..{}  {}",
        short(snapshot.nodes),
        snapshot.lower,
        snapshot.upper,
        bytes(snapshot.memory_bytes)
    )
}

/// A depth-first search says also how many moves at the root are solved, how full its table is, and how deep it is.
fn depth_first_line(snapshot: &Snapshot, rate: &str, asked: &str, at: &DepthFirst) -> String {
    format!(
        "{:.0}s {} nodes ({rate}/s) {asked} moves {}/{} depth {}-{} table {}%",
        snapshot.elapsed.as_secs_f64(),
        short(snapshot.nodes),
        at.solved,
        at.moves,
        at.shallowest,
        at.deepest,
        at.filled * 100 / at.places.max(1)
    )
}
