//! A game with symmetry and, if its graph has them, cycles: every position of a graph exists twice, and moves lead to
//! one image or the other.

use std::fmt;

use super::Graph;
use crate::{
    Abilities, Converts, Decide, Game, Goal, Guess, InputError, Notation, Player, Repetition, Symmetry, Value,
};

/// Two mirror images of a graph, laced together.
pub struct Mirrored(pub Graph);

impl Game for Mirrored {
    /// A position of the graph, and whether it is the mirror image.
    type Position = (u32, bool);
    type Move = u16;

    fn start(&self) -> (u32, bool) {
        (self.0.start(), false)
    }

    fn to_move(&self, position: &(u32, bool)) -> Player {
        self.0.to_move(&position.0)
    }

    fn outcome(&self, position: &(u32, bool)) -> Option<Value> {
        self.0.outcome(&position.0)
    }

    /// The same moves in both images, in opposite orders.
    fn moves(&self, position: &(u32, bool), moves: &mut Vec<u16>) {
        let begin = moves.len();
        self.0.moves(&position.0, moves);
        if position.1 {
            moves[begin..].reverse();
        }
    }

    /// Some moves change the image: which ones is arbitrary but fixed.
    fn after(&self, position: &(u32, bool), mv: u16) -> (u32, bool) {
        let changes = !(position.0 + u32::from(mv)).is_multiple_of(3);
        (self.0.after(&position.0, mv), position.1 ^ changes)
    }

    fn key(&self, position: &(u32, bool)) -> u128 {
        self.0.key(&position.0) * 2 + u128::from(position.1)
    }

    fn values(&self) -> (Value, Value) {
        self.0.values()
    }

    fn repetition(&self) -> Repetition<Self> {
        match self.0.repetition() {
            Repetition::Impossible => Repetition::Impossible,
            Repetition::Worth(_) => {
                Repetition::Worth(|game: &Self, position: &(u32, bool)| match game.0.repetition() {
                    Repetition::Worth(worth) => worth(&game.0, &position.0),
                    Repetition::Impossible => unreachable!("the graph has cycles"),
                })
            }
        }
    }

    fn abilities(&self) -> Abilities<Self> {
        Abilities::none().symmetry().decide().guess().converts()
    }
}

impl Symmetry for Mirrored {
    fn canonical(&self, position: &(u32, bool)) -> (u32, bool) {
        (position.0, false)
    }
}

impl Decide for Mirrored {
    fn decide(&self, position: &(u32, bool), goal: Goal) -> Option<bool> {
        self.0.decide(&position.0, goal)
    }
}

impl Converts for Mirrored {
    fn converts(&self, position: &(u32, bool), mv: u16) -> bool {
        self.0.converts(&position.0, mv)
    }
}

impl Guess for Mirrored {
    fn guess(&self, position: &(u32, bool), goal: Goal) -> (u32, u32) {
        self.0.guess(&(position.0 * 2 + u32::from(position.1)), goal)
    }
}

impl Notation for Mirrored {
    fn game_text(&self) -> String {
        "mirrored".to_owned()
    }

    fn position_text(&self, position: &(u32, bool)) -> String {
        format!("{}{}", self.0.name(position.0), if position.1 { "'" } else { "" })
    }

    fn parse_position(&self, text: &str) -> Result<(u32, bool), InputError> {
        let name = text.strip_suffix('\'').unwrap_or(text);
        Ok((self.0.parse_position(name)?, name != text))
    }

    fn move_text(&self, position: &(u32, bool), mv: u16) -> String {
        self.0.move_text(&position.0, mv)
    }
}

impl fmt::Display for Mirrored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
