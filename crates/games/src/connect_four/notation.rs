//! Boards and moves as text.

use quod_model::{Board, InputError, Notation, Player, Pointing};

use super::{ConnectFour, Position, picture};
use crate::bits::Bits;
use crate::grid;

impl<B: Bits> Notation for ConnectFour<B> {
    fn game_text(&self) -> String {
        let mut text = format!("connect4:{}x{}", self.width, self.height);
        if self.row != 4 {
            text.push_str(&format!(",row={}", self.row));
        }
        if self.score {
            text.push_str(",score");
        }
        text
    }

    fn position_text(&self, position: &Position<B>) -> String {
        grid::write(self.width, self.height, |column, row| self.owner(position, column, row))
    }

    fn parse_position(&self, text: &str) -> Result<Position<B>, InputError> {
        let stones = grid::read(text, self.width, self.height)?;
        let set = |keep: &dyn Fn(Player) -> bool| {
            let kept = stones.iter().filter(|stone| keep(stone.2));
            kept.fold(B::NONE, |set, stone| set | self.cell(stone.0, stone.1))
        };
        let all = set(&|_| true);
        if let Some((column, row, _)) =
            stones.iter().find(|(column, row, _)| *row > 0 && all & self.cell(*column, row - 1) == B::NONE)
        {
            return Err(InputError::new("position", text, "a stone hangs in the air")
                .at(format!("column {}, row {} from the bottom", column + 1, row + 1))
                .hint("stones fall: below a stone every cell is filled"));
        }
        let count = u8::try_from(stones.len()).expect("at most 128 cells");
        let mover = if count.is_multiple_of(2) { Player::First } else { Player::Second };
        let own = set(&|owner| owner == mover);
        if self.has_row(own) {
            return Err(grid::both_or_late(text));
        }
        Ok(Position { mover: own, all, stones: count })
    }

    fn move_text(&self, _: &Position<B>, column: u8) -> String {
        (u32::from(column) + 1).to_string()
    }

    fn draw(&self, position: &Position<B>) -> String {
        grid::draw(
            self.width,
            self.height,
            |column, row| self.owner(position, column, row),
            |_| " ".to_owned(),
            |column| (column + 1).to_string(),
        )
    }

    fn board(&self, position: &Position<B>) -> Board {
        picture::board(self, position)
    }

    fn pointing(&self, position: &Position<B>, column: u8) -> Option<Pointing> {
        Some(picture::pointing(self, position, column))
    }

    fn player_name(&self, player: Player) -> &'static str {
        if player == Player::First { "x" } else { "o" }
    }

    /// `4453` is `4 4 5 3` on boards of up to nine columns.
    fn split_moves<'t>(&self, text: &'t str) -> Vec<&'t str> {
        let words = text.split_whitespace();
        if self.width > 9 {
            return words.collect();
        }
        words.flat_map(|word| word.char_indices().map(|(at, c)| &word[at..at + c.len_utf8()])).collect()
    }
}
