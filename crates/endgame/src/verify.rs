//! Verification: every value is derived again from the rules, by moves made forwards and without the code that built it.
//!
//! Two things are checked of each slice, given that the smaller ones are right.
//!
//! 1. *Compare.* The value of every position is the best that its moves are worth, as the values stand, or what the rules say.
//! 2. *Trace.* That alone would also hold for wins that hold each other up in a circle. So positions are called founded, one
//!    after the other: a value that the rules say; a win by v that has a move worth v out of the slice, or to a founded position;
//!    a loss all of whose moves within the slice lead to founded positions. Every win and every loss must be founded.
//!
//! Together these prove the values. A founded win by v is forced: the winner always has a move to something that was founded
//! earlier, and so has no way to go around; in the end the rules say the value, or a move leaves the slice with it. A loss by v is
//! not worse than that, since some move keeps it at v as long as play goes on, and going around would even be worth 0; and not
//! better, since all its moves lead to forced wins by v or more. A value of 0 is at least that: the player always has a move
//! that keeps it from falling, and what the other one may give away is founded; for the other player likewise.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use quod_model::{Notation, Slot, Successor};

use crate::Error;
use crate::databases::{Databases, Numbered};
use crate::files::{SliceFile, Summing};
use crate::work::{Phase, Pieces, SliceWatch, Stopped, Watch, share};

/// Numbers that a thread takes at a time: whole words of bits.
const PIECE: usize = 1 << 14;

/// Verifies all slices in a folder. How many numbers they have, or nothing if the work was stopped.
///
/// # Errors
/// If a file is not whole or a value is wrong.
pub fn verify<G: Notation>(
    game: &G,
    dir: &Path,
    threads: usize,
    watch: &mut Watch<'_>,
) -> Result<Option<u64>, Error> {
    let rules = Numbered::new(game)?;
    let databases = Databases::open(dir, game)?;
    let slices_total = databases.slices().iter().map(SliceFile::size).sum();
    let mut slices_done = 0;
    let mut values: Vec<Vec<i8>> = Vec::new();
    for file in databases.slices() {
        let (slice, slice_size) = (file.slice(), file.size());
        let mut watch = SliceWatch { watch, slice, slices_done, slice_size, slices_total };
        let Ok(loaded) = file.load(threads, &mut |done| watch.tell(Phase::Compare, done / 64, slice_size))
        else {
            return Ok(None);
        };
        values.push(loaded);
        let verifier = Verifier { rules: &rules, slice, values: &values, threads };
        let Ok(nothing) = verifier.run(&mut watch)? else { return Ok(None) };
        let mut summing = Summing::new();
        values[slice as usize].chunks(1 << 16).for_each(|values| {
            summing.add(values);
        });
        if summing.finish(nothing) != *file.summary() {
            return Err(Error::file(file.path(), "the summary at its end is not that of its values"));
        }
        slices_done += slice_size;
    }
    Ok(Some(slices_total))
}

struct Verifier<'a, G: Notation> {
    rules: &'a Numbered<'a, G>,
    slice: u32,
    /// The values of this slice and of all below it.
    values: &'a [Vec<i8>],
    threads: usize,
}

/// What moves there are from a position.
enum Seen {
    Nothing,
    Known(i32),
    Open,
}

