//! What is known of a slice under way: written into a checkpoint, and read back (docs/formats/checkpoint.md).
//!
//! Values do not depend on the order of steps, so nothing has to be known about threads. All that counts is in the words, as long
//! as every resolved position whose predecessors have not all been told is pending there.

use std::sync::atomic::{AtomicU16, Ordering};

use quod_checkpoint::{Failure, Reader, Writer};
use quod_model::{Game, Notation, Slot};

use crate::databases::Numbered;
use crate::files::rules_text;
use crate::memory::words;
use crate::word::Word;
use crate::work::{Phase, Pieces, SliceWatch, Stopped, share};

/// What the checkpoint says that it is.
const KIND: &str = "database";
/// Words that are copied together.
const ROUND: usize = 1 << 12;
/// Numbers that a thread takes at a time when they are checked.
const PIECE: usize = 1 << 14;

/// How far the work on a slice has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// So many numbers, the first ones, have been looked at forwards.
    Survey { done: usize },
    /// Positions with a move worth this get their value; all that is larger is done. At 0 everything is.
    Spread { enough: i32 },
}

/// All that is known of a slice.
pub(crate) struct Held {
    whose: Whose,
    pub(crate) value_max: i32,
    pub(crate) words: Vec<AtomicU16>,
    /// How many of the numbers that were looked at stand for no position.
    pub(crate) nothing: u64,
    pub(crate) stage: Stage,
}

/// The rules that a checkpoint is of, and the slice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Whose {
    pub(crate) game: String,
    pub(crate) rules_version: u32,
    pub(crate) slice: u32,
}

impl Whose {
    pub(crate) fn new<G: Notation>(rules: &Numbered<'_, G>, slice: u32) -> Self {
        Self { game: rules.game.game_text(), rules_version: rules.game.rules_version(), slice }
    }

    /// Reads whose a checkpoint is, or what else it is.
    pub(crate) fn read(from: &mut Reader<'_>) -> Result<Result<Self, String>, Failure> {
        let kind = from.text()?;
        if kind != KIND {
            return Ok(Err(format!("something else (\"{}\")", kind.escape_debug())));
        }
        Ok(Ok(Self { game: from.text()?, rules_version: from.item()?, slice: from.item()? }))
    }

    /// The game, as people are told.
    pub(crate) fn rules_text(&self) -> String {
        rules_text(&self.game.escape_debug().to_string(), self.rules_version)
    }
}

impl Held {
    /// A slice of which nothing is known.
    pub(crate) fn new<G: Notation>(rules: &Numbered<'_, G>, slice: u32) -> Self {
        Self {
            whose: Whose::new(rules, slice),
            value_max: rules.value_max(slice),
            words: words(rules.size(slice)),
            nothing: 0,
            stage: Stage::Survey { done: 0 },
        }
    }

    /// Writes everything. No thread may be at work.
    pub(crate) fn write(&self, to: &mut Writer<'_>) -> std::io::Result<()> {
        to.text(KIND)?;
        to.text(&self.whose.game)?;
        to.item(self.whose.rules_version)?;
        to.item(self.whose.slice)?;
        to.item(self.words.len() as u64)?;
        to.item(self.value_max)?;
        let (stage, at, known) = match self.stage {
            Stage::Survey { done } => (0u8, done as u64, done),
            Stage::Spread { enough } => (1, enough.unsigned_abs().into(), self.words.len()),
        };
        to.item(stage)?;
        to.item(at)?;
        to.item(self.nothing)?;
        to.item(known as u64)?;
        let mut rounds = self.words[..known].chunks_exact(ROUND);
        for round in rounds.by_ref() {
            let mut copied = [0u16; ROUND];
            copied.iter_mut().zip(round).for_each(|(copy, word)| *copy = word.load(Ordering::Relaxed));
            to.item(copied)?;
        }
        rounds.remainder().iter().try_for_each(|word| to.item(word.load(Ordering::Relaxed)))
    }

