//! The pieces on the line, and how they move.

use quod_model::Player;

/// As many cells as a board can have.
pub(super) const CELLS_MAX: u32 = u128::BITS;

/// The pieces of both players; bit 0 is the leftmost cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Board {
    pub(super) left: u128,
    pub(super) right: u128,
}

/// Cells on the right of `cell`.
fn above(cell: u32) -> u128 {
    !1 << cell
}

/// Cells on the left of `cell`.
fn below(cell: u32) -> u128 {
    !(!0 << cell)
}

/// The cells of a set, the rightmost first.
pub(super) fn each_from_right(mut set: u128) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let cell = set.checked_ilog2()?;
        set ^= 1 << cell;
        Some(cell)
    })
}

/// Spreads every bit of two words over one. For either word alone no two values meet.
pub(super) fn mixed(a: u128, b: u128) -> u128 {
    const ODD: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;
    let spread = |word: u128| {
        let word = (word ^ word >> 67).wrapping_mul(ODD);
        (word ^ word >> 61).wrapping_mul(ODD)
    };
    let word = spread(spread(a ^ ODD).wrapping_add(b));
    word ^ word >> 64
}

impl Board {
    pub(super) fn of(self, player: Player) -> u128 {
        if player == Player::First { self.left } else { self.right }
    }

    pub(super) fn owner(self, cell: u32) -> Option<Player> {
        [Player::First, Player::Second].into_iter().find(|player| self.of(*player) >> cell & 1 != 0)
    }

    /// How many pieces Left and Right have.
    pub(super) fn pieces(self) -> (u32, u32) {
        (self.left.count_ones(), self.right.count_ones())
    }

    pub(super) fn hash(self) -> u128 {
        mixed(self.left, self.right)
    }

    /// One bit, chosen by a quick hash.
    pub(super) fn filter(self) -> u64 {
        let fold = |set: u128| set as u64 ^ (set >> 64) as u64;
        let hash = fold(self.left).wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ fold(self.right).wrapping_mul(0xd1b5_4a32_d192_ed03);
        1 << (hash >> 58)
    }

    /// Whether an opponent's piece stands right behind.
    #[inline]
    pub(super) fn can_go_back(self, player: Player, cell: u32) -> bool {
        match player {
            Player::First => self.right << 1 >> cell & 1 != 0,
            Player::Second => self.left >> 1 >> cell & 1 != 0,
        }
    }

    /// The board after a player's piece goes forward from `cell`, on a board of the cells `full`. Without an empty cell
    /// before it, it is gone.
    #[inline]
    pub(super) fn forward(self, full: u128, player: Player, cell: u32) -> Self {
        let empty = full & !(self.left | self.right);
        match player {
            Player::First => {
                let ahead = empty & above(cell);
                let target = ahead & ahead.wrapping_neg();
                Self { left: self.left ^ 1 << cell | target, ..self }
            }
            Player::Second => {
                let ahead = empty & below(cell);
                let target = ahead.checked_ilog2().map_or(0, |target| 1 << target);
                Self { right: self.right ^ 1 << cell | target, ..self }
            }
        }
    }

    /// The board after a player's piece goes back from `cell` and pushes what stands behind it without a gap. What is
    /// pushed over the edge is gone.
    #[inline]
    pub(super) fn backward(self, full: u128, player: Player, cell: u32) -> Self {
        let empty = full & !(self.left | self.right);
        match player {
            Player::First => {
                let gap = (empty & below(cell)).checked_ilog2();
                let block = !above(cell) & gap.map_or(!0, above);
                let push = |set: u128| set & !block | (set & block) >> 1;
                Self { left: push(self.left), right: push(self.right) }
            }
            Player::Second => {
                let behind = empty & above(cell);
                let block = !below(cell) & (behind & behind.wrapping_neg()).wrapping_sub(1);
                let push = |set: u128| set & !block | (set & block) << 1 & full;
                Self { left: push(self.left), right: push(self.right) }
            }
        }
    }
}
