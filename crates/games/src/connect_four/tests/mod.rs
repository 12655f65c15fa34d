//! Rules, sizes and notation.

mod decide;
mod foresight;

use quod_model::testkit::{Laws, Truth, perft};
use quod_model::{Area, Game, Ink, Notation, Value};

use super::ConnectFour;
use crate::picture::{circles, pointed, written};

fn board(width: u32, height: u32) -> ConnectFour<u64> {
    ConnectFour::new(width, height, 4).unwrap()
}

#[test]
fn keeps_the_laws() {
    for (width, height, row) in [(7, 6, 4), (1, 1, 1), (1, 9, 3), (9, 2, 3), (4, 5, 7), (2, 30, 4)] {
        Laws::default().check(&ConnectFour::<u64>::new(width, height, row).unwrap());
        Laws::default().check(&ConnectFour::<u128>::new(width, height, row).unwrap());
        Laws::default().check(&ConnectFour::<u64>::new(width, height, row).unwrap().with_score());
    }
    Laws::default().check(&ConnectFour::<u128>::new(12, 9, 4).unwrap());
}

#[test]
fn values_keep_the_laws_on_small_boards() {
    for (width, height, row) in [(4, 3, 3), (3, 4, 4), (5, 2, 2)] {
        let game = ConnectFour::<u64>::new(width, height, row).unwrap();
        Laws::check_values(&game);
        Laws::check_judge(&game);
        Laws::check_values(&game.clone().with_score());
        Laws::check_judge(&game.with_score());
    }
}

/// Counts of lines without regard to transpositions, as other programs give them for 7x6.
#[test]
fn perft_of_the_usual_board() {
    let game = board(7, 6);
    let counts: Vec<u64> = (1..=8).map(|depth| perft(&game, &game.start(), depth)).collect();
    assert_eq!(counts, [7, 49, 343, 2401, 16807, 117_649, 823_536, 5_673_234]);
}

/// Distinct positions of small boards and their values, as published by John Tromp.
#[test]
fn small_boards_have_their_known_sizes_and_values() {
    for (width, height, positions, value) in [(4, 4, 161_029, 0), (5, 3, 158_911, 0), (4, 5, 1_706_255, 0)] {
        let game = board(width, height);
        let truth = Truth::new(&game, &game.start());
        assert_eq!(truth.len(), positions, "{width}x{height}");
        assert_eq!(truth.value(&game.start()), Value(value), "{width}x{height}");
    }
}

#[test]
fn a_row_is_seen_in_every_direction() {
    let game = board(7, 6);
    for (line, winner) in [
        ("1213141", Value::FIRST_WINS),
        ("1122334", Value::FIRST_WINS),
        ("12233434474", Value::FIRST_WINS),
        ("76655454414", Value::FIRST_WINS),
        ("12324252", Value::SECOND_WINS),
    ] {
        let position = game.parse_moves(&game.start(), line).unwrap();
        assert_eq!(game.outcome(&position), Some(winner), "{line}");
    }
}

#[test]
fn the_score_counts_from_the_end() {
    let game = board(7, 6).with_score();
    let position = game.parse_moves(&game.start(), "1122334").unwrap();
    assert_eq!(game.outcome(&position), Some(Value(18)));
    assert_eq!(game.values(), (Value(-18), Value(18)));
}

#[test]
fn bad_positions_get_their_own_message() {
    let game = board(4, 3);
    for (text, message) in [
        ("..../....", "it has 2 rows, the board has 3"),
        ("..../.../....", "row 2 from the top"),
        ("..../..../..z.", "\"z\" is no cell"),
        ("..../..../.xx.", "the number of stones is wrong: x has 2, o has 0"),
        ("..../.x../..o.", "hangs in the air"),
        ("o.../o.../xxxx", "the number of stones"),
        ("oo../oo../xxxx", "has a full row already"),
    ] {
        let error = game.parse_position(text).unwrap_err().to_string();
        assert!(error.contains(message), "{text}: {error}");
    }
    let error = game.parse_moves(&game.start(), "1 2 9").unwrap_err().to_string();
    assert!(error.contains("move 3 of") && error.contains("legal moves: 1 2 3 4"), "{error}");
}

#[test]
fn the_picture_shows_stones_where_they_fell() {
    let game = ConnectFour::<u64>::new(7, 6, 4).unwrap();
    let position = game.parse_moves(&game.start(), "112").unwrap();
    let board = game.board(&position);
    assert_eq!((board.width, board.height), (700, 640));
    assert_eq!(circles(&board, Ink::First), [(50, 550), (150, 550)]);
    assert_eq!(circles(&board, Ink::Second), [(50, 450)]);
    assert_eq!(circles(&board, Ink::Hole).len(), 39);
    assert_eq!(written(&board, "7"), [(650, 620)]);
    assert_eq!(pointed(&game, &position, "1"), ("column 1".to_owned(), (50, 350)));
    assert_eq!(pointed(&game, &position, "7"), ("column 7".to_owned(), (650, 550)));
    assert_eq!(board.spots[6].area, Area { x: 600, y: 0, width: 100, height: 600 });
}
