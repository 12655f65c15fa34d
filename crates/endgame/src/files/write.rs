//! Writing a slice: to the side, flushed, and then under its name.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::ops::Range;
use std::path::Path;

use super::summary::Summing;
use super::{Form, Head, name};
use crate::Error;
use crate::code::{Counts, Encoder, GROUP};
use crate::work::{Phase, Pieces, SliceWatch, Stopped, share};

/// Numbers that are coded before they are written, and numbers that a thread takes of them.
const ROUND: usize = 1 << 20;
const PIECE: usize = 16 * GROUP;

/// Where values come from.
pub(crate) trait Source: Sync {
    /// The values of some numbers.
    fn values(&self, numbers: Range<usize>, values: &mut Vec<i8>);
}

/// A file that is hashed while it is written.
struct Hashed {
    file: BufWriter<File>,
    hasher: blake3::Hasher,
}

impl Hashed {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.hasher.update(bytes);
        self.file.write_all(bytes)
    }
}

/// A piece of a slice, coded.
struct Coded {
    begin: usize,
    values: Vec<i8>,
    bytes: Vec<u8>,
    /// Where groups begin, from the beginning of the piece in bytes.
    groups: Vec<u64>,
    /// Where blocks begin, from the beginning of their group in bits.
    blocks: Vec<u16>,
}

/// Writes a slice. `nothing` numbers stand for no position.
pub(crate) fn write(
    dir: &Path,
    head: &Head,
    source: &dyn Source,
    nothing: u64,
    threads: usize,
    watch: &mut SliceWatch<'_, '_>,
) -> Result<Result<(), Stopped>, Error> {
    // The same name for every try: what a crash leaves behind is used again.
    let part = dir.join(format!("{}.part", name(head.slice)));
    let file = File::options().write(true).create(true).truncate(false).open(&part);
    let file = file.map_err(Error::io("write", &part))?;
    file.try_lock().map_err(|_| Error::file(&part, "another program is writing it"))?;
    file.set_len(0).map_err(Error::io("write", &part))?;
    let mut writer = Writer {
        file: Hashed { file: BufWriter::with_capacity(1 << 16, file), hasher: blake3::Hasher::new() },
        head,
        source,
        threads,
    };
    let written = writer.write(nothing, watch).map_err(Error::io("write", &part))?;
    if written.is_err() {
        std::fs::remove_file(&part).map_err(Error::io("remove", &part))?;
        return Ok(Err(Stopped));
    }
    let flushed = writer.file.file.into_inner().map_err(std::io::IntoInnerError::into_error);
    flushed.and_then(|file| file.sync_all()).map_err(Error::io("write", &part))?;
    let path = super::path(dir, head.slice);
    std::fs::rename(&part, &path).map_err(Error::io("write", &path))?;
    // The name is kept too when the machine fails.
    let flushed = File::open(dir).and_then(|dir| if cfg!(unix) { dir.sync_all() } else { Ok(()) });
    flushed.map_err(Error::io("write", dir))?;
    Ok(Ok(()))
}

struct Writer<'a> {
    file: Hashed,
    head: &'a Head,
    source: &'a dyn Source,
    threads: usize,
}

impl Writer<'_> {
    fn write(
        &mut self,
        nothing: u64,
        watch: &mut SliceWatch<'_, '_>,
    ) -> std::io::Result<Result<(), Stopped>> {
        let total = self.head.size;
        let mut tell = |done| watch.tell(Phase::Write, done, total);
        self.file.write(&self.head.bytes())?;
        let encoder = match self.head.form {
            Form::Plain => None,
            Form::Compressed => {
                let Ok(counts) = self.counts(&mut tell) else { return Ok(Err(Stopped)) };
                let lengths = counts.lengths();
                self.file.write(&lengths)?;
                Some(Encoder::new(counts.symbols, &lengths))
            }
        };
        let mut summing = Summing::new();
        let (mut groups, mut blocks, mut bytes) = (Vec::new(), Vec::new(), 0u64);
        let size = self.head.size as usize;
        for begin in (0..size).step_by(ROUND) {
            let round = begin..(begin + ROUND).min(size);
            let Ok(coded) = self.round(round, encoder.as_ref(), &mut tell) else { return Ok(Err(Stopped)) };
            for piece in coded {
                let plain = summing.add(&piece.values);
                self.file.write(if encoder.is_some() { &piece.bytes } else { plain })?;
                groups.extend(piece.groups.iter().map(|begin| bytes + begin));
                blocks.extend(piece.blocks);
                bytes += piece.bytes.len() as u64;
            }
        }
        self.file.write(&groups.iter().flat_map(|begin| begin.to_le_bytes()).collect::<Vec<_>>())?;
        self.file.write(&blocks.iter().flat_map(|begin| begin.to_le_bytes()).collect::<Vec<_>>())?;
        self.file.write(&summing.finish(nothing).bytes())?;
        let all = self.file.hasher.finalize();
        self.file.file.write_all(all.as_bytes())?;
        Ok(Ok(()))
    }

    fn counts(&self, tell: &mut dyn FnMut(u64) -> bool) -> Result<Counts, Stopped> {
        let mut all = Counts::new(self.head.value_max);
        let counted = share(self.threads, self.head.size as usize, PIECE, tell, |pieces: &Pieces| {
            let (mut counts, mut values) = (Counts::new(self.head.value_max), Vec::new());
            while let Some(piece) = pieces.take() {
                values.clear();
                self.source.values(piece, &mut values);
                counts.count(&values);
            }
            counts
        })?;
        counted.iter().for_each(|counts| all.add(counts));
        Ok(all)
    }

    fn round(
        &self,
        round: Range<usize>,
        encoder: Option<&Encoder>,
        tell: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Vec<Coded>, Stopped> {
        let mut tell = |done| tell(round.start as u64 + done);
        let coded = share(self.threads, round.len(), PIECE, &mut tell, |pieces: &Pieces| {
            let mut coded = Vec::new();
            while let Some(piece) = pieces.take() {
                let mut values = Vec::with_capacity(piece.len());
                self.source.values(piece.start + round.start..piece.end + round.start, &mut values);
                let (mut bytes, mut groups, mut blocks) = (Vec::new(), Vec::new(), Vec::new());
                if let Some(encoder) = encoder {
                    for group in values.chunks(GROUP) {
                        groups.push(bytes.len() as u64);
                        encoder.group(group, &mut bytes, &mut blocks);
                    }
                }
                coded.push(Coded { begin: piece.start, values, bytes, groups, blocks });
            }
            coded
        })?;
        let mut coded: Vec<Coded> = coded.into_iter().flatten().collect();
        coded.sort_unstable_by_key(|piece| piece.begin);
        Ok(coded)
    }
}
