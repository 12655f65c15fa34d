//! Where nodes keep a pair of numbers for each of their questions.
//!
//! A game that is won, drawn or lost has two questions: both pairs stay in the node. With more of them, a leaf keeps one pair for
//! all, and a node with children a block elsewhere, for its open questions alone, and of those only the ones that still
//! matter at the root. So three outcomes and a hundred both fit.

use quod_checkpoint::{Failure, Reader, Writer};
use quod_model::Numbers;

use super::effort::{Effort, Fold};
use crate::blocks::{Blocks, Item};
use crate::saved::Marks;
use zerocopy::{FromBytes, Immutable, IntoBytes};

/// How many pairs stay in a node.
const FEW: u16 = 2;

/// What a node keeps: the pairs of a few questions; else first the pair of a leaf, or, if its second number is infinite, which
/// no open question has, the place of a block.
#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable)]
#[repr(C)]
pub(super) struct Kept([Numbers; FEW as usize]);

impl Kept {
    pub(super) fn of_leaf(numbers: Numbers) -> Self {
        Self([numbers; FEW as usize])
    }
}

/// In a block, the first item says which questions the following ones belong to.
impl Item for Numbers {
    fn link(&self) -> u32 {
        self.pn
    }
    fn set_link(&mut self, link: u32) {
        self.pn = link;
    }
}

/// The pairs of some questions.
pub(super) enum Pairs<'a> {
    Same(Numbers),
    Each(&'a [Numbers]),
}

impl Pairs<'_> {
    /// Puts each together with what belongs to the same question.
    #[inline(always)]
    pub(super) fn for_each_with<T>(&self, others: &mut [T], mut join: impl FnMut(&mut T, Numbers)) {
        match self {
            Self::Same(pair) => others.iter_mut().for_each(|other| join(other, *pair)),
            Self::Each(pairs) => others.iter_mut().zip(*pairs).for_each(|(other, pair)| join(other, *pair)),
        }
    }
}

pub(super) struct Store {
    /// All pairs are in the nodes.
    few: bool,
    blocks: Blocks<Numbers>,
    /// A block on its way.
    buffer: Vec<Numbers>,
}

impl Store {
    pub(super) fn new(questions: u16, reserved: u64, bytes_max: u64) -> Self {
        let few = questions <= FEW;
        let (reserved, longest) = if few { (0, 0) } else { (reserved, 1 + usize::from(questions)) };
        let blocks = Blocks::growing(reserved, bytes_max, Numbers::ONE);
        Self { few, blocks, buffer: Vec::with_capacity(longest) }
    }

    pub(super) fn bytes(&self) -> u64 {
        self.blocks.bytes() + (self.buffer.capacity() * size_of::<Numbers>()) as u64
    }

    fn block(kept: &Kept) -> Option<u32> {
        (kept.0[0].dn == Numbers::INFINITE).then_some(kept.0[0].pn)
    }

    /// The numbers of an open question that matters at the root.
    #[inline]
    pub(super) fn at(&self, kept: &Kept, question: u16) -> Numbers {
        if self.few {
            return kept.0[usize::from(question)];
        }
        match Self::block(kept) {
            None => kept.0[0],
            Some(block) => {
                let begin = self.blocks[block as usize].pn;
                self.blocks[(block + 1 + u32::from(question) - begin) as usize]
            }
        }
    }

    /// The numbers of open questions that matter at the root.
    #[inline]
    pub(super) fn of<'a>(&'a self, kept: &'a Kept, from: u16, to: u16) -> Pairs<'a> {
        if self.few {
            return Pairs::Each(&kept.0[usize::from(from)..usize::from(to)]);
        }
        match Self::block(kept) {
            None => Pairs::Same(kept.0[0]),
            Some(block) => {
                let first = (block + 1 + u32::from(from) - self.blocks[block as usize].pn) as usize;
                Pairs::Each(&self.blocks[first..first + usize::from(to - from)])
            }
        }
    }

    /// Makes room for the numbers of each of the questions from `begin` to `end`, as long as a block takes at most `bytes` more. They
    /// are those of the leaf at first. Gives back what the node keeps then.
    pub(super) fn open(&mut self, kept: Kept, begin: u16, end: u16, bytes: u64) -> Option<Kept> {
        if self.few {
            return Some(kept);
        }
        let mut block = std::mem::take(&mut self.buffer);
        block.clear();
        block.push(Numbers { pn: u32::from(begin), dn: u32::from(end) });
        block.extend((begin..end).map(|question| self.at(&kept, question)));
        self.give(&kept);
        let placed = self.place(&block, bytes);
        self.buffer = block;
        placed
    }

