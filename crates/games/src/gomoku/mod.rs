//! Go-Moku on a square board: stones go on any empty cell, five in a row win.

mod cells;
mod geometry;
mod lines;
mod notation;
mod picture;
mod prospects;
mod symmetry;
#[cfg(test)]
mod tests;
mod threats;
mod windows;

use quod_model::{
    Abilities, Description, Family, Game, InputError, Parameters, Player, Receiver, Repetition, Value,
};

pub use cells::Cells;
pub use prospects::{Tally, logarithm};

use crate::grid;

/// The sizes that a board can have, and the lengths of a row.
const SIZES: std::ops::RangeInclusive<u32> = 3..=20;
const ROWS: std::ops::RangeInclusive<u32> = 3..=6;
/// The largest board of the narrow sets.
const NARROW: u32 = 15;

/// The rules for one board, whose cells fit into `N` words: four up to the size 15, seven up to 20.
#[derive(Clone, Debug)]
pub struct Gomoku<const N: usize> {
    size: u32,
    row: u32,
    /// Whether longer rows are worth nothing.
    exact: bool,
    /// All cells.
    board: Cells<N>,
    /// For every cell, where the eight symmetries of the square put it.
    images: Vec<[u16; 8]>,
    /// Where the cells are in lines.
    geometry: geometry::Geometry,
}

/// Stones of the player to move and of the other one. Puzzles may have any numbers of them, so they do not say whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position<const N: usize> {
    pub(super) mover: Cells<N>,
    pub(super) other: Cells<N>,
    pub(super) to_move: Player,
}

impl<const N: usize> Position<N> {
    pub(super) fn of(&self, player: Player) -> Cells<N> {
        if player == self.to_move { self.mover } else { self.other }
    }
}

impl<const N: usize> Gomoku<N> {
    /// A board of `size` columns and rows, on which `row` or more stones in a row win.
    /// Nothing if it has fewer than three columns or does not fit, or the row is not one of three to six.
    #[must_use]
    pub fn new(size: u32, row: u32) -> Option<Self> {
        if !SIZES.contains(&size) || !ROWS.contains(&row) || size * (size + 1) > Cells::<N>::ROOM {
            return None;
        }
        let cells = (0..size).flat_map(|y| (0..size).map(move |x| y * (size + 1) + x));
        let board = cells.fold(Cells::NONE, Cells::with);
        let (images, geometry) = (symmetry::images(size), geometry::Geometry::default());
        let game = Self { size, row, exact: false, board, images, geometry };
        Some(Self { geometry: geometry::Geometry::new(&game), ..game })
    }

    /// The same board, on which only rows of exactly the right length win.
    #[must_use]
    pub fn with_exact_rows(mut self) -> Self {
        self.exact = true;
        Self { geometry: geometry::Geometry::new(&self), ..self }
    }

    #[inline]
    fn stride(&self) -> u32 {
        self.size + 1
    }

    /// The differences of the numbers of neighbours: to the right, upwards, to the right and up, to the left and up.
    #[inline]
    pub(super) fn strides(&self) -> [u32; 4] {
        [1, self.stride(), self.stride() + 1, self.stride() - 1]
    }

    fn cell(&self, column: u32, row: u32) -> u32 {
        row * self.stride() + column
    }

    /// Column and row of a cell.
    fn place(&self, cell: u32) -> (u32, u32) {
        (cell % self.stride(), cell / self.stride())
    }

    fn owner(&self, position: &Position<N>, column: u32, row: u32) -> grid::Cell {
        let cell = self.cell(column, row);
        let owner = |player: &Player| position.of(*player).contains(cell);
        [Player::First, Player::Second].into_iter().find(owner)
    }

    /// The cells without a stone.
    #[inline]
    pub(super) fn empty(&self, position: &Position<N>) -> Cells<N> {
        self.board & !(position.mover | position.other)
    }

