//! Random games in slices, with circles inside each: the judges of databases.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::{
    Abilities, Game, Index, InputError, Notation, Player, Relative, Repetition, Slot, Successor, Value,
};

/// A game whose positions are numbered in slices. Moves out of a slice may gain something and may give another move; moves
/// within one go around at will.
#[derive(Clone, Debug)]
pub struct Layers {
    slices: Vec<Vec<Node>>,
    /// For each slice and number the numbers of the same slice from which a move leads there.
    predecessors: Vec<Vec<Vec<u64>>>,
    start: Slot,
}

#[derive(Clone, Debug)]
enum Node {
    Nothing,
    Over(i32),
    Moves(Vec<Successor>),
}

/// A position of such a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Layered {
    slot: Slot,
    mover: Player,
    /// What First has made before.
    made: i32,
}

/// How much larger the values of a slice can be than those of the one below it.
const STEP: i32 = 3;

impl Layers {
    /// A random game of so many slices with up to so many numbers each.
    #[must_use]
    pub fn random(seed: u64, slices: u32, size: u64) -> Self {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut game =
            Self { slices: Vec::new(), predecessors: Vec::new(), start: Slot { slice: 0, number: 0 } };
        for slice in 0..slices {
            let count = random.random_range(1..=size);
            let start = random.random_range(0..count);
            let mut kinds: Vec<u8> = (0..count).map(|_| random.random_range(0..10)).collect();
            kinds[start as usize] = 9;
            let open: Vec<u64> = (0..count).filter(|number| kinds[*number as usize] > 0).collect();
            let below = game.start;
            game.start = Slot { slice, number: start };
            let mut nodes = Vec::new();
            for kind in kinds {
                let largest = game.slice_value_max(slice);
                nodes.push(match kind {
                    0 => Node::Nothing,
                    1 | 2 => Node::Over(random.random_range(-largest..=largest)),
                    _ => {
                        let successors = (0..random.random_range(1..=4)).map(|_| {
                            if slice == 0 || random.random_bool(0.7) {
                                let number = open[random.random_range(0..open.len())];
                                return Successor { slot: Slot { slice, number }, gain: 0, again: false };
                            }
                            let lower = random.random_range(0..slice);
                            let size = game.slices[lower as usize].len() as u64;
                            let slot = Slot { slice: lower, number: random.random_range(0..size) };
                            let kept =
                                matches!(game.slices[lower as usize][slot.number as usize], Node::Nothing);
                            let slot = if kept { below } else { slot };
                            let gain = random.random_range(1 - STEP..STEP);
                            Successor { slot, gain, again: random.random_bool(0.3) }
                        });
                        Node::Moves(successors.collect())
                    }
                });
            }
            game.slices.push(nodes);
            game.link(slice);
        }
        game
    }

    fn link(&mut self, slice: u32) {
        let nodes = &self.slices[slice as usize];
        let mut predecessors = vec![Vec::new(); nodes.len()];
        for number in 0..nodes.len() as u64 {
            for to in self.moves_of(Slot { slice, number }).iter().filter(|to| to.slot.slice == slice) {
                predecessors[to.slot.number as usize].push(number);
            }
        }
        self.predecessors.push(predecessors);
    }

    #[cfg(test)]
    pub(super) fn forget_a_predecessor(&mut self) {
        self.predecessors.iter_mut().flatten().find_map(Vec::pop).expect("a move stays in its slice");
    }

    fn node(&self, slot: Slot) -> &Node {
        &self.slices[slot.slice as usize][slot.number as usize]
    }

    fn moves_of(&self, slot: Slot) -> &[Successor] {
        if let Node::Moves(successors) = self.node(slot) { successors } else { &[] }
    }
}

impl Game for Layers {
    type Position = Layered;
    type Move = u8;

    fn start(&self) -> Layered {
        Layered { slot: self.start, mover: Player::First, made: 0 }
    }

