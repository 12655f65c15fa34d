//! Values in few bits, found again in constant time.
//!
//! Numbers that follow each other have values that are alike, so each value has a Huffman code that depends on the value before
//! it (canonical codes, Huffman 1952; Schwartz and Kallick 1964). Blocks of 64 values begin anew, and it is noted where: a probe
//! reads half a block on average.

use std::ops::Range;

/// Values that are coded one after the other.
pub(crate) const BLOCK: usize = 64;
/// Blocks that begin at a whole byte together.
pub(crate) const GROUP_BLOCKS: usize = 64;
/// Values of those.
pub(crate) const GROUP: usize = BLOCK * GROUP_BLOCKS;
/// The length of the longest code. Where a block begins within its group fits two bytes, and a table of all codes is small.
const BITS_MAX: usize = 10;

/// How often each value follows each other one: `counts[before][value]`, with values counted from the smallest, and before the
/// first value of a block an additional one.
pub(crate) struct Counts {
    pub(crate) symbols: usize,
    counts: Vec<u64>,
}

impl Counts {
    pub(crate) fn new(value_max: i32) -> Self {
        let symbols = 2 * value_max.unsigned_abs() as usize + 1;
        Self { symbols, counts: vec![0; symbols * (symbols + 1)] }
    }

    /// Counts values that begin at a block.
    pub(crate) fn count(&mut self, values: &[i8]) {
        let symbols = self.symbols;
        for block in values.chunks(BLOCK) {
            let mut before = symbols;
            for value in block {
                let symbol = symbol(symbols, *value);
                self.counts[before * symbols + symbol] += 1;
                before = symbol;
            }
        }
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.counts.iter_mut().zip(&other.counts).for_each(|(count, more)| *count += more);
    }

    /// The lengths of the codes, after each value.
    pub(crate) fn lengths(&self) -> Vec<u8> {
        self.counts.chunks(self.symbols).flat_map(|counts| lengths(counts.to_vec())).collect()
    }
}

#[inline]
fn symbol(symbols: usize, value: i8) -> usize {
    (i32::from(value) + (symbols / 2) as i32) as usize
}

/// The lengths of Huffman codes, none above the limit: what occurs is counted more alike until they fit.
fn lengths(mut counts: Vec<u64>) -> Vec<u8> {
    loop {
        let lengths = unlimited_lengths(&counts);
        if lengths.iter().all(|length| usize::from(*length) <= BITS_MAX) {
            return lengths;
        }
        counts.iter_mut().for_each(|count| *count = count.div_ceil(2));
    }
}

fn unlimited_lengths(counts: &[u64]) -> Vec<u8> {
    let mut lengths = vec![0; counts.len()];
    let used = (0..counts.len()).filter(|symbol| counts[*symbol] > 0);
    // Trees with their weights and the symbols in them; the two lightest are joined until one is left.
    let mut trees: Vec<(u64, Vec<usize>)> = used.map(|symbol| (counts[symbol], vec![symbol])).collect();
    if let [(_, only)] = &trees[..] {
        lengths[only[0]] = 1;
    }
    while trees.len() > 1 {
        trees.sort_by(|one, other| other.cmp(one));
        let (Some(lightest), Some(second)) = (trees.pop(), trees.pop()) else { break };
        let joined: Vec<usize> = lightest.1.into_iter().chain(second.1).collect();
        joined.iter().for_each(|symbol| lengths[*symbol] += 1);
        trees.push((lightest.0.saturating_add(second.0), joined));
    }
    lengths
}

/// The codes of one context, canonical: shorter ones first, then by symbol. Nothing if they do not fit.
fn codes(lengths: &[u8]) -> Option<Vec<u32>> {
    let mut codes = vec![0; lengths.len()];
    let mut next = 0u32;
    for length in 1..=BITS_MAX {
        next <<= 1;
        for symbol in (0..lengths.len()).filter(|symbol| usize::from(lengths[*symbol]) == length) {
            codes[symbol] = next;
            next += 1;
        }
        if next > 1 << length {
            return None;
        }
    }
    Some(codes)
}

/// Writes values in codes.
pub(crate) struct Encoder {
    symbols: usize,
    /// Code and length.
    codes: Vec<(u16, u8)>,
}

impl Encoder {
    pub(crate) fn new(symbols: usize, lengths: &[u8]) -> Self {
        let contexts = lengths.chunks(symbols).map(|lengths| {
            let codes = codes(lengths).expect("Huffman codes fit");
            codes.into_iter().map(|code| code as u16).zip(lengths.iter().copied())
        });
        Self { symbols, codes: contexts.flatten().collect() }
    }

    /// Appends the codes of a group, and where each of its blocks begins, in bits.
    pub(crate) fn group(&self, values: &[i8], bytes: &mut Vec<u8>, begins: &mut Vec<u16>) {
        let first = bytes.len();
        let (mut window, mut filled) = (0u64, 0u32);
        for block in values.chunks(BLOCK) {
            begins.push(((bytes.len() - first) as u32 * 8 + filled) as u16);
            let mut before = self.symbols;
            for value in block {
                let symbol = symbol(self.symbols, *value);
                let (code, length) = self.codes[before * self.symbols + symbol];
                window = window << length | u64::from(code);
                filled += u32::from(length);
                if filled >= 32 {
                    filled -= 32;
                    bytes.extend(((window >> filled) as u32).to_be_bytes());
                }
                before = symbol;
            }
        }
        window <<= (8 - filled % 8) % 8;
        let rest = filled.div_ceil(8);
        bytes.extend((0..rest).rev().map(|byte| (window >> (8 * byte)) as u8));
    }
}

