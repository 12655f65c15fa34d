//! The values of whole games: every small board of Connect Four, and Woodpush up to eleven cells. What is reported is proven
//! by a certificate that the checker accepts, and where a board is small enough, every position of it is looked at.

use quod_games::ConnectFour;
use quod_model::Game;
use quod_model::testkit::Truth;
use quod_solver::{Algorithm, CertificateFile, Place, Request, games};

/// Solves a game from its start and checks the certificate.
fn proven_value(game: &str, algorithm: Algorithm) -> i32 {
    let door = games().open(game).expect("a game");
    let request = Request { algorithm, certificate: true, ..Request::default() };
    let solution = door.solve(&Place::default(), &request, &mut ()).expect("a right request");
    let file =
        solution.certificate.unwrap_or_else(|| panic!("{game} {algorithm:?}: no certificate")).encode();
    let file = CertificateFile::open(&file).expect("a good file");
    let checked = door.check(&file, &mut |_| true).expect("it is accepted");
    let (value, _) = checked.exact.expect("an exact value");
    assert_eq!(solution.report.value, Some(value.0), "{game} {algorithm:?}");
    value.0
}

#[test]
fn small_boards_of_connect_four_are_draws() {
    for columns in 1..=5 {
        for rows in 1..=5 {
            let text = format!("connect4:{columns}x{rows}");
            if columns * rows <= 16 {
                let game = ConnectFour::<u64>::new(columns, rows, 4).expect("a board");
                assert_eq!(Truth::new(&game, &game.start()).value(&game.start()).0, 0, "{text}");
                assert_eq!(proven_value(&text, Algorithm::Gpn), 0, "{text}");
            }
            for algorithm in [Algorithm::Auto, Algorithm::GpnDag] {
                assert_eq!(proven_value(&text, algorithm), 0, "{text} {algorithm:?}");
            }
        }
    }
}

#[test]
fn values_of_woodpush() {
    for (length, value) in (6..).zip([-1, -1, -1, -1, -2, -1]) {
        for range in ["", ",range=16"] {
            let text = format!("woodpush:{length}{range}");
            for algorithm in [Algorithm::Auto, Algorithm::Gpn, Algorithm::GpnDag] {
                assert_eq!(proven_value(&text, algorithm), value, "{text} {algorithm:?}");
            }
        }
    }
}
