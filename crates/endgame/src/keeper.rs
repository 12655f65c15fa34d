//! Checkpoints of a build: when they are taken, where they are kept, and what is made of those that are found.

use std::fmt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use quod_checkpoint::{Failure, Folder, Reader, Taken};
use quod_model::Notation;

use crate::Error;
use crate::databases::Numbered;
use crate::held::{Held, Whose};
use crate::work::{Event, Phase, SliceWatch, Stopped, Watch};

/// Where a build keeps checkpoints of the slice at hand, and how often one is taken.
#[derive(Clone, Debug)]
pub struct Checkpoints {
    /// The folder; it is made if it is not there.
    pub dir: PathBuf,
    /// So much time lies between two of them.
    pub every: Duration,
}

/// What a person should know about checkpoints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// A slice goes on from one.
    GoesOn {
        /// The slice.
        slice: u32,
        /// The checkpoint.
        path: PathBuf,
    },
    /// One cannot be used: which one, and why.
    Unusable(String),
    /// One could not be written.
    NotWritten(String),
    /// One is not needed any more and could not be removed.
    NotRemoved(String),
}

impl fmt::Display for Notice {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::GoesOn { slice, path } => write!(to, "slice {slice} goes on from {}", path.display()),
            Self::Unusable(problem) => write!(to, "a checkpoint is not used: {problem}"),
            Self::NotWritten(problem) => write!(to, "no checkpoint was written: {problem}"),
            Self::NotRemoved(problem) => write!(to, "a checkpoint was left: {problem}"),
        }
    }
}

/// Keeps the checkpoints of a build.
pub(crate) struct Keeper {
    folder: Option<Folder>,
    every: Duration,
    /// When the last one was taken, or the work was begun.
    last: Instant,
    /// One of a slice that is still to come.
    found: Option<Found>,
    /// Whether the watch has said that the work is to stop.
    stopping: bool,
}

struct Found {
    slice: u32,
    path: PathBuf,
    reader: Reader<'static>,
}

impl Keeper {
    /// Keeps nothing if there is no folder. What the folder holds is looked at: slices that are `there` need no checkpoint.
    pub(crate) fn new<G: Notation>(
        options: Option<&Checkpoints>,
        rules: &Numbered<'_, G>,
        there: impl Fn(u32) -> bool,
        watch: &mut Watch<'_>,
    ) -> Result<Self, Error> {
        let mut keeper = Self {
            folder: None,
            every: options.map_or(Duration::MAX, |options| options.every),
            last: Instant::now(),
            found: None,
            stopping: false,
        };
        let Some(options) = options else { return Ok(keeper) };
        let mut folder = Folder::open(&options.dir)?;
        let mut unusable = |problem| {
            watch(Event::Notice(Notice::Unusable(problem)));
        };
        match folder.newest() {
            Ok(mut found) => {
                found.damaged.into_iter().for_each(&mut unusable);
                let wanted = Whose::new(rules, 0);
                let other = |found: String| Error::OtherCheckpoint {
                    path: options.dir.clone(),
                    found,
                    wanted: wanted.rules_text(),
                };
                match Whose::read(&mut found.reader) {
                    Ok(Err(what)) => return Err(other(what)),
                    Ok(Ok(whose)) if whose.rules_text() != wanted.rules_text() => {
                        return Err(other(whose.rules_text()));
                    }
                    Ok(Ok(Whose { slice, .. })) if there(slice) => {}
                    Ok(Ok(Whose { slice, .. })) => {
                        keeper.found = Some(Found { slice, path: found.path, reader: found.reader });
                    }
                    Err(failure) => unusable(format!("{}: {failure}", found.path.display())),
                }
            }
            Err(Failure::Nothing(_)) => {}
            // What is damaged is worked out again, as damaged slices are.
            Err(Failure::Useless(_, problems)) => problems.into_iter().for_each(unusable),
            Err(failure) => return Err(failure.into()),
        }
        keeper.folder = Some(folder);
        Ok(keeper)
    }

