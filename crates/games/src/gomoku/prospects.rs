//! How near an attacker is to a win, by what can be counted in lines: a linear model, learned from searches.
//!
//! Lines of threats say who wins, but of a position without one they say nothing, and most positions are such. What is counted here is what lines of threats are made of:
//! windows by their stones, and cells by what a stone there would make in two directions. It guides a search and decides nothing.

/// What a stone in a cell would make in a direction, from nothing on: a two with room, a three that is blocked at one end, one with room, a four.
pub(super) const SHAPES: usize = 5;
/// Pairs of them, from the best two directions through a cell, without that of nothing and nothing.
pub(super) const PAIRS: usize = SHAPES * (SHAPES + 1) / 2 - 1;
/// Windows of one, two and more stones.
pub(super) const WINDOWS: usize = 3;

/// What there is for one side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Windows that the side can still fill, by their stones.
    pub(super) windows: [u32; WINDOWS],
    /// Free cells, by what a stone of the side would make there.
    pub(super) pairs: [u32; PAIRS],
}

impl Tally {
    /// All counts, in the order in which they stand.
    pub fn counts(&self) -> impl Iterator<Item = u32> + use<> {
        self.windows.into_iter().chain(self.pairs)
    }
}

/// The place of a pair among the pairs: `best` is no less than `other`, and something.
pub(super) fn pair(best: usize, other: usize) -> usize {
    best * (best + 1) / 2 + other - 1
}

/// What the counts of a side count for.
struct Weights {
    windows: [i32; WINDOWS],
    pairs: [i32; PAIRS],
}

impl Weights {
    fn sum(&self, tally: &Tally) -> i32 {
        let weights = self.windows.iter().chain(&self.pairs);
        weights.zip(tally.counts()).map(|(weight, count)| weight * logarithm(count)).sum()
    }
}

/// What everything counts for: logarithms of counts, in 1/256, and the rest, in 1/256 of a sixteenth of a doubling.
pub(super) struct Model {
    own: Weights,
    foe: Weights,
    /// Each stone on the board.
    stone: i32,
    always: i32,
    /// The logarithm of the answers to a line, a line that is missing, and one that has one answer, or few.
    answers: i32,
    no_line: i32,
    one_answer: i32,
    few_answers: i32,
}

/// Of a position in which the attacker is to move.
pub(super) const TO_MOVE: Model = Model {
    own: Weights {
        windows: [792, 389, 395],
        pairs: [-222, 104, -100, 43, -73, 140, 360, 190, 176, 25, 306, 134, -1666, 0],
    },
    foe: Weights {
        windows: [-208, -82, -719],
        pairs: [146, -4, -54, -31, -100, -72, -136, -75, -66, 4, -27, -154, -298, -807],
    },
    stone: -724,
    always: -52975,
    answers: 0,
    no_line: 0,
    one_answer: 0,
    few_answers: 0,
};

/// Of one after his move.
pub(super) const MOVED: Model = Model {
    own: Weights {
        windows: [733, 427, 374],
        pairs: [-262, 83, -82, 49, 7, 68, 327, 172, 221, 50, 194, 131, 221, -6],
    },
    foe: Weights {
        windows: [-163, -183, -451],
        pairs: [114, -6, 17, -24, -53, -72, -94, -23, 25, 19, -65, -73, -144, -536],
    },
    stone: -659,
    always: -63490,
    answers: -204,
    no_line: -19484,
    one_answer: 5489,
    few_answers: -1601,
};

/// So few answers to a line are few.
const FEW: u32 = 4;

impl Model {
    /// By how many doublings a win is more likely than none, in sixteenths.
    pub(super) fn odds(&self, tallies: &[Tally; 2], stones: u32, answers: u32) -> i32 {
        let [own, foe] = tallies;
        let mut sum = self.always + self.stone * stones as i32 + self.answers * logarithm(answers);
        sum += self.own.sum(own) + self.foe.sum(foe);
        sum += match answers {
            0 => self.no_line,
            1 => self.one_answer,
            _ => 0,
        };
        if answers <= FEW {
            sum += self.few_answers;
        }
        sum >> 8
    }
}

/// The logarithm of one more than a count, in sixteenths of a doubling, straight between powers of two.
#[must_use]
pub fn logarithm(count: u32) -> i32 {
    let number = count + 1;
    let doublings = number.ilog2();
    (16 * doublings + ((number << 4) >> doublings) - 16) as i32
}

/// What such a logarithm is of; large ones are cut.
pub(super) fn power(logarithm: i32) -> u32 {
    /// The largest power.
    const MOST: i32 = 16 * 16;
    let sixteenths = logarithm.clamp(0, MOST) as u32;
    ((16 + sixteenths % 16) << (sixteenths / 16)) >> 4
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_and_logarithms_are_each_others() {
        assert_eq!([0, 1, 2, 3, 7].map(logarithm), [0, 16, 24, 32, 48]);
        assert!((0..1000).all(|count| power(logarithm(count)).abs_diff(count + 1) <= count / 16));
        assert_eq!([-5, 0, 16, 40, 9999].map(power), [1, 1, 2, 6, 1 << 16]);
    }
}
