//! Give-away chess: endings against the exhaustive truth, and the first moves that Schijf 1993, section 3.4, knows to lose.

use quod_games::Antichess;
use quod_model::Notation;
use quod_model::testkit::Truth;
use quod_solver::{Aim, Algorithm, CertificateFile, Init, Limits, Place, Request, Switches, games};

use crate::verdicts::{Tally, judge};

#[test]
fn endings_have_their_values() {
    let mut tally = Tally::default();
    let endings = [
        "8/8/8/3n4/8/8/8/K7 w - - 0 1",
        "8/8/8/3n4/8/8/8/1B6 b - - 0 1",
        "8/8/2r5/8/8/8/8/K7 w - - 0 1",
        "8/8/8/6p1/7P/8/8/8 b - - 0 1",
        "8/8/p7/8/8/1P6/8/8 w - - 0 1",
    ];
    let algorithms = [Algorithm::Auto, Algorithm::Dfpn, Algorithm::PnGraph];
    for text in endings {
        let root = Antichess.parse_position(text).expect("a position");
        let truth = Truth::new(&Antichess, &root);
        let some = truth.iter().map(|(position, _)| position.clone()).step_by(1 + truth.len() / 12);
        for position in some.chain([root.clone()]) {
            for algorithm in algorithms {
                for aim in [Aim::Value, Aim::AtLeast(1)] {
                    let limits = Limits { nodes: None, memory: Some(64 << 20), time: None };
                    let request = Request { aim, algorithm, limits, certificate: true, ..Request::default() };
                    let told = |report: &quod_solver::Report| format!("{text}: {algorithm:?} {report:#?}");
                    judge(&Antichess, &truth, &position, None, &request, told, &mut tally);
                }
            }
        }
    }
    assert_eq!(tally.unsolved, 0, "of {}", tally.searches);
}

#[test]
fn three_first_moves_lose_at_once() {
    let game = games().open("antichess").expect("a game");
    for moves in ["d4", "d3", "e4"] {
        let inits = [None, Some(Init::Mobility), Some(Init::Guess)];
        for (algorithm, init) in [Algorithm::Auto, Algorithm::Pn, Algorithm::PnGraph].into_iter().zip(inits) {
            let place = Place { position: None, moves: Some(moves.to_owned()) };
            let limits = Limits { nodes: Some(20_000), ..Limits::default() };
            let switches = Switches { init, ..Switches::default() };
            let request = Request {
                aim: Aim::AtLeast(1),
                algorithm,
                limits,
                switches,
                certificate: true,
                ..Request::default()
            };
            let solution = game.solve(&place, &request, &mut ()).expect("a right request");
            let told = format!("{moves} {algorithm:?}: {:?}", solution.certificate_problem);
            assert_eq!(solution.report.verdict, "proven", "{told}");
            let file = solution.certificate.expect(&told).encode();
            let file = CertificateFile::open(&file).expect("a good file");
            game.check(&file, &mut |_| true).unwrap_or_else(|error| panic!("{told}: {error}"));
        }
    }
}
