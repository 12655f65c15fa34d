//! The lines of a box: where they are, and whether stones fill one.

/// A direction of lines.
#[derive(Clone, Copy, Debug)]
pub(super) struct Direction {
    /// From the index of a cell to that of the next.
    stride: u32,
    /// The cells at which lines begin, so that none runs out of one side and in at another.
    starts: u64,
}

/// The lines of a box.
#[derive(Clone, Debug)]
pub(super) struct Lines {
    /// The cells of each line, ascending.
    pub(super) cells: Vec<u64>,
    /// The lines through each cell.
    pub(super) through: [u128; 64],
    /// All cells of the box.
    pub(super) board: u64,
    /// All lines.
    pub(super) all: u128,
    /// How many cells a line has.
    pub(super) row: u32,
    /// Whether two lines have more than one cell in common: on a straight that is longer than a line.
    pub(super) overlap: bool,
    /// The directions in which there are lines.
    directions: Vec<Direction>,
}

/// The steps of x, y and z along a line, one of every two opposite ones: the one that ascends by index.
const STEPS: [[i32; 3]; 13] = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
    [1, 1, 0],
    [-1, 1, 0],
    [1, 0, 1],
    [-1, 0, 1],
    [0, 1, 1],
    [0, -1, 1],
    [1, 1, 1],
    [-1, 1, 1],
    [1, -1, 1],
    [-1, -1, 1],
];

/// The usual board, where every shift is fixed.
const USUAL: [Direction; 13] = directions([4; 3], 4);

/// The coordinates of a cell.
pub(super) const fn place(cell: u8) -> [u8; 3] {
    [cell & 3, cell >> 2 & 3, cell >> 4]
}

/// The index of a cell.
pub(super) const fn index([x, y, z]: [u8; 3]) -> u8 {
    x + 4 * y + 16 * z
}

const fn directions(sides: [u8; 3], row: u8) -> [Direction; 13] {
    let mut all = [Direction { stride: 0, starts: 0 }; 13];
    let mut number = 0;
    while number < 13 {
        let [x, y, z] = STEPS[number];
        all[number].stride = (x + 4 * y + 16 * z) as u32;
        let mut cell = 0;
        while cell < 64 {
            if fits(sides, row, cell, STEPS[number]) {
                all[number].starts |= 1 << cell;
            }
            cell += 1;
        }
        number += 1;
    }
    all
}

/// Whether both ends of a line from a cell are in the box.
const fn fits(sides: [u8; 3], row: u8, cell: u8, step: [i32; 3]) -> bool {
    let place = place(cell);
    let mut axis = 0;
    while axis < 3 {
        let last = place[axis] as i32 + (row as i32 - 1) * step[axis];
        if place[axis] >= sides[axis] || last < 0 || last >= sides[axis] as i32 {
            return false;
        }
        axis += 1;
    }
    true
}

/// The set of cells as numbers, ascending.
pub(super) fn each(mut cells: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let cell = (cells != 0).then(|| cells.trailing_zeros() as u8)?;
        cells &= cells - 1;
        Some(cell)
    })
}

impl Lines {
    /// The lines of `row` cells in a box with these sides, all from 1 to 4. The number of lines that there are if
    /// those are more than 128.
    pub(super) fn new(sides: [u8; 3], row: u8) -> Result<Self, usize> {
        let directions = directions(sides, row).into_iter().filter(|direction| direction.starts != 0);
        let directions: Vec<Direction> = directions.collect();
        let from = |start: u8, stride: u32| {
            (0..row).fold(0, |line, step| line | 1u64 << (u32::from(start) + u32::from(step) * stride))
        };
        let lines = directions
            .iter()
            .flat_map(|direction| each(direction.starts).map(move |start| from(start, direction.stride)));
        let mut cells: Vec<u64> = lines.collect();
        cells.sort_unstable();
        // One cell alone is a line in every direction.
        cells.dedup();
        if cells.len() > 128 {
            return Err(cells.len());
        }
        let mut through = [0; 64];
        for (number, line) in cells.iter().enumerate() {
            each(*line).for_each(|cell| through[usize::from(cell)] |= 1 << number);
        }
        let board = (0..64).filter(|cell| fits(sides, 1, *cell, [0; 3])).fold(0, |all, cell| all | 1 << cell);
        let all = through.iter().fold(0, |all, lines| all | lines);
        let common = |(number, line): (usize, &u64)| {
            cells[..number].iter().any(|other| (line & other).count_ones() > 1)
        };
        let overlap = cells.iter().enumerate().any(common);
        Ok(Self { cells, through, board, all, row: row.into(), overlap, directions })
    }

    /// Whether stones fill a line of `row` cells.
    #[inline]
    pub(super) fn has_row(&self, stones: u64, row: u8) -> bool {
        self.directions.iter().any(|Direction { stride, starts }| {
            (1..u32::from(row)).fold(stones & starts, |begun, step| begun & stones >> (step * stride)) != 0
        })
    }
}

/// Whether stones fill a line of the usual board.
#[inline]
pub(super) fn has_usual_row(stones: u64) -> bool {
    let found = USUAL.iter().fold(0, |found, Direction { stride, starts }| {
        let two = stones & stones >> stride;
        found | two & two >> (2 * stride) & starts
    });
    found != 0
}
