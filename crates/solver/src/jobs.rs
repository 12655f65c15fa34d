//! A tree on top whose leaves are jobs for depth-first searches on a shared table.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use quod_checkpoint::{Failure, Reader, State, Writer};
use quod_model::{AndOr, Game, Identity, Move, Notation, Numbers, Repetition, StopReason, Verdict};
use quod_search::{
    Budget, Counters, DepthFirst, Dfpn, Job, Pair, Progress, Restore, Search, SharedTable, Solved, TopChild,
    TopTree,
};

use crate::depth_first::Site;
use crate::keep::Shared;

/// The expansions of a job at first.
const JOB: u64 = if cfg!(test) { 3 } else { 1_000 };

/// The tree and those who wait for work.
pub(crate) struct Jobs {
    state: Mutex<Held>,
    brought: Condvar,
}

struct Held {
    tree: TopTree,
    /// The move that shows the answer, where a job at the root has found it.
    root_move: Option<u32>,
}

impl Jobs {
    pub(crate) fn new<G: Notation>(site: &Site<'_, G>, bytes_max: u64) -> Self {
        let tree = TopTree::new(bytes_max, site.cursor(&site.root).is_or(), JOB);
        Self { state: Mutex::new(Held { tree, root_move: None }), brought: Condvar::new() }
    }

    fn locked(&self) -> MutexGuard<'_, Held> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The tree, and the move at its root that shows the answer.
    pub(crate) fn end(self) -> (TopTree, Option<u32>) {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        (state.tree, state.root_move)
    }
}

/// A table and the tree whose leaves are jobs on it.
pub(crate) struct SharedJobs<'a> {
    pub(crate) table: &'a SharedTable,
    pub(crate) jobs: &'a Jobs,
}

impl State for SharedJobs<'_> {
    fn write(&self, to: &mut Writer<'_>) -> std::io::Result<()> {
        self.table.write(to)?;
        let state = self.jobs.locked();
        to.item(state.root_move.map_or(u64::MAX, u64::from))?;
        state.tree.write(to)
    }
}

impl Shared for SharedJobs<'_> {
    fn restore(&self, alone: bool, from: &mut Reader<'_>) -> Result<(), Failure> {
        self.table.restore(from)?;
        let mut state = self.jobs.locked();
        state.root_move = u32::try_from(from.item::<u64>()?).ok();
        state.tree.restore(from)?;
        if !alone {
            state.tree.release();
        }
        Ok(())
    }
}

/// Somebody who does one job after the other.
pub(crate) struct Worker<'a, 'g, G: Game> {
    site: &'a Site<'g, G>,
    jobs: &'a Jobs,
    current: Option<Current<'g, G>>,
    done: Counters,
    /// Where the last slice has been.
    depths: (u32, u32),
}

struct Current<'g, G: Game> {
    job: Job,
    search: Dfpn<'g>,
    /// From the root to the leaf.
    path: Vec<G::Position>,
}

impl<'a, 'g, G: Notation> Worker<'a, 'g, G> {
    pub(crate) fn new(site: &'a Site<'g, G>, jobs: &'a Jobs) -> Self {
        Self { site, jobs, current: None, done: Counters::default(), depths: (0, 0) }
    }

    /// Takes a job, or waits a little for one; what the table knows is brought back at once.
    fn take(&mut self) {
        let mut state = self.jobs.locked();
        let Some(job) = state.tree.take() else {
            if !state.tree.numbers().is_solved() {
                let waited = self.jobs.brought.wait_timeout(state, Duration::from_millis(1));
                drop(waited.unwrap_or_else(PoisonError::into_inner));
            }
            return;
        };
        drop(state);
        let path = self.site.path(&job.codes);
        let leaf = path.last().expect("a path has an end");
        let known = self.site.cursor(leaf).identity().and_then(|identity| self.site.answer(identity));
        if let Some(holds) = known.filter(|_| !job.codes.is_empty()) {
            self.bring(&job, Pair::solved(holds), &[], None);
            return;
        }
        let search = self.site.search(leaf);
        self.current = Some(Current { job, search, path });
    }

    fn bring(&self, job: &Job, numbers: Pair, children: &[TopChild], root_move: Option<u32>) {
        let mut state = self.jobs.locked();
        state.tree.bring(job, numbers, children);
        if job.codes.is_empty() && numbers.is_solved() {
            state.root_move = root_move;
        }
        drop(state);
        self.jobs.brought.notify_all();
    }

    /// Ends the current job and brings back what was found.
    fn end(&mut self) {
        let Some(Current { job, mut search, path }) = self.current.take() else { return };
        search.come_back();
        let numbers = search.numbers();
        let mut children = Vec::new();
        if !numbers.is_solved() {
            children.extend(search.root_children());
            self.site.end_repetitions(&path, &mut children);
        }
        self.done = self.done.then(search.counters());
        self.bring(&job, numbers, &children, search.root_move());
    }
}

