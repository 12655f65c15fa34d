//! The boards of a game that must not come again, shared between positions.

use std::fmt;
use std::iter;
use std::sync::Arc;

use super::board::Board;

/// A set of boards. It is a list that grows at its head, so that all positions behind one share what lies before them.
#[derive(Clone, Default)]
pub(super) struct History(Option<Arc<Link>>);

struct Link {
    board: Board,
    before: History,
    /// How many boards there are from here on, and the sum of their hashes, whatever their order.
    length: usize,
    hash: u128,
    /// A bit for each of them. Most boards find theirs unset, and need no walk along the list.
    filter: u64,
}

impl History {
    /// The same set with one more board, which was not in it.
    pub(super) fn with(&self, board: Board) -> Self {
        let (hash, filter) = (self.hash().wrapping_add(board.hash()), self.filter() | board.filter());
        Self(Some(Arc::new(Link { board, before: self.clone(), length: self.len() + 1, hash, filter })))
    }

    fn links(&self) -> impl Iterator<Item = &Arc<Link>> {
        iter::successors(self.0.as_ref(), |link| link.before.0.as_ref())
    }

    /// The boards, the last one first.
    pub(super) fn boards(&self) -> impl Iterator<Item = Board> {
        self.links().map(|link| link.board)
    }

    pub(super) fn contains(&self, board: Board) -> bool {
        self.filter() & board.filter() != 0 && self.boards().any(|earlier| earlier == board)
    }

    pub(super) fn len(&self) -> usize {
        self.0.as_ref().map_or(0, |link| link.length)
    }

    /// Equal for equal sets.
    pub(super) fn hash(&self) -> u128 {
        self.0.as_ref().map_or(0, |link| link.hash)
    }

    fn filter(&self) -> u64 {
        self.0.as_ref().map_or(0, |link| link.filter)
    }
}

/// As sets: the order of the boards does not matter.
impl PartialEq for History {
    fn eq(&self, other: &Self) -> bool {
        if (self.len(), self.hash()) != (other.len(), other.hash()) {
            return false;
        }
        // What both share from somewhere on needs no look.
        let own = self.links().zip(other.links()).take_while(|(own, other)| !Arc::ptr_eq(own, other));
        let (mut own, mut other): (Vec<_>, Vec<_>) = own.map(|(own, other)| (own.board, other.board)).unzip();
        own.sort_unstable();
        other.sort_unstable();
        own == other
    }
}

impl Eq for History {}

impl fmt::Debug for History {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.boards()).finish()
    }
}

impl Drop for Link {
    /// One link after the other: a game can be longer than a stack is deep.
    fn drop(&mut self) {
        let mut next = self.before.0.take();
        while let Some(mut link) = next.and_then(Arc::into_inner) {
            next = link.before.0.take();
        }
    }
}
