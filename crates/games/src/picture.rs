//! What the pictures of several games share: fields in columns and rows, and stones.

use quod_model::{Area, Board, Ink, Player, Shape, Spot};

/// The room for what is written on one side of the fields.
const MARGIN: i32 = 40;
/// The height of the letters there.
pub(crate) const LETTERS: i32 = 28;
/// Half of the width of a stone on a field.
pub(crate) const STONE: i32 = 40;

/// Fields in columns and rows, both counted from the lower left, with a margin below.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fields {
    columns: u32,
    rows: u32,
    /// The width of the margin on the left.
    left: i32,
}

impl Fields {
    /// Fields with names such as `a1`.
    pub(crate) const fn lettered(columns: u32, rows: u32) -> Self {
        Self { columns, rows, left: MARGIN }
    }

    /// Fields that need no names of rows.
    pub(crate) fn unlettered(columns: u32, rows: u32) -> Self {
        Self { columns, rows, left: 0 }
    }

    pub(crate) fn area(&self, column: u32, row: u32) -> Area {
        let field = Area::field(column as i32, self.rows as i32 - 1 - row as i32);
        Area { x: field.x + self.left, ..field }
    }

    /// The whole of a column.
    pub(crate) fn column(&self, column: u32) -> Area {
        Area { y: 0, height: 100 * self.rows as i32, ..self.area(column, 0) }
    }

    /// All fields together.
    pub(crate) fn all(&self) -> Area {
        Area { width: 100 * self.columns as i32, ..self.column(0) }
    }

    /// Columns and rows of all fields, along the rows from the lowest.
    pub(crate) fn places(&self) -> impl Iterator<Item = (u32, u32)> + use<> {
        let Self { columns, rows, .. } = *self;
        (0..rows).flat_map(move |row| (0..columns).map(move |column| (column, row)))
    }

    /// A board on which nothing is drawn yet.
    pub(crate) fn board(&self) -> Board {
        let all = self.all();
        Board { width: all.x + all.width, height: all.height + MARGIN, ..Board::default() }
    }

    /// Every field is a spot, in the order of [`Fields::places`].
    pub(crate) fn spots(&self) -> Vec<Spot> {
        let spot = |(column, row)| Spot { name: name(column, row), area: self.area(column, row) };
        self.places().map(spot).collect()
    }

    /// The lines between the fields.
    pub(crate) fn lines(&self) -> impl Iterator<Item = Shape> + use<> {
        let Area { x, width, height, .. } = self.all();
        let line = |from, to| Shape::Line { from, to, ink: Ink::Line };
        let upright = (1..self.columns as i32).map(move |at| line((x + 100 * at, 0), (x + 100 * at, height)));
        let level = (1..self.rows as i32).map(move |at| line((x, 100 * at), (x + width, 100 * at)));
        upright.chain(level)
    }

    /// What is written below a column.
    pub(crate) fn below(&self, column: u32, written: String) -> Shape {
        let (x, _) = self.area(column, 0).middle();
        text((x, self.all().height + MARGIN / 2), LETTERS, written)
    }

    /// The letters of the columns and the numbers of the rows.
    pub(crate) fn coordinates(&self) -> impl Iterator<Item = Shape> + use<> {
        let fields = *self;
        let letters = (0..self.columns).map(move |column| fields.below(column, letter(column).to_string()));
        let numbers = (0..self.rows).map(move |row| {
            let (_, y) = fields.area(0, row).middle();
            text((MARGIN / 2, y), LETTERS, (row + 1).to_string())
        });
        letters.chain(numbers)
    }
}

fn letter(column: u32) -> char {
    char::from(b'a' + column as u8)
}

/// The name of a field.
fn name(column: u32, row: u32) -> String {
    format!("{}{}", letter(column), row + 1)
}

/// What belongs to a player.
pub(crate) fn ink(player: Player) -> Ink {
    match player {
        Player::First => Ink::First,
        Player::Second => Ink::Second,
    }
}

pub(crate) fn circle((x, y): (i32, i32), radius: i32, ink: Ink) -> Shape {
    Shape::Circle { x, y, radius, ink }
}

/// Something written.
pub(crate) fn text((x, y): (i32, i32), size: i32, text: String) -> Shape {
    Shape::Text { x, y, size, text, ink: Ink::Label }
}

/// A stone. Those of Second have a hole, so that nobody needs to tell colours apart.
pub(crate) fn stone(middle: (i32, i32), radius: i32, owner: Player) -> impl Iterator<Item = Shape> {
    let hole = (owner == Player::Second).then(|| circle(middle, radius * 45 / 100, Ink::Board));
    std::iter::once(circle(middle, radius, ink(owner))).chain(hole)
}

/// The circles of an ink, by their middles.
#[cfg(test)]
pub(crate) fn circles(board: &Board, wanted: Ink) -> Vec<(i32, i32)> {
    let middle = |shape: &Shape| match shape {
        Shape::Circle { x, y, ink, .. } if *ink == wanted => Some((*x, *y)),
        _ => None,
    };
    board.shapes.iter().filter_map(middle).collect()
}

/// Where something is written.
#[cfg(test)]
pub(crate) fn written(board: &Board, wanted: &str) -> Vec<(i32, i32)> {
    let middle = |shape: &Shape| match shape {
        Shape::Text { x, y, text, .. } if text == wanted => Some((*x, *y)),
        _ => None,
    };
    board.shapes.iter().filter_map(middle).collect()
}

/// The names of the spots that a move points at, and where its label is.
#[cfg(test)]
pub(crate) fn pointed<G: quod_model::Notation>(
    game: &G,
    position: &G::Position,
    mv: &str,
) -> (String, (i32, i32)) {
    let board = game.board(position);
    let mv = game.parse_move(position, mv).unwrap();
    let pointing = game.pointing(position, mv).unwrap();
    let names: Vec<&str> = pointing.spots.iter().map(|spot| board.spots[*spot].name.as_str()).collect();
    (names.join(" "), pointing.label)
}
