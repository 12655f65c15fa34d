//! Where places were last reached from, to see whether two children of a place lead to the same descendant (Nagai 2002;
//! Kishimoto 2010): their numbers are then not added up.
//!
//! A place is known by 32 bits of its key here, and its last parent stands under them. What is overwritten or mistaken costs
//! nothing but a worse number.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use quod_checkpoint::{Failure, Reader, State, Writer};

use crate::pages::{Zeroed, Zeros};
use crate::saved::Restore;

// SAFETY: zero is a value of an atomic word.
#[allow(unsafe_code)]
unsafe impl Zeroed for AtomicU32 {}

pub(super) struct Sources(Zeros<AtomicU32>);

impl Sources {
    /// In so many bytes, and not more than can be told apart.
    pub(super) fn new(bytes_max: u64) -> Self {
        const PLACES_MAX: u64 = 1 << 26;
        Self(Zeros::new((bytes_max / 4).clamp(1, PLACES_MAX) as usize))
    }

    pub(super) fn bytes(&self) -> u64 {
        self.0.len() as u64 * 4
    }

    fn place(&self, bits: u32) -> &AtomicU32 {
        &self.0[((u64::from(bits) * self.0.len() as u64) >> 32) as usize]
    }

    /// Remembers that `child` was reached from `parent`.
    pub(super) fn record(&self, child: u32, parent: u32) {
        self.place(child).store(parent, Relaxed);
    }

    /// Where a place was last reached from.
    pub(super) fn parent(&self, child: u32) -> u32 {
        self.place(child).load(Relaxed)
    }
}

/// Words that are written or read at a time.
const ROUND: usize = 1 << 15;

impl State for Sources {
    fn write(&self, to: &mut Writer<'_>) -> std::io::Result<()> {
        to.item(self.0.len() as u64)?;
        for places in self.0.chunks(ROUND) {
            to.items(&places.iter().map(|place| place.load(Relaxed)).collect::<Vec<u32>>())?;
        }
        Ok(())
    }
}

impl Restore for Sources {
    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Failure> {
        let lost = || Failure::damaged("a part of its sources is missing");
        if from.item::<u64>()? != self.0.len() as u64 {
            return Err(lost());
        }
        for places in self.0.chunks(ROUND) {
            let words: Vec<u32> = from.items()?;
            if words.len() != places.len() {
                return Err(lost());
            }
            places.iter().zip(words).for_each(|(place, word)| place.store(word, Relaxed));
        }
        Ok(())
    }
}