    /// Keeps numbers for each of the questions from `begin` on.
    pub(super) fn put(&mut self, begin: u16, numbers: &[Numbers], bytes: u64) -> Option<Kept> {
        if self.few {
            let mut kept = Kept::of_leaf(Numbers::ONE);
            kept.0[usize::from(begin)..usize::from(begin) + numbers.len()].copy_from_slice(numbers);
            return Some(kept);
        }
        let end = u32::from(begin) + numbers.len() as u32;
        let block = [&[Numbers { pn: u32::from(begin), dn: end }], numbers].concat();
        self.place(&block, bytes)
    }

    /// Finds a place for a block, if it takes at most `bytes` more.
    fn place(&mut self, block: &[Numbers], bytes: u64) -> Option<Kept> {
        let more = (bytes / size_of::<Numbers>() as u64) as usize;
        let place = self.blocks.put(block.iter().copied(), self.blocks.len().saturating_add(more))?;
        Some(Kept([Numbers { pn: place, dn: Numbers::INFINITE }; FEW as usize]))
    }

    /// Gives a block back, if there is one.
    pub(super) fn give(&mut self, kept: &Kept) {
        if !self.few
            && let Some(block) = Self::block(kept)
        {
            let Numbers { pn: begin, dn: end } = self.blocks[block as usize];
            self.blocks.give(block, 1 + (end - begin) as usize);
        }
    }

    /// Writes new numbers of the questions from `begin` on, which are never more than before. Returns whether any
    /// of them changed.
    pub(super) fn write(
        &mut self,
        kept: &mut Kept,
        begin: u16,
        folds: &[Fold],
        is_max: bool,
        effort: Effort,
    ) -> bool {
        let new = folds.iter().map(|fold| {
            let (phi, delta) = fold.total(effort);
            Numbers::of_mover(is_max, phi, delta)
        });
        if self.few {
            let mut changed = false;
            for (pair, new) in kept.0[usize::from(begin)..].iter_mut().zip(new) {
                changed |= *pair != new;
                *pair = new;
            }
            return changed;
        }
        let Some(block) = Self::block(kept) else { return false };
        if folds.is_empty() {
            // Nobody will ask for its numbers again.
            self.give(kept);
            *kept = Kept::of_leaf(Numbers::ONE);
            return true;
        }
        let at = block as usize;
        let Numbers { pn: old_begin, dn: old_end } = self.blocks[at];
        let old_count = (old_end - old_begin) as usize;
        let moved = (u32::from(begin) - old_begin) as usize;
        let mut changed = folds.len() != old_count;
        for (offset, new) in new.enumerate() {
            changed |= self.blocks[at + 1 + moved + offset] != new;
            self.blocks[at + 1 + offset] = new;
        }
        if folds.len() < old_count {
            self.blocks.give(block + 1 + folds.len() as u32, old_count - folds.len());
            self.blocks[at] = Numbers { pn: u32::from(begin), dn: u32::from(begin) + folds.len() as u32 };
        }
        changed
    }
}

impl Store {
    pub(super) fn save(&self, to: &mut Writer<'_>) -> std::io::Result<()> {
        self.blocks.write(to)
    }

    /// Takes back what was written, and says which items are in no free block.
    pub(super) fn restore(&mut self, from: &mut Reader<'_>) -> Result<Marks, Failure> {
        self.blocks.restore(from)
    }

    /// Whether what a node keeps has the numbers of these questions, which nobody else has.
    pub(super) fn is_whole(&self, kept: &Kept, (from, to): (u16, u16), taken: &mut Marks) -> bool {
        if self.few {
            return to <= FEW;
        }
        let Some(block) = Self::block(kept) else { return true };
        let Some(Numbers { pn: begin, dn: end }) = self.blocks.get(block as usize).copied() else {
            return false;
        };
        let (first, count) = (block as usize, 1 + end.saturating_sub(begin) as usize);
        // Of the questions that are open, those that matter at the root have their numbers there.
        let covers = from >= to || (begin <= u32::from(from) && u32::from(to) <= end);
        let inside = begin <= end && first + count <= self.blocks.len();
        covers && inside && (first..first + count).all(|item| taken.add(item))
    }
}
