//! Rules, sizes and notation.

use std::collections::{HashMap, HashSet};

use quod_model::testkit::{Laws, Truth, check_position, perft};
use quod_model::{Family, Game, Ink, InputError, Notation, Parameters, Player, Receiver, Symmetry, Value};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{Cells, Gomoku, Named, Position};
use crate::picture::{circles, pointed, written};

fn board<const N: usize>(size: u32, row: u32) -> Gomoku<N> {
    Gomoku::new(size, row).unwrap()
}

fn usual() -> Gomoku<4> {
    board(15, 5)
}

#[test]
fn keeps_the_laws() {
    for (size, row) in [(3, 3), (4, 3), (5, 4), (6, 6), (3, 5)] {
        let laws = Laws { games: 20, ..Laws::default() };
        laws.check(&board::<4>(size, row));
        laws.check(&board::<7>(size, row));
        laws.check(&board::<4>(size, row).with_exact_rows());
    }
    let few = Laws { games: 2, plies_max: 40, ..Laws::default() };
    few.check(&board::<4>(10, 5));
    few.check(&usual().with_exact_rows());
    Laws { games: 1, plies_max: 12, ..few }.check(&board::<7>(20, 5));
}

#[test]
fn the_smallest_board_is_tic_tac_toe() {
    let game = board::<4>(3, 3);
    Laws::check_values(&game);
    let truth = Truth::new(&game, &game.start());
    assert_eq!((truth.len(), truth.value(&game.start())), (5478, Value::DRAW));
    let classes: HashSet<_> = truth.iter().map(|(position, _)| game.canonical(position)).collect();
    assert_eq!(classes.len(), 765);
    assert_eq!(perft(&game, &game.start(), 9), 127_872);
}

/// The value for the side to move, by a search that goes around nothing and knows positions again.
fn worth<const N: usize>(
    game: &Gomoku<N>,
    position: &Position<N>,
    known: &mut HashMap<u128, (i32, i32)>,
    (low, high): (i32, i32),
) -> i32 {
    if let Some(value) = game.outcome(position) {
        return value.seen_by(position.to_move).0;
    }
    let key = game.key(&game.canonical(position));
    let (lower, upper) = known.get(&key).copied().unwrap_or((-1, 1));
    if lower >= high || lower == upper {
        return lower;
    }
    if upper <= low {
        return upper;
    }
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    let mut best = -1;
    for mv in moves {
        best = best.max(-worth(game, &game.after(position, mv), known, (-high, -best.max(low))));
        if best >= high {
            break;
        }
    }
    let bounds = known.entry(key).or_insert((-1, 1));
    if best > low {
        bounds.0 = best;
    }
    if best < high {
        bounds.1 = best;
    }
    best
}

#[test]
fn small_boards_have_their_known_values() {
    for (size, row, value) in [(3, 3, 0), (4, 3, 1), (4, 4, 0), (4, 5, 0)] {
        let game = board::<4>(size, row);
        let found = worth(&game, &game.start(), &mut HashMap::new(), (-1, 1));
        assert_eq!(found, value, "{size}, {row}");
    }
}

/// Every line of cells of a length, by its first cell and its direction.
fn lines(size: i32, length: i32) -> Vec<Vec<(i32, i32)>> {
    let inside = |(x, y): &(i32, i32)| (0..size).contains(x) && (0..size).contains(y);
    let begins = (0..size).flat_map(|y| (0..size).map(move |x| (x, y)));
    let line = |(x, y): (i32, i32), (dx, dy): (i32, i32)| -> Vec<(i32, i32)> {
        (0..length).map(|step| (x + dx * step, y + dy * step)).filter(inside).collect()
    };
    let directions = [(1, 0), (0, 1), (1, 1), (-1, 1)];
    let all = begins.flat_map(|begin| directions.map(|direction| line(begin, direction)));
    all.filter(|line| line.len() == length as usize).collect()
}

