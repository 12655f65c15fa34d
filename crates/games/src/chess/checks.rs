//! Which moves give check, told without making them.

use cozy_chess::{
    BitBoard, Board, Color, Piece, Square, get_between_rays, get_bishop_moves, get_bishop_rays,
    get_king_moves, get_knight_moves, get_line_rays, get_pawn_attacks, get_rook_moves, get_rook_rays,
};

use super::board_move;
use crate::men::{self, Step};

/// What the side to move aims at.
pub(super) struct Aim<'b> {
    board: &'b Board,
    side: Color,
    king: Square,
    /// Squares from which a rook, a bishop, a knight or a pawn attacks the king.
    rook: BitBoard,
    bishop: BitBoard,
    knight: BitBoard,
    pawn: BitBoard,
    /// Own men that stand between the king and an own long-range piece, alone.
    screens: BitBoard,
}

impl<'b> Aim<'b> {
    pub(super) fn new(board: &'b Board) -> Self {
        let side = board.side_to_move();
        let king = board.king(!side);
        let occupied = board.occupied();
        let own = board.colors(side);
        let queens = board.pieces(Piece::Queen);
        let behind = own
            & ((get_rook_rays(king) & (board.pieces(Piece::Rook) | queens))
                | (get_bishop_rays(king) & (board.pieces(Piece::Bishop) | queens)));
        let mut screens = BitBoard::EMPTY;
        for piece in behind {
            let between = get_between_rays(piece, king) & occupied;
            if between.len() == 1 {
                screens |= between & own;
            }
        }
        Self {
            board,
            side,
            king,
            rook: get_rook_moves(king, occupied),
            bishop: get_bishop_moves(king, occupied),
            knight: get_knight_moves(king),
            pawn: get_pawn_attacks(king, !side),
            screens,
        }
    }

    /// Where a piece would have to stand to give check, other men staying where they are.
    fn squares(&self, piece: Piece) -> BitBoard {
        match piece {
            Piece::Pawn => self.pawn,
            Piece::Knight => self.knight,
            Piece::Bishop => self.bishop,
            Piece::Rook => self.rook,
            Piece::Queen => self.rook | self.bishop,
            Piece::King => BitBoard::EMPTY,
        }
    }

    /// Whether a legal move gives check.
    pub(super) fn is_check(&self, step: Step) -> bool {
        let (from, to) = (step.from(), step.to());
        let Some(piece) = self.board.piece_on(from) else { return false };
        if self.screens.has(from) && !get_line_rays(self.king, from).has(to) {
            return true;
        }
        match (piece, step.promotion()) {
            // A promoted piece may look through the square that the pawn has left.
            (_, Some(promoted)) => {
                let occupied = self.board.occupied() ^ from.bitboard();
                men::attacks(promoted, self.side, to, occupied).has(self.king)
            }
            (Piece::Pawn, _) if from.file() != to.file() && !self.board.occupied().has(to) => {
                self.checks_when_made(step)
            }
            (Piece::King, _) => {
                (from.file() as i8 - to.file() as i8).abs() == 2 && self.checks_when_made(step)
            }
            _ => self.squares(piece).has(to),
        }
    }

    /// How many squares the king could go to.
    pub(super) fn flights(&self) -> u32 {
        let own = self.board.colors(!self.side);
        let mut left = get_king_moves(self.king) & !own;
        let occupied = self.board.occupied() ^ self.king.bitboard();
        for piece in Piece::ALL {
            for from in self.board.colored_pieces(self.side, piece) {
                left &= !men::attacks(piece, self.side, from, occupied);
            }
        }
        left.len()
    }

    /// Whether nobody can take the man that moves.
    pub(super) fn is_safe(&self, step: Step) -> bool {
        let to = step.to();
        let occupied = (self.board.occupied() ^ step.from().bitboard()) | to.bitboard();
        let them = self.attackers(to, occupied, !self.side);
        let king = self.king.bitboard();
        if !(them & !king).is_empty() {
            return false;
        }
        (them & king).is_empty()
            || !(self.attackers(to, occupied, self.side) & !step.from().bitboard()).is_empty()
    }

    /// The men of a side that attack a square.
    fn attackers(&self, square: Square, occupied: BitBoard, color: Color) -> BitBoard {
        let board = self.board;
        let queens = board.pieces(Piece::Queen);
        let attackers = (get_pawn_attacks(square, !color) & board.pieces(Piece::Pawn))
            | (get_knight_moves(square) & board.pieces(Piece::Knight))
            | (get_king_moves(square) & board.pieces(Piece::King))
            | (get_bishop_moves(square, occupied) & (board.pieces(Piece::Bishop) | queens))
            | (get_rook_moves(square, occupied) & (board.pieces(Piece::Rook) | queens));
        attackers & board.colors(color) & occupied
    }

    /// Whether the man that moves then attacks a square beside the king.
    pub(super) fn is_near(&self, step: Step) -> bool {
        let piece = step.promotion().or_else(|| self.board.piece_on(step.from()));
        let occupied = self.board.occupied() ^ step.from().bitboard();
        piece.is_some_and(|piece| {
            !(men::attacks(piece, self.side, step.to(), occupied) & get_king_moves(self.king)).is_empty()
        })
    }

    fn checks_when_made(&self, step: Step) -> bool {
        let mut board = self.board.clone();
        board.play_unchecked(board_move(self.board, step));
        !board.checkers().is_empty()
    }
}
