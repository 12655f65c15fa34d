use std::collections::HashMap;

use super::*;
use quod_model::testkit::{Laws, Truth, perft};
use quod_model::{Family, Ink, InputError, Notation, Parameters, Receiver, Shape};

use crate::picture::{circles, pointed, written};

use Player::{First, Second};

fn line(length: u32, pieces: u32) -> Woodpush<u64> {
    Woodpush::new(length, pieces).unwrap()
}

/// The position after some moves from a position, as text.
fn played(game: &Woodpush<u64>, position: &str, moves: &str) -> String {
    let position = game.parse_position(position).unwrap();
    game.position_text(&game.parse_moves(&position, moves).unwrap())
}

/// The moves of a position, as text.
fn legal(game: &Woodpush<u64>, position: &Position<u64>) -> Vec<String> {
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    moves.iter().map(|play| game.move_text(position, *play)).collect()
}

/// The rules as they are told, on a plain line of cells and with every board of the game in a list. Left and Right are
/// treated alike by looking at the line from the other side.
#[derive(Clone)]
struct Plain {
    cells: Vec<Option<Player>>,
    to_move: Player,
    earlier: Vec<Vec<Option<Player>>>,
}

impl Plain {
    fn new(length: usize, pieces: usize) -> Self {
        let mut cells = vec![None; length];
        for piece in 0..pieces {
            cells[2 * piece] = Some(First);
            cells[length - 1 - 2 * piece] = Some(Second);
        }
        Self { cells, to_move: First, earlier: Vec::new() }
    }

    fn moved(&self, cell: usize, forward: bool) -> Option<Vec<Option<Player>>> {
        let (mut cells, mut at) = (self.cells.clone(), cell);
        let turned = self.to_move == Second;
        if turned {
            cells.reverse();
            at = cells.len() - 1 - at;
        }
        if forward {
            let piece = cells[at].take();
            if let Some(target) = (at + 1..cells.len()).find(|target| cells[*target].is_none()) {
                cells[target] = piece;
            }
        } else {
            if at == 0 || cells[at - 1] != Some(self.to_move.other()) {
                return None;
            }
            let gap = (0..at).rev().find(|behind| cells[*behind].is_none());
            // With a gap behind the block, the gap moves in front of it; without one, the first piece goes over the edge.
            cells.remove(gap.unwrap_or(0));
            cells.insert(at, None);
        }
        if turned {
            cells.reverse();
        }
        (!self.earlier.contains(&cells)).then_some(cells)
    }

    fn children(&self) -> Vec<(String, Self)> {
        let mut children = Vec::new();
        for cell in (0..self.cells.len()).rev().filter(|cell| self.cells[*cell] == Some(self.to_move)) {
            for (forward, letter) in [(false, 'b'), (true, 'f')] {
                if let Some(cells) = self.moved(cell, forward) {
                    let mut earlier = self.earlier.clone();
                    earlier.push(self.cells.clone());
                    children.push((
                        format!("{}{letter}", cell + 1),
                        Self { cells, to_move: self.to_move.other(), earlier },
                    ));
                }
            }
        }
        children
    }

    fn outcome(&self) -> Option<Value> {
        let count = |player| self.cells.iter().filter(|cell| **cell == Some(player)).count() as i32;
        match (count(First), count(Second)) {
            (left, 0) => Some(Value(left)),
            (0, right) => Some(Value(-right)),
            _ => None,
        }
    }

    /// Whether Left reaches a value, by trying everything.
    fn reaches(&self, value: Value) -> bool {
        if let Some(outcome) = self.outcome() {
            return outcome >= value;
        }
        let children = self.children();
        assert!(!children.is_empty(), "no move in {:?}", self.cells);
        let mut answers = children.iter().map(|(_, child)| child.reaches(value));
        if self.to_move == First { answers.any(|answer| answer) } else { answers.all(|answer| answer) }
    }
}

/// Compares all positions within some moves, and counts the lines.
fn compare(game: &Woodpush<u64>, position: &Position<u64>, plain: &Plain, depth: u32) -> u64 {
    let owners: Vec<_> = (0..game.length).map(|cell| position.board.owner(cell)).collect();
    assert_eq!((&owners, position.to_move), (&plain.cells, plain.to_move));
    assert_eq!(game.outcome(position), plain.outcome(), "{position:?}");
    if depth == 0 {
        return 1;
    }
    if plain.outcome().is_some() {
        return 0;
    }
    let children = plain.children();
    let names: Vec<_> = children.iter().map(|(name, _)| name.clone()).collect();
    assert_eq!(legal(game, position), names, "{position:?}");
    let lines = children.iter().map(|(name, child)| {
        let play = game.parse_move(position, name).unwrap();
        compare(game, &game.after(position, play), child, depth - 1)
    });
    lines.sum()
}

