//! What is known of an opening: places with numbers that say how much work is left below them.
//!
//! This is proof-number search (Allis, van der Meulen and van den Herik 1994) with large steps: a leaf is a search of its own, and a number counts the replies that resist it. There are
//! no disproof numbers, because a move that does not win is only left for another one.

/// The number of a piece that was tried once.
pub(super) const UNIT: u64 = 60;
/// What each try in vain makes a piece harder.
const STEP: u64 = UNIT / 3;
/// The number of a position of the opening into which nobody has looked.
const OPENING: u64 = 8 * UNIT;
/// That of a move of the attacker whose replies nobody has looked at.
const CHOICE: u64 = 6 * UNIT;
/// The number of a place that is not won.
const REFUTED: u64 = u64::MAX;

/// What a place is to the attacker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// He is to move in an opening: a move is chosen, in the order in which they stand as long as nothing can be tried.
    Opening { in_order: bool },
    /// He is to move, and a search may prove that he wins.
    Piece,
    /// The opponent is to move.
    Choice,
}

pub(super) struct Place<P> {
    pub(super) position: P,
    pub(super) kind: Kind,
    /// 0 if it is proved.
    number: u64,
    /// How often it was tried in vain.
    pub(super) tries: u32,
    /// Whether no move of the attacker that was looked at wins, so that only a longer search of the piece can.
    pub(super) closed: bool,
    /// Whether its children are known.
    looked: bool,
    /// Whether all replies that are no children here have a certificate.
    secured: bool,
    children: Vec<usize>,
    parents: Vec<usize>,
}

impl<P> Place<P> {
    pub(super) fn is_proved(&self) -> bool {
        self.number == 0
    }

    pub(super) fn is_leaf(&self) -> bool {
        !self.looked
    }

    pub(super) fn is_secured(&self) -> bool {
        self.secured
    }

    fn leaf_number(&self) -> u64 {
        match self.kind {
            Kind::Opening { .. } => OPENING,
            Kind::Choice => CHOICE,
            Kind::Piece => UNIT + STEP * u64::from(self.tries.max(1) - 1),
        }
    }
}

/// Places that may be reached in several ways; the first one is the root.
pub(super) struct Tree<P> {
    places: Vec<Place<P>>,
}

impl<P> Tree<P> {
    pub(super) fn new() -> Self {
        Self { places: Vec::new() }
    }

    /// Puts a place there, about which nothing is known but how often it was tried.
    pub(super) fn add(&mut self, position: P, kind: Kind, tries: u32) -> usize {
        let mut place = Place {
            position,
            kind,
            number: 0,
            tries,
            closed: false,
            looked: false,
            secured: false,
            children: Vec::new(),
            parents: Vec::new(),
        };
        place.number = place.leaf_number();
        self.places.push(place);
        self.places.len() - 1
    }

    pub(super) fn place(&self, at: usize) -> &Place<P> {
        &self.places[at]
    }

    pub(super) fn is_refuted(&self, at: usize) -> bool {
        self.places[at].number == REFUTED
    }

    /// The children of a place that are not proved.
    pub(super) fn open_children(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        self.places[at].children.iter().copied().filter(|child| !self.places[*child].is_proved())
    }

    pub(super) fn children(&self, at: usize) -> &[usize] {
        &self.places[at].children
    }

    /// The way to the leaf that is worked on: the attacker's cheapest move, and the easiest reply to it, so that little work is done first, and what
    /// resists is left together. A choice with nothing open behind it is a leaf.
    pub(super) fn most_proving(&self) -> Vec<usize> {
        let mut way = vec![0];
        loop {
            let at = way[way.len() - 1];
            let place = &self.places[at];
            let mut open = self.open_children(at).filter(|child| !self.is_refuted(*child));
            let number = |child: &usize| self.places[*child].number;
            let next = match place.kind {
                Kind::Opening { in_order: true } => open.next(),
                _ => open.min_by_key(number),
            };
            match next {
                Some(next) => way.push(next),
                None => return way,
            }
        }
    }

    /// Hangs children below a leaf, some of which may be there already, and returns the pieces that are proved by that.
    pub(super) fn grow(&mut self, at: usize, children: Vec<usize>) -> Vec<usize> {
        for child in &children {
            self.places[*child].parents.push(at);
        }
        let place = &mut self.places[at];
        place.children.extend(children);
        place.looked = true;
        self.update(at)
    }

    /// Notes that all replies without a child have a certificate.
    pub(super) fn secure(&mut self, at: usize) -> Vec<usize> {
        self.places[at].secured = true;
        self.update(at)
    }

    /// Notes that a piece was proved, and returns those that are proved by that.
    pub(super) fn prove(&mut self, at: usize) -> Vec<usize> {
        self.set(at, 0)
    }

    /// Notes that a piece is no win.
    pub(super) fn refute(&mut self, at: usize) -> Vec<usize> {
        self.set(at, REFUTED)
    }

