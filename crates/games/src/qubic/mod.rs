//! Qubic: four in a row in a cube of four, and boxes of other sizes.
//!
//! The index of a cell is x + 4y + 16z, in smaller boxes too: what they do not have stays empty.

mod lines;
mod notation;
mod picture;
mod symmetry;
#[cfg(test)]
mod tests;
mod threats;

use quod_model::{
    Abilities, Description, Family, Game, InputError, Parameters, Player, Receiver, Repetition, Value,
};

use crate::grid;
use lines::{Lines, each};
use symmetry::Permutation;

/// The rules for one box.
#[derive(Clone, Debug)]
pub struct Qubic {
    /// How many cells it has along x, y and z.
    sides: [u8; 3],
    row: u8,
    lines: Lines,
    symmetries: Vec<Permutation>,
    /// Whether it is the cube of four with rows of four: what is worth code of its own.
    usual: bool,
}

/// Stones of the player to move, and of the other one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    pub(super) mover: u64,
    pub(super) other: u64,
}

impl Qubic {
    /// A box of `x` columns, `y` rows and `z` layers, in which `row` stones in a row win. Nothing unless all of them are from
    /// 1 to 4, and there are at most 128 lines.
    #[must_use]
    pub fn new(x: u8, y: u8, z: u8, row: u8) -> Option<Self> {
        let sides = [x, y, z];
        let possible = sides.iter().chain([&row]).all(|number| (1..=4).contains(number));
        let lines = possible.then(|| Lines::new(sides, row).ok())?;
        Some(Self::with_lines(sides, row, lines?))
    }

    fn with_lines(sides: [u8; 3], row: u8, lines: Lines) -> Self {
        let symmetries = symmetry::all(sides, row, &lines);
        Self { sides, row, lines, symmetries, usual: (sides, row) == ([4; 3], 4) }
    }

    /// The row that wins if nothing is said: as long as the box.
    fn usual_row(sides: [u8; 3]) -> u8 {
        sides.into_iter().max().expect("there are three")
    }

    #[inline]
    fn has_row(&self, stones: u64) -> bool {
        if self.usual { lines::has_usual_row(stones) } else { self.lines.has_row(stones, self.row) }
    }

    #[inline]
    fn empty(&self, position: &Position) -> u64 {
        self.lines.board & !(position.mover | position.other)
    }

    fn owner(&self, position: &Position, cell: u8) -> grid::Cell {
        let mover = self.to_move(position);
        if position.mover >> cell & 1 != 0 {
            Some(mover)
        } else {
            (position.other >> cell & 1 != 0).then_some(mover.other())
        }
    }
}

impl Game for Qubic {
    type Position = Position;
    /// The index of a cell.
    type Move = u8;

    fn start(&self) -> Position {
        Position { mover: 0, other: 0 }
    }

    /// First if both have equally many stones: if the number of all is even.
    #[inline]
    fn to_move(&self, position: &Position) -> Player {
        let stones = (position.mover | position.other).count_ones();
        if stones.is_multiple_of(2) { Player::First } else { Player::Second }
    }

    #[inline]
    fn outcome(&self, position: &Position) -> Option<Value> {
        if self.has_row(position.other) {
            match self.to_move(position) {
                Player::First => Some(Value::SECOND_WINS),
                Player::Second => Some(Value::FIRST_WINS),
            }
        } else {
            (self.empty(position) == 0).then_some(Value::DRAW)
        }
    }

    /// Cells by their indices.
    #[inline]
    fn moves(&self, position: &Position, moves: &mut Vec<u8>) {
        moves.extend(each(self.empty(position)));
    }

    #[inline]
    fn after(&self, position: &Position, cell: u8) -> Position {
        Position { mover: position.other, other: position.mover | 1 << cell }
    }

    #[inline]
    fn key(&self, position: &Position) -> u128 {
        u128::from(position.mover) << 64 | u128::from(position.other)
    }

    fn values(&self) -> (Value, Value) {
        (Value::SECOND_WINS, Value::FIRST_WINS)
    }

    fn repetition(&self) -> Repetition<Self> {
        Repetition::Impossible
    }

    #[inline]
    fn mobility(&self, position: &Position) -> u32 {
        self.empty(position).count_ones()
    }

    fn winning_move(&self, position: &Position) -> Option<u8> {
        self.completing(position).next()
    }

    fn unpunished(&self, position: &Position, moves: &mut Vec<u8>) {
        // The opponent's rows that lack one; a stone more can fill one of them, or win first.
        let turned = Position { mover: position.other, other: position.mover };
        let mut threatened = self.completing(&turned);
        match (threatened.next(), threatened.next()) {
            (None, _) => self.moves(position, moves),
            (Some(cell), None) => {
                moves.push(cell);
                moves.extend(self.completing(position).filter(|other| *other != cell));
            }
            _ => moves.extend(self.completing(position)),
        }
    }

    fn abilities(&self) -> Abilities<Self> {
        let abilities = Abilities::none().symmetry().wins_by_own_move().guess();
        if self.row > 1 { abilities.threats() } else { abilities }
    }
}

/// The family `qubic`.
pub struct Named;

impl Family for Named {
    fn description(&self) -> Description {
        Description {
            name: "qubic",
            summary: "Qubic: four in a row in a cube win",
            parameters: "[XxYxZ][,row=N]  (4x4x4; row: as long as the longest side)",
            moves: "cells by layer, row and column from 111 to 444: \"111 222\"",
            position: "layers from 1 on, of rows from 1 on, x First, o Second: \"x./..|.o/..\" (2x2x2)",
            example: "qubic:3x3x3 --moves \"222 111\"",
        }
    }

    fn open<R: Receiver>(
        &self,
        mut parameters: Parameters<'_>,
        receiver: R,
    ) -> Result<R::Output, InputError> {
        let size = parameters.first().unwrap_or("4x4x4");
        let numbers: Option<Vec<u8>> = size.split('x').map(|side| side.parse().ok()).collect();
        let sides = numbers.and_then(|numbers| <[u8; 3]>::try_from(numbers).ok());
        let Some(sides) = sides.filter(|sides| sides.iter().all(|side| (1..=4).contains(side))) else {
            return Err(parameters
                .error(format!("\"{size}\" is not a box"))
                .hint("columns x rows x layers, each from 1 to 4, such as qubic:4x4x4"));
        };
        let row = parameters.number("row", 1..=4)?;
        let row = row.map_or(Qubic::usual_row(sides), |row| row as u8);
        let lines = Lines::new(sides, row).map_err(|count| {
            parameters.error(format!("a box of {size} has {count} lines of {row} cells")).hint(
                "there may be 128 lines at the most: longer rows or a smaller box, such as qubic:4x4x2,row=3",
            )
        })?;
        parameters.finish("XxYxZ, row=N")?;
        Ok(receiver.receive(Qubic::with_lines(sides, row, lines)))
    }
}
