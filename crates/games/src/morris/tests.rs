use std::collections::HashSet;

use super::*;
use quod_model::testkit::{Laws, Truth, perft};
use quod_model::{Family, Ink, Notation, Parameters, Receiver, Shape};

use crate::picture::{circles, pointed, written};

/// The points of the three boards in the order of position texts, and their lines, written down by hand.
const POINTS_24: &str = "a7 d7 g7 b6 d6 f6 c5 d5 e5 a4 b4 c4 e4 f4 g4 c3 d3 e3 b2 d2 f2 a1 d1 g1";
const LINES_24: &str = "a7 d7 g7, b6 d6 f6, c5 d5 e5, a4 b4 c4, e4 f4 g4, c3 d3 e3, b2 d2 f2, a1 d1 g1, \
    a1 a4 a7, b2 b4 b6, c3 c4 c5, d1 d2 d3, d5 d6 d7, e3 e4 e5, f2 f4 f6, g1 g4 g7";
const POINTS_16: &str = "a5 c5 e5 b4 c4 d4 a3 b3 d3 e3 b2 c2 d2 a1 c1 e1";
const LINES_16: &str = "a5 c5 e5, b4 c4 d4, a3 b3, d3 e3, b2 c2 d2, a1 c1 e1, \
    a1 a3 a5, b2 b3 b4, c1 c2, c4 c5, d2 d3 d4, e1 e3 e5";
const POINTS_9: &str = "a3 b3 c3 a2 b2 c2 a1 b1 c1";
const LINES_9: &str = "a3 b3 c3, a2 b2 c2, a1 b1 c1, a1 a2 a3, b1 b2 b3, c1 c2 c3, a1 b2 c3, a3 b2 c1";

/// The rules once more, slowly: the points of a board are letters, and every line is walked.
struct Slow {
    edges: HashSet<(usize, usize)>,
    mills: Vec<Vec<usize>>,
    fly: bool,
}

/// What a position text says.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    points: Vec<char>,
    side: char,
    /// Of x and of o.
    hands: [usize; 2],
}

impl State {
    fn read(text: &str) -> Self {
        let words: Vec<&str> = text.split(' ').collect();
        let points = words[0].chars().filter(|letter| *letter != '/').collect();
        let hands = [words[2].parse().unwrap(), words[3].parse().unwrap()];
        Self { points, side: words[1].chars().next().unwrap(), hands }
    }

    fn enemy(&self) -> char {
        if self.side == 'x' { 'o' } else { 'x' }
    }

    fn hand(&self) -> usize {
        self.hands[usize::from(self.side == 'o')]
    }

    fn men(&self, side: char) -> Vec<usize> {
        (0..self.points.len()).filter(|point| self.points[*point] == side).collect()
    }
}

impl Slow {
    fn new(points: &str, lines: &str, fly: bool) -> Self {
        let points: Vec<&str> = points.split(' ').collect();
        let place = |name| points.iter().position(|point| *point == name).unwrap();
        let lines: Vec<Vec<usize>> =
            lines.split(", ").map(|line| line.split(' ').map(place).collect()).collect();
        let steps = lines.iter().flat_map(|line| line.windows(2)).map(|two| (two[0], two[1]));
        let edges = steps.flat_map(|(a, b)| [(a, b), (b, a)]).collect();
        Self { edges, mills: lines.into_iter().filter(|line| line.len() == 3).collect(), fly }
    }

    fn in_mill(&self, points: &[char], point: usize) -> bool {
        let whole = |mill: &&Vec<usize>| mill.iter().all(|other| points[*other] == points[point]);
        self.mills.iter().filter(|mill| mill.contains(&point)).any(|mill| whole(&mill))
    }

