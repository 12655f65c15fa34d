//! How Kalah is written: a pit, the stones sown, what it captures, and + for a player who moves again.

use quod_model::{
    Board, Description, Family, InputError, Notation, Parameters, Player, Pointing, Receiver, Relative,
};

use super::{Kalah, Position};
use crate::sowing::{notation as sowing, picture};

impl Notation for Kalah {
    fn game_text(&self) -> String {
        match (self.width(), self.stones) {
            (6, 4) => "kalah".to_owned(),
            (width, stones) => format!("kalah:{width}x{stones}"),
        }
    }

    fn position_text(&self, position: &Position) -> String {
        sowing::position_text(self.width(), position)
    }

    fn parse_position(&self, text: &str) -> Result<Position, InputError> {
        sowing::parse_position(self.width(), 2 * self.width() * self.stones, text)
    }

    fn move_text(&self, position: &Position, pit: u8) -> String {
        let sown = self.sown(position, pit);
        let text = sowing::move_text(position, pit, sown.captured);
        if sown.again { text + "+" } else { text }
    }

    /// The numbers and the + may be left out; if they are there they must be right.
    fn parse_move(&self, position: &Position, text: &str) -> Result<u8, InputError> {
        let captured = |pit| self.sown(position, pit).captured;
        let pit = sowing::parse_move(self, self.width(), position, text.trim_end_matches('+'), &captured)?;
        if text.ends_with('+') && !self.sown(position, pit).again {
            return Err(InputError::new("move", text, "the last stone does not fall into the store")
                .hint(format!("without +: {}", self.move_text(position, pit))));
        }
        Ok(pit)
    }

    fn split_moves<'t>(&self, text: &'t str) -> Vec<&'t str> {
        sowing::split_moves(text)
    }

    fn split_numbered<'t>(&self, line: &'t str) -> Vec<&'t str> {
        sowing::split_moves(line)
    }

    fn draw(&self, position: &Position) -> String {
        sowing::draw(self.width(), position)
    }

    fn board(&self, position: &Position) -> Board {
        picture::board(self.width(), position)
    }

    fn pointing(&self, position: &Position, pit: u8) -> Option<Pointing> {
        Some(picture::pointing(self.width(), position, pit))
    }

    fn player_name(&self, player: Player) -> &'static str {
        sowing::player_name(player)
    }

    fn value_text(&self, value: Relative) -> String {
        sowing::value_text(value)
    }
}

/// The family `kalah`.
pub struct Named;

impl Family for Named {
    fn description(&self) -> Description {
        Description {
            name: "kalah",
            summary: "Kalah: sow also into the own store; who ends there moves again",
            parameters: "[PITSxSTONES]  (6x4)",
            moves: "a pit, the stones sown, the stones captured, + to move again: C4+, A1x5",
            position: "South's pits, North's, side to move, stores: \"4 4 0 5 5 5 / 4 4 4 4 4 4 S 1 0\"",
            example: "kalah:4x3",
        }
    }

    fn open<R: Receiver>(
        &self,
        mut parameters: Parameters<'_>,
        receiver: R,
    ) -> Result<R::Output, InputError> {
        let game = sowing::board(&mut parameters, Kalah::new)?;
        parameters.finish("PITSxSTONES")?;
        Ok(receiver.receive(game))
    }
}
