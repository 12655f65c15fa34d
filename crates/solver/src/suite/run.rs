//! Solves suites: several positions at once, each by a search of one thread, so that its counts do not depend on the others.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use quod_model::InputError;

use super::Problem;
use crate::door::Door;
use crate::drive::{Snapshot, Watch};
use crate::memory::three_quarters_free;
use crate::report::{Report, Solution, Stop};
use crate::request::Request;
use crate::team::locked;

/// How often somebody who looks on is asked whether to go on.
const TICK: Duration = Duration::from_millis(50);

/// A position of a suite with what was found.
#[derive(Clone, Debug)]
pub struct SuiteRow {
    /// Which it is.
    pub problem: Problem,
    /// What was found.
    pub report: Report,
    /// The value in the game's words; empty if nothing was found out.
    pub value_text: String,
    /// In how many moves the side to move wins at the latest, if it does and that could be found out.
    pub mate: Option<u32>,
}

impl SuiteRow {
    /// Whether the question about it is answered.
    #[must_use]
    pub fn is_solved(&self) -> bool {
        self.report.stop == Stop::Solved
    }

    /// Whether what is proven cannot be if the file is right about the length of the shortest win.
    #[must_use]
    pub fn contradicts_file(&self) -> bool {
        let Some(dm) = self.problem.dm else { return false };
        self.report.upper <= 0 || self.mate.is_some_and(|mate| mate < dm)
    }
}

/// How far the work on a suite has come.
#[derive(Clone, Copy, Debug)]
pub struct SuiteProgress {
    /// Positions that are done.
    pub done: usize,
    /// Those of them that are solved.
    pub solved: usize,
    /// All positions.
    pub positions: usize,
    /// Nodes created, those of searches under way too.
    pub nodes: u64,
    /// Time since the start.
    pub elapsed: Duration,
}

/// Somebody who looks on while a suite is solved.
pub trait WatchSuite {
    /// A position is done, not always in the order of the file. False stops the work; what is done by then still comes.
    fn takes(&mut self, place: usize, solution: &mut Solution) -> bool;

    /// Called some ten times a second. False stops the work; what is under way ends unsolved.
    fn goes_on(&mut self, progress: &SuiteProgress) -> bool;
}

/// Nobody looks on.
impl WatchSuite for () {
    fn takes(&mut self, _: usize, _: &mut Solution) -> bool {
        true
    }
    fn goes_on(&mut self, _: &SuiteProgress) -> bool {
        true
    }
}

/// What the workers share.
struct Work<'s> {
    door: &'s dyn Door,
    problems: &'s [Problem],
    request: Request,
    next: AtomicUsize,
    stop: AtomicBool,
    /// Nodes of searches that have ended.
    ended_nodes: AtomicU64,
    /// Nodes of the search that each worker is at.
    nodes: Vec<AtomicU64>,
    wrong: Mutex<Option<InputError>>,
}

/// Solves the positions of a suite, `workers` at once. Limits are for each position; without a limit of memory, the workers
/// share what a search would take alone. Rows come in the order of the file; positions that were not begun are left out.
///
/// # Errors
/// If the request cannot be carried out for the game.
///
/// ```
/// use quod_solver::{Request, games, read_suite, solve_suite};
/// let game = games().open("tictactoe").unwrap();
/// let suite = read_suite(&*game, "mine", "xx./oo./... id one;\nx../oo./..x id two;").unwrap();
/// let rows = solve_suite(&*game, &suite, &Request::default(), 2, &mut ()).unwrap();
/// assert_eq!((rows[0].mate, rows[1].problem.id.as_str()), (Some(1), "two"));
/// ```
pub fn solve_suite(
    door: &dyn Door,
    problems: &[Problem],
    request: &Request,
    workers: usize,
    watch: &mut dyn WatchSuite,
) -> Result<Vec<SuiteRow>, InputError> {
    let workers = workers.clamp(1, problems.len().max(1));
    let mut request = Request { threads: Some(1), ..*request };
    // A table of another size forgets other things: counts would change with what happens to be free.
    let share = || 1 << (three_quarters_free() / workers as u64).max(1).ilog2();
    request.limits.memory.get_or_insert_with(share);
    let work = Work {
        door,
        problems,
        request,
        next: AtomicUsize::new(0),
        stop: AtomicBool::new(false),
        ended_nodes: AtomicU64::new(0),
        nodes: (0..workers).map(|_| AtomicU64::new(0)).collect(),
        wrong: Mutex::new(None),
    };
    let mut rows: Vec<Option<SuiteRow>> = problems.iter().map(|_| None).collect();
    let begun = Instant::now();
    std::thread::scope(|scope| {
        let (sender, solutions) = channel();
        for nodes in &work.nodes {
            let (work, sender) = (&work, sender.clone());
            scope.spawn(move || work.take_part(nodes, &sender));
        }
        drop(sender);
        let (mut done, mut solved) = (0, 0);
        loop {
            match solutions.recv_timeout(TICK) {
                Ok((place, mut solution)) => {
                    if !watch.takes(place, &mut solution) {
                        work.stop.store(true, Ordering::Relaxed);
                    }
                    done += 1;
                    solved += usize::from(solution.report.stop == Stop::Solved);
                    rows[place] = Some(row(&problems[place], solution));
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            let progress = SuiteProgress {
                done,
                solved,
                positions: problems.len(),
                nodes: work.nodes_so_far(),
                elapsed: begun.elapsed(),
            };
            if !watch.goes_on(&progress) {
                work.stop.store(true, Ordering::Relaxed);
            }
        }
    });
    match locked(&work.wrong).take() {
        Some(error) => Err(error),
        None => Ok(rows.into_iter().flatten().collect()),
    }
}

fn row(problem: &Problem, solution: Solution) -> SuiteRow {
    let Solution { report, value_text, wins_in, .. } = solution;
    SuiteRow { problem: problem.clone(), report, value_text, mate: wins_in }
}

impl Work<'_> {
    /// Solves one position after the other, until there are no more or somebody says stop.
    fn take_part(&self, nodes: &AtomicU64, solutions: &Sender<(usize, Solution)>) {
        while !self.stop.load(Ordering::Relaxed) {
            let place = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(problem) = self.problems.get(place) else { return };
            let mut eye = Eye { stop: &self.stop, nodes };
            match self.door.solve(&problem.place(), &self.request, &mut eye) {
                Ok(solution) => {
                    nodes.store(0, Ordering::Relaxed);
                    self.ended_nodes.fetch_add(solution.report.nodes, Ordering::Relaxed);
                    if solutions.send((place, solution)).is_err() {
                        return;
                    }
                }
                Err(error) => {
                    self.stop.store(true, Ordering::Relaxed);
                    *locked(&self.wrong) = Some(error);
                }
            }
        }
    }

    fn nodes_so_far(&self) -> u64 {
        let under_way = self.nodes.iter().map(|nodes| nodes.load(Ordering::Relaxed)).sum::<u64>();
        self.ended_nodes.load(Ordering::Relaxed) + under_way
    }
}

/// Looks on for everybody while one position is solved.
struct Eye<'s> {
    stop: &'s AtomicBool,
    nodes: &'s AtomicU64,
}