/// Whether Left reaches a value, with every position judged once.
fn reaches(
    game: &Woodpush<u64>,
    position: &Position<u64>,
    value: Value,
    known: &mut HashMap<u128, bool>,
) -> bool {
    if let Some(outcome) = game.outcome(position) {
        return outcome >= value;
    }
    if let Some(answer) = known.get(&game.key(position)) {
        return *answer;
    }
    let mut answers =
        game.legal(position).map(|play| reaches(game, &game.after(position, play), value, known));
    let answer =
        if position.to_move == First { answers.any(|answer| answer) } else { answers.all(|answer| answer) };
    known.insert(game.key(position), answer);
    answer
}

#[test]
fn keeps_the_laws() {
    for (length, pieces) in [(2, 1), (7, 1), (6, 2), (11, 2), (20, 4), (64, 1)] {
        Laws::default().check(&line(length, pieces));
        Laws::default().check(&Woodpush::<u128>::new(length, pieces).unwrap());
    }
    Laws { games: 5, ..Laws::default() }.check(&line(64, 16));
    Laws { games: 2, ..Laws::default() }.check(&Woodpush::<u128>::new(128, 32).unwrap());
}

#[test]
fn plays_as_the_rules_are_told() {
    for (length, pieces, depth) in
        [(2, 1, 1), (9, 1, 15), (6, 2, 14), (7, 2, 14), (8, 2, 14), (9, 2, 13), (10, 3, 9)]
    {
        let (game, plain) = (line(length, pieces), Plain::new(length as usize, pieces as usize));
        let lines = compare(&game, &game.start(), &plain, depth);
        assert!(lines > 0, "{length}");
        assert_eq!(perft(&game, &game.start(), depth), lines, "{length}");
    }
}

#[test]
fn pieces_go_forward_to_the_first_empty_cell() {
    let game = line(10, 3);
    for (position, play, after) in [
        ("L.......R. L", "1f", ".L......R. R L.......R."),
        ("LRLR....R. L", "1f", ".RLRL...R. R LRLR....R."),
        ("LRLR....R. R", "9f", "LRLR...R.. L LRLR....R."),
        (".RLLRR.... R", "6f", "RRLLR..... L .RLLRR...."),
        // Off the board.
        ("R..L.....L L", "10f", "R..L...... R"),
        ("R......LRR L", "8f", "R.......RR R"),
        ("LR.......L R", "2f", "L........L L"),
    ] {
        assert_eq!(played(&game, position, play), after, "{position} {play}");
    }
}

#[test]
fn pieces_go_back_and_push_what_stands_behind() {
    let game = line(10, 3);
    for (position, play, after) in [
        ("...RL....R L", "5b", "..RL.....R R ...RL....R"),
        ("L.LRLR.... L", "5b", "LLRL.R.... R L.LRLR...."),
        (".RLL.R.... R", "2b", "..RLLR.... L .RLL.R...."),
        // Over the edge: an opponent's piece, and a piece of one's own.
        ("RL......R. L", "2b", "L.......R. R"),
        ("LRRL....R. L", "4b", "RRL.....R. R"),
        ("L.......RL R", "9b", "L........R L"),
        ("L......RLR R", "8b", "L.......RL L"),
    ] {
        assert_eq!(played(&game, position, play), after, "{position} {play}");
    }
    // Behind a piece of one's own, or a gap, there is nothing to push.
    let position = game.parse_position("R.LL.....R L").unwrap();
    assert_eq!(legal(&game, &position), ["4f", "3f"]);
}

#[test]
fn no_board_comes_again() {
    let game = line(7, 1);
    let position = game.parse_position("..LR... L").unwrap();
    // Left jumps, Right pushes; that Left pushes back would make the board after the jump once more.
    let position = game.parse_moves(&position, "3f 4b").unwrap();
    assert_eq!(game.position_text(&position), "....RL. L ...RL.. ..LR...");
    assert_eq!(legal(&game, &position), ["6f"]);
    assert_eq!(game.mobility(&position), 1);
    assert_eq!(legal(&game, &game.parse_position("....RL. L").unwrap()), ["6b", "6f"]);
    // A piece that is lost takes the past with it.
    let game = line(8, 2);
    assert_eq!(played(&game, "L..LR..R L", "4f 5b"), "L....RLR L L...RL.R L..LR..R");
    assert_eq!(played(&game, "L..LR..R L", "4f 5b 7f"), "L....R.R R");
}

