//! What is asked of the machine: huge pages for a large slice, and cache lines ahead of time. Values are looked up all over a
//! slice, and without these two almost every look waits for memory.

use std::sync::atomic::AtomicU16;

/// So many words full of zeros, on huge pages where the system has them.
pub(crate) fn words(count: usize) -> Vec<AtomicU16> {
    let mut words = Vec::with_capacity(count);
    prefer_huge_pages(&words);
    words.resize_with(count, AtomicU16::default);
    words
}

/// Room for so many values, likewise.
pub(crate) fn values(count: usize) -> Vec<i8> {
    let mut values = Vec::with_capacity(count);
    prefer_huge_pages(&values);
    values.resize(count, 0);
    values
}

#[cfg(target_os = "linux")]
fn prefer_huge_pages<T>(room: &Vec<T>) {
    const PAGE: usize = 4096;
    let (begin, bytes) = (room.as_ptr().addr(), room.capacity() * size_of::<T>());
    // Less would waste most of a huge page.
    if bytes < 4 << 20 {
        return;
    }
    let first = begin.next_multiple_of(PAGE);
    let length = (begin + bytes - first) / PAGE * PAGE;
    // SAFETY: the range lies inside one live allocation, and this advice changes no contents, only which pages stand behind
    // them; a failure is ignored.
    #[allow(unsafe_code)]
    unsafe {
        libc::madvise(first as *mut libc::c_void, length, libc::MADV_HUGEPAGE);
    }
}

#[cfg(not(target_os = "linux"))]
fn prefer_huge_pages<T>(_: &Vec<T>) {}

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
