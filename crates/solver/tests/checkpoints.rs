//! A search that is stopped anywhere and goes on from its checkpoint, in a new solver each time, ends with the same report and the
//! same certificate as one that was not stopped.

use std::path::Path;
use std::time::Duration;

use quod_solver::{
    Aim, Algorithm, Certificate, CertificateFile, Deletion, Keeping, Limits, Notice, Place, Report, Request,
    Snapshot, Solution, Stop, Switches, Watch, games, label_of,
};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Stops the work when it is asked for the so-manieth time.
struct Stopping {
    left: u64,
    notices: Vec<Notice>,
}

impl Watch for Stopping {
    fn goes_on(&mut self, _: &Snapshot) -> bool {
        self.left = self.left.saturating_sub(1);
        self.left > 0
    }

    fn notice(&mut self, notice: &Notice) {
        self.notices.push(notice.clone());
    }
}

fn keeping(folder: &Path, resume: bool) -> Keeping {
    Keeping { folder: folder.to_owned(), every: Duration::from_millis(1), resume, label: "words".to_owned() }
}

/// What must not depend on interruptions: all but time, buffers and where it went on.
fn essence(report: &Report) -> Report {
    Report {
        seconds: 0.0,
        memory_bytes: 0,
        resident_bytes: None,
        resumed_nodes: None,
        checkpoints: None,
        opening: None,
        ..report.clone()
    }
}

struct Problem {
    game: &'static str,
    moves: &'static str,
    /// Pieces are shorter than so many slices, each of which is longer than the one before.
    ticks_max: u64,
    request: Request,
}

impl Problem {
    fn place(&self) -> Place {
        Place { position: None, moves: Some(self.moves.to_owned()) }
    }

    fn solve(&self, keeping: &Keeping, watch: &mut Stopping) -> Solution {
        let game = games().open(self.game).expect("a game");
        game.solve_keeping(&self.place(), &self.request, keeping, watch).expect("the request is right")
    }

    /// Solves it in pieces, and says in how many and how often it went on.
    fn in_pieces(&self, random: &mut Xoshiro256PlusPlus) -> (Solution, u32) {
        let temporary = tempfile::tempdir().expect("a folder");
        let (mut pieces, mut solved) = (0, false);
        loop {
            // What comes after the search is done in one piece.
            let left = if solved { u64::MAX } else { random.random_range(1..self.ticks_max) };
            let mut watch = Stopping { left, notices: Vec::new() };
            let solution = self.solve(&keeping(temporary.path(), pieces > 0), &mut watch);
            pieces += 1;
            assert_eq!(solution.report.resumed_nodes.is_some(), pieces > 1);
            assert!(
                watch.notices.iter().all(|notice| !matches!(notice, Notice::Failed(_) | Notice::Older(_)))
            );
            let solved_now = solution.report.stop == Stop::Solved;
            if solved_now && (solved || solution.certificate.is_some()) {
                return (solution, pieces);
            }
            solved = solved_now;
            assert!(pieces < 500, "it does not come to an end");
        }
    }
}

