//! Building the slices of a game one after the other. What is there and whole is kept, so that a build goes on where an earlier
//! one was stopped.

use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicU16, Ordering};

use quod_model::Notation;

use crate::Error;
use crate::databases::{Numbered, open_slice};
use crate::files::{Form, Head, Source, write};
use crate::keeper::{Checkpoints, Keeper};
use crate::retrograde::Retrograde;
use crate::word::Word;
use crate::work::{Phase, SliceWatch, Stopped, Watch};

/// What is to be built, and how.
#[derive(Clone, Debug)]
pub struct BuildOptions {
    /// The last slice.
    pub last: u32,
    /// So many threads.
    pub threads: usize,
    /// Not more memory than this.
    pub memory_bytes_max: Option<u64>,
    /// How new files are written.
    pub form: Form,
    /// How many positions a thread keeps in mind whose predecessors are to be told. Values do not depend on it.
    pub list_max: usize,
    /// Checkpoints of the slice at hand, if there are to be any.
    pub checkpoints: Option<Checkpoints>,
}

impl BuildOptions {
    /// All slices up to this one, by one thread.
    #[must_use]
    pub fn up_to(last: u32) -> Self {
        Self {
            last,
            threads: 1,
            memory_bytes_max: None,
            form: Form::default(),
            list_max: 1 << 16,
            checkpoints: None,
        }
    }
}

/// What was built.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Built {
    /// How many slices are new.
    pub built: u32,
    /// How many numbers those have.
    pub numbers: u64,
    /// How many slices were there before.
    pub kept: u32,
    /// Whether the work was stopped before the last slice.
    pub stopped: bool,
}

/// What a build takes if nothing is there yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The numbers of all slices.
    pub numbers: u64,
    /// The most memory that is taken at a time.
    pub memory_bytes: u64,
}

/// What it takes to build all slices up to `last`.
///
/// # Errors
/// If the game has no such slices.
pub fn plan<G: Notation>(game: &G, last: u32) -> Result<Plan, Error> {
    let rules = Numbered::new(game)?;
    rules.check_slice(last)?;
    let numbers = (0..=last).map(|slice| rules.size(slice) as u64).sum();
    let memory_bytes = (0..=last).map(|slice| bytes_needed(&rules, slice)).max().unwrap_or(0);
    Ok(Plan { numbers, memory_bytes })
}

/// Builds all slices up to the last one of the options into a folder.
///
/// # Errors
/// If the game has no such slices, if the memory is too small, if the folder or that of checkpoints holds another game, or if one of
/// them cannot be used. A checkpoint that cannot be written later on is told to the watch, and the work goes on.
pub fn build<G: Notation>(
    game: &G,
    dir: &Path,
    options: &BuildOptions,
    watch: &mut Watch<'_>,
) -> Result<Built, Error> {
    let rules = Numbered::new(game)?;
    rules.check_slice(options.last)?;
    std::fs::create_dir_all(dir).map_err(Error::io("make the folder", dir))?;
    let mut files = Vec::new();
    for slice in 0..=options.last {
        files.push(match open_slice(dir, slice, &rules) {
            Ok(file) => Some(file),
            // What is damaged is built anew, like what is not there; what belongs to somebody else is left alone.
            Err(Error::File { .. }) => None,
            Err(Error::Io { problem, .. }) if problem.kind() == std::io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        });
    }
    let missing = |slice: &u32| files.get(*slice as usize).is_none_or(Option::is_none);
    if let Some(allowed) = options.memory_bytes_max {
        for slice in (0..=options.last).filter(missing) {
            let needed = bytes_needed(&rules, slice);
            if needed > allowed {
                return Err(Error::Memory { slice, needed, allowed });
            }
        }
    }
    let mut keeper = Keeper::new(options.checkpoints.as_ref(), &rules, |slice| !missing(&slice), watch)?;
    let mut built = Built { kept: files.iter().flatten().count() as u32, ..Built::default() };
    // What lies above the last missing slice need not be looked at.
    let Some(last) = (0..=options.last).rfind(missing) else { return Ok(built) };
    let sizes: Vec<u64> = (0..=last).map(|slice| rules.size(slice) as u64).collect();
    let mut lower: Vec<Vec<i8>> = Vec::new();
    for (slice, file) in (0..=last).zip(files) {
        let at = slice as usize;
        let mut watch = SliceWatch {
            watch,
            slice,
            slices_done: sizes[..at].iter().sum(),
            slice_size: sizes[at],
            slices_total: sizes.iter().sum(),
        };
        let file = match file {
            Some(file) => file,
            None => {
                if build_slice(&rules, dir, &lower, options, &mut keeper, &mut watch)?.is_err() {
                    return Ok(Built { stopped: true, ..built });
                }
                built.built += 1;
                built.numbers += sizes[at];
                open_slice(dir, slice, &rules)?
            }
        };
        if slice < last {
            let mut tell = |done| watch.tell(Phase::Load, done, sizes[at]);
            let Ok(values) = file.load(options.threads, &mut tell) else {
                return Ok(Built { stopped: true, ..built });
            };
            lower.push(values);
        }
    }
    Ok(built)
}

/// The memory that a slice takes to build: two bytes for each of its positions, one for each of the smaller slices, and some for
/// writing.
fn bytes_needed<G: Notation>(rules: &Numbered<'_, G>, slice: u32) -> u64 {
    let lower: u64 = (0..slice).map(|slice| rules.size(slice) as u64).sum();
    let size = rules.size(slice) as u64;
    lower + 2 * size + size / 16 + (4 << 20)
}

fn build_slice<G: Notation>(
    rules: &Numbered<'_, G>,
    dir: &Path,
    lower: &[Vec<i8>],
    options: &BuildOptions,
    keeper: &mut Keeper,
    watch: &mut SliceWatch<'_, '_>,
) -> Result<Result<(), Stopped>, Error> {
    let (slice, threads, list_max) = (watch.slice, options.threads, options.list_max);
    let work = Retrograde { rules, slice, lower, threads, list_max };
    let Ok(mut held) = keeper.begin(rules, threads, watch) else { return Ok(Err(Stopped)) };
    if work.run(&mut held, keeper, watch).is_err() {
        return Ok(Err(Stopped));
    }
    let head = Head {
        form: options.form,
        rules_version: rules.game.rules_version(),
        slice,
        value_max: held.value_max,
        size: held.words.len() as u64,
        game: rules.game.game_text(),
    };
    let written = write(dir, &head, &Words(&held.words), held.nothing, threads, watch);
    match written {
        Ok(Ok(())) => keeper.done(watch),
        // What was worked out is not lost with a file that cannot be written.
        _ => keeper.leave(&held, watch),
    }
    written
}

struct Words<'w>(&'w [AtomicU16]);

impl Source for Words<'_> {
    fn values(&self, numbers: Range<usize>, values: &mut Vec<i8>) {
        values.extend(self.0[numbers].iter().map(|word| Word(word.load(Ordering::Relaxed)).value()));
    }
}
