//! A slice worked out from the slices below it, by retrograde analysis (Ströhlein 1970, Thompson 1986; for capture games with many
//! values van der Meulen, Allis and van den Herik 1990, Romein and Bal 2003).
//!
//! First every position is looked at forwards: values that the rules say at once, the best move into smaller slices, the number
//! of moves within the slice. Then, for v from the largest value down to 1, every position that has a move worth v gets the
//! value v. A position with a value tells its predecessors, which have one open move less and perhaps a better best one; one
//! without open moves gets its best value, and so on until nothing changes. What is left in the end is worth 0.
//!
//! Why this is exact. When nothing changes any more for v + 1, call U the positions without a value. Each of them has a move
//! within U (else its last open move would have given it a value), and no move out of U is worth more than v to whoever makes
//! it (else it would have got a value). So both players can stay in U as long as the other does, and whoever leaves it gets at
//! most v; staying forever is worth 0. Hence all values in U lie between -v and v, and a position of U with a move worth v is
//! worth exactly v. For v = 0 all values in U are 0. A position without open moves has the best of exact values. None of this
//! depends on the order of the steps, so any number of threads gives the same values.
//!
//! A position is held in two bytes (`word.rs`). Lists of positions whose predecessors are to be told are short: what does not
//! fit is marked in its word and found again by looking through the slice once more. So is what is on a list when the work is
//! stopped, for a checkpoint or altogether: between two steps, a resolved position is marked, on a list, or its predecessors have
//! all been told; when threads have stopped, the lists are empty and the words say everything.

use std::sync::atomic::{AtomicBool, AtomicU16, Ordering};

use quod_model::{Game, Slot, Surveyed};

use crate::databases::Numbered;
use crate::held::{Held, Stage};
use crate::keeper::Keeper;
use crate::memory::prefetch;
use crate::word::{WITHIN_MAX, Word};
use crate::work::{Phase, Pieces, Shared, SliceWatch, Stopped, share_from};

/// Numbers that a thread takes at a time.
const PIECE: usize = if cfg!(test) { 8 } else { 1 << 14 };
/// Numbers that are looked at together, so that memory answers many questions at once.
const BATCH: usize = if cfg!(test) { 4 } else { 64 };

/// The work on one slice.
pub(crate) struct Retrograde<'a, G: Game> {
    pub(crate) rules: &'a Numbered<'a, G>,
    pub(crate) slice: u32,
    /// The values of the slices below.
    pub(crate) lower: &'a [Vec<i8>],
    pub(crate) threads: usize,
    /// How many positions a thread keeps in mind whose predecessors are to be told.
    pub(crate) list_max: usize,
}

impl<G: Game> Retrograde<'_, G> {
    /// Works the slice out from what is held of it, until its values can be read from its words. When that is stopped, what is
    /// held is in a checkpoint, if there are any.
    pub(crate) fn run(
        &self,
        held: &mut Held,
        keeper: &mut Keeper,
        watch: &mut SliceWatch<'_, '_>,
    ) -> Result<(), Stopped> {
        // Values that were there from the beginning are told in the first round, even where no value is larger than 0.
        let first = held.value_max.max(1);
        loop {
            held.stage = match held.stage {
                Stage::Survey { done } if done < held.words.len() => {
                    self.survey(held, done, keeper, watch)?;
                    continue;
                }
                Stage::Survey { .. } => Stage::Spread { enough: first },
                Stage::Spread { enough: 0 } => return Ok(()),
                Stage::Spread { enough } => {
                    self.spread(held, enough, first, keeper, watch)?;
                    Stage::Spread { enough: enough - 1 }
                }
            }
        }
    }

    /// Looks at numbers forwards, from the first one that is not done, to the end or until it is stopped.
    fn survey(
        &self,
        held: &mut Held,
        from: usize,
        keeper: &mut Keeper,
        watch: &mut SliceWatch<'_, '_>,
    ) -> Result<(), Stopped> {
        let words = &held.words;
        let (before, total) = (from as u64, words.len() as u64);
        let mut tell = |done| keeper.goes_on(watch, Phase::Survey, before + done, total);
        let work = |pieces: &Pieces| {
            let (mut found, mut leaving) = (Vec::new(), Vec::new());
            let mut nothing = 0;
            while let Some(piece) = pieces.take() {
                for begin in piece.clone().step_by(BATCH) {
                    let batch = begin..(begin + BATCH).min(piece.end);
                    found.clear();
                    leaving.clear();
                    let numbers = batch.start as u64..batch.end as u64;
                    (self.rules.index.survey)(self.rules.game, self.slice, numbers, &mut found, &mut leaving);
                    for to in &leaving {
                        prefetch(&self.lower[to.slot.slice as usize][to.slot.number as usize]);
                    }
                    let mut moves = leaving.iter();
                    for (word, seen) in words[batch].iter().zip(&found) {
                        let first = match *seen {
                            Surveyed::Nothing => {
                                nothing += 1;
                                Word::resolved(0)
                            }
                            Surveyed::Known(value) => Word::resolved(value).pending(),
                            Surveyed::Open { within, leaving } => {
                                let worth = moves.by_ref().take(leaving as usize).map(|to| {
                                    let stored = self.lower[to.slot.slice as usize][to.slot.number as usize];
                                    to.worth(stored.into())
                                });
                                let best = worth.max().unwrap_or(Word::NO_VALUE);
                                assert!(within <= WITHIN_MAX, "a position with {within} moves in its slice");
                                assert!(within + leaving > 0, "a position without moves and value");
                                if within == 0 {
                                    Word::resolved(best).pending()
                                } else {
                                    Word::open(best, within)
                                }
                            }
                        };
                        word.store(first.0, Ordering::Relaxed);
                    }
                }
            }
            nothing
        };
        let shared = share_from(self.threads, from..words.len(), PIECE, &mut tell, work);
        held.nothing += shared.results.into_iter().sum::<u64>();
        held.stage = Stage::Survey { done: shared.reached };
        if shared.stopped { keeper.pause(held, watch) } else { Ok(()) }
    }

    /// Gives every position with a move worth `enough` that value, and tells predecessors until nothing changes.
    fn spread(
        &self,
        held: &Held,
        enough: i32,
        first: i32,
        keeper: &mut Keeper,
        watch: &mut SliceWatch<'_, '_>,
    ) -> Result<(), Stopped> {
        let (done, total) = ((first - enough).unsigned_abs().into(), first.unsigned_abs().into());
        let size = held.words.len();
        let (mut from, mut again) = (0, false);
        loop {
            let mut tell = |_| keeper.goes_on(watch, Phase::Spread, done, total);
            let (shared, overflow) = self.pass(&held.words, from, enough, &mut tell);
            (from, again) = (shared.reached, again | overflow);
            if shared.stopped {
                keeper.pause(held, watch)?;
            }
            if from == size {
                if !again {
                    return Ok(());
                }
                (from, again) = (0, false);
            }
        }
    }

    /// Goes through the slice once, from some number to the end or until it is stopped. Whether something was left to tell: more
    /// than the lists could hold, or what they held when it was stopped.
    fn pass(
        &self,
        words: &[AtomicU16],
        from: usize,
        enough: i32,
        tell: &mut dyn FnMut(u64) -> bool,
    ) -> (Shared<()>, bool) {
        let overflow = AtomicBool::new(false);
        let work = |pieces: &Pieces| {
            let mut spreader = Spreader {
                work: self,
                words,
                enough,
                list: Vec::with_capacity(self.list_max),
                predecessors: Vec::new(),
                told: Vec::new(),
                overflow: &overflow,
                pieces,
            };
            while let Some(piece) = pieces.take() {
                for (word, number) in words[piece.clone()].iter().zip(piece.start as u64..) {
                    let seen = Word(word.load(Ordering::Relaxed));
                    if seen.is_pending() || (!seen.is_resolved() && seen.best() == enough) {
                        spreader.begin(word, number);
                    }
                }
            }
            spreader.finish();
        };
        let shared = share_from(self.threads, from..words.len(), PIECE, tell, work);
        (shared, overflow.into_inner())
    }
}

