use std::collections::HashSet;
use std::time::Instant;

use quod_model::testkit::{Laws, Truth, perft};
use quod_model::{Family, Ink, InputError, Notation, Parameters, Receiver, Symmetry};
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::lines::index;
use super::*;
use crate::picture::{circles, pointed, written};

fn cube(side: u8) -> Qubic {
    Qubic::new(side, side, side, side).unwrap()
}

/// A position of so many stones on random cells, whoever has a row.
fn random_position(game: &Qubic, stones: u32, random: &mut Xoshiro256PlusPlus) -> Position {
    let mut position = game.start();
    for _ in 0..stones {
        let mut moves = Vec::new();
        game.moves(&position, &mut moves);
        position = game.after(&position, moves[random.random_range(0..moves.len())]);
    }
    position
}

fn image(stones: u64, symmetry: &Permutation) -> u64 {
    each(stones).fold(0, |set, cell| set | 1 << symmetry[usize::from(cell)])
}

#[test]
fn keeps_the_laws() {
    for (x, y, z, row) in
        [(3, 3, 3, 3), (4, 4, 2, 4), (4, 4, 2, 3), (1, 1, 1, 1), (1, 4, 1, 2), (2, 3, 4, 3), (2, 2, 2, 4)]
    {
        Laws::default().check(&Qubic::new(x, y, z, row).unwrap());
    }
    Laws { games: 5, ..Laws::default() }.check(&cube(4));
}

#[test]
fn values_keep_the_laws_in_small_boxes() {
    for (x, y, z, row) in [(2, 2, 2, 2), (3, 3, 1, 3), (4, 2, 1, 3), (1, 3, 3, 2), (2, 2, 2, 3)] {
        Laws::check_values(&Qubic::new(x, y, z, row).unwrap());
    }
}

/// Whoever has a line of threats wins by it, whatever the opponent does.
#[test]
fn lines_of_threats_win_against_every_reply() {
    let (mut positions, mut confirmed) = (0, 0);
    for (sides, row, plies_min, plies_max, games) in [
        ([3, 3, 3], 3, 2, 10, 2_000),
        ([4, 4, 2], 4, 4, 24, 2_000),
        ([4, 4, 2], 3, 2, 12, 2_000),
        ([4, 4, 4], 4, 6, 40, 5_000),
    ] {
        let [x, y, z] = sides;
        let game = Qubic::new(x, y, z, row).unwrap();
        let lines = Laws { games, plies_max, seed: 1 }.check_threats(&game, plies_min);
        println!("{}: {lines:?}", game.game_text());
        assert!(lines.confirmed > 300 && lines.answered > 100, "{sides:?}, {row} in a row: {lines:?}");
        assert_eq!(lines.unfinished, 0, "{sides:?}, {row} in a row");
        positions += lines.positions;
        confirmed += lines.confirmed;
    }
    println!("{positions} positions, {confirmed} wins by threats hold against every reply");
    assert!(positions > 10_000 && confirmed > 3_000);
}

/// What is said of threats is so in every position behind some that are nearly full.
#[test]
fn lines_of_threats_agree_with_the_truth() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
    for (sides, row, stones, roots) in [
        ([3, 3, 1], 3, 0, 1),
        ([4, 4, 1], 3, 4, 3),
        ([3, 3, 3], 3, 15, 5),
        ([4, 4, 2], 4, 22, 10),
        ([4, 4, 2], 3, 21, 5),
        ([4, 4, 4], 4, 54, 10),
    ] {
        let [x, y, z] = sides;
        let game = Qubic::new(x, y, z, row).unwrap();
        let (mut tried, mut found) = (0, 0);
        while tried < roots {
            let root = random_position(&game, stones, &mut random);
            if !game.has_row(root.mover) && !game.has_row(root.other) {
                tried += 1;
                found += Laws::check_threat_values(&game, &root);
            }
        }
        println!("{}: {found} lines", game.game_text());
        assert!(found > 300, "{sides:?}, {row} in a row: {found} lines");
    }
}

