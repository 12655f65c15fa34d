//! Rows of stones, and the cells that complete one, for the whole board at once.
//!
//! The usual height and row length have code of their own, in which every shift and every loop is fixed.

use super::ConnectFour;
use crate::bits::Bits;

/// The shifts between neighbours: upwards, to the right, to the right and down, to the right and up.
pub(super) const fn shifts(height: u32) -> [u32; 4] {
    [1, height + 1, height, height + 2]
}

/// For every cell of a board, with the empty one on top of each column: the more rows go through it, the better it is, and the
/// higher. That it is the same in all positions matters: lines of play then meet again more often.
pub(super) fn order(width: u32, height: u32, row: u32) -> Vec<u16> {
    let (wide, high) = (i64::from(width), i64::from(height));
    let is_inside = |x: i64, y: i64| (0..wide).contains(&x) && (0..high).contains(&y);
    let rows_through = |x: i64, y: i64| {
        let directions = [(0, 1), (1, 0), (1, 1), (1, -1)];
        let last = i64::from(row) - 1;
        let begins = directions.into_iter().flat_map(|(dx, dy)| (0..=last).map(move |back| (dx, dy, back)));
        let ends = |(dx, dy, back): &(i64, i64, i64)| {
            is_inside(x - dx * back, y - dy * back)
                && is_inside(x + dx * (last - back), y + dy * (last - back))
        };
        begins.filter(ends).count()
    };
    let places = (0..wide).flat_map(|x| (0..=high).map(move |y| (x, y)));
    places.map(|(x, y)| (3 * rows_through(x, y)) as u16 + y as u16).collect()
}

impl<B: Bits> ConnectFour<B> {
    /// Whether some stones make a row.
    #[inline]
    pub(super) fn has_row(&self, stones: B) -> bool {
        match (self.usual, self.row) {
            (true, _) => has_row(4, &shifts(6), stones),
            (false, 4) => has_row(4, &self.directions, stones),
            (false, row) => has_row(row, &self.directions, stones),
        }
    }

    /// The cells, among `cells`, that make a row together with some stones.
    #[inline]
    pub(super) fn completing(&self, stones: B, cells: B) -> B {
        let completing = match (self.usual, self.row) {
            (true, _) => completing(4, &shifts(6), stones),
            (false, 4) => completing(4, &self.directions, stones),
            (false, row) => completing(row, &self.directions, stones),
        };
        completing & cells
    }
}

#[inline(always)]
fn has_row<B: Bits>(row: u32, directions: &[u32], stones: B) -> bool {
    directions.iter().fold(B::NONE, |rows, shift| rows | runs(row, *shift, stones)) != B::NONE
}

/// The last cell of a row can be any of it: some of its stones come before the cell, the others after it. In a column it is the
/// highest: there are no empty cells below stones.
#[inline(always)]
fn completing<B: Bits>(row: u32, directions: &[u32], stones: B) -> B {
    let mut cells = B::NONE;
    for shift in directions {
        let most_after = if *shift == 1 { 0 } else { row - 1 };
        for after in 0..=most_after {
            let before = row - 1 - after;
            let mut here = !B::NONE;
            if before > 0 {
                here = runs(before, *shift, stones) << (before * shift);
            }
            if after > 0 {
                here = here & (runs(after, *shift, stones) >> *shift);
            }
            cells = cells | here;
        }
    }
    cells
}

/// The first cells of runs of `length` stones. Each step doubles the length of the runs that are left.
#[inline(always)]
fn runs<B: Bits>(length: u32, shift: u32, stones: B) -> B {
    let (mut runs, mut reached) = (stones, 1);
    while 2 * reached <= length {
        runs = runs & (runs >> (shift * reached));
        reached *= 2;
    }
    if reached < length { runs & (runs >> (shift * (length - reached))) } else { runs }
}
