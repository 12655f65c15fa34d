//! Reading a state back, item by item, and nothing that was not checked.

use std::io::{ErrorKind, Read};

use zerocopy::IntoBytes as _;

use crate::frames::{FORMAT, FRAME_HEAD_BYTES, FRAME_MAX, HEAD_BYTES, MAGIC, ORDER, frame_head};
use crate::{Failure, Plain};

/// Reads a checkpoint.
pub struct Reader<'r> {
    from: Box<dyn Read + 'r>,
    /// The bytes of the file that are still to come, so that no length is believed that cannot be.
    left: u64,
    frame: Vec<u8>,
    at: usize,
    frames: u64,
    ended: bool,
}

impl<'r> Reader<'r> {
    /// Begins with a file of so many bytes.
    ///
    /// # Errors
    /// If it is no checkpoint, or of another format.
    pub fn new(from: impl Read + 'r, bytes: u64) -> Result<Self, Failure> {
        let mut reader =
            Self { from: Box::new(from), left: bytes, frame: Vec::new(), at: 0, frames: 0, ended: false };
        let mut head = [0; HEAD_BYTES];
        reader.fill(&mut head)?;
        let number = |from: usize| u32::from_ne_bytes(head[from..from + 4].try_into().expect("four bytes"));
        if head[..8] != MAGIC {
            return Err(Failure::damaged("it does not begin as a checkpoint does"));
        }
        if number(8) != ORDER {
            return Err(Failure::damaged("it was written by a machine with another order of bytes"));
        }
        match number(12) {
            FORMAT => Ok(reader),
            found => Err(Failure::Version { found, read: FORMAT }),
        }
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), Failure> {
        self.left = match self.left.checked_sub(bytes.len() as u64) {
            Some(left) => left,
            None => return Err(Failure::damaged("it ends too early")),
        };
        self.from.read_exact(bytes).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => Failure::damaged("it ends too early"),
            _ => Failure::damaged(format!("it cannot be read: {error}")),
        })
    }

    /// Takes the next frame; false at the end.
    fn next_frame(&mut self) -> Result<bool, Failure> {
        if self.ended {
            return Ok(false);
        }
        let mut head = [0; FRAME_HEAD_BYTES];
        self.fill(&mut head)?;
        let length = u32::from_ne_bytes(head[..4].try_into().expect("four bytes")) as usize;
        if length > FRAME_MAX {
            return Err(Failure::damaged(format!("frame {} is too long", self.frames)));
        }
        let mut frame = std::mem::take(&mut self.frame);
        frame.resize(length, 0);
        self.fill(&mut frame)?;
        if frame_head(self.frames, &frame) != head {
            return Err(Failure::damaged(format!("the checksum of frame {} is wrong", self.frames)));
        }
        (self.frame, self.at) = (frame, 0);
        self.frames += 1;
        self.ended = length == 0;
        Ok(!self.ended)
    }

    /// Looks at everything that is left, without taking it: whether all checksums are right and nothing follows.
    ///
    /// # Errors
    /// If they are not.
    pub fn check(mut self) -> Result<(), Failure> {
        while self.next_frame()? {}
        if self.left > 0 {
            return Err(Failure::damaged("something follows after its end"));
        }
        Ok(())
    }

    fn take(&mut self, bytes: &mut [u8]) -> Result<(), Failure> {
        let mut done = 0;
        while done < bytes.len() {
            if self.at == self.frame.len() && !self.next_frame()? {
                return Err(Failure::damaged("it ends too early"));
            }
            let count = (self.frame.len() - self.at).min(bytes.len() - done);
            bytes[done..done + count].copy_from_slice(&self.frame[self.at..self.at + count]);
            (self.at, done) = (self.at + count, done + count);
        }
        Ok(())
    }

    /// Nothing may be left.
    ///
    /// # Errors
    /// If there is something.
    pub fn end(mut self) -> Result<(), Failure> {
        if self.at < self.frame.len() || self.next_frame()? {
            return Err(Failure::damaged("it holds more than it should"));
        }
        Ok(())
    }

    /// Reads one item.
    ///
    /// # Errors
    /// If it is not there.
    pub fn item<T: Plain>(&mut self) -> Result<T, Failure> {
        let mut item = T::new_zeroed();
        self.take(item.as_mut_bytes())?;
        Ok(item)
    }

    /// Reads yes or no.
    ///
    /// # Errors
    /// If it is neither.
    pub fn flag(&mut self) -> Result<bool, Failure> {
        match self.item::<u8>()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(Failure::damaged("neither yes nor no")),
        }
    }

    /// Reads the number of items that follow, of which the file must still have the bytes.
    fn count<T>(&mut self) -> Result<usize, Failure> {
        let count = self.item::<u64>()?;
        let there = self.left + (self.frame.len() - self.at) as u64;
        let fits = count.checked_mul(size_of::<T>() as u64).is_some_and(|bytes| bytes <= there);
        usize::try_from(count).ok().filter(|_| fits).ok_or_else(|| Failure::damaged("a list is too long"))
    }

    /// Reads items into a vector that has room for them, at most so many; what it held is dropped.
    ///
    /// # Errors
    /// If they are not there, or are more.
    pub fn items_into<T: Plain>(&mut self, items: &mut Vec<T>, most: usize) -> Result<(), Failure> {
        /// Memory is touched as the items come.
        const ROUND: usize = 1 << 16;
        let mut left = self.count::<T>()?;
        if left > most {
            return Err(Failure::unfit(format!("it holds {left} items, and there is room for {most}")));
        }
        items.clear();
        items.try_reserve_exact(left).map_err(|_| Failure::damaged("there is no memory for it"))?;
        while left > 0 {
            let (begin, round) = (items.len(), left.min(ROUND));
            items.resize(begin + round, T::new_zeroed());
            self.take(items[begin..].as_mut_bytes())?;
            left -= round;
        }
        Ok(())
    }

    /// Reads items.
    ///
    /// # Errors
    /// If they are not there.
    pub fn items<T: Plain>(&mut self) -> Result<Vec<T>, Failure> {
        let mut items = Vec::new();
        self.items_into(&mut items, usize::MAX)?;
        Ok(items)
    }

    /// Reads a text.
    ///
    /// # Errors
    /// If there is none.
    pub fn text(&mut self) -> Result<String, Failure> {
        String::from_utf8(self.items()?).map_err(|_| Failure::damaged("a text is none"))
    }
}