fn problems() -> Vec<Problem> {
    let small = Limits { memory: Some(400 << 10), ..Limits::default() };
    let request = |algorithm, switches, limits| Request {
        algorithm,
        switches,
        limits,
        certificate: true,
        threads: Some(1),
        ..Request::default()
    };
    let plain = Switches::default();
    let full = Switches {
        delete_solved: Some(Deletion::WhenFull),
        delete_least_proving: true,
        ..Switches::default()
    };
    let mut problems = Vec::new();
    for algorithm in
        [Algorithm::Pn, Algorithm::Pn2, Algorithm::PnGraph, Algorithm::Gpn, Algorithm::Gpn2, Algorithm::PnDag]
    {
        let limits = Limits { memory: Some(64 << 20), ..Limits::default() };
        problems.push(Problem {
            game: "connect4:4x4",
            moves: "1",
            ticks_max: 10,
            request: request(algorithm, plain, limits),
        });
    }
    for algorithm in [Algorithm::Dfpn, Algorithm::PnDfpn, Algorithm::Pds, Algorithm::MopnDag] {
        let limits = Limits { memory: Some(32 << 20), ..Limits::default() };
        problems.push(Problem {
            game: "connect4:5x4",
            moves: "",
            ticks_max: 20,
            request: request(algorithm, plain, limits),
        });
    }
    problems.push(Problem {
        game: "connect4:5x4",
        moves: "",
        ticks_max: 20,
        request: request(Algorithm::Dfpn, plain, small),
    });
    problems.push(Problem {
        game: "connect4:4x4",
        moves: "",
        ticks_max: 10,
        request: request(Algorithm::PnGraph, full, small),
    });
    problems.push(Problem {
        game: "connect4:4x4",
        moves: "",
        ticks_max: 10,
        request: request(Algorithm::MopnDag, plain, small),
    });
    for algorithm in [Algorithm::PnGraph, Algorithm::Dfpn, Algorithm::PnDfpn] {
        let limits = Limits { memory: Some(16 << 20), ..Limits::default() };
        problems.push(Problem {
            game: "morris:3",
            moves: "",
            ticks_max: 14,
            request: request(algorithm, plain, limits),
        });
    }
    let win = Request { aim: Aim::AtLeast(1), ..request(Algorithm::Pn, plain, Limits::default()) };
    problems.push(Problem { game: "connect4:4x4", moves: "2", ticks_max: 10, request: win });
    problems
}

#[test]
fn interrupted_work_ends_as_other_work_does() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
    let (mut interrupted, mut certified) = (0, 0);
    for problem in problems() {
        let game = games().open(problem.game).expect("a game");
        let whole = game.solve(&problem.place(), &problem.request, &mut ()).expect("the request is right");
        assert_eq!(whole.report.stop, Stop::Solved, "{}", problem.game);
        let (solution, pieces) = problem.in_pieces(&mut random);
        assert_eq!(essence(&solution.report), essence(&whole.report));
        let encoded = |solution: &Solution| solution.certificate.as_ref().map(Certificate::encode);
        assert_eq!(encoded(&solution), encoded(&whole), "{} {}", problem.game, whole.report.algorithm);
        // In little memory there may be none.
        assert_eq!(solution.certificate_problem, whole.certificate_problem);
        if let Some(file) = encoded(&whole) {
            let file = CertificateFile::open(&file).expect("it can be read");
            assert!(game.check(&file, &mut |_| true).is_ok(), "{} {}", problem.game, whole.report.algorithm);
            certified += 1;
        }
        println!("{} {}: {pieces} pieces", problem.game, whole.report.algorithm);
        interrupted += pieces - 1;
    }
    assert!(interrupted > 40 && certified > 10, "{interrupted} interruptions, {certified} certificates");
}

fn small() -> Problem {
    let limits = Limits { memory: Some(16 << 20), ..Limits::default() };
    let request = Request { algorithm: Algorithm::Dfpn, certificate: true, limits, ..Request::default() };
    Problem { game: "connect4:5x4", moves: "", ticks_max: 20, request }
}

fn checkpoints(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut files: Vec<_> =
        entries.filter(|path| path.extension().is_some_and(|ending| ending == "checkpoint")).collect();
    files.sort();
    files
}

/// The newest checkpoint is damaged: the one before it serves, somebody is told, and the end is the same.
#[test]
fn a_damaged_checkpoint_falls_back_to_the_one_before() {
    // Large enough not to be solved before it is stopped, on a fast machine with nothing else to do.
    let problem = Problem { game: "connect4:5x5", ..small() };
    let game = games().open(problem.game).expect("a game");
    let whole = game.solve(&problem.place(), &problem.request, &mut ()).expect("the request is right");
    let mut random = Xoshiro256PlusPlus::seed_from_u64(8);
    for _ in 0..5 {
        let temporary = tempfile::tempdir().expect("a folder");
        let mut watch = Stopping { left: random.random_range(20..26), notices: Vec::new() };
        let stopped = problem.solve(&keeping(temporary.path(), false), &mut watch);
        assert_eq!(stopped.report.stop, Stop::Interrupted);
        let files = checkpoints(temporary.path());
        assert_eq!(files.len(), 2);
        let mut bytes = std::fs::read(&files[1]).expect("a file");
        let at = random.random_range(0..bytes.len());
        bytes[at] ^= 1 << random.random_range(0..8);
        std::fs::write(&files[1], bytes).expect("it can be written");
        let mut watch = Stopping { left: u64::MAX, notices: Vec::new() };
        let solution = problem.solve(&keeping(temporary.path(), true), &mut watch);
        assert!(
            matches!(&watch.notices[0], Notice::Older(problems) if problems.len() == 1),
            "{:?}",
            watch.notices
        );
        assert_eq!(essence(&solution.report), essence(&whole.report));
        assert!(solution.report.resumed_nodes <= Some(stopped.report.nodes));
    }
}

