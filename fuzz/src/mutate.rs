//! A simple mutator, the same for a seed whatever machine runs it: for tests that need no coverage guidance.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The longest input that is made.
const BYTES_MAX: usize = 1 << 13;
/// Numbers where something often changes, in as many bytes as they are written with.
const ODD: [&[u8]; 10] = [
    &[0],
    &[255],
    &[127],
    &[128],
    &[0, 0, 0, 0],
    &[255, 255, 255, 255],
    &[0, 0, 0, 128],
    &[255, 255, 255, 255, 255, 255, 255, 127],
    &[255; 8],
    &[0, 0, 0, 0, 1, 0, 0, 0],
];
/// The same for text.
const ODD_TEXTS: [&str; 14] = [
    "0",
    "-1",
    "65536",
    "2147483648",
    "4294967296",
    "18446744073709551616",
    "99999999999999999999999999",
    " ",
    "\n",
    "\r\n",
    "\u{0}",
    "\u{1b}[2J",
    "\u{fffd}",
    "½",
];

/// Makes inputs of others.
pub struct Mutator {
    random: Xoshiro256PlusPlus,
    is_text: bool,
}

impl Mutator {
    /// One that has this seed.
    #[must_use]
    pub fn new(seed: u64, is_text: bool) -> Self {
        Self { random: Xoshiro256PlusPlus::seed_from_u64(seed), is_text }
    }

    /// One of the inputs with one to eight changes.
    pub fn mutate(&mut self, inputs: &[Vec<u8>]) -> Vec<u8> {
        let mut data = self.pick(inputs).cloned().unwrap_or_default();
        for _ in 0..1 << self.below(4) {
            self.change(&mut data, inputs);
        }
        data.truncate(BYTES_MAX);
        data
    }

    fn below(&mut self, count: usize) -> usize {
        self.random.random_range(0..count)
    }

    fn pick<'t, T>(&mut self, choices: &'t [T]) -> Option<&'t T> {
        if choices.is_empty() { None } else { choices.get(self.below(choices.len())) }
    }

    fn change(&mut self, data: &mut Vec<u8>, inputs: &[Vec<u8>]) {
        let place = self.below(data.len() + 1);
        let end = self.below(data.len() - place + 1).min(self.below(64)) + place;
        match self.below(9) {
            0 | 1 if place < data.len() => data[place] ^= 1 << self.below(8),
            2 if place < data.len() => data[place] = self.letter(),
            3 => data.insert(place, self.letter()),
            4 => drop(data.drain(place..end)),
            5 => {
                let run = data[place..end].to_vec();
                let place = self.below(data.len() + 1);
                data.splice(place..place, run);
            }
            6 => {
                let number = if self.is_text {
                    ODD_TEXTS[self.below(ODD_TEXTS.len())].as_bytes()
                } else {
                    ODD[self.below(ODD.len())]
                };
                let after = (place + number.len()).min(data.len());
                let after = if self.below(2) == 0 { place } else { after };
                data.splice(place..after, number.iter().copied());
            }
            7 => {
                let other = self.pick(inputs).cloned().unwrap_or_default();
                let from = self.below(other.len() + 1);
                data.truncate(place);
                data.extend(&other[from..]);
            }
            _ => {
                let other = self.pick(inputs).cloned().unwrap_or_default();
                let from = self.below(other.len() + 1);
                let to = from + self.below(other.len() - from + 1).min(64);
                data.splice(place..place, other[from..to].iter().copied());
            }
        }
    }

    fn letter(&mut self) -> u8 {
        if self.is_text && self.below(8) > 0 {
            self.random.random_range(32..127)
        } else {
            self.random.random()
        }
    }
}
