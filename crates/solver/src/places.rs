//! Positions as people give them, and positions that random play comes to.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use quod_model::{InputError, Notation};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::door::Place;

/// Games in a row that bring nothing new before no more are played. Enough to find nearly all of a few hundred positions.
const FRUITLESS_MAX: usize = 2000;

/// The position that is meant.
pub(crate) fn root<G: Notation>(game: &G, place: &Place) -> Result<G::Position, InputError> {
    let root = match &place.position {
        Some(text) => game.parse_position(text)?,
        None => game.start(),
    };
    match &place.moves {
        Some(moves) => game.parse_moves(&root, moves),
        None => Ok(root),
    }
}

/// See [`crate::Door::random_lines`]. Of every game one position is taken, all of its lengths being equally likely, so that
/// long games do not fill the sample with endings.
pub(crate) fn random_lines<G: Notation>(
    game: &G,
    count: usize,
    seed: u64,
    plies: RangeInclusive<usize>,
) -> Vec<String> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut lines = Vec::new();
    let mut known = HashSet::new();
    let mut fruitless = 0;
    let mut moves = Vec::new();
    while lines.len() < count && fruitless < FRUITLESS_MAX {
        fruitless += 1;
        let mut position = game.start();
        let mut passed = Vec::new();
        let mut words = Vec::new();
        while game.outcome(&position).is_none() && passed.len() <= *plies.end() {
            moves.clear();
            game.moves(&position, &mut moves);
            let mv = moves[random.random_range(0..moves.len())];
            words.push(game.move_text(&position, mv));
            let next = game.after(&position, mv);
            passed.push(std::mem::replace(&mut position, next));
        }
        if *plies.start() >= passed.len() {
            continue;
        }
        let length = random.random_range(*plies.start()..passed.len());
        if known.insert(passed.swap_remove(length)) {
            words.truncate(length);
            lines.push(words);
            fruitless = 0;
        }
    }
    lines.sort_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
    lines.iter().map(|words| joined(game, words)).collect()
}

/// Moves as one text, without spaces where the game does not need them.
fn joined<G: Notation>(game: &G, words: &[String]) -> String {
    let tight = words.concat();
    if game.split_moves(&tight) == words { tight } else { words.join(" ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games;

    #[test]
    fn random_positions_are_different_not_over_and_the_same_for_a_seed() {
        for name in ["connect4:5x4", "tictactoe", "morris:3", "woodpush:8"] {
            let game = games().open(name).unwrap();
            let lines = game.random_lines(30, 7, 2..=9);
            assert_eq!(lines, game.random_lines(30, 7, 2..=9));
            assert_ne!(lines, game.random_lines(30, 8, 2..=9));
            let located =
                |moves: &String| game.locate(&Place { position: None, moves: Some(moves.clone()) }).unwrap();
            let places: Vec<_> = lines.iter().map(located).collect();
            assert!(places.iter().all(|place| !place.over), "{name}");
            let texts: HashSet<_> = places.iter().map(|place| &place.position).collect();
            assert_eq!(texts.len(), 30, "{name}");
        }
    }

    #[test]
    fn lengths_are_as_asked_and_lines_are_short_texts() {
        let game = games().open("connect4:5x4").unwrap();
        let lines = game.random_lines(10, 1, 3..=5);
        assert_eq!(lines.len(), 10);
        assert!(lines.iter().all(|line| (3..=5).contains(&line.len())), "{lines:?}");
        let game = games().open("tictactoe").unwrap();
        assert!(game.random_lines(1, 1, 2..=2)[0].contains(' '));
    }

    #[test]
    fn a_sample_ends_where_there_is_no_more() {
        let game = games().open("tictactoe").unwrap();
        assert_eq!(game.random_lines(100, 1, 0..=1).len(), 10);
        assert_eq!(game.random_lines(3, 1, 50..=60).len(), 0);
    }
}