    /// Whether some stones make a row that wins. The usual length has code of its own, in which no loop is left; fixed
    /// strides were not measurably faster.
    #[inline]
    pub(super) fn has_row(&self, stones: Cells<N>) -> bool {
        match self.row {
            5 => has_row(5, self.exact, self.strides(), stones),
            row => has_row(row, self.exact, self.strides(), stones),
        }
    }
}

impl<const N: usize> Gomoku<N> {
    /// The cells of windows of a row's length in which some stones lack two at the most, all others being free; of those that matter, more than there are where rows must be exact.
    fn fours(&self, stones: Cells<N>, free: Cells<N>) -> Cells<N> {
        let (row, mut cells) = (self.row, Cells::NONE);
        for stride in self.strides() {
            // Windows by how many of their cells are stones, from all down to all but two, known by their first cell.
            let mut lacking = [!Cells::NONE, Cells::NONE, Cells::NONE];
            for step in 0..row {
                let (stone, gap) = (stones.down(step * stride), free.down(step * stride));
                let [none, one, two] = lacking;
                lacking = [none & stone, one & stone | none & gap, two & stone | one & gap];
            }
            let windows = lacking[0] | lacking[1] | lacking[2];
            cells = (0..row).fold(cells, |cells, step| cells | windows.up(step * stride));
        }
        cells & free
    }

    /// The cells where a player completes a row.
    #[inline]
    pub(super) fn winning_cells(&self, position: &Position<N>, player: Player) -> Cells<N> {
        let stones = position.of(player);
        let cells = match self.row {
            5 => completing_five(self.strides(), stones),
            row => completing(row, self.strides(), stones),
        } & self.empty(position);
        if !self.exact {
            return cells;
        }
        // A longer row is none.
        let wins = cells.iter().filter(|cell| self.has_row(stones.with(*cell)));
        wins.fold(Cells::NONE, Cells::with)
    }
}

/// [`completing`] for the usual length, which looks only where stones stand beside each other: some of four that lack a fifth always do. A certificate
/// is checked in half the time.
#[inline(always)]
fn completing_five<const N: usize>(strides: [u32; 4], stones: Cells<N>) -> Cells<N> {
    let mut cells = Cells::NONE;
    for stride in strides {
        let twos = stones & stones.down(stride);
        if twos.is_empty() {
            continue;
        }
        let (threes, split) = (twos & twos.down(stride), twos & twos.down(3 * stride));
        cells = cells | split.up(2 * stride);
        if threes.is_empty() {
            continue;
        }
        let fours = threes & threes.down(stride);
        let (before, behind) = (stones & threes.down(2 * stride), threes & stones.down(4 * stride));
        cells = cells | fours.down(stride) | fours.up(4 * stride) | before.up(stride) | behind.up(3 * stride);
    }
    cells
}

/// The cells that make runs of `row` together with some stones, and others that have stones already.
#[inline(always)]
fn completing<const N: usize>(row: u32, strides: [u32; 4], stones: Cells<N>) -> Cells<N> {
    let mut cells = Cells::NONE;
    for stride in strides {
        // The first cells of runs, by their lengths; of none, all.
        let mut runs = [!Cells::NONE; 6];
        for length in 1..row {
            runs[length as usize] = runs[length as usize - 1] & stones.down(stride * (length - 1));
        }
        for after in 0..row {
            let before = row - 1 - after;
            let ahead = runs[after as usize].down(stride);
            let behind = runs[before as usize].up(stride * before);
            cells = cells
                | if after == 0 {
                    behind
                } else if before == 0 {
                    ahead
                } else {
                    ahead & behind
                };
        }
    }
    cells
}

#[inline(always)]
fn has_row<const N: usize>(row: u32, exact: bool, strides: [u32; 4], stones: Cells<N>) -> bool {
    let [right, up, right_up, left_up] = strides;
    let rows = rows(row, exact, right, stones)
        | rows(row, exact, up, stones)
        | rows(row, exact, right_up, stones)
        | rows(row, exact, left_up, stones);
    !rows.is_empty()
}

