//! The pieces on the line, and how they move.

use quod_model::Player;

use crate::bits::Bits;

/// The pieces of both players; bit 0 is the leftmost cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Board<B> {
    pub(super) left: B,
    pub(super) right: B,
}

/// Cells on the right of `cell`.
fn above<B: Bits>(cell: u32) -> B {
    !B::ONE << cell
}

/// Cells on the left of `cell`.
fn below<B: Bits>(cell: u32) -> B {
    !(!B::NONE << cell)
}

fn holds<B: Bits>(set: B, cell: u32) -> bool {
    set >> cell & B::ONE != B::NONE
}

/// The cells of a set, the rightmost first.
pub(super) fn each_from_right<B: Bits>(mut set: B) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let cell = set.highest()?;
        set = set ^ B::ONE << cell;
        Some(cell)
    })
}

/// Spreads every bit of two words over one. While one word stays the same, no two values of the other meet.
pub(super) fn mixed(a: u128, b: u128) -> u128 {
    const ODD: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;
    let spread = |word: u128| {
        let word = (word ^ word >> 67).wrapping_mul(ODD);
        (word ^ word >> 61).wrapping_mul(ODD)
    };
    let word = spread(spread(a ^ ODD).wrapping_add(b));
    word ^ word >> 64
}

impl<B: Bits> Board<B> {
    pub(super) fn of(self, player: Player) -> B {
        if player == Player::First { self.left } else { self.right }
    }

    pub(super) fn owner(self, cell: u32) -> Option<Player> {
        [Player::First, Player::Second].into_iter().find(|player| holds(self.of(*player), cell))
    }

    /// How many pieces Left and Right have.
    pub(super) fn pieces(self) -> (u32, u32) {
        (self.left.count(), self.right.count())
    }

    pub(super) fn hash(self) -> u128 {
        mixed(self.left.into(), self.right.into())
    }

    /// One bit, chosen by a quick hash.
    #[inline]
    pub(super) fn filter(self) -> u64 {
        let fold = |set: u128| set as u64 ^ (set >> 64) as u64;
        let hash = fold(self.left.into()).wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ fold(self.right.into()).wrapping_mul(0xd1b5_4a32_d192_ed03);
        1 << (hash >> 58)
    }

    /// Whether an opponent's piece stands right behind.
    #[inline]
    pub(super) fn can_go_back(self, player: Player, cell: u32) -> bool {
        match player {
            Player::First => holds(self.right << 1, cell),
            Player::Second => holds(self.left >> 1, cell),
        }
    }

    /// The board after a player's piece goes forward from `cell`, on a line of the cells `full`. Without an empty cell
    /// before it, it is gone.
    #[inline]
    pub(super) fn forward(self, full: B, player: Player, cell: u32) -> Self {
        let empty = full & !(self.left | self.right);
        let target = match player {
            Player::First => (empty & above(cell)).lowest(),
            Player::Second => (empty & below(cell)).highest(),
        };
        let change = target.map_or(B::NONE, |target| B::ONE << target) | B::ONE << cell;
        match player {
            Player::First => Self { left: self.left ^ change, ..self },
            Player::Second => Self { right: self.right ^ change, ..self },
        }
    }

    /// The board after a player's piece goes back from `cell` and pushes what stands behind it without a gap. What is
    /// pushed over the edge is gone.
    #[inline]
    pub(super) fn backward(self, full: B, player: Player, cell: u32) -> Self {
        let empty = full & !(self.left | self.right);
        match player {
            Player::First => {
                let gap = (empty & below(cell)).highest();
                let block = !above::<B>(cell) & gap.map_or(full, above);
                let pushed = |set: B| set & !block | (set & block) >> 1;
                Self { left: pushed(self.left), right: pushed(self.right) }
            }
            Player::Second => {
                let gap = (empty & above(cell)).lowest();
                let block = !below::<B>(cell) & gap.map_or(full, below);
                let pushed = |set: B| set & !block | (set & block) << 1 & full;
                Self { left: pushed(self.left), right: pushed(self.right) }
            }
        }
    }
}
