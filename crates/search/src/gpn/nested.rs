//! Generalized proof-number search of two levels, GPNS² (Saffidine and Cazenave 2011, section 4.6).
//!
//! Every new leaf gets its numbers from a search of its own, with at most as many descents as the first level has made so far
//! (or fewer, see [`SecondLevel`]), and is freed at once. That search only asks what matters on the path to the leaf: the
//! bounds of interest are handed to it.

use quod_checkpoint::{Failure, Reader, State, Writer};
use quod_model::{Minimax, Numbers, StopReason};
use quod_proof::NodeId;

use super::arena::{CODE, Child, OwnNumbers};
use super::search::{Core, GpnOptions};
use super::solution::Shown;
use crate::limits::{Budget, Counters, Progress, Search, Standing, take_steps};
use crate::many::Interval;
use crate::saved::Restore;
use crate::second_level::SecondLevel;
use crate::view::View;

/// A search of two levels for the value of the place where its cursor stands.
pub struct Gpn2<'c> {
    cursor: Box<dyn Minimax + 'c>,
    second_level: SecondLevel,
    first: Core,
    developing: Option<Developing>,
    memory_bytes_max: u64,
    /// What second levels that are gone have done.
    done: Counters,
}

/// A leaf whose children get their numbers one after the other.
struct Developing {
    leaf: NodeId,
    children: Vec<Child>,
    /// The questions that matter on the path to them.
    relevant: (u16, u16),
    /// The numbers of those that have them.
    own: Vec<OwnNumbers>,
    /// The search for the next one.
    second: Option<Core>,
    /// The most descents of one search.
    size: u64,
}

impl Developing {
    /// The questions that matter for the next child.
    fn next(&self) -> Option<(u16, u16)> {
        let (low, high) = self.children.get(self.own.len())?.open;
        Some((low.max(self.relevant.0), high.min(self.relevant.1)))
    }

    /// Takes what was found about the next child: bounds that are more than was known, and numbers. Questions that do not
    /// matter there were not asked, and keep those of a leaf.
    fn take(&mut self, asked: (u16, u16), found: &OwnNumbers, first: &Core) {
        let child = &mut self.children[self.own.len()];
        let leaf = first.leaf_numbers(child);
        if found.open.0 > asked.0 {
            child.open.0 = found.open.0;
        }
        if found.open.1 < asked.1 {
            child.open.1 = found.open.1;
        }
        let numbers = |question: u16| {
            let place = question.checked_sub(found.open.0);
            place.and_then(|place| found.numbers.get(usize::from(place))).copied().unwrap_or(leaf)
        };
        let numbers = (child.open.0..child.open.1).map(numbers).collect();
        self.own.push(OwnNumbers { open: child.open, numbers });
    }
}

impl<'c> Gpn2<'c> {
    /// A search of the place where the cursor stands, for values within `range`: what lies outside counts as its end. Both
    /// levels have `memory_bytes_max` bytes. They are trees: places are not joined, whatever the options say.
    ///
    /// # Panics
    /// If there are more outcomes than [`super::QUESTIONS_MAX`].
    pub fn new(
        cursor: impl Minimax + 'c,
        range: Interval,
        options: GpnOptions,
        second_level: SecondLevel,
        memory_bytes_max: u64,
    ) -> Self {
        let mut cursor: Box<dyn Minimax + 'c> = Box::new(cursor);
        let options = GpnOptions { joined: false, ..options };
        let first = Core::new(&mut *cursor, range, options, memory_bytes_max);
        let done = Counters::default();
        Self { cursor, second_level, first, developing: None, memory_bytes_max, done }
    }

    /// One step of the second level, or of the first where no leaf is being developed.
    fn step(&mut self, nodes_max: u64) -> Result<(), StopReason> {
        let Some(developing) = &mut self.developing else { return self.begin(nodes_max) };
        let Some(asked) = developing.next() else { return self.attach() };
        let Some(second) = &mut developing.second else {
            if asked.0 >= asked.1 || developing.size == 0 {
                developing.own.push(OwnNumbers { open: asked, numbers: Vec::new() });
                return Ok(());
            }
            self.cursor.down(&[developing.children[developing.own.len()].code]);
            let room = self.memory_bytes_max.saturating_sub(self.first.held().1);
            let second = self.first.nested(&*self.cursor, asked, room);
            if second.held().1 > room / 2 {
                // It could do nothing there.
                self.cursor.up(1);
                developing.own.push(OwnNumbers { open: asked, numbers: Vec::new() });
            } else {
                developing.second = Some(second);
            }
            return Ok(());
        };
        let left = nodes_max - self.done.nodes - self.first.counters().nodes;
        let over = second.is_solved() || second.counters().expansions >= developing.size;
        if !over {
            match second.step(&mut *self.cursor, left) {
                Ok(()) => return Ok(()),
                Err(StopReason::Nodes) => return Err(StopReason::Nodes),
                // What it has found so far is good.
                Err(_) => {}
            }
        }
        second.leave(&mut *self.cursor);
        self.cursor.up(1);
        let found = second.root();
        self.done = done_with(self.done, &self.first, second);
        developing.second = None;
        developing.take(asked, &found, &self.first);
        Ok(())
    }

