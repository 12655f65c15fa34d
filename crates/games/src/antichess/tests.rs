use cozy_chess::{Color, Piece, Square};
use quod_model::testkit::{Laws, perft};
use quod_model::{Game, ManKind, Notation, Player, Shape, Value};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{Antichess, Position};
use crate::men::Step;
use crate::picture::pointed;

fn position(text: &str) -> Position {
    Antichess.parse_position(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn moves(position: &Position) -> Vec<Step> {
    let mut moves = Vec::new();
    Antichess.moves(position, &mut moves);
    moves
}

fn texts(text: &str) -> String {
    let here = position(text);
    let texts: Vec<String> = moves(&here).iter().map(|step| Antichess.move_text(&here, *step)).collect();
    texts.join(" ")
}

#[test]
fn keeps_the_laws() {
    Laws::default().check(&Antichess);
    assert_eq!(size_of::<Position>(), 64);
}

/// As chess programs that know this game count them.
#[test]
fn moves_are_counted_as_published() {
    let counts = [20, 400, 8_067, 153_299, 2_732_672];
    for (depth, count) in (1..).zip(counts) {
        assert_eq!(perft(&Antichess, &Antichess.start(), depth), count, "depth {depth}");
    }
}

#[test]
fn who_can_capture_must() {
    assert_eq!(texts("8/8/8/3p4/4P3/8/8/4K2R w - - 0 1"), "exd5");
    assert_eq!(texts("8/8/8/3p4/4P3/3N4/8/q3K2R w - - 0 1"), "exd5");
    // The king is a man: it takes what is guarded, and is taken.
    assert_eq!(texts("8/8/8/8/3p4/2p5/1K6/8 w - - 0 1"), "Kxc3");
    assert_eq!(texts("8/8/8/8/8/2p5/1K6/8 b - - 0 1"), "cxb2");
    // En passant is a capture.
    assert_eq!(texts("8/8/8/8/3Pp3/8/8/n6r b - d3 0 1"), "exd3");
    assert_eq!(texts("8/8/8/8/3Pp3/8/8/n7 b - - 0 1"), "e3 Nb3 Nc2");
}

#[test]
fn pawns_become_kings_too() {
    assert_eq!(texts("8/P7/8/8/8/8/8/7r w - - 0 1"), "a8=Q a8=R a8=B a8=N a8=K");
    assert_eq!(texts("1r6/P7/8/8/8/8/8/8 w - - 0 1"), "axb8=Q axb8=R axb8=B axb8=N axb8=K");
    let here = position("8/P7/8/8/8/8/8/7r w - - 0 1");
    let king = Antichess.parse_move(&here, "a8=K").unwrap();
    assert_eq!(Antichess.position_text(&Antichess.after(&here, king)), "K7/8/8/8/8/8/8/7r b - - 0 1");
}

#[test]
fn nobody_castles() {
    assert!(!texts("8/8/8/8/8/8/8/4K2R w - - 0 1").contains('O'));
    assert_eq!(texts("8/8/8/8/8/8/7P/6KR w - - 0 1").matches("Kg2").count(), 1);
}

#[test]
fn who_cannot_move_wins() {
    let outcome = |text: &str| Antichess.outcome(&position(text));
    assert_eq!(outcome("8/8/8/8/8/8/8/n7 w - - 0 1"), Some(Value::FIRST_WINS));
    assert_eq!(outcome("N7/8/8/8/8/8/8/8 b - - 0 1"), Some(Value::SECOND_WINS));
    // Men that cannot go anywhere.
    assert_eq!(outcome("8/8/8/p7/P7/8/8/8 w - - 0 1"), Some(Value::FIRST_WINS));
    assert_eq!(outcome("8/8/8/p7/P7/8/8/8 b - - 0 1"), Some(Value::SECOND_WINS));
    assert_eq!(outcome("8/8/8/p7/P7/8/8/R7 w - - 0 1"), None);
    assert_eq!(outcome("8/8/8/8/8/8/8/8 b - - 0 1"), Some(Value::SECOND_WINS));
    // No king, and no check.
    assert_eq!(outcome("8/8/8/8/8/8/r7/K6r w - - 0 1"), None);
}

#[test]
fn en_passant_counts_where_it_can_be_done() {
    let after = |moves: &str| Antichess.parse_moves(&Antichess.start(), moves).unwrap();
    assert_eq!(after("Nf3 Nc6 e4 Nb8"), after("e4 Nc6 Nf3 Nb8"));
    assert_eq!(after("Nf3 Nf6 Ng1 Ng8"), Antichess.start());
    assert_ne!(position("8/8/8/8/3Pp3/8/8/8 b - d3 0 1"), position("8/8/8/8/3Pp3/8/8/8 b - - 0 1"));
    assert_eq!(position("8/8/8/8/3P1p2/8/8/8 b - d3 0 1"), position("8/8/8/8/3P1p2/8/8/8 b - - 0 1"));
    let captured = Antichess.parse_moves(&position("8/8/8/8/3Pp3/8/8/8 b - d3 0 1"), "exd3").unwrap();
    assert_eq!(Antichess.position_text(&captured), "8/8/8/8/8/3p4/8/8 w - - 0 1");
}

#[test]
fn moves_are_read_as_people_and_engines_write_them() {
    let here = position("8/1P6/8/8/8/N7/8/N3NK2 w - - 0 1");
    for (text, move_text) in [
        ("Nec2", "Nec2"),
        ("N1c2", ""),
        ("Nc2", ""),
        ("Na1c2", "Na1c2"),
        ("Na1-c2", "Na1c2"),
        ("a3c2", "N3c2"),
        ("Nb1!?", "Nb1"),
        ("b8=K", "b8=K"),
        ("b8K", "b8=K"),
        ("b7b8k", "b8=K"),
        ("b8", ""),
        ("b7b8", ""),
        ("Kf2", "Kf2"),
        ("f2", ""),
        ("f1f2", "Kf2"),
        ("e9", ""),
        ("", ""),
        ("♞", ""),
        ("O-O", ""),
    ] {
        match Antichess.parse_move(&here, text) {
            Ok(step) => assert_eq!(Antichess.move_text(&here, step), move_text, "{text}"),
            Err(error) => {
                assert!(move_text.is_empty(), "{text}: {error}");
                assert!(error.to_string().contains("legal moves: "), "{error}");
            }
        }
    }
    let captures = position("8/8/8/3p1p2/4P3/8/8/8 w - - 0 1");
    for text in ["exd5", "ed5", "e4d5", "e4xd5"] {
        assert_eq!(Antichess.move_text(&captures, Antichess.parse_move(&captures, text).unwrap()), "exd5");
    }
    let error = Antichess.parse_move(&captures, "d5").unwrap_err().to_string();
    assert!(error.contains("legal moves: exf5 exd5"), "{error}");
    let over = position("8/8/8/8/8/8/8/n7 w - - 0 1");
    assert!(Antichess.parse_move(&over, "Nb3").unwrap_err().to_string().contains("the game is over"));
}

#[test]
fn every_bad_position_has_its_message() {
    let cases = [
        ("", "it has 0 words"),
        ("8/8/8/8/8/8/K6k w - - 0 1", "it has 7 ranks"),
        ("8/8/8/8/8/8/7/K6k w - - 0 1", "it has 7 squares"),
        ("P7/8/8/8/8/8/8/8 w - - 0 1", "there is a pawn on a8"),
        ("8/8/8/8/8/8/8/4K2R x - - 0 1", "\"x\" is neither w nor b"),
        ("8/8/8/8/8/8/8/4K2R w K - 0 1", "nobody castles in give-away chess"),
        ("8/8/8/8/8/8/8/K6k w - e6 0 1", "there is no pawn on e5"),
        ("8/PPPPPPPP/P7/8/8/8/8/8 w - - 0 1", "White has 9 pawns"),
        ("8/nnnnnnnn/nnnnnnnn/k7/8/8/8/8 w - - 0 1", "Black has 17 men"),
    ];
    for (text, said) in cases {
        let error = Antichess.parse_position(text).expect_err(text).to_string();
        assert!(error.contains(said), "{text}: {error}");
    }
    // Any number of kings, next to each other or not.
    for text in ["8/8/8/8/8/8/8/KKkk4 w - - 0 1", "8/8/8/8/8/8/8/8 w - -"] {
        assert!(Antichess.parse_position(text).is_ok(), "{text}");
    }
}

/// The moves by the book, square by square.
fn naive_moves(position: &Position) -> Vec<Step> {
    let side = position.side;
    let forwards = if side == Color::White { 1 } else { -1 };
    let at = |(file, rank): (i32, i32)| {
        let inside = (0..8).contains(&file) && (0..8).contains(&rank);
        inside.then(|| Square::index((rank * 8 + file) as usize))
    };
    let is =
        |square: Square, color: Color| matches!(position.man(square), Some((_, owner)) if owner == color);
    let mut found: Vec<(Square, Square, bool)> = Vec::new();
    for from in Square::ALL.into_iter().filter(|from| is(*from, side)) {
        let (file, rank) = (from.file() as i32, from.rank() as i32);
        let straight = [(0, 1), (0, -1), (1, 0), (-1, 0)];
        let slanted = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
        let jumps = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)];
        let all = [straight, slanted].concat();
        let (ways, far): (Vec<(i32, i32)>, i32) = match position.piece_on(from).unwrap() {
            Piece::Pawn => {
                for (to, takes) in [((file, rank + forwards), false)]
                    .into_iter()
                    .chain([-1, 1].map(|aside| ((file + aside, rank + forwards), true)))
                {
                    let Some(to) = at(to) else { continue };
                    if takes && (is(to, !side) || position.en_passant == Some(to)) {
                        found.push((from, to, true));
                    }
                    if !takes && position.man(to).is_none() {
                        found.push((from, to, false));
                        let two = at((file, rank + 2 * forwards));
                        let at_home = rank == if side == Color::White { 1 } else { 6 };
                        if let Some(two) = two.filter(|two| at_home && position.man(*two).is_none()) {
                            found.push((from, two, false));
                        }
                    }
                }
                continue;
            }
            Piece::Knight => (jumps.to_vec(), 1),
            Piece::Bishop => (slanted.to_vec(), 7),
            Piece::Rook => (straight.to_vec(), 7),
            Piece::Queen => (all, 7),
            Piece::King => (all, 1),
        };
        for (x, y) in ways {
            for distance in 1..=far {
                let Some(to) = at((file + x * distance, rank + y * distance)) else { break };
                if position.man(to).is_none() {
                    found.push((from, to, false));
                    continue;
                }
                if is(to, !side) {
                    found.push((from, to, true));
                }
                break;
            }
        }
    }
    let must = found.iter().any(|(_, _, takes)| *takes);
    let mut moves = Vec::new();
    for (from, to, _) in found.into_iter().filter(|(_, _, takes)| *takes == must) {
        let pawn = position.piece_on(from) == Some(Piece::Pawn);
        if pawn && [0, 7].contains(&(to.rank() as i32)) {
            for piece in [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight, Piece::King] {
                moves.push(Step::new(from, to, Some(piece)));
            }
        } else {
            moves.push(Step::new(from, to, None));
        }
    }
    moves.sort_unstable();
    moves
}