    /// All positions after one move, sorted; none if the game is over.
    fn children(&self, state: &State) -> Vec<State> {
        let men = state.men(state.side);
        let mut children = Vec::new();
        if men.len() + state.hand() < 3 {
            return children;
        }
        let sources: Vec<Option<usize>> =
            if state.hand() > 0 { vec![None] } else { men.iter().copied().map(Some).collect() };
        for from in sources {
            for to in state.men('.') {
                let flies = self.fly && men.len() == 3;
                if from.is_some_and(|from| !flies && !self.edges.contains(&(from, to))) {
                    continue;
                }
                let mut child = state.clone();
                child.points[to] = state.side;
                match from {
                    Some(from) => child.points[from] = '.',
                    None => child.hands[usize::from(state.side == 'o')] -= 1,
                }
                child.side = state.enemy();
                let mut victims = Vec::new();
                if self.in_mill(&child.points, to) {
                    victims = child.men(child.side);
                    if victims.iter().any(|victim| !self.in_mill(&child.points, *victim)) {
                        victims.retain(|victim| !self.in_mill(&child.points, *victim));
                    }
                }
                for victim in &victims {
                    let mut child = child.clone();
                    child.points[*victim] = '.';
                    children.push(child);
                }
                if victims.is_empty() {
                    children.push(child);
                }
            }
        }
        children.sort();
        children
    }

    fn perft(&self, state: &State, depth: u32) -> u64 {
        let children = self.children(state);
        if depth == 1 {
            return children.len() as u64;
        }
        children.iter().map(|child| self.perft(child, depth - 1)).sum()
    }
}

fn morris(men: u8, fly: bool) -> Morris {
    Morris::new(men).unwrap().with_flying(fly)
}

/// All variants with a name, each with its slow twin.
fn variants() -> Vec<(Morris, Slow)> {
    let boards = [(9, POINTS_24, LINES_24), (6, POINTS_16, LINES_16), (3, POINTS_9, LINES_9)];
    let both = boards.into_iter().flat_map(|board| [(board, false), (board, true)]);
    both.map(|((men, points, lines), fly)| (morris(men, fly), Slow::new(points, lines, fly))).collect()
}

/// A ring of ten points with four edges across, whose mills share points, and its slow twin.
fn own_board(fly: bool) -> (Morris, Slow) {
    let ring = (0..10).map(|point| (point, (point + 1) % 10));
    let edges: Vec<(u8, u8)> = ring.chain([(0, 5), (3, 8), (8, 3), (1, 6), (9, 7)]).collect();
    let mills = [[0, 1, 2], [3, 4, 2], [4, 5, 0], [6, 0, 3], [7, 8, 9], [9, 5, 1]];
    let game = Morris::on_board(Board::new(10, &edges, &mills).unwrap(), 4, fly).unwrap();
    let edges = edges.iter().flat_map(|(a, b)| [(*a, *b), (*b, *a)]);
    let edges = edges.map(|(a, b)| (usize::from(a), usize::from(b))).collect();
    let mills = mills.iter().map(|mill| mill.iter().map(|point| usize::from(*point)).collect()).collect();
    (game, Slow { edges, mills, fly })
}

/// The positions of random games.
fn random_positions(game: &Morris, games: u64, plies: u32) -> Vec<Position> {
    let (mut positions, mut moves, mut seed) = (Vec::new(), Vec::new(), 1u64);
    for _ in 0..games {
        let mut position = game.start();
        for _ in 0..plies {
            positions.push(position);
            moves.clear();
            if game.outcome(&position).is_some() {
                break;
            }
            game.moves(&position, &mut moves);
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            position = game.after(&position, moves[(seed >> 33) as usize % moves.len()]);
        }
    }
    positions
}

fn texts(game: &Morris, position: &str) -> Vec<String> {
    let position = game.parse_position(position).unwrap();
    let mut moves = Vec::new();
    if game.outcome(&position).is_none() {
        game.moves(&position, &mut moves);
    }
    moves.iter().map(|play| game.move_text(&position, *play)).collect()
}

fn outcome(game: &Morris, position: &str) -> Option<Value> {
    game.outcome(&game.parse_position(position).unwrap())
}