fn set<const N: usize>(game: &Gomoku<N>, line: &[(i32, i32)]) -> Cells<N> {
    line.iter().fold(Cells::NONE, |set, (x, y)| set.with(game.cell(*x as u32, *y as u32)))
}

fn check_rows<const N: usize>(size: u32, row: u32) {
    let (game, exact) = (board::<N>(size, row), board::<N>(size, row).with_exact_rows());
    for line in lines(size as i32, row as i32) {
        let stones = set(&game, &line);
        assert!(game.has_row(stones) && exact.has_row(stones), "{line:?} of {size}");
        let missing = stones.iter().find(|cell| game.has_row(stones.without(*cell)));
        assert_eq!(missing, None, "{line:?} of {size}");
    }
    for length in row + 1..=(2 * row).min(size) {
        for line in lines(size as i32, length as i32) {
            let stones = set(&game, &line);
            assert!(game.has_row(stones) && !exact.has_row(stones), "{line:?} of {size}");
        }
    }
}

#[test]
fn rows_win_in_all_directions_and_at_all_edges() {
    for row in 3..=6 {
        for size in [3, 4, 5, 6, 9, 14, 15] {
            check_rows::<4>(size, row);
        }
        for size in [15, 16, 19, 20] {
            check_rows::<7>(size, row);
        }
    }
}

/// A random share of some cells.
fn some<const N: usize>(cells: Cells<N>, share: f64, random: &mut Xoshiro256PlusPlus) -> Cells<N> {
    cells.iter().filter(|_| random.random_bool(share)).fold(Cells::NONE, Cells::with)
}

/// A row by its definition.
fn naive<const N: usize>(game: &Gomoku<N>, lines: &[Vec<(i32, i32)>], stones: Cells<N>) -> bool {
    let has = |x: i32, y: i32| {
        let inside = x.min(y) >= 0 && x.max(y) < game.size as i32;
        inside && stones.contains(game.cell(x as u32, y as u32))
    };
    lines.iter().any(|line| {
        let ((x, y), (last_x, last_y)) = (line[0], line[line.len() - 1]);
        let (dx, dy) = (line[1].0 - x, line[1].1 - y);
        let longer = has(x - dx, y - dy) || has(last_x + dx, last_y + dy);
        line.iter().all(|(x, y)| has(*x, *y)) && !(game.exact && longer)
    })
}

#[test]
fn no_row_wraps_around_on_boards_full_of_random_stones() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    for (size, row) in [(3, 3), (5, 4), (9, 5), (15, 5), (15, 6)] {
        let lines = lines(size as i32, row as i32);
        let mut found = [0; 2];
        for _ in 0..400 {
            let share = random.random_range(0.2..0.8);
            let mut game = board::<4>(size, row);
            let stones = some(game.board, share, &mut random);
            for exact in [false, true] {
                game.exact = exact;
                let wins = naive(&game, &lines, stones);
                assert_eq!(game.has_row(stones), wins, "{size}, {row}, {stones:?}");
                found[usize::from(wins)] += 1;
            }
        }
        assert!(found[0] > 50 && found[1] > 50, "{size}, {row}: {found:?}");
    }
}

#[test]
fn six_in_a_row_win_unless_rows_are_exact() {
    let line = "a1 a3 b1 b3 c1 c3 e1 e3 f1 f3 d1";
    for (game, outcome) in [(usual(), Some(Value::FIRST_WINS)), (usual().with_exact_rows(), None)] {
        let position = game.parse_moves(&game.start(), line).unwrap();
        assert_eq!(game.outcome(&position), outcome);
        // With five of its own, Second wins under both rules.
        let second = game.parse_moves(&game.start(), "a1 a3 b1 b3 c1 c3 e1 e3 f1 d3").unwrap();
        assert_eq!(game.outcome(&second), Some(Value::SECOND_WINS));
    }
}

