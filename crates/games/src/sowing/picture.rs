//! The board as a picture, as South sees it: the own row below, North's above from right to left, a store at each right hand.

use quod_model::{Area, Board, Ink, Player, Pointing, Shape, Spot};

use super::Position;
use super::notation::{pit_name, player_name};
use crate::picture::{circle, text};

/// The room above and below the pits for numbers and names.
const MARGIN: i32 = 75;
const PIT: i32 = 45;
const SEED: i32 = 9;

/// Pairs of places opposite each other in a pit, by one of them as seen from the middle.
const PAIRS: [(i32, i32); 4] = [(22, -22), (22, 22), (22, 0), (0, 22)];

/// A store holds half of the seeds of the usual board in rows of three.
const STORE_SEEDS: i32 = 24;

/// How far down the numbers of seeds of a player are, and the names of the pits at the edge.
fn heights(player: Player) -> (i32, i32) {
    match player {
        Player::First => (MARGIN + 222, MARGIN + 256),
        Player::Second => (MARGIN - 22, MARGIN - 56),
    }
}

/// The seeds of a pit as dice show them: one in the middle if their number is odd, the others in pairs. The written number
/// tells of more than nine.
fn seeds((x, y): (i32, i32), number: u8) -> impl Iterator<Item = Shape> {
    let shown = number.min(9);
    let pairs = PAIRS
        .iter()
        .take(usize::from(shown / 2))
        .flat_map(|(right, down)| [(*right, *down), (-right, -down)]);
    let middle = (shown % 2 == 1).then_some((0, 0));
    middle
        .into_iter()
        .chain(pairs)
        .map(move |(right, down)| circle((x + right, y + down), SEED, Ink::Neutral))
}

fn pit_area(width: u8, player: Player, pit: u8) -> Area {
    let (column, row) = match player {
        Player::First => (pit + 1, 1),
        Player::Second => (width - pit, 0),
    };
    let field = Area::field(column.into(), row);
    Area { y: field.y + MARGIN, ..field }
}

/// The store of a player, at the right hand.
fn store_area(width: u8, player: Player) -> Area {
    let column = if player == Player::First { i32::from(width) + 1 } else { 0 };
    Area { x: 100 * column + 12, y: MARGIN + 5, width: 76, height: 190 }
}

pub(crate) fn board(width: u8, position: &Position) -> Board {
    let mut board =
        Board { width: 100 * (i32::from(width) + 2), height: 200 + 2 * MARGIN, ..Board::default() };
    let all = Area { x: 0, y: 0, width: board.width, height: board.height };
    let shapes = &mut board.shapes;
    shapes.push(Shape::Rectangle { area: all, ink: Ink::Board });
    for player in [Player::First, Player::Second] {
        let (number, name) = heights(player);
        let row = position.row(player);
        for pit in 0..width {
            let area = pit_area(width, player, pit);
            let (x, y) = area.middle();
            shapes.push(circle((x, y), PIT, Ink::Hole));
            shapes.extend(seeds((x, y), row.pit(pit)));
            shapes.push(text((x, number), 36, row.pit(pit).to_string()));
            shapes.push(text((x, name), 22, pit_name(player, pit).to_string()));
            board.spots.push(Spot { name: pit_name(player, pit).to_string(), area });
        }
        let area = store_area(width, player);
        let (x, _) = area.middle();
        shapes.push(Shape::Rectangle { area, ink: Ink::Hole });
        let bottom = area.y + area.height;
        shapes.extend((0..STORE_SEEDS.min(row.store().into())).map(|seed| {
            circle((x + 24 * (seed % 3 - 1), bottom - 14 - 23 * (seed / 3)), SEED, Ink::Neutral)
        }));
        shapes.push(text((x, number), 36, row.store().to_string()));
        shapes.push(text((x, name), 22, player_name(player).to_owned()));
    }
    board
}

/// The pit that is sown.
pub(crate) fn pointing(width: u8, position: &Position, pit: u8) -> Pointing {
    let first = if position.to_move == Player::First { 0 } else { width };
    Pointing { spots: vec![usize::from(first + pit)], label: pit_area(width, position.to_move, pit).middle() }
}
