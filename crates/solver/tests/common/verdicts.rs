//! What every search of every test must keep to: the truth, within its limits, with a certificate that is accepted.

use quod_model::testkit::Truth;
use quod_model::{Notation, Oracle};
use quod_proof::{Certificate, CertificateFile, check_leaning};
use quod_solver::{Aim, Algorithm, Report, Request, Stop, solve_leaning};

/// What came of many searches.
#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) searches: u64,
    /// Without an answer, for lack of memory or nodes.
    pub(crate) unsolved: u64,
    /// Without an answer, because the published method could not vouch for one.
    pub(crate) repetition: u64,
    /// Answered, without a certificate for lack of memory.
    pub(crate) uncertified: u64,
}

/// Solves a position, with values from outside if there are any, and compares everything that is reported with the truth;
/// checks the certificate, and gives it back.
pub(crate) fn judge<G: Notation>(
    game: &G,
    truth: &Truth<G>,
    root: &G::Position,
    oracle: Option<&dyn Oracle<G>>,
    request: &Request,
    told: impl Fn(&Report) -> String,
    tally: &mut Tally,
) -> Option<Certificate> {
    let value = truth.value(root).seen_by(game.to_move(root)).0;
    let solution = solve_leaning(game, root, request, oracle, &mut ()).expect("the request is right");
    let report = &solution.report;
    let told = || told(report);
    tally.searches += 1;
    assert!(report.lower <= value && value <= report.upper, "{}", told());
    match (report.stop, request.aim) {
        (Stop::Memory | Stop::Nodes, _) => {
            assert_eq!(report.verdict, "unknown", "{}", told());
            tally.unsolved += 1;
        }
        (Stop::Repetition, _) if request.algorithm == Algorithm::PnDcg => {
            assert_eq!(report.verdict, "unknown", "{}", told());
            // What was proven before has its certificate.
            let at_once = game.abilities().bounds.map_or_else(|| game.values(), |bounds| bounds(game, root));
            let (low, high) = quod_model::Value::range_seen_by(at_once, game.to_move(root));
            let proven = (report.lower, report.upper) != (low.0, high.0);
            assert_eq!(solution.certificate.is_some(), proven, "{}", told());
            tally.repetition += 1;
        }
        (Stop::Solved, Aim::Value) => assert_eq!(report.value, Some(value), "{}", told()),
        (Stop::Solved, Aim::AtLeast(threshold)) => {
            let verdict = if value >= threshold { "proven" } else { "disproven" };
            assert_eq!(report.verdict, verdict, "{}", told());
        }
        _ => panic!("no such limit was set, {}", told()),
    }
    let line = report.line.join(" ");
    game.parse_moves(root, &line).unwrap_or_else(|error| panic!("{error}\n{}", told()));
    let achieved = report.verdict == "proven" && game.outcome(root).is_none();
    assert!(report.best_move.is_some() || !achieved, "no best move, {}", told());
    if let Some(best) = &report.best_move {
        let mv = game.parse_move(root, best).expect("the best move is legal");
        let after = truth.value(&game.after(root, mv)).seen_by(game.to_move(root)).0;
        assert!(after >= report.lower, "the best move is none, {}", told());
    }
    let Some(certificate) = &solution.certificate else {
        let problem =
            solution.certificate_problem.as_ref().unwrap_or_else(|| panic!("no reason, {}", told()));
        let limit = problem.contains("memory") || problem.contains("nodes");
        assert!(limit || report.stop != Stop::Solved, "{problem}, {}", told());
        tally.uncertified += u64::from(report.stop == Stop::Solved);
        return None;
    };
    let file = certificate.encode();
    assert_eq!(Certificate::decode(&file).as_ref(), Ok(certificate));
    let opened = CertificateFile::open(&file).expect("it was just written");
    let checked = check_leaning(game, &opened, oracle, &mut |_| true)
        .unwrap_or_else(|error| panic!("{error}\n{}", told()));
    assert!(checked.claims.iter().all(|claim| claim.claim.is_kept_by(truth.value(root), game.to_move(root))));
    solution.certificate
}
