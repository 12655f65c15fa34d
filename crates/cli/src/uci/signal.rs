//! What the one who reads commands tells the one who searches.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// When a search has to end, and when its move may be told.
pub(super) struct Signal {
    state: Mutex<State>,
    changed: Condvar,
    time: Option<Duration>,
}

struct State {
    stopped: bool,
    /// The opponent is to move: the clock does not run, and no move may be told.
    pondering: bool,
    /// No move may be told before a stop.
    infinite: bool,
    deadline: Option<Instant>,
}

impl Signal {
    /// Of a search that begins now and has so much time, which counts from the end of pondering on.
    pub(super) fn new(infinite: bool, pondering: bool, time: Option<Duration>) -> Self {
        let mut state = State { stopped: false, pondering, infinite, deadline: None };
        if !pondering {
            state.deadline = deadline(time);
        }
        Self { state: Mutex::new(state), changed: Condvar::new(), time }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn stop(&self) {
        self.state().stopped = true;
        self.changed.notify_all();
    }

    /// The opponent has made the expected move.
    pub(super) fn ponderhit(&self) {
        let mut state = self.state();
        if std::mem::replace(&mut state.pondering, false) {
            state.deadline = deadline(self.time);
        }
        self.changed.notify_all();
    }

    pub(super) fn goes_on(&self) -> bool {
        let state = self.state();
        !state.stopped && state.deadline.is_none_or(|deadline| Instant::now() < deadline)
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.state().stopped
    }

    /// Whether the move may not be told yet, whatever is found.
    pub(super) fn is_held(&self) -> bool {
        self.state().is_held()
    }

    /// Waits until the move may be told.
    pub(super) fn wait(&self) {
        drop(self.changed.wait_while(self.state(), |state| state.is_held()));
    }
}

impl State {
    fn is_held(&self) -> bool {
        !self.stopped && (self.pondering || self.infinite)
    }
}

fn deadline(time: Option<Duration>) -> Option<Instant> {
    time.and_then(|time| Instant::now().checked_add(time))
}
