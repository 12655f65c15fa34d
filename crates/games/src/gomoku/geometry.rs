//! Where the cells of a board are in its lines, in four directions.

use super::Gomoku;

/// The most lines of a direction, 39 on the largest board, and one more: cells that are in no line of a direction are in that.
const WIDTH: usize = 40;
/// The places of lines.
pub(super) const LINES: usize = 4 * WIDTH;
const NOWHERE: usize = WIDTH - 1;

/// A line, and a place in it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spot {
    pub(super) line: u8,
    pub(super) place: u8,
}

/// Lines as bits, a word for each direction.
#[derive(Clone, Copy, Default)]
pub(super) struct LineSet([u64; 4]);

impl LineSet {
    #[inline]
    pub(super) fn contains(self, line: u8) -> bool {
        self.0[usize::from(line) / WIDTH] >> (usize::from(line) % WIDTH) & 1 != 0
    }

    /// Takes four lines in, one a direction.
    #[inline]
    pub(super) fn with(mut self, lines: [u8; 4]) -> Self {
        for (direction, line) in lines.into_iter().enumerate() {
            self.0[direction] |= 1 << (usize::from(line) - direction * WIDTH);
        }
        self
    }

    /// Takes one of four lines in where a word is something, and out where it is nothing.
    #[inline(always)]
    pub(super) fn note(&mut self, lines: [u8; 4], words: [u32; 4]) {
        for direction in 0..4 {
            let line = usize::from(lines[direction]) - direction * WIDTH;
            let set = &mut self.0[direction];
            *set = *set & !(1 << line) | u64::from(words[direction] != 0) << line;
        }
    }

    #[inline]
    pub(super) fn is_empty(self) -> bool {
        self.0[0] | self.0[1] | self.0[2] | self.0[3] == 0
    }

    pub(super) fn iter(self) -> impl Iterator<Item = usize> {
        (0..4).flat_map(move |direction| {
            let mut lines = self.0[direction];
            std::iter::from_fn(move || {
                let line = (lines != 0).then(|| lines.trailing_zeros() as usize)?;
                lines &= lines - 1;
                Some(direction * WIDTH + line)
            })
        })
    }
}

fn nowhere() -> [Spot; 4] {
    [0, 1, 2, 3].map(|direction| Spot { line: (direction * WIDTH + NOWHERE) as u8, place: 0 })
}

/// Where the cells are in lines.
#[derive(Clone, Debug, Default)]
pub(super) struct Geometry {
    pub(super) row: u32,
    pub(super) exact: bool,
    /// The places of every cell, one a direction.
    pub(super) spots: Vec<[Spot; 4]>,
    /// The cells of every line.
    cells: Vec<Vec<u16>>,
    /// The places that every line does not have.
    pub(super) outside: Vec<u32>,
    /// How many lines there are in the direction that has most.
    width: usize,
}

impl Geometry {
    pub(super) fn new<const N: usize>(game: &Gomoku<N>) -> Self {
        let (size, row) = (game.size as i32, game.row);
        let mut geometry = Self {
            row,
            exact: game.exact,
            spots: vec![nowhere(); (game.stride() * game.size) as usize],
            cells: vec![Vec::new(); LINES],
            outside: vec![!0; LINES],
            width: 0,
        };
        let is_inside = |x: i32, y: i32| (0..size).contains(&x) && (0..size).contains(&y);
        for (direction, (dx, dy)) in [(1, 0), (0, 1), (1, 1), (-1, 1)].into_iter().enumerate() {
            let mut line = direction * WIDTH;
            for (x, y) in (0..size).flat_map(|y| (0..size).map(move |x| (x, y))) {
                if is_inside(x - dx, y - dy) {
                    continue;
                }
                let steps = (0..size).map(|step| (x + step * dx, y + step * dy));
                let cells = steps.take_while(|(x, y)| is_inside(*x, *y));
                let cells: Vec<u16> = cells.map(|(x, y)| game.cell(x as u32, y as u32) as u16).collect();
                // Others are too short for a row.
                if cells.len() >= row as usize {
                    for (place, cell) in cells.iter().enumerate() {
                        let spot = Spot { line: line as u8, place: place as u8 };
                        geometry.spots[usize::from(*cell)][direction] = spot;
                    }
                    geometry.outside[line] = !0 << cells.len();
                    geometry.cells[line] = cells;
                    line += 1;
                }
            }
            geometry.width = geometry.width.max(line - direction * WIDTH);
        }
        debug_assert!(geometry.width <= NOWHERE);
        geometry
    }

    /// All lines, four at a time, one a direction; some are none.
    pub(super) fn all(&self) -> impl Iterator<Item = [u8; 4]> + use<> {
        (0..self.width).map(|line| [0, 1, 2, 3].map(|direction| (direction * WIDTH + line) as u8))
    }

    /// A line, and none in other directions.
    pub(super) fn alone(line: usize) -> [u8; 4] {
        let mut lines = nowhere().map(|spot| spot.line);
        lines[line / WIDTH] = line as u8;
        lines
    }

    /// The lines through a cell.
    #[inline]
    pub(super) fn lines_through(&self, cell: u16) -> [u8; 4] {
        self.spots[usize::from(cell)].map(|spot| spot.line)
    }

    /// The cells of places in a line.
    pub(super) fn cells(&self, line: usize, mut places: u32) -> impl Iterator<Item = u16> {
        std::iter::from_fn(move || {
            let place = (places != 0).then(|| places.trailing_zeros())?;
            places &= places - 1;
            Some(self.cells[line][place as usize])
        })
    }
}
