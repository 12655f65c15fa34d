//! What is known of an opening: places with numbers that say how much work is left below them.
//!
//! This is proof-number search (Allis, van der Meulen and van den Herik 1994) with large steps: a leaf is a search of its own, and a number says how many nodes have to be searched
//! as far as one can tell: as many for a piece as its next search may take, for all replies to a move the sum, for the attacker the least. A piece that was opened is still searched
//! with more nodes, if that seems to be less work, or as much was done below it. There are no disproof numbers, because a move that does not win is only left for another one.

/// The nodes of the first search for a piece, and how many times as many it gets when it is tried again.
const NODES: u64 = if cfg!(test) { 1 } else { 500 };
const MORE: u64 = if cfg!(test) { 2 } else { 4 };
/// The number of a position of the opening into which nobody has looked, in the nodes of the first search: the next one is begun when the last one resists.
const OPENING: u64 = 8_000;
/// How often a piece is tried before it is opened.
pub(super) const TRIES: u32 = if cfg!(test) { 1 } else { 6 };
/// So many replies seem to matter, where nothing is known of them.
pub(super) const CHOICE: u64 = 16;
/// What it costs to make certificates of all replies to a move of an opening, in the same: for so long no other move is begun instead.
const SECURING: u64 = 1_000;
/// The number of a place that is not won.
const REFUTED: u64 = u64::MAX;

/// The nodes that a piece gets when it was tried so often in vain.
pub(super) fn nodes(tries: u32) -> u64 {
    NODES.saturating_mul(MORE.saturating_pow(tries)).min(1 << 48)
}

/// What a place is to the attacker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// He is to move in an opening: a move is chosen, in the order in which they stand as long as nothing can be tried.
    Opening { in_order: bool },
    /// He is to move, and a search may prove that he wins.
    Piece,
    /// The opponent is to move, in an opening or in a piece, and so many replies seem to matter.
    Choice { in_opening: bool, replies: u64 },
}

pub(super) struct Place<P> {
    pub(super) position: P,
    pub(super) kind: Kind,
    /// 0 if it is proved.
    number: u64,
    /// How often it was tried in vain; of a choice, for how many tries of its replies the next look counts.
    pub(super) tries: u32,
    /// The nodes of all work below it since it was tried last.
    spent: u64,
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

    pub(super) fn is_choice(&self) -> bool {
        matches!(self.kind, Kind::Choice { .. })
    }

    /// What it costs to make the certificates of all replies that are no children.
    fn securing(&self) -> u64 {
        match self.kind {
            _ if self.secured => 0,
            Kind::Choice { in_opening: true, .. } => SECURING * NODES,
            _ => 1,
        }
    }

    /// What is left as long as its children are not known. To open a piece costs nothing, and then its cheapest move counts.
    fn number_as_leaf(&self) -> u64 {
        match self.kind {
            Kind::Piece if self.tries >= TRIES => self.own_number().min(CHOICE * nodes(self.tries - TRIES)),
            _ => self.own_number(),
        }
    }

    /// What it costs to try it itself.
    fn own_number(&self) -> u64 {
        match self.kind {
            Kind::Opening { .. } => OPENING * NODES,
            Kind::Choice { replies, .. } => replies * nodes(self.tries),
            Kind::Piece => nodes(self.tries),
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
            spent: 0,
            looked: false,
            secured: false,
            children: Vec::new(),
            parents: Vec::new(),
        };
        place.number = place.number_as_leaf();
        self.places.push(place);
        self.places.len() - 1
    }

    pub(super) fn place(&self, at: usize) -> &Place<P> {
        &self.places[at]
    }

    pub(super) fn is_refuted(&self, at: usize) -> bool {
        self.places[at].number == REFUTED
    }

    /// Whether a piece is to be tried rather than what is below it: if that seems to be less work, or what was below it has been as much. There
    /// are many ways to be found below where work seems small, so that numbers alone would go from one to the next.
    pub(super) fn is_to_be_tried(&self, at: usize) -> bool {
        let place = &self.places[at];
        place.kind == Kind::Piece && place.own_number() <= place.number.max(place.spent)
    }

    /// Notes the nodes of work below places.
    pub(super) fn spend(&mut self, above: &[usize], nodes: u64) {
        for at in above {
            self.places[*at].spent += nodes;
        }
    }

    /// The children of a place that are not proved.
    pub(super) fn open_children(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        self.places[at].children.iter().copied().filter(|child| !self.places[*child].is_proved())
    }

    pub(super) fn children(&self, at: usize) -> &[usize] {
        &self.places[at].children
    }

