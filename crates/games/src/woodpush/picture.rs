//! The line as a picture. Beyond each of its ends is a place for the pieces that go off it, so that every move leads somewhere.

use quod_model::{Board as Picture, Ink, Player, Pointing, Shape, Spot};

use super::{Position, Woodpush};
use crate::bits::Bits;
use crate::picture::{Fields, STONE, circle, ink};

/// Half of the width of what marks an end: small, so that nobody takes it for a piece.
const END: i32 = 14;

fn fields<B: Bits>(game: &Woodpush<B>) -> Fields {
    Fields::unlettered(game.length + 2, 1)
}

/// The way that a player's pieces go, in the ink of the field below them.
fn arrow((x, y): (i32, i32), owner: Player) -> [Shape; 2] {
    let ahead = if owner == Player::First { 1 } else { -1 };
    let tip = (x + 16 * ahead, y);
    [-1, 1].map(|side| Shape::Line { from: (x - 10 * ahead, y + 22 * side), to: tip, ink: Ink::Light })
}

pub(super) fn board<B: Bits>(game: &Woodpush<B>, position: &Position<B>) -> Picture {
    let fields = fields(game);
    let mut picture = fields.board();
    let shapes = &mut picture.shapes;
    for (column, row) in fields.places() {
        let area = fields.area(column, row);
        shapes.push(match (1..=game.length).contains(&column) {
            true => Shape::Rectangle { area, ink: Ink::Light },
            false => circle(area.middle(), END, Ink::Hole),
        });
    }
    shapes.extend(fields.lines());
    for cell in 0..game.length {
        shapes.push(fields.below(cell + 1, (cell + 1).to_string()));
        let middle = fields.area(cell + 1, 0).middle();
        if let Some(owner) = position.board.owner(cell) {
            shapes.push(circle(middle, STONE, ink(owner)));
            shapes.extend(arrow(middle, owner));
        }
    }
    let name = |column| match column {
        0 => "left end".to_owned(),
        cell if cell <= game.length => format!("cell {cell}"),
        _ => "right end".to_owned(),
    };
    let spot = |(column, row): (u32, u32)| Spot { name: name(column), area: fields.area(column, row) };
    picture.spots = fields.places().map(spot).collect();
    picture
}

/// The cell of the piece, and the cell or the end that it goes to.
pub(super) fn pointing<B: Bits>(game: &Woodpush<B>, position: &Position<B>, play: u8) -> Pointing {
    let (player, cell) = (position.to_move, game.cell(play));
    let before = position.board.of(player) ^ B::ONE << cell;
    let after = game.moved(position, play).of(player);
    let (end, back) = match player {
        Player::First => (game.length + 1, cell),
        Player::Second => (0, cell + 2),
    };
    let to = if Woodpush::<B>::is_forward(play) {
        // Its own pieces stay where they are, so the new one is the piece that moved.
        (after & !before).lowest().map_or(end, |cell| cell + 1)
    } else {
        back
    };
    Pointing { spots: vec![cell as usize + 1, to as usize], label: fields(game).area(to, 0).middle() }
}
