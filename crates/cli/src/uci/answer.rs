//! What is said about a search, while it goes on and at its end.

use std::time::{Duration, Instant};

use quod_solver::{Door, Phase, Place, Snapshot, Solution, Stop, Watch};

use super::Tell;
use super::signal::Signal;

/// How often a search says how far it has come.
const PERIOD: Duration = Duration::from_millis(500);
/// For a mate of unknown length: more than any material is worth.
const MATE_SOMEHOW: u32 = 20_000;

/// Looks on while a search goes on.
pub(super) struct Eye<'s> {
    pub(super) signal: &'s Signal,
    pub(super) output: &'s dyn Tell,
    pub(super) told: Instant,
}

impl Watch for Eye<'_> {
    fn goes_on(&mut self, snapshot: &Snapshot) -> bool {
        if self.told.elapsed() >= PERIOD {
            self.told = Instant::now();
            let depths = match snapshot.phase {
                Phase::Search(_, Some(at)) => {
                    let full = at.filled * 1000 / at.places.max(1);
                    format!("depth {} seldepth {} hashfull {full} ", at.shallowest.max(1), at.deepest.max(1))
                }
                _ => String::new(),
            };
            self.output.tell(&[format!("info {depths}{}", effort(snapshot.nodes, snapshot.elapsed))]);
        }
        self.signal.goes_on()
    }
}

fn effort(nodes: u64, elapsed: Duration) -> String {
    let rate = nodes as f64 / elapsed.as_secs_f64().max(0.001);
    format!("nodes {nodes} nps {rate:.0} time {}", elapsed.as_millis())
}

/// The lines that say what was found, and the move that is made.
pub(super) struct Answer {
    pub(super) lines: Vec<String>,
    pub(super) best_move: String,
}

/// What is said of a position where the game is over.
pub(super) fn of_end(is_mate: bool) -> Answer {
    let (score, what) =
        if is_mate { ("mate 0", "the side to move is mated") } else { ("cp 0", "the game is drawn") };
    let lines = vec![format!("info depth 0 score {score}"), format!("info string {what}")];
    Answer { lines, best_move: "bestmove (none)".to_owned() }
}

/// What is said where nothing can be searched; why, is told already.
pub(super) fn none() -> Answer {
    Answer { lines: Vec::new(), best_move: "bestmove (none)".to_owned() }
}

/// What is said at the end of a search. `within` is the number of moves that was asked for.
pub(super) fn of_search(
    door: &dyn Door,
    place: &Place,
    solution: &Solution,
    within: Option<u32>,
    stopped: bool,
) -> Answer {
    let report = &solution.report;
    let told = |moves: &[String]| door.engine_line(place, moves).unwrap_or_default();
    let is_mate = report.verdict == "proven";
    let line = if is_mate { told(&report.line) } else { Vec::new() };
    let (score, what) = match (report.verdict, solution.wins_in) {
        ("proven", Some(moves)) => (format!("mate {moves}"), format!("mate in {moves}: proven")),
        ("proven", None) => {
            (format!("cp {MATE_SOMEHOW}"), "mate: proven; how long it takes is not known".to_owned())
        }
        ("disproven", _) if let Some(moves) = within => {
            ("cp 0".to_owned(), format!("no mate within {moves}: proven"))
        }
        ("disproven", _) => ("cp 0".to_owned(), "no forced mate: proven".to_owned()),
        _ => {
            let why = match report.stop {
                Stop::Nodes => "the limit of nodes is reached",
                Stop::Memory => "the memory is full",
                _ if stopped => "stopped",
                _ => "the time is over",
            };
            ("cp 0".to_owned(), format!("nothing proven: {why}"))
        }
    };
    let effort = effort(report.nodes, Duration::from_secs_f64(report.seconds));
    let depth = line.len().max(1);
    let mut info = format!("info depth {depth} seldepth {depth} {effort} score {score}");
    let best = line.first().cloned().or_else(|| {
        let chosen = report.best_move.clone().or_else(|| any_move(door, place))?;
        told(&[chosen]).into_iter().next()
    });
    let mut best_move = format!("bestmove {}", best.as_deref().unwrap_or("(none)"));
    let shown = if line.is_empty() { best.into_iter().collect() } else { line };
    if !shown.is_empty() {
        info += &format!(" pv {}", shown.join(" "));
    }
    if let Some(reply) = shown.get(1) {
        best_move += &format!(" ponder {reply}");
    }
    Answer { lines: vec![info, format!("info string {what}")], best_move }
}

fn any_move(door: &dyn Door, place: &Place) -> Option<String> {
    door.sit_down(place).ok()?.legal_moves().into_iter().next()
}