#[test]
fn a_full_board_is_a_draw() {
    let game = board::<4>(3, 3);
    let position = game.parse_position("xox/xxo/oxo").unwrap();
    assert_eq!(game.outcome(&position), Some(Value::DRAW));
    assert_eq!(game.mobility(&position), 0);
}

#[test]
fn images_have_one_canonical_form_and_others_have_not() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    for size in [5, 15] {
        let game = board::<4>(size, 5);
        for stones in 0..20 {
            let mut sets = [Cells::NONE; 2];
            for number in 0..stones {
                let free = game.board & !(sets[0] | sets[1]);
                let cell = free.iter().nth(random.random_range(0..free.count() as usize)).unwrap();
                sets[number % 2] = sets[number % 2].with(cell);
            }
            let image = |number: usize| {
                let [mover, other] = sets.map(|set| {
                    let cells = set.iter().map(|cell| game.images[cell as usize][number]);
                    cells.fold(Cells::NONE, |set, cell| set.with(cell.into()))
                });
                Position { mover, other, to_move: Player::Second }
            };
            let images: Vec<Position<4>> = (0..8).map(image).collect();
            let smallest = images.iter().min_by_key(|image| (image.mover, image.other)).unwrap();
            assert!(images.iter().all(|image| game.canonical(image) == *smallest), "{smallest:?}");
            assert!(images.iter().all(|image| ((image.mover | image.other) & !game.board).is_empty()));
        }
    }
}

#[test]
fn every_stone_changes_both_halves_of_the_key() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let game = board::<7>(20, 5);
    let key = |mover, other, to_move| game.key(&Position { mover, other, to_move });
    let mut changed = [0; 2];
    let mut tries = 0;
    for _ in 0..20 {
        let [mover, other] = [(); 2].map(|()| some(game.board, 0.1, &mut random));
        let here = key(mover, other, Player::First);
        let flipped = game.board.iter().map(Cells::one);
        let others = flipped
            .flat_map(|one| [key(mover ^ one, other, Player::First), key(mover, other ^ one, Player::First)]);
        for there in others.chain([key(mover, other, Player::Second), key(other, mover, Player::First)]) {
            let unlike = here ^ there;
            for (half, bits) in [(unlike >> 64) as u64, unlike as u64].into_iter().enumerate() {
                assert!((8..=56).contains(&bits.count_ones()), "{unlike:x}");
                changed[half] += bits.count_ones();
            }
            tries += 1;
        }
    }
    assert!(changed.iter().all(|bits| (31 * tries..33 * tries).contains(bits)), "{changed:?} of {tries}");
}

#[test]
fn few_stones_never_share_half_a_key() {
    let game = board::<4>(9, 5);
    let mut halves = [(); 2].map(|()| HashSet::new());
    let mut positions = 0;
    for one in game.board.iter() {
        for two in game.board.iter().filter(|two| *two > one) {
            for other in game.board.iter().filter(|other| *other != one && *other != two) {
                let (mover, other) = (Cells::one(one).with(two), Cells::one(other));
                for (mover, other) in [(mover, other), (other, mover)] {
                    let key = game.key(&Position { mover, other, to_move: Player::First });
                    halves[0].insert((key >> 64) as u64);
                    halves[1].insert(key as u64);
                    positions += 1;
                }
            }
        }
    }
    assert!(halves.iter().all(|half| half.len() == positions));
}

struct Text;

impl Receiver for Text {
    type Output = (String, usize);
    fn receive<G: Game + Notation>(self, game: G) -> (String, usize) {
        (game.game_text(), size_of::<G::Position>())
    }
}

