//! The symmetries of a box: those of its shape, and those that only its lines have.
//!
//! The usual board has 192. Six bits are the index of a cell, two for each axis, and every symmetry permutes them and then flips
//! some: twelve permutations (of the axes, and of the low with the high bit of every axis at once) times sixteen flips (of both bits
//! of an axis, and of the low bit of every axis at once). All cells go through them together, by shifts and masks.

use std::collections::HashSet;

use quod_model::Symmetry;

use super::lines::{Lines, each, index, place};
use super::{Position, Qubic};

/// Where each cell goes.
pub(super) type Permutation = [u8; 64];

/// The smallest position, by the stones of the side to move and then by the others.
impl Symmetry for Qubic {
    #[inline]
    fn canonical(&self, position: &Position) -> Position {
        if self.usual { smallest(position) } else { self.smallest_listed(position) }
    }
}

impl Qubic {
    /// For any box: by the list of its symmetries.
    pub(super) fn smallest_listed(&self, position: &Position) -> Position {
        let images = self.symmetries.iter().map(|symmetry| {
            let image = |stones| each(stones).fold(0, |set, cell| set | 1 << symmetry[usize::from(cell)]);
            (image(position.mover), image(position.other))
        });
        let (mover, other) = images.min().expect("a box is symmetric to itself");
        Position { mover, other }
    }
}

/// All symmetries of a box. They permute axes and reflect them; axes as long as a row may all permute their coordinates alike too.
/// What is kept maps lines to lines.
pub(super) fn all(sides: [u8; 3], row: u8, lines: &Lines) -> Vec<Permutation> {
    let known: HashSet<u64> = lines.cells.iter().copied().collect();
    let mut found: HashSet<Permutation> = HashSet::new();
    for axes in AXES.into_iter().filter(|axes| axes.map(|axis| sides[axis]) == sides) {
        for alike in permutations(row) {
            for reflected in 0..8 {
                let moved = |axis: usize, at: u8| {
                    let at = if sides[axis] == row { alike[usize::from(at)] } else { at };
                    if reflected >> axis & 1 != 0 { sides[axis] - 1 - at } else { at }
                };
                let mut symmetry = [0; 64];
                for cell in each(lines.board) {
                    let from = place(cell);
                    symmetry[usize::from(cell)] = index([0, 1, 2].map(|axis| moved(axis, from[axes[axis]])));
                }
                let image = |line| each(line).fold(0, |set, cell| set | 1 << symmetry[usize::from(cell)]);
                if lines.cells.iter().all(|line| known.contains(&image(*line))) {
                    found.insert(symmetry);
                }
            }
        }
    }
    let mut found: Vec<Permutation> = found.into_iter().collect();
    found.sort_unstable();
    found
}

const AXES: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

/// The permutations of so many coordinates, of four at the most.
fn permutations(size: u8) -> Vec<Vec<u8>> {
    (0..size).fold(vec![Vec::new()], |shorter, last| {
        let longer = shorter.iter().flat_map(|order| {
            (0..=order.len()).map(|at| {
                let mut order = order.clone();
                order.insert(at, last);
                order
            })
        });
        longer.collect()
    })
}

/// The cells whose index has a bit.
const WITH_BIT: [u64; 6] = [
    0xaaaa_aaaa_aaaa_aaaa,
    0xcccc_cccc_cccc_cccc,
    0xf0f0_f0f0_f0f0_f0f0,
    0xff00_ff00_ff00_ff00,
    0xffff_0000_ffff_0000,
    0xffff_ffff_0000_0000,
];

/// The cells when two bits of every index change places.
#[inline(always)]
fn swapped(cells: u64, low: usize, high: usize) -> u64 {
    let distance = (1 << high) - (1 << low);
    let unlike = (cells ^ cells >> distance) & WITH_BIT[low] & !WITH_BIT[high];
    cells ^ unlike ^ unlike << distance
}

/// The cells when a bit of every index is flipped.
#[inline(always)]
fn flipped(cells: u64, bit: usize) -> u64 {
    let distance = 1 << bit;
    (cells & WITH_BIT[bit]) >> distance | (cells & !WITH_BIT[bit]) << distance
}

#[inline(always)]
fn x_with_y(cells: u64) -> u64 {
    swapped(swapped(cells, 0, 2), 1, 3)
}

#[inline(always)]
fn y_with_z(cells: u64) -> u64 {
    swapped(swapped(cells, 2, 4), 3, 5)
}

/// The low and the high bit of every axis change places.
#[inline(always)]
fn low_with_high(cells: u64) -> u64 {
    swapped(swapped(swapped(cells, 0, 1), 2, 3), 4, 5)
}

/// The twelve permutations of the bits: the axes change places in pairs, x with y and y with z in turn, which leads through all
/// six orders.
#[inline(always)]
fn permuted(cells: u64) -> [u64; 12] {
    let mut images = [cells; 12];
    for number in 1..6 {
        let last = images[number - 1];
        images[number] = if number % 2 == 1 { x_with_y(last) } else { y_with_z(last) };
    }
    for number in 0..6 {
        images[number + 6] = low_with_high(images[number]);
    }
    images
}

/// One of them.
#[inline]
fn permuted_by(number: usize, cells: u64) -> u64 {
    let cells = if number < 6 { cells } else { low_with_high(cells) };
    (1..=number % 6).fold(cells, |cells, step| if step % 2 == 1 { x_with_y(cells) } else { y_with_z(cells) })
}

/// The flip that leads from one to the next of the sixteen, which come as in a Gray code: cheap ones are done often.
#[inline(always)]
fn stepped<const MANY: usize>(step: u32, images: [u64; MANY]) -> [u64; MANY] {
    match step.trailing_zeros() {
        0 => images.map(|cells| flipped(cells.rotate_left(32), 4)),
        1 => images.map(|cells| flipped(flipped(cells, 2), 3)),
        2 => images.map(|cells| flipped(flipped(cells, 0), 1)),
        _ => images.map(|cells| flipped(flipped(flipped(cells, 0), 2), 4)),
    }
}

/// The smallest image of a position on the usual board. Seldom have two images the same stones of the side to move, so those
/// decide alone, and the others follow where it matters.
fn smallest(position: &Position) -> Position {
    let mut images = permuted(position.mover);
    let mut least_by_permutation = images;
    for step in 1..16 {
        images = stepped(step, images);
        for (least, image) in least_by_permutation.iter_mut().zip(images) {
            *least = image.min(*least);
        }
    }
    let mover = least_by_permutation.into_iter().min().expect("there are twelve");
    let mut other = u64::MAX;
    for number in (0..12).filter(|number| least_by_permutation[*number] == mover) {
        let mut pair = [permuted_by(number, position.mover), permuted_by(number, position.other)];
        for step in 1..=16 {
            if pair[0] == mover {
                other = other.min(pair[1]);
            }
            pair = stepped(step, pair);
        }
    }
    Position { mover, other }
}
