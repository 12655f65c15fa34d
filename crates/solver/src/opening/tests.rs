//! Pieces that resist are opened. Searches for pieces are tiny here, so that many do.

use std::fs;
use std::time::Duration;

use quod_games::Gomoku;
use quod_model::Game;
use quod_proof::check_bytes;

use super::*;

#[test]
fn pieces_that_resist_are_opened_and_joined() {
    let game = Gomoku::<4>::new(8, 4).expect("such a board");
    let folder = tempfile::tempdir().expect("a folder");
    let keeping = Keeping {
        folder: folder.path().join("opening"),
        every: Duration::from_secs(300),
        resume: false,
        label: "[]".to_owned(),
    };
    let request = Request { certificate: true, ..Request::default() };
    let prove = || prove(&game, &game.start(), &request, &keeping, &mut ()).expect("a folder of its own");
    let solution = prove().expect("nothing is refuted");
    assert_eq!((solution.report.value, solution.report.stop), (Some(1), Stop::Solved));
    assert!(solution.report.best_move.is_some());
    // The replies to a choice are noted: to that of the opening, and to those of pieces that were opened.
    let files = fs::read_dir(&keeping.folder).expect("a folder").flatten().map(|file| file.path());
    let choices = files.filter(|file| file.extension().is_some_and(|end| end == "left")).count();
    println!("the replies to {choices} choices are noted");
    assert!(choices > 1, "no piece was opened");
    let certificate = solution.certificate.expect("it was asked for").encode();
    let checked = check_bytes(&game, &certificate).expect("it is accepted");
    assert_eq!(checked.exact.map(|(value, _)| value.0), Some(1));
    // Whoever goes on finds everything done, and does not try again what resisted.
    let again = prove().expect("nothing is refuted");
    assert_eq!(again.report.nodes, 0);
    assert_eq!(again.certificate.map(|certificate| certificate.encode()), Some(certificate));
}
