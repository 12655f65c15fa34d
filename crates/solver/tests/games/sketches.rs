//! A sketch of a game to come, to settle the traits: king and queen against king on a small board (repetition,
//! symmetry). It is judged by exhaustive truth, and its certificates are checked.

use std::fmt::Debug;

use quod_model::testkit::{Laws, Truth};
use quod_model::{Abilities, Game, InputError, Notation, Player, Repetition, Symmetry, Value};
use quod_proof::check_bytes;
use quod_solver::{Algorithm, Limits, Request, Stop, solve};

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
fn a_chess_ending_fits_the_traits() {
    Laws { games: 20, plies_max: 60, seed: 3 }.check(&QueenEnding);
    let truth = Truth::new(&QueenEnding, &QueenEnding.start());
    assert_eq!(truth.value(&QueenEnding.start()), Value::FIRST_WINS);
    let some = truth.iter().map(|(position, _)| *position).filter(|pieces| pieces.king.0 < 2).step_by(7);
    judge(&QueenEnding, some, &truth, 50);
}