    /// What is held of a slice: from its checkpoint, or nothing.
    pub(crate) fn begin<G: Notation>(
        &mut self,
        rules: &Numbered<'_, G>,
        threads: usize,
        watch: &mut SliceWatch<'_, '_>,
    ) -> Result<Held, Stopped> {
        let slice = watch.slice;
        if let Some(Found { path, reader, .. }) = self.found.take_if(|found| found.slice == slice) {
            match Held::read(reader, rules, threads, watch) {
                Ok(held) => {
                    let held = held?;
                    watch.notice(Notice::GoesOn { slice, path });
                    return Ok(held);
                }
                Err(failure) => {
                    watch.notice(Notice::Unusable(format!("{}: {failure}", path.display())));
                }
            }
        }
        Ok(Held::new(rules, slice))
    }

    /// Tells the watch how far the work has come; false if threads are to stop, for a checkpoint or altogether.
    pub(crate) fn goes_on(
        &mut self,
        watch: &mut SliceWatch<'_, '_>,
        phase: Phase,
        done: u64,
        total: u64,
    ) -> bool {
        self.stopping |= !watch.tell(phase, done, total);
        !self.stopping && (self.folder.is_none() || self.last.elapsed() < self.every)
    }

    /// Threads have stopped: a checkpoint is taken, and the work goes on unless it is to stop.
    pub(crate) fn pause(&mut self, held: &Held, watch: &mut SliceWatch<'_, '_>) -> Result<(), Stopped> {
        if self.stopping {
            self.leave(held, watch);
            return Err(Stopped);
        }
        self.write(held, watch);
        Ok(())
    }

    /// Takes a last checkpoint. It is on the disk when this returns.
    pub(crate) fn leave(&mut self, held: &Held, watch: &mut SliceWatch<'_, '_>) {
        self.wait(watch);
        self.write(held, watch);
        self.wait(watch);
    }

    fn write(&mut self, held: &Held, watch: &mut SliceWatch<'_, '_>) {
        let Some(folder) = &mut self.folder else { return };
        match folder.write(|to| held.write(to)) {
            // If the disk is so slow that the last one is still on its way, the next one is soon enough.
            Ok(Taken::Bytes(_) | Taken::Busy) => {}
            Err(failure) => watch.notice(Notice::NotWritten(failure.to_string())),
        }
        self.last = Instant::now();
    }

    fn wait(&mut self, watch: &mut SliceWatch<'_, '_>) {
        if let Some(Err(failure)) = self.folder.as_mut().map(Folder::wait) {
            watch.notice(Notice::NotWritten(failure.to_string()));
        }
    }