#[test]
fn keeps_the_laws() {
    for (game, _) in variants().into_iter().chain([own_board(false), own_board(true)]) {
        Laws::default().check(&game);
    }
}

#[test]
fn a_slow_twin_finds_the_same_moves() {
    for (game, slow) in variants().into_iter().chain([own_board(false), own_board(true)]) {
        let mut moves = Vec::new();
        for position in random_positions(&game, 200, 150) {
            moves.clear();
            let over = game.outcome(&position).is_some();
            if !over {
                game.moves(&position, &mut moves);
            }
            let children = moves.iter().map(|play| game.after(&position, *play));
            let mut children: Vec<State> =
                children.map(|child| State::read(&game.position_text(&child))).collect();
            children.sort();
            let text = game.position_text(&position);
            assert_eq!(children, slow.children(&State::read(&text)), "{} {text}", game.game_text());
            assert!(moves.is_sorted() && over == moves.is_empty(), "{} {text}", game.game_text());
        }
    }
}

/// For nine men the fifth is 24 x 23 x 22 x 21 x 20, and one more for the choice in each of the 16 x 6 ways
/// to close a mill with the third man and the 21 x 20 places of the other two men.
#[test]
fn counts_from_the_start() {
    for (game, slow) in variants() {
        let known: &[u64] = match (game.men, game.fly) {
            (9, _) => &[24, 552, 12144, 255_024, 5_140_800],
            (6, _) => &[16, 240, 3360, 43680, 531_648],
            (_, false) => &[9, 72, 504, 3024, 16560, 65376, 239_616, 842_688],
            (_, true) => &[9, 72, 504, 3024, 16560, 65376, 540_432, 4_347_648],
        };
        let start = game.start();
        let slow_start = State::read(&game.position_text(&start));
        for (depth, count) in (1..).zip(known) {
            assert_eq!(perft(&game, &start, depth), *count, "{} {depth}", game.game_text());
            assert_eq!(slow.perft(&slow_start, depth), *count, "{} {depth}, slowly", game.game_text());
        }
    }
}

#[test]
fn a_mill_removes_a_man_outside_of_mills() {
    let game = morris(9, true);
    // Put on g7, a man closes the upper side. Of o's men only d3 stands alone.
    let moves = texts(&game, "xx./.../.../....../.o./.../ooo x 5 5");
    let closing: Vec<&String> = moves.iter().filter(|text| text.contains('x')).collect();
    assert_eq!(closing, ["g7xd3"]);
    // Where all stand in mills, any can be removed.
    let moves = texts(&game, "xx./.../.../....../.../.../ooo x 6 6");
    let closing: Vec<&String> = moves.iter().filter(|text| text.contains('x')).collect();
    assert_eq!(closing, ["g7xa1", "g7xd1", "g7xg1"]);
    // Where none is on the board, none is removed.
    let moves = texts(&game, "xx./.../.../....../.../.../... x 6 6");
    assert!(moves.contains(&"g7".to_owned()) && moves.len() == 22, "{moves:?}");
}

#[test]
fn two_mills_at_once_remove_one_man() {
    let game = morris(9, true);
    let position = game.parse_position("xx./.../.../.....x/.../.../o.x x 4 4").unwrap();
    let moves = texts(&game, &game.position_text(&position));
    assert_eq!(moves.iter().filter(|text| text.starts_with("g7")).collect::<Vec<_>>(), ["g7xa1"]);
    let after = game.parse_moves(&position, "g7xa1").unwrap();
    assert_eq!(game.position_text(&after), "xxx/.../.../.....x/.../.../..x o 3 4");
}

#[test]
fn a_man_does_not_close_the_mill_that_it_leaves() {
    let game = morris(9, false);
    // From d7 to g7: the men on a7 and d7 are a mill with g7 only as long as d7 stays.
    let moves = texts(&game, "xx./.../.../.....x/.../.../ooo x 0 0");
    assert!(moves.contains(&"d7-g7".to_owned()), "{moves:?}");
    assert!(moves.contains(&"g4-g7xa1".to_owned()), "{moves:?}");
}

