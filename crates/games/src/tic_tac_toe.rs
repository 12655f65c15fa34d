//! Tic-tac-toe.

use quod_model::{
    Abilities, Description, Family, Game, Index, InputError, Notation, Parameters, Player, Receiver,
    Repetition, Symmetry, Value,
};

use crate::grid;

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
        Abilities::none().symmetry()
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

/// Three states a cell, in base three.
impl Index for TicTacToe {
    fn index_size(&self) -> u64 {
        3u64.pow(9)
    }

    fn index(&self, position: &Position) -> u64 {
        (0..9).rev().fold(0, |index, cell| {
            index * 3 + u64::from(position.all >> cell & 1) + u64::from(position.mover >> cell & 1)
        })
    }

    fn at_index(&self, mut index: u64) -> Option<Position> {
        let mut position = Position { mover: 0, all: 0 };
        for cell in 0..9 {
            position.all |= u16::from(!index.is_multiple_of(3)) << cell;
            position.mover |= u16::from(index % 3 == 2) << cell;
            index /= 3;
        }
        let (mover, other) = (position.mover.count_ones(), (position.all ^ position.mover).count_ones());
        (index == 0 && (other == mover || other == mover + 1)).then_some(position)
    }
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
    use quod_model::testkit::{Laws, Truth, perft};

    #[test]
    fn keeps_the_laws() {
        Laws::default().check(&TicTacToe);
        Laws::check_values(&TicTacToe);
        Laws::check_index(&TicTacToe);
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
