//! Proof-number search of two levels, PN² (Allis 1994; Breuker 1998).
//!
//! A leaf of the first level is developed by a search of its own, the second level, in whatever room the first has left. Of
//! that the leaf keeps its children with their numbers, and everything else is freed at once: time buys memory. When the
//! first level has left almost nothing, it goes on alone.

use quod_checkpoint::{Failure, Reader, State, Writer};
use quod_model::{AndOr, Child, Numbers, StopReason};
use quod_proof::{NodeId, SolutionTree};

use crate::limits::{Budget, Counters, Progress, Search, take_steps};
use crate::pn::{PnCore, PnOptions};
use crate::saved::Restore;
use crate::second_level::SecondLevel;
use crate::tree::{NODE_BYTES, Tree};
use crate::view::View;

/// A search of two levels below the place where its cursor stands.
pub struct Pn2<'c> {
    cursor: Box<dyn AndOr + 'c>,
    options: PnOptions,
    second_level: SecondLevel,
    first: PnCore,
    second: Option<Second>,
    /// How many nodes both levels may hold.
    capacity: u64,
    /// What second levels that are gone have done.
    done: Counters,
    children: Vec<Child>,
}

/// Where fewer nodes find room, a second level brings nothing.
const FEW: u64 = 256;

/// A second level and the leaf that it develops.
struct Second {
    core: PnCore,
    leaf: NodeId,
    size: u64,
}

impl<'c> Pn2<'c> {
    /// A search of the problem below the cursor's place, with `memory_bytes_max` bytes for both levels.
    pub fn new(
        cursor: impl AndOr + 'c,
        options: PnOptions,
        second_level: SecondLevel,
        memory_bytes_max: u64,
    ) -> Self {
        let mut cursor: Box<dyn AndOr + 'c> = Box::new(cursor);
        let first = PnCore::new(&mut *cursor, options, memory_bytes_max);
        let capacity = memory_bytes_max / NODE_BYTES as u64;
        let done = Counters::default();
        Self { cursor, options, second_level, first, second: None, capacity, done, children: Vec::new() }
    }

    /// How many nodes a second level finds room for.
    fn room(&self) -> u64 {
        let held = self.first.tree().bytes().div_ceil(NODE_BYTES as u64);
        self.capacity.saturating_sub(held)
    }

    /// Goes down to a leaf and begins a second level there.
    fn begin(&mut self, nodes_max: u64) -> Result<(), StopReason> {
        let room = self.room();
        if room < FEW {
            return self.first.step(&mut *self.cursor, nodes_max - self.done.nodes);
        }
        let leaf = self.first.descend(&mut *self.cursor);
        let size = self.second_level.size(self.first.tree().live(), room);
        self.second = Some(self.new_second(leaf, size, room));
        Ok(())
    }

    /// A second level at the leaf where the cursor stands.
    fn new_second(&mut self, leaf: NodeId, size: u64, room: u64) -> Second {
        let reserved = size.saturating_add(1).clamp(FEW, room);
        // What is given up there would be lost for the first level too.
        let options = PnOptions { delete_least_proving: false, ..self.options };
        let mut core = PnCore::new(&mut *self.cursor, options, reserved * NODE_BYTES as u64);
        core.set_capacity(room);
        Second { core, leaf, size }
    }

    /// One step of the second level, or its end.
    fn step(&mut self, nodes_max: u64) -> Result<(), StopReason> {
        let left = nodes_max - self.done.nodes - self.first.counters().nodes;
        let Some(second) = &mut self.second else { return self.begin(nodes_max) };
        // A leaf is expanded at least once.
        let size = if second.core.counters().expansions == 0 { u64::MAX } else { second.size };
        let ended = match second.core.verdict() {
            Some(_) => true,
            None => match second.core.step(&mut *self.cursor, size.min(left)) {
                Ok(()) => false,
                Err(StopReason::Nodes) if left < size => return Err(StopReason::Nodes),
                Err(_) => true,
            },
        };
        if ended { self.end(nodes_max) } else { Ok(()) }
    }

    /// Hands the children of the second level's root over to the first, and frees the rest.
    fn end(&mut self, nodes_max: u64) -> Result<(), StopReason> {
        let Some(mut second) = self.second.take() else { return Ok(()) };
        second.core.leave(&mut *self.cursor);
        self.children.clear();
        self.children.extend(second.core.tree().root_children());
        let numbers = second.core.tree().numbers(second.core.tree().root());
        self.done = self.done_with(&second.core);
        drop(second.core);
        if self.children.is_empty() && !numbers.is_solved() {
            // Not even the children of this one leaf found room there.
            return self.first.step(&mut *self.cursor, nodes_max - self.done.nodes);
        }
        self.first.develop(&mut *self.cursor, second.leaf, numbers, &self.children)
    }

    /// What second levels have done with one that is still there.
    fn done_with(&self, second: &PnCore) -> Counters {
        let first = self.first.tree();
        self.done.then(second.counters().beside(first.live(), first.bytes()))
    }

    /// Ends the search and keeps the tree of its first level.
    #[must_use]
    pub fn into_tree(self) -> Tree {
        self.first.into_tree()
    }

    /// The tree of the first level, to look into.
    #[must_use]
    pub fn tree(&self) -> &Tree {
        self.first.tree()
    }
}

impl Search for Pn2<'_> {
    fn advance(&mut self, budget: Budget) -> Progress {
        take_steps(self, budget, |search| search.first.verdict(), Self::step)
    }

    fn root_numbers(&self) -> Numbers {
        self.first.tree().numbers(self.first.tree().root())
    }

    fn view(&self) -> Option<&dyn View> {
        Some(self.first.tree())
    }

    fn state(&self) -> Option<&dyn State> {
        Some(self)
    }

    fn restored(&mut self) -> Option<&mut dyn Restore> {
        Some(self)
    }

    fn counters(&self) -> Counters {
        let done = self.second.as_ref().map_or(self.done, |second| self.done_with(&second.core));
        done.then(self.first.counters())
    }
}

impl State for Pn2<'_> {
    fn write(&self, to: &mut Writer<'_>) -> std::io::Result<()> {
        self.first.write(to)?;
        to.item(self.done)?;
        to.flag(self.second.is_some())?;
        if let Some(second) = &self.second {
            to.item(second.size)?;
            second.core.write(to)?;
        }
        Ok(())
    }
}

impl Restore for Pn2<'_> {
    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Failure> {
        self.first.restore(&mut *self.cursor, from)?;
        self.done = from.item()?;
        if from.flag()? {
            let (leaf, size, room) = (self.first.place(), from.item()?, self.room());
            if room < FEW || self.first.tree().most_proving_child(leaf).is_some() {
                return Err(Failure::damaged("its second level stands nowhere"));
            }
            let mut second = self.new_second(leaf, size, room);
            second.core.restore(&mut *self.cursor, from)?;
            self.second = Some(second);
        }
        Ok(())
    }
}
