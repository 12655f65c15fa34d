//! Connect Four on a board of any width, height and row length, as bitboards.
//!
//! A column is `height + 1` bits from the bottom up; the extra bit stays empty, so that shifted rows do
//! not run from one column into the next.

mod decide;
mod foresight;
mod guess;
mod notation;
mod picture;
mod rows;
mod symmetry;
#[cfg(test)]
mod tests;

use quod_model::{
    Abilities, Bounds, Description, Family, Game, InputError, Parameters, Player, Receiver, Repetition, Value,
};

use crate::bits::Bits;
use crate::grid;

/// The rules for one board.
#[derive(Clone, Debug)]
pub struct ConnectFour<B> {
    width: u32,
    height: u32,
    row: u32,
    /// Whether the value counts how early the win comes.
    score: bool,
    /// The lowest cell of every column.
    bottom: B,
    /// The highest cell of every column.
    top: B,
    /// All cells.
    board: B,
    /// The lowest row and every second one above it.
    even_rows: B,
    /// The shifts between neighbours in the directions in which a row fits on the board.
    directions: Vec<u32>,
    /// For every cell, how good it is to have when nothing else tells.
    order: Vec<u16>,
    /// And its column.
    columns: Vec<u8>,
    /// Whether four make a row, in all directions, in columns of six: what is worth code of its own.
    usual: bool,
}

/// Stones of the player to move, stones of both, and how many there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position<B> {
    mover: B,
    all: B,
    stones: u8,
}

impl<B: Bits> ConnectFour<B> {
    /// A board of `width` columns and `height` rows, on which `row` stones in a row win.
    /// Nothing if it does not fit into the bitboard or has no cell.
    #[must_use]
    pub fn new(width: u32, height: u32, row: u32) -> Option<Self> {
        let cells = width.checked_mul(height.checked_add(1)?)?;
        if width == 0 || height == 0 || row == 0 || cells > B::WIDTH {
            return None;
        }
        let bottom = (0..width).fold(B::NONE, |set, column| set | B::ONE << (column * (height + 1)));
        let fits = [row <= height, row <= width, row <= height.min(width), row <= height.min(width)];
        let directions: Vec<u32> = rows::shifts(height)
            .into_iter()
            .zip(fits)
            .filter_map(|(shift, fits)| fits.then_some(shift))
            .collect();
        let order = rows::order(width, height, row);
        let every = |step| (0..height).step_by(step).fold(B::NONE, |set, row| set | bottom << row);
        Some(Self {
            width,
            height,
            row,
            score: false,
            bottom,
            top: bottom << (height - 1),
            board: every(1),
            even_rows: every(2),
            usual: row == 4 && directions == rows::shifts(6),
            directions,
            order,
            columns: (0..width).flat_map(|column| (0..=height).map(move |_| column as u8)).collect(),
        })
    }

    /// The same board with a value that counts how early the win comes: the cells that would be left to
    /// the winner, plus one.
    #[must_use]
    pub fn with_score(mut self) -> Self {
        self.score = true;
        self
    }

    fn cells(&self) -> u32 {
        self.width * self.height
    }

    fn cell(&self, column: u32, row: u32) -> B {
        B::ONE << (column * (self.height + 1) + row)
    }

    /// The value for First when `winner` makes a row with the last of `stones` stones.
    fn win(&self, winner: Player, stones: u32) -> Value {
        let size = if self.score { (self.cells() + 2).saturating_sub(stones) / 2 } else { 1 };
        let size = i32::try_from(size).expect("a board has few cells");
        Value(if winner == Player::First { size } else { -size })
    }

    fn is_playable(&self, position: &Position<B>, column: u32) -> bool {
        position.all & self.cell(column, self.height - 1) == B::NONE
    }

    /// The stones of the player to move below a bit that marks the height of each column: an exact code.
    #[inline]
    fn code(&self, position: &Position<B>) -> B {
        (position.all + self.bottom) | position.mover
    }

    fn owner(&self, position: &Position<B>, column: u32, row: u32) -> grid::Cell {
        let cell = self.cell(column, row);
        let mover = self.to_move(position);
        if position.all & cell == B::NONE {
            None
        } else if position.mover & cell == B::NONE {
            Some(mover.other())
        } else {
            Some(mover)
        }
    }
}

impl<B: Bits> Game for ConnectFour<B> {
    type Position = Position<B>;
    /// A column, from 0 on the left.
    type Move = u8;

