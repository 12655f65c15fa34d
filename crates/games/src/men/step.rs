//! A move from a square to a square.

use std::fmt;

use cozy_chess::{Piece, Square};

/// A move: from where, to where, and what a pawn becomes. The king goes two squares when it castles.
///
/// Ordered as Breuker et al. (1994), section 3.3.2, order them: by squares from h8 down to a1, first the one that the move
/// leaves, then the one that it reaches; queen, rook, bishop, knight; king, where the rules know that.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Step(u16);

/// What a pawn can become, in the order of moves.
const PROMOTIONS: [Piece; 5] = [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight, Piece::King];

impl Step {
    /// A move.
    #[inline]
    #[must_use]
    pub fn new(from: Square, to: Square, promotion: Option<Piece>) -> Self {
        let promoted = match promotion {
            None => 0,
            Some(Piece::Queen) => 1,
            Some(Piece::Rook) => 2,
            Some(Piece::Bishop) => 3,
            Some(Piece::Knight) => 4,
            Some(_) => 5,
        };
        Self((63 - from as u16) << 9 | (63 - to as u16) << 3 | promoted)
    }

    /// The square that it leaves.
    #[inline]
    #[must_use]
    pub fn from(self) -> Square {
        Square::index(63 - usize::from(self.0 >> 9 & 63))
    }

    /// The square that it reaches.
    #[inline]
    #[must_use]
    pub fn to(self) -> Square {
        Square::index(63 - usize::from(self.0 >> 3 & 63))
    }

    /// What a pawn becomes by it.
    #[inline]
    #[must_use]
    pub fn promotion(self) -> Option<Piece> {
        PROMOTIONS.get(usize::from(self.0 & 7).wrapping_sub(1)).copied()
    }
}

impl quod_model::Move for Step {
    #[inline]
    fn code(self) -> u32 {
        u32::from(self.0)
    }

    #[inline]
    fn from_code(code: u32) -> Self {
        Self(code as u16)
    }
}

/// As engines write it: `e2e4`, `e7e8q`.
impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        self.promotion().map_or(Ok(()), |piece| write!(f, "{}", char::from(piece)))
    }
}

impl fmt::Debug for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quod_model::Move as _;

    #[test]
    fn a_move_is_its_code() {
        for from in Square::ALL {
            for to in Square::ALL {
                for promotion in std::iter::once(None).chain(PROMOTIONS.map(Some)) {
                    let step = Step::new(from, to, promotion);
                    assert_eq!((step.from(), step.to(), step.promotion()), (from, to, promotion));
                    assert_eq!(Step::from_code(step.code()), step);
                }
            }
        }
    }
}