impl Watch for Eye<'_> {
    fn goes_on(&mut self, snapshot: &Snapshot) -> bool {
        self.nodes.store(snapshot.nodes, Ordering::Relaxed);
        !self.stop.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::door::Place;
    use crate::request::{Aim, Limits};
    use crate::{games, read_suite};

    fn suite(game: &str, count: usize) -> (Box<dyn Door>, Vec<Problem>) {
        let door = games().open(game).unwrap();
        let lines = door.random_lines(count, 3, 4..=12);
        let position =
            |moves: String| door.locate(&Place { position: None, moves: Some(moves) }).unwrap().position;
        let text = lines.into_iter().map(position).collect::<Vec<_>>().join("\n");
        let problems = read_suite(&*door, "random", &text).unwrap();
        (door, problems)
    }

    /// What several workers find is what each search finds alone, to the node.
    #[test]
    fn workers_change_nothing_but_the_time() {
        let (door, problems) = suite("connect4:5x4", 40);
        let limits = Limits { memory: Some(1 << 20), ..Limits::default() };
        let request = Request { limits, ..Request::default() };
        let solved = |workers| {
            let rows = solve_suite(&*door, &problems, &request, workers, &mut ()).unwrap();
            let figures =
                rows.into_iter().map(|row| (row.problem.line, row.report.value, row.report.nodes, row.mate));
            figures.collect::<Vec<_>>()
        };
        let alone = solved(1);
        assert_eq!(alone.len(), 40);
        assert_eq!(alone, solved(3));
        let request = Request { threads: Some(1), ..request };
        let mut wins_shown = 0;
        for (problem, found) in problems.iter().zip(alone) {
            let solution = door.solve(&problem.place(), &request, &mut ()).unwrap();
            let (report, wins) = (solution.report, solution.wins_in.is_some());
            assert_eq!(found, (problem.line, report.value, report.nodes, solution.wins_in));
            wins_shown += usize::from(wins);
        }
        assert!(wins_shown > 0);
    }

    struct StopAfter(usize);

    impl WatchSuite for StopAfter {
        fn takes(&mut self, _: usize, _: &mut Solution) -> bool {
            // What was done meanwhile still comes.
            self.0 = self.0.saturating_sub(1);
            self.0 > 0
        }
        fn goes_on(&mut self, _: &SuiteProgress) -> bool {
            true
        }
    }

    #[test]
    fn what_was_done_before_a_stop_is_kept() {
        let (door, problems) = suite("connect4:5x4", 40);
        let request =
            Request { limits: Limits { memory: Some(1 << 20), ..Limits::default() }, ..Request::default() };
        let rows = solve_suite(&*door, &problems, &request, 1, &mut StopAfter(5)).unwrap();
        assert!((5..40).contains(&rows.len()), "{}", rows.len());
        let lines: Vec<usize> = rows.iter().map(|row| row.problem.line).collect();
        assert_eq!(lines, (1..=rows.len()).collect::<Vec<_>>());
    }

    #[test]
    fn a_file_that_is_wrong_about_a_mate_is_contradicted() {
        let door = games().open("chess").unwrap();
        let text = "7k/5K2/8/6Q1/8/8/8/8 w - - dm 1; id right;\n7k/5K2/8/6Q1/8/8/8/8 w - - dm 2; id late;\n\
                    7k/8/8/8/8/8/8/K6R b - - dm 4; id none;\n7k/8/8/8/8/8/8/K6R b - - id silent;";
        let problems = read_suite(&*door, "mine", text).unwrap();
        let limits = Limits { memory: Some(1 << 20), ..Limits::default() };
        let request = Request { aim: Aim::AtLeast(1), limits, ..Request::default() };
        let rows = solve_suite(&*door, &problems, &request, 2, &mut ()).unwrap();
        let found: Vec<_> = rows.iter().map(|row| (row.mate, row.contradicts_file())).collect();
        assert_eq!(found, [(Some(1), false), (Some(1), true), (None, true), (None, false)]);
    }
}
