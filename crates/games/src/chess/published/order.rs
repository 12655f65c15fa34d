//! The order of moves of the authors' program, as far as their node counts show it. The one that section 3.3.2 states (by
//! squares, from h8 down) gives 22 of the 81 published counts; this one gives 60.
//!
//! Men are in lists, pawns before pieces, built at the root by ranks from the first to the eighth and from h to a. A man
//! that moves keeps its place, a captured one leaves a list without a change of order, and a promoted one goes to the front of the
//! pieces. So the order depends on the way to a position.

use cozy_chess::{Board, Color, File, Piece, Rank, Square};

use super::super::{board_move, step};
use crate::men::Step;

/// West, south, east, north, then the same way around between them; far squares first.
const SLIDER: [(i8, i8); 8] = [(-1, 0), (0, -1), (1, 0), (0, 1), (-1, 1), (-1, -1), (1, -1), (1, 1)];
/// Castling is the far square of west and east.
const KING: [(i8, i8); 8] = [(-1, 1), (-1, -1), (1, -1), (1, 1), (-1, 0), (0, -1), (1, 0), (0, 1)];
const KNIGHT: [(i8, i8); 8] = [(-2, 1), (-2, -1), (-1, -2), (1, -2), (2, -1), (2, 1), (1, 2), (-1, 2)];
/// Forwards, far squares first, then captures to the east and to the west.
const PAWN: [i8; 3] = [0, 1, -1];
const PROMOTIONS: [Piece; 4] = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];

/// The men of both sides in the order in which their moves come.
#[derive(Clone)]
pub(super) struct Lists {
    pawns: [Vec<Square>; 2],
    pieces: [Vec<Square>; 2],
}

impl Lists {
    pub(super) fn new(board: &Board) -> Self {
        let mut lists = Self { pawns: Default::default(), pieces: Default::default() };
        for rank in Rank::ALL {
            for file in File::ALL.into_iter().rev() {
                let square = Square::new(file, rank);
                if let (Some(piece), Some(color)) = (board.piece_on(square), board.color_on(square)) {
                    lists.list(piece, color).push(square);
                }
            }
        }
        lists
    }

    fn list(&mut self, piece: Piece, color: Color) -> &mut Vec<Square> {
        let lists = if piece == Piece::Pawn { &mut self.pawns } else { &mut self.pieces };
        &mut lists[color as usize]
    }

    /// The lists after a move from `board`.
    pub(super) fn after(&self, board: &Board, step: Step) -> Self {
        let (from, to, side) = (step.from(), step.to(), board.side_to_move());
        let mut lists = self.clone();
        let Some(piece) = board.piece_on(from) else { return lists };
        let passed = piece == Piece::Pawn && from.file() != to.file() && !board.occupied().has(to);
        let captured = if passed { Square::new(to.file(), from.rank()) } else { to };
        for men in [&mut lists.pawns, &mut lists.pieces] {
            men[!side as usize].retain(|square| *square != captured);
        }
        let put = |men: &mut Vec<Square>, from: Square, to: Square| {
            if let Some(slot) = men.iter_mut().find(|slot| **slot == from) {
                *slot = to;
            }
        };
        if step.promotion().is_some() {
            lists.pawns[side as usize].retain(|square| *square != from);
            lists.pieces[side as usize].insert(0, to);
        } else {
            put(lists.list(piece, side), from, to);
        }
        // The rook that a king takes when it castles, as the board's crate writes it.
        let rook = board_move(board, step).to;
        if rook != to {
            let beside = if to.file() == File::G { File::F } else { File::D };
            put(lists.list(Piece::Rook, side), rook, Square::new(beside, to.rank()));
        }
        lists
    }

    /// The legal moves in their order.
    pub(super) fn moves(&self, board: &Board) -> Vec<Step> {
        let mut moves = Vec::new();
        board.generate_moves(|some| {
            moves.extend(some.into_iter().map(|mv| step(board, mv)));
            false
        });
        moves.sort_by_cached_key(|step| self.rank(board, *step));
        moves
    }

    /// The class of a man, its place in its list, its direction, how near it stays; what a pawn becomes.
    fn rank(&self, board: &Board, step: Step) -> [usize; 5] {
        let (from, to, side) = (step.from(), step.to(), board.side_to_move());
        let way = (to.file() as i8 - from.file() as i8, to.rank() as i8 - from.rank() as i8);
        let toward = (way.0.signum(), way.1.signum());
        let near = 8 - usize::from(way.0.unsigned_abs().max(way.1.unsigned_abs()));
        let place = |men: &[Vec<Square>; 2]| position(&men[side as usize], &from);
        match board.piece_on(from) {
            None | Some(Piece::Pawn) => {
                let promotion = step.promotion().map_or(0, |piece| position(&PROMOTIONS, &piece));
                [0, place(&self.pawns), position(&PAWN, &way.0), near, promotion]
            }
            Some(Piece::Knight) => [1, place(&self.pieces), position(&KNIGHT, &way), 0, 0],
            Some(Piece::King) => {
                // In check, what the king captures comes last of all.
                let last = !board.checkers().is_empty() && board.occupied().has(to);
                [1 + usize::from(last), place(&self.pieces), position(&KING, &toward), near, 0]
            }
            Some(_) => [1, place(&self.pieces), position(&SLIDER, &toward), near, 0],
        }
    }
}

fn position<T: PartialEq>(list: &[T], item: &T) -> usize {
    list.iter().position(|other| other == item).unwrap_or(list.len())
}
