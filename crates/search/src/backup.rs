//! Back-up operators: how the numbers of several children that must all fall make one.
//!
//! In a tree they add up. In a graph children may share descendants, which a sum counts again and again; the other
//! operators count less and so see shared work better and separate work worse. Numbers only guide: whichever
//! operator is used, what is solved is the same.

/// How numbers that must all fall make one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Backup {
    /// The sum, as published.
    #[default]
    Sum,
    /// The largest, and one for every other child that is open (weak proof-number search, Ueda et al. 2008).
    Weak,
    /// The sum over children with one parent, and the largest of those with several.
    Masked,
}

/// Puts the numbers of open children together.
pub(crate) trait Operator: Default {
    /// Takes the number of an open child; `shared` tells whether it has several parents.
    fn add(&mut self, number: u64, shared: impl FnOnce() -> bool);

    /// The number of them all; zero if there was none.
    fn total(self) -> u64;

    /// The smallest number of one more child with which that of all reaches `most`, if it does not without.
    fn room(self, shared: bool, most: u64) -> u64;
}

#[derive(Default)]
pub(crate) struct Sum(u64);

impl Operator for Sum {
    fn add(&mut self, number: u64, _: impl FnOnce() -> bool) {
        self.0 += number;
    }
    fn total(self) -> u64 {
        self.0
    }
    fn room(self, _: bool, most: u64) -> u64 {
        most.saturating_sub(self.0)
    }
}

#[derive(Default)]
pub(crate) struct Weak {
    most: u64,
    open: u64,
}

impl Operator for Weak {
    fn add(&mut self, number: u64, _: impl FnOnce() -> bool) {
        self.most = self.most.max(number);
        self.open += 1;
    }
    fn total(self) -> u64 {
        self.most + self.open.saturating_sub(1)
    }
    fn room(self, _: bool, most: u64) -> u64 {
        most.saturating_sub(self.open)
    }
}

#[derive(Default)]
pub(crate) struct Masked {
    sum: u64,
    most: u64,
}

impl Operator for Masked {
    fn add(&mut self, number: u64, shared: impl FnOnce() -> bool) {
        if shared() {
            self.most = self.most.max(number);
        } else {
            self.sum += number;
        }
    }
    fn total(self) -> u64 {
        self.sum + self.most
    }
    fn room(self, shared: bool, most: u64) -> u64 {
        most.saturating_sub(self.sum + if shared { 0 } else { self.most })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn total<O: Operator>(numbers: &[(u64, bool)]) -> u64 {
        let mut operator = O::default();
        for (number, shared) in numbers {
            operator.add(*number, || *shared);
        }
        operator.total()
    }

    /// The room for a child is the smallest number with which all together reach a threshold.
    fn room_is_exact<O: Operator>(others: &[(u64, bool)]) {
        for (shared, most) in [(false, 40), (true, 40), (false, 31), (true, 31)] {
            let mut operator = O::default();
            for (number, shared) in others {
                operator.add(*number, || *shared);
            }
            let room = operator.room(shared, most);
            let with = |number: u64| total::<O>(&[others, &[(number, shared)]].concat());
            assert!(with(room) >= most && with(room - 1) < most, "{others:?} {shared} {most}: {room}");
        }
    }

    #[test]
    fn the_room_for_a_child_is_exact() {
        for others in [&[][..], &[(7, false)], &[(7, true), (5, false), (3, true)], &[(1, true), (12, true)]]
        {
            room_is_exact::<Sum>(others);
            room_is_exact::<Weak>(others);
            room_is_exact::<Masked>(others);
        }
    }

    #[test]
    fn operators_agree_on_one_child_and_differ_on_several() {
        assert_eq!((total::<Sum>(&[]), total::<Weak>(&[]), total::<Masked>(&[])), (0, 0, 0));
        let one = [(7, true)];
        assert_eq!((total::<Sum>(&one), total::<Weak>(&one), total::<Masked>(&one)), (7, 7, 7));
        let four = [(7, true), (5, false), (3, true), (2, false)];
        assert_eq!((total::<Sum>(&four), total::<Weak>(&four), total::<Masked>(&four)), (17, 10, 14));
    }
}