#[test]
fn boxes_have_their_known_lines() {
    for (sides, row, count) in [
        ([4, 4, 4], 4, 76),
        ([3, 3, 3], 3, 49),
        ([4, 4, 2], 4, 20),
        ([4, 4, 2], 3, 48),
        ([3, 3, 1], 3, 8),
        ([2, 2, 2], 2, 28),
        ([4, 4, 4], 1, 64),
        ([3, 3, 3], 4, 0),
    ] {
        let lines = Lines::new(sides, row).unwrap();
        assert_eq!(lines.cells.len(), count, "{sides:?}, {row}");
        assert!(lines.cells.iter().all(|line| line.count_ones() == u32::from(row)), "{sides:?}, {row}");
        assert_eq!(lines.board.count_ones(), sides.iter().map(|side| u32::from(*side)).product());
        for cell in 0..64 {
            for (number, line) in lines.cells.iter().enumerate() {
                assert_eq!(lines.through[cell] >> number & 1, u128::from(line >> cell & 1));
            }
        }
    }
    // Corners and the eight cells in the middle are on seven lines, all others on four.
    let through = Lines::new([4; 3], 4).unwrap().through.map(u128::count_ones);
    assert_eq!(through.iter().filter(|count| **count == 7).count(), 16);
    assert_eq!(through.iter().filter(|count| **count == 4).count(), 48);
    assert_eq!(Lines::new([4; 3], 3).unwrap_err(), 224);
    assert!(Qubic::new(4, 4, 4, 3).is_none() && Qubic::new(3, 3, 3, 2).is_none());
    assert!(Qubic::new(5, 4, 4, 4).is_none() && Qubic::new(4, 0, 4, 4).is_none());
    assert!(Qubic::new(4, 4, 4, 5).is_none() && Qubic::new(4, 4, 4, 0).is_none());
}

#[test]
fn a_line_wins_in_every_direction() {
    for line in [
        "231 232 233 234",
        "213 223 233 243",
        "123 223 323 423",
        "311 322 333 344",
        "314 323 332 341",
        "121 222 323 424",
        "124 223 322 421",
        "113 223 333 443",
        "143 233 323 413",
        "111 222 333 444",
        "114 223 332 441",
        "141 232 323 414",
        "144 233 322 411",
    ] {
        let game = cube(4);
        let cells = line.split(' ').map(|word| game.parse_move(&game.start(), word).unwrap());
        let cells = cells.fold(0, |set, cell| set | 1 << cell);
        assert!(game.lines.cells.contains(&cells), "{line}");
        let mut elsewhere = each(game.lines.board & !cells).step_by(7);
        let mut position = game.start();
        for cell in each(cells) {
            assert_eq!(game.outcome(&position), None, "{line}");
            position = game.after(&position, elsewhere.next().unwrap());
            assert_eq!(game.outcome(&position), None, "{line}");
            position = game.after(&position, cell);
        }
        assert_eq!(game.outcome(&position), Some(Value::SECOND_WINS), "{line}");
        // And for First, without the stone that First has more.
        let position = Position { mover: position.mover & (position.mover - 1), other: cells };
        assert_eq!(game.outcome(&position), Some(Value::FIRST_WINS), "{line}");
    }
}

/// Full lines by the list of all of them.
#[test]
fn rows_are_seen_where_there_are_some() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    for (x, y, z, row) in [(4, 4, 4, 4), (3, 3, 3, 3), (4, 4, 2, 3), (2, 4, 3, 4), (3, 2, 1, 1)] {
        let game = Qubic::new(x, y, z, row).unwrap();
        for line in &game.lines.cells {
            assert!(game.has_row(*line));
            assert!(each(*line).all(|cell| !game.has_row(line & !(1 << cell))));
        }
        for _ in 0..10_000 {
            let stones = game.lines.board & random.next_u64() & (random.next_u64() | random.next_u64());
            let expected = game.lines.cells.iter().any(|line| stones & line == *line);
            assert_eq!(game.has_row(stones), expected, "{stones:#x}");
            assert_eq!(game.lines.has_row(stones, row), expected, "{stones:#x}");
        }
    }
}

