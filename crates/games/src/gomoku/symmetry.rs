//! Rotations and reflections of the board.

use quod_model::Symmetry;

use super::{Cells, Gomoku, Position};

/// For every cell of a padded board, where the eight symmetries put it; the padding is never asked for.
pub(super) fn images(size: u32) -> Vec<[u16; 8]> {
    let places = (0..size).flat_map(|y| (0..=size).map(move |x| (x, y)));
    let last = size - 1;
    let image = |x: u32, y: u32, number: usize| {
        let (mut x, mut y) = (x.min(last), y);
        if number & 1 != 0 {
            x = last - x;
        }
        if number & 2 != 0 {
            y = last - y;
        }
        if number & 4 != 0 {
            (x, y) = (y, x);
        }
        (y * (size + 1) + x) as u16
    };
    places.map(|(x, y)| std::array::from_fn(|number| image(x, y, number))).collect()
}

/// Of the eight images, the one with the smallest stones of the mover, and of those the one with the smallest of the other.
impl<const N: usize> Symmetry for Gomoku<N> {
    fn canonical(&self, position: &Position<N>) -> Position<N> {
        let mut movers = [Cells::NONE; 8];
        for cell in position.mover.iter() {
            let images = &self.images[cell as usize];
            for (set, image) in movers.iter_mut().zip(images) {
                set.insert(u32::from(*image));
            }
        }
        let mover = movers.into_iter().min().expect("there are eight");
        // Mostly there is one of them, and the other's stones are moved only once.
        let smallest = (0..8).filter(|number| movers[*number] == mover);
        let others = smallest.map(|number| {
            let mut set = Cells::NONE;
            for cell in position.other.iter() {
                set.insert(u32::from(self.images[cell as usize][number]));
            }
            set
        });
        let other = others.min().expect("the smallest is one of them");
        Position { mover, other, to_move: position.to_move }
    }
}
