//! Reading a slice: the file stays where it is and is mapped into memory.

use std::fs::File;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use memmap2::{Mmap, MmapMut};
use quod_model::shortened;

use super::head::TAIL;
use super::{Form, Head, Summary, Summing};
use crate::Error;
use crate::code::{BLOCK, Decoder, GROUP, GROUP_BLOCKS};
use crate::memory::values;
use crate::work::{Pieces, Stopped, share};

/// A game and the version of its rules, as people are told.
pub(crate) fn rules_text(game: &str, rules_version: u32) -> String {
    format!("{game} (rules version {rules_version})")
}

/// The values of a slice in a file that has been checked.
pub struct SliceFile {
    path: PathBuf,
    map: Mmap,
    head: Head,
    summary: Summary,
    /// Where values or their codes are in the file.
    data: Range<usize>,
    decoder: Option<Decoder>,
}

impl SliceFile {
    /// Opens a file and checks that it is whole.
    ///
    /// # Errors
    /// If it is not.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let file = File::open(path).map_err(Error::io("read", path))?;
        // SAFETY: the map is read only. Who changes the file of an open database changes what is read from it; nothing that is
        // read is trusted to be within bounds.
        #[allow(unsafe_code)]
        let map = unsafe { Mmap::map(&file) }.map_err(Error::io("read", path))?;
        Self::read(path, map)
    }

    /// Checks the bytes of a file that is in memory.
    ///
    /// # Errors
    /// If they are not whole.
    pub fn of_bytes(name: &Path, bytes: &[u8]) -> Result<Self, Error> {
        // A map has a length.
        let mut map = MmapMut::map_anon(bytes.len().max(1)).map_err(Error::io("read", name))?;
        map[..bytes.len()].copy_from_slice(bytes);
        Self::read(name, map.make_read_only().map_err(Error::io("read", name))?)
    }

    fn read(path: &Path, map: Mmap) -> Result<Self, Error> {
        let wrong = |problem: String| Error::file(path, problem);
        let head = Head::read(&map).map_err(wrong)?;
        let cut = || wrong("it is cut off".to_owned());
        let tail = map.len().checked_sub(TAIL).filter(|tail| *tail >= head.len()).ok_or_else(cut)?;
        let (all, hash) = map.split_at(map.len() - 32);
        if blake3::hash(all).as_bytes() != hash {
            return Err(wrong("its checksum is wrong: it is damaged or was altered".to_owned()));
        }
        let summary = Summary::read(&map[tail..]).ok_or_else(cut)?;
        if !summary.fits(head.size) {
            return Err(wrong("its checksum is right, but it counts more positions than it has".to_owned()));
        }
        let odd = || wrong("its checksum is right, but its length is not".to_owned());
        let (data, decoder) = match head.form {
            Form::Plain => {
                let data = head.len()..tail;
                if data.len() as u64 != head.size {
                    return Err(odd());
                }
                (data, None)
            }
            Form::Compressed => {
                let (blocks, groups) = head.blocks();
                let begins =
                    blocks.checked_mul(2).and_then(|blocks| blocks.checked_add(groups.checked_mul(8)?));
                let begins = begins.and_then(|begins| usize::try_from(begins).ok()).ok_or_else(odd)?;
                let symbols = head.symbols();
                let begin = head.len() + symbols * (symbols + 1);
                let end = tail.checked_sub(begins).filter(|end| *end >= begin).ok_or_else(odd)?;
                let decoder = Decoder::new(symbols, &map[head.len()..begin]);
                let no_codes = || wrong("its checksum is right, but its codes are none".to_owned());
                (begin..end, Some(decoder.ok_or_else(no_codes)?))
            }
        };
        Ok(Self { path: path.to_owned(), map, head, summary, data, decoder })
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The text that names the game.
    #[must_use]
    pub fn game(&self) -> &str {
        &self.head.game
    }

    /// The version of its rules.
    #[must_use]
    pub fn rules_version(&self) -> u32 {
        self.head.rules_version
    }

    /// The game and the version of its rules, as people are told.
    pub(crate) fn rules_text(&self) -> String {
        rules_text(&self.head.game, self.head.rules_version)
    }

    /// Checks that it is what its name says, and of these rules.
    pub(crate) fn check(&self, slice: u32, wanted: &str) -> Result<(), Error> {
        let (path, found) = (self.path.clone(), self.rules_text());
        if found != wanted {
            return Err(Error::OtherGame { path, found: shortened(&found), wanted: wanted.to_owned() });
        }
        if self.head.slice != slice {
            let problem = format!("it holds slice {}, not {slice}: it was renamed", self.head.slice);
            return Err(Error::file(&path, problem));
        }
        Ok(())
    }

    /// Which slice it is.
    #[must_use]
    pub fn slice(&self) -> u32 {
        self.head.slice
    }

    /// How many numbers it has.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.head.size
    }

    /// How it is written.
    #[must_use]
    pub fn form(&self) -> Form {
        self.head.form
    }

    /// What its values are.
    #[must_use]
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// How long the file is.
    #[must_use]
    pub fn file_bytes(&self) -> u64 {
        self.map.len() as u64
    }

    /// What it takes in memory beside the file.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.decoder.as_ref().map_or(0, Decoder::bytes) as u64
    }

    /// The largest value that it may hold.
    pub(crate) fn value_max(&self) -> i32 {
        self.head.value_max
    }

    /// The stored value at a number.
    ///
    /// # Panics
    /// If there is no such number.
    #[must_use]
    #[inline]
    pub fn value(&self, number: u64) -> i32 {
        assert!(number < self.head.size, "slice {} has no number {number}", self.head.slice);
        let number = number as usize;
        let data = &self.map[self.data.clone()];
        match &self.decoder {
            None => data[number].cast_signed().into(),
            Some(decoder) => decoder.value(data, self.block(number / BLOCK), number % BLOCK).into(),
        }
    }

    /// The bit at which a block begins.
    #[inline]
    fn block(&self, block: usize) -> u64 {
        let begins = &self.map[self.data.end..];
        let at = |place: usize| begins.get(place..).unwrap_or_default();
        let groups = 8 * self.head.blocks().1 as usize;
        let group =
            at(8 * (block / GROUP_BLOCKS)).first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
        let within = at(groups + 2 * block).first_chunk().map_or(0, |bytes| u16::from_le_bytes(*bytes));
        // What a file says is kept within it, whoever has written it.
        group.min(self.data.len() as u64) * 8 + u64::from(within)
    }

    /// Compares the values with the checksum that the summary states, and with the range that they may have.
    pub(crate) fn check_values(&self, threads: usize) -> Result<(), Error> {
        let Ok(values) = self.load(threads, &mut |_| true) else { unreachable!("nobody stops it") };
        let mut summing = Summing::new();
        values.chunks(1 << 16).for_each(|values| {
            summing.add(values);
        });
        let in_range = values.iter().all(|value| i32::from(*value).abs() <= self.value_max());
        if !in_range || summing.finish(0).checksum != self.summary().checksum {
            let problem = "its values are not those whose checksum it states: they were altered";
            return Err(Error::file(self.path(), problem));
        }
        Ok(())
    }

    /// All values, read by several threads.
    pub(crate) fn load(&self, threads: usize, tell: &mut dyn FnMut(u64) -> bool) -> Result<Vec<i8>, Stopped> {
        let mut loaded = values(self.head.size as usize);
        let parts: Vec<Mutex<&mut [i8]>> = loaded.chunks_mut(16 * GROUP).map(Mutex::new).collect();
        let data = &self.map[self.data.clone()];
        share(threads, self.head.size as usize, 16 * GROUP, tell, |pieces: &Pieces| {
            while let Some(piece) = pieces.take() {
                let mut part = parts[piece.start / (16 * GROUP)].lock().expect("nobody else has this piece");
                match &self.decoder {
                    None => part
                        .iter_mut()
                        .zip(&data[piece])
                        .for_each(|(value, byte)| *value = byte.cast_signed()),
                    Some(decoder) => {
                        for (values, block) in part.chunks_mut(BLOCK).zip(piece.start / BLOCK..) {
                            decoder.values(data, self.block(block), values);
                        }
                    }
                }
            }
        })?;
        Ok(loaded)
    }
}
