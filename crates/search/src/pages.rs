//! What is asked of the machine: huge pages for large reserved room, and cache lines ahead of time. A search jumps
//! through its nodes at random, and with pages of 4 KiB almost every jump misses the address cache too: `cargo xtask
//! bench` showed a sixth more nodes a second.

use std::marker::PhantomData;

use memmap2::MmapMut;

/// A type for which memory full of zeros is a value.
///
/// # Safety
/// It must be, it must not need to be dropped, and it must not be aligned to more than a page.
#[allow(unsafe_code)]
pub(crate) unsafe trait Zeroed: Send + Sync {}

/// Many values that begin as zeros, at the beginning of a page. Memory that was never touched is not taken.
pub(crate) struct Zeros<T> {
    map: MmapMut,
    count: usize,
    of: PhantomData<T>,
}

impl<T: Zeroed> Zeros<T> {
    /// So many, or half or a quarter as many and so on where the system does not give so much.
    ///
    /// # Panics
    /// If it does not give memory for a single one.
    pub(crate) fn new(count: usize) -> Self {
        let mut count = count.max(1);
        loop {
            if let Ok(map) = MmapMut::map_anon(count * size_of::<T>()) {
                if map.len() >= WORTHWHILE_BYTES {
                    advise(map.as_ptr().addr(), map.len());
                }
                return Self { map, count, of: PhantomData };
            }
            assert!(count > 1, "not even {} bytes of memory", size_of::<T>());
            count /= 2;
        }
    }
}

impl<T: Zeroed> std::ops::Deref for Zeros<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: the map has room for so many values, begins at a page and lives as long as `self`; nobody else uses it. Its
        // bytes were zeros at first, which the trait says is a value, and have been changed only through values since.
        #[allow(unsafe_code)]
        unsafe {
            std::slice::from_raw_parts(self.map.as_ptr().cast(), self.count)
        }
    }
}

/// Less than this would waste most of a huge page.
const WORTHWHILE_BYTES: usize = 16 << 20;

/// Asks the system for huge pages behind the room that a vector has reserved. A wish: nothing depends on it.
pub(crate) fn prefer_huge_pages<T>(room: &Vec<T>) {
    let bytes = room.capacity() * size_of::<T>();
    if bytes >= WORTHWHILE_BYTES {
        advise(room.as_ptr().addr(), bytes);
    }
}

#[cfg(target_os = "linux")]
fn advise(begin: usize, bytes: usize) {
    const PAGE: usize = 4096;
    let first = begin.next_multiple_of(PAGE);
    let length = (begin + bytes - first) / PAGE * PAGE;
    // SAFETY: the range lies inside one live allocation, and this advice changes no contents, only which pages
    // stand behind them; a failure is ignored.
    #[allow(unsafe_code)]
    unsafe {
        libc::madvise(first as *mut libc::c_void, length, libc::MADV_HUGEPAGE);
    }
}

#[cfg(not(target_os = "linux"))]
fn advise(_: usize, _: usize) {}

/// Asks for the cache line of something that will be read soon. A wish: nothing depends on it.
#[inline(always)]
pub(crate) fn prefetch<T>(wanted: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch reads nothing that the program sees, and the reference is valid.
    #[allow(unsafe_code)]
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(wanted).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = wanted;
}