/// The first cells of rows that win, in one direction.
#[inline(always)]
fn rows<const N: usize>(row: u32, exact: bool, stride: u32, stones: Cells<N>) -> Cells<N> {
    let begins = runs(row, stride, stones);
    // A longer row begins at several cells beside each other.
    if exact { begins & !(begins.up(stride) | begins.down(stride)) } else { begins }
}

/// The first cells of runs of `length` stones. Each step doubles the length of the runs that are left.
#[inline(always)]
fn runs<const N: usize>(length: u32, stride: u32, stones: Cells<N>) -> Cells<N> {
    let (mut runs, mut reached) = (stones, 1);
    while 2 * reached <= length {
        runs = runs & runs.down(stride * reached);
        reached *= 2;
    }
    if reached < length { runs & runs.down(stride * (length - reached)) } else { runs }
}

impl<const N: usize> Game for Gomoku<N> {
    type Position = Position<N>;
    /// The number of a cell, see [`Cells`].
    type Move = u16;

    fn start(&self) -> Position<N> {
        Position { mover: Cells::NONE, other: Cells::NONE, to_move: Player::First }
    }

    #[inline]
    fn to_move(&self, position: &Position<N>) -> Player {
        position.to_move
    }

    /// Only the side that moved last can have a row.
    #[inline]
    fn outcome(&self, position: &Position<N>) -> Option<Value> {
        if self.has_row(position.other) {
            Some(match position.to_move {
                Player::First => Value::SECOND_WINS,
                Player::Second => Value::FIRST_WINS,
            })
        } else {
            self.empty(position).is_empty().then_some(Value::DRAW)
        }
    }

    /// Cells from a1 along the rows, the lowest row first.
    #[inline]
    fn moves(&self, position: &Position<N>, moves: &mut Vec<u16>) {
        moves.extend(self.empty(position).iter().map(|cell| cell as u16));
    }

    #[inline]
    fn after(&self, position: &Position<N>, cell: u16) -> Position<N> {
        Position {
            mover: position.other,
            other: position.mover.with(u32::from(cell)),
            to_move: position.to_move.other(),
        }
    }

    #[inline]
    fn key(&self, position: &Position<N>) -> u128 {
        let [high, low] = SECRETS.map(|secrets| half_key(&secrets, position));
        u128::from(high) << 64 | u128::from(low)
    }

    fn values(&self) -> (Value, Value) {
        (Value::SECOND_WINS, Value::FIRST_WINS)
    }

    fn repetition(&self) -> Repetition<Self> {
        Repetition::Impossible
    }

    #[inline]
    fn mobility(&self, position: &Position<N>) -> u32 {
        self.empty(position).count()
    }

    #[inline]
    fn winning_move(&self, position: &Position<N>) -> Option<u16> {
        self.winning_cells(position, position.to_move).lowest().map(|cell| cell as u16)
    }

    fn unpunished(&self, position: &Position<N>, moves: &mut Vec<u16>) {
        let threatened = self.winning_cells(position, position.to_move.other());
        if threatened.is_empty() {
            return self.moves(position, moves);
        }
        // A stone more can stand in the way of one, or win first.
        let own = self.winning_cells(position, position.to_move);
        let cells = if threatened.is_many() { own } else { own | threatened };
        moves.extend(cells.iter().map(|cell| cell as u16));
    }

