//! Work on a range of numbers by several threads, with progress and a way to stop.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::thread::ScopedJoinHandle;
use std::time::Duration;

use crate::keeper::Notice;

/// What is being done to a slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Its file is read.
    Load,
    /// A checkpoint is read.
    Resume,
    /// Every position is looked at once, forwards.
    Survey,
    /// Values go backwards from move to move.
    Spread,
    /// The file is written.
    Write,
    /// Every value is compared with those that the moves lead to.
    Compare,
    /// Wins and losses are traced to where they come from.
    Trace,
}

impl Phase {
    /// What people are told.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Load => "load",
            Self::Resume => "resume",
            Self::Survey => "survey",
            Self::Spread => "spread",
            Self::Write => "write",
            Self::Compare => "compare",
            Self::Trace => "trace",
        }
    }
}

/// How far the work on a slice has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The slice.
    pub slice: u32,
    /// What is done to it.
    pub phase: Phase,
    /// How many steps of the phase are done.
    pub done: u64,
    /// Out of so many.
    pub total: u64,
    /// The numbers of the slices that are done.
    pub slices_done: u64,
    /// The numbers of this slice.
    pub slice_size: u64,
    /// The numbers of all slices that are worked on.
    pub slices_total: u64,
}

impl Progress {
    /// How much of the whole work is done, from 0 to 1, if all numbers take equally long.
    #[must_use]
    pub fn fraction(&self) -> f64 {
        // How much of the time for a slice goes by before a phase, and how much in it.
        let (before, share) = match self.phase {
            Phase::Load => (0.0, 1.0),
            // How much of the work a checkpoint holds is seen when it is read.
            Phase::Resume => (0.0, 0.0),
            Phase::Survey => (0.0, 0.3),
            Phase::Spread => (0.3, 0.6),
            Phase::Write => (0.9, 0.1),
            Phase::Compare => (0.0, 0.4),
            Phase::Trace => (0.4, 0.6),
        };
        let within = before + share * self.done as f64 / self.total.max(1) as f64;
        (self.slices_done as f64 + within * self.slice_size as f64) / self.slices_total.max(1) as f64
    }
}

/// Tells a watch about the work on one slice of several.
pub(crate) struct SliceWatch<'a, 'w> {
    pub(crate) watch: &'a mut Watch<'w>,
    pub(crate) slice: u32,
    pub(crate) slices_done: u64,
    pub(crate) slice_size: u64,
    pub(crate) slices_total: u64,
}

impl SliceWatch<'_, '_> {
    /// Tells how far a phase has come; false if the work is to stop.
    pub(crate) fn tell(&mut self, phase: Phase, done: u64, total: u64) -> bool {
        let Self { slice, slices_done, slice_size, slices_total, .. } = *self;
        (self.watch)(Event::Progress(Progress {
            slice,
            phase,
            done,
            total,
            slices_done,
            slice_size,
            slices_total,
        }))
    }

    /// Tells something that a person should know. Whether to go on is asked when progress is told.
    pub(crate) fn notice(&mut self, notice: Notice) {
        (self.watch)(Event::Notice(notice));
    }
}

/// What a watch is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// How far the work has come.
    Progress(Progress),
    /// Something about checkpoints that a person should know; the answer does not matter.
    Notice(Notice),
}

/// Is told how far the work has come, and answers whether it is to go on.
pub type Watch<'w> = dyn FnMut(Event) -> bool + 'w;

/// The work was stopped by its watch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stopped;

/// How often the watch is told.
const TOLD_EVERY: Duration = Duration::from_millis(100);

/// A range of numbers that threads take pieces of.
pub(crate) struct Pieces {
    next: AtomicU64,
    piece: u64,
    end: u64,
    done: AtomicU64,
    stopped: AtomicBool,
    #[cfg(test)]
    patience: AtomicU64,
}

impl Pieces {
    fn new(numbers: Range<usize>, piece: usize) -> Self {
        Self {
            next: AtomicU64::new(numbers.start as u64),
            piece: piece as u64,
            end: numbers.end as u64,
            done: AtomicU64::new(0),
            stopped: AtomicBool::new(false),
            #[cfg(test)]
            patience: AtomicU64::new(patience::left()),
        }
    }

