//! Boards of Awari as numbers.
//!
//! A board is numbered by the stones in the first pit, the first two, the first three and so on, which never fall: the pits of
//! the mover from the left, then those of the other player. Such a row of numbers s is the number Σ C(s_i + i, i + 1), the
//! combinatorial number system (Knuth, The Art of Computer Programming 4A, 7.2.1.3).

use std::sync::OnceLock;

use quod_model::{Player, Slot};

use super::{Position, Row};
use crate::sowing::{STONES_MAX, WIDTH_MAX};

const PITS_MAX: usize = 2 * WIDTH_MAX as usize;
/// More than all stones and one, since the size of a slice is looked up there; a power of two keeps checks out of the sums.
const STONES_COUNT: usize = 128;
const _: () = assert!(STONES_COUNT > STONES_MAX as usize + 1);

/// `WAYS[i][s]` is C(s + i, i + 1): in how many ways fewer than s stones lie in i + 1 pits.
pub(super) static WAYS: [[u64; STONES_COUNT]; PITS_MAX] = ways();

const fn ways() -> [[u64; STONES_COUNT]; PITS_MAX] {
    let mut ways = [[0; STONES_COUNT]; PITS_MAX];
    let mut stones = 1;
    while stones < STONES_COUNT {
        ways[0][stones] = stones as u64;
        let mut pit = 1;
        while pit < PITS_MAX {
            ways[pit][stones] = ways[pit][stones - 1] + ways[pit - 1][stones];
            pit += 1;
        }
        stones += 1;
    }
    ways
}

/// The pits of both players, a byte for each.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Board {
    pub(super) mover: u64,
    pub(super) other: u64,
}

impl Board {
    pub(super) fn of(position: &Position) -> Self {
        Self { mover: position.mover.pits(), other: position.other.pits() }
    }

    #[inline]
    pub(super) fn position(self) -> Position {
        Position { mover: Row::of_pits(self.mover), other: Row::of_pits(self.other), to_move: Player::First }
    }

    /// The number of the board in its slice.
    #[inline]
    pub(super) fn number(self, width: u8) -> u64 {
        // The usual width is compiled by itself, without loops.
        if width == WIDTH_MAX { self.sum(WIDTH_MAX.into()) } else { self.sum(width.into()) }
    }

    #[inline(always)]
    fn sum(self, width: usize) -> u64 {
        let (first, second) = (Row::of_pits(self.mover).sums(), Row::of_pits(self.other).sums());
        let stones = Row::of_pits(self.mover).stones();
        let ways = |pit: usize, stones: u8| WAYS[pit][usize::from(stones) % STONES_COUNT];
        let mover = (0..width).map(|pit| ways(pit, (first >> (8 * pit)) as u8));
        let other = (0..width - 1).map(|pit| ways(width + pit, (second >> (8 * pit)) as u8 + stones));
        mover.sum::<u64>() + other.sum::<u64>()
    }

    /// The board with a number, pit by pit.
    fn at(width: u8, slot: Slot) -> Self {
        let width = usize::from(width);
        let (mut left, mut number) = (slot.slice as usize, slot.number);
        let mut pits = [0; PITS_MAX];
        for pit in (1..2 * width).rev() {
            let mut below = left;
            while WAYS[pit - 1][below] > number {
                below -= 1;
            }
            number -= WAYS[pit - 1][below];
            pits[pit] = (left - below) as u64;
            left = below;
        }
        pits[0] = left as u64;
        let row = |pits: &[u64]| pits.iter().rev().fold(0, |row, pit| row << 8 | pit);
        Self { mover: row(&pits[..width]), other: row(&pits[width..2 * width]) }
    }

    /// The board with the next number.
    #[inline]
    pub(super) fn next(self, width: u8) -> Self {
        // The first pit but one that has a stone gives one to the pit before it, together with what lies in the very first.
        let first = self.mover & 0xff;
        let behind = self.mover ^ first;
        if behind != 0 {
            let pit = behind.trailing_zeros() / 8 * 8;
            return Self { mover: behind - (1 << pit) + ((first + 1) << (pit - 8)), ..self };
        }
        let pit = self.other.trailing_zeros() / 8 * 8;
        let other = self.other.wrapping_sub(1u64.checked_shl(pit).unwrap_or(0));
        if pit == 0 {
            Self { mover: (first + 1) << (8 * (width - 1)), other }
        } else {
            Self { mover: 0, other: other + (first + 1).checked_shl(pit - 8).unwrap_or(0) }
        }
    }

    /// Which pits of the other player have stones, a bit for each.
    #[inline]
    pub(super) fn other_taken(self) -> u32 {
        taken(self.other)
    }

