//! The layers as a picture: two beside each other, and the next two below.

use quod_model::{Area, Board, Ink, Pointing, Shape, Spot};

use super::lines::{each, place};
use super::notation::name;
use super::{Position, Qubic};
use crate::picture::{LETTERS, STONE, circle, stone, text};

/// The room for what is written around a layer: its name above, rows on the left, columns below.
const MARGIN: i32 = 40;
/// The room between layers.
const GAP: i32 = 60;

/// The cells of a layer.
fn layer(game: &Qubic, z: u8) -> Area {
    let [width, height, _] = game.sides.map(|side| 100 * i32::from(side));
    let (across, down) = (i32::from(z % 2), i32::from(z / 2));
    let x = MARGIN + across * (width + MARGIN + GAP);
    let y = MARGIN + down * (height + 2 * MARGIN + GAP);
    Area { x, y, width, height }
}

fn area(game: &Qubic, cell: u8) -> Area {
    let [x, y, z] = place(cell);
    let (field, corner) = (Area::field(x.into(), y.into()), layer(game, z));
    Area { x: corner.x + field.x, y: corner.y + field.y, ..field }
}

pub(super) fn board(game: &Qubic, position: &Position) -> Board {
    let [columns, rows, layers] = game.sides;
    let (right, last) = (layer(game, u8::from(layers > 1)), layer(game, layers - 1));
    let mut board =
        Board { width: right.x + right.width, height: last.y + last.height + MARGIN, ..Board::default() };
    for z in 0..layers {
        let all = layer(game, z);
        board.shapes.push(Shape::Rectangle { area: all, ink: Ink::Board });
        // Above the margin too, so that it has room in a box of one column.
        let above = (all.x + (all.width - MARGIN) / 2, all.y - MARGIN / 2);
        board.shapes.push(text(above, LETTERS, format!("layer {}", z + 1)));
        let middle = |number: u8| 100 * i32::from(number) + 50;
        let label = |place, number: u8| text(place, LETTERS, (number + 1).to_string());
        board.shapes.extend((0..rows).map(|y| label((all.x - MARGIN / 2, all.y + middle(y)), y)));
        let below = all.y + all.height + MARGIN / 2;
        board.shapes.extend((0..columns).map(|x| label((all.x + middle(x), below), x)));
    }
    for cell in each(game.lines.board) {
        let middle = area(game, cell).middle();
        match game.owner(position, cell) {
            Some(owner) => board.shapes.extend(stone(middle, STONE, owner)),
            None => board.shapes.push(circle(middle, STONE, Ink::Hole)),
        }
    }
    board.spots =
        each(game.lines.board).map(|cell| Spot { name: name(cell), area: area(game, cell) }).collect();
    board
}

/// A cell, whose spot comes after those of all smaller ones.
pub(super) fn pointing(game: &Qubic, cell: u8) -> Pointing {
    let before = game.lines.board & ((1 << cell) - 1);
    Pointing { spots: vec![before.count_ones() as usize], label: area(game, cell).middle() }
}