    /// Goes down to a leaf and generates its children.
    fn begin(&mut self, nodes_max: u64) -> Result<(), StopReason> {
        if let Some(leaf) = self.first.find_leaf(&mut *self.cursor)? {
            let descents = self.first.counters().expansions;
            self.first.generate(&mut *self.cursor, nodes_max - self.done.nodes)?;
            self.developing = Some(Developing {
                leaf,
                children: self.first.generated().to_vec(),
                relevant: self.first.relevant(),
                own: Vec::new(),
                second: None,
                size: self.second_level.size(descents, u64::MAX),
            });
        }
        Ok(())
    }

    /// Gives the leaf its children, all of which have their numbers now.
    fn attach(&mut self) -> Result<(), StopReason> {
        let Some(Developing { leaf, children, own, .. }) = self.developing.take() else { return Ok(()) };
        self.first.attach(&mut *self.cursor, leaf, &children, &own)
    }

    /// Ends the search and keeps what the first level shows, as [`super::Gpn::into_solutions`] does.
    #[must_use]
    pub fn into_solutions(self) -> (Option<Shown>, Option<Shown>) {
        self.first.into_solutions()
    }
}

/// What second levels have done with one that is still there.
fn done_with(done: Counters, first: &Core, second: &Core) -> Counters {
    let (nodes, bytes) = first.held();
    done.then(second.counters().beside(nodes, bytes))
}

impl Search for Gpn2<'_> {
    fn advance(&mut self, budget: Budget) -> Progress {
        take_steps(self, budget, |search| search.first.verdict(), Self::step)
    }

    fn root_numbers(&self) -> Numbers {
        self.first.root_numbers()
    }

    fn standing(&self) -> Option<Standing> {
        Some(self.first.standing())
    }

    fn view(&self) -> Option<&dyn View> {
        self.first.view()
    }

    fn state(&self) -> Option<&dyn State> {
        let second = self.developing.as_ref().and_then(|developing| developing.second.as_ref());
        let both = self.first.can_be_written() && second.is_none_or(Core::can_be_written);
        both.then_some(self)
    }

    fn restored(&mut self) -> Option<&mut dyn Restore> {
        Some(self)
    }

    fn counters(&self) -> Counters {
        let second = self.developing.as_ref().and_then(|developing| developing.second.as_ref());
        let done = second.map_or(self.done, |second| done_with(self.done, &self.first, second));
        done.then(self.first.counters())
    }
}

impl State for Gpn2<'_> {
    fn write(&self, to: &mut Writer<'_>) -> std::io::Result<()> {
        self.first.write(to)?;
        to.item(self.done)?;
        to.flag(self.developing.is_some())?;
        let Some(Developing { children, relevant, own, second, size, .. }) = &self.developing else {
            return Ok(());
        };
        to.item(*size)?;
        to.item([relevant.0, relevant.1])?;
        to.item(children.len() as u64)?;
        for child in children {
            to.item([child.code, u32::from(child.is_max)])?;
            to.item([child.open.0, child.open.1])?;
            to.item(child.numbers)?;
            to.flag(child.key.is_some())?;
            to.item(child.key.unwrap_or(0))?;
        }
        to.item(own.len() as u64)?;
        for own in own {
            to.item([own.open.0, own.open.1])?;
            to.items(&own.numbers)?;
        }
        to.flag(second.is_some())?;
        second.as_ref().map_or(Ok(()), |second| second.write(to))
    }
}

impl Restore for Gpn2<'_> {
    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Failure> {
        self.first.restore(&mut *self.cursor, from)?;
        self.done = from.item()?;
        if !from.flag()? {
            return Ok(());
        }
        let leaf = self.first.place();
        let bounds = |from: &mut Reader<'_>, first: &Core| {
            let [low, high] = from.item()?;
            if first.could_have(leaf, (low, high)) {
                Ok((low, high))
            } else {
                Err(Failure::damaged("bounds that are none"))
            }
        };
        let size = from.item()?;
        let relevant = from.item::<[u16; 2]>()?.into();
        let mut children = Vec::new();
        for _ in 0..from.item::<u64>()? {
            let [code, is_max] = from.item()?;
            let (open, numbers) = (bounds(from, &self.first)?, from.item()?);
            let (joined, key) = (from.flag()?, from.item::<u128>()?);
            if code > CODE {
                return Err(Failure::damaged("a move that is none"));
            }
            children.push(Child { code, is_max: is_max != 0, open, numbers, key: joined.then_some(key) });
        }
        let mut own = Vec::new();
        for _ in 0..from.item::<u64>()? {
            own.push(OwnNumbers { open: bounds(from, &self.first)?, numbers: from.items()? });
        }
        let mut developing = Developing { leaf, children, relevant, own, second: None, size };
        let fitting = |own: &OwnNumbers| {
            own.numbers.is_empty() || own.numbers.len() == usize::from(own.open.1 - own.open.0)
        };
        let in_order = !developing.children.is_empty()
            && developing.own.len() <= developing.children.len()
            && developing.own.iter().all(fitting);
        let second = from.flag()?;
        let asked = developing.next().filter(|(low, high)| low < high);
        if !in_order || (second && asked.is_none()) {
            return Err(Failure::damaged("its second level stands nowhere"));
        }
        if let Some(asked) = asked.filter(|_| second) {
            let code = developing.children[developing.own.len()].code;
            self.first.go_down(&mut *self.cursor, code)?;
            let room = self.memory_bytes_max.saturating_sub(self.first.held().1);
            let mut second = self.first.nested(&*self.cursor, asked, room);
            second.restore(&mut *self.cursor, from)?;
            developing.second = Some(second);
        }
        self.developing = Some(developing);
        Ok(())
    }
}
