//! Boxes and moves as text.

use quod_model::{Board, Game, InputError, Notation, Player, Pointing};

use super::lines::{index, place};
use super::{Position, Qubic, picture};
use crate::grid;

/// What people call a cell: layer, row and column from 1 on.
pub(super) fn name(cell: u8) -> String {
    let [x, y, z] = place(cell);
    format!("{}{}{}", z + 1, y + 1, x + 1)
}

impl Qubic {
    /// A box as one line, by the letter of each cell.
    fn write(&self, letter: impl Fn(u8) -> char) -> String {
        let [columns, rows, layers] = self.sides;
        let row = |y, z| (0..columns).map(|x| letter(index([x, y, z]))).collect();
        let layer = |z| (0..rows).map(|y| row(y, z)).collect::<Vec<String>>().join("/");
        (0..layers).map(layer).collect::<Vec<String>>().join("|")
    }

    /// Checks that there are as many parts as the box has, and says how positions look if not.
    fn check_parts(
        &self,
        text: &str,
        (parts, found): (&str, usize),
        (whole, wanted): (&str, u8),
    ) -> Result<(), InputError> {
        if found == usize::from(wanted) {
            return Ok(());
        }
        Err(InputError::new("position", text, format!("it has {found} {parts}, {whole} has {wanted}")).hint(
            format!(
                "layers separated by |, in each of them rows separated by /, such as {}",
                self.write(|_| grid::letter(None))
            ),
        ))
    }

    /// The stones of a position as text.
    fn read(&self, text: &str) -> Result<Vec<(u8, Player)>, InputError> {
        let [columns, rows, layers] = self.sides;
        let mut stones = Vec::new();
        let layer_texts: Vec<&str> = text.split('|').collect();
        self.check_parts(text, ("layers", layer_texts.len()), ("the box", layers))?;
        for (z, layer) in (0..layers).zip(layer_texts) {
            let row_texts: Vec<&str> = layer.split('/').collect();
            self.check_parts(text, ("rows", row_texts.len()), ("a layer", rows))
                .map_err(|error| error.at(format!("layer {}", z + 1)))?;
            for (y, row) in (0..rows).zip(row_texts) {
                let at = |column: &str| format!("layer {}, row {}{column}", z + 1, y + 1);
                self.check_parts(text, ("cells", row.chars().count()), ("a row", columns))
                    .map_err(|error| error.at(at(&format!(", \"{row}\""))))?;
                for (x, letter) in (0..columns).zip(row.chars()) {
                    let cell = grid::cell(text, letter, &['.'])
                        .map_err(|error| error.at(at(&format!(", column {}", x + 1))))?;
                    stones.extend(cell.map(|owner| (index([x, y, z]), owner)));
                }
            }
        }
        grid::check_counts(text, stones.iter().map(|stone| stone.1))?;
        Ok(stones)
    }
}

impl Notation for Qubic {
    fn game_text(&self) -> String {
        let mut text = format!("qubic:{}", self.sides.map(|side| side.to_string()).join("x"));
        if self.row != Self::usual_row(self.sides) {
            text.push_str(&format!(",row={}", self.row));
        }
        text
    }

    fn position_text(&self, position: &Position) -> String {
        self.write(|cell| grid::letter(self.owner(position, cell)))
    }

    fn parse_position(&self, text: &str) -> Result<Position, InputError> {
        let stones = self.read(text)?;
        let mover = if stones.len().is_multiple_of(2) { Player::First } else { Player::Second };
        let mut position = self.start();
        for (cell, owner) in stones {
            let of = if owner == mover { &mut position.mover } else { &mut position.other };
            *of |= 1 << cell;
        }
        if self.has_row(position.mover) { Err(grid::both_or_late(text)) } else { Ok(position) }
    }

    fn move_text(&self, _: &Position, cell: u8) -> String {
        name(cell)
    }

    /// The layers side by side, with the numbers of their rows and columns.
    fn draw(&self, position: &Position) -> String {
        let [columns, rows, layers] = self.sides;
        let block = |line: &dyn Fn(u8) -> String| {
            let parts: Vec<String> = (0..layers).map(|z| format!("{:9}", line(z))).collect();
            parts.join("    ").trim_end().to_owned()
        };
        let mut lines = vec![block(&|z| format!("layer {}", z + 1))];
        for y in 0..rows {
            lines.push(block(&|z| {
                let cells = (0..columns).map(|x| self.owner(position, index([x, y, z])));
                cells.fold((y + 1).to_string(), |line, cell| format!("{line} {}", grid::letter(cell)))
            }));
        }
        lines.push(block(&|_| (1..=columns).fold(" ".to_owned(), |line, column| format!("{line} {column}"))));
        lines.join("\n")
    }

    fn board(&self, position: &Position) -> Board {
        picture::board(self, position)
    }

    fn pointing(&self, _: &Position, cell: u8) -> Option<Pointing> {
        Some(picture::pointing(self, cell))
    }

    fn player_name(&self, player: Player) -> &'static str {
        if player == Player::First { "x" } else { "o" }
    }
}