/// One thread that tells predecessors.
struct Spreader<'a, G: Game> {
    work: &'a Retrograde<'a, G>,
    words: &'a [AtomicU16],
    enough: i32,
    /// Resolved positions whose predecessors are to be told.
    list: Vec<u64>,
    predecessors: Vec<u64>,
    /// How many of `predecessors` there are for each position of a batch, and what they are told.
    told: Vec<(usize, i32)>,
    overflow: &'a AtomicBool,
    pieces: &'a Pieces,
}

impl<G: Game> Spreader<'_, G> {
    /// Takes a pending position, or an open one whose best move is enough, unless another thread has been faster.
    fn begin(&mut self, word: &AtomicU16, number: u64) {
        let taken = word.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |old| {
            let old = Word(old);
            if old.is_pending() { Some(old.told().0) } else { (!old.is_resolved()).then(|| old.settled().0) }
        });
        if taken.is_ok() {
            self.push(word, number);
            while self.list.len() >= BATCH && !self.pieces.is_stopped() {
                self.step();
            }
        }
    }

    /// Tells all that is left, or marks it if the work is to stop.
    fn finish(&mut self) {
        while !self.list.is_empty() && !self.pieces.is_stopped() {
            self.step();
        }
        for number in std::mem::take(&mut self.list) {
            self.mark(&self.words[number as usize]);
        }
    }

    /// Marks a position whose predecessors are to be told later.
    fn mark(&self, word: &AtomicU16) {
        word.fetch_or(Word(0).pending().0, Ordering::Relaxed);
        self.overflow.store(true, Ordering::Relaxed);
    }

    fn push(&mut self, word: &AtomicU16, number: u64) {
        if self.list.len() < self.work.list_max {
            self.list.push(number);
        } else {
            self.mark(word);
        }
    }

    /// Tells the predecessors of the last positions of the list.
    fn step(&mut self) {
        let (rules, slice) = (self.work.rules, self.work.slice);
        self.predecessors.clear();
        self.told.clear();
        let batch = self.list.len().saturating_sub(BATCH);
        for number in self.list.drain(batch..) {
            let begin = self.predecessors.len();
            (rules.index.predecessors)(rules.game, Slot { slice, number }, &mut self.predecessors);
            for predecessor in &self.predecessors[begin..] {
                prefetch(&self.words[*predecessor as usize]);
            }
            let value = Word(self.words[number as usize].load(Ordering::Relaxed)).best();
            self.told.push((self.predecessors.len(), -value));
        }
        let mut at = 0;
        for told in 0..self.told.len() {
            let (end, value) = self.told[told];
            for place in std::mem::replace(&mut at, end)..end {
                self.tell(self.predecessors[place], value);
            }
        }
    }

    /// Tells a position that one of its moves is worth `value`.
    #[inline]
    fn tell(&mut self, number: u64, value: i32) {
        let words = self.words;
        let word = &words[number as usize];
        let mut old = word.load(Ordering::Relaxed);
        loop {
            if Word(old).is_resolved() {
                return;
            }
            let new = Word(old).with_move(value, self.enough);
            match word.compare_exchange_weak(old, new.0, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) if new.is_resolved() => return self.push(word, number),
                Ok(_) => return,
                Err(now) => old = now,
            }
        }
    }
}
