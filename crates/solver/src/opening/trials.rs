//! Short searches for pieces, several at once, on one table: pieces of an opening meet each other.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use quod_model::{Goal, LeafNumbers, Notation, Value, Verdict};
use quod_proof::{Certificate, CertificateFile, check};
use quod_search::{DfpnOptions, Interval, SharedTable};

use super::folder::Pieces;
use crate::certify::{Wanted, certify};
use crate::depth_first::{DepthFirstMethod, TableSearch, new_table};
use crate::drive::{Driver, Phase, Snapshot, Watch};
use crate::plan::Method;
use crate::report::Stop;
use crate::request::Limits;
use crate::solve::Answer;
use crate::team::locked;

/// How often somebody who looks on is asked whether to go on.
const TICK: Duration = Duration::from_millis(50);

/// What became of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tried {
    Proved,
    /// It is no win.
    Refuted,
    Open,
}

/// What a search is for.
#[derive(Clone, Copy)]
pub(super) struct Trial {
    /// The most nodes that it may take.
    pub(super) nodes: u64,
    /// Whether the folder gets a certificate.
    pub(super) keep: bool,
}

pub(super) struct Trials<'a, G: Notation> {
    pub(super) pieces: Pieces<'a, G>,
    pub(super) method: DepthFirstMethod,
    pub(super) table: Arc<SharedTable>,
    /// The bytes that a certificate may take while it is made.
    pub(super) bytes: u64,
    pub(super) workers: usize,
    begun: Instant,
    until: Option<Instant>,
    nodes_max: u64,
    nodes: AtomicU64,
    threat_nodes: AtomicU64,
    /// Pieces of the choice at hand, and those that are proved.
    pub(super) proved: AtomicU64,
    pub(super) all: AtomicU64,
    /// Why the work was stopped.
    pub(super) stopped: Option<Stop>,
    /// Why a certificate could not be written, which stops the work too.
    unwritten: Mutex<Option<String>>,
}

impl<'a, G: Notation> Trials<'a, G> {
    pub(super) fn new(pieces: Pieces<'a, G>, workers: usize, limits: Limits) -> Self {
        let memory = limits.memory.unwrap_or_else(crate::memory::three_quarters_free);
        let method = DepthFirstMethod {
            options: DfpnOptions::default(),
            symmetric: true,
            threads: 1,
            jobs: false,
            threats: true,
        };
        let begun = Instant::now();
        Self {
            pieces,
            method,
            table: new_table(method, memory / 2),
            bytes: memory / 2 / workers as u64,
            workers,
            begun,
            until: limits.time.and_then(|time| begun.checked_add(time)),
            nodes_max: limits.nodes.unwrap_or(u64::MAX),
            nodes: AtomicU64::new(0),
            threat_nodes: AtomicU64::new(0),
            proved: AtomicU64::new(0),
            all: AtomicU64::new(0),
            stopped: None,
            unwritten: Mutex::new(None),
        }
    }

    pub(super) fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    pub(super) fn threat_nodes(&self) -> u64 {
        self.threat_nodes.load(Relaxed)
    }

    pub(super) fn table_bytes(&self) -> u64 {
        self.table.bytes()
    }

