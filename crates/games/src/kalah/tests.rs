use quod_model::testkit::{Laws, Truth, perft};
use quod_model::{Game, Ink, Notation, Player, Value};

use super::Kalah;
use crate::picture::{circles, pointed, written};

#[test]
fn keeps_the_laws() {
    Laws::default().check(&Kalah::default());
    for (width, stones) in [(1, 1), (1, 3), (2, 1), (2, 2), (3, 1), (3, 2), (4, 1)] {
        let game = Kalah::new(width, stones).unwrap();
        Laws::default().check(&game);
        Laws::check_values(&game);
    }
}

/// Values that others published: with one stone in a pit or few pits, from the table of Irving, Donkers and Uiterwijk (2000).
#[test]
fn small_boards_have_the_published_winners() {
    // Boards by pits; with 1, 2, 3, 4 stones: W, L or D for the player who begins.
    let rows = [(1, "DLWL"), (2, "WLLL"), (3, "DWWW")];
    for (width, winners) in rows {
        for (stones, winner) in (1..).zip(winners.chars()) {
            let game = Kalah::new(width, stones).unwrap();
            let value = Truth::new(&game, &game.start()).value(&game.start());
            let found = match value.0.signum() {
                1 => 'W',
                0 => 'D',
                _ => 'L',
            };
            assert_eq!(found, winner, "{}: {value:?}", game.game_text());
        }
    }
}

#[test]
fn moves_are_as_people_play_them() {
    let game = Kalah::default();
    let play = |text: &str, mv: &str| {
        let position = game.parse_position(text).unwrap();
        let mv = game.parse_move(&position, mv).unwrap();
        (game.move_text(&position, mv), game.position_text(&game.after(&position, mv)))
    };
    let said = |mv: &str, position: &str| (mv.to_owned(), position.to_owned());
    // The last stone in the store: the same player again.
    assert_eq!(play("4 4 4 4 4 4 / 4 4 4 4 4 4", "C"), said("C4+", "4 4 0 5 5 5 / 4 4 4 4 4 4 S 1 0"));
    // The last stone in an empty pit captures what is opposite, and itself.
    assert_eq!(play("1 0 0 0 0 4 / 4 4 4 4 5 4", "A1x6"), said("A1x6", "0 0 0 0 0 4 / 4 4 4 4 0 4 N 6 0"));
    // Nothing opposite: nothing captured.
    assert_eq!(play("1 0 0 0 0 4 / 4 4 4 4 0 4", "A1"), said("A1", "0 1 0 0 0 4 / 4 4 4 4 0 4 N 0 0"));
    // Once around: the other store is left out, and the pit that the stones came from is not.
    assert_eq!(play("0 0 0 0 0 13 / 1 1 1 1 1 1", "F13x3"), said("F13x3", "1 1 1 1 1 0 / 0 2 2 2 2 2 N 4 0"));
    let over = game.parse_position("0 0 0 0 0 0 / 1 1 0 0 0 0 S 20 26").unwrap();
    assert_eq!(game.outcome(&over), Some(Value(-8)));
    assert_eq!(game.to_move(&over), Player::First);
    let error = game.parse_move(&game.start(), "A4+").unwrap_err().to_string();
    assert!(error.contains("does not fall into the store"), "{error}");
}

#[test]
fn counts_are_stable() {
    let game = Kalah::default();
    assert_eq!(perft(&game, &game.start(), 1), 6);
    assert_eq!(perft(&game, &game.start(), 4), 942);
}

#[test]
fn the_picture_is_as_south_sees_it() {
    let game = Kalah::new(3, 4).unwrap();
    let position = game.parse_position("1 0 12 / 2 0 0 N 5 4").unwrap();
    let board = game.board(&position);
    assert_eq!((board.width, board.height), (500, 350));
    // A is below on the left, a above on the right, and every store at the right hand of its owner.
    assert_eq!(written(&board, "A"), [(150, 331)]);
    assert_eq!(written(&board, "a"), [(350, 19)]);
    assert_eq!(written(&board, "1"), [(150, 297)]);
    assert_eq!(written(&board, "12"), [(350, 297)]);
    assert_eq!(written(&board, "2"), [(350, 53)]);
    assert_eq!(written(&board, "5"), [(450, 297)]);
    assert_eq!(written(&board, "4"), [(50, 53)]);
    let seeds = circles(&board, Ink::Neutral);
    let of_pit =
        |x: i32, y: i32| seeds.iter().filter(|at| (at.0 - x).abs() < 45 && (at.1 - y).abs() < 45).count();
    assert_eq!([of_pit(150, 225), of_pit(250, 225), of_pit(350, 225)], [1, 0, 9]);
    assert_eq!([of_pit(150, 125), of_pit(250, 125), of_pit(350, 125)], [0, 0, 2]);
    assert_eq!(seeds.iter().filter(|at| at.0 > 400).count(), 5);
    assert_eq!(seeds.iter().filter(|at| at.0 < 100).count(), 4);
    assert_eq!(pointed(&game, &position, "a"), ("a".to_owned(), (350, 125)));
    let position = game.parse_position("1 0 12 / 2 0 0 S 5 4").unwrap();
    assert_eq!(pointed(&game, &position, "A"), ("A".to_owned(), (150, 225)));
}