#[test]
fn parameters_are_read_and_written() {
    let open = |text: &str| Named.open(Parameters::new(text), Text);
    for (text, written, words) in [
        ("gomoku", "gomoku:15", 4),
        ("gomoku:15", "gomoku:15", 4),
        ("gomoku:9,row=4", "gomoku:9,row=4", 4),
        ("gomoku:row=5", "gomoku:15", 4),
        ("gomoku:exact", "gomoku:15,exact", 4),
        ("gomoku:20,exact,row=6", "gomoku:20,row=6,exact", 7),
        ("gomoku:16", "gomoku:16", 7),
    ] {
        assert_eq!(open(text), Ok((written.to_owned(), 8 * (2 * words + 1))), "{text}");
    }
    for (text, message) in [
        ("gomoku:2", "from 3 to 20"),
        ("gomoku:21", "\"21\" is not a board size"),
        ("gomoku:15x15", "\"15x15\" is not a board size"),
        ("gomoku:15,row=7", "row is a number from 3 to 6"),
        ("gomoku:15,renju", "unknown parameter \"renju\""),
    ] {
        let error = open(text).unwrap_err().to_string();
        assert!(error.contains(message), "{text}: {error}");
    }
    assert!(Gomoku::<4>::new(16, 5).is_none() && Gomoku::<7>::new(21, 5).is_none());
}

#[test]
fn positions_are_read_in_several_ways() {
    let game = board::<4>(4, 4);
    let position = game.parse_moves(&game.start(), "b3 c2 d4").unwrap();
    let text = "...x/.x../..o./....";
    assert_eq!(game.position_text(&position), text);
    for same in [
        text,
        "...X/.X../..O./....",
        "---x/+x++/..o./....",
        "...x\n.x..\n..o.\n....\n",
        "...x .x.. ..o. ....",
        "...x/.x../..o./.... o",
        "...x .x.. ..o. .... O",
        " ...x / .x.. / ..o. / .... ",
        "3,0,2 1,1,2 2,2,1",
        "BOARD\n3,0,2\n1,1,2\n2,2,1\nDONE\n",
        "board;3,0,2;1,1,2;2,2,1;done",
        "3,0,2 1,1,2 2,2,1 o",
    ] {
        assert_eq!(game.parse_position(same), Ok(position), "{same}");
    }
    assert_eq!(game.parse_position("BOARD DONE"), Ok(game.start()));
    let even = game.parse_position("0,3,1 1,3,2").unwrap();
    assert_eq!((even.to_move, game.position_text(&even)), (Player::First, "..../..../..../xo..".to_owned()));
}

#[test]
fn who_is_to_move_is_told_where_stones_do_not() {
    let game = board::<4>(4, 4);
    for (text, written, to_move) in [
        ("..../..../..../xo.. o", "..../..../..../xo.. o", Player::Second),
        ("..../..../..../xo.. x", "..../..../..../xo..", Player::First),
        ("..../..../..../xx.. x", "..../..../..../xx.. x", Player::First),
        ("..../..../..../.x.. x", "..../..../..../.x.. x", Player::First),
        ("..../..../..../.oo. o", "..../..../..../.oo. o", Player::Second),
        ("..../..../..../.o.. x", "..../..../..../.o.. x", Player::First),
        // By the parity of all stones.
        ("0,3,1 1,3,1 2,3,1", "..../..../..../ooo. o", Player::Second),
        ("0,3,2 1,3,2", "..../..../..../oo.. x", Player::First),
    ] {
        let position = game.parse_position(text).unwrap();
        assert_eq!((game.position_text(&position).as_str(), position.to_move), (written, to_move));
        check_position(&game, &position);
    }
}

