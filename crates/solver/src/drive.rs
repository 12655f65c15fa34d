//! Drives a search: clock, limits, interruption and progress live here and not in the search.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use quod_checkpoint::{Failure, Reader, State};
use quod_model::{Numbers, StopReason, Verdict};
use quod_search::{Budget, Counters, DepthFirst, Interval, Progress, Search, View};

use crate::keep::{Course, Keeper, Notice, Resumption, Shared, Stage, restore_search};
use crate::report::CheckpointCounts;
use crate::team::{Team, locked};

/// What the work is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Searching; the numbers of the root, and where a depth-first search is.
    Search(Numbers, Option<DepthFirst>),
    /// Putting a strategy together for the certificate; positions so far.
    Certificate(u64),
    /// Proving an opening; pieces that are proved, and all of those at hand.
    Pieces(u64, u64),
}

/// How far the work has come.
#[derive(Clone, Copy, Debug)]
pub struct Snapshot {
    /// What it is doing.
    pub phase: Phase,
    /// The question that is searched, "at least this?".
    pub at_least: i32,
    /// The value is at least this.
    pub lower: i32,
    /// The value is at most this.
    pub upper: i32,
    /// Nodes created.
    pub nodes: u64,
    /// Bytes in use.
    pub memory_bytes: u64,
    /// Time since the start.
    pub elapsed: Duration,
}

/// Somebody who looks on and may stop the work, or have it rest.
pub trait Watch {
    /// Called some ten to a hundred times a second. False stops the work.
    fn goes_on(&mut self, snapshot: &Snapshot) -> bool;

    /// Whether the work rests. Time that it rests is not counted.
    fn rests(&mut self) -> bool {
        false
    }

    /// Called as often, also while the work rests, where the search for the answer holds a tree or graph that can be looked
    /// into; and once more when that search has ended.
    fn look(&mut self, _look: &Look<'_>) {}

    /// Is told what happens to checkpoints.
    fn notice(&mut self, _notice: &Notice) {}
}

/// A search tree or graph, and what it is about.
#[derive(Clone, Copy)]
pub struct Look<'v> {
    /// What can be seen.
    pub view: &'v dyn View,
    /// Whether its moves are those of canonical positions.
    pub symmetric: bool,
    /// The question, "at least this?".
    pub at_least: i32,
    /// Whether the search has ended.
    pub ended: bool,
}

/// Nobody looks on.
impl Watch for () {
    fn goes_on(&mut self, _: &Snapshot) -> bool {
        true
    }
}

/// How long one slice of work should take: short beside the half second that limits may be late.
const SLICE: Duration = Duration::from_millis(10);
const STEPS_MAX: u64 = 1 << 20;
/// How long work that rests waits before it asks whether it should go on.
const REST: Duration = Duration::from_millis(20);

/// The limits of one piece of work, and who watches it.
pub(crate) struct Driver<'w> {
    started: Instant,
    deadline: Option<Instant>,
    nodes_max: u64,
    watch: &'w mut dyn Watch,
    /// Steps of the next slice, learned from the last ones.
    steps: u64,
    /// What earlier searches of this work have done.
    done: Counters,
    /// What is proven so far, for those who look on.
    pub(crate) interval: Interval,
    /// Why the work was stopped; nothing goes on after that.
    stopped: Option<StopReason>,
    /// Whether what a search holds is shown, and then whether its moves are those of canonical positions.
    shows: Option<bool>,
    /// Writes checkpoints, if they are wanted.
    keeper: Option<Keeper>,
    /// What the next search that is kept goes on from.
    restoring: Option<Reader<'static>>,
    /// Why it could not.
    failure: Option<Failure>,
    /// The nodes of the checkpoint that the work goes on from.
    resumed_nodes: Option<u64>,
    checkpoints: CheckpointCounts,
    /// What the search to go on with had done.
    doing: Counters,
    /// Whether it has less memory now.
    less_memory: bool,
}

impl<'w> Driver<'w> {
    pub(crate) fn new(limits: crate::Limits, interval: Interval, watch: &'w mut dyn Watch) -> Self {
        let started = Instant::now();
        Self {
            started,
            deadline: limits.time.and_then(|time| started.checked_add(time)),
            nodes_max: limits.nodes.unwrap_or(u64::MAX),
            watch,
            steps: 16,
            done: Counters::default(),
            interval,
            stopped: None,
            shows: None,
            keeper: None,
            restoring: None,
            failure: None,
            resumed_nodes: None,
            checkpoints: CheckpointCounts::default(),
            doing: Counters::default(),
            less_memory: false,
        }
    }