/// Several threads go on with what they shared.
#[test]
fn teams_go_on_too() {
    for algorithm in [Algorithm::Dfpn, Algorithm::PnDfpn] {
        let mut problem = small();
        // In pieces the table grows larger than in one, and a certificate needs room beside it.
        let limits = Limits { memory: Some(64 << 20), ..Limits::default() };
        problem.request = Request { algorithm, threads: Some(2), limits, ..problem.request };
        let temporary = tempfile::tempdir().expect("a folder");
        let mut pieces = 0;
        let solution = loop {
            let left = if pieces < 3 { 3 } else { u64::MAX };
            let mut watch = Stopping { left, notices: Vec::new() };
            let solution = problem.solve(&keeping(temporary.path(), pieces > 0), &mut watch);
            pieces += 1;
            if solution.certificate.is_some() {
                break solution;
            }
            assert!(pieces < 100, "it does not come to an end: {:?}", solution.report);
        };
        assert_eq!(solution.report.value, Some(0));
        assert!(pieces > 2, "{pieces} pieces");
    }
}

#[test]
fn what_cannot_be_kept_or_used_is_said_at_once() {
    let temporary = tempfile::tempdir().expect("a folder");
    let folder = temporary.path();
    let error = |problem: &Problem, keeping: &Keeping| {
        let game = games().open(problem.game).expect("a game");
        let solved = game.solve_keeping(&problem.place(), &problem.request, keeping, &mut ());
        solved.expect_err("it is refused").to_string()
    };
    let problem = small();
    assert!(error(&problem, &keeping(&folder.join("nothing"), true)).contains("there is no checkpoint"));
    let mut stopping = Stopping { left: 20, notices: Vec::new() };
    problem.solve(&keeping(folder, false), &mut stopping);
    assert!(stopping.notices.iter().any(|notice| matches!(notice, Notice::Written(..))));
    assert!(error(&problem, &keeping(folder, false)).contains("there are checkpoints already"));
    let other = Problem { moves: "1", ..small() };
    assert!(error(&other, &keeping(folder, true)).contains("it is of another search (connect4:5x4"));
    let mtdf = Request { algorithm: Algorithm::Mtdf, ..problem.request };
    let mtdf = Problem { request: mtdf, ..small() };
    assert!(error(&mtdf, &keeping(&folder.join("other"), false)).contains("mtdf keeps no checkpoints"));
    assert_eq!(label_of(folder).expect("a label"), "words");
    // A table keeps its size, which must find room.
    let smaller = Limits { memory: Some(8 << 20), ..Limits::default() };
    let smaller = Problem { request: Request { limits: smaller, ..problem.request }, ..small() };
    assert!(error(&smaller, &keeping(folder, true)).contains("its table takes"));
}