#[test]
fn boxes_have_their_known_symmetries() {
    for (x, y, z, row, count) in [
        (4, 4, 4, 4, 192),
        (3, 3, 3, 3, 48),
        (2, 2, 2, 2, 48),
        (3, 3, 1, 3, 8),
        (4, 4, 1, 4, 32),
        (4, 4, 2, 4, 64),
        (4, 4, 2, 3, 16),
        (4, 3, 2, 3, 8),
        (4, 4, 4, 1, 48),
        (3, 3, 3, 4, 48),
        (1, 1, 4, 4, 24),
    ] {
        let game = Qubic::new(x, y, z, row).unwrap();
        let known: HashSet<&Permutation> = game.symmetries.iter().collect();
        assert_eq!((known.len(), game.symmetries.len()), (count, count), "{}", game.game_text());
        // One after another is one of them too, or the smallest image would not be the same for all.
        let board = game.lines.board;
        for (one, two) in game.symmetries.iter().flat_map(|one| known.iter().map(move |two| (one, two))) {
            let mut both = [0; 64];
            each(board).for_each(|cell| both[usize::from(cell)] = two[usize::from(one[usize::from(cell)])]);
            assert!(known.contains(&both), "{}", game.game_text());
        }
    }
}

#[test]
fn symmetric_positions_have_one_representative() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(2);
    for game in [cube(4), cube(3), Qubic::new(4, 4, 2, 4).unwrap(), Qubic::new(4, 3, 3, 3).unwrap()] {
        for number in 0..200 {
            let stones = number % (game.lines.board.count_ones() + 1);
            let position = random_position(&game, stones, &mut random);
            let one = game.canonical(&position);
            assert_eq!(one, game.smallest_listed(&position), "{position:?}");
            assert_eq!(game.canonical(&one), one, "{position:?}");
            for symmetry in &game.symmetries {
                let other = image(position.other, symmetry);
                let alike = Position { mover: image(position.mover, symmetry), other };
                assert_eq!(game.canonical(&alike), one, "{position:?}");
            }
        }
    }
}

/// The fast way on what is most symmetric, where many images tie.
#[test]
fn positions_that_are_symmetric_themselves_have_the_same_representative_both_ways() {
    let game = cube(4);
    let (corners, middle) = (0x9009_0000_0000_9009, 0x0000_0660_0660_0000);
    for (mover, other) in [(0, 0), (corners, middle), (middle, corners), (0, 1), (1, 1 << 63), (corners, 2)] {
        let position = Position { mover, other };
        assert_eq!(game.canonical(&position), game.smallest_listed(&position), "{position:?}");
    }
}

#[test]
fn lines_of_play_are_as_many_as_cells_allow() {
    let game = cube(4);
    let counts: Vec<u64> = (1..=3).map(|depth| perft(&game, &game.start(), depth)).collect();
    assert_eq!(counts, [64, 64 * 63, 64 * 63 * 62]);
    let mut classes = HashSet::from([game.start()]);
    let counts = (0..3).map(|_| {
        let children = |position: &Position| {
            let cells = each(game.empty(position));
            let next = |cell| game.canonical(&game.after(position, cell));
            cells.map(next).collect::<Vec<_>>()
        };
        classes = classes.iter().flat_map(children).collect();
        classes.len()
    });
    // Burnside: as many classes as a symmetry leaves positions as they are, on average.
    let mut unmoved = [0; 3];
    for symmetry in &game.symmetries {
        let stays = |times: u32| {
            let moved = |cell: &u8| (0..times).fold(*cell, |cell, _| symmetry[usize::from(cell)]) == *cell;
            (0..64).filter(moved).count()
        };
        let (cells, swapped) = (stays(1), (stays(2) - stays(1)) / 2);
        let two = cells * cells.saturating_sub(1);
        unmoved[0] += cells;
        unmoved[1] += two;
        // Two stones of x, which may change places, and one of o.
        unmoved[2] += two / 2 * cells.saturating_sub(2) + swapped * cells;
    }
    assert_eq!(counts.collect::<Vec<_>>(), unmoved.map(|sum| sum / 192));
}

