//! Several threads at one problem.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use quod_model::{Numbers, StopReason, Verdict};
use quod_search::{Budget, Counters, DepthFirst, Progress, Search};

/// How long a thread searches before it looks whether it should stop.
const SLICE: Duration = Duration::from_millis(5);

const STEPS_MAX: u64 = 1 << 16;

/// What the threads tell each other and whoever waits for them.
pub(crate) struct Team {
    stop: AtomicBool,
    /// Nodes that nobody has taken yet.
    nodes_left: AtomicU64,
    said: Mutex<Said>,
    /// Somebody has come to an end.
    ended: Condvar,
}

struct Said {
    members: Vec<Member>,
    running: usize,
    /// The first answer, and who gave it.
    answer: Option<(usize, Verdict)>,
    /// Why somebody stopped without one.
    stopped: Option<StopReason>,
}

#[derive(Clone, Copy, Default)]
struct Member {
    counters: Counters,
    root: Option<Numbers>,
    depth_first: Option<DepthFirst>,
}

/// What all threads together have done.
pub(crate) struct Sight {
    pub(crate) counters: Counters,
    pub(crate) root: Numbers,
    pub(crate) depth_first: Option<DepthFirst>,
}

pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Team {
    pub(crate) fn new(size: usize, nodes_max: u64) -> Self {
        let said =
            Said { members: vec![Member::default(); size], running: size, answer: None, stopped: None };
        Self {
            stop: AtomicBool::new(false),
            nodes_left: AtomicU64::new(nodes_max),
            said: Mutex::new(said),
            ended: Condvar::new(),
        }
    }

    pub(crate) fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    /// Has everybody rest as long as this is held: who has done a slice of work waits to tell.
    pub(crate) fn rest(&self) -> impl Drop + '_ {
        locked(&self.said)
    }

    /// Takes some nodes from the common limit.
    fn lease(&self) -> u64 {
        // Few when few are left, so that all threads come to the end together.
        let part = |left: u64| (left / 64).clamp(1 << 10, 1 << 24).min(left);
        let took = self.nodes_left.fetch_update(Relaxed, Relaxed, |left| Some(left - part(left)));
        took.map_or(0, part)
    }

    /// Works at a search until somebody has an answer or says stop.
    pub(crate) fn work(&self, member: usize, search: &mut dyn Search) {
        let _end = End(self);
        let mut steps = 64;
        let mut leased = self.lease();
        while !self.stop.load(Relaxed) {
            let begun = Instant::now();
            let progress = search.advance(Budget { nodes_max: leased, steps_max: steps });
            let took = begun.elapsed();
            if took < SLICE / 2 {
                steps = (steps * 2).min(STEPS_MAX);
            } else if took > SLICE * 2 {
                steps = (steps / 2).max(1);
            }
            let mut said = locked(&self.said);
            said.members[member] = Member {
                counters: search.counters(),
                root: Some(search.root_numbers()),
                depth_first: search.depth_first(),
            };
            match progress {
                Progress::Running => {}
                Progress::Done(Verdict::Unknown(reason)) => {
                    let more = if reason == StopReason::Nodes { self.lease() } else { 0 };
                    leased += more;
                    if more == 0 {
                        said.stopped = Some(reason);
                        break;
                    }
                }
                Progress::Done(verdict) => {
                    said.answer.get_or_insert((member, verdict));
                    self.stop();
                    break;
                }
            }
        }
        self.nodes_left.fetch_add(leased.saturating_sub(search.counters().nodes), Relaxed);
    }

    /// Waits a little; false when all have ended.
    pub(crate) fn wait(&self, time: Duration) -> bool {
        let said = locked(&self.said);
        if said.running == 0 {
            return false;
        }
        let (said, _) = self.ended.wait_timeout(said, time).unwrap_or_else(PoisonError::into_inner);
        said.running > 0
    }

    pub(crate) fn sight(&self) -> Sight {
        let said = locked(&self.said);
        let all = said.members.iter().map(|member| member.counters);
        let counters = all.reduce(Counters::then).unwrap_or_default();
        let first = said.members.first().copied().unwrap_or_default();
        let mut depth_first = first.depth_first;
        if let Some(depths) = &mut depth_first {
            for other in said.members.iter().filter_map(|member| member.depth_first) {
                depths.shallowest = depths.shallowest.min(other.shallowest);
                depths.deepest = depths.deepest.max(other.deepest);
                depths.solved = depths.solved.max(other.solved);
            }
        }
        Sight { counters, root: first.root.unwrap_or(Numbers::ONE), depth_first }
    }

    /// The answer and who gave it, or why there is none.
    pub(crate) fn verdict(&self) -> Result<(usize, Verdict), StopReason> {
        let said = locked(&self.said);
        said.answer.ok_or(said.stopped.unwrap_or(StopReason::Interrupted))
    }
}

/// Says that a thread has ended, even if it panics.
struct End<'t>(&'t Team);

impl Drop for End<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop();
        }
        locked(&self.0.said).running -= 1;
        self.0.ended.notify_all();
    }
}