    /// The way to the place that is worked on: the attacker's cheapest move, and the easiest reply to it, so that little work is done first, and what
    /// resists is left together. A choice with nothing open behind it ends the way, and so does a piece that costs less than what is below it.
    pub(super) fn most_proving(&self) -> Vec<usize> {
        let mut way = vec![0];
        loop {
            let at = way[way.len() - 1];
            if self.is_to_be_tried(at) {
                return way;
            }
            let mut open = self.open_children(at).filter(|child| !self.is_refuted(*child));
            let number = |child: &usize| self.places[*child].number;
            let next = match self.places[at].kind {
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

    /// Notes how often a place was tried in vain.
    pub(super) fn tried(&mut self, at: usize, tries: u32) -> Vec<usize> {
        let place = &mut self.places[at];
        place.tries = tries;
        place.spent = 0;
        if place.looked {
            return self.update(at);
        }
        let number = place.number_as_leaf();
        self.set(at, number)
    }

    /// Notes that of the replies to a choice so many seem to resist the searches that they got, of whom not all were tried.
    pub(super) fn estimate(&mut self, at: usize, resist: usize) -> Vec<usize> {
        let place = &mut self.places[at];
        place.tries += 1;
        let number = nodes(place.tries).saturating_mul(resist as u64);
        self.set(at, number)
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
            let place = &self.places[at];
            let is_done = place.is_proved() || place.kind == Kind::Piece && self.is_refuted(at);
            if is_done {
                continue;
            }
            let number = self.fold(at);
            let place = &mut self.places[at];
            if number != place.number {
                place.number = number;
                changed.extend(&place.parents);
                if number == 0 && !place.is_choice() {
                    proved.push(at);
                }
            }
        }
        proved
    }

    /// The number of a place by those of its children.
    fn fold(&self, at: usize) -> u64 {
        let place = &self.places[at];
        let mut numbers = place.children.iter().map(|child| self.places[*child].number);
        match place.kind {
            Kind::Choice { .. } => numbers.fold(place.securing(), u64::saturating_add),
            Kind::Opening { in_order: true } => numbers.find(|number| *number != REFUTED).unwrap_or(REFUTED),
            Kind::Opening { .. } => numbers.min().unwrap_or(REFUTED),
            Kind::Piece => numbers.min().unwrap_or(REFUTED).min(place.own_number()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHOICE_OF_PIECE: Kind = Kind::Choice { in_opening: false, replies: CHOICE };

    /// A piece with two choices, of two replies and of one.
    fn tree() -> Tree<&'static str> {
        let mut tree = Tree::new();
        for (name, kind) in
            [("root", Kind::Piece), ("a", CHOICE_OF_PIECE), ("b", CHOICE_OF_PIECE), ("a1", Kind::Piece)]
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

    /// Tries a piece so often that its own search is no choice any more.
    fn exhaust(tree: &mut Tree<&str>, at: usize) {
        tree.tried(at, 20);
    }

    #[test]
    fn work_goes_where_the_least_is_left() {
        let mut tree = tree();
        assert_eq!(tree.most_proving(), [0]);
        exhaust(&mut tree, 0);
        assert_eq!(tree.most_proving(), [0, 2, 5]);
        // A try in vain makes it as dear as the two replies to the other choice, two make it dearer.
        tree.tried(5, 1);
        assert_eq!(tree.most_proving(), [0, 1, 3]);
        tree.tried(3, 1);
        assert_eq!(tree.most_proving(), [0, 2, 5]);
        tree.tried(5, 2);
        assert_eq!(tree.most_proving(), [0, 1, 4]);
        // A reply that does not lose ends its choice.
        tree.refute(3);
        assert_eq!(tree.most_proving(), [0, 2, 5]);
    }

    #[test]
    fn a_piece_is_tried_again_after_as_much_work_below() {
        let mut tree = tree();
        tree.tried(0, 3);
        assert_eq!(tree.most_proving(), [0, 2, 5]);
        tree.spend(&[0, 2], nodes(3) - 1);
        assert_eq!(tree.most_proving(), [0, 2, 5]);
        tree.spend(&[0, 2], 1);
        assert_eq!(tree.most_proving(), [0]);
        tree.tried(0, 4);
        assert_eq!(tree.most_proving(), [0, 2, 5]);
    }

    #[test]
    fn what_is_proved_is_secured_first() {
        let mut tree = tree();
        exhaust(&mut tree, 0);
        assert!(tree.prove(5).is_empty());
        assert_eq!(tree.most_proving(), [0, 2]);
        assert_eq!(tree.secure(2), [0]);
        assert!(tree.place(0).is_proved());
    }

    #[test]
    fn a_piece_whose_choices_fail_is_tried_itself() {
        let mut tree = tree();
        exhaust(&mut tree, 0);
        tree.refute(3);
        tree.refute(5);
        assert!(!tree.is_refuted(0));
        assert_eq!(tree.most_proving(), [0]);
        // What a search has refuted stays so.
        tree.refute(0);
        tree.tried(4, 1);
        assert!(tree.is_refuted(0));
        let mut opening = Tree::new();
        opening.add("root", Kind::Opening { in_order: true }, 0);
        for name in ["a", "b"] {
            opening.add(name, Kind::Choice { in_opening: true, replies: CHOICE }, 0);
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
