//! Sketches of games to come, to settle the traits: a small Awari (many values, repetition whose worth depends on
//! what was captured, bounds, a database as oracle) and king and queen against king on a small board (repetition,
//! symmetry). Both are judged by exhaustive truth, and their certificates are checked.

use std::fmt::Debug;

use quod_model::testkit::{Laws, Truth};
use quod_model::{
    Abilities, Bounds, Game, Goal, GoalCursor, InputError, LeafNumbers, Notation, Oracle, Player, Relative,
    Repetition, Symmetry, Value, Verdict,
};
use quod_proof::check_bytes;
use quod_search::{Budget, Pn, PnOptions, Progress, Search};
use quod_solver::{Algorithm, Limits, Request, Stop, solve};

/// Awari with `PITS` pits a side: sow, capture twos and threes, most stones win.
struct Awari {
    stones: u8,
}

const PITS: usize = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Board {
    /// First's pits, then Second's.
    pits: [u8; 2 * PITS],
    /// What First has captured more than Second.
    ahead: i8,
    mover: Player,
}

impl Board {
    fn left(&self) -> i32 {
        self.pits.iter().map(|pit| i32::from(*pit)).sum()
    }

    fn own(&self) -> std::ops::Range<usize> {
        if self.mover == Player::First { 0..PITS } else { PITS..2 * PITS }
    }
}

impl Game for Awari {
    type Position = Board;
    type Move = u8;

    fn start(&self) -> Board {
        let mut pits = [0; 2 * PITS];
        for stone in 0..self.stones {
            pits[usize::from(stone) % (2 * PITS)] += 1;
        }
        Board { pits, ahead: 0, mover: Player::First }
    }

    fn to_move(&self, board: &Board) -> Player {
        board.mover
    }

    /// A mover without stones loses the rest.
    fn outcome(&self, board: &Board) -> Option<Value> {
        let empty = board.pits[board.own()].iter().all(|pit| *pit == 0);
        let rest = if board.mover == Player::First { -board.left() } else { board.left() };
        empty.then(|| Value(i32::from(board.ahead) + rest))
    }

    fn moves(&self, board: &Board, moves: &mut Vec<u8>) {
        moves.extend(board.own().filter(|pit| board.pits[*pit] > 0).map(|pit| pit as u8));
    }

    fn after(&self, board: &Board, pit: u8) -> Board {
        let mut next = *board;
        let mut at = usize::from(pit);
        let mut sown = std::mem::take(&mut next.pits[at]);
        while sown > 0 {
            at = (at + 1) % (2 * PITS);
            if at != usize::from(pit) {
                next.pits[at] += 1;
                sown -= 1;
            }
        }
        while !board.own().contains(&at) && matches!(next.pits[at], 2 | 3) {
            let taken = std::mem::take(&mut next.pits[at]) as i8;
            next.ahead += if board.mover == Player::First { taken } else { -taken };
            at = (at + 2 * PITS - 1) % (2 * PITS);
        }
        next.mover = board.mover.other();
        next
    }

    fn key(&self, board: &Board) -> u128 {
        let pits = board.pits.iter().fold(0u128, |key, pit| key << 8 | u128::from(*pit));
        pits << 16 | u128::from(board.ahead.cast_unsigned()) << 8 | u128::from(board.mover == Player::First)
    }

    fn values(&self) -> (Value, Value) {
        (Value(-i32::from(self.stones)), Value(i32::from(self.stones)))
    }

    /// The rest is shared: what was captured so far decides, and no capture lies on a cycle.
    fn repetition(&self) -> Repetition<Self> {
        Repetition::Worth(|_, board: &Board| Value(i32::from(board.ahead)))
    }

    fn abilities(&self) -> Abilities<Self> {
        Abilities::none().bounds()
    }
}

impl Bounds for Awari {
    fn bounds(&self, board: &Board) -> (Value, Value) {
        let ahead = i32::from(board.ahead);
        (Value(ahead - board.left()), Value(ahead + board.left()))
    }
}

impl Notation for Awari {
    fn game_text(&self) -> String {
        format!("awari-sketch:{}", self.stones)
    }

    fn position_text(&self, board: &Board) -> String {
        let pits: Vec<String> = board.pits.iter().map(u8::to_string).collect();
        format!("{} {} {}", pits.join(","), board.ahead, self.player_name(board.mover))
    }

    fn parse_position(&self, text: &str) -> Result<Board, InputError> {
        let read = || {
            let mut words = text.split(' ');
            let pits: Option<Vec<u8>> = words.next()?.split(',').map(|pit| pit.parse().ok()).collect();
            let pits = pits?.try_into().ok()?;
            let ahead = words.next()?.parse().ok()?;
            let mover = if words.next()? == "First" { Player::First } else { Player::Second };
            Some(Board { pits, ahead, mover })
        };
        read().ok_or_else(|| InputError::new("position", text, "it is not understood"))
    }

    fn move_text(&self, _: &Board, pit: u8) -> String {
        char::from(b'a' + pit).to_string()
    }
}

/// A database of all positions without captures so far, as an endgame database would be.
struct Database(Truth<Awari>);