    /// Nearly every move changes nothing of a threat that wins in two ways. Those that may are looked at one by one.
    fn withstand(&self, position: &Position<N>, threat: u16, moves: &mut Vec<u16>) {
        let free = self.empty(position);
        let threatened = Position { other: position.other.with(threat.into()), ..*position };
        let wins = self.winning_cells(&threatened, position.to_move.other());
        if !free.contains(threat.into()) || !wins.is_many() || self.has_row(threatened.other) {
            // One cell can be taken.
            return;
        }
        if !self.winning_cells(position, position.to_move).is_empty() {
            // He wins unless he spoils it himself.
            return moves.retain(|mv| !self.falls_to(position, *mv, threat));
        }
        // He takes one of two cells, or the threat's own, or makes a four.
        let two = if wins.count() == 2 { wins } else { Cells::NONE };
        let open = two | self.fours(position.mover, free) | Cells::one(threat.into());
        moves.retain(|mv| open.contains(u32::from(*mv)) && !self.falls_to(position, *mv, threat));
    }

    fn abilities(&self) -> Abilities<Self> {
        let abilities = Abilities::none().symmetry().wins_by_own_move().guess();
        if self.row <= self.size { abilities.threats() } else { abilities }
    }
}

/// What the two halves of a key are mixed with: the side to move, the end, and the seven words of the largest board.
const SECRETS: [[u64; 10]; 2] = secrets();

/// Numbers of the generator SplitMix64, made odd.
const fn secrets() -> [[u64; 10]; 2] {
    let (mut secrets, mut state, mut number) = ([[0; 10]; 2], 0_u64, 0);
    while number < 20 {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        secrets[number / 10][number % 10] = (mixed ^ (mixed >> 31)) | 1;
        number += 1;
    }
    secrets
}

/// A hash of 64 bits: the words of both sets go into a product one after the other.
#[inline]
fn half_key<const N: usize>(secrets: &[u64; 10], position: &Position<N>) -> u64 {
    let [first, second, end, words @ ..] = secrets;
    let mut mixed = if position.to_move == Player::First { *first } else { *second };
    for ((mover, other), word) in position.mover.0.iter().zip(position.other.0).zip(words) {
        mixed = folded(mover ^ word, other ^ mixed);
    }
    folded(mixed, *end)
}

/// Both halves of a product in one.
#[inline]
fn folded(one: u64, other: u64) -> u64 {
    let product = u128::from(one) * u128::from(other);
    product as u64 ^ (product >> 64) as u64
}

/// The family `gomoku`.
pub struct Named;

impl Family for Named {
    fn description(&self) -> Description {
        Description {
            name: "gomoku",
            summary: "Go-Moku: stones on any cell, five in a row win",
            parameters: "[SIZE][,row=N][,exact]  (15, row=5; exact: longer rows are worth nothing)",
            moves: "cells from a1 at the bottom left: h8h9i9 or \"h8 h9 i9\"",
            position: "rows from the top, x First, o Second: \"..../.x../..o./....\" (4); \" x\" or \" o\" behind it tells who is \
                       to move, where the numbers of stones do not; or x,y,who as in the command BOARD of Gomocup",
            example: "gomoku:6,row=4",
        }
    }

    fn open<R: Receiver>(
        &self,
        mut parameters: Parameters<'_>,
        receiver: R,
    ) -> Result<R::Output, InputError> {
        let word = parameters.first().unwrap_or("15");
        let row = parameters.number("row", ROWS)?.unwrap_or(5);
        let exact = parameters.flag("exact");
        let Some(size) = word.parse().ok().filter(|size| SIZES.contains(size)) else {
            return Err(parameters
                .error(format!("\"{word}\" is not a board size"))
                .hint("the number of columns and of rows, from 3 to 20, such as gomoku:15"));
        };
        parameters.finish("SIZE, row=N, exact")?;
        if size <= NARROW {
            Ok(receiver.receive(rules::<4>(size, row, exact)))
        } else {
            Ok(receiver.receive(rules::<7>(size, row, exact)))
        }
    }
}

fn rules<const N: usize>(size: u32, row: u32, exact: bool) -> Gomoku<N> {
    let game = Gomoku::new(size, row).expect("the parameters are in range and the words wide enough");
    if exact { game.with_exact_rows() } else { game }
}