#[test]
fn three_men_fly() {
    let text = "xx./.../.../.....x/.../.../ooo x 0 0";
    // 3 men to each of 18 points, and two more choices for g4-g7.
    assert_eq!(texts(&morris(9, true), text).len(), 3 * 18 + 2);
    assert_eq!(texts(&morris(9, false), text).len(), 5 + 2);
    // Not with a fourth man on the board, and not with one in hand.
    assert!(!texts(&morris(9, true), "xx./.../.../.....x/.../.../x.. x 0 0").contains(&"a7-c3".to_owned()));
    assert_eq!(texts(&morris(9, true), ".../x../.../.....x/.../.../x.. x 1 1").len(), 21);
}

#[test]
fn without_men_or_moves_a_player_has_lost() {
    let game = morris(9, true);
    // Two men left, with all the room there is; two men and one in hand are enough.
    assert_eq!(outcome(&game, "xx./.../.../....../.../.../ooo x 0 0"), Some(Value::SECOND_WINS));
    assert_eq!(outcome(&game, "xxx/.../.../....../.../.../oo. o 0 0"), Some(Value::FIRST_WINS));
    assert_eq!(outcome(&game, "xxx/.../.../....../.../.../oo. o 0 1"), None);
    // The opponent's two men count when it is the opponent's turn.
    assert_eq!(outcome(&game, "xx./.../.../....../.../.../ooo o 0 0"), None);
    // The corners are shut in. With three men x flies away.
    let shut = "xox/.../.../o....o/.../o../xox x 0 0";
    assert_eq!(outcome(&game, shut), Some(Value::SECOND_WINS));
    assert_eq!(outcome(&game, &shut.replace(" x ", " o ")), None);
    let three = "xox/.../.../o....o/.../.../xo. x 0 0";
    assert_eq!(outcome(&game, three), None);
    assert_eq!(outcome(&morris(9, false), three), Some(Value::SECOND_WINS));
    // A full board leaves no point for the man in hand.
    let full = Morris::on_board(Board::new(4, &[], &[]).unwrap(), 3, true).unwrap();
    assert_eq!(outcome(&full, "xoxo x 1 1"), Some(Value::SECOND_WINS));
}

#[test]
fn boards_have_all_their_symmetries() {
    // No symmetry but the identity leaves these men where they are.
    for (men, line, images) in [(9, "a1 b2 d1", 16), (6, "a1 b2 c1", 16), (3, "a1 b1 c2", 8)] {
        let game = morris(men, true);
        let position = game.parse_moves(&game.start(), line).unwrap();
        let all: HashSet<_> =
            game.board.images(position.mover).into_iter().zip(game.board.images(position.other)).collect();
        assert_eq!(all.len(), images, "{men}");
        for (mover, other) in all {
            let image = Position { mover, other, ..position };
            assert_eq!(game.canonical(&image), game.canonical(&position), "{men}");
        }
    }
    let (game, _) = own_board(false);
    assert!(random_positions(&game, 5, 50).iter().all(|position| game.canonical(position) == *position));
}

/// Without flying the first player wins in the centre; with flying nobody does.
#[test]
fn three_men_have_their_values() {
    for (fly, value) in [(false, Value::FIRST_WINS), (true, Value::DRAW)] {
        let game = morris(3, fly);
        let truth = Truth::new(&game, &game.start());
        assert_eq!((truth.len(), truth.value(&game.start())), (5262, value), "{fly}");
        for (position, value) in truth.iter() {
            assert_eq!(truth.value(&game.canonical(position)), value, "{position:?} and its canonical form");
        }
    }
}

#[test]
fn values_keep_the_laws_on_a_small_board() {
    for fly in [false, true] {
        Laws::check_values(&own_board(fly).0);
    }
}

