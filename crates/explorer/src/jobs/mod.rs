//! Work that takes time, and who owns it.
//!
//! Whoever listens to the events of a job owns it. A job at work that nobody listens to is stopped and forgotten after [`ORPHANED`]: a
//! closed page leaves no work behind. What it has found is kept as long as somebody asks for it now and then ([`UNASKED`]): a stream
//! for it would take one of the few connections that a browser has. Every job has a thread of its own; no more than some run at once.

mod certificate;
mod events;
mod job;
pub(crate) mod routes;
mod search;
mod values;

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::http::StatusCode;

use crate::failure::Failure;
use events::News;
pub(crate) use job::Job;
pub(crate) use search::request as read_search;

/// How long a job goes on when nobody listens: a page that is loaded again, or whose connection was lost, comes back.
const ORPHANED: Duration = Duration::from_secs(3);
/// How long what a job has found is kept when nobody asks for it: browsers wake pages out of sight once a minute.
const UNASKED: Duration = Duration::from_secs(150);
/// The most jobs that are remembered, with those that have ended.
const REMEMBERED_MAX: usize = 24;
/// The most bytes of a certificate.
pub(crate) const CERTIFICATE_BYTES_MAX: usize = 64 << 20;
/// The most rows of a part of a tree.
pub(crate) const ROWS_MAX: usize = 50_000;

/// The memory of a search that names none: more than most need, and room for those of other pages.
pub(crate) fn usual_memory() -> u64 {
    (1 << 30).min(quod_solver::three_quarters_free())
}

pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// All jobs.
pub(crate) struct Jobs {
    all: Mutex<HashMap<String, Arc<Job>>>,
    running: Arc<AtomicUsize>,
    running_max: usize,
    news: News,
}

/// A thread that is at work.
struct Running(Arc<AtomicUsize>);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Jobs {
    pub(crate) fn new(running_max: usize) -> Self {
        Self { all: Mutex::default(), running: Arc::default(), running_max, news: News::default() }
    }

    /// Begins a job, unless too many are at work already.
    pub(crate) fn begin(&self, work: impl FnOnce(&Job) + Send + 'static) -> Result<Arc<Job>, Failure> {
        let mut all = locked(&self.all);
        let busy = |problem: &str| Err(Failure::new(StatusCode::TOO_MANY_REQUESTS, problem));
        if all.len() >= REMEMBERED_MAX {
            return busy("too many searches are kept open; close other pages");
        }
        if self.running.load(Ordering::SeqCst) >= self.running_max {
            return busy("too many searches run at once; stop one, or close other pages");
        }
        self.running.fetch_add(1, Ordering::SeqCst);
        let running = Running(Arc::clone(&self.running));
        let job = Arc::new(Job::new(new_id()?, Arc::clone(&self.news)));
        let worker = Arc::clone(&job);
        let begun = std::thread::Builder::new().name("job".to_owned()).spawn(move || {
            let _running = running;
            let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| work(&worker)));
            if done.is_err() {
                worker.fail("something is wrong with this program: the work was given up", false);
            }
            worker.end();
        });
        begun.map_err(|error| {
            Failure::new(StatusCode::SERVICE_UNAVAILABLE, format!("no thread could be started: {error}"))
        })?;
        all.insert(job.id().to_owned(), Arc::clone(&job));
        Ok(job)
    }

    pub(crate) fn get(&self, id: &str) -> Result<Arc<Job>, Failure> {
        let job = locked(&self.all).get(id).cloned();
        let job = job.ok_or_else(|| Failure::not_found("job (nobody listened to it?)"))?;
        job.touch();
        Ok(job)
    }

    pub(crate) fn forget(&self, id: &str) {
        if let Some(job) = locked(&self.all).remove(id) {
            job.stop();
        }
    }

    /// Wakes when any job tells something.
    pub(crate) fn news(&self) -> tokio::sync::watch::Receiver<()> {
        self.news.subscribe()
    }

    /// Stops and forgets what nobody listens to.
    pub(crate) fn forget_orphans(&self) {
        locked(&self.all).retain(|_, job| {
            let most = if job.has_ended() { UNASKED } else { ORPHANED };
            let orphaned = job.alone().is_some_and(|time| time > most);
            if orphaned {
                job.stop();
            }
            !orphaned
        });
    }

    pub(crate) fn stop_all(&self) {
        locked(&self.all).drain().for_each(|(_, job)| job.stop());
    }
}

/// A name that nobody can guess.
fn new_id() -> Result<String, Failure> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| {
        Failure::new(StatusCode::SERVICE_UNAVAILABLE, format!("no random numbers: {error}"))
    })?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