/// Whatever cannot be written, the search goes on.
#[test]
fn a_folder_that_vanishes_stops_nothing() {
    struct Removing(std::path::PathBuf, Vec<Notice>);
    impl Watch for Removing {
        fn goes_on(&mut self, _: &Snapshot) -> bool {
            let _ = std::fs::remove_dir_all(&self.0);
            true
        }
        fn notice(&mut self, notice: &Notice) {
            self.1.push(notice.clone());
        }
    }
    let temporary = tempfile::tempdir().expect("a folder");
    let folder = temporary.path().join("checkpoints");
    let problem = small();
    let game = games().open(problem.game).expect("a game");
    let mut watch = Removing(folder.clone(), Vec::new());
    let solved = game.solve_keeping(&problem.place(), &problem.request, &keeping(&folder, false), &mut watch);
    assert_eq!(solved.expect("the request is right").report.value, Some(0));
    let failed = |notice: &&Notice| matches!(notice, Notice::Failed(why) if why.contains("cannot write"));
    assert!(watch.1.iter().find(failed).is_some(), "{:?}", watch.1);
}

/// Threads and a certificate can be said anew: one thread's work is taken over by several and the other way round, and what was done
/// counts on.
#[test]
fn threads_and_certificates_can_be_said_anew() {
    for (algorithm, nodes, before, after) in [
        // The only job of the tree is under way.
        (Algorithm::PnDfpn, 3_000, 1, 2),
        (Algorithm::PnDfpn, 300_000, 1, 2),
        (Algorithm::PnDfpn, 300_000, 2, 1),
        (Algorithm::Dfpn, 300_000, 1, 2),
        (Algorithm::Dfpn, 300_000, 2, 1),
    ] {
        let temporary = tempfile::tempdir().expect("a folder");
        let mut problem = small();
        let limits = Limits { nodes: Some(nodes), memory: Some(64 << 20), time: None };
        problem.request =
            Request { algorithm, threads: Some(before), certificate: false, limits, ..problem.request };
        let mut watch = Stopping { left: u64::MAX, notices: Vec::new() };
        let stopped = problem.solve(&keeping(temporary.path(), false), &mut watch).report;
        assert_eq!(stopped.stop, Stop::Nodes, "{algorithm:?}");
        let limits = Limits { nodes: None, ..limits };
        problem.request = Request { threads: Some(after), certificate: true, limits, ..problem.request };
        let solution = problem.solve(&keeping(temporary.path(), true), &mut watch);
        assert_eq!(solution.report.value, Some(0), "{algorithm:?}");
        assert!(solution.certificate.is_some(), "{:?}", solution.certificate_problem);
        assert!(solution.report.nodes > stopped.nodes && solution.report.expansions > stopped.expansions);
    }
}

/// A search that memory has stopped tries no more without more of it; with less it is refused.
#[test]
fn full_memory_stays_full() {
    let limits = |bytes| Limits { memory: Some(bytes), ..Limits::default() };
    for algorithm in [Algorithm::Pn, Algorithm::PnGraph, Algorithm::Gpn] {
        let temporary = tempfile::tempdir().expect("a folder");
        let request = Request { algorithm, limits: limits(256 << 10), ..Request::default() };
        let mut problem = Problem { game: "connect4:5x4", moves: "", ticks_max: 0, request };
        problem.request.switches.prune = (algorithm == Algorithm::Gpn).then_some(false);
        let mut watch = Stopping { left: u64::MAX, notices: Vec::new() };
        let stopped = problem.solve(&keeping(temporary.path(), false), &mut watch).report;
        assert_eq!(stopped.stop, Stop::Memory, "{algorithm:?}");
        for _ in 0..2 {
            let again = problem.solve(&keeping(temporary.path(), true), &mut watch).report;
            assert_eq!(essence(&again), essence(&stopped));
        }
        problem.request.limits = limits(64 << 20);
        let more = Problem { moves: "", ..problem };
        let solved =
            more.solve(&keeping(temporary.path(), true), &mut Stopping { left: 30, notices: Vec::new() });
        assert!(solved.report.nodes > stopped.nodes, "{algorithm:?}");
        let less = Problem { request: Request { limits: limits(64 << 10), ..more.request }, ..more };
        let game = games().open(less.game).expect("a game");
        let refused =
            game.solve_keeping(&less.place(), &less.request, &keeping(temporary.path(), true), &mut ());
        let problem = refused.expect_err("it holds more").to_string();
        assert!(
            problem.contains("there is room for") || problem.contains("the limit of memory is"),
            "{problem}"
        );
    }
}
