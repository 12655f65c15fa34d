//! Small boards of Awari and Kalah against the exhaustive truth, with and without a database: many values, repetition whose
//! worth depends on what was captured, bounds. Every search, every certificate.

use quod_games::{Awari, Kalah, awari};
use quod_model::testkit::Truth;
use quod_model::{Citation, Game, Notation, Oracle, Value};
use quod_proof::{CertificateFile, CheckError, check, check_leaning};
use quod_solver::{Aim, Algorithm, Limits, Request, Stop, solve_leaning};

use crate::verdicts::{Tally, judge};

/// What an endgame database of few stones would say.
struct Few<'t> {
    truth: &'t Truth<Awari>,
    stones: u8,
}

impl Oracle<Awari> for Few<'_> {
    fn value(&self, _: &Awari, position: &awari::Position) -> Option<Value> {
        (position.stones() <= self.stones).then(|| self.truth.value(position))
    }

    fn cite(&self) -> Citation {
        Citation { slices: u32::from(self.stones) + 1, checksum: [self.stones; 32] }
    }
}

fn request(algorithm: Algorithm, aim: Aim) -> Request {
    let limits = Limits { nodes: Some(200_000), memory: Some(16 << 20), time: None };
    Request { aim, algorithm, limits, certificate: true, ..Request::default() }
}

/// Some positions of the truth, spread evenly.
fn some<G: Game>(truth: &Truth<G>, count: usize) -> Vec<G::Position>
where
    G::Position: Copy,
{
    truth.iter().map(|(position, _)| *position).step_by(1 + truth.len() / count).collect()
}

#[test]
fn every_search_knows_small_boards_with_and_without_a_database() {
    let mut tally = Tally::default();
    for (width, stones) in [(2, 2), (3, 1), (2, 3)] {
        let game = Awari::new(width, stones).unwrap();
        let truth = Truth::new(&game, &game.start());
        let few = Few { truth: &truth, stones: width + 1 };
        for algorithm in Algorithm::ALL.iter().copied() {
            // These are for games whose positions cannot come again, or hardly end where they can.
            let unfit = [Algorithm::Mtdf, Algorithm::Mopn, Algorithm::Gpn, Algorithm::Gpn2];
            if unfit.contains(&algorithm) {
                continue;
            }
            for (number, root) in some(&truth, 25).iter().enumerate() {
                let aim = if number % 3 == 0 { Aim::AtLeast(1) } else { Aim::Value };
                for oracle in [None, Some(&few as &dyn Oracle<Awari>)] {
                    let told = |report: &quod_solver::Report| {
                        format!("{algorithm:?}, database: {}, {report:#?}", oracle.is_some())
                    };
                    judge(&game, &truth, root, oracle, &request(algorithm, aim), told, &mut tally);
                }
            }
        }
    }
    println!("{} searches, {} unsolved, {} uncertified", tally.searches, tally.unsolved, tally.uncertified);
    assert!(tally.unsolved * 5 < tally.searches, "{} of {} unsolved", tally.unsolved, tally.searches);
}

#[test]
fn kalah_is_solved_with_certificates() {
    let mut tally = Tally::default();
    for (width, stones) in [(2, 2), (3, 2)] {
        let game = Kalah::new(width, stones).unwrap();
        let truth = Truth::new(&game, &game.start());
        for algorithm in [Algorithm::Auto, Algorithm::Pn, Algorithm::AlphaBeta, Algorithm::MopnDag] {
            for root in some(&truth, 20) {
                let told = |report: &quod_solver::Report| format!("{algorithm:?} {report:#?}");
                judge(&game, &truth, &root, None, &request(algorithm, Aim::Value), told, &mut tally);
            }
        }
    }
    assert_eq!(tally.unsolved, 0);
}

