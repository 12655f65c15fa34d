//! The board as a picture, White below.

use cozy_chess::{Color, Piece, Square};
use quod_model::{Area, Board, Ink, ManKind, Pointing, Shape};

use super::{Step, player};
use crate::picture::Fields;

const FIELDS: Fields = Fields::lettered(8, 8);

fn area(square: Square) -> Area {
    FIELDS.area(square.file() as u32, square.rank() as u32)
}

fn kind(piece: Piece) -> ManKind {
    match piece {
        Piece::Pawn => ManKind::Pawn,
        Piece::Knight => ManKind::Knight,
        Piece::Bishop => ManKind::Bishop,
        Piece::Rook => ManKind::Rook,
        Piece::Queen => ManKind::Queen,
        Piece::King => ManKind::King,
    }
}

pub(crate) fn board(man: impl Fn(Square) -> Option<(Piece, Color)>) -> Board {
    let mut board = FIELDS.board();
    for square in Square::ALL {
        let is_dark = (square.file() as u32 + square.rank() as u32).is_multiple_of(2);
        let ink = if is_dark { Ink::Dark } else { Ink::Light };
        board.shapes.push(Shape::Rectangle { area: area(square), ink });
        if let Some((piece, color)) = man(square) {
            let (x, y) = area(square).middle();
            board.shapes.push(Shape::Man { x, y, kind: kind(piece), owner: player(color) });
        }
    }
    board.shapes.extend(FIELDS.coordinates());
    board.spots = FIELDS.spots();
    board
}

/// From the square that a man leaves to the one that it reaches: the king's, when it castles.
pub(crate) fn pointing(step: Step) -> Pointing {
    Pointing { spots: vec![step.from() as usize, step.to() as usize], label: area(step.to()).middle() }
}