    /// Has checkpoints written of the searches that begin with a stage, and goes on from one.
    pub(crate) fn keep(&mut self, mut keeper: Keeper, resumption: Option<Resumption>) {
        if let Some(Resumption { course, memory, reader, .. }) = resumption {
            // The limit of time is for this run; nodes are counted from the beginning.
            self.started = self.started.checked_sub(course.elapsed).unwrap_or(self.started);
            self.nodes_max = self.nodes_max.max(course.nodes);
            (self.done, self.interval) = (course.done, course.interval);
            self.doing = course.doing;
            self.restoring = reader;
            self.less_memory = memory > keeper.memory();
            if course.full && memory >= keeper.memory() {
                // It would only try in vain once more.
                self.stopped = Some(StopReason::Memory);
            }
            self.resumed_nodes = Some(course.nodes);
        } else {
            let course = self.course(Counters::default(), false);
            keeper.write_first(&course);
        }
        self.keeper = Some(keeper);
        self.tell_notices();
    }

    /// What stood beside the search to go on with, if there is one to go on with.
    pub(crate) fn resumed<R>(
        &mut self,
        read: impl FnOnce(&mut Reader<'static>) -> Result<R, Failure>,
    ) -> Result<Option<R>, Failure> {
        self.restoring.as_mut().map(read).transpose()
    }

    /// The nodes of the checkpoint that the work goes on from.
    pub(crate) fn resumed_nodes(&self) -> Option<u64> {
        self.resumed_nodes
    }

    /// What became of checkpoints, if they are kept.
    pub(crate) fn checkpoints(&self) -> Option<CheckpointCounts> {
        self.keeper.as_ref().map(|_| self.checkpoints)
    }

    /// Why a search could not go on from a checkpoint.
    pub(crate) fn failure(&self) -> Option<&Failure> {
        self.failure.as_ref()
    }

    /// Does a search of which checkpoints are written, with what stands beside it.
    pub(crate) fn keeping<R>(
        &mut self,
        stage: impl FnOnce() -> Stage,
        search: impl FnOnce(&mut Self) -> R,
    ) -> R {
        if let Some(keeper) = &mut self.keeper {
            keeper.stage = Some(stage());
        }
        let found = search(self);
        if let Some(keeper) = &mut self.keeper {
            keeper.stage = None;
        }
        found
    }

    /// Whether checkpoints are written of what is searched now.
    fn is_kept(&self) -> bool {
        self.keeper.as_ref().is_some_and(|keeper| keeper.stage.is_some())
    }

    /// Gives a search what it held, if it is the one to go on with. False if that cannot be.
    fn restore(&mut self, mut search: Option<&mut dyn Search>, shared: Option<&dyn Shared>) -> bool {
        if !self.is_kept() {
            return true;
        }
        let Some(mut reader) = self.restoring.take() else { return true };
        let restored = match &mut search {
            Some(search) => restore_search(Some(&mut **search), shared, &mut reader),
            None => restore_search(None, shared, &mut reader),
        };
        let memory = self.keeper.as_ref().map_or(0, Keeper::memory);
        let used = search.map_or(0, |search| search.counters().memory_bytes);
        match restored {
            Err(failure) => self.failure = Some(failure),
            Ok(_) if self.less_memory && used > memory + memory / 10 => {
                let why = format!("it holds {used} bytes, and the limit of memory is {memory}");
                self.failure = Some(Failure::unfit(why));
            }
            Ok(true) => {}
            // What one search had done counts, although it is not the one that goes on.
            Ok(false) => self.done = self.done.then(self.doing),
        }
        if self.failure.is_some() {
            self.stopped = Some(StopReason::Interrupted);
        }
        self.failure.is_none()
    }

    /// Writes a checkpoint of a search, if it is time to and it can be written down.
    fn keep_now(&mut self, search: &dyn Search, shared: Option<&dyn Shared>, ended: Option<Verdict>) {
        let full = ended == Some(Verdict::Unknown(StopReason::Memory));
        if self.is_kept()
            && let Some(state) = search.state()
        {
            let course = self.course(search.counters(), full);
            self.write(&course, shared, Some(state), ended);
        }
    }

    /// The same of what the members of a team share, who go on meanwhile.
    fn keep_team(&mut self, shared: &dyn Shared, counters: Counters, ended: Option<Verdict>) {
        let course = Course { done: self.done.then(counters), ..self.course(Counters::default(), false) };
        let course = Course { nodes: course.done.nodes, ..course };
        if self.is_kept() {
            self.write(&course, Some(shared), None, ended);
        }
    }

    fn write(
        &mut self,
        course: &Course,
        shared: Option<&dyn Shared>,
        search: Option<&dyn State>,
        ended: Option<Verdict>,
    ) {
        let Some(keeper) = &mut self.keeper else { return };
        match ended {
            None if keeper.is_due() => keeper.write(course, shared, search),
            Some(Verdict::Unknown(_)) => keeper.write_last(course, shared, search),
            Some(_) if keeper.has_much_to_lose() => keeper.write_last(course, shared, search),
            _ => return,
        }
        self.tell_notices();
    }

    fn course(&self, doing: Counters, full: bool) -> Course {
        let (elapsed, nodes) = (self.started.elapsed(), self.done.nodes + doing.nodes);
        Course { elapsed, interval: self.interval, done: self.done, nodes, doing, full }
    }

    /// Says how large the table is that searches share.
    pub(crate) fn shares_table(&mut self, bytes: u64) {
        if let Some(keeper) = &mut self.keeper {
            keeper.table_bytes = bytes;
        }
    }

    fn tell_notices(&mut self) {
        let Some(keeper) = &mut self.keeper else { return };
        for notice in keeper.notices.drain(..) {
            let counts = &mut self.checkpoints;
            match notice {
                Notice::Written(bytes, pause) => {
                    counts.written += 1;
                    counts.bytes = bytes;
                    counts.longest_pause = counts.longest_pause.max(pause.as_secs_f64());
                }
                Notice::Failed(_) => counts.failed += 1,
                Notice::Older(_) | Notice::Resumed(..) => {}
            }
            self.watch.notice(&notice);
        }
    }

    /// Runs the search for the answer itself: who watches may look into it.
    pub(crate) fn run_shown(
        &mut self,
        search: &mut dyn Search,
        asked: Interval,
        held: u64,
        symmetric: bool,
    ) -> Verdict {
        self.shows = Some(symmetric);
        let verdict = self.run(search, asked, held);
        self.shows = None;
        verdict
    }

    /// Runs a search to its end or to a limit, about values of the range `asked`: one that is no range of values is a
    /// question, whether its upper end is reached. `held` are bytes in use beside it.
    pub(crate) fn run(&mut self, search: &mut dyn Search, asked: Interval, held: u64) -> Verdict {
        self.run_to_end(search, None, asked, held)
    }

    fn run_to_end(
        &mut self,
        search: &mut dyn Search,
        shared: Option<&dyn Shared>,
        asked: Interval,
        held: u64,
    ) -> Verdict {
        if !self.restore(Some(search), shared) {
            return Verdict::Unknown(StopReason::Interrupted);
        }
        self.run_sharing(search, shared, asked, held, u64::MAX).expect("it has not run out of steps")
    }

    /// The same with so many steps at the most; nothing if they were not enough.
    pub(crate) fn run_steps(
        &mut self,
        search: &mut dyn Search,
        asked: Interval,
        held: u64,
        steps_max: u64,
    ) -> Option<Verdict> {
        self.run_sharing(search, None, asked, held, steps_max)
    }

    /// The same for a search that shares something with others.
    fn run_sharing(
        &mut self,
        search: &mut dyn Search,
        shared: Option<&dyn Shared>,
        asked: Interval,
        held: u64,
        mut steps_left: u64,
    ) -> Option<Verdict> {
        let verdict = loop {
            if let Some(reason) = self.stopped
                && (!self.is_kept() || search.state().is_some())
            {
                break Some(Verdict::Unknown(reason));
            }
            let steps_max = self.steps.min(steps_left);
            let budget = Budget { nodes_max: self.nodes_max - self.done.nodes, steps_max };
            let begun = Instant::now();
            let before = search.counters();
            let progress = search.advance(budget);
            steps_left -= steps_max;
            let now = search.counters();
            let searched = (now.nodes, now.updates) != (before.nodes, before.updates);
            self.learn(begun.elapsed(), searched);
            let mut at_least = asked.upper;
            if let Some(standing) = search.standing() {
                at_least = standing.at_least;
                self.take(standing.proven, asked);
            }
            if let Progress::Done(verdict) = progress {
                if let Verdict::Unknown(reason) = verdict {
                    self.stopped = Some(reason);
                }
                break Some(verdict);
            }
            if steps_left == 0 {
                break None;
            }
            let phase = Phase::Search(search.root_numbers(), search.depth_first());
            let nodes = self.done.nodes + now.nodes;
            self.show(search, asked, false);
            self.tick(phase, at_least.0, nodes, held + now.memory_bytes);
            while self.rests() {
                self.show(search, asked, false);
                self.tick(phase, at_least.0, nodes, held + now.memory_bytes);
            }
            self.keep_now(search, shared, None);
        };
        self.show(search, asked, true);
        self.keep_now(search, shared, verdict);
        let mut counters = search.counters();
        counters.memory_bytes += held;
        self.done = self.done.then(counters);
        verdict
    }

    /// Runs searches of one question on so many threads, until one has an answer; what that one ends with comes too. Each
    /// is made by its thread: what it changes all the time then lies in no cache line that another one needs.
    pub(crate) fn run_team<S: Search, R: Send>(
        &mut self,
        threads: usize,
        make: impl Fn() -> S + Sync,
        end: impl Fn(S) -> R + Sync,
        shared: &dyn Shared,
        asked: Interval,
        held: u64,
    ) -> (Verdict, Option<R>) {
        if threads == 1 {
            let mut search = make();
            return (self.run_to_end(&mut search, Some(shared), asked, held), Some(end(search)));
        }
        // What one search of several held is lost; what they share is enough to go on.
        if !self.restore(None, Some(shared)) {
            return (Verdict::Unknown(StopReason::Interrupted), None);
        }
        let team = Team::new(threads, self.nodes_max - self.done.nodes);
        let ends = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for member in 0..threads {
                let (team, ends, make, end) = (&team, &ends, &make, &end);
                scope.spawn(move || {
                    let mut search = make();
                    team.work(member, &mut search);
                    locked(ends).push((member, end(search)));
                });
            }
            while team.wait(SLICE) {
                let sight = team.sight();
                let phase = Phase::Search(sight.root, sight.depth_first);
                let nodes = self.done.nodes + sight.counters.nodes;
                self.tick(phase, asked.upper.0, nodes, held + sight.counters.memory_bytes);
                if self.watch.rests() {
                    let _rest = team.rest();
                    while self.rests() {
                        self.tick(phase, asked.upper.0, nodes, held + sight.counters.memory_bytes);
                    }
                }
                self.keep_team(shared, sight.counters, None);
                if self.stopped.is_some() {
                    team.stop();
                }
            }
        });
        let verdict = match (team.verdict(), self.stopped) {
            (Ok((_, verdict)), _) => verdict,
            (Err(_), Some(reason)) | (Err(reason), None) => Verdict::Unknown(reason),
        };
        self.keep_team(shared, team.sight().counters, Some(verdict));
        let mut counters = team.sight().counters;
        counters.memory_bytes += held;
        self.done = self.done.then(counters);
        match (team.verdict(), verdict) {
            (Ok((member, _)), _) => {
                let ends = ends.into_inner().unwrap_or_else(PoisonError::into_inner);
                let end = ends.into_iter().find(|(other, _)| *other == member);
                (verdict, end.map(|(_, end)| end))
            }
            (Err(_), Verdict::Unknown(reason)) => {
                self.stopped = Some(reason);
                (verdict, None)
            }
            (Err(_), _) => (verdict, None),
        }
    }

    /// Does something with half of the nodes and of the time that are left, and goes on after that.
    pub(crate) fn with_half<R>(&mut self, work: impl FnOnce(&mut Self) -> R) -> R {
        let (nodes_max, deadline) = (self.nodes_max, self.deadline);
        if nodes_max < u64::MAX {
            self.nodes_max = self.done.nodes + (nodes_max - self.done.nodes) / 2;
        }
        let now = Instant::now();
        self.deadline = deadline.map(|deadline| now + deadline.saturating_duration_since(now) / 2);
        let done = work(self);
        (self.nodes_max, self.deadline) = (nodes_max, deadline);
        // What ends the whole ends the next search at once.
        self.stopped = self.stopped.filter(|reason| *reason == StopReason::Interrupted);
        done
    }

    /// Takes what is proven beyond what was asked about: the ends of that are not proven themselves.
    fn take(&mut self, proven: Interval, asked: Interval) {
        if proven.lower > asked.lower {
            self.interval.lower = self.interval.lower.max(proven.lower);
        }
        if proven.upper < asked.upper {
            self.interval.upper = self.interval.upper.min(proven.upper);
        }
    }

    /// Remembers the most bytes in use.
    pub(crate) fn uses(&mut self, bytes: u64) {
        self.done.memory_bytes = self.done.memory_bytes.max(bytes);
    }

    /// Looks at the clock and asks whether to go on, when putting a strategy together.
    pub(crate) fn certifies(&mut self, positions: u64, at_least: i32, bytes: u64) -> bool {
        self.uses(bytes);
        let nodes = self.done.nodes;
        self.tick(Phase::Certificate(positions), at_least, nodes, bytes);
        while self.rests() {
            self.tick(Phase::Certificate(positions), at_least, nodes, bytes);
        }
        self.stopped.is_none()
    }

    /// Lets who watches look into a search, if it is the one that is shown.
    fn show(&mut self, search: &dyn Search, asked: Interval, ended: bool) {
        if let (Some(symmetric), Some(view)) = (self.shows, search.view()) {
            let at_least = search.standing().map_or(asked.upper, |standing| standing.at_least);
            self.watch.look(&Look { view, symmetric, at_least: at_least.0, ended });
        }
    }

    /// Rests a little, if that is wanted; false if it is not, or everything was stopped.
    fn rests(&mut self) -> bool {
        if self.stopped.is_some() || !self.watch.rests() {
            return false;
        }
        let begun = Instant::now();
        std::thread::sleep(REST);
        let rested = begun.elapsed();
        self.started += rested;
        self.deadline = self.deadline.map(|deadline| deadline + rested);
        true
    }

    fn tick(&mut self, phase: Phase, at_least: i32, nodes: u64, memory_bytes: u64) {
        let snapshot = Snapshot {
            phase,
            at_least,
            lower: self.interval.lower.0,
            upper: self.interval.upper.0,
            nodes,
            memory_bytes,
            elapsed: self.started.elapsed(),
        };
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            self.stopped = Some(StopReason::Time);
        } else if !self.watch.goes_on(&snapshot) {
            self.stopped = Some(StopReason::Interrupted);
        }
    }

    /// Aims the next slice at [`SLICE`]; a game may need a nanosecond or a second for a move. What takes little because it was
    /// no search, but work on what is there, says nothing of that: in chess, slices of seconds came of it.
    fn learn(&mut self, took: Duration, searched: bool) {
        if took < SLICE / 2 && searched {
            self.steps = (self.steps * 2).min(STEPS_MAX);
        } else if took > SLICE * 2 {
            let part = SLICE.as_secs_f64() / took.as_secs_f64();
            self.steps = ((self.steps as f64 * part) as u64).max(1);
        }
    }

    pub(crate) fn counters(&self) -> Counters {
        self.done
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Lets what comes after the search go on although memory or nodes ended it: that may need neither.
    pub(crate) fn resume(&mut self) {
        self.stopped = self.stopped.filter(|reason| {
            !matches!(reason, StopReason::Memory | StopReason::Nodes | StopReason::Repetition)
        });
    }

    /// Why the work was stopped, if it was.
    pub(crate) fn stopped(&self) -> Option<StopReason> {
        self.stopped
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limits;
    use quod_model::Relative;

    #[test]
    fn slices_grow_by_search_alone_and_shrink_at_once() {
        let mut nobody = ();
        let range = Interval { lower: Relative(-1), upper: Relative(1) };
        let mut driver = Driver::new(Limits::default(), range, &mut nobody);
        let first = driver.steps;
        driver.learn(Duration::from_micros(1), false);
        assert_eq!(driver.steps, first);
        for _ in 0..10 {
            driver.learn(Duration::from_micros(1), true);
        }
        assert_eq!(driver.steps, first << 10);
        driver.learn(SLICE * 100, true);
        assert_eq!(driver.steps, (first << 10) / 100);
        driver.learn(Duration::from_secs(1000), false);
        assert_eq!(driver.steps, 1);
    }
}