    fn start(&self) -> Position<B> {
        Position { mover: B::NONE, all: B::NONE, stones: 0 }
    }

    #[inline]
    fn to_move(&self, position: &Position<B>) -> Player {
        if position.stones.is_multiple_of(2) { Player::First } else { Player::Second }
    }

    #[inline]
    fn outcome(&self, position: &Position<B>) -> Option<Value> {
        if self.has_row(position.all ^ position.mover) {
            Some(self.win(self.to_move(position).other(), u32::from(position.stones)))
        } else if u32::from(position.stones) == self.cells() {
            Some(Value::DRAW)
        } else {
            None
        }
    }

    /// Columns from left to right.
    #[inline]
    fn moves(&self, position: &Position<B>, moves: &mut Vec<u8>) {
        for column in 0..self.width {
            if self.is_playable(position, column) {
                moves.push(column as u8);
            }
        }
    }

    #[inline]
    fn after(&self, position: &Position<B>, column: u8) -> Position<B> {
        let all = position.all | (position.all + self.cell(u32::from(column), 0));
        Position { mover: position.all ^ position.mover, all, stones: position.stones + 1 }
    }

    #[inline]
    fn key(&self, position: &Position<B>) -> u128 {
        self.code(position).into()
    }

    fn values(&self) -> (Value, Value) {
        let least = self.row.min(self.cells());
        (self.win(Player::Second, 2 * least), self.win(Player::First, 2 * least - 1))
    }

    fn repetition(&self) -> Repetition<Self> {
        Repetition::Impossible
    }

    #[inline]
    fn mobility(&self, position: &Position<B>) -> u32 {
        (self.top & !position.all).count()
    }

    fn abilities(&self) -> Abilities<Self> {
        let abilities = Abilities::none().symmetry().decide_quickly().guess().foresight();
        if self.score { abilities.bounds() } else { abilities }
    }
}

/// With scores: a win can come with the next stone at the earliest.
impl<B: Bits> Bounds for ConnectFour<B> {
    fn bounds(&self, position: &Position<B>) -> (Value, Value) {
        if let Some(value) = self.outcome(position) {
            return (value, value);
        }
        let (mover, stones) = (self.to_move(position), u32::from(position.stones));
        let (best, worst) = (self.win(mover, stones + 1), self.win(mover.other(), stones + 2));
        (best.min(worst), best.max(worst))
    }
}

/// The family `connect4`.
pub struct Named;

impl Family for Named {
    fn description(&self) -> Description {
        Description {
            name: "connect4",
            summary: "Connect Four: drop stones into columns, four in a row win",
            parameters: "[WIDTHxHEIGHT][,row=N][,score]  (7x6, row=4; score: earlier wins count more)",
            moves: "columns from 1 on the left: 4453 or \"4 4 5 3\"",
            position: "rows from the top, x First, o Second: \"..../..../.x../.ox.\" (4x4)",
            example: "connect4:5x4 --moves 3342",
        }
    }

    fn open<R: Receiver>(
        &self,
        mut parameters: Parameters<'_>,
        receiver: R,
    ) -> Result<R::Output, InputError> {
        let size = parameters.first().unwrap_or("7x6");
        let row = parameters.number("row", 1..=64)?.unwrap_or(4);
        let score = parameters.flag("score");
        let numbers = size
            .split_once('x')
            .and_then(|(width, height)| Some((width.parse::<u32>().ok()?, height.parse::<u32>().ok()?)));
        let Some((width, height)) = numbers else {
            return Err(parameters
                .error(format!("\"{size}\" is not a board size"))
                .hint("columns x rows, such as connect4:7x6"));
        };
        let too_big = || {
            parameters
                .error(format!("a board of {width}x{height} is not possible"))
                .hint("at least 1x1, and width x (height + 1) may be 128 at the most, such as 11x10")
        };
        if let Some(game) = ConnectFour::<u64>::new(width, height, row) {
            parameters.finish("WIDTHxHEIGHT, row=N, score")?;
            return Ok(receiver.receive(if score { game.with_score() } else { game }));
        }
        let game = ConnectFour::<u128>::new(width, height, row).ok_or_else(too_big)?;
        parameters.finish("WIDTHxHEIGHT, row=N, score")?;
        Ok(receiver.receive(if score { game.with_score() } else { game }))
    }
}
