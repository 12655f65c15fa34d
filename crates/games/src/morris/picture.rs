//! The board as a picture.

use quod_model::{Area, Board as Picture, Ink, Player, Pointing, Shape, Spot};

use super::board::{Board, each};
use super::notation::name;
use super::{Morris, Play, Position};
use crate::picture::{Fields, LETTERS, STONE, circle, stone, text};

/// The room below the board for the men in the hands.
const HANDS: i32 = 60;

/// Every point has a field around it.
fn fields(board: &Board) -> Fields {
    let rows = board.rows().len() as u32;
    Fields::lettered(rows, rows)
}

fn area(board: &Board, point: u8) -> Area {
    let (column, row) = board.place(point);
    fields(board).area(column.into(), row.into())
}

/// Boards of one's own have no places in the plane: nothing.
pub(super) fn board(game: &Morris, position: &Position) -> Option<Picture> {
    let board = &game.board;
    if board.is_own() {
        return None;
    }
    let fields = fields(board);
    let middle = |point| area(board, point).middle();
    let mut picture = fields.board();
    picture.height += HANDS;
    let shapes = &mut picture.shapes;
    shapes.push(Shape::Rectangle { area: fields.all(), ink: Ink::Board });
    for edge in board.edges() {
        let ends: Vec<(i32, i32)> = each(*edge).map(middle).collect();
        shapes.push(Shape::Line { from: ends[0], to: ends[1], ink: Ink::Line });
    }
    for point in each(board.full()) {
        match position.owner(point) {
            Some(owner) => shapes.extend(stone(middle(point), STONE, owner)),
            None => shapes.push(circle(middle(point), 10, Ink::Line)),
        }
    }
    shapes.extend(fields.coordinates());
    let (x, _) = fields.all().middle();
    let y = picture.height - HANDS / 2;
    shapes.push(text((x - 95, y), LETTERS, "in hand:".to_owned()));
    for (player, x) in [(Player::First, x - 5), (Player::Second, x + 80)] {
        shapes.extend(stone((x, y), 18, player));
        shapes.push(text((x + 38, y), LETTERS, position.of(player).1.to_string()));
    }
    picture.spots =
        each(board.full()).map(|point| Spot { name: name(board, point), area: area(board, point) }).collect();
    Some(picture)
}

/// The point that a man leaves, if it comes from one, the one that it goes to, and the one of a man that is removed.
pub(super) fn pointing(game: &Morris, play: Play) -> Option<Pointing> {
    let points = [play.from(), Some(play.to()), play.removed()];
    let spots: Vec<u8> = points.into_iter().flatten().collect();
    let last = spots.last().filter(|_| !game.board.is_own())?;
    let label = area(&game.board, *last).middle();
    Some(Pointing { spots: spots.into_iter().map(usize::from).collect(), label })
}
