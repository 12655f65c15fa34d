//! Chess.
//!
//! White is the first player. Mate wins, stalemate draws, and so does going around forever. The usual question is whether the
//! side to move can force mate: whatever draws is then as good as being mated.
//!
//! The count of moves without a capture or a pawn move is no part of a position, so that positions that differ in it alone are
//! one; `chess:fifty` makes it one, and draws at the hundredth half move. En passant is part of a position only where a pawn
//! can capture so.

mod checks;
mod guess;
mod notation;
mod published;
#[cfg(test)]
mod tests;

use std::hash::{Hash, Hasher};

use cozy_chess::{Board, Color, File, Move as BoardMove, Piece, Rank, Square, get_pawn_attacks};
use quod_model::{Abilities, Bounds, Converts, Game, Player, Repetition, Value};

use crate::men::{self, Step};
pub use notation::Named;

/// The rules of chess.
#[derive(Clone, Debug, Default)]
pub struct Chess {
    fifty: bool,
}

impl Chess {
    /// Chess; with `fifty`, a game is drawn when 100 half moves have brought no capture and no pawn move.
    #[must_use]
    pub fn new(fifty: bool) -> Self {
        Self { fifty }
    }

    fn position(&self, mut board: Board) -> Position {
        if !self.fifty {
            board.set_halfmove_clock(0);
        }
        board.set_fullmove_number(1);
        let en_passant = board.en_passant().filter(|file| can_capture_en_passant(&board, *file));
        Position { board, en_passant }
    }
}

/// A position of chess.
#[derive(Clone, Debug)]
pub struct Position {
    board: Board,
    /// The file of a pawn that can be captured en passant.
    en_passant: Option<File>,
}

impl Position {
    /// All that the future depends on, as words.
    #[inline]
    fn words(&self) -> [u64; 8] {
        let board = &self.board;
        let [white, black] = Color::ALL.map(|color| {
            let rights = board.castle_rights(color);
            u64::from(rights.short.is_some()) << 1 | u64::from(rights.long.is_some())
        });
        let other = white
            | black << 2
            | self.en_passant.map_or(8, |file| file as u64) << 4
            | u64::from(board.halfmove_clock()) << 8
            | (board.side_to_move() as u64) << 16;
        let [pawns, knights, bishops, rooks, queens, kings] = Piece::ALL.map(|piece| board.pieces(piece).0);
        [pawns, knights, bishops, rooks, queens, kings, board.colors(Color::White).0, other]
    }

    #[inline]
    fn key(&self) -> u128 {
        men::key(self.words())
    }
}

impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        self.words() == other.words()
    }
}

impl Eq for Position {}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

fn can_capture_en_passant(board: &Board, file: File) -> bool {
    let side = board.side_to_move();
    let to = Square::new(file, Rank::Sixth.relative_to(side));
    let pawns = get_pawn_attacks(to, !side) & board.colored_pieces(side, Piece::Pawn);
    pawns.into_iter().any(|from| board.is_legal(BoardMove { from, to, promotion: None }))
}

/// The move as the board's crate writes it: a king that castles takes its rook.
#[inline]
fn board_move(board: &Board, step: Step) -> BoardMove {
    let (from, mut to) = (step.from(), step.to());
    let files = to.file() as i8 - from.file() as i8;
    if files.abs() == 2 && board.pieces(Piece::King).has(from) {
        let rights = board.castle_rights(board.side_to_move());
        let rook = if files > 0 { rights.short } else { rights.long };
        to = rook.map_or(to, |file| Square::new(file, from.rank()));
    }
    BoardMove { from, to, promotion: step.promotion() }
}

/// The move as people write it: a king that castles goes two squares.
#[inline]
fn step(board: &Board, mv: BoardMove) -> Step {
    let mut to = mv.to;
    if board.colors(board.side_to_move()).has(to) {
        to = Square::new(if to.file() > mv.from.file() { File::G } else { File::C }, to.rank());
    }
    Step::new(mv.from, to, mv.promotion)
}

impl Game for Chess {
    type Position = Position;
    type Move = Step;

    fn start(&self) -> Position {
        self.position(Board::startpos())
    }

    #[inline]
    fn to_move(&self, position: &Position) -> Player {
        men::player(position.board.side_to_move())
    }

    #[inline]
    fn outcome(&self, position: &Position) -> Option<Value> {
        let board = &position.board;
        if board.generate_moves(|_| true) {
            return (self.fifty && board.halfmove_clock() >= 100).then_some(Value::DRAW);
        }
        Some(match (board.checkers().is_empty(), board.side_to_move()) {
            (true, _) => Value::DRAW,
            (false, Color::White) => Value::SECOND_WINS,
            (false, Color::Black) => Value::FIRST_WINS,
        })
    }

    /// In the order of Breuker et al. (1994), section 3.3.2.
    #[inline]
    fn moves(&self, position: &Position, moves: &mut Vec<Step>) {
        let begin = moves.len();
        let board = &position.board;
        board.generate_moves(|some| {
            moves.extend(some.into_iter().map(|mv| step(board, mv)));
            false
        });
        moves[begin..].sort_unstable();
    }

    #[inline]
    fn after(&self, position: &Position, step: Step) -> Position {
        let mut board = position.board.clone();
        board.play_unchecked(board_move(&position.board, step));
        self.position(board)
    }

    #[inline]
    fn key(&self, position: &Position) -> u128 {
        position.key()
    }

    fn values(&self) -> (Value, Value) {
        (Value::SECOND_WINS, Value::FIRST_WINS)
    }

    /// Where the count of half moves is part of a position, no position can come again.
    fn repetition(&self) -> Repetition<Self> {
        if self.fifty { Repetition::Impossible } else { Repetition::Worth(|_, _| Value::DRAW) }
    }

    #[inline]
    fn mobility(&self, position: &Position) -> u32 {
        let mut count = 0;
        position.board.generate_moves(|some| {
            count += some.len() as u32;
            false
        });
        count
    }

    fn abilities(&self) -> Abilities<Self> {
        Abilities::none().bounds().guess().stages().wins_by_own_move().converts().published()
    }
}

/// Who has too little to mate with cannot win.
impl Bounds for Chess {
    #[inline]
    fn bounds(&self, position: &Position) -> (Value, Value) {
        let can_mate = |color: Color| {
            let board = &position.board;
            let bare = |color| board.colors(color).len() == 1;
            let minor = board.pieces(Piece::Bishop) | board.pieces(Piece::Knight);
            let own = board.colors(color);
            !(bare(color) || bare(!color) && own.len() == 2 && !(own & minor).is_empty())
        };
        let lower = if can_mate(Color::Black) { Value::SECOND_WINS } else { Value::DRAW };
        let upper = if can_mate(Color::White) { Value::FIRST_WINS } else { Value::DRAW };
        (lower, upper)
    }
}

/// Captures, pawn moves, and what ends a right to castle cannot be undone.
impl Converts for Chess {
    fn converts(&self, position: &Position, step: Step) -> bool {
        let board = &position.board;
        if board.occupied().has(step.to()) || board.pieces(Piece::Pawn).has(step.from()) {
            return true;
        }
        let mut after = board.clone();
        after.play_unchecked(board_move(board, step));
        Color::ALL.iter().any(|color| board.castle_rights(*color) != after.castle_rights(*color))
    }
}