impl<G: Notation> Search for Worker<'_, '_, G> {
    fn advance(&mut self, budget: Budget) -> Progress {
        let mut left = budget.steps_max;
        self.depths = (u32::MAX, 0);
        loop {
            let state = self.jobs.locked();
            let numbers = state.tree.numbers();
            let needed = self.current.as_ref().is_none_or(|current| state.tree.needs(&current.job));
            drop(state);
            if numbers.is_solved() {
                let proven = numbers.pn == 0;
                return Progress::Done(if proven { Verdict::Proven } else { Verdict::Disproven });
            }
            if left == 0 {
                return Progress::Running;
            }
            if !needed {
                self.end();
            }
            let Some(current) = &mut self.current else {
                self.take();
                left -= 1;
                continue;
            };
            let spent = current.search.counters().expansions;
            let steps_max = left.min(current.job.expansions_max.saturating_sub(spent)).max(1);
            let nodes_max = budget.nodes_max - self.done.nodes;
            let progress = current.search.advance(Budget { nodes_max, steps_max });
            left -= steps_max;
            if let Some(at) = current.search.depth_first() {
                let above = current.job.codes.len() as u32;
                self.depths.0 = self.depths.0.min(above + at.shallowest);
                self.depths.1 = self.depths.1.max(above + at.deepest);
            }
            match progress {
                Progress::Done(Verdict::Unknown(StopReason::Nodes)) => return progress,
                Progress::Done(_) => self.end(),
                Progress::Running if spent + steps_max >= current.job.expansions_max => self.end(),
                Progress::Running => {}
            }
        }
    }

    fn root_numbers(&self) -> Numbers {
        self.jobs.locked().tree.numbers().narrow()
    }

    fn depth_first(&self) -> Option<DepthFirst> {
        let (moves, solved) = self.jobs.locked().tree.moves();
        let (filled, places) = self.site.table.fill();
        let (shallowest, deepest) = (self.depths.0.min(self.depths.1), self.depths.1);
        Some(DepthFirst { moves, solved, shallowest, deepest, filled, places })
    }

    fn state(&self) -> Option<&dyn State> {
        Some(self)
    }

    fn restored(&mut self) -> Option<&mut dyn Restore> {
        Some(self)
    }

    fn counters(&self) -> Counters {
        let current = self.current.as_ref().map_or(Counters::default(), |current| current.search.counters());
        let mut counters = self.done.then(current);
        counters.memory_bytes += self.jobs.locked().tree.bytes();
        counters
    }
}

impl<G: Notation> State for Worker<'_, '_, G> {
    fn write(&self, to: &mut Writer<'_>) -> std::io::Result<()> {
        to.item(self.done)?;
        to.flag(self.current.is_some())?;
        let Some(Current { job, search, .. }) = &self.current else { return Ok(()) };
        to.item([job.leaf(), job.expansions_max])?;
        search.write(to)
    }
}

impl<G: Notation> Restore for Worker<'_, '_, G> {
    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Failure> {
        self.done = from.item()?;
        if from.flag()? {
            let [leaf, expansions_max] = from.item()?;
            let job = self.jobs.locked().tree.taken(leaf, expansions_max);
            let (Some(job), Some(path)) =
                (&job, job.as_ref().and_then(|job| self.site.known_path(&job.codes)))
            else {
                return Err(Failure::damaged("its job is none"));
            };
            let mut search = self.site.search(path.last().expect("a path has an end"));
            search.restore(from)?;
            self.current = Some(Current { job: job.clone(), search, path });
        }
        Ok(())
    }
}

impl<G: Notation> Site<'_, G> {
    /// The same of moves that may be none.
    fn known_path(&self, codes: &[u32]) -> Option<Vec<G::Position>> {
        let mut path = vec![self.identified(&self.root)];
        let mut moves = Vec::new();
        for code in codes {
            let here = path.last().expect("it holds the root");
            moves.clear();
            if self.game.outcome(here).is_none() {
                self.game.moves(here, &mut moves);
            }
            let played = *moves.iter().find(|played| played.code() == *code)?;
            path.push(self.identified(&self.game.after(here, played)));
        }
        Some(path)
    }

    /// The positions along a way from the root.
    fn path(&self, codes: &[u32]) -> Vec<G::Position> {
        let mut path = vec![self.identified(&self.root)];
        for code in codes {
            let here = path.last().expect("it holds the root");
            path.push(self.identified(&self.game.after(here, G::Move::from_code(*code))));
        }
        path
    }

    fn answer(&self, identity: Identity) -> Option<bool> {
        self.table.answer(identity, self.question).map(|(holds, _)| holds)
    }

    /// Children that stand on the path are worth what endless play is.
    fn end_repetitions(&self, path: &[G::Position], children: &mut [TopChild]) {
        let Repetition::Worth(worth) = self.game.repetition() else { return };
        let here = path.last().expect("a path has an end");
        for child in children {
            let position = self.identified(&self.game.after(here, G::Move::from_code(child.code)));
            if !child.numbers.is_solved() && path.contains(&position) {
                child.numbers = Pair::solved(self.goal.is_reached_by(worth(self.game, &position)));
            }
        }
    }

    fn identified(&self, position: &G::Position) -> G::Position {
        match self.game.abilities().canonical.filter(|_| self.method.symmetric) {
            Some(canonical) => canonical(self.game, position),
            None => position.clone(),
        }
    }
}