    fn to_move(&self, position: &Layered) -> Player {
        position.mover
    }

    fn outcome(&self, position: &Layered) -> Option<Value> {
        let Node::Over(value) = self.node(position.slot) else { return None };
        Some(Value(position.made + Relative(*value).for_first(position.mover).0))
    }

    fn moves(&self, position: &Layered, moves: &mut Vec<u8>) {
        moves.extend((0u8..).take(self.moves_of(position.slot).len()));
    }

    fn after(&self, position: &Layered, mv: u8) -> Layered {
        let successor = self.moves_of(position.slot)[usize::from(mv)];
        Layered {
            slot: successor.slot,
            mover: if successor.again { position.mover } else { position.mover.other() },
            made: position.made + Relative(successor.gain).for_first(position.mover).0,
        }
    }

    fn key(&self, position: &Layered) -> u128 {
        let made = u128::from(position.made.cast_unsigned());
        let slot = u128::from(position.slot.number) << 8 | u128::from(position.slot.slice);
        (slot << 32 | made) << 1 | u128::from(position.mover == Player::First)
    }

    fn values(&self) -> (Value, Value) {
        let largest = 2 * self.slice_value_max(self.slices() - 1);
        (Value(-largest), Value(largest))
    }

    fn repetition(&self) -> Repetition<Self> {
        Repetition::Worth(|_, position: &Layered| Value(position.made))
    }

    fn abilities(&self) -> Abilities<Self> {
        Abilities::none().index()
    }
}

impl Index for Layers {
    fn slices(&self) -> u32 {
        self.slices.len() as u32
    }

    fn slice_size(&self, slice: u32) -> u64 {
        self.slices[slice as usize].len() as u64
    }

    fn slice_value_max(&self, slice: u32) -> i32 {
        STEP * (slice.cast_signed() + 1)
    }

    fn slot(&self, position: &Layered) -> Option<Slot> {
        Some(position.slot)
    }

    fn at_slot(&self, slot: Slot) -> Option<Layered> {
        let there = !matches!(self.node(slot), Node::Nothing);
        there.then_some(Layered { slot, mover: Player::First, made: 0 })
    }

    fn made(&self, position: &Layered) -> i32 {
        Value(position.made).seen_by(position.mover).0
    }

    fn successors(&self, slot: Slot, successors: &mut Vec<Successor>) -> Option<i32> {
        successors.extend_from_slice(self.moves_of(slot));
        if let Node::Over(value) = self.node(slot) { Some(*value) } else { None }
    }

    fn predecessors(&self, slot: Slot, numbers: &mut Vec<u64>) {
        numbers.extend_from_slice(&self.predecessors[slot.slice as usize][slot.number as usize]);
    }
}

impl Notation for Layers {
    fn game_text(&self) -> String {
        "layers".to_owned()
    }

    fn position_text(&self, position: &Layered) -> String {
        let Layered { slot: Slot { slice, number }, mover, made } = position;
        format!("{slice} {number} {mover:?} {made}")
    }

    fn parse_position(&self, text: &str) -> Result<Layered, InputError> {
        let wrong =
            || InputError::new("position", text, "it is not slice, number, mover and what First made");
        let words: Vec<&str> = text.split(' ').collect();
        let [slice, number, mover, made] = words[..] else { return Err(wrong()) };
        let slot =
            Slot { slice: slice.parse().map_err(|_| wrong())?, number: number.parse().map_err(|_| wrong())? };
        let there = slot.slice < self.slices() && slot.number < self.slice_size(slot.slice);
        if !there || self.at_slot(slot).is_none() {
            return Err(wrong());
        }
        let mover = if mover == "First" { Player::First } else { Player::Second };
        Ok(Layered { slot, mover, made: made.parse().map_err(|_| wrong())? })
    }

    fn move_text(&self, _: &Layered, mv: u8) -> String {
        mv.to_string()
    }
}
