use quod_model::testkit::{Laws, Truth};
use quod_model::{Game, Notation, Player, Value};

use super::{Awari, GAME_5, Slam};
use crate::picture::{pointed, written};

fn moves(game: &Awari, text: &str) -> String {
    let position = game.parse_position(text).unwrap();
    let mut moves = Vec::new();
    game.moves(&position, &mut moves);
    moves.iter().map(|mv| game.move_text(&position, *mv)).collect::<Vec<_>>().join(" ")
}

#[test]
fn keeps_the_laws() {
    for slam in [Slam::Forbidden, Slam::Captures, Slam::Keeps] {
        for stop in [false, true] {
            let variant = |game: Awari| game.with_slam(slam).with_stop(stop);
            Laws::default().check(&variant(Awari::default()));
            for (width, stones) in [(1, 1), (1, 3), (2, 1), (2, 2), (2, 3), (3, 1), (3, 2)] {
                let game = variant(Awari::new(width, stones).unwrap());
                Laws::default().check(&game);
                Laws::check_values(&game);
            }
        }
    }
}

#[test]
fn numbers_keep_the_laws() {
    let laws = Laws { games: 20, ..Laws::default() };
    laws.check_index(&Awari::default(), 0..9);
    for slam in [Slam::Forbidden, Slam::Captures, Slam::Keeps] {
        for (width, stones) in [(1, 4), (2, 4), (3, 3), (4, 2)] {
            let game = Awari::new(width, stones).unwrap().with_slam(slam);
            laws.check_index(&game, 0..(2 * u32::from(width * stones) + 1).min(14));
        }
    }
}

/// Sowing and capturing, stone by stone.
fn by_hand(game: &Awari, pits: &mut [u8], origin: usize) -> u8 {
    let all = pits.len();
    let (mut place, stones) = (origin, std::mem::take(&mut pits[origin]));
    for _ in 0..stones {
        place = (place + 1) % all;
        if place == origin {
            place = (place + 1) % all;
        }
        pits[place] += 1;
    }
    let before = pits.to_vec();
    let (mut captured, half) = (0, all / 2);
    while place >= half && (2..=3).contains(&pits[place]) {
        captured += std::mem::take(&mut pits[place]);
        place -= 1;
    }
    if game.slam == Slam::Keeps && captured > 0 && pits[half..].iter().all(|pit| *pit == 0) {
        pits.copy_from_slice(&before);
        captured = 0;
    }
    captured
}

#[test]
fn sows_and_captures_as_by_hand() {
    use rand::{RngExt, SeedableRng};
    let mut random = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(1);
    for round in 0..20_000 {
        let slam = [Slam::Forbidden, Slam::Captures, Slam::Keeps][round % 3];
        let width = random.random_range(1..=6u8);
        let game = Awari::new(width, 4).unwrap().with_slam(slam);
        let mut pits = vec![0u8; 2 * usize::from(width)];
        for _ in 0..random.random_range(1..=8 * width) {
            // Some pits get many stones.
            let pit = random.random_range(0..pits.len()).min(random.random_range(0..pits.len()));
            pits[pit] += 1;
        }
        let text: Vec<String> = pits.iter().map(u8::to_string).collect();
        let position = game.parse_position(&text.join(" ")).unwrap();
        for pit in 0..width {
            if position.mover.pit(pit) == 0 {
                continue;
            }
            let mut expected = pits.clone();
            let captured = by_hand(&game, &mut expected, usize::from(pit));
            let after = game.after(&position, pit);
            let row = |player| (0..width).map(move |pit| after.row(player).pit(pit));
            let found: Vec<u8> = row(Player::First).chain(row(Player::Second)).collect();
            assert_eq!((found, after.row(Player::First).store()), (expected, captured), "{text:?} {pit}");
        }
    }
}

/// Figures 11 and 12 of the paper.
#[test]
fn the_figures_have_their_moves() {
    let game = Awari::default();
    let figure_11 = "1 0 4 19 4 2 / 1 1 3 1 0 0 S 5 7";
    assert_eq!(moves(&game, figure_11), "D19x7 F2x4 C4x2 A1 E4");
    let figure_12 = game.parse_position("0 1 0 0 1 0 / 0 0 0 0 0 1 S 22 23").unwrap();
    let after = game.parse_moves(&figure_12, "E1 f1").unwrap();
    let legal = moves(&game, &game.position_text(&after));
    assert_eq!(legal, "F1", "South must feed");
    // After B1 f1 no move feeds: all are legal, and South gets what is left.
    let after = game.parse_moves(&figure_12, "B1 f1").unwrap();
    let end = game.parse_moves(&after, "A1").unwrap();
    assert_eq!(game.outcome(&end), Some(Value(25 - 23)));
    let picture = game.draw(&game.parse_position(figure_11).unwrap());
    assert!(picture.contains(" 7 |  0  0  1  3  1  1 |"), "{picture}");
    assert!(picture.contains("|  1  0  4 19  4  2 | 5"), "{picture}");
}

