use quod_model::testkit::{Laws, perft};
use quod_model::{Area, Game, Ink, ManKind, Notation, Player, Shape, Value};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::checks::Aim;
use super::{Chess, Position};
use crate::picture::{pointed, written};

/// Positions with castling, promotion, en passant, pins and discovered checks, as every chess program counts them.
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const PAWNS: &str = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
const PROMOTIONS: &str = "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1";

fn position(text: &str) -> Position {
    Chess::default().parse_position(text).unwrap()
}

#[test]
fn keeps_the_laws() {
    Laws { games: 20, ..Laws::default() }.check(&Chess::default());
    Laws { games: 20, ..Laws::default() }.check(&Chess::new(true));
}

#[test]
fn moves_are_counted_as_published() {
    let game = Chess::default();
    assert_eq!(perft(&game, &game.start(), 4), 197_281);
    assert_eq!(perft(&game, &position(KIWIPETE), 3), 97_862);
    assert_eq!(perft(&game, &position(PAWNS), 4), 43_238);
    assert_eq!(perft(&game, &position(PROMOTIONS), 3), 9_483);
}

/// The example of Breuker et al. (1994), section 3.3.2.
#[test]
fn moves_come_in_the_published_order() {
    let game = Chess::default();
    let mut moves = Vec::new();
    game.moves(&game.start(), &mut moves);
    let text: Vec<String> = moves.iter().map(|step| game.move_text(&game.start(), *step)).collect();
    assert_eq!(text.join(" "), "h4 h3 g4 g3 f4 f3 e4 e3 d4 d3 c4 c3 b4 b3 a4 a3 Nh3 Nf3 Nc3 Na3");
}

/// Checks told in advance are those that stand when the move is made.
#[test]
fn checks_are_foreseen() {
    let game = Chess::default();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
    let (mut checks, mut all) = (0, 0);
    for start in
        [KIWIPETE, PAWNS, PROMOTIONS, "8/8/3k4/8/8/8/8/R3K2R w KQ - 0 1", "3k4/8/8/8/8/8/8/R3K2R w KQ - 0 1"]
    {
        for _ in 0..40 {
            let mut here = position(start);
            for _ in 0..60 {
                let mut moves = Vec::new();
                game.moves(&here, &mut moves);
                if game.outcome(&here).is_some() {
                    break;
                }
                let aim = Aim::new(&here.board);
                for step in &moves {
                    let check = !game.after(&here, *step).board.checkers().is_empty();
                    assert_eq!(aim.is_check(*step), check, "{step} in {}", game.position_text(&here));
                    checks += u32::from(check);
                    all += 1;
                }
                here = game.after(&here, moves[random.random_range(0..moves.len())]);
            }
        }
    }
    assert!(checks > 3_000 && all > 100_000, "{checks} of {all}");
}

