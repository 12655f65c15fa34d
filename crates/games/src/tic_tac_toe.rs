//! Tic-tac-toe.

use quod_model::{
    Abilities, Area, Board, Description, Family, Game, Index, Ink, InputError, Notation, Parameters, Player,
    Pointing, Receiver, Repetition, Shape, Slot, Successor, Symmetry, Value,
};

use crate::grid;
use crate::picture::{Fields, STONE, circle};

/// The rules.
#[derive(Clone, Copy, Debug, Default)]
pub struct TicTacToe;

/// Stones of the player to move and stones of both; cell 0 is a1, cell 2 is c1, cell 8 is c3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    mover: u16,
    all: u16,
}

const FULL: u16 = 0o777;
const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

/// Where each cell goes under the eight symmetries of the square.
const SYMMETRIES: [[u8; 9]; 8] = symmetries();

const fn symmetries() -> [[u8; 9]; 8] {
    let mut all = [[0; 9]; 8];
    let mut number = 0;
    while number < 8 {
        let mut cell = 0;
        while cell < 9 {
            let (mut column, mut row) = (cell % 3, cell / 3);
            if number & 1 != 0 {
                column = 2 - column;
            }
            if number & 2 != 0 {
                row = 2 - row;
            }
            if number & 4 != 0 {
                (column, row) = (row, column);
            }
            all[number][cell] = (row * 3 + column) as u8;
            cell += 1;
        }
        number += 1;
    }
    all
}

fn has_row(stones: u16) -> bool {
    LINES.iter().any(|line| stones & line == *line)
}

fn permuted(stones: u16, symmetry: &[u8; 9]) -> u16 {
    (0..9).filter(|cell| stones >> cell & 1 != 0).fold(0, |set, cell| set | 1 << symmetry[cell])
}

impl Position {
    fn owner(self, column: u32, row: u32) -> grid::Cell {
        let cell = 1 << (row * 3 + column);
        let mover = TicTacToe.to_move(&self);
        match (self.all & cell != 0, self.mover & cell != 0) {
            (false, _) => None,
            (true, true) => Some(mover),
            (true, false) => Some(mover.other()),
        }
    }
}

impl Game for TicTacToe {
    type Position = Position;
    /// A cell.
    type Move = u8;

    fn start(&self) -> Position {
        Position { mover: 0, all: 0 }
    }

    fn to_move(&self, position: &Position) -> Player {
        if position.all.count_ones().is_multiple_of(2) { Player::First } else { Player::Second }
    }

    fn outcome(&self, position: &Position) -> Option<Value> {
        if has_row(position.all ^ position.mover) {
            match self.to_move(position) {
                Player::First => Some(Value::SECOND_WINS),
                Player::Second => Some(Value::FIRST_WINS),
            }
        } else {
            (position.all == FULL).then_some(Value::DRAW)
        }
    }

    /// Cells from a1 along the rows to c3.
    fn moves(&self, position: &Position, moves: &mut Vec<u8>) {
        moves.extend((0..9).filter(|cell| position.all >> cell & 1 == 0));
    }

    fn after(&self, position: &Position, cell: u8) -> Position {
        Position { mover: position.all ^ position.mover, all: position.all | 1 << cell }
    }

    fn key(&self, position: &Position) -> u128 {
        u128::from(position.mover) << 9 | u128::from(position.all)
    }

    fn values(&self) -> (Value, Value) {
        (Value::SECOND_WINS, Value::FIRST_WINS)
    }

    fn repetition(&self) -> Repetition<Self> {
        Repetition::Impossible
    }

    fn mobility(&self, position: &Position) -> u32 {
        9 - position.all.count_ones()
    }

    fn abilities(&self) -> Abilities<Self> {
        Abilities::none().symmetry().index()
    }
}

/// Rotations and reflections.
impl Symmetry for TicTacToe {
    fn canonical(&self, position: &Position) -> Position {
        let images = SYMMETRIES.iter().map(|symmetry| Position {
            mover: permuted(position.mover, symmetry),
            all: permuted(position.all, symmetry),
        });
        images.min().expect("there are eight")
    }
}