#[test]
fn bad_positions_get_their_own_message() {
    let game = board::<4>(4, 4);
    for (text, messages) in [
        ("", ["it has 0 rows, the board has 4", "..../..../..../...."]),
        ("..../....", ["it has 2 rows, the board has 4", "separated by /"]),
        ("....//..../....", ["row 2 from the top", "it has 0 cells"]),
        ("..../.../..../....", ["row 2 from the top, \"...\"", "it has 3 cells"]),
        ("..../..../..../..z.", ["row 4 from the top, column 3", "\"z\" is no cell"]),
        ("..../..../..../.xx.", ["x has 2, o has 0", "add \" x\" or \" o\""]),
        ("..../..../..../.ooo", ["x has 0, o has 3", "do not tell who is to move"]),
        ("oooo/..../..../xxxx", ["the player to move has a full row already", "when that row was made"]),
        ("..../..../o.oo/xxxx x", ["the player to move has a full row already", "moved last"]),
        ("0,0,1 4,0,2", ["stone 2, \"4,0,2\"", "columns and rows from 0 to 3"]),
        ("0,0,1 0,0,2", ["stone 2, \"0,0,2\"", "there is a stone on a4 already"]),
        ("0,0,3", ["3 is neither side", "who is 1 for the side to move and 2 for the other"]),
        ("0,0", ["it is not three numbers", "the row from the top"]),
        ("BOARD 0,0,1 oops DONE", ["stone 2, \"oops\"", "it is not three numbers"]),
    ] {
        let error = game.parse_position(text).unwrap_err().to_string();
        assert!(messages.iter().all(|message| error.contains(message)), "{text}: {error}");
    }
}

#[test]
fn moves_are_read_with_and_without_spaces() {
    let game = usual();
    let read = |text: &str| game.parse_moves(&game.start(), text);
    let position = read("h8 h9 i9 a15 o1").unwrap();
    assert_eq!(read("h8h9i9a15o1"), Ok(position));
    assert_eq!(read("H8H9 I9a15 o1"), Ok(position));
    assert_eq!(game.owner(&position, 7, 7), Some(Player::First));
    assert_eq!(game.parse_move(&game.start(), "h8"), Ok(7 * 16 + 7));
    let message = |error: InputError| error.to_string();
    for (text, expected) in [
        ("h8 p1", "(move 2 of \"h8 p1\"): it is not a cell of the board"),
        ("h8h16", "cells are a1 at the bottom left to o15 at the top right"),
        ("h0", "it is not a cell"),
        ("h08", "it is not a cell"),
        ("h+8", "it is not a cell"),
        ("é8", "it is not a cell"),
        ("8", "it is not a cell"),
        ("h", "it is not a cell"),
        ("h8h9H8", "\"H8\" (move 3 of \"h8h9H8\"): there is a stone of x already"),
        ("a1a2b1b2c1c2d1d2e1e2", "(move 10 of \"a1a2b1b2c1c2d1d2e1e2\"): the game is over before this move"),
    ] {
        let error = message(read(text).unwrap_err());
        assert!(error.contains(expected), "{text}: {error}");
    }
}

#[test]
fn drawings_have_letters_and_numbers() {
    let game = board::<4>(3, 3);
    let position = game.parse_moves(&game.start(), "b2c3").unwrap();
    assert_eq!(game.draw(&position), "3 . . o\n2 . x .\n1 . . .\n  a b c");
    let large = board::<7>(20, 5);
    let drawing = large.draw(&large.start());
    assert!(drawing.lines().all(|line| line.len() == 42), "{drawing}");
    assert!(drawing.starts_with("20 .") && drawing.ends_with(" s t"), "{drawing}");
}

#[test]
fn the_picture_shows_stones_on_crossings() {
    let game = usual();
    let position = game.parse_moves(&game.start(), "h8 a1 o15").unwrap();
    let board = game.board(&position);
    assert_eq!((board.width, board.height), (1540, 1540));
    assert_eq!(circles(&board, Ink::First), [(790, 750), (1490, 50)]);
    assert_eq!(circles(&board, Ink::Second), [(90, 1450)]);
    assert_eq!(written(&board, "o"), [(1490, 1520)]);
    assert_eq!(written(&board, "15"), [(20, 50)]);
    assert_eq!(board.spots.len(), 225);
    assert_eq!(pointed(&game, &position, "b1"), ("b1".to_owned(), (190, 1450)));
    assert_eq!(pointed(&game, &position, "a2"), ("a2".to_owned(), (90, 1350)));
}

