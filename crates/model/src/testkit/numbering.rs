//! Laws of a numbering of positions for databases.

use std::collections::HashMap;
use std::ops::Range;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{Laws, Truth};
use crate::{Index, Notation, Repetition, Slot, Successor, Surveyed};

impl Laws {
    /// Checks the numbering of some slices, every number of them, against the rules, and of positions that come up in random
    /// games with what was made before them.
    ///
    /// # Panics
    /// At the first number or position for which they differ.
    pub fn check_index<G: Notation + Index>(self, game: &G, slices: Range<u32>) {
        for slice in slices {
            check_slice(game, slice);
        }
        let mut random = Xoshiro256PlusPlus::seed_from_u64(self.seed);
        for _ in 0..self.games {
            let mut position = game.start();
            for _ in 0..self.plies_max {
                check_in_play(game, &position);
                if game.outcome(&position).is_some() {
                    break;
                }
                let mut moves = Vec::new();
                game.moves(&position, &mut moves);
                position = game.after(&position, moves[random.random_range(0..moves.len())]);
            }
        }
    }
}

fn check_slice<G: Notation + Index>(game: &G, slice: u32) {
    let size = game.slice_size(slice);
    let mut sources: HashMap<u64, Vec<u64>> = HashMap::new();
    let mut surveyed = survey(game, slice, size);
    for number in 0..size {
        let slot = Slot { slice, number };
        let seen = surveyed.next().expect("a survey finds something at every number");
        let Some(position) = game.at_slot(slot) else {
            assert_eq!(seen, (Surveyed::Nothing, vec![]), "survey of {slot:?}");
            continue;
        };
        assert_eq!(game.slot(&position), Some(slot), "{slot:?} is {}", game.position_text(&position));
        assert_eq!(game.made(&position), 0, "made before {slot:?}");
        check_in_play(game, &position);
        let mut successors = Vec::new();
        let known = game.successors(slot, &mut successors);
        let (within, leaving): (Vec<_>, Vec<_>) =
            successors.iter().partition(|successor| successor.slot.slice == slice);
        let kind = match known {
            Some(value) => Surveyed::Known(value),
            None => Surveyed::Open { within: within.len() as u32, leaving: leaving.len() as u32 },
        };
        assert_eq!(seen, (kind, sorted(leaving)), "survey of {slot:?}");
        for successor in within {
            sources.entry(successor.slot.number).or_default().push(number);
        }
    }
    assert!(surveyed.next().is_none(), "a survey goes beyond slice {slice}");
    for number in 0..size {
        let slot = Slot { slice, number };
        if game.at_slot(slot).is_some() {
            let mut numbers = Vec::new();
            game.predecessors(slot, &mut numbers);
            let expected = sources.remove(&number).unwrap_or_default();
            assert_eq!(sorted(numbers), sorted(expected), "predecessors of {slot:?}");
        }
    }
    assert!(sources.is_empty(), "moves of slice {slice} lead to numbers without a position");
}

/// What a game finds in a slice, in pieces of odd sizes.
fn survey<G: Index>(game: &G, slice: u32, size: u64) -> impl Iterator<Item = (Surveyed, Vec<Successor>)> {
    let (mut begin, mut step) = (0, 0);
    let pieces = std::iter::from_fn(move || {
        step = step % 300 + 7;
        let piece = begin..(begin + step).min(size);
        begin = piece.end;
        (!piece.is_empty()).then_some(piece)
    });
    pieces.flat_map(move |piece| {
        let (mut found, mut leaving) = (Vec::new(), Vec::new());
        game.survey(slice, piece, &mut found, &mut leaving);
        let mut leaving = leaving.into_iter();
        let mut pieces = Vec::new();
        for seen in found {
            let count = if let Surveyed::Open { leaving, .. } = seen { leaving } else { 0 };
            pieces.push((seen, sorted(leaving.by_ref().take(count as usize).collect())));
        }
        assert_eq!(leaving.next(), None, "a survey of slice {slice} finds more than it counts");
        pieces
    })
}

/// Compares what the numbering says of a position with the rules.
fn check_in_play<G: Notation + Index>(game: &G, position: &G::Position) {
    let Some(slot) = game.slot(position) else { return };
    let text = game.position_text(position);
    assert!(slot.slice < game.slices() && slot.number < game.slice_size(slot.slice), "{slot:?} of {text}");
    let (mover, made) = (game.to_move(position), game.made(position));
    if let Repetition::Worth(worth) = game.repetition() {
        assert_eq!(worth(game, position).seen_by(mover).0, made, "endless play from {text}");
    }
    let mut successors = Vec::new();
    if let Some(value) = game.successors(slot, &mut successors) {
        assert!(successors.is_empty(), "moves of {text}, whose value is known");
        assert!(value.abs() <= game.slice_value_max(slot.slice), "the value of {text} is too large");
        let truth = Truth::new(game, position).value(position);
        assert_eq!(truth.seen_by(mover).0, made + value, "the value of {text}");
        return;
    }
    assert_eq!(game.outcome(position), None, "{text} is over, but its value is not known");
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    let expected = moves.iter().map(|mv| {
        let after = game.after(position, *mv);
        let again = game.to_move(&after) == mover;
        let made_after = if again { game.made(&after) } else { -game.made(&after) };
        let slot = game.slot(&after).expect("a move leads to a position that is kept");
        Successor { slot, gain: made_after - made, again }
    });
    assert_eq!(sorted(successors.clone()), sorted(expected.collect()), "moves of {text}");
    for successor in successors {
        assert!(successor.slot.slice <= slot.slice, "a move of {text} leads to a larger slice");
        assert!(
            successor.slot.slice < slot.slice || (!successor.again && successor.gain == 0),
            "a move of {text} within its slice gains something or does not pass the turn"
        );
    }
}

fn sorted<T: Ord>(mut list: Vec<T>) -> Vec<T> {
    list.sort_unstable();
    list
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::Layers;

    #[test]
    fn random_layers_keep_the_laws() {
        for seed in 0..50 {
            let game = Layers::random(seed, 3, 12);
            let laws = Laws { games: 5, plies_max: 30, seed };
            laws.check(&game);
            laws.check_index(&game, 0..game.slices());
        }
    }

    #[test]
    #[should_panic(expected = "predecessors of")]
    fn a_predecessor_that_is_left_out_is_found() {
        let mut game = Layers::random(1, 3, 12);
        game.forget_a_predecessor();
        Laws::default().check_index(&game, 0..game.slices());
    }
}