/// A box of one layer is the game in the plane.
#[test]
fn one_layer_of_three_is_tic_tac_toe() {
    let game = Qubic::new(3, 3, 1, 3).unwrap();
    assert_eq!(perft(&game, &game.start(), 9), 127_872);
    let truth = Truth::new(&game, &game.start());
    assert_eq!((truth.len(), truth.value(&game.start())), (5478, Value::DRAW));
    let classes: HashSet<_> = truth.iter().map(|(position, _)| game.canonical(position)).collect();
    assert_eq!(classes.len(), 765);
}

/// Whether the player to move can win with so many own moves at the most.
fn wins(game: &Qubic, position: &Position, own_moves: u32) -> bool {
    own_moves > 0
        && each(game.empty(position)).any(|cell| {
            let next = game.after(position, cell);
            game.has_row(next.other)
                || own_moves > 1 && game.outcome(&next).is_none() && loses(game, &next, own_moves - 1)
        })
}

/// Whether every move of the player to move lets the other one win.
fn loses(game: &Qubic, position: &Position, moves: u32) -> bool {
    each(game.empty(position)).all(|cell| {
        let next = game.after(position, cell);
        game.outcome(&next).is_none() && wins(game, &next, moves)
    })
}

#[test]
fn whoever_begins_in_the_middle_of_a_cube_of_three_wins_with_the_fourth_stone() {
    let game = cube(3);
    let position = game.parse_moves(&game.start(), "222").unwrap();
    assert!(loses(&game, &position, 3));
    assert!(!loses(&game, &position, 2));
}

/// No cube of three can be filled without a line.
#[test]
fn a_cube_of_three_has_no_draws() {
    let game = cube(3);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
    let mut worked_out = 0;
    while worked_out < 3 {
        let position = random_position(&game, 12, &mut random);
        if game.has_row(position.mover) || game.has_row(position.other) {
            continue;
        }
        let truth = Truth::new(&game, &position);
        assert!(truth.iter().all(|(_, value)| value != Value::DRAW));
        worked_out += 1;
    }
}

struct Text;

impl Receiver for Text {
    type Output = String;
    fn receive<G: Game + Notation>(self, game: G) -> String {
        game.game_text()
    }
}

fn opened(text: &str) -> Result<String, InputError> {
    Named.open(Parameters::new(text), Text)
}

#[test]
fn games_are_named_by_size_and_row() {
    for (text, named) in [
        ("qubic", "qubic:4x4x4"),
        ("qubic:4x4x4,row=4", "qubic:4x4x4"),
        ("qubic:4x4x2", "qubic:4x4x2"),
        ("qubic:4x4x2,row=3", "qubic:4x4x2,row=3"),
        ("qubic:3x2x1,row=3", "qubic:3x2x1"),
        ("qubic:2x2x2,row=4", "qubic:2x2x2,row=4"),
    ] {
        assert_eq!(opened(text).unwrap(), named);
        assert_eq!(opened(named).unwrap(), named);
    }
    for (text, message) in [
        ("qubic:5x4x4", "\"5x4x4\" is not a box\n  columns x rows x layers, each from 1 to 4"),
        ("qubic:4x4", "\"4x4\" is not a box"),
        ("qubic:4x4x4x4", "\"4x4x4x4\" is not a box"),
        ("qubic:4x4x0", "\"4x4x0\" is not a box"),
        ("qubic:4x4x4,row=5", "row is a number from 1 to 4"),
        (
            "qubic:4x4x4,row=3",
            "a box of 4x4x4 has 224 lines of 3 cells\n  there may be 128 lines at the most",
        ),
        ("qubic:4x4x4,rows=4", "unknown parameter \"rows=4\"\n  parameters of qubic: XxYxZ, row=N"),
    ] {
        let error = opened(text).unwrap_err().to_string();
        assert!(error.contains(message), "{text}: {error}");
    }
}

