//! What a playing search remembers from one iteration and one move of the game to the next. It may be wrong, and guides alone.

/// What a score says of the value that a deeper search would have found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Exact,
    AtLeast,
    AtMost,
}

#[derive(Clone, Copy)]
pub(super) struct Entry {
    key: u64,
    /// For the player to move, seen from the position.
    pub(super) score: i64,
    pub(super) code: u32,
    pub(super) depth: u8,
    pub(super) kind: Kind,
    /// Whether every line below it has come to an end.
    pub(super) whole: bool,
    age: u8,
}

const EMPTY: Entry = Entry { key: 0, score: 0, code: 0, depth: 0, kind: Kind::AtLeast, whole: false, age: 0 };

/// Scores of positions, in a table that forgets. A player keeps it for the whole game.
pub struct PlayTable {
    /// Pairs of places: the deeper search stays in the first, the last one is in the second.
    entries: Vec<[Entry; 2]>,
    age: u8,
}

impl PlayTable {
    /// Of so many bytes at the most, but for a few.
    #[must_use]
    pub fn new(bytes_max: u64) -> Self {
        let pairs = (bytes_max / size_of::<[Entry; 2]>() as u64).max(1).ilog2();
        Self { entries: vec![[EMPTY; 2]; 1 << pairs], age: 0 }
    }

    /// What was found before is now worth less than what comes.
    pub(super) fn grow_older(&mut self) {
        // An age of 0 is that of entries that were never written.
        self.age = self.age % 255 + 1;
    }

    /// One number of a key, and its pair of places.
    fn place(&self, key: u128) -> (u64, usize) {
        let mixed = (key as u64 ^ ((key >> 64) as u64).rotate_left(32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = mixed ^ (mixed >> 29);
        (mixed, mixed as usize & (self.entries.len() - 1))
    }

    pub(super) fn get(&self, key: u128) -> Option<&Entry> {
        let (key, place) = self.place(key);
        self.entries[place].iter().find(|entry| entry.key == key && entry.age != 0)
    }

    pub(super) fn put(&mut self, key: u128, found: Found) {
        let (key, place) = self.place(key);
        let Found { score, code, depth, kind, whole } = found;
        let entry = Entry { key, score, code, depth, kind, whole, age: self.age };
        let [deepest, last] = &mut self.entries[place];
        if deepest.key == key || deepest.age != self.age || depth >= deepest.depth {
            if deepest.key != key {
                *last = *deepest;
            }
            *deepest = entry;
        } else {
            *last = entry;
        }
    }
}

/// What was found of a position.
pub(super) struct Found {
    pub(super) score: i64,
    pub(super) code: u32,
    pub(super) depth: u8,
    pub(super) kind: Kind,
    pub(super) whole: bool,
}