/// Whoever has a line of threats wins by it, whatever the opponent does.
#[test]
fn lines_of_threats_win_against_every_reply() {
    let (mut positions, mut confirmed) = (0, 0);
    let mut check = |game: &Gomoku<4>, plies: (u32, u32), games: u32| {
        let lines = Laws { games, plies_max: plies.1, seed: 1 }.check_threats(game, plies.0);
        println!("{}: {lines:?}", game.game_text());
        assert!(lines.confirmed > 100 && lines.answered > 30, "{}: {lines:?}", game.game_text());
        positions += lines.positions;
        confirmed += lines.confirmed;
    };
    check(&board(5, 3), (2, 8), 3_000);
    check(&board(6, 4), (4, 16), 3_000);
    check(&board(7, 5), (10, 30), 1_200);
    check(&board(9, 5), (16, 40), 300);
    check(&board::<4>(6, 4).with_exact_rows(), (4, 16), 2_000);
    check(&board::<4>(8, 5).with_exact_rows(), (14, 36), 500);
    println!("{positions} positions, {confirmed} wins by threats hold against every reply");
    assert!(positions >= 10_000 && confirmed > 2_000);
}

/// What is said of threats is so in every position behind some that are nearly full.
#[test]
fn lines_of_threats_agree_with_the_truth() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
    let mut check = |game: &Gomoku<4>, stones: usize, roots: u32| {
        let (mut tried, mut found) = (0, 0);
        while tried < roots {
            let mut position = game.start();
            for _ in 0..stones {
                if game.outcome(&position).is_none() {
                    let mut moves = Vec::new();
                    game.moves(&position, &mut moves);
                    position = game.after(&position, moves[random.random_range(0..moves.len())]);
                }
            }
            if game.outcome(&position).is_none() {
                tried += 1;
                found += Laws::check_threat_values(game, &position);
            }
        }
        println!("{}: {found} lines", game.game_text());
        assert!(found > 300, "{}: {found} lines", game.game_text());
    };
    check(&board(3, 3), 0, 1);
    check(&board(4, 3), 4, 3);
    check(&board(5, 4), 14, 8);
    check(&board(5, 5), 14, 8);
    check(&board(6, 5), 25, 8);
    check(&board::<4>(5, 3).with_exact_rows(), 14, 5);
    check(&board::<4>(5, 4).with_exact_rows(), 14, 8);
}

/// Two stones side by side: 32 windows with one of them, four with both, four cells for a three with room, and two for one that is blocked.
#[test]
fn what_is_counted_is_what_is_there() {
    let game = board::<4>(15, 5);
    let mut position = game.start();
    for word in ["h8", "a1", "i8"] {
        position = game.after(&position, game.parse_move(&position, word).unwrap());
    }
    let [tally, _] = game.tallies(&position, Player::First);
    assert_eq!(tally.windows, [32, 4, 0]);
    let best = [2..5, 5..9, 9..14].map(|pairs| tally.pairs[pairs].iter().sum::<u32>());
    assert_eq!(best, [2, 4, 0]);
}

#[test]
fn what_is_counted_is_the_same_in_every_image_and_for_either_side() {
    let game = board::<4>(15, 5);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    for _ in 0..200 {
        let mut position = game.start();
        for _ in 0..random.random_range(1..30) {
            let free: Vec<u32> = game.empty(&position).iter().collect();
            position = game.after(&position, free[random.random_range(0..free.len())] as u16);
        }
        let [own, foe] = game.tallies(&position, Player::First);
        assert_eq!(game.tallies(&position, Player::Second), [foe, own]);
        assert_eq!(game.tallies(&game.canonical(&position), Player::First), [own, foe]);
    }
}
