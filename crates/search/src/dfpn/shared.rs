//! What several searches share: the table of facts and numbers, the one of answers under paths, and who is where.

use std::sync::atomic::{AtomicU16, AtomicU32, AtomicU64, Ordering::Relaxed};

use parking_lot::{RwLock, RwLockReadGuard};

use quod_checkpoint::{Failure, Reader, State, Writer};
use quod_model::Identity;

use super::sources::Sources;
use crate::saved::Restore as _;
use crate::table::{Fact, Key, Table};

/// The table of one or several depth-first searches for questions about the same game.
///
/// What it holds as facts is true whatever path leads there and whichever question was searched.
pub struct SharedTable {
    /// A fair lock: whoever wants to make room is not kept waiting by those who read again and again.
    tables: RwLock<Tables>,
    present: Vec<AtomicU16>,
    /// How many roots were known by nothing.
    roots: AtomicU64,
    /// Grows when a place is solved that other threads are below.
    solved: AtomicU32,
}

pub(super) struct Tables {
    pub(super) facts: Table,
    /// Answers that lean on repetitions, under the whole path; one bucket where there are none.
    pub(super) paths: Table,
    /// Where places were last reached from, if that is wanted.
    pub(super) sources: Option<Sources>,
}

impl Tables {
    pub(super) fn bytes(&self) -> u64 {
        self.facts.bytes() + self.paths.bytes() + self.sources.as_ref().map_or(0, Sources::bytes)
    }

    /// Whether it is time to make room. Small work for that is done at once.
    #[inline]
    fn wants_room(&self) -> bool {
        self.facts.sweep_some();
        self.facts.wants_to_grow() || self.paths.wants_to_grow() || self.facts.wants_to_sweep()
    }
}

/// Threads are counted where they are by a few bits of the key: places that share a count look a little busier.
const PLACES: usize = 1 << 12;

impl SharedTable {
    /// Tables of so many bytes together. `cyclic` and `sources` say whether paths and sources are needed.
    #[must_use]
    pub fn new(bytes_max: u64, cyclic: bool, sources: bool) -> Self {
        let quarter = bytes_max / 4;
        let others = quarter * (u64::from(cyclic) + u64::from(sources));
        let tables = Tables {
            facts: Table::new(bytes_max - others),
            paths: Table::new(if cyclic { quarter } else { 0 }),
            sources: sources.then(|| Sources::new(quarter)),
        };
        Self {
            tables: RwLock::new(tables),
            present: (0..PLACES).map(|_| AtomicU16::new(0)).collect(),
            roots: AtomicU64::new(0),
            solved: AtomicU32::new(0),
        }
    }

    pub(super) fn read(&self) -> RwLockReadGuard<'_, Tables> {
        self.tables.read()
    }

    /// Makes room if it is time to: the other threads wait meanwhile.
    pub(super) fn make_room<'t>(
        &'t self,
        tables: RwLockReadGuard<'t, Tables>,
    ) -> RwLockReadGuard<'t, Tables> {
        if !tables.wants_room() {
            return tables;
        }
        drop(tables);
        let mut alone = self.tables.write();
        if alone.facts.wants_to_grow() {
            alone.facts.grow();
        }
        if alone.paths.wants_to_grow() {
            alone.paths.grow();
        }
        if alone.facts.wants_to_sweep() {
            alone.facts.begin_sweep();
        }
        drop(alone);
        self.read()
    }

    /// The bytes in use.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.read().bytes()
    }

    /// The entries in use, and those that there are.
    #[must_use]
    pub fn fill(&self) -> (u64, u64) {
        self.read().facts.fill()
    }

    /// Whether the answer to a question about a place is known, and in how many moves at the most it shows where endless play
    /// would give another.
    #[must_use]
    pub fn answer(&self, identity: Identity, question: u16) -> Option<(bool, u16)> {
        let Fact { proven, refuted, rank } = self.read().facts.fact(Key::new(identity.key))?;
        if question <= proven { Some((true, rank)) } else { (question >= refuted).then_some((false, rank)) }
    }

    /// The largest question about a place that is answered with yes, and the smallest that is answered with no.
    #[must_use]
    pub fn bounds(&self, identity: Identity) -> (u16, u16) {
        let fact = self.read().facts.fact(Key::new(identity.key));
        fact.map_or((0, u16::MAX), |Fact { proven, refuted, .. }| (proven, refuted))
    }

    /// A number for a root that is known by nothing.
    pub(super) fn new_root(&self) -> u64 {
        self.roots.fetch_add(1, Relaxed)
    }

    fn place(&self, key: Key) -> &AtomicU16 {
        &self.present[key.bits() as usize % PLACES]
    }

    /// How many threads are at a place.
    #[inline]
    pub(super) fn present(&self, key: Key) -> u64 {
        self.place(key).load(Relaxed).into()
    }

    pub(super) fn arrive(&self, key: Key) {
        self.place(key).fetch_add(1, Relaxed);
    }

    /// Leaves a place; if it is solved and others are there, they are told.
    pub(super) fn depart(&self, key: Key, solved: bool) {
        let others = self.place(key).fetch_sub(1, Relaxed) > 1;
        if solved && others {
            self.solved.fetch_add(1, Relaxed);
        }
    }

    /// Changes whenever somebody may be below a solved place.
    #[inline]
    pub(super) fn solved(&self) -> u32 {
        self.solved.load(Relaxed)
    }
}

/// What threads share, as it is at the moment; they may go on.
impl State for SharedTable {
    fn write(&self, to: &mut Writer<'_>) -> std::io::Result<()> {
        let tables = self.read();
        to.item(self.roots.load(Relaxed))?;
        tables.facts.write(to)?;
        tables.paths.write(to)?;
        to.flag(tables.sources.is_some())?;
        tables.sources.as_ref().map_or(Ok(()), |sources| sources.write(to))
    }
}

impl SharedTable {
    /// Takes back what was written, while nobody searches.
    ///
    /// # Errors
    /// If what is there makes no sense; it must not be used then.
    pub fn restore(&self, from: &mut Reader<'_>) -> Result<(), Failure> {
        let mut tables = self.tables.write();
        self.roots.store(from.item()?, Relaxed);
        tables.facts.restore(from)?;
        tables.paths.restore(from)?;
        match (from.flag()?, &mut tables.sources) {
            (true, Some(sources)) => sources.restore(from),
            (false, None) => Ok(()),
            _ => Err(Failure::damaged("its switches are others")),
        }
    }
}