/// A database's positions are leaves: fewer nodes, and the certificate cites what it leans on.
#[test]
fn a_database_cuts_a_search_short_and_is_cited() {
    let game = Awari::new(3, 2).unwrap();
    let truth = Truth::new(&game, &game.start());
    let few = Few { truth: &truth, stones: 8 };
    let request = request(Algorithm::PnGraph, Aim::Value);
    let solve = |oracle| solve_leaning(&game, &game.start(), &request, oracle, &mut ()).unwrap();
    let (plain, leaning) = (solve(None), solve(Some(&few as &dyn Oracle<Awari>)));
    assert_eq!((plain.report.stop, leaning.report.stop), (Stop::Solved, Stop::Solved));
    assert_eq!(plain.report.value, leaning.report.value);
    let (with, without) = (leaning.report.nodes, plain.report.nodes);
    assert!(with * 2 < without, "{with} nodes with the database, {without} without");

    let certificate = leaning.certificate.expect("a certificate");
    let text = certificate.to_text();
    assert_eq!(quod_proof::Certificate::from_text(&text).as_ref(), Ok(&certificate));
    let file = certificate.encode();
    let opened = CertificateFile::open(&file).unwrap();
    let checked = check_leaning(&game, &opened, Some(&few), &mut |_| true).expect("accepted");
    assert_eq!(checked.leans_on, Some(few.cite()));
    assert!(checked.to_string().contains("slices 0 to 8"), "{checked}");
    // Nothing is accepted without the database, nor with another.
    assert!(matches!(check(&game, &opened, &mut |_| true), Err(CheckError::DatabaseMissing(_))));
    let other = Few { truth: &truth, stones: 7 };
    let error = check_leaning(&game, &opened, Some(&other), &mut |_| true).unwrap_err();
    assert!(error.is_refusal(), "{error}");

    /// Says that it is the same, and is not.
    struct Liar<'t>(Few<'t>);
    impl Oracle<Awari> for Liar<'_> {
        fn value(&self, game: &Awari, position: &awari::Position) -> Option<Value> {
            self.0.value(game, position).map(|value| Value(-value.0))
        }
        fn cite(&self) -> Citation {
            self.0.cite()
        }
    }
    // As many slices with another checksum are another database.
    struct Other<'t>(Few<'t>);
    impl Oracle<Awari> for Other<'_> {
        fn value(&self, game: &Awari, position: &awari::Position) -> Option<Value> {
            self.0.value(game, position)
        }
        fn cite(&self) -> Citation {
            Citation { checksum: [9; 32], ..self.0.cite() }
        }
    }
    let same_size = Other(Few { truth: &truth, stones: 8 });
    let error = check_leaning(&game, &opened, Some(&same_size), &mut |_| true).unwrap_err();
    assert!(matches!(error, CheckError::DatabaseDiffers { .. }), "{error}");
    // Without its citation it leans on nothing, whatever is at hand.
    let line = text.lines().find(|line| line.starts_with("database")).unwrap();
    let uncited =
        quod_proof::Certificate::from_text(&text.replace(&format!("{line}\n"), "")).unwrap().encode();
    let uncited = CertificateFile::open(&uncited).unwrap();
    assert!(check_leaning(&game, &uncited, Some(&few), &mut |_| true).unwrap_err().is_refusal());
    // What leans on the rules alone cites nothing.
    let none = Few { truth: &truth, stones: 0 };
    let solution = solve_leaning(&game, &game.start(), &request, Some(&none), &mut ()).unwrap();
    assert_eq!(solution.certificate.unwrap().cites, None);
    let liar = Liar(few);
    let error = check_leaning(&game, &opened, Some(&liar), &mut |_| true).unwrap_err();
    assert!(matches!(error, CheckError::Refused { .. }), "{error}");
    // The citation is part of what the checksum covers, and of the text.
    assert!(quod_proof::Certificate::from_text(&text.replace("database 9 ", "database x ")).is_err());
    assert_eq!(game.game_text(), "awari:3x2");
}
