//! What is asked of the machine: huge pages for large reserved room, and cache lines ahead of time. A search jumps
//! through its nodes at random, and with pages of 4 KiB almost every jump misses the address cache too: `cargo xtask
//! bench` showed a sixth more nodes a second.

use std::alloc::Layout;

/// A type for which memory full of zeros is a value.
///
/// # Safety
/// It must be, and must not need to be dropped.
#[allow(unsafe_code)]
pub(crate) unsafe trait Zeroed {}

/// So many zeros, or half or a quarter as many and so on where the system does not give so much. Memory that is not touched
/// is not taken.
pub(crate) fn zeroed<T: Zeroed>(count: usize) -> Vec<T> {
    let mut count = count.max(1);
    loop {
        let layout = Layout::array::<T>(count).expect("it fits into memory");
        // SAFETY: the layout is not empty. If the memory is there, it is that of a vector of this many values, all of which
        // are zeros, which the trait says is a value of the type.
        #[allow(unsafe_code)]
        unsafe {
            let begin = std::alloc::alloc_zeroed(layout).cast::<T>();
            if !begin.is_null() {
                let room = Vec::from_raw_parts(begin, count, count);
                prefer_huge_pages(&room);
                return room;
            }
        }
        assert!(count > 1, "not even {} bytes of memory", size_of::<T>());
        count /= 2;
    }
}

/// Asks the system for huge pages behind the room that a vector has reserved. A wish: nothing depends on it.
pub(crate) fn prefer_huge_pages<T>(room: &Vec<T>) {
    /// Small trees would waste most of a huge page.
    const WORTHWHILE_BYTES: usize = 16 << 20;
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