/// Reads values from codes.
pub(crate) struct Decoder {
    symbols: usize,
    /// For every context and every `BITS_MAX` bits the symbol that they begin with, and its length.
    table: Vec<(u8, u8)>,
}

impl Decoder {
    /// Nothing if there are no such codes.
    pub(crate) fn new(symbols: usize, lengths: &[u8]) -> Option<Self> {
        let mut table = vec![(0, 0); (lengths.len() / symbols) << BITS_MAX];
        for (lengths, table) in lengths.chunks(symbols).zip(table.chunks_mut(1 << BITS_MAX)) {
            if lengths.iter().any(|length| usize::from(*length) > BITS_MAX) {
                return None;
            }
            for ((code, length), symbol) in codes(lengths)?.into_iter().zip(lengths).zip(0u8..) {
                if *length > 0 {
                    let free = BITS_MAX - usize::from(*length);
                    table[(code as usize) << free..(code as usize + 1) << free].fill((symbol, *length));
                }
            }
        }
        Some(Self { symbols, table })
    }

    pub(crate) fn bytes(&self) -> usize {
        self.table.len() * size_of::<(u8, u8)>()
    }

    /// The value at a place of the block that begins at a bit.
    #[inline]
    pub(crate) fn value(&self, data: &[u8], begin: u64, place: usize) -> i8 {
        let mut last = 0;
        self.each(data, begin, place + 1, |_, value| last = value);
        last
    }

    /// The first values of the block that begins at a bit.
    pub(crate) fn values(&self, data: &[u8], begin: u64, values: &mut [i8]) {
        self.each(data, begin, values.len(), |place, value| values[place] = value);
    }

    #[inline]
    fn each(&self, data: &[u8], begin: u64, count: usize, mut each: impl FnMut(usize, i8)) {
        // Five codes of ten bits fit what is left of eight bytes behind the first bit.
        const TOGETHER: usize = 5;
        let half = (self.symbols / 2) as i32;
        let (mut bit, mut before) = (begin, self.symbols);
        for places in starts(count, TOGETHER) {
            let mut window = eight_bytes(data, bit / 8) << (bit % 8);
            for place in places {
                let (symbol, length) = self.table[before << BITS_MAX | (window >> (64 - BITS_MAX)) as usize];
                window <<= length;
                bit += u64::from(length);
                before = symbol.into();
                each(place, (i32::from(symbol) - half) as i8);
            }
        }
    }
}

fn starts(count: usize, step: usize) -> impl Iterator<Item = Range<usize>> {
    (0..count).step_by(step).map(move |begin| begin..(begin + step).min(count))
}

/// Eight bytes from a place on, with zeros behind the end.
#[inline]
fn eight_bytes(data: &[u8], place: u64) -> u64 {
    let rest = usize::try_from(place).ok().and_then(|place| data.get(place..)).unwrap_or_default();
    match rest.first_chunk() {
        Some(bytes) => u64::from_be_bytes(*bytes),
        None => (0..8).fold(0, |word, at| word << 8 | u64::from(rest.get(at).copied().unwrap_or(0))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip(value_max: i32, values: &[i8]) -> usize {
        let mut counts = Counts::new(value_max);
        counts.count(values);
        let lengths = counts.lengths();
        let encoder = Encoder::new(counts.symbols, &lengths);
        let decoder = Decoder::new(counts.symbols, &lengths).unwrap();
        let (mut bytes, mut begins) = (Vec::new(), Vec::new());
        encoder.group(values, &mut bytes, &mut begins);
        for (block, begin) in values.chunks(BLOCK).zip(&begins) {
            let mut read = vec![0; block.len()];
            decoder.values(&bytes, (*begin).into(), &mut read);
            assert_eq!(read, block);
            for (place, value) in block.iter().enumerate() {
                assert_eq!(decoder.value(&bytes, (*begin).into(), place), *value);
            }
        }
        bytes.len()
    }

    #[test]
    fn what_is_written_is_read() {
        round_trip(0, &[0]);
        round_trip(3, &[-3, 3, 0]);
        // Counts that double make the longest codes; the longest block must still fit.
        let steep: Vec<i8> = (0..GROUP as u32).map(|number| (number + 1).trailing_zeros() as i8).collect();
        round_trip(127, &steep);
        let mut state = 1u32;
        for value_max in [1, 17, 48, 127] {
            for size in [1, 63, 64, 65, GROUP] {
                let values: Vec<i8> = (0..size)
                    .map(|_| {
                        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                        ((state >> 16) as i32 % (2 * value_max + 1) - value_max) as i8
                    })
                    .collect();
                round_trip(value_max, &values);
            }
        }
    }

    #[test]
    fn what_repeats_gets_short() {
        let values: Vec<i8> = (0..GROUP).map(|number| if number % 2 == 0 { 5 } else { -5 }).collect();
        assert_eq!(round_trip(9, &values), GROUP / 8);
    }

    #[test]
    fn codes_that_do_not_fit_are_refused() {
        assert!(Decoder::new(3, &[1; 12]).is_none());
        assert!(Decoder::new(3, &[11; 12]).is_none());
        assert!(Decoder::new(3, &[0; 12]).is_some());
    }
}