#[test]
fn the_last_pieces_count() {
    let game = line(10, 3);
    let outcome = |text| game.outcome(&game.parse_position(text).unwrap());
    assert_eq!(outcome("L..L...L.. R"), Some(Value(3)));
    assert_eq!(outcome("R........R R"), Some(Value(-2)));
    assert_eq!(outcome("R........L R"), None);
    // Only made by hand: no game from the start was seen to come to this.
    assert_eq!(outcome(".L.....R.R L ..L....R.R"), Some(Value(-2)));
    assert_eq!(outcome(".L.......R R .L......R."), Some(Value(1)));
}

#[test]
fn the_order_of_the_past_does_not_matter() {
    let game = line(11, 2);
    let [one, other] =
        ["3f 9f 1f 11f", "1f 11f 3f 9f"].map(|moves| game.parse_moves(&game.start(), moves).unwrap());
    assert_eq!(one.board, other.board);
    assert_ne!((&one, game.key(&one)), (&other, game.key(&other)), "other boards stood before");
    let boards: Vec<_> = one.earlier.boards().collect();
    for turn in 0..boards.len() {
        let turned = boards.iter().cycle().skip(turn).take(boards.len());
        let earlier = turned.fold(History::none(), |earlier, board| earlier.with(*board));
        let position = Position::new(one.board, one.to_move, earlier);
        assert_eq!((&position, game.key(&position)), (&one, game.key(&one)), "{turn}");
    }
    let shorter = Position::new(one.board, one.to_move, History::none().with(boards[0]));
    assert_ne!(shorter, one);
    assert_ne!(Position::new(one.board, one.to_move.other(), one.earlier.clone()), one);
}

#[test]
fn a_long_past_is_forgotten_without_a_deep_stack() {
    let boards = (1..1_000_000_u64).map(|left| Board { left, right: 0 });
    let history = boards.fold(History::none(), |history, board| history.with(board));
    assert_eq!(history.len(), 999_999);
    drop(history);
}

/// The values of Saffidine and Cazenave 2011, table 3, three times: by the rules as they are told, by the fixed point, and with
/// every position judged once.
#[test]
fn short_lines_have_their_values() {
    for length in [6, 7] {
        let (game, plain) = (line(length, 2), Plain::new(length as usize, 2));
        assert!(plain.reaches(Value(-1)) && !plain.reaches(Value(0)), "{length}");
        assert_eq!(Truth::new(&game, &game.start()).value(&game.start()), Value(-1), "{length}");
    }
    for (length, value) in [(6, -1), (7, -1), (8, -1), (9, -1), (10, -2)] {
        let game = line(length, 2);
        let reaches = |value| reaches(&game, &game.start(), Value(value), &mut HashMap::new());
        assert!(reaches(value) && !reaches(value + 1), "{length}");
    }
}

/// As the rule for it is ours: no side runs out of legal moves on these lines.
#[test]
fn there_is_always_a_legal_move_on_short_lines() {
    for (length, pieces) in [(6, 1), (15, 1), (6, 2), (7, 2)] {
        let game = line(length, pieces);
        for (position, _) in Truth::new(&game, &game.start()).iter() {
            let (left, right) = position.board.pieces();
            assert!(left == 0 || right == 0 || game.mobility(position) > 0, "{position:?}");
        }
    }
}

#[test]
fn games_are_named_by_their_parameters() {
    struct Text;
    impl Receiver for Text {
        type Output = String;
        fn receive<G: Game + Notation>(self, game: G) -> String {
            let (low, high) = game.values();
            format!("{} {} {}", game.game_text(), low.0, high.0)
        }
    }
    let open = |text| -> Result<String, InputError> { Named.open(Parameters::new(text), Text) };
    for (text, canonical) in [
        ("woodpush", "woodpush:8 -2 2"),
        ("woodpush:06,pieces=2", "woodpush:6 -2 2"),
        ("woodpush:6,range=2", "woodpush:6 -2 2"),
        ("woodpush:11,range=16", "woodpush:11,range=16 -16 16"),
        ("woodpush:10,range=5,pieces=3", "woodpush:10,pieces=3,range=5 -5 5"),
        ("woodpush:128,pieces=32", "woodpush:128,pieces=32 -32 32"),
    ] {
        assert_eq!(open(text).as_deref(), Ok(canonical), "{text}");
    }
    for (text, message) in [
        ("woodpush:5", "\"5\" is not a possible length\n  with pieces=2: 6 to 128 cells"),
        ("woodpush:129", "6 to 128 cells"),
        ("woodpush:8x8", "\"8x8\" is not a possible length"),
        ("woodpush:99999999999", "is not a possible length"),
        ("woodpush:9,pieces=3", "with pieces=3: 10 to 128 cells"),
        ("woodpush:9,pieces=0", "pieces is a number from 1 to 32"),
        ("woodpush:9,range=1", "range is a number from 2 to 1000"),
        ("woodpush:9,score", "unknown parameter \"score\""),
    ] {
        let error = open(text).unwrap_err().to_string();
        assert!(error.contains(message), "{text}: {error}");
    }
    let fits = |length, pieces| Woodpush::<u64>::new(length, pieces).is_some();
    assert!(!fits(5, 2) && fits(6, 2) && fits(64, 2) && !fits(65, 2) && !fits(8, 0) && !fits(8, u32::MAX));
    assert!(line(8, 2).with_range(1).is_none() && line(8, 2).with_range(u32::MAX).is_none());
}