#[test]
fn games_end_as_they_do() {
    let game = Chess::default();
    let outcome = |text: &str| game.outcome(&position(text));
    assert_eq!(outcome("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"), Some(Value::FIRST_WINS));
    assert_eq!(outcome("6k1/8/8/8/8/8/5PPP/r5K1 w - - 0 1"), Some(Value::SECOND_WINS));
    assert_eq!(outcome("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), Some(Value::DRAW));
    assert_eq!(outcome("7k/4Q3/5K2/8/8/8/8/8 b - - 0 1"), None);
    // Mate at the hundredth half move is mate.
    let fifty = Chess::new(true);
    let outcome = |text: &str| fifty.outcome(&fifty.parse_position(text).unwrap());
    assert_eq!(outcome("7k/4Q3/5K2/8/8/8/8/8 b - - 100 90"), Some(Value::DRAW));
    assert_eq!(outcome("R5k1/5ppp/8/8/8/8/8/6K1 b - - 100 90"), Some(Value::FIRST_WINS));
}

/// En passant counts only where it can be done, moves without a capture only with `fifty`.
#[test]
fn equal_positions_are_equal() {
    let after = |game: &Chess, moves: &str| game.parse_moves(&game.start(), moves).unwrap();
    let game = Chess::default();
    let short = "e4 d5";
    assert_eq!(after(&game, "e4 d5 Nf3 Nf6"), after(&game, "Nf3 d5 e4 Nf6"));
    assert_eq!(after(&game, short), after(&game, "Nf3 Nf6 Ng1 Ng8 e4 d5"));
    let possible = position("8/8/8/8/k2Pp2Q/8/8/4K3 b - d3 0 1");
    // The capture would leave the king in check.
    assert_eq!(possible, position("8/8/8/8/k2Pp2Q/8/8/4K3 b - - 0 1"));
    assert_ne!(position("8/8/k7/8/3Pp3/8/8/4K3 b - d3 0 1"), position("8/8/k7/8/3Pp3/8/8/4K3 b - - 0 1"));
    let fifty = Chess::new(true);
    assert_ne!(after(&fifty, short), after(&fifty, "Nf3 Nf6 Ng1 Ng8 e4 d5 Nf3 Nf6 Ng1 Ng8"));
    assert_ne!(fifty.start(), after(&fifty, "Nf3 Nf6 Ng1 Ng8"));
    assert_eq!(game.start(), after(&game, "Nf3 Nf6 Ng1 Ng8"));
}

#[test]
fn moves_are_read_as_people_and_engines_write_them() {
    let game = Chess::default();
    let here = position(KIWIPETE);
    for (text, move_text) in [
        ("O-O", "O-O"),
        ("0-0-0", "O-O-O"),
        ("e1g1", "O-O"),
        ("Nxd7", "Nxd7"),
        ("e5d7", "Nxd7"),
        ("dxe6", "dxe6"),
        ("Qf3xf6!?", "Qxf6"),
        ("Nb5", "Nb5"),
    ] {
        let step = game.parse_move(&here, text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(game.move_text(&here, step), move_text);
    }
    for text in ["O-O-O-O", "Nd1x", "e9", "", "N", "d5d5", "♞"] {
        let error = game.parse_move(&here, text).unwrap_err().to_string();
        assert!(error.contains("legal moves: ") && error.contains("Nxd7"), "{error}");
    }
    let promotes = position(PROMOTIONS);
    for text in ["gxh1=N", "gxh1N", "g2h1n"] {
        assert_eq!(game.move_text(&promotes, game.parse_move(&promotes, text).unwrap()), "gxh1=N");
    }
}

#[test]
fn every_bad_position_has_its_message() {
    let cases = [
        ("", "it has 0 words"),
        ("what is this", "it has 1 ranks"),
        ("8/8/8/8/8/8/8/K6k", "it has 1 words"),
        ("8/8/8/8/8/8/8/K6k x - - 0 1", "\"x\" is neither w nor b"),
        ("8/8/8/8/8/8/8/K6k w - - 0 1 9", "it has 7 words"),
        ("8/8/8/8/8/8/K6k w - - 0 1", "it has 7 ranks"),
        ("8/8/8/8/8/8/9/K6k w - - 0 1", "'9' is neither a man"),
        ("8/8/8/8/8/8/7/K6k w - - 0 1", "it has 7 squares"),
        ("8/8/8/8/8/8/8/Kppppppppppppk w - - 0 1", "it has 14 squares"),
        ("8/8/8/8/8/8/8/K6é w - - 0 1", "'é' is neither a man"),
        ("8/8/8/8/8/8/8/K7 w - - 0 1", "Black has no king"),
        ("8/8/8/8/8/8/8/k7 w - - 0 1", "White has no king"),
        ("8/8/8/8/8/8/8/K1K4k w - - 0 1", "White has 2 kings, on a1 and c1"),
        ("P7/8/8/8/8/8/8/K6k w - - 0 1", "there is a pawn on a8"),
        ("8/8/8/8/8/8/8/K5pk w - - 0 1", "there is a pawn on g1"),
        ("8/8/8/8/8/8/8/K5Rk w - - 0 1", "Black's king on h1 is in check by the man on g1"),
        ("8/8/8/8/8/8/8/5Kk1 b - - 0 1", "White's king on f1 is in check by the man on g1"),
        ("8/8/8/8/8/8/8/K6k w KQ - 0 1", "castling K: White needs the king on e1 and a rook on h1"),
        ("8/8/8/8/8/8/8/K6k w xyz - 0 1", "\"xyz\" is not made of the letters KQkq"),
        ("8/8/8/8/8/8/8/K6k w - e4 0 1", "\"e4\" is no square behind a pawn"),
        ("8/8/8/8/8/8/8/K6k w - e6 0 1", "there is no pawn on e5"),
        ("4p3/8/8/4p3/8/8/8/K6k w - e6 0 1", "there is a pawn on e8"),
        ("8/4n3/8/4p3/8/8/8/K6k w - e6 0 1", "leaves e7 and e6 empty"),
        ("8/8/8/8/8/8/8/K6k w - - x 1", "\"x\" is no number from 0 to 65535"),
        ("8/8/8/8/8/8/8/K6k w - - 0 -1", "\"-1\" is no number"),
        ("8/PPPPPPPP/P7/8/8/8/8/K6k w - - 0 1", "White has 9 pawns"),
        ("8/NNNNNNNN/NNNNNNNN/8/8/8/8/K6k w - - 0 1", "White has 17 men"),
        ("7k/8/8/8/8/1n6/2b5/KN2r3 w - - 0 1", ""),
        ("7k/8/8/8/8/8/8/KN6 w - - 130 90", ""),
        ("7k/8/8/8/r2b4/1n6/8/K7 w - - 0 1", "in check by 3 men at once"),
    ];
    for (text, said) in cases {
        let result = Chess::default().parse_position(text);
        if said.is_empty() {
            assert!(result.is_ok(), "{text}: {result:?}");
            continue;
        }
        let error = result.expect_err(text).to_string();
        assert!(error.contains(said), "{text}: {error}");
    }
}

#[test]
fn too_little_to_mate_is_a_bound() {
    let bounds = |text: &str| {
        let bounds = Chess::default().abilities().bounds.unwrap()(&Chess::default(), &position(text));
        (bounds.0.0, bounds.1.0)
    };
    assert_eq!(bounds("7k/8/8/8/8/8/8/K7 w - - 0 1"), (0, 0));
    assert_eq!(bounds("7k/8/8/8/8/8/8/KN6 w - - 0 1"), (0, 0));
    assert_eq!(bounds("7k/8/8/8/8/8/8/KNN5 w - - 0 1"), (0, 1));
    assert_eq!(bounds("7k/7p/8/8/8/8/8/KN6 w - - 0 1"), (-1, 1));
    assert_eq!(bounds("7k/7p/8/8/8/8/8/K7 w - - 0 1"), (-1, 0));
}

#[test]
fn the_picture_shows_men_on_their_squares() {
    let game = Chess::default();
    let here = position("4k2r/1P6/8/8/8/8/8/R3K3 w Qk - 0 1");
    let board = game.board(&here);
    assert_eq!((board.width, board.height), (840, 840));
    let men = board.shapes.iter().filter_map(|shape| match shape {
        Shape::Man { x, y, kind, owner } => Some((*x, *y, *kind, *owner)),
        _ => None,
    });
    use Player::{First, Second};
    let wanted = [
        (90, 750, ManKind::Rook, First),
        (490, 750, ManKind::King, First),
        (190, 150, ManKind::Pawn, First),
        (490, 50, ManKind::King, Second),
        (790, 50, ManKind::Rook, Second),
    ];
    assert_eq!(men.collect::<Vec<_>>(), wanted);
    // a1 is dark.
    let corner = Shape::Rectangle { area: Area { x: 40, y: 700, width: 100, height: 100 }, ink: Ink::Dark };
    assert!(board.shapes.contains(&corner));
    assert_eq!(written(&board, "h"), [(790, 820)]);
    assert_eq!(written(&board, "8"), [(20, 50)]);
    assert_eq!(pointed(&game, &here, "O-O-O"), ("e1 c1".to_owned(), (290, 750)));
    for promoted in ["b8=Q", "b8=N"] {
        assert_eq!(pointed(&game, &here, promoted), ("b7 b8".to_owned(), (190, 50)));
    }
}
