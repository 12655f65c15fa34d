//! In which order moves are searched.

use std::cmp::Reverse;

use quod_model::{Bounded, Numbers};

/// By the leaf numbers that the cursor gave: what costs the mover least first, then what costs the other side most. Equal ones stay
/// as they were generated.
pub(super) fn by_numbers(children: &mut [Bounded], is_max: bool) {
    if children.iter().any(|child| child.numbers != Numbers::ONE) {
        children.sort_by_key(|child| {
            let (own, other) = child.numbers.seen_by_mover(is_max);
            (own, Reverse(other))
        });
    }
}

/// One move first.
pub(super) fn first(children: &mut [Bounded], code: u32) {
    if let Some(place) = children.iter().position(|child| child.code == code) {
        children[..=place].rotate_right(1);
    }
}

/// As in a list of all moves.
pub(super) fn by_list(children: &mut [Bounded], list: &[u32]) {
    children.sort_by_key(|child| list.iter().position(|code| *code == child.code));
}