    /// Notes that a piece was tried in vain so often.
    pub(super) fn tried(&mut self, at: usize, tries: u32) -> Vec<usize> {
        self.places[at].tries = tries;
        let number = self.places[at].leaf_number();
        self.set(at, number)
    }

    /// Notes that of the replies to a choice so many seem to resist, of whom not all were tried.
    pub(super) fn estimate(&mut self, at: usize, resist: usize) -> Vec<usize> {
        self.places[at].tries = 1;
        self.set(at, UNIT * resist as u64)
    }

    fn set(&mut self, at: usize, number: u64) -> Vec<usize> {
        self.places[at].number = number;
        let above = self.places[at].parents.clone();
        self.update_all(above)
    }

    fn update(&mut self, at: usize) -> Vec<usize> {
        self.update_all(vec![at])
    }

    /// Works out the numbers of places below which something has changed, and of all above. Returns the positions with the attacker to move that are proved by that.
    fn update_all(&mut self, mut changed: Vec<usize>) -> Vec<usize> {
        let mut proved = Vec::new();
        while let Some(at) = changed.pop() {
            if self.places[at].is_proved() {
                continue;
            }
            let number = self.fold(at);
            let place = &mut self.places[at];
            if number != place.number {
                place.number = number;
                changed.extend(&place.parents);
                if number == 0 && place.kind != Kind::Choice {
                    proved.push(at);
                }
            }
        }
        proved
    }

    /// The number of a place by those of its children.
    fn fold(&mut self, at: usize) -> u64 {
        let place = &self.places[at];
        let mut numbers = place.children.iter().map(|child| self.places[*child].number);
        let best = match place.kind {
            Kind::Choice => {
                let mut sum = u64::from(!place.secured);
                for number in numbers {
                    if number == REFUTED {
                        return REFUTED;
                    }
                    sum += number;
                }
                return sum;
            }
            Kind::Opening { in_order: true } => numbers.find(|number| *number != REFUTED).unwrap_or(REFUTED),
            Kind::Opening { .. } | Kind::Piece => numbers.min().unwrap_or(REFUTED),
        };
        if best == REFUTED && place.kind == Kind::Piece {
            // Of the moves that were tried none wins, which says nothing of the others: it is a piece again.
            let place = &mut self.places[at];
            place.children.clear();
            (place.looked, place.closed) = (false, true);
            return place.leaf_number();
        }
        // A step costs something.
        if best == REFUTED { best } else { best + best / 5 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A piece with two choices, of two replies and of one.
    fn tree() -> Tree<&'static str> {
        let mut tree = Tree::new();
        for (name, kind) in
            [("root", Kind::Piece), ("a", Kind::Choice), ("b", Kind::Choice), ("a1", Kind::Piece)]
        {
            tree.add(name, kind, 0);
        }
        for name in ["a2", "b1"] {
            tree.add(name, Kind::Piece, 0);
        }
        assert!(tree.grow(0, vec![1, 2]).is_empty());
        assert!(tree.grow(1, vec![3, 4]).is_empty());
        assert!(tree.grow(2, vec![5]).is_empty());
        tree
    }

    #[test]
    fn work_goes_where_the_fewest_replies_resist() {
        let mut tree = tree();
        assert_eq!(tree.most_proving(), [0, 2, 5]);
        // Tries in vain make it dearer than the two replies to the other choice.
        tree.tried(5, 1);
        assert_eq!(tree.most_proving(), [0, 2, 5]);
        tree.tried(5, 6);
        assert_eq!(tree.most_proving(), [0, 1, 3]);
        // A reply that does not lose ends its choice.
        tree.refute(3);
        assert_eq!(tree.most_proving(), [0, 2, 5]);
    }

    #[test]
    fn what_is_proved_is_secured_first() {
        let mut tree = tree();
        assert!(tree.prove(5).is_empty());
        assert_eq!(tree.most_proving(), [0, 2]);
        assert_eq!(tree.secure(2), [0]);
        assert!(tree.place(0).is_proved());
    }

    #[test]
    fn a_piece_whose_choices_fail_is_a_piece_again() {
        let mut tree = tree();
        tree.refute(3);
        tree.refute(5);
        assert!(tree.place(0).closed && tree.place(0).is_leaf() && !tree.is_refuted(0));
        assert_eq!(tree.most_proving(), [0]);
        let mut opening = Tree::new();
        opening.add("root", Kind::Opening { in_order: true }, 0);
        for name in ["a", "b"] {
            opening.add(name, Kind::Choice, 0);
        }
        opening.grow(0, vec![1, 2]);
        opening.estimate(1, 100);
        assert_eq!(opening.most_proving(), [0, 1]);
        opening.refute(1);
        assert_eq!(opening.most_proving(), [0, 2]);
        opening.refute(2);
        assert!(opening.is_refuted(0));
    }
}
