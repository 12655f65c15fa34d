//! Room for blocks of items that stand side by side.
//!
//! Blocks that are given back are kept in lists by size and used again. The room for all items is reserved once and touched
//! only as it fills, so that nothing is ever copied and nothing is held twice.

use std::ops::{Deref, DerefMut};

use quod_checkpoint::{Failure, Plain, Reader, Writer};

use crate::pages::prefer_huge_pages;
use crate::saved::{Marks, restore_room, write_room};

/// The end of a list: item 0 is never part of a free block.
pub(crate) const NONE: u32 = 0;

/// An item that can hold the number of another one while nobody uses it.
pub(crate) trait Item: Copy {
    fn link(&self) -> u32;
    fn set_link(&mut self, link: u32);
}

pub(crate) struct Blocks<T> {
    items: Vec<T>,
    capacity: usize,
    /// The first free block of each size.
    free: Vec<u32>,
    /// Items in use.
    live: usize,
}

impl<T: Item> Blocks<T> {
    /// Room for `wanted` items, of which the first is there; less if the system does not give that much.
    pub(crate) fn new(wanted: u64, first: T) -> Self {
        let wanted = wanted.clamp(1, u64::from(u32::MAX));
        let mut capacity = usize::try_from(wanted).unwrap_or(usize::MAX);
        let mut items = Vec::new();
        while items.try_reserve_exact(capacity).is_err() {
            capacity /= 2;
        }
        prefer_huge_pages(&items);
        items.push(first);
        Self { items, capacity, free: Vec::new(), live: 1 }
    }

    /// The same in bytes, with room for `reserved` of them at once and `bytes_max` in the end.
    pub(crate) fn growing(reserved: u64, bytes_max: u64, first: T) -> Self {
        let count = |bytes: u64| bytes / size_of::<T>() as u64;
        let mut blocks = Self::new(count(reserved.min(bytes_max)), first);
        blocks.capacity = usize::try_from(count(bytes_max).min(u64::from(u32::MAX))).unwrap_or(usize::MAX);
        blocks
    }

    /// How many items fit in all.
    pub(crate) fn capacity(&self) -> usize {
        self.capacity
    }

    /// Lets it grow to another number of items, beyond what was reserved.
    pub(crate) fn set_capacity(&mut self, capacity: usize) {
        self.capacity = capacity;
    }

    /// How many items are in use.
    pub(crate) fn live(&self) -> usize {
        self.live
    }

    /// The bytes in use, free blocks between them included. They never get fewer.
    pub(crate) fn bytes(&self) -> u64 {
        (self.items.len() * size_of::<T>() + self.free.capacity() * size_of::<u32>()) as u64
    }

    /// A block with these items: a free one of this size, else new room if there are at most `new_max` items then, else a
    /// part of a larger free one.
    #[inline]
    pub(crate) fn put(&mut self, block: impl ExactSizeIterator<Item = T>, new_max: usize) -> Option<u32> {
        let size = block.len();
        let mut begin = self.find(size, new_max)?;
        if begin as usize == self.items.len() && self.items.try_reserve(size).is_err() {
            // The system gives no more: what is there is all.
            self.capacity = self.items.len();
            begin = self.find(size, new_max)?;
        }
        let first = begin as usize;
        if first == self.items.len() {
            self.items.extend(block);
        } else {
            for (item, new) in self.items[first..first + size].iter_mut().zip(block) {
                *item = new;
            }
        }
        self.live += size;
        Some(begin)
    }

    fn find(&mut self, size: usize, new_max: usize) -> Option<u32> {
        if let Some(head) = self.free.get_mut(size)
            && *head != NONE
        {
            let block = *head;
            *head = self.items[block as usize].link();
            return Some(block);
        }
        if self.items.len() + size <= self.capacity.min(new_max) {
            return Some(self.items.len() as u32);
        }
        let larger = (size + 1..self.free.len()).find(|larger| self.free[*larger] != NONE)?;
        let block = self.free[larger];
        self.free[larger] = self.items[block as usize].link();
        self.list(block + size as u32, larger - size);
        Some(block)
    }

    /// Takes everything back but the first item.
    pub(crate) fn clear(&mut self) {
        self.items.truncate(1);
        self.free.clear();
        self.live = 1;
    }

    /// Takes a block, or a part of one, back.
    pub(crate) fn give(&mut self, block: u32, size: usize) {
        self.live -= size;
        self.list(block, size);
    }

    fn list(&mut self, block: u32, size: usize) {
        if self.free.len() <= size {
            self.free.resize(size + 1, NONE);
        }
        self.items[block as usize].set_link(self.free[size]);
        self.free[size] = block;
    }
}

impl<T: Item + Plain> Blocks<T> {
    pub(crate) fn write(&self, to: &mut Writer<'_>) -> std::io::Result<()> {
        to.items(&self.items)?;
        to.items(&self.free)?;
        write_room(&self.free, to)
    }

    /// Takes back what was written, if it fits, and says which items are in no free block.
    pub(crate) fn restore(&mut self, from: &mut Reader<'_>) -> Result<Marks, Failure> {
        from.items_into(&mut self.items, self.capacity)?;
        self.free = from.items()?;
        restore_room(&mut self.free, self.items.len(), from)?;
        let mut unused = Marks::new(self.items.len());
        let mut count = 0;
        for (size, first) in self.free.iter().enumerate() {
            let mut block = *first;
            while block != NONE {
                let begin = block as usize;
                let inside = size > 0 && begin + size <= self.items.len();
                if !inside || !(begin..begin + size).all(|item| unused.add(item)) {
                    return Err(Failure::damaged("free blocks overlap"));
                }
                count += size;
                block = self.items[begin].link();
            }
        }
        if self.items.is_empty() || unused.has(0) {
            return Err(Failure::damaged("there is no root"));
        }
        self.live = self.items.len() - count;
        Ok(unused)
    }
}

impl<T> Deref for Blocks<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        &self.items
    }
}

impl<T> DerefMut for Blocks<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.items
    }
}