/// A slice for each number of empty cells; in it first the set of cells that are taken, then which of them are the mover's.
impl Index for TicTacToe {
    fn slices(&self) -> u32 {
        10
    }

    fn slice_size(&self, slice: u32) -> u64 {
        let stones = 9 - slice;
        choose(9, stones) * choose(stones, stones / 2)
    }

    fn slice_value_max(&self, _: u32) -> i32 {
        1
    }

    fn slot(&self, position: &Position) -> Option<Slot> {
        let stones = position.all.count_ones();
        // The mover's stones, by their places among all stones.
        let taken = (0..9).filter(|cell| position.all >> cell & 1 != 0);
        let mover = taken.zip(0..).fold(0, |set, (cell, place)| set | (position.mover >> cell & 1) << place);
        let number = rank(position.all) * choose(stones, stones / 2) + rank(mover);
        Some(Slot { slice: 9 - stones, number })
    }

    fn at_slot(&self, slot: Slot) -> Option<Position> {
        let stones = 9 - slot.slice;
        let ways = choose(stones, stones / 2);
        let all = unrank(slot.number / ways, stones);
        let places = unrank(slot.number % ways, stones / 2);
        let taken = (0..9).filter(|cell| all >> cell & 1 != 0);
        let mover = taken.zip(0..).fold(0, |set, (cell, place)| set | (places >> place & 1) << cell);
        // Nobody is to move who has a row already.
        (!has_row(mover)).then_some(Position { mover, all })
    }

    fn made(&self, _: &Position) -> i32 {
        0
    }

    fn successors(&self, slot: Slot, successors: &mut Vec<Successor>) -> Option<i32> {
        let position = self.at_slot(slot).expect("asked only where there is a position");
        if let Some(value) = self.outcome(&position) {
            return Some(value.seen_by(self.to_move(&position)).0);
        }
        let mut cells = Vec::new();
        self.moves(&position, &mut cells);
        let slots = cells.iter().filter_map(|cell| self.slot(&self.after(&position, *cell)));
        successors.extend(slots.map(|slot| Successor { slot, gain: 0, again: false }));
        None
    }

    /// None: every move fills a cell.
    fn predecessors(&self, _: Slot, _: &mut Vec<u64>) {}
}

/// In how many ways `some` can be chosen of `many`.
fn choose(many: u32, some: u32) -> u64 {
    (0..some).fold(1, |ways, taken| ways * u64::from(many - taken.min(many)) / u64::from(taken + 1))
}

/// The number of a set among the sets of its size, ordered by their largest member first.
fn rank(set: u16) -> u64 {
    let members = (0..9).filter(|member| set >> member & 1 != 0);
    members.zip(1..).map(|(member, place)| choose(member, place)).sum()
}

/// The set of so many members with this number.
fn unrank(mut number: u64, size: u32) -> u16 {
    (1..=size).rev().fold(0, |set, place| {
        let member = (0..9).rev().find(|member| choose(*member, place) <= number).unwrap_or(0);
        number -= choose(member, place);
        set | 1 << member
    })
}

const FIELDS: Fields = Fields::lettered(3, 3);

fn cross(area: Area) -> [Shape; 2] {
    let (x, y) = area.middle();
    let arm = 30;
    [-arm, arm].map(|rise| Shape::Line {
        from: (x - arm, y - rise),
        to: (x + arm, y + rise),
        ink: Ink::First,
    })
}

fn ring(area: Area) -> [Shape; 2] {
    let middle = area.middle();
    [circle(middle, STONE - 4, Ink::Second), circle(middle, STONE - 16, Ink::Light)]
}

impl Notation for TicTacToe {
    fn game_text(&self) -> String {
        "tictactoe".to_owned()
    }

    fn position_text(&self, position: &Position) -> String {
        grid::write(3, 3, |column, row| position.owner(column, row))
    }

    fn parse_position(&self, text: &str) -> Result<Position, InputError> {
        let stones = grid::read(text, 3, 3)?;
        let mover = if stones.len().is_multiple_of(2) { Player::First } else { Player::Second };
        let mut position = self.start();
        for (column, row, owner) in stones {
            let cell = 1 << (row * 3 + column);
            position.all |= cell;
            position.mover |= if owner == mover { cell } else { 0 };
        }
        if has_row(position.mover) { Err(grid::both_or_late(text)) } else { Ok(position) }
    }