/// The men by the book.
fn naive_after(position: &Position, step: Step) -> String {
    let (from, to) = (step.from(), step.to());
    let mut men: Vec<_> = Square::ALL.into_iter().map(|square| position.man(square)).collect();
    let (piece, color) = men[from as usize].take().unwrap();
    if piece == Piece::Pawn && from.file() != to.file() && men[to as usize].is_none() {
        men[Square::new(to.file(), from.rank()) as usize] = None;
    }
    men[to as usize] = Some((step.promotion().unwrap_or(piece), color));
    crate::men::placement(|square| men[square as usize])
}

#[test]
fn moves_are_those_of_the_book() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
    let starts = [
        Antichess.start(),
        position("8/PPPPPPPP/8/8/8/8/pppppppp/8 w - - 0 1"),
        position("4k3/p1p1p1p1/8/1P1P1P1P/p1p1p1p1/8/1P1P1P1P/4K3 b - - 0 1"),
    ];
    let (mut seen, mut kings, mut passing, mut stuck) = (0, 0, 0, 0);
    for start in starts {
        for _ in 0..150 {
            let mut here = start.clone();
            for _ in 0..150 {
                let (ours, naive) = (moves(&here), naive_moves(&here));
                assert_eq!(ours, naive, "{}", Antichess.position_text(&here));
                assert_eq!(Antichess.mobility(&here) as usize, naive.len());
                assert_eq!(Antichess.outcome(&here).is_some(), naive.is_empty());
                seen += 1;
                passing += u32::from(here.en_passant.is_some());
                if naive.is_empty() {
                    stuck += u32::from(!here.men(here.side).is_empty());
                    break;
                }
                let step = naive[random.random_range(0..naive.len())];
                kings += u32::from(step.promotion() == Some(Piece::King));
                let after = Antichess.after(&here, step);
                let text = Antichess.position_text(&after);
                assert_eq!(text.split(' ').next().unwrap(), naive_after(&here, step), "{step}");
                here = after;
            }
        }
    }
    let told = format!("{seen} positions, {kings} new kings, {passing} en passant, {stuck} stuck");
    assert!(seen > 10_000 && kings > 100 && passing > 100 && stuck > 10, "{told}");
}

#[test]
fn the_picture_shows_men_on_their_squares() {
    let here = position("8/8/8/7p/6P1/8/8/K7 w - - 0 1");
    let men = Antichess.board(&here).shapes.into_iter().filter(|shape| matches!(shape, Shape::Man { .. }));
    let man = |x, y, kind, owner| Shape::Man { x, y, kind, owner };
    let wanted = [
        man(90, 750, ManKind::King, Player::First),
        man(690, 450, ManKind::Pawn, Player::First),
        man(790, 350, ManKind::Pawn, Player::Second),
    ];
    assert_eq!(men.collect::<Vec<_>>(), wanted);
    assert_eq!(pointed(&Antichess, &here, "gxh5"), ("g4 h5".to_owned(), (790, 350)));
}
