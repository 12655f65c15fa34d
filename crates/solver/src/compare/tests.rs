//! Figures worked out by hand, and certificates of small games.

use super::*;
use crate::games;

fn comparison(algorithms: &[Algorithm]) -> Comparison {
    Comparison {
        aim: Aim::Value,
        algorithms: algorithms.to_vec(),
        standard: 0,
        limits: Limits::default(),
        threads: None,
        certify: false,
        rows: Vec::new(),
    }
}

fn run(nodes: u64, value: i32, stop: Stop) -> Option<Run> {
    let game = games().open("tictactoe").unwrap();
    let request = Request { limits: Limits { nodes: Some(1), ..Limits::default() }, ..Request::default() };
    let mut report = game.solve(&Place::default(), &request, &mut ()).unwrap().report;
    let known = stop == Stop::Solved;
    (report.nodes, report.stop, report.seconds) = (nodes, stop, 0.5);
    (report.lower, report.upper) = if known { (value, value) } else { (-1, 1) };
    Some(Run { report, value_text: String::new(), certified: None })
}

fn row(runs: Vec<Option<Run>>) -> Row {
    Row { place: Place::default(), position: "somewhere".to_owned(), runs }
}

fn example() -> Comparison {
    let mut comparison = comparison(&[Algorithm::Pn, Algorithm::Gpn, Algorithm::Dfpn]);
    let solved = |nodes| run(nodes, 0, Stop::Solved);
    comparison.rows = vec![
        row(vec![solved(7), solved(7), solved(14)]),
        row(vec![solved(512), solved(128), solved(64)]),
        row(vec![solved(1536), solved(384), run(100, 0, Stop::Nodes)]),
        row(vec![run(9999, 0, Stop::Time), solved(50), solved(60)]),
        row(vec![solved(8), None, None]),
    ];
    comparison
}

#[test]
fn class_boundaries_are_powers_of_eight() {
    for (size, class) in [(0, 0), (1, 0), (7, 0), (8, 1), (63, 1), (64, 2), (511, 2), (512, 3), (4096, 4)] {
        assert_eq!(class_of(size), class, "{size}");
    }
    assert_eq!(class_of(u64::MAX), 21);
}

#[test]
fn classes_compare_averages_of_what_both_have_solved() {
    let classes = example().classes();
    let numbers: Vec<_> = classes.iter().map(|class| (class.class, class.positions)).collect();
    assert_eq!(numbers, [(0, 1), (1, 1), (3, 2)]);
    assert_eq!((classes[2].from_log2, classes[2].to_log2), (9, 12));
    let log2 = |class: usize, algorithm: usize| classes[class].reductions[algorithm].log2;
    assert_eq!((log2(0, 0), log2(0, 1), log2(0, 2)), (Some(0.0), Some(0.0), Some(-1.0)));
    assert_eq!((log2(1, 0), log2(1, 1)), (Some(0.0), None));
    // (512 + 1536) / 2 = 1024 against (128 + 384) / 2 = 256.
    let gpn = &classes[2].reductions[1];
    assert_eq!((gpn.standard_mean, gpn.mean, gpn.log2, gpn.pairs), (Some(1024.0), Some(256.0), Some(2.0), 2));
    // The run that was stopped takes the standard's run with it out of the averages: 512 against 64.
    let dfpn = &classes[2].reductions[2];
    assert_eq!(
        (dfpn.standard_mean, dfpn.mean, dfpn.log2, dfpn.pairs),
        (Some(512.0), Some(64.0), Some(3.0), 1)
    );
}

#[test]
fn summaries_have_geometric_means() {
    let summaries = example().summaries();
    let gpn = &summaries[1];
    assert_eq!((gpn.positions, gpn.solved, gpn.pairs, gpn.nodes), (4, 4, 3, 7 + 128 + 384 + 50));
    // 1, 4 and 4: the third root of 16.
    assert!((gpn.reduction.unwrap() - 16f64.cbrt()).abs() < 1e-9);
    let dfpn = &summaries[2];
    assert_eq!((dfpn.positions, dfpn.solved, dfpn.pairs), (4, 3, 2));
    // 1/2 and 8: the root of 4.
    assert!((dfpn.reduction.unwrap() - 2.0).abs() < 1e-9);
    assert!((dfpn.seconds - 2.0).abs() < 1e-9);
    assert_eq!(summaries[0].reduction, Some(1.0));
}

#[test]
fn another_standard_turns_the_figures_round() {
    let mut comparison = example();
    comparison.standard = 1;
    let classes = comparison.classes();
    // 7; 50; 128 and 384.
    let numbers: Vec<_> = classes.iter().map(|class| (class.class, class.positions)).collect();
    assert_eq!(numbers, [(0, 1), (1, 1), (2, 2)]);
    assert_eq!(classes[2].reductions[0].log2, Some(-2.0));
}

#[test]
fn answers_that_exclude_each_other_are_found() {
    let mut comparison = example();
    assert_eq!(comparison.contradictions().count(), 0, "what is unknown contradicts nothing");
    comparison.rows[1].runs[2] = run(64, 1, Stop::Solved);
    let found: Vec<_> = comparison.contradictions().collect();
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].at_least, found[0].at_most), (("dfpn", 1), ("pn", 0)));
}

#[test]
fn certificates_of_compared_runs_are_accepted_and_change_no_count() {
    let game = games().open("connect4:4x4").unwrap();
    for aim in [Aim::Value, Aim::AtLeast(1), Aim::AtLeast(0)] {
        let mut counts = Vec::new();
        for certify in [false, true] {
            let mut comparison = comparison(&[Algorithm::Pn, Algorithm::Gpn, Algorithm::Dfpn]);
            (comparison.certify, comparison.aim) = (certify, aim);
            comparison.add(&*game, Place { position: None, moves: Some("11223".to_owned()) }).unwrap();
            for algorithm in 0..3 {
                comparison.measure(&*game, 0, algorithm, &mut ()).unwrap();
            }
            let runs: Vec<&Run> = comparison.rows[0].runs.iter().flatten().collect();
            let expected = certify.then_some(Certified::Accepted);
            assert!(runs.iter().all(|run| run.certified == expected), "{aim}: {runs:?}");
            counts.push(runs.iter().map(|run| run.report.nodes).collect::<Vec<_>>());
        }
        assert_eq!(counts[0], counts[1]);
    }
}

#[test]
fn a_certificate_of_something_else_is_none() {
    let game = games().open("tictactoe").unwrap();
    let request = Request { certificate: true, ..Request::default() };
    let mut report = game.solve(&Place::default(), &request, &mut ()).unwrap().report;
    let judged = |report: &Report| certified(&*game, &Place::default(), &request, report, &mut ()).unwrap();
    assert_eq!(judged(&report), Certified::Accepted);
    report.value = Some(1);
    assert!(matches!(judged(&report), Certified::Refused(_)));
}

#[test]
fn what_cannot_be_compared_is_said_beforehand() {
    let game = games().open("connect4:2x2").unwrap();
    let mut comparison = comparison(&[Algorithm::Pn]);
    let over = comparison.add(&*game, Place { position: None, moves: Some("1122".to_owned()) });
    assert!(over.unwrap_err().to_string().contains("the game is over there"));
    let morris = games().open("morris:3").unwrap();
    assert!(comparison.accepts(&*morris, Algorithm::Dfpn).is_ok());
    comparison.threads = Some(2);
    assert!(comparison.accepts(&*morris, Algorithm::Pn).unwrap_err().to_string().contains("--threads"));
}
