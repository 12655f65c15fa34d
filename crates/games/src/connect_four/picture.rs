//! The board as a picture.

use quod_model::{Board, Ink, Pointing, Shape, Spot};

use super::{ConnectFour, Position};
use crate::bits::Bits;
use crate::picture::{Fields, STONE, circle, stone};

fn fields<B: Bits>(game: &ConnectFour<B>) -> Fields {
    Fields::unlettered(game.width, game.height)
}

pub(super) fn board<B: Bits>(game: &ConnectFour<B>, position: &Position<B>) -> Board {
    let fields = fields(game);
    let mut board = fields.board();
    board.shapes.push(Shape::Rectangle { area: fields.all(), ink: Ink::Board });
    for (column, row) in fields.places() {
        let middle = fields.area(column, row).middle();
        match game.owner(position, column, row) {
            Some(owner) => board.shapes.extend(stone(middle, STONE, owner)),
            None => board.shapes.push(circle(middle, STONE, Ink::Hole)),
        }
    }
    board.shapes.extend((0..game.width).map(|column| fields.below(column, (column + 1).to_string())));
    let spot = |column| Spot { name: format!("column {}", column + 1), area: fields.column(column) };
    board.spots = (0..game.width).map(spot).collect();
    board
}

/// A column; the label is where the stone comes to rest.
pub(super) fn pointing<B: Bits>(game: &ConnectFour<B>, position: &Position<B>, column: u8) -> Pointing {
    let spot = u32::from(column);
    let stones = (0..game.height).take_while(|row| position.all & game.cell(spot, *row) != B::NONE).count();
    Pointing { spots: vec![usize::from(column)], label: fields(game).area(spot, stones as u32).middle() }
}
