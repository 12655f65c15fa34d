//! Writing a state, item by item.

use std::io::{Result, Write};

use zerocopy::IntoBytes as _;

use crate::Plain;
use crate::frames::{FRAME_MAX, frame_head, head};

/// Writes a checkpoint.
pub struct Writer<'w> {
    out: &'w mut dyn Write,
    frame: Vec<u8>,
    frames: u64,
    bytes: u64,
}

impl<'w> Writer<'w> {
    /// Begins one.
    ///
    /// # Errors
    /// If nothing can be written there.
    pub fn new(out: &'w mut dyn Write) -> Result<Self> {
        let head = head();
        out.write_all(&head)?;
        Ok(Self { out, frame: Vec::with_capacity(FRAME_MAX), frames: 0, bytes: head.len() as u64 })
    }

    /// Ends it, and says how many bytes were written.
    ///
    /// # Errors
    /// If the rest cannot be written.
    pub fn end(mut self) -> Result<u64> {
        self.flush()?;
        // An empty frame: nothing may follow.
        self.put_frame(&[])?;
        self.out.flush()?;
        Ok(self.bytes)
    }

    fn put_frame(&mut self, payload: &[u8]) -> Result<()> {
        let head = frame_head(self.frames, payload);
        self.out.write_all(&head)?;
        self.out.write_all(payload)?;
        self.frames += 1;
        self.bytes += (head.len() + payload.len()) as u64;
        Ok(())
    }

    fn flush(&mut self) -> Result<()> {
        if !self.frame.is_empty() {
            let frame = std::mem::take(&mut self.frame);
            self.put_frame(&frame)?;
            self.frame = frame;
            self.frame.clear();
        }
        Ok(())
    }

    fn put(&mut self, mut bytes: &[u8]) -> Result<()> {
        while self.frame.len() + bytes.len() > FRAME_MAX {
            if self.frame.is_empty() {
                // Whole frames are written from where they lie.
                let (whole, rest) = bytes.split_at(FRAME_MAX);
                self.put_frame(whole)?;
                bytes = rest;
            } else {
                let (fits, rest) = bytes.split_at(FRAME_MAX - self.frame.len());
                self.frame.extend_from_slice(fits);
                self.flush()?;
                bytes = rest;
            }
        }
        self.frame.extend_from_slice(bytes);
        Ok(())
    }

    /// Writes one item.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn item<T: Plain>(&mut self, item: T) -> Result<()> {
        self.put(item.as_bytes())
    }

    /// Writes yes or no.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn flag(&mut self, flag: bool) -> Result<()> {
        self.item(u8::from(flag))
    }

    /// Writes how many items there are, and all of them.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn items<T: Plain>(&mut self, items: &[T]) -> Result<()> {
        self.item(items.len() as u64)?;
        self.put(items.as_bytes())
    }

    /// Writes a text.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn text(&mut self, text: &str) -> Result<()> {
        self.items(text.as_bytes())
    }
}