/// Three men against three on 16 points. More than half of the positions are decided.
#[test]
fn endings_of_six_men_have_their_values() {
    for (fly, tally) in [(false, [55_440, 58_952, 42_480]), (true, [85_832, 140_832, 85_832])] {
        let game = morris(6, fly);
        let root = game.parse_position("xox/.../..../.../oxo x 0 0").unwrap();
        let truth = Truth::new(&game, &root);
        assert_eq!(truth.value(&root), Value::DRAW, "{fly}");
        let (mut counts, mut moves) = ([0; 3], Vec::new());
        for (position, value) in truth.iter() {
            counts[(value.0 + 1) as usize] += 1;
            let canonical = game.canonical(position);
            assert_eq!(truth.value(&canonical), value, "{position:?} and its canonical form");
            moves.clear();
            if game.outcome(position).is_none() {
                game.moves(position, &mut moves);
            }
            // Who removes one of three men wins.
            let removes = moves.iter().any(|play| play.removed().is_some());
            assert!(!removes || value.seen_by(game.to_move(position)).0 == 1, "{position:?}");
        }
        assert_eq!(counts, tally, "{fly}: losses, draws and wins of x");
    }
}

#[test]
fn games_are_named_by_their_parameters() {
    struct Text;
    impl Receiver for Text {
        type Output = String;
        fn receive<G: Game + Notation>(self, game: G) -> String {
            game.game_text()
        }
    }
    let open = |text| Named.open(Parameters::new(text), Text);
    for (text, canonical) in [
        ("morris", "morris:9"),
        ("morris:9,fly", "morris:9"),
        ("morris:nofly", "morris:9,nofly"),
        ("morris:6", "morris:6"),
        ("morris:6,nofly", "morris:6"),
        ("morris:6,fly", "morris:6,fly"),
        ("morris:3,fly", "morris:3,fly"),
    ] {
        assert_eq!(open(text).as_deref(), Ok(canonical), "{text}");
    }
    for (text, message) in [
        ("morris:12", "9, 6 or 3 men"),
        ("morris:999", "9, 6 or 3 men"),
        ("morris:6,fly,nofly", "exclude each other"),
        ("morris:6,swim", "unknown parameter \"swim\""),
    ] {
        let error = open(text).unwrap_err().to_string();
        assert!(error.contains(message), "{text}: {error}");
    }
    let board = Board::new(4, &[(1, 0), (0, 1), (2, 3)], &[[2, 1, 0]]).unwrap();
    let game = Morris::on_board(board, 3, true).unwrap();
    assert_eq!(game.game_text(), "morris:3,fly,own board of 4 points [a1-b1 c1-d1] [a1b1c1]");
}

#[test]
fn impossible_boards_are_refused() {
    assert!(Board::new(0, &[], &[]).is_none() && Board::new(25, &[], &[]).is_none());
    assert!(Board::new(3, &[(0, 3)], &[]).is_none() && Board::new(3, &[(1, 1)], &[]).is_none());
    assert!(Board::new(3, &[], &[[0, 1, 3]]).is_none() && Board::new(3, &[], &[[0, 1, 1]]).is_none());
    assert!(Board::new(24, &[(0, 23), (255, 0)], &[]).is_none());
    let board = Board::new(24, &[(0, 23)], &[[21, 22, 23]]).unwrap();
    assert!(Morris::on_board(board.clone(), 2, true).is_none());
    assert!(Morris::on_board(board.clone(), 16, true).is_none());
    assert!(Morris::on_board(board, 15, true).is_some() && Morris::new(4).is_none());
}

