//! The board as a picture.

use quod_model::{Board, Ink, Pointing, Shape};

use super::{Gomoku, Position};
use crate::picture::{Fields, STONE, stone};

/// Every crossing has a field around it.
fn fields<const N: usize>(game: &Gomoku<N>) -> Fields {
    Fields::lettered(game.size, game.size)
}

pub(super) fn board<const N: usize>(game: &Gomoku<N>, position: &Position<N>) -> Board {
    let fields = fields(game);
    let middle = |column, row| fields.area(column, row).middle();
    let line = |from, to| Shape::Line { from, to, ink: Ink::Line };
    let last = game.size - 1;
    let mut board = fields.board();
    board.shapes.push(Shape::Rectangle { area: fields.all(), ink: Ink::Board });
    board.shapes.extend((0..game.size).map(|column| line(middle(column, last), middle(column, 0))));
    board.shapes.extend((0..game.size).map(|row| line(middle(0, row), middle(last, row))));
    for (column, row) in fields.places() {
        if let Some(owner) = game.owner(position, column, row) {
            board.shapes.extend(stone(middle(column, row), STONE, owner));
        }
    }
    board.shapes.extend(fields.coordinates());
    board.spots = fields.spots();
    board
}

/// A crossing.
pub(super) fn pointing<const N: usize>(game: &Gomoku<N>, cell: u16) -> Pointing {
    let (column, row) = game.place(u32::from(cell));
    let spot = (row * game.size + column) as usize;
    Pointing { spots: vec![spot], label: fields(game).area(column, row).middle() }
}
