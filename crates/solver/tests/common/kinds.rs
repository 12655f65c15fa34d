//! Searches of one kind on random graphs of all kinds, with much memory and with little.

use std::fmt::Display;

use quod_model::testkit::{Mirrored, Truth, random_cyclic, random_dag_of, random_tree_of};
use quod_model::{Notation, Repetition};
use quod_solver::{Algorithm, Report, Request};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::verdicts::{Tally, judge};

/// What is judged.
pub(crate) struct Judged {
    /// How many graphs of each kind.
    pub(crate) graphs: u64,
    pub(crate) algorithms: &'static [Algorithm],
    /// A request at random, within a limit of memory.
    pub(crate) request: fn(&mut Xoshiro256PlusPlus, Algorithm, u64) -> Request,
    /// Enough memory for everything.
    pub(crate) plenty_bytes: u64,
    /// The nodes of cyclic graphs, and of mirrored ones.
    pub(crate) cyclic_sizes: (u32, u32),
}

fn outcomes(seed: u64) -> i32 {
    [2, 3, 4, 7, 40][(seed % 5) as usize]
}

pub(crate) fn pick<T: Copy>(random: &mut Xoshiro256PlusPlus, choices: &[T]) -> T {
    choices[random.random_range(0..choices.len())]
}

impl Judged {
    fn all<G: Notation + Display>(
        &self,
        kind: &str,
        graph_of: impl Fn(u64) -> G,
        memory: impl Fn(&mut Xoshiro256PlusPlus) -> u64,
    ) -> Tally {
        let mut tally = Tally::default();
        for seed in 0..self.graphs {
            let graph = graph_of(seed);
            let truth = Truth::new(&graph, &graph.start());
            let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
            let repeats = matches!(graph.repetition(), Repetition::Worth(_));
            let suits = |algorithm: &&Algorithm| !(repeats && **algorithm == Algorithm::Mtdf);
            for algorithm in self.algorithms.iter().filter(suits) {
                let memory = memory(&mut random);
                let request = (self.request)(&mut random, *algorithm, memory);
                let told = |report: &Report| format!("seed {seed}, {request:?}\n{graph}{report:#?}");
                judge(&graph, &truth, &graph.start(), None, &request, told, &mut tally);
            }
        }
        println!(
            "{kind}: {} graphs, {} searches, {} unsolved and {} without a certificate for lack of memory",
            self.graphs, tally.searches, tally.unsolved, tally.uncertified
        );
        tally
    }

    fn with_plenty<G: Notation + Display>(&self, kind: &str, graph_of: impl Fn(u64) -> G) {
        let tally = self.all(kind, graph_of, |_| self.plenty_bytes);
        assert_eq!((tally.unsolved, tally.uncertified), (0, 0));
    }

    pub(crate) fn trees(&self) {
        self.with_plenty("trees", |seed| random_tree_of(seed, 60, outcomes(seed)));
    }

    pub(crate) fn acyclic_graphs(&self) {
        self.with_plenty("acyclic graphs", |seed| random_dag_of(seed, 20, outcomes(seed)));
    }

    pub(crate) fn cyclic_graphs(&self) {
        self.with_plenty("cyclic graphs", |seed| random_cyclic(seed, self.cyclic_sizes.0));
    }

    pub(crate) fn symmetric_graphs(&self) {
        let acyclic = |seed| Mirrored(random_dag_of(seed, 10, outcomes(seed)));
        self.with_plenty("symmetric graphs", acyclic);
        let cyclic = |seed| Mirrored(random_cyclic(seed, self.cyclic_sizes.1));
        self.with_plenty("symmetric cyclic graphs", cyclic);
    }

    pub(crate) fn little_memory(&self) {
        let little = |random: &mut Xoshiro256PlusPlus| 1 << random.random_range(7..13);
        let trees = |seed| random_tree_of(seed, 90, outcomes(seed));
        let tally = self.all("trees in little memory", trees, little);
        assert!(tally.unsolved > 1_000 && tally.uncertified > 10, "memory must matter");
        self.all("graphs in little memory", |seed| random_dag_of(seed, 24, outcomes(seed)), little);
        let cyclic = |seed| random_cyclic(seed, self.cyclic_sizes.0);
        self.all("cyclic graphs in little memory", cyclic, little);
    }
}