#[test]
fn grand_slams_follow_their_rule() {
    // F2 would capture all that North has.
    let text = "1 0 0 0 0 2 / 1 1 0 0 0 0 S 0 0";
    let rules = |slam| Awari::default().with_slam(slam);
    // A1 leaves North its stones.
    assert_eq!(moves(&rules(Slam::Forbidden), text), "A1");
    assert_eq!(moves(&rules(Slam::Captures), text), "F2x4 A1");
    assert_eq!(moves(&rules(Slam::Keeps), text), "A1 F2");
    // Where there is no other move, it is allowed.
    assert_eq!(moves(&rules(Slam::Forbidden), "0 0 0 0 0 2 / 1 1 0 0 0 0"), "F2x4");
}

#[test]
fn the_published_game_replays() {
    let game = Awari::default();
    let end = game.parse_moves(&game.start(), GAME_5).unwrap();
    assert_eq!(game.split_moves(GAME_5).len(), 194);
    assert_eq!((end.row(Player::First).store(), end.row(Player::Second).store()), (17, 26));
    assert_eq!(end.stones(), 5);
    let wrong = GAME_5.replacen("19. F14 × 7", "19. F14 × 6", 1);
    let error = game.parse_moves(&game.start(), &wrong).unwrap_err().to_string();
    assert!(
        error.contains("F14 × 6") && error.contains("move 37") && error.contains("captures 7"),
        "{error}"
    );
}

#[test]
fn wrong_moves_are_named_with_what_is_wrong() {
    let game = Awari::default();
    let says = |mv: &str, what: &str| {
        let error = game.parse_move(&game.start(), mv).unwrap_err().to_string();
        assert!(error.contains(what) && error.contains(mv), "{error}");
    };
    says("d4", "South's turn");
    says("G4", "no move");
    says("D5", "4 stones");
    says("D4x2", "captures nothing");
    says("D4x", "missing");
    says("D4y", "too much");
    let position = game.parse_position("0 1 0 0 0 0 / 0 0 0 0 0 1").unwrap();
    let error = game.parse_move(&position, "A1").unwrap_err().to_string();
    assert!(error.contains("pit A is empty"), "{error}");
    for bad in [
        "4 4 4",
        "4 4 4 4 4 4 4 4 4 4 4 5",
        "4 4 4 4 4 4 4 4 4 4 4 x",
        "1 1 1 1 1 1 1 1 1 1 1 1 W",
        "1 1 1 1 1 1 1 1 1 1 1 1 S 3",
    ] {
        assert!(game.parse_position(bad).is_err(), "{bad}");
    }
}

/// Endless play: whoever would have to break out may go around instead.
#[test]
fn small_boards_have_values() {
    let game = Awari::new(2, 2).unwrap();
    let truth = Truth::new(&game, &game.start());
    let value = truth.value(&game.start());
    assert!(value >= Value(-8) && value <= Value(8));
}

#[test]
fn the_picture_is_as_south_sees_it() {
    let game = Awari::default();
    let position = game.parse_position("1 0 4 19 4 2 / 1 1 3 1 0 0 N 5 7").unwrap();
    let board = game.board(&position);
    assert_eq!((board.width, board.height), (800, 350));
    assert_eq!(written(&board, "19"), [(450, 297)]);
    assert_eq!(written(&board, "3"), [(450, 53)]);
    assert_eq!(written(&board, "7"), [(50, 53)]);
    assert_eq!(written(&board, "5"), [(750, 297)]);
    assert_eq!(pointed(&game, &position, "b"), ("b".to_owned(), (550, 125)));
    let position = game.parse_position("1 0 4 19 4 2 / 1 1 3 1 0 0 S 5 7").unwrap();
    assert_eq!(pointed(&game, &position, "F"), ("F".to_owned(), (650, 225)));
}