    /// How many stones the other player can have sown from a pit that is empty now: all places that they came to have some.
    #[inline]
    pub(super) fn stones_back(self, width: u8, origin: u8) -> u8 {
        let (around, mut rows, mut most) = (2 * width - 1, self, 0);
        loop {
            let ring = u64::from(taken(rows.other) | taken(rows.mover) << width);
            let ring = ring | ring << (2 * width);
            let run = (ring >> (origin + 1)).trailing_ones() as u8;
            most += run;
            if run < around {
                return most;
            }
            // A stone everywhere: once more around, after one is taken from each.
            let ones = 0x0101_0101_0101 & ((1 << (8 * width)) - 1);
            rows = Self { mover: rows.mover - ones, other: rows.other - (ones & !(0xff << (8 * origin))) };
        }
    }
}

/// Which pits of a row have stones, a bit for each.
#[inline]
fn taken(pits: u64) -> u32 {
    // The highest bit of every byte that is not zero, and then those bits side by side: no pit has 128 stones.
    let high = (pits + 0x7f7f_7f7f_7f7f) & 0x8080_8080_8080;
    ((high >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u32
}

/// Boards by their numbers. Databases ask for them all the time, so that for slices that fit the caches a board is put together
/// of two looked up parts: the pits of the mover, and the others, which decide where the numbers of the mover's begin.
pub(super) struct Ranking {
    width: u8,
    /// The mover's pits, in the order of their numbers.
    rows: OnceLock<Vec<u64>>,
    tops: [OnceLock<Tops>; TABLE_STONES_MAX + 1],
}

/// Boards of more stones than this are found pit by pit.
const TABLE_STONES_MAX: usize = 24;

/// The other player's pits of a slice, in the order of their numbers.
struct Tops {
    /// Where the numbers begin, and the pits; the first of them with all stones of the mover's pits in it.
    tops: Vec<(u64, u64)>,
    /// For every so many numbers the last of `tops` that begins before them.
    first: Vec<u32>,
    shift: u32,
}

impl Ranking {
    pub(super) fn new(width: u8) -> Self {
        Self { width, rows: OnceLock::new(), tops: [const { OnceLock::new() }; TABLE_STONES_MAX + 1] }
    }

    /// The board with a number.
    #[inline]
    pub(super) fn board(&self, slot: Slot) -> Board {
        let Some(tops) = self.tops.get(slot.slice as usize) else { return Board::at(self.width, slot) };
        let tops = tops.get_or_init(|| Tops::new(self.width, slot.slice));
        let rows = self.rows.get_or_init(|| {
            let count = WAYS[usize::from(self.width) - 1][TABLE_STONES_MAX + 1];
            let plenty = Board { mover: 0, other: TABLE_STONES_MAX as u64 };
            let boards = std::iter::successors(Some(plenty), |board| Some(board.next(self.width)));
            boards.map(|board| board.mover).take(count as usize).collect()
        });
        let (begin, other) = tops.at(slot.number);
        let mover = rows[(slot.number - begin) as usize];
        Board { mover, other: other - u64::from(Row::of_pits(mover).stones()) }
    }
}

impl Tops {
    fn new(width: u8, slice: u32) -> Self {
        let places = usize::from(width);
        let begin = |pits: u64| {
            let sums = Row::of_pits(pits).sums();
            (0..places - 1).map(|pit| WAYS[places + pit][usize::from((sums >> (8 * pit)) as u8)]).sum::<u64>()
        };
        let first = Board { mover: u64::from(slice) << (8 * (width - 1)), other: 0 };
        let boards = std::iter::successors(Some(first), |board| {
            // All stones in the first pit are the last.
            (board.mover >> 8 != 0).then(|| board.next(width))
        });
        let tops: Vec<(u64, u64)> = boards.map(|board| (begin(board.mover), board.mover)).collect();
        let size = WAYS[2 * places - 2][slice as usize + 1];
        let shift = (size / tops.len() as u64).checked_ilog2().unwrap_or(0);
        let mut last = 0;
        let places = 0..=(size >> shift);
        let first = places.map(|place| {
            while tops.get(last + 1).is_some_and(|(begin, _)| *begin <= place << shift) {
                last += 1;
            }
            last as u32
        });
        Self { first: first.collect(), tops, shift }
    }

    #[inline]
    fn at(&self, number: u64) -> (u64, u64) {
        let mut at = self.first[(number >> self.shift) as usize] as usize;
        while self.tops.get(at + 1).is_some_and(|(begin, _)| *begin <= number) {
            at += 1;
        }
        self.tops[at]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_looked_up_as_they_are_worked_out() {
        for width in 1..=WIDTH_MAX {
            let ranking = Ranking::new(width);
            for slice in [0, 1, 2, 7, 24, 25, 26] {
                let size = WAYS[2 * usize::from(width) - 2][slice as usize + 1];
                for number in (0..size).step_by(1 + size as usize / 5000).chain([size - 1]) {
                    let slot = Slot { slice, number };
                    let board = ranking.board(slot);
                    assert!(board == Board::at(width, slot), "{slot:?}, {width} pits");
                    assert_eq!(board.number(width), number);
                }
            }
        }
    }
}