    /// The next piece. What was taken before is done.
    pub(crate) fn take(&self) -> Option<Range<usize>> {
        if self.is_stopped() {
            return None;
        }
        let begin = self.next.fetch_add(self.piece, Ordering::Relaxed);
        if begin >= self.end {
            return None;
        }
        let end = (begin + self.piece).min(self.end);
        self.done.fetch_add(end - begin, Ordering::Relaxed);
        Some(begin as usize..end as usize)
    }

    /// Whether the work is to stop. Whoever has taken a piece does all that must not be left undone of it.
    #[inline]
    pub(crate) fn is_stopped(&self) -> bool {
        #[cfg(test)]
        if patience::is_used_up(&self.patience) {
            self.stopped.store(true, Ordering::Relaxed);
        }
        self.stopped.load(Ordering::Relaxed)
    }
}

/// Lets `threads` threads work on `0..end` in pieces until there are none left. `tell` is told how many numbers have been
/// taken; false stops.
pub(crate) fn share<R: Send>(
    threads: usize,
    end: usize,
    piece: usize,
    tell: &mut dyn FnMut(u64) -> bool,
    work: impl Fn(&Pieces) -> R + Sync,
) -> Result<Vec<R>, Stopped> {
    let shared = share_from(threads, 0..end, piece, tell, work);
    if shared.stopped { Err(Stopped) } else { Ok(shared.results) }
}

/// What threads have done together.
pub(crate) struct Shared<R> {
    pub(crate) results: Vec<R>,
    /// All numbers before this one were in pieces that somebody has taken.
    pub(crate) reached: usize,
    pub(crate) stopped: bool,
}

/// The same with a part of the numbers. Nothing is lost when it is stopped: it can go on from where it has come to.
pub(crate) fn share_from<R: Send>(
    threads: usize,
    numbers: Range<usize>,
    piece: usize,
    tell: &mut dyn FnMut(u64) -> bool,
    work: impl Fn(&Pieces) -> R + Sync,
) -> Shared<R> {
    let threads = threads.min(numbers.len().div_ceil(piece)).max(1);
    let end = numbers.end;
    let pieces = Pieces::new(numbers, piece);
    let running = AtomicUsize::new(threads);
    let teller = std::thread::current();
    let results = std::thread::scope(|scope| {
        let worker = || {
            let result = work(&pieces);
            running.fetch_sub(1, Ordering::Release);
            teller.unpark();
            result
        };
        let handles: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
        while running.load(Ordering::Acquire) > 0 && !handles.iter().all(ScopedJoinHandle::is_finished) {
            std::thread::park_timeout(TOLD_EVERY);
            if !tell(pieces.done.load(Ordering::Relaxed)) {
                pieces.stopped.store(true, Ordering::Relaxed);
            }
        }
        let results = handles.into_iter().map(ScopedJoinHandle::join);
        results.map(|result| result.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
    });
    #[cfg(test)]
    patience::leave(&pieces.patience);
    let stopped = pieces.stopped.into_inner();
    if stopped {
        // Whoever watches knows where it has stopped, and has the last word.
        tell(pieces.done.into_inner());
    }
    Shared { results, reached: (pieces.next.into_inner() as usize).min(end), stopped }
}

/// Tests stop work wherever it looks whether it is to stop: the thread that shares work out says how many looks from now.
#[cfg(test)]
pub(crate) mod patience {
    use std::cell::Cell;
    use std::sync::atomic::{AtomicU64, Ordering};

    thread_local!(static LOOKS: Cell<u64> = const { Cell::new(u64::MAX) });

    /// Stops at the look after so many.
    pub(crate) fn set(looks: u64) {
        LOOKS.set(looks);
    }

    pub(crate) fn left() -> u64 {
        LOOKS.get()
    }

    pub(super) fn leave(looks: &AtomicU64) {
        LOOKS.set(looks.load(Ordering::Relaxed));
    }

    pub(super) fn is_used_up(looks: &AtomicU64) -> bool {
        let less = |looks: u64| if looks == u64::MAX { None } else { looks.checked_sub(1) };
        looks.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less) == Err(0)
    }
}
