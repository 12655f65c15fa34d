//! Awari for databases: a slice for each number of stones on the board.
//!
//! What the players have captured does not matter for what can still be captured, unless the game stops at half of the stones.

use std::ops::Range;

use quod_model::{Index, Slot, Successor, Surveyed};

use super::ranking::{Board, WAYS};
use super::{Awari, Position, Slam};
use crate::sowing::Place;

impl Awari {
    /// The stored value if the mover has no stone, or only moves that leave the other player without one: these get what is
    /// left. Otherwise nothing.
    #[inline]
    fn known(&self, position: &Position, feeding: bool) -> Option<i32> {
        let stones = i32::from(position.stones());
        if position.mover.is_empty() {
            return Some(-stones);
        }
        (!feeding).then_some(stones)
    }

    /// Calls with what each move that leaves the other player something, or may take it all, captures and leads to; whether
    /// there is one.
    #[inline]
    fn each_feeding(&self, position: &Position, mut each: impl FnMut(&Position, u8)) -> bool {
        let mut any = false;
        for pit in 0..self.width() {
            if position.mover.pit(pit) == 0 {
                continue;
            }
            let (after, captured) = self.sown(position, pit);
            if !after.other.is_empty() || (self.slam == Slam::Captures && captured > 0) {
                any = true;
                each(&after, captured);
            }
        }
        any
    }

    #[inline]
    fn successor(&self, slice: u32, after: &Position, captured: u8) -> Successor {
        let board = Board { mover: after.other.pits(), other: after.mover.pits() };
        let slot = Slot { slice: slice - u32::from(captured), number: board.number(self.width()) };
        Successor { slot, gain: i32::from(captured), again: false }
    }
}

impl Index for Awari {
    fn slices(&self) -> u32 {
        2 * u32::from(self.width()) * u32::from(self.stones) + 1
    }

    fn slice_size(&self, slice: u32) -> u64 {
        WAYS[2 * usize::from(self.width()) - 2][slice as usize + 1]
    }

    fn slice_value_max(&self, slice: u32) -> i32 {
        slice.cast_signed()
    }

    fn slot(&self, position: &Position) -> Option<Slot> {
        Some(Slot { slice: position.stones().into(), number: Board::of(position).number(self.width()) })
    }

    fn at_slot(&self, slot: Slot) -> Option<Position> {
        Some(self.ranking.board(slot).position())
    }

    fn made(&self, position: &Position) -> i32 {
        position.lead()
    }

    fn successors(&self, slot: Slot, successors: &mut Vec<Successor>) -> Option<i32> {
        let position = self.ranking.board(slot).position();
        let feeding = self.each_feeding(&position, |after, captured| {
            successors.push(self.successor(slot.slice, after, captured));
        });
        self.known(&position, feeding)
    }

    /// From every empty pit of the player who has moved, as many stones as can be taken back. That player had another move
    /// than to leave the opponent without a stone, or the value was known at once: so the mover has one now.
    #[inline]
    fn predecessors(&self, slot: Slot, numbers: &mut Vec<u64>) {
        let board = self.ranking.board(slot);
        if board.mover == 0 {
            return;
        }
        let width = self.width();
        let mut origins = !board.other_taken() & ((1 << width) - 1);
        while origins != 0 {
            let origin = origins.trailing_zeros() as u8;
            origins &= origins - 1;
            for stones in 1..=board.stones_back(width, origin) {
                let (own, other, last) = self.sowing.sown(origin, stones);
                let mover = board.other - own + (u64::from(stones) << (8 * origin));
                let before = Board { mover, other: board.mover - other };
                // A last stone that made two or three of the opponent's would have captured.
                let captures =
                    matches!(last, Place::Other(pit) if matches!(board.mover >> (8 * pit) & 0xff, 2 | 3));
                let kept = || self.slam == Slam::Keeps && self.sown(&before.position(), origin).1 == 0;
                if !captures || kept() {
                    numbers.push(before.number(width));
                }
            }
        }
    }

    fn survey(
        &self,
        slice: u32,
        numbers: Range<u64>,
        found: &mut Vec<Surveyed>,
        leaving: &mut Vec<Successor>,
    ) {
        if numbers.is_empty() {
            return;
        }
        let mut board = self.ranking.board(Slot { slice, number: numbers.start });
        for _ in numbers {
            let position = board.position();
            let (mut within, begin) = (0, leaving.len());
            let feeding = self.each_feeding(&position, |after, captured| {
                if captured > 0 {
                    leaving.push(self.successor(slice, after, captured));
                } else {
                    within += 1;
                }
            });
            found.push(match self.known(&position, feeding) {
                Some(value) => Surveyed::Known(value),
                None => Surveyed::Open { within, leaving: (leaving.len() - begin) as u32 },
            });
            board = board.next(self.width());
        }
    }
}
