//! Scores of Connect Four that solvers of others have found too, with certificates.

use quod_solver::{CertificateFile, Place, Request, games};

#[path = "../../../../testdata/scores.rs"]
mod others;

#[test]
fn scores_are_those_that_others_found() {
    let game = games().open("connect4:7x6,score").expect("a game");
    let (mut solved, mut certified) = (0, 0);
    for (moves, score) in others::known().into_iter().filter(|(moves, _)| moves.len() >= 12) {
        // Proofs from fewer stones take longer than the search.
        let request = Request { certificate: moves.len() >= 18, ..Request::default() };
        let place = Place { moves: Some(moves.clone()), ..Place::default() };
        let solution = game.solve(&place, &request, &mut ()).expect("a right request");
        assert_eq!((solution.report.value, solution.report.algorithm), (Some(score), "mtdf"), "{moves}");
        solved += 1;
        if request.certificate {
            let file = solution.certificate.expect("a certificate").encode();
            let file = CertificateFile::open(&file).expect("a good file");
            let checked = game.check(&file, &mut |_| true).expect("accepted");
            assert_eq!(checked.exact.map(|(value, _)| value.0), Some(score), "{moves}");
            certified += 1;
        }
    }
    assert_eq!((solved, certified), (160, 60));
}
