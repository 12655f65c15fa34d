//! The frames of a file: a head, then frames, then one that says how many there were.

use xxhash_rust::xxh3::xxh3_64_with_seed;

/// The first bytes of every checkpoint.
pub(crate) const MAGIC: [u8; 8] = *b"QUODSAVE";
/// The version of the format, of the frames and of all that stands in them: whoever changes what is written anywhere counts it up.
pub(crate) const FORMAT: u32 = 2;
/// Numbers are written as they lie in memory; this one says in which order their bytes are.
pub(crate) const ORDER: u32 = 0x0102_0304;

pub(crate) const HEAD_BYTES: usize = 16;
/// The length of a frame and its checksum.
pub(crate) const FRAME_HEAD_BYTES: usize = 12;
/// The most bytes of a frame.
pub(crate) const FRAME_MAX: usize = 1 << 20;

pub(crate) fn head() -> [u8; HEAD_BYTES] {
    let mut head = [0; HEAD_BYTES];
    head[..8].copy_from_slice(&MAGIC);
    head[8..12].copy_from_slice(&ORDER.to_ne_bytes());
    head[12..].copy_from_slice(&FORMAT.to_ne_bytes());
    head
}

/// The head of a frame. Its number is in the checksum, so that none can be missing, come twice or stand elsewhere.
pub(crate) fn frame_head(number: u64, payload: &[u8]) -> [u8; FRAME_HEAD_BYTES] {
    let mut head = [0; FRAME_HEAD_BYTES];
    head[..4].copy_from_slice(&(payload.len() as u32).to_ne_bytes());
    head[4..].copy_from_slice(&xxh3_64_with_seed(payload, number).to_ne_bytes());
    head
}
