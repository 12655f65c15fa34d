//! How Awari is written: as in the paper, `D19x7` for nineteen stones sown from D that capture seven.

use quod_model::{
    Board, Description, Family, InputError, Notation, Parameters, Player, Pointing, Receiver, Relative,
};

use super::{Awari, Position, Slam};
use crate::sowing::{notation as sowing, picture};

impl Notation for Awari {
    fn game_text(&self) -> String {
        let size = match (self.width(), self.stones) {
            (6, 4) => None,
            (width, stones) => Some(format!("{width}x{stones}")),
        };
        let slam = match self.slam {
            Slam::Forbidden => None,
            Slam::Captures => Some("slam=captures".to_owned()),
            Slam::Keeps => Some("slam=keeps".to_owned()),
        };
        let stop = self.stop.then(|| "stop".to_owned());
        let parameters: Vec<String> = [size, slam, stop].into_iter().flatten().collect();
        match parameters.is_empty() {
            true => "awari".to_owned(),
            false => format!("awari:{}", parameters.join(",")),
        }
    }

    fn position_text(&self, position: &Position) -> String {
        sowing::position_text(self.width(), position)
    }

    fn parse_position(&self, text: &str) -> Result<Position, InputError> {
        sowing::parse_position(self.width(), 2 * self.width() * self.stones, text)
    }

    fn move_text(&self, position: &Position, pit: u8) -> String {
        sowing::move_text(position, pit, self.sown(position, pit).1)
    }

    /// The numbers may be left out; if they are there they must be right.
    fn parse_move(&self, position: &Position, text: &str) -> Result<u8, InputError> {
        sowing::parse_move(self, self.width(), position, text, &|pit| self.sown(position, pit).1)
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
        match (self.stop, value.0) {
            (true, 1) => "win".to_owned(),
            (true, -1) => "loss".to_owned(),
            _ => sowing::value_text(value),
        }
    }
}

/// The family `awari`.
pub struct Named;

impl Family for Named {
    fn description(&self) -> Description {
        Description {
            name: "awari",
            summary: "Awari (Oware): sow around the board, capture what becomes two or three",
            parameters: "[PITSxSTONES][,slam=forbidden|captures|keeps][,stop]  (6x4; stop: over at more than half)",
            moves: "a pit, the stones sown, the stones captured: D4, e5x2; South A to F, North a to f",
            position: "South's pits, North's, side to move, captured: \"1 0 4 19 4 2 / 1 1 3 1 0 0 S 5 7\"",
            example: "awari --position \"0 1 0 0 1 0 / 0 0 0 0 0 1 S 22 23\"",
        }
    }

    fn open<R: Receiver>(
        &self,
        mut parameters: Parameters<'_>,
        receiver: R,
    ) -> Result<R::Output, InputError> {
        let game = sowing::board(&mut parameters, Awari::new)?;
        let slam = match parameters.value("slam") {
            None | Some("forbidden") => Slam::Forbidden,
            Some("captures") => Slam::Captures,
            Some("keeps") => Slam::Keeps,
            Some(other) => {
                return Err(parameters
                    .error(format!("\"{other}\" is no rule for grand slams"))
                    .hint("slam=forbidden, slam=captures or slam=keeps"));
            }
        };
        let stop = parameters.flag("stop");
        parameters.finish("PITSxSTONES, slam=RULE, stop")?;
        Ok(receiver.receive(game.with_slam(slam).with_stop(stop)))
    }
}