impl Oracle<Awari> for Database {
    fn value(&self, _: &Awari, board: &Board) -> Option<Value> {
        (board.left() <= 4).then(|| self.0.value(board))
    }
}

/// King and queen against king on a board of `SIZE` x `SIZE`: First has the queen.
struct QueenEnding;

const SIZE: i8 = 4;

type Square = (i8, i8);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Pieces {
    king: Square,
    /// Nothing once it is captured.
    queen: Option<Square>,
    other: Square,
    first_moves: bool,
}

fn squares() -> impl Iterator<Item = Square> {
    (0..SIZE).flat_map(|column| (0..SIZE).map(move |row| (column, row)))
}

fn near(a: Square, b: Square) -> bool {
    (a.0 - b.0).abs() <= 1 && (a.1 - b.1).abs() <= 1
}

impl Pieces {
    fn attacked(&self, square: Square) -> bool {
        near(self.king, square) || self.queen.is_some_and(|queen| self.queen_sees(queen, square))
    }

    fn queen_sees(&self, queen: Square, square: Square) -> bool {
        let (columns, rows) = (square.0 - queen.0, square.1 - queen.1);
        if (columns, rows) == (0, 0) || (columns != 0 && rows != 0 && columns.abs() != rows.abs()) {
            return false;
        }
        let (mut column, mut row) = (queen.0 + columns.signum(), queen.1 + rows.signum());
        while (column, row) != square {
            if (column, row) == self.king {
                return false;
            }
            (column, row) = (column + columns.signum(), row + rows.signum());
        }
        true
    }
}

impl Game for QueenEnding {
    type Position = Pieces;
    /// Piece, column and row.
    type Move = u8;

    fn start(&self) -> Pieces {
        Pieces { king: (1, 1), queen: Some((2, 0)), other: (3, 3), first_moves: true }
    }

    fn to_move(&self, pieces: &Pieces) -> Player {
        if pieces.first_moves { Player::First } else { Player::Second }
    }

    fn outcome(&self, pieces: &Pieces) -> Option<Value> {
        if pieces.queen.is_none() {
            return Some(Value::DRAW);
        }
        let mut moves = Vec::new();
        self.moves(pieces, &mut moves);
        let mate = !pieces.first_moves && pieces.attacked(pieces.other);
        moves.is_empty().then_some(if mate { Value::FIRST_WINS } else { Value::DRAW })
    }

    fn moves(&self, pieces: &Pieces, moves: &mut Vec<u8>) {
        let code = |piece: u8, square: Square| piece * 16 + (square.0 * SIZE + square.1).cast_unsigned();
        if !pieces.first_moves {
            // The king must not step where it is attacked once it has left its square and taken what stood there.
            let steps = squares().filter(|to| near(*to, pieces.other) && *to != pieces.other);
            moves
                .extend(steps.filter(|to| *to != pieces.king && !pieces.attacked(*to)).map(|to| code(0, to)));
            return;
        }
        let free = |to: &Square| *to != pieces.king && Some(*to) != pieces.queen && *to != pieces.other;
        let steps = squares().filter(free).filter(|to| near(*to, pieces.king) && !near(*to, pieces.other));
        moves.extend(steps.map(|to| code(1, to)));
        if let Some(queen) = pieces.queen {
            let seen = |to: &Square| {
                // The other king blocks the queen when it is First's turn.
                pieces.queen_sees(queen, *to) && !between(queen, *to, pieces.other)
            };
            moves.extend(squares().filter(free).filter(seen).map(|to| code(2, to)));
        }
    }

    fn after(&self, pieces: &Pieces, mv: u8) -> Pieces {
        let square = ((mv % 16 / 4).cast_signed(), (mv % 4).cast_signed());
        let mut next = Pieces { first_moves: !pieces.first_moves, ..*pieces };
        match mv / 16 {
            0 => {
                next.other = square;
                next.queen = pieces.queen.filter(|queen| *queen != square);
            }
            1 => next.king = square,
            _ => next.queen = Some(square),
        }
        next
    }

    fn key(&self, pieces: &Pieces) -> u128 {
        let square = |square: Square| u128::from((square.0 * SIZE + square.1).cast_unsigned());
        let queen = pieces.queen.map_or(16, square);
        ((square(pieces.king) * 32 + queen) * 16 + square(pieces.other)) * 2 + u128::from(pieces.first_moves)
    }

    fn values(&self) -> (Value, Value) {
        (Value::SECOND_WINS, Value::FIRST_WINS)
    }

    fn repetition(&self) -> Repetition<Self> {
        Repetition::Worth(|_, _| Value::DRAW)
    }

    fn abilities(&self) -> Abilities<Self> {
        Abilities::none().symmetry()
    }
}

fn between(from: Square, to: Square, stone: Square) -> bool {
    let step = ((to.0 - from.0).signum(), (to.1 - from.1).signum());
    let mut at = (from.0 + step.0, from.1 + step.1);
    while at != to {
        if at == stone {
            return true;
        }
        at = (at.0 + step.0, at.1 + step.1);
    }
    false
}

