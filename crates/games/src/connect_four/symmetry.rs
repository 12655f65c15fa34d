//! The left-right mirror image.

use quod_model::Symmetry;

use super::{ConnectFour, Position};
use crate::bits::Bits;

/// Of the two, the position with the smaller key. Which one that is depends on the position in no way that a processor
/// could foresee, so both are made and one is taken by masks, without a branch.
impl<B: Bits> Symmetry for ConnectFour<B> {
    #[inline]
    fn canonical(&self, position: &Position<B>) -> Position<B> {
        // The usual board has code of its own, in which every shift is fixed.
        if (self.width, self.height) == (7, 6) {
            self.smaller(position, |board| mirrored(7, 6, board))
        } else {
            self.smaller(position, |board| mirrored(self.width, self.height, board))
        }
    }
}

impl<B: Bits> ConnectFour<B> {
    #[inline(always)]
    fn smaller(&self, position: &Position<B>, mirrored: impl Fn(B) -> B) -> Position<B> {
        let (mover, all) = (mirrored(position.mover), mirrored(position.all));
        let image = Position { mover, all, stones: position.stones };
        let unlike = if self.code(&image) < self.code(position) { !B::NONE } else { B::NONE };
        Position {
            mover: position.mover ^ ((position.mover ^ mover) & unlike),
            all: position.all ^ ((position.all ^ all) & unlike),
            stones: position.stones,
        }
    }
}

/// Swaps the columns in pairs, by the bits in which they differ.
#[inline(always)]
fn mirrored<B: Bits>(width: u32, height: u32, mut board: B) -> B {
    let column = !B::NONE >> (B::WIDTH - height);
    for number in 0..width / 2 {
        let left = column << (number * (height + 1));
        let distance = (width - 1 - 2 * number) * (height + 1);
        let unlike = (board ^ (board >> distance)) & left;
        board = board ^ unlike ^ (unlike << distance);
    }
    board
}