#[test]
fn bad_positions_get_their_own_message() {
    let game = line(6, 2);
    for (text, message) in [
        ("", "the side to move is missing"),
        ("L.L..R", "the side to move is missing"),
        ("L.L.R L", "(the board): it has 5 cells, the board has 6\n  cells from the left"),
        ("L.x..R L", "(the board, cell 3): \"x\" is no cell"),
        ("L.L..R x", "\"x\" is no side to move"),
        ("LLL..R L", "Left has 3 pieces, Right has 1"),
        ("...... L", "no piece is left"),
        ("L.L..R L .LL.R", "(earlier board 1): it has 5 cells"),
        ("L.L..R L .LL..R L.L.R.R", "(earlier board 2): it has 7 cells"),
        ("L.L..R L ..L..R", "other numbers of pieces"),
        ("L.L..R L L.L..R", "the board is there twice"),
        ("L.L..R L .LL..R .LL..R", "(earlier board 2): the board is there twice"),
    ] {
        let error = game.parse_position(text).unwrap_err().to_string();
        assert!(error.contains(message), "{text}: {error}");
    }
    assert_eq!(game.parse_position("l.l..r R"), game.parse_position("L.L..R r"));
    let error = game.parse_moves(&game.start(), "3f 3f").unwrap_err().to_string();
    assert!(error.contains("move 2 of") && error.contains("legal moves: 6f 4b 4f"), "{error}");
}

#[test]
fn pictures_show_the_numbers_of_the_cells() {
    let game = line(10, 2);
    let start = " L  .  L  .  .  .  .  R  .  R\n 1  2  3  4  5  6  7  8  9 10";
    assert_eq!(game.draw(&game.start()), start);
    let position = game.parse_moves(&game.start(), "3f 8f").unwrap();
    assert!(game.draw(&position).ends_with("\nboards that must not come again: 2"));
}

#[test]
fn the_picture_shows_which_way_pieces_go() {
    let game = line(8, 2);
    let position = game.parse_position("L..RL.R. L").unwrap();
    let board = game.board(&position);
    assert_eq!((board.width, board.height), (1000, 140));
    assert_eq!(circles(&board, Ink::First), [(150, 50), (550, 50)]);
    assert_eq!(circles(&board, Ink::Second), [(450, 50), (750, 50)]);
    let tips = board.shapes.iter().filter_map(|shape| match shape {
        Shape::Line { to, ink: Ink::Light, .. } => Some(*to),
        _ => None,
    });
    let tips: Vec<_> = tips.step_by(2).collect();
    assert_eq!(tips, [(166, 50), (434, 50), (566, 50), (734, 50)]);
    assert_eq!(written(&board, "8"), [(850, 120)]);
    assert_eq!(pointed(&game, &position, "1f"), ("cell 1 cell 2".to_owned(), (250, 50)));
    assert_eq!(pointed(&game, &position, "5f"), ("cell 5 cell 6".to_owned(), (650, 50)));
    assert_eq!(pointed(&game, &position, "5b"), ("cell 5 cell 4".to_owned(), (450, 50)));
    // Over other pieces, and off the line.
    let position = game.parse_position(".R.....L L").unwrap();
    assert_eq!(pointed(&game, &position, "8f"), ("cell 8 right end".to_owned(), (950, 50)));
    let position = game.parse_position("LR.LR... R").unwrap();
    assert_eq!(pointed(&game, &position, "2f"), ("cell 2 left end".to_owned(), (50, 50)));
    assert_eq!(pointed(&game, &position, "5f"), ("cell 5 cell 3".to_owned(), (350, 50)));
    let position = game.parse_position(".RL..... R").unwrap();
    assert_eq!(pointed(&game, &position, "2b"), ("cell 2 cell 3".to_owned(), (350, 50)));
}