#[test]
fn bad_positions_get_their_own_message() {
    let game = morris(6, false);
    for (text, message) in [
        ("", "the side to move is missing"),
        (".../.../..../.../...", "the side to move is missing"),
        (".../.../..../... x 6 6", "it has 4 rows, the board has 5"),
        (".../.../.../.../... x 6 6", "row 3 from the top, \"...\"): the row has 3 points"),
        (".../.../..../.../..z x 6 6", "row 5 from the top, point 3): \"z\" is no point"),
        (".../.../..../.../... y 6 6", "\"y\" is no side to move"),
        (".../.../..../.../... x 6", "it names 1 hands"),
        (".../.../..../.../... x 6 six", "the hand of o): \"six\" is no number"),
        (".../.../..../.../... x 7 7", "a number from 0 to 6"),
        ("xxx/.../..../.../... x 4 4", "x has 3 men on the board and 4 in hand"),
        (".../.../..../.../... o 6 6", "not the turn of o"),
        (".../.../..../.../... x 5 6", "not the turn of x"),
        (".../.../..../.../... x 5 4", "not the turn of x"),
    ] {
        let error = game.parse_position(text).unwrap_err().to_string();
        assert!(error.contains(message), "{text}: {error}");
    }
}

#[test]
fn pictures_show_the_lines() {
    let game = morris(6, false);
    let position = game.parse_position("x../..o/..../.../..x o 4 5").unwrap();
    let picture = "\
5 x-------.-------.
  |       |       |
4 |   .---.---o   |
  |   |       |   |
3 .---.       .---.
  |   |       |   |
2 |   .---.---.   |
  |       |       |
1 .-------.-------x
  a   b   c   d   e
in hand: x 4, o 5";
    assert_eq!(game.draw(&position), picture);
    let game = morris(3, false);
    assert!(game.draw(&game.start()).starts_with("3 .---.---.\n  | \\ | / |\n2 ."));
}

#[test]
fn the_picture_shows_men_on_their_points() {
    let game = morris(9, true);
    // x on g1 and d3, o on a7.
    let position = game.parse_position("o../.../.../....../.x./.../..x x 7 7").unwrap();
    let board = game.board(&position);
    assert_eq!((board.width, board.height), (740, 800));
    assert_eq!(circles(&board, Ink::First), [(690, 650), (390, 450), (385, 770)]);
    assert_eq!(circles(&board, Ink::Second), [(90, 50), (470, 770)]);
    assert_eq!(circles(&board, Ink::Line).len(), 21);
    assert_eq!(written(&board, "7"), [(20, 50), (423, 770), (508, 770)]);
    assert_eq!(board.shapes.iter().filter(|shape| matches!(shape, Shape::Line { .. })).count(), 32);
    assert_eq!(pointed(&game, &position, "b4"), ("b4".to_owned(), (190, 350)));
    // A mill in hand removes, and men move.
    let mill = game.parse_position("oo./.../.../....../.../.../xx. x 7 7").unwrap();
    assert_eq!(pointed(&game, &mill, "g1xd7"), ("g1 d7".to_owned(), (390, 50)));
    let moving = game.parse_position("oo./o../.../....../.../..x/xx. x 0 0").unwrap();
    assert_eq!(pointed(&game, &moving, "f2-f4"), ("f2 f4".to_owned(), (590, 350)));
    assert_eq!(pointed(&game, &moving, "f2-g1xa7"), ("f2 g1 a7".to_owned(), (90, 50)));
}

#[test]
fn no_two_moves_point_alike() {
    for (game, _) in variants() {
        for position in random_positions(&game, 20, 60) {
            let mut moves = Vec::new();
            game.moves(&position, &mut moves);
            let pointed: HashSet<_> =
                moves.iter().map(|play| game.pointing(&position, *play).unwrap().spots).collect();
            assert_eq!(pointed.len(), moves.len(), "{}", game.position_text(&position));
        }
    }
}

#[test]
fn boards_of_ones_own_are_shown_as_text() {
    let (game, _) = own_board(false);
    let start = game.start();
    assert!(game.board(&start).spots.is_empty());
    let play = game.parse_move(&start, "a1").unwrap();
    assert_eq!(game.pointing(&start, play), None);
}
