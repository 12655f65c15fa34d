//! A search that is stopped anywhere and goes on from its checkpoint, in a new solver each time, ends with the same report and the
//! same certificate as one that was not stopped.

use std::path::Path;
use std::time::Duration;

use quod_solver::{
    Aim, Algorithm, Certificate, CertificateFile, Deletion, Keeping, Limits, Notice, Place, Report, Request,
    Snapshot, Solution, Stop, Switches, Watch, games,
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
    Report { seconds: 0.0, memory_bytes: 0, resumed_nodes: None, ..report.clone() }
}

struct Problem {
    game: &'static str,
    moves: &'static str,
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
            let left = if solved { u64::MAX } else { random.random_range(1..20) };
            let mut watch = Stopping { left, notices: Vec::new() };
            let solution = self.solve(&keeping(temporary.path(), pieces > 0), &mut watch);
            pieces += 1;
            assert_eq!(solution.report.resumed_nodes.is_some(), pieces > 1);
            assert!(
                watch.notices.iter().all(|notice| !matches!(notice, Notice::Failed(_) | Notice::Older(_)))
            );
            if solved || solution.certificate.is_some() {
                return (solution, pieces);
            }
            solved = solution.report.stop == Stop::Solved;
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
    for algorithm in [Algorithm::Pn, Algorithm::Pn2, Algorithm::PnGraph, Algorithm::Gpn, Algorithm::Gpn2] {
        let limits = Limits { memory: Some(64 << 20), ..Limits::default() };
        problems.push(Problem {
            game: "connect4:4x4",
            moves: "1",
            request: request(algorithm, plain, limits),
        });
    }
    for algorithm in
        [Algorithm::Dfpn, Algorithm::PnDfpn, Algorithm::Pds, Algorithm::MopnDag, Algorithm::PnDag]
    {
        let limits = Limits { memory: Some(32 << 20), ..Limits::default() };
        problems.push(Problem {
            game: "connect4:5x4",
            moves: "",
            request: request(algorithm, plain, limits),
        });
    }
    problems.push(Problem {
        game: "connect4:5x4",
        moves: "",
        request: request(Algorithm::Dfpn, plain, small),
    });
    problems.push(Problem {
        game: "connect4:4x4",
        moves: "",
        request: request(Algorithm::PnGraph, full, small),
    });
    problems.push(Problem {
        game: "connect4:4x4",
        moves: "",
        request: request(Algorithm::MopnDag, plain, small),
    });
    for algorithm in [Algorithm::PnGraph, Algorithm::Dfpn, Algorithm::PnDfpn] {
        let limits = Limits { memory: Some(16 << 20), ..Limits::default() };
        problems.push(Problem { game: "morris:3", moves: "", request: request(algorithm, plain, limits) });
    }
    let win = Request { aim: Aim::AtLeast(1), ..request(Algorithm::Pn, plain, Limits::default()) };
    problems.push(Problem { game: "connect4:5x4", moves: "3", request: win });
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
