//! Rows of stones, and the cells that complete one, for the whole board at once.
//!
//! The usual height and row length have code of their own, in which every shift and every loop is fixed.

use super::ConnectFour;
use crate::bits::Bits;

/// The shifts between neighbours: upwards, to the right, to the right and down, to the right and up.
pub(super) const fn shifts(height: u32) -> [u32; 4] {
    [1, height + 1, height, height + 2]
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

/// The last cell of a row can be any of it: some of its stones come before the cell, the others after it.
#[inline(always)]
fn completing<B: Bits>(row: u32, directions: &[u32], stones: B) -> B {
    let mut cells = B::NONE;
    for shift in directions {
        for before in 0..row {
            let after = row - 1 - before;
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