impl Symmetry for QueenEnding {
    fn canonical(&self, pieces: &Pieces) -> Pieces {
        let turned = |number: u8, (column, row): Square| {
            let column = if number & 1 == 0 { column } else { SIZE - 1 - column };
            let row = if number & 2 == 0 { row } else { SIZE - 1 - row };
            if number & 4 == 0 { (column, row) } else { (row, column) }
        };
        let images = (0..8).map(|number| Pieces {
            king: turned(number, pieces.king),
            queen: pieces.queen.map(|queen| turned(number, queen)),
            other: turned(number, pieces.other),
            first_moves: pieces.first_moves,
        });
        images.min().expect("there are eight")
    }
}

impl Notation for QueenEnding {
    fn game_text(&self) -> String {
        "queen-sketch".to_owned()
    }

    fn position_text(&self, pieces: &Pieces) -> String {
        self.key(pieces).to_string()
    }

    fn parse_position(&self, text: &str) -> Result<Pieces, InputError> {
        let wrong = || InputError::new("position", text, "it is not understood");
        let key: u32 = text.parse().map_err(|_| wrong())?;
        let square = |number: u32| {
            let number = u8::try_from(number % 16).expect("below 16").cast_signed();
            (number / SIZE, number % SIZE)
        };
        let queen = (key / 32) % 32;
        Ok(Pieces {
            king: square(key / 1024),
            queen: (queen < 16).then(|| square(queen)),
            other: square(key / 2),
            first_moves: key % 2 == 1,
        })
    }

    fn move_text(&self, _: &Pieces, mv: u8) -> String {
        mv.to_string()
    }
}

/// Solves positions of a game within few nodes; whatever comes out must be true and must be shown.
fn judge<G: Notation>(
    game: &G,
    positions: impl Iterator<Item = G::Position>,
    truth: &Truth<G>,
    least_solved: u32,
) where
    G::Position: Debug,
{
    let mut solved = 0;
    for position in positions {
        let value = truth.value(&position).seen_by(game.to_move(&position)).0;
        let limits = Limits { nodes: Some(100_000), memory: Some(16 << 20), time: None };
        let request = Request { algorithm: Algorithm::Auto, limits, certificate: true, ..Request::default() };
        let solution = solve(game, &position, &request, &mut ()).expect("a right request");
        let report = &solution.report;
        assert!(report.lower <= value && value <= report.upper, "{position:?} is worth {value}: {report:#?}");
        if report.stop == Stop::Solved {
            assert_eq!(report.value, Some(value), "{position:?}");
            solved += 1;
        }
        if let Some(certificate) = &solution.certificate {
            check_bytes(game, &certificate.encode()).unwrap_or_else(|error| panic!("{position:?}: {error}"));
        } else {
            assert!(
                report.stop != Stop::Solved || report.nodes > 90_000,
                "{:?}",
                solution.certificate_problem
            );
        }
    }
    assert!(solved >= least_solved, "only {solved} positions were solved");
}

#[test]
fn a_small_awari_fits_the_traits() {
    for stones in [3, 5, 7] {
        let game = Awari { stones };
        Laws { plies_max: 60, ..Laws::default() }.check(&game);
        Laws::check_values(&game);
        let truth = Truth::new(&game, &game.start());
        println!("{stones} stones: {} positions", truth.len());
        judge(&game, truth.iter().map(|(position, _)| *position).step_by(1 + truth.len() / 200), &truth, 10);
    }
}

/// The oracle's positions are leaves: fewer nodes, the same answer.
#[test]
fn a_database_cuts_a_search_short() {
    let game = Awari { stones: 9 };
    let database = Database(Truth::new(&game, &game.start()));
    let (mut with, mut without) = (0, 0);
    for at_least in -4..=4 {
        let goal = Goal::new(Player::First, Relative(at_least));
        let cursor = || GoalCursor::new(&game, game.start(), goal, LeafNumbers::One);
        let holds = goal.is_reached_by(database.0.value(&game.start()));
        let expected = Progress::Done(if holds { Verdict::Proven } else { Verdict::Disproven });
        let mut plain = Pn::new(cursor(), PnOptions::default(), 256 << 20);
        assert_eq!(plain.advance(Budget::UNLIMITED), expected);
        let mut probing = Pn::new(cursor().with_oracle(&database), PnOptions::default(), 256 << 20);
        assert_eq!(probing.advance(Budget::UNLIMITED), expected);
        with += probing.counters().nodes;
        without += plain.counters().nodes;
    }
    assert!(with * 2 < without, "{with} nodes with the database, {without} without");
}

#[test]
fn a_chess_ending_fits_the_traits() {
    Laws { games: 20, plies_max: 60, seed: 3 }.check(&QueenEnding);
    let truth = Truth::new(&QueenEnding, &QueenEnding.start());
    assert_eq!(truth.value(&QueenEnding.start()), Value::FIRST_WINS);
    let some = truth.iter().map(|(position, _)| *position).filter(|pieces| pieces.king.0 < 2).step_by(7);
    judge(&QueenEnding, some, &truth, 50);
}
