//! A folder with the last two checkpoints of some work.

use std::fs::{File, TryLockError};
use std::io::{BufReader, Result as IoResult};
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;

use crate::{Failure, Reader, Writer};

const ENDING: &str = "checkpoint";
/// What is being written.
const PART: &str = "part";

/// The checkpoints of one piece of work. As long as this is there, no other program writes into the folder.
pub struct Folder {
    path: PathBuf,
    _lock: File,
    /// The generations that are known to be good, the newest last; two at the most.
    good: Vec<u64>,
    /// The number of the next generation.
    next: u64,
    /// Whoever flushes the one that was written last.
    flushing: Option<JoinHandle<Result<u64, Failure>>>,
}

/// The newest good checkpoint.
pub struct Found {
    /// Where it is.
    pub path: PathBuf,
    /// What it holds. All its checksums are right.
    pub reader: Reader<'static>,
    /// Newer ones that cannot be used, with the reason.
    pub damaged: Vec<String>,
}

/// What became of a wish for a checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// It is written, so many bytes; it gets its name when it is flushed.
    Bytes(u64),
    /// The one before is still being flushed: nothing was done.
    Busy,
}

impl Folder {
    /// Opens a folder, and makes it if it is not there.
    ///
    /// # Errors
    /// If that cannot be, or another program has it.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        std::fs::create_dir_all(path).map_err(Failure::system("make the folder", path))?;
        let lock = path.join("lock");
        let file = File::options().write(true).create(true).truncate(false).open(&lock);
        let file = file.map_err(Failure::system("write", &lock))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(Failure::InUse(path.to_owned())),
            Err(TryLockError::Error(error)) => return Err(Failure::system("lock", &lock)(error)),
        }
        let mut folder =
            Self { path: path.to_owned(), _lock: file, good: Vec::new(), next: 1, flushing: None };
        folder.next = folder.generations()?.last().map_or(1, |last| last.saturating_add(1));
        Ok(folder)
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn file(&self, generation: u64) -> PathBuf {
        self.path.join(format!("{generation:010}.{ENDING}"))
    }

    /// The generations that are there, good or not, the newest last.
    fn generations(&self) -> Result<Vec<u64>, Failure> {
        self.numbered(ENDING)
    }

    /// The numbers of the files with this ending, the largest last.
    fn numbered(&self, wanted: &str) -> Result<Vec<u64>, Failure> {
        let entries = std::fs::read_dir(&self.path).map_err(Failure::system("read", &self.path))?;
        let mut generations = Vec::new();
        for entry in entries {
            let path = entry.map_err(Failure::system("read", &self.path))?.path();
            // What has another name, or is no file, belongs to somebody else.
            let stem = path.file_stem().and_then(|stem| stem.to_str()).filter(|stem| stem.len() == 10);
            if let Some(generation) = stem.and_then(|stem| stem.parse().ok())
                && self.file(generation).with_extension(wanted) == path
                && path.is_file()
            {
                generations.push(generation);
            }
        }
        generations.sort_unstable();
        Ok(generations)
    }

    /// Whether there is no checkpoint, good or not.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn is_empty(&self) -> Result<bool, Failure> {
        Ok(self.generations()?.is_empty())
    }

    /// The newest checkpoint whose checksums are right. The one before it is looked at too, for both are kept if they are good.
    ///
    /// # Errors
    /// If there is none.
    pub fn newest(&mut self) -> Result<Found, Failure> {
        let (mut damaged, mut found) = (Vec::new(), None);
        self.good.clear();
        for generation in self.generations()?.into_iter().rev() {
            let path = self.file(generation);
            match open(&path).and_then(Reader::check) {
                Ok(()) => {
                    self.good.insert(0, generation);
                    found.get_or_insert(path);
                }
                Err(failure) if found.is_none() => damaged.push(format!("{}: {failure}", path.display())),
                Err(_) => {}
            }
            if self.good.len() == 2 {
                break;
            }
        }
        match found {
            Some(path) => Ok(Found { reader: open(&path)?, path, damaged }),
            None if damaged.is_empty() => Err(Failure::Nothing(self.path.clone())),
            None => Err(Failure::Useless(self.path.clone(), damaged)),
        }
    }

    /// Writes the next checkpoint to the side. When this returns, the state may change again: a thread flushes the file and
    /// gives it its name. What is good stays until then.
    ///
    /// # Errors
    /// If it cannot be written; or if the one before could not be flushed.
    pub fn write(&mut self, fill: impl FnOnce(&mut Writer<'_>) -> IoResult<()>) -> Result<Taken, Failure> {
        if self.flushing.as_ref().is_some_and(|flushing| !flushing.is_finished()) {
            return Ok(Taken::Busy);
        }
        self.wait()?;
        let generation = self.next;
        let name = self.file(generation);
        let part = name.with_extension(PART);
        let written = File::create(&part).and_then(|mut file| {
            let mut writer = Writer::new(&mut file)?;
            fill(&mut writer)?;
            Ok((writer.end()?, file))
        });
        let (bytes, file) = written.map_err(|error| {
            // Whatever room it took is given back; the error that counts is the first one.
            let _ = std::fs::remove_file(&part);
            Failure::system("write", &part)(error)
        })?;
        self.next += 1;
        let folder = self.path.clone();
        self.flushing = Some(std::thread::spawn(move || {
            let flushed = file.sync_all().and_then(|()| std::fs::rename(&part, &name));
            flushed.map_err(|error| {
                let _ = std::fs::remove_file(&part);
                Failure::system("write", &part)(error)
            })?;
            // The name is kept too when the machine fails.
            let synced = File::open(&folder).and_then(|dir| if cfg!(unix) { dir.sync_all() } else { Ok(()) });
            synced.map_err(Failure::system("write", &folder))?;
            Ok(generation)
        }));
        Ok(Taken::Bytes(bytes))
    }

    /// Waits until what was written last is flushed and has its name. Then whatever is older than the two newest good ones goes.
    ///
    /// # Errors
    /// If that did not work.
    pub fn wait(&mut self) -> Result<(), Failure> {
        let Some(flushing) = self.flushing.take() else { return Ok(()) };
        let generation = flushing.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        self.good.push(generation);
        if self.good.len() > 2 {
            self.good.remove(0);
        }
        for old in self.generations()?.into_iter().filter(|old| !self.good.contains(old)) {
            let path = self.file(old);
            std::fs::remove_file(&path).map_err(Failure::system("remove", &path))?;
        }
        Ok(())
    }

    /// Removes all checkpoints, good or not, and what was left of unfinished ones: the work is done.
    ///
    /// # Errors
    /// If one cannot be removed.
    pub fn clear(&mut self) -> Result<(), Failure> {
        // Whether the last one could be flushed does not matter any more.
        let _ = self.wait();
        self.good.clear();
        for ending in [ENDING, PART] {
            for number in self.numbered(ending)? {
                let path = self.file(number).with_extension(ending);
                std::fs::remove_file(&path).map_err(Failure::system("remove", &path))?;
            }
        }
        Ok(())
    }
}

/// Whoever leaves waits for what was written.
impl Drop for Folder {
    fn drop(&mut self) {
        let _ = self.wait();
    }
}

fn open(path: &Path) -> Result<Reader<'static>, Failure> {
    let file = File::open(path).map_err(Failure::system("read", path))?;
    let bytes = file.metadata().map_err(Failure::system("read", path))?.len();
    Reader::new(BufReader::with_capacity(1 << 18, file), bytes)
}