    /// Tries to prove pieces, several at once; few of them with several threads each.
    pub(super) fn try_all(
        &mut self,
        positions: &[&G::Position],
        trial: Trial,
        watch: &mut dyn Watch,
    ) -> Vec<Tried> {
        let tried: Mutex<Vec<Tried>> = Mutex::new(vec![Tried::Open; positions.len()]);
        if positions.is_empty() || self.stopped.is_some() {
            return tried.into_inner().unwrap_or_else(PoisonError::into_inner);
        }
        let left = self.nodes_max.saturating_sub(self.nodes()) / positions.len() as u64;
        if left == 0 {
            self.stopped = Some(Stop::Nodes);
            return tried.into_inner().unwrap_or_else(PoisonError::into_inner);
        }
        let trial = Trial { nodes: trial.nodes.min(left), ..trial };
        let (next, stop, working) = (AtomicUsize::new(0), AtomicBool::new(false), AtomicUsize::new(0));
        let this = &*self;
        let teams = this.workers.min(positions.len());
        let threads = (this.workers / teams).max(1);
        let mut why = None;
        std::thread::scope(|scope| {
            for _ in 0..teams {
                working.fetch_add(1, Relaxed);
                scope.spawn(|| {
                    while !stop.load(Relaxed) {
                        let at = next.fetch_add(1, Relaxed);
                        let Some(position) = positions.get(at) else { break };
                        let found = this.try_piece(position, trial, threads, &stop);
                        locked(&tried)[at] = found;
                    }
                    working.fetch_sub(1, Relaxed);
                });
            }
            let mut pause = Duration::from_millis(1);
            while working.load(Relaxed) > 0 {
                std::thread::sleep(pause);
                pause = (pause * 2).min(TICK);
                why = why.or_else(|| this.why_stop(watch));
                stop.fetch_or(why.is_some(), Relaxed);
            }
        });
        self.stopped = why;
        tried.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Why the work is to be stopped, if it is.
    pub(super) fn why_stop(&self, watch: &mut dyn Watch) -> Option<Stop> {
        if !watch.goes_on(&self.snapshot()) || locked(&self.unwritten).is_some() {
            return Some(Stop::Interrupted);
        }
        self.until.is_some_and(|until| Instant::now() >= until).then_some(Stop::Time)
    }

    fn try_piece(&self, position: &G::Position, trial: Trial, threads: usize, stop: &AtomicBool) -> Tried {
        let game = self.pieces.game;
        let claimant = game.to_move(position);
        let (lower, upper) = Value::range_seen_by(game.values(), claimant);
        let range = Interval { lower, upper };
        let goal = Goal::new(claimant, upper);
        let method = DepthFirstMethod { threads, ..self.method };
        let table = Arc::clone(&self.table);
        let search = TableSearch::on(game, method, LeafNumbers::Mobility, range, table);
        let mut until = Until(stop);
        let limits = Limits { nodes: Some(trial.nodes), ..Limits::default() };
        let mut driver = Driver::new(limits, range, &mut until);
        let (verdict, tree) = search.search(position, goal, 0, &mut driver);
        self.count(&driver);
        match verdict {
            Verdict::Unknown(_) => return Tried::Open,
            Verdict::Disproven => return Tried::Refuted,
            Verdict::Proven if !trial.keep => return Tried::Proved,
            Verdict::Proven => {}
        }
        let answer = Answer { goal, holds: true, tree, symmetric: true };
        let wanted = Wanted {
            claims: &[(answer.claim(), Some(&answer))],
            oracle: None,
            trees_lean_on_rules: true,
            method: Method::DepthFirst(method),
            table: Some(&search),
        };
        // What is searched again is known to be found.
        let mut driver = Driver::new(Limits::default(), range, &mut until);
        let made = certify(game, position, &wanted, self.table.bytes() + self.bytes, &mut driver);
        self.count(&driver);
        let Ok(certificate) = made else { return Tried::Open };
        if !self.keep(position, &certificate) {
            return Tried::Open;
        }
        self.proved.fetch_add(1, Relaxed);
        Tried::Proved
    }

    /// Checks a certificate, and puts it into the folder. Says whether it is there.
    pub(super) fn keep(&self, position: &G::Position, certificate: &Certificate) -> bool {
        let bytes = certificate.encode();
        let file = CertificateFile::open(&bytes).expect("it was just written");
        check(self.pieces.game, &file, &mut |_| true).expect("a certificate shows its claim");
        let stored = self.pieces.store(position, &bytes);
        if let Err(error) = &stored {
            locked(&self.unwritten)
                .get_or_insert_with(|| format!("a certificate cannot be written: {error}"));
        }
        stored.is_ok()
    }

    pub(super) fn unwritten(&self) -> Option<String> {
        locked(&self.unwritten).clone()
    }

    pub(super) fn count(&self, driver: &Driver<'_>) {
        let counters = driver.counters();
        self.nodes.fetch_add(counters.nodes, Relaxed);
        self.threat_nodes.fetch_add(counters.threat_nodes, Relaxed);
    }

    pub(super) fn snapshot(&self) -> Snapshot {
        Snapshot {
            phase: Phase::Pieces(self.proved.load(Relaxed), self.all.load(Relaxed)),
            at_least: 1,
            lower: -1,
            upper: 1,
            nodes: self.nodes(),
            memory_bytes: self.table.bytes(),
            elapsed: self.begun.elapsed(),
        }
    }
}

/// Somebody who stops when others do.
struct Until<'a>(&'a AtomicBool);

impl Watch for Until<'_> {
    fn goes_on(&mut self, _: &Snapshot) -> bool {
        !self.0.load(Relaxed)
    }
}