impl<G: Notation> Verifier<'_, G> {
    /// Verifies the slice. How many numbers stand for no position.
    fn run(&self, watch: &mut SliceWatch<'_, '_>) -> Result<Result<u64, Stopped>, Error> {
        let here = &self.values[self.slice as usize];
        let founded: Vec<AtomicU64> = (0..here.len().div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
        let Ok(compared) = self.compare(&founded, watch) else { return Ok(Err(Stopped)) };
        let mut nothing = 0;
        for counted in compared {
            nothing += counted?;
        }
        loop {
            let Ok(changed) = self.trace(&founded, watch) else { return Ok(Err(Stopped)) };
            if !changed {
                break;
            }
        }
        for (word, begin) in founded.iter().zip((0u64..).step_by(64)) {
            let number = begin + u64::from(word.load(Ordering::Relaxed).trailing_ones());
            if number < begin + 64 && number < here.len() as u64 {
                return Err(self.wrong(number, "its value is held up by nothing but a circle".to_owned()));
            }
        }
        Ok(Ok(nothing))
    }

    /// Compares every value with those of the moves, and marks what is founded at once. How many numbers stand for no position.
    fn compare(
        &self,
        founded: &[AtomicU64],
        watch: &mut SliceWatch<'_, '_>,
    ) -> Result<Vec<Result<u64, Error>>, Stopped> {
        let here = &self.values[self.slice as usize];
        let total = here.len() as u64;
        let mut tell = |done| watch.tell(Phase::Compare, done, total);
        share(self.threads, here.len(), PIECE, &mut tell, |pieces: &Pieces| {
            let (mut nothing, mut successors) = (0, Vec::new());
            while let Some(piece) = pieces.take() {
                for number in piece {
                    let value = i32::from(here[number]);
                    let best = match self.look(number as u64, &mut successors) {
                        Seen::Nothing => {
                            nothing += 1;
                            0
                        }
                        Seen::Known(value) => value,
                        Seen::Open => {
                            let worth = successors.iter().map(|to| to.worth(self.stored(to)));
                            worth.max().unwrap_or(i32::MIN)
                        }
                    };
                    if best != value {
                        return Err(self.wrong(
                            number as u64,
                            format!("its value is {value}, its best move is worth {best}"),
                        ));
                    }
                    let within = |to: &&Successor| to.slot.slice == self.slice;
                    let leaves = |to: &Successor| !within(&to) && to.worth(self.stored(to)) == value;
                    let at_once = value == 0
                        || successors.is_empty()
                        || (value > 0 && successors.iter().any(leaves))
                        || (value < 0 && !successors.iter().any(|to| within(&to)));
                    if at_once {
                        mark(founded, number);
                    }
                }
            }
            Ok(nothing)
        })
    }

    /// Goes through what is not founded yet. Whether something was.
    fn trace(&self, founded: &[AtomicU64], watch: &mut SliceWatch<'_, '_>) -> Result<bool, Stopped> {
        let here = &self.values[self.slice as usize];
        let changed = AtomicBool::new(false);
        let total = here.len() as u64;
        let done: u64 = founded.iter().map(|word| u64::from(word.load(Ordering::Relaxed).count_ones())).sum();
        let mut tell = |_| watch.tell(Phase::Trace, done, total);
        share(self.threads, here.len(), PIECE, &mut tell, |pieces: &Pieces| {
            let mut successors = Vec::new();
            while let Some(piece) = pieces.take() {
                for place in piece.start / 64..piece.end.div_ceil(64) {
                    let mut open = !founded[place].load(Ordering::Relaxed);
                    while open != 0 {
                        let number = 64 * place + open.trailing_zeros() as usize;
                        open &= open - 1;
                        if number < here.len() && self.is_founded(number, founded, &mut successors) {
                            mark(founded, number);
                            changed.store(true, Ordering::Relaxed);
                        }
                    }
                }
            }
        })?;
        Ok(changed.into_inner())
    }

    fn is_founded(&self, number: usize, founded: &[AtomicU64], successors: &mut Vec<Successor>) -> bool {
        let value = i32::from(self.values[self.slice as usize][number]);
        self.look(number as u64, successors);
        let mut within = successors.iter().filter(|to| to.slot.slice == self.slice);
        if value > 0 {
            within.any(|to| is_marked(founded, to) && to.worth(self.stored(to)) == value)
        } else {
            within.all(|to| is_marked(founded, to))
        }
    }

    fn look(&self, number: u64, successors: &mut Vec<Successor>) -> Seen {
        let (game, index, slot) = (self.rules.game, &self.rules.index, Slot { slice: self.slice, number });
        successors.clear();
        if (index.at_slot)(game, slot).is_none() {
            return Seen::Nothing;
        }
        match (index.successors)(game, slot, successors) {
            Some(value) => {
                successors.clear();
                Seen::Known(value)
            }
            None => Seen::Open,
        }
    }

    fn stored(&self, to: &Successor) -> i32 {
        self.values[to.slot.slice as usize][to.slot.number as usize].into()
    }

    fn wrong(&self, number: u64, problem: String) -> Error {
        let position = (self.rules.index.at_slot)(self.rules.game, Slot { slice: self.slice, number });
        let position =
            position.map_or("no position".to_owned(), |position| self.rules.game.position_text(&position));
        Error::Wrong { slice: self.slice, number, position, problem }
    }
}

fn mark(founded: &[AtomicU64], number: usize) {
    founded[number / 64].fetch_or(1 << (number % 64), Ordering::Relaxed);
}

fn is_marked(founded: &[AtomicU64], to: &Successor) -> bool {
    founded[to.slot.number as usize / 64].load(Ordering::Relaxed) >> (to.slot.number % 64) & 1 != 0
}

#[cfg(test)]
mod tests {
    use quod_model::testkit::{Layers, Truth};
    use quod_model::{Game, Index};

    use super::*;

    /// All ways to give values from -3 to 3 to so many numbers.
    fn assignments(count: usize) -> impl Iterator<Item = Vec<i8>> {
        let digit = |number: usize, place: usize| (number / 7usize.pow(place as u32) % 7) as i8 - 3;
        (0..7usize.pow(count as u32))
            .map(move |number| (0..count).map(|place| digit(number, place)).collect())
    }

    #[test]
    fn only_the_true_values_are_accepted() {
        let mut circles = 0;
        for seed in 0..60 {
            let game = Layers::random(seed, 1, 4);
            let rules = Numbered::new(&game).unwrap();
            let stored = |number| {
                let position = game.at_slot(Slot { slice: 0, number });
                position.map_or(0, |position| Truth::new(&game, &position).value(&position).0 as i8)
            };
            let truth: Vec<i8> = (0..game.slice_size(0)).map(stored).collect();
            assert_eq!(
                game.to_move(&game.start()),
                quod_model::Player::First,
                "values are those of the mover"
            );
            for values in assignments(truth.len()).map(|values| vec![values]) {
                let mut watch = |_| true;
                let mut watch = SliceWatch {
                    watch: &mut watch,
                    slice: 0,
                    slices_done: 0,
                    slice_size: 4,
                    slices_total: 4,
                };
                let verifier = Verifier { rules: &rules, slice: 0, values: &values, threads: 1 };
                match verifier.run(&mut watch) {
                    Ok(accepted) => {
                        assert!(accepted.is_ok() && values[0] == truth, "{values:?} for {truth:?}: {game:?}");
                    }
                    Err(error) => {
                        assert_ne!(values[0], truth, "{error}: {game:?}");
                        circles += u32::from(error.to_string().ends_with("nothing but a circle"));
                    }
                }
            }
        }
        assert!(circles > 40, "{circles} times moves and values agreed, but the values were wrong");
    }
}
