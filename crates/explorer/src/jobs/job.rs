//! A job: what it is told, what it tells, and what it has found.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use quod_solver::{Door, KeptTree, Place, Proof};
use serde_json::{Value, json};

use super::events::{Events, News};
use super::locked;
use super::search::Question;

/// Work with an owner.
pub(crate) struct Job {
    id: String,
    pub(crate) events: Events,
    stopped: AtomicBool,
    ended: AtomicBool,
    rests: AtomicBool,
    listeners: Mutex<Listeners>,
    /// What people may look into.
    pub(crate) shown: Mutex<Shown>,
}

struct Listeners {
    count: usize,
    /// Since when there are none.
    alone: Instant,
}

/// What a job holds for people to look into.
#[derive(Default)]
pub(crate) struct Shown {
    /// The game and the root of a search.
    pub(crate) root: Option<(Arc<dyn Door>, Place)>,
    /// Whether a search is at work that answers questions about its tree.
    pub(crate) live: bool,
    /// Such questions.
    pub(crate) questions: Vec<Question>,
    /// The tree of a search that has ended.
    pub(crate) tree: Option<Arc<KeptTree>>,
    /// A file.
    pub(crate) certificate: Option<Arc<Vec<u8>>>,
    /// A certificate that was checked.
    pub(crate) proof: Option<Arc<dyn Proof>>,
}

/// Somebody who listens to a job.
pub(crate) struct Listener(Arc<Job>);

impl Drop for Listener {
    fn drop(&mut self) {
        let mut listeners = locked(&self.0.listeners);
        listeners.count -= 1;
        listeners.alone = Instant::now();
    }
}

impl Listener {
    pub(crate) fn new(job: Arc<Job>) -> Self {
        locked(&job.listeners).count += 1;
        Self(job)
    }

    pub(crate) fn job(&self) -> &Job {
        &self.0
    }
}

impl Job {
    pub(crate) fn new(id: String, news: News) -> Self {
        Self {
            id,
            events: Events::new(news),
            stopped: AtomicBool::new(false),
            ended: AtomicBool::new(false),
            rests: AtomicBool::new(false),
            listeners: Mutex::new(Listeners { count: 0, alone: Instant::now() }),
            shown: Mutex::default(),
        }
    }

    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    pub(crate) fn stop(&self) {
        self.stopped.store(true, Ordering::SeqCst);
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::SeqCst)
    }

    pub(crate) fn rest(&self, rests: bool) {
        self.rests.store(rests, Ordering::SeqCst);
    }

    pub(crate) fn rests(&self) -> bool {
        self.rests.load(Ordering::SeqCst) && !self.is_stopped()
    }

    /// Says that its thread has nothing more to do.
    pub(crate) fn end(&self) {
        self.ended.store(true, Ordering::SeqCst);
        self.touch();
    }

    pub(crate) fn has_ended(&self) -> bool {
        self.ended.load(Ordering::SeqCst)
    }

    /// Somebody has asked for it. That keeps what it has found, and not its work.
    pub(crate) fn touch(&self) {
        if self.has_ended() {
            locked(&self.listeners).alone = Instant::now();
        }
    }

    /// How long nobody has listened.
    pub(crate) fn alone(&self) -> Option<Duration> {
        let listeners = locked(&self.listeners);
        (listeners.count == 0).then(|| listeners.alone.elapsed())
    }

    pub(crate) fn shown(&self) -> std::sync::MutexGuard<'_, Shown> {
        locked(&self.shown)
    }

    /// Tells something of which only the last matters.
    pub(crate) fn tell(&self, name: &'static str, data: Value) {
        self.events.tell(name, name, data);
    }

    pub(crate) fn fail(&self, error: &str, refused: bool) {
        self.tell("failed", json!({ "error": error, "refused": refused }));
    }
}
