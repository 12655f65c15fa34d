//! A board as a picture for front ends that draw: what is on it, and where a person points to make a move.
//!
//! Lengths are hundredths of a field, from the upper left corner. What things look like is the front end's business: a game says
//! what they are ([`Ink`]).

use crate::Player;

/// A picture of a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Board {
    /// How wide it is.
    pub width: i32,
    /// How high it is.
    pub height: i32,
    /// What is drawn, in this order.
    pub shapes: Vec<Shape>,
    /// Where a person can point.
    pub spots: Vec<Spot>,
}

/// Something on a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// An upright rectangle.
    Rectangle {
        /// Where it is.
        area: Area,
        /// What it is.
        ink: Ink,
    },
    /// A circle.
    Circle {
        /// Its centre, to the right.
        x: i32,
        /// Its centre, downwards.
        y: i32,
        /// Half of its width.
        radius: i32,
        /// What it is.
        ink: Ink,
    },
    /// A line between two points: thin where it is one of the board ([`Ink::Line`]), a broad stroke of a piece otherwise.
    Line {
        /// One end.
        from: (i32, i32),
        /// The other one.
        to: (i32, i32),
        /// What it is.
        ink: Ink,
    },
    /// A text around a point.
    Text {
        /// Its middle, to the right.
        x: i32,
        /// Its middle, downwards.
        y: i32,
        /// The height of its letters.
        size: i32,
        /// What it says.
        text: String,
        /// What it is.
        ink: Ink,
    },
    /// A chessman of one field.
    Man {
        /// The middle of its field, to the right.
        x: i32,
        /// The same, downwards.
        y: i32,
        /// What it is.
        kind: ManKind,
        /// Whose it is.
        owner: Player,
    },
}

/// What something is that is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// The wood that fields are cut into.
    Board,
    /// A field, or a light one.
    Light,
    /// A dark field.
    Dark,
    /// An empty place.
    Hole,
    /// A line of the board.
    Line,
    /// Something that is written beside or on it.
    Label,
    /// Something of the player who moves first.
    First,
    /// Something of the other one.
    Second,
    /// Something that is neither's, such as a seed.
    Neutral,
}

/// A kind of chessman.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum ManKind {
    King,
    Queen,
    Rook,
    Bishop,
    Knight,
    Pawn,
}

/// An upright rectangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Area {
    /// Its left side.
    pub x: i32,
    /// Its upper side.
    pub y: i32,
    /// How wide it is.
    pub width: i32,
    /// How high it is.
    pub height: i32,
}

impl Area {
    /// A field of the size one hundred, by its column and row from the upper left.
    #[must_use]
    pub fn field(column: i32, row: i32) -> Self {
        Self { x: 100 * column, y: 100 * row, width: 100, height: 100 }
    }

    /// Its middle.
    #[must_use]
    pub fn middle(self) -> (i32, i32) {
        (self.x + self.width / 2, self.y + self.height / 2)
    }
}

/// A place where a person can point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    /// What people call it: `e4`, `column 3`.
    pub name: String,
    /// Where it is.
    pub area: Area,
}

/// How a move is pointed out on a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pointing {
    /// The places among [`Board::spots`] that are pointed at, one after the other. Moves that point alike are told apart by their
    /// texts.
    pub spots: Vec<usize>,
    /// Where something may be written about the move.
    pub label: (i32, i32),
}

impl Board {
    /// A picture that is text: lines of equal letters.
    #[must_use]
    pub fn of_text(text: &str) -> Self {
        const LETTER: (i32, i32) = (30, 60);
        let lines: Vec<&str> = text.lines().collect();
        let longest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
        let mut board = Self {
            width: (longest as i32 + 2) * LETTER.0,
            height: (lines.len() as i32 + 1) * LETTER.1,
            ..Self::default()
        };
        // One letter is one text, so that columns stay below each other in any type.
        for (row, line) in lines.iter().enumerate() {
            for (column, letter) in line.chars().enumerate().filter(|(_, letter)| !letter.is_whitespace()) {
                board.shapes.push(Shape::Text {
                    x: (column as i32 + 1) * LETTER.0 + LETTER.0 / 2,
                    y: (row as i32 + 1) * LETTER.1,
                    size: LETTER.1 * 3 / 4,
                    text: letter.to_string(),
                    ink: Ink::Label,
                });
            }
        }
        board
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_becomes_a_picture_in_which_letters_keep_their_places() {
        let board = Board::of_text("x .\n. oo");
        assert_eq!((board.width, board.height), (180, 180));
        let at: Vec<_> = board
            .shapes
            .iter()
            .map(|shape| match shape {
                Shape::Text { x, y, text, .. } => (text.as_str(), *x, *y),
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(at, [("x", 45, 60), (".", 105, 60), (".", 45, 120), ("o", 105, 120), ("o", 135, 120)]);
    }
}