#[test]
fn cells_are_layer_row_and_column() {
    let game = Qubic::new(4, 3, 2, 3).unwrap();
    let position = game.parse_moves(&game.start(), "112 231 111").unwrap();
    assert_eq!(game.position_text(&position), "xx../..../....|..../..../o...");
    assert_eq!(position, Position { mover: 1 << index([0, 2, 1]), other: 0b11 });
    assert_eq!(
        game.draw(&position),
        "layer 1      layer 2\n1 x x . .    1 . . . .\n2 . . . .    2 . . . .\n3 . . . .    3 o . . .\n  1 2 3 4      1 2 3 4"
    );
    let widest = cube(4).draw(&cube(4).start()).lines().map(str::len).max();
    assert_eq!(widest, Some(48));
}

#[test]
fn bad_positions_get_their_own_message() {
    let game = Qubic::new(3, 2, 2, 3).unwrap();
    for (text, message) in [
        (
            ".../...",
            ": it has 1 layers, the box has 2\n  layers separated by |, in each of them rows separated by /, such as .../...|.../...",
        ),
        (".../...|...", "(layer 2): it has 1 rows, a layer has 2"),
        (".../..|.../...", "(layer 1, row 2, \"..\"): it has 2 cells, a row has 3"),
        (
            ".../...|.z./...",
            "(layer 2, row 1, column 2): \"z\" is no cell\n  x is First, o is Second, . is empty",
        ),
        ("xx./...|.../...", "the number of stones is wrong: x has 2, o has 0"),
        ("xxx/...|oo./..o", "the player to move has a full row already"),
        ("", "it has 1 layers"),
    ] {
        let error = game.parse_position(text).unwrap_err().to_string();
        assert!(error.contains(message), "{text}: {error}");
    }
    assert!(game.parse_position("xxx/...|oo./...").is_ok());
    let error = game.parse_moves(&game.start(), "111 111").unwrap_err().to_string();
    assert!(error.contains("move 2 of") && error.contains("legal moves: 112 113 121"), "{error}");
}

#[test]
fn the_picture_shows_two_layers_beside_each_other() {
    let game = cube(4);
    let position = game.parse_moves(&game.start(), "111 234 444").unwrap();
    let board = game.board(&position);
    assert_eq!((board.width, board.height), (940, 1020));
    assert_eq!(circles(&board, Ink::First), [(90, 90), (890, 930)]);
    assert_eq!(circles(&board, Ink::Second), [(890, 290)]);
    assert_eq!(circles(&board, Ink::Hole).len(), 61);
    assert_eq!(written(&board, "layer 3"), [(220, 560)]);
    assert_eq!(
        written(&board, "4"),
        [(20, 390), (390, 460), (520, 390), (890, 460), (20, 930), (390, 1000), (520, 930), (890, 1000)]
    );
    assert_eq!(pointed(&game, &position, "112"), ("112".to_owned(), (190, 90)));
    assert_eq!(pointed(&game, &position, "441"), ("441".to_owned(), (590, 930)));
    let game = Qubic::new(3, 2, 3, 3).unwrap();
    assert_eq!(pointed(&game, &game.start(), "321"), ("321".to_owned(), (90, 530)));
}

/// Prints what the fast ways cost: `cargo test --release -p quod-games qubic -- --ignored --nocapture`.
#[test]
#[ignore = "measures and checks nothing"]
fn times() {
    let game = cube(4);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(4);
    for stones in [4, 8, 16, 24, 32] {
        let positions: Vec<Position> =
            (0..1000).map(|_| random_position(&game, stones, &mut random)).collect();
        let nanoseconds = |work: &dyn Fn(&Position) -> u64| {
            let begin = Instant::now();
            let sum = (0..1000).fold(0, |sum: u64, _| {
                positions.iter().fold(sum, |sum, position| sum.wrapping_add(work(position)))
            });
            std::hint::black_box(sum);
            begin.elapsed().as_nanos() as f64 / 1e6
        };
        let canonical = nanoseconds(&|position| game.canonical(position).other);
        let outcome = nanoseconds(&|position| u64::from(game.outcome(position).is_some()));
        println!("{stones} stones: canonical {canonical:.0} ns, outcome {outcome:.1} ns");
    }
}
