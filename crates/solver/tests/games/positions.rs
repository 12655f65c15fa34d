//! The solved positions of `testdata/`, run by every algorithm, each with a certificate that is checked.

use quod_solver::{Algorithm, CertificateFile, Limits, Place, Request, Stop, games};

#[path = "../../../../testdata/suite.rs"]
mod suite;
use suite::solved_positions;

const BY_WINDOWS: [Algorithm; 9] = [
    Algorithm::AlphaBeta,
    Algorithm::AlphaBetaTt,
    Algorithm::Brute,
    Algorithm::NegacStar,
    Algorithm::Nws,
    Algorithm::Pvs,
    Algorithm::Scout,
    Algorithm::Sss2,
    Algorithm::SssStar,
];

#[test]
fn solved_positions_have_their_values() {
    let mut too_long = 0;
    for solved in solved_positions() {
        let game = games().open(&solved.game).expect("a game");
        let place = Place { position: solved.position, moves: solved.moves };
        for algorithm in Algorithm::ALL {
            let by_windows = BY_WINDOWS.contains(&algorithm);
            let on_trees =
                algorithm == Algorithm::Mopn || (by_windows && algorithm != Algorithm::AlphaBetaTt);
            if on_trees && solved.game.starts_with("morris") {
                println!(
                    "{} {place:?}: {} is left out, on trees it follows lines that come again for very long",
                    solved.game,
                    algorithm.name()
                );
                continue;
            }
            if algorithm == Algorithm::Mtdf && solved.game.starts_with("morris") {
                println!("{} {place:?}: mtdf is for games in which no position comes again", solved.game);
                continue;
            }
            // Plain minimax, and most searches by windows on larger boards, are for smaller problems.
            let limits = Limits { nodes: by_windows.then_some(300_000), ..Limits::default() };
            let request = Request { algorithm, limits, certificate: true, ..Request::default() };
            let solution = game.solve(&place, &request, &mut ()).expect("a right request");
            let told = format!("{} {place:?} {algorithm:?}", solved.game);
            if by_windows && solution.report.stop == Stop::Nodes {
                println!("{told}: it takes more than 300,000 nodes");
                too_long += 1;
                continue;
            }
            if algorithm == Algorithm::PnDcg && solution.report.stop == Stop::Repetition {
                println!("{told}: the published method cannot vouch for its answer");
                continue;
            }
            assert_eq!(solution.report.value, Some(solved.value), "{told}");
            let file = solution.certificate.expect("a certificate").encode();
            let file = CertificateFile::open(&file).expect("a good file");
            let checked = game.check(&file, &mut |_| true).expect("accepted");
            assert_eq!(checked.exact.map(|(value, _)| value.0), Some(solved.value), "{told}");
        }
    }
    assert_eq!(too_long, 24);
}