    /// A slice is complete, in its file: its checkpoints are not needed any more.
    pub(crate) fn done(&mut self, watch: &mut SliceWatch<'_, '_>) {
        // One of a larger slice is still of use.
        if self.found.is_none()
            && let Some(Err(failure)) = self.folder.as_mut().map(Folder::clear)
        {
            watch.notice(Notice::NotRemoved(failure.to_string()));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use quod_games::Awari;
    use quod_model::Index;
    use quod_model::testkit::Layers;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;
    use crate::work::patience;
    use crate::{BuildOptions, Built, build};

    const NEVER: Duration = Duration::MAX;

    fn files(dir: &Path) -> Vec<(PathBuf, Vec<u8>)> {
        let entries = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
        let mut files: Vec<_> = entries.filter(|path| path.extension().is_some()).collect();
        files.sort();
        let named = |path: PathBuf| {
            let bytes = std::fs::read(&path).unwrap();
            (path.strip_prefix(dir).unwrap().to_owned(), bytes)
        };
        files.into_iter().map(named).collect()
    }

    fn options(last: u32, threads: usize, list_max: usize, dir: &Path) -> BuildOptions {
        let checkpoints = Some(Checkpoints { dir: dir.to_owned(), every: NEVER });
        BuildOptions { threads, list_max, checkpoints, ..BuildOptions::up_to(last) }
    }

    /// How often work was stopped where.
    #[derive(Debug, Default)]
    struct Stops {
        surveying: u32,
        pending: u32,
        other: u32,
    }

    impl Stops {
        /// Looks at the checkpoint that a stop has left.
        fn count(&mut self, dir: &Path) {
            let Some((name, bytes)) = files(dir).pop() else { return };
            assert_eq!(name.extension().unwrap(), "checkpoint");
            let mut reader = Reader::new(&bytes[..], bytes.len() as u64).unwrap();
            Whose::read(&mut reader).unwrap().unwrap();
            let (size, _): (u64, i32) = (reader.item().unwrap(), reader.item().unwrap());
            let (stage, at, _): (u8, u64, u64) =
                (reader.item().unwrap(), reader.item().unwrap(), reader.item().unwrap());
            let words: Vec<u16> = reader.items().unwrap();
            let pending = words.iter().any(|word| crate::word::Word(*word).is_pending());
            match stage {
                0 if at > 0 && at < size => self.surveying += 1,
                1 if pending => self.pending += 1,
                _ => self.other += 1,
            }
        }
    }

    /// Builds with stops at random places, from checkpoint to checkpoint, until all is done.
    fn build_in_parts<G: Notation>(
        game: &G,
        dir: &Path,
        options: &BuildOptions,
        random: &mut Xoshiro256PlusPlus,
        stops: &mut Stops,
    ) -> Built {
        for round in 1.. {
            patience::set(random.random_range(1..=8 * round));
            let mut went_on = 0;
            let mut watch = |event| {
                match event {
                    Event::Notice(Notice::GoesOn { .. }) => went_on += 1,
                    Event::Notice(notice) => panic!("{notice}"),
                    Event::Progress(_) => {}
                }
                patience::left() > 0
            };
            let built = build(game, dir, options, &mut watch).unwrap();
            assert!(went_on <= 1);
            if !built.stopped {
                patience::set(u64::MAX);
                return built;
            }
            stops.count(&options.checkpoints.as_ref().unwrap().dir);
        }
        unreachable!("it ends")
    }

    fn compare<G: Notation>(game: &G, last: u32, seed: u64, stops: &mut Stops) {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let folder = tempfile::tempdir().unwrap();
        let [whole, parts, pauses, kept] =
            ["whole", "parts", "pauses", "kept"].map(|name| folder.path().join(name));
        build(game, &whole, &BuildOptions::up_to(last), &mut |_| true).unwrap();
        let whole = files(&whole);
        for list_max in [1, 2, 7, 1 << 16] {
            let options = options(last, random.random_range(1..=3), list_max, &kept);
            build_in_parts(game, &parts, &options, &mut random, stops);
            assert!(whole == files(&parts), "{options:?}");
            assert!(files(&kept).is_empty(), "checkpoints of what is done are left");
            std::fs::remove_dir_all(&parts).unwrap();
            // The same without leaving: a checkpoint is taken, and the same threads go on.
            for checkpoints in [options.checkpoints.clone(), None] {
                let mut looks = 2;
                patience::set(looks);
                let mut watch = |event| {
                    let fine = matches!(event, Event::Progress(_) | Event::Notice(Notice::GoesOn { .. }));
                    assert!(fine, "{event:?}");
                    if patience::left() == 0 {
                        looks += 5;
                        patience::set(looks);
                    }
                    true
                };
                // Stops while files are written or read are for good.
                let options = BuildOptions { checkpoints, ..options.clone() };
                while build(game, &pauses, &options, &mut watch).unwrap().stopped {}
                patience::set(u64::MAX);
                assert!(whole == files(&pauses), "{options:?}");
                std::fs::remove_dir_all(&pauses).unwrap();
            }
        }
    }

    #[test]
    fn work_that_is_stopped_anywhere_ends_the_same() {
        let mut stops = Stops::default();
        for seed in 0..12 {
            let game = Layers::random(seed, 1 + seed as u32 % 4, 5 + seed % 60);
            compare(&game, game.slices() - 1, seed, &mut stops);
        }
        compare(&Awari::new(3, 1).unwrap(), 5, 1, &mut stops);
        compare(&quod_games::TicTacToe, 4, 1, &mut stops);
        assert!(stops.surveying > 10 && stops.pending > 200 && stops.other > 20, "{stops:?}");
    }
}