    fn move_text(&self, _: &Position, cell: u8) -> String {
        format!("{}{}", char::from(b'a' + cell % 3), cell / 3 + 1)
    }

    fn draw(&self, position: &Position) -> String {
        grid::draw(
            3,
            3,
            |column, row| position.owner(column, row),
            |row| (row + 1).to_string(),
            |column| ["a", "b", "c"][column as usize].to_owned(),
        )
    }

    fn board(&self, position: &Position) -> Board {
        let mut board = FIELDS.board();
        board.shapes.push(Shape::Rectangle { area: FIELDS.all(), ink: Ink::Light });
        board.shapes.extend(FIELDS.lines());
        for (column, row) in FIELDS.places() {
            let area = FIELDS.area(column, row);
            match position.owner(column, row) {
                Some(Player::First) => board.shapes.extend(cross(area)),
                Some(Player::Second) => board.shapes.extend(ring(area)),
                None => {}
            }
        }
        board.shapes.extend(FIELDS.coordinates());
        board.spots = FIELDS.spots();
        board
    }

    fn pointing(&self, _: &Position, cell: u8) -> Option<Pointing> {
        let (column, row) = (u32::from(cell % 3), u32::from(cell / 3));
        Some(Pointing { spots: vec![usize::from(cell)], label: FIELDS.area(column, row).middle() })
    }

    fn player_name(&self, player: Player) -> &'static str {
        if player == Player::First { "x" } else { "o" }
    }
}

/// The family `tictactoe`.
pub struct Named;

impl Family for Named {
    fn description(&self) -> Description {
        Description {
            name: "tictactoe",
            summary: "Tic-tac-toe: three in a row win",
            parameters: "",
            moves: "cells from a1 at the bottom left to c3: \"b2 a1 c3\"",
            position: "rows from the top, x First, o Second: \"..o/.x./...\"",
            example: "tictactoe --moves \"b2 a2\" --goal win",
        }
    }

    fn open<R: Receiver>(&self, parameters: Parameters<'_>, receiver: R) -> Result<R::Output, InputError> {
        parameters.finish("")?;
        Ok(receiver.receive(TicTacToe))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::{circles, pointed, written};
    use quod_model::testkit::{Laws, Truth, perft};

    #[test]
    fn keeps_the_laws() {
        Laws::default().check(&TicTacToe);
        Laws::check_values(&TicTacToe);
        Laws::default().check_index(&TicTacToe, 0..10);
    }

    #[test]
    fn the_picture_shows_crosses_and_rings_in_their_cells() {
        let position = TicTacToe.parse_position("..x/.../o.x").unwrap();
        let board = TicTacToe.board(&position);
        assert_eq!((board.width, board.height), (340, 340));
        let crosses = board.shapes.iter().filter_map(|shape| match shape {
            Shape::Line { from, to, ink: Ink::First } => Some(((from.0 + to.0) / 2, (from.1 + to.1) / 2)),
            _ => None,
        });
        // c1 at the lower right and c3 above it.
        assert_eq!(crosses.collect::<Vec<_>>(), [(290, 250), (290, 250), (290, 50), (290, 50)]);
        assert_eq!(circles(&board, Ink::Second), [(90, 250)]);
        assert_eq!(written(&board, "a"), [(90, 320)]);
        assert_eq!(written(&board, "3"), [(20, 50)]);
        assert_eq!(pointed(&TicTacToe, &position, "a3"), ("a3".to_owned(), (90, 50)));
        assert_eq!(pointed(&TicTacToe, &position, "b1"), ("b1".to_owned(), (190, 250)));
    }

    #[test]
    fn counts_are_the_known_ones() {
        let start = TicTacToe.start();
        assert_eq!(perft(&TicTacToe, &start, 9), 127_872);
        let truth = Truth::new(&TicTacToe, &start);
        assert_eq!((truth.len(), truth.value(&start)), (5478, Value::DRAW));
        let classes: std::collections::HashSet<_> =
            truth.iter().map(|(position, _)| TicTacToe.canonical(position)).collect();
        assert_eq!(classes.len(), 765);
    }
}
