//! Proof-number search as a published experiment ran and counted it. On trees (Allis, van der Meulen and van den Herik 1994,
//! section 6.4): all nodes of all two-valued searches, each with its root; what is held are nodes that are not solved. On graphs
//! (Schijf 1993, section 5.5): the nodes of the graph with the root, and the end nodes made of repetitions.

use std::cell::Cell;

use quod_model::{Goal, Numbers, Player, Verdict};
use quod_search::{Budget, Counters, Interval, Many, Progress, Search};

use crate::drive::Driver;
use crate::request::Aim;
use crate::run::Run;
use crate::solve::next_question;

/// A search that counts as the experiment did.
pub(crate) struct Counted<'c> {
    search: Run<'c>,
    /// What was counted and not searched.
    beside: &'c Cell<u64>,
}

impl<'c> Counted<'c> {
    pub(crate) fn new(search: Run<'c>, beside: &'c Cell<u64>) -> Self {
        Self { search, beside }
    }
}

impl Search for Counted<'_> {
    fn advance(&mut self, budget: Budget) -> Progress {
        self.search.search().advance(budget)
    }

    fn root_numbers(&self) -> Numbers {
        self.search.running().root_numbers()
    }

    fn counters(&self) -> Counters {
        let counters = self.search.running().counters();
        match &self.search {
            Run::Tree(search) => {
                let nodes = counters.nodes + 1 + self.beside.get();
                Counters { nodes, peak_nodes: search.peak_unsolved(), ..counters }
            }
            Run::TwoLevel(_) | Run::Graph(_) => Counters { nodes: counters.peak_nodes, ..counters },
        }
    }
}

/// Answers an aim, one two-valued search after the other, each from nothing.
pub(crate) fn search_published<'c>(
    search: impl Fn(Goal) -> Counted<'c>,
    claimant: Player,
    aim: Aim,
    many: Many,
    driver: &mut Driver<'_>,
) {
    while let Some(at_least) = next_question(aim, driver.interval, many) {
        let mut search = search(Goal::new(claimant, at_least));
        let holds = match driver.run(&mut search, Interval::of_question(at_least), 0) {
            Verdict::Proven => true,
            Verdict::Disproven => false,
            Verdict::Unknown(_) => break,
        };
        driver.interval.answer(at_least, holds);
    }
}
