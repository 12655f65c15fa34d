//! What searches share when they are written into a checkpoint and read back.
//!
//! A search is made anew as it was made at first, and then takes back what it held: so a checkpoint has nothing of the problem and of
//! the switches in it, and what is there is checked against them. Buffers that are empty between two steps are not
//! written; the room that they take is, where it counts for when memory is full, so that a search that goes on does so to the node.

use std::io::Result as IoResult;

use quod_checkpoint::{Failure, Reader, Writer};
use quod_model::{AndOr, Bounded, Child, Evaluation, Minimax, Relative};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Something that can take back what it has written.
pub trait Restore {
    /// Takes back what was written into a checkpoint.
    ///
    /// # Errors
    /// If what is there makes no sense; it must not be used then.
    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Failure>;
}

/// The bits of a set of numbers, to see whether something stands in two places.
pub(crate) struct Marks(Vec<u64>);

impl Marks {
    pub(crate) fn new(count: usize) -> Self {
        Self(vec![0; count.div_ceil(64)])
    }

    pub(crate) fn has(&self, at: usize) -> bool {
        self.0[at / 64] >> (at % 64) & 1 != 0
    }

    /// False if it was there before.
    pub(crate) fn add(&mut self, at: usize) -> bool {
        let is_new = !self.has(at);
        self.0[at / 64] |= 1 << (at % 64);
        is_new
    }
}

/// Writes the room that a vector has taken.
pub(crate) fn write_room<T>(vector: &Vec<T>, to: &mut Writer<'_>) -> IoResult<()> {
    to.item(vector.capacity() as u64)
}

/// Gives a vector the room that it had, which cannot have been more than `most` items.
pub(crate) fn restore_room<T>(
    vector: &mut Vec<T>,
    most: usize,
    from: &mut Reader<'_>,
) -> Result<(), Failure> {
    let room = usize::try_from(from.item::<u64>()?).unwrap_or(usize::MAX);
    // Vectors grow by doubling.
    if room > most.saturating_mul(2).max(64) {
        return Err(Failure::damaged("a buffer is larger than can be"));
    }
    let more = room.saturating_sub(vector.len());
    vector.try_reserve_exact(more).map_err(|_| Failure::damaged("there is no memory for a buffer"))
}

pub(crate) fn write_shuffle(shuffle: Option<&Xoshiro256PlusPlus>, to: &mut Writer<'_>) -> IoResult<()> {
    let bytes = shuffle.map_or_else(|| Ok(Vec::new()), postcard::to_allocvec);
    to.items(&bytes.map_err(std::io::Error::other)?)
}

pub(crate) fn restore_shuffle(
    shuffle: &mut Option<Xoshiro256PlusPlus>,
    from: &mut Reader<'_>,
) -> Result<(), Failure> {
    let bytes = from.items::<u8>()?;
    if shuffle.is_some() == bytes.is_empty() {
        return Err(Failure::damaged("the order of moves is another"));
    }
    if let Some(random) = shuffle {
        *random = postcard::from_bytes(&bytes).map_err(|_| Failure::damaged("the order of moves is lost"))?;
    }
    Ok(())
}

/// Goes down along moves that the problem must have at these places.
pub(crate) fn go_down(
    cursor: &mut dyn AndOr,
    evaluation: Evaluation,
    codes: impl Iterator<Item = u32>,
) -> Result<(), Failure> {
    let mut children: Vec<Child> = Vec::new();
    for code in codes {
        children.clear();
        if cursor.evaluate(Evaluation::Immediate).is_none() {
            cursor.expand(evaluation, &mut children);
        }
        if children.iter().all(|child| child.code != code) {
            return Err(Failure::damaged("its moves are not those of this problem"));
        }
        cursor.down(&[code]);
    }
    Ok(())
}

/// The same in a search for a value.
pub(crate) fn go_down_for_value(
    cursor: &mut dyn Minimax,
    at_least: Relative,
    codes: impl Iterator<Item = u32>,
) -> Result<(), Failure> {
    let mut children: Vec<Bounded> = Vec::new();
    for code in codes {
        children.clear();
        let (lower, upper) = cursor.bounds();
        if lower < upper {
            cursor.expand(at_least, &mut children);
        }
        if children.iter().all(|child| child.code != code) {
            return Err(Failure::damaged("its moves are not those of this problem"));
        }
        cursor.down(&[code]);
    }
    Ok(())
}