    /// Reads what follows after [`Whose`]. Whoever wrote it: with what is handed out, the work can go on to its end.
    pub(crate) fn read<G: Notation>(
        mut from: Reader<'_>,
        rules: &Numbered<'_, G>,
        threads: usize,
        watch: &mut SliceWatch<'_, '_>,
    ) -> Result<Result<Self, Stopped>, Failure> {
        let slice = watch.slice;
        let (size, value_max) = (rules.size(slice), rules.value_max(slice));
        if from.item::<u64>()? != size as u64 || from.item::<i32>()? != value_max {
            return Err(Failure::damaged("the slice has another number of positions or values"));
        }
        let (stage, at) = (from.item::<u8>()?, from.item::<u64>()?);
        let (stage, known) = match (stage, usize::try_from(at), i32::try_from(at)) {
            (0, Ok(done), _) if done <= size => (Stage::Survey { done }, done),
            (1, _, Ok(enough)) if enough <= value_max.max(1) => (Stage::Spread { enough }, size),
            _ => return Err(Failure::damaged("how far the work had come makes no sense")),
        };
        let nothing = from.item()?;
        if from.item::<u64>()? != known as u64 {
            return Err(Failure::damaged("it has another number of words than it should"));
        }
        let held = Self { nothing, stage, ..Self::new(rules, slice) };
        let mut rounds = held.words[..known].chunks_exact(ROUND);
        for (round, done) in rounds.by_ref().zip((0u64..).step_by(ROUND)) {
            let copied: [u16; ROUND] = from.item()?;
            round.iter().zip(copied).for_each(|(word, copy)| word.store(copy, Ordering::Relaxed));
            // Twice: they are read, and then checked.
            if done % (1 << 20) == 0 && !watch.tell(Phase::Resume, done, 2 * known as u64) {
                return Ok(Err(Stopped));
            }
        }
        for word in rounds.remainder() {
            word.store(from.item()?, Ordering::Relaxed);
        }
        from.end()?;
        held.check(rules, known, threads, watch)
    }

    /// Whether every word is one that the work can have made, and the first `known` numbers are positions where it says so.
    fn check<G: Game>(
        self,
        rules: &Numbered<'_, G>,
        known: usize,
        threads: usize,
        watch: &mut SliceWatch<'_, '_>,
    ) -> Result<Result<Self, Stopped>, Failure> {
        let (slice, value_max, total) = (self.whose.slice, self.value_max, 2 * known as u64);
        let best_max = match self.stage {
            Stage::Survey { .. } => value_max,
            Stage::Spread { enough } => enough.min(value_max),
        };
        let mut tell = |done| watch.tell(Phase::Resume, known as u64 + done, total);
        let checked = share(threads, known, PIECE, &mut tell, |pieces: &Pieces| {
            let mut nothing = 0;
            while let Some(piece) = pieces.take() {
                for (word, number) in self.words[piece.clone()].iter().zip(piece.start as u64..) {
                    let word = Word(word.load(Ordering::Relaxed));
                    let there = (rules.index.at_slot)(rules.game, Slot { slice, number }).is_some();
                    nothing += u64::from(!there);
                    if !(if there { word.is_sound(value_max, best_max) } else { word == Word::resolved(0) }) {
                        return Err(number);
                    }
                }
            }
            Ok(nothing)
        });
        let Ok(checked) = checked else { return Ok(Err(Stopped)) };
        let checked = checked.into_iter().sum::<Result<u64, u64>>();
        let nothing = checked
            .map_err(|number| Failure::damaged(format!("what it says of number {number} makes no sense")))?;
        if nothing != self.nothing {
            return Err(Failure::damaged("it has another number of positions than the slice"));
        }
        Ok(Ok(self))
    }
}

#[cfg(test)]
mod tests {
    use quod_games::Awari;

    use super::*;

    /// What is read of the file that is kept as an example is written as the same bytes.
    #[test]
    #[cfg(target_endian = "little")]
    fn the_golden_file_is_written_as_it_was_read() {
        let golden = include_bytes!("../../../docs/formats/golden/database.checkpoint");
        let game = Awari::new(3, 2).unwrap();
        let rules = Numbered::new(&game).unwrap();
        let mut reader = Reader::new(&golden[..], golden.len() as u64).unwrap();
        let whose = Whose::read(&mut reader).unwrap().unwrap();
        assert_eq!(whose, Whose::new(&rules, 4));
        let mut watch = |_| true;
        let mut watch =
            SliceWatch { watch: &mut watch, slice: 4, slices_done: 0, slice_size: 126, slices_total: 126 };
        let held = Held::read(reader, &rules, 1, &mut watch).unwrap().unwrap();
        assert_eq!((held.stage, held.words.len()), (Stage::Spread { enough: 2 }, 126));
        assert!(held.words.iter().any(|word| Word(word.load(Ordering::Relaxed)).is_pending()));
        let mut written = Vec::new();
        let mut writer = Writer::new(&mut written).unwrap();
        held.write(&mut writer).unwrap();
        writer.end().unwrap();
        assert!(written == golden);
    }
}
