//! The boards of a game that must not come again, shared between positions.

use std::fmt;
use std::iter;
use std::sync::Arc;

use super::board::Board;
use crate::bits::Bits;

/// A set of boards. It is a list that grows at its head, so that all positions behind one share what lies before them.
pub(super) struct History<B>(Option<Arc<Link<B>>>);

struct Link<B> {
    board: Board<B>,
    before: History<B>,
    /// How many boards there are from here on, and the sum of their hashes, whatever their order.
    length: usize,
    hash: u128,
    /// A bit for each of them. Most boards find theirs unset, and need no walk along the list.
    filter: u64,
}

impl<B: Bits> History<B> {
    /// No board.
    pub(super) fn none() -> Self {
        Self(None)
    }

    /// The same set with one more board, which was not in it.
    pub(super) fn with(&self, board: Board<B>) -> Self {
        let (hash, filter) = (self.hash().wrapping_add(board.hash()), self.filter() | board.filter());
        Self(Some(Arc::new(Link { board, before: self.clone(), length: self.len() + 1, hash, filter })))
    }

    fn links(&self) -> impl Iterator<Item = &Arc<Link<B>>> {
        iter::successors(self.0.as_ref(), |link| link.before.0.as_ref())
    }

    /// The boards, the last one first.
    pub(super) fn boards(&self) -> impl Iterator<Item = Board<B>> {
        self.links().map(|link| link.board)
    }

    pub(super) fn contains(&self, board: Board<B>) -> bool {
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

impl<B> Clone for History<B> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

/// As sets: the order of the boards does not matter.
impl<B: Bits> PartialEq for History<B> {
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

impl<B: Bits> Eq for History<B> {}

impl<B: Bits> fmt::Debug for History<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.boards()).finish()
    }
}

impl<B> Drop for Link<B> {
    /// One link after the other: a game can be longer than a stack is deep.
    fn drop(&mut self) {
        let mut next = self.before.0.take();
        while let Some(mut link) = next.and_then(Arc::into_inner) {
            next = link.before.0.take();
        }
    }
}
