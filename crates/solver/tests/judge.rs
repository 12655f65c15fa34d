//! Random game graphs against the exhaustive truth: every verdict must be right in every combination of
//! switches, and every answer must come with a certificate that the checker accepts.

use std::fmt::Display;

use quod_model::testkit::{Graph, Mirrored, Truth, random_cyclic, random_dag, random_tree};
use quod_model::{Abilities, Decide, Game, Goal, Guess, InputError, Notation, Player, Repetition, Value};
use quod_solver::{Aim, Algorithm, Limits, Order, Report, Request, Switches};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

mod common;
use common::combinations;
#[path = "common/verdicts.rs"]
mod verdicts;
use verdicts::{Tally, judge as judge_search};

const GRAPHS: u64 = 10_000;
const COMBINATIONS_PER_GRAPH: usize = 8;

/// Enough that no search here ever fills it.
const PLENTY_BYTES: u64 = 64 << 20;

fn judge<G: Notation + Display>(kind: &str, first_seed: u64, graph_of: impl Fn(u64) -> G) {
    let tally = judge_with(kind, first_seed, graph_of, |_| PLENTY_BYTES);
    assert_eq!((tally.unsolved, tally.uncertified), (0, 0));
}

fn judge_with<G: Notation + Display>(
    kind: &str,
    first_seed: u64,
    graph_of: impl Fn(u64) -> G,
    memory: impl Fn(&mut Xoshiro256PlusPlus) -> u64,
) -> Tally {
    println!("{kind}: {GRAPHS} graphs, seeds {first_seed} to {}", first_seed + GRAPHS - 1);
    let combinations = combinations();
    let mut used = vec![false; combinations.len()];
    let mut tally = Tally::default();
    for seed in first_seed..first_seed + GRAPHS {
        let graph = graph_of(seed);
        let truth = Truth::new(&graph, &graph.start());
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        for _ in 0..COMBINATIONS_PER_GRAPH {
            let number = random.random_range(0..combinations.len());
            used[number] = true;
            let mut switches = combinations[number];
            if switches.order == Some(Order::Random(0)) {
                switches.order = Some(Order::Random(random.random()));
            }
            let memory = memory(&mut random);
            judge_one(&graph, &truth, (switches, memory), seed, &mut random, &mut tally);
        }
    }
    let unused = used.iter().filter(|used| !**used).count();
    assert_eq!(unused, 0, "combinations of {} that were not tried", combinations.len());
    println!(
        "{} searches, {} unsolved and {} without a certificate for lack of memory",
        tally.searches, tally.unsolved, tally.uncertified
    );
    tally
}

fn judge_one<G: Notation + Display>(
    graph: &G,
    truth: &Truth<G>,
    (switches, memory): (Switches, u64),
    seed: u64,
    random: &mut Xoshiro256PlusPlus,
    tally: &mut Tally,
) {
    let aim = if random.random_bool(0.5) { Aim::Value } else { Aim::AtLeast(random.random_range(-3..=3)) };
    let request = Request {
        aim,
        algorithm: Algorithm::Pn,
        switches,
        limits: Limits { memory: Some(memory), ..Limits::default() },
        threads: None,
        certificate: true,
        ..Request::default()
    };
    let told = |report: &Report| format!("seed {seed}, {request:?}\n{graph}{report:#?}");
    judge_search(graph, truth, &graph.start(), None, &request, told, tally);
}

#[test]
fn trees() {
    judge("trees", 1_000_000, |seed| random_tree(seed, 40));
}

#[test]
fn acyclic_graphs() {
    judge("acyclic graphs", 2_000_000, |seed| random_dag(seed, 16));
}

#[test]
fn cyclic_graphs() {
    judge("cyclic graphs", 3_000_000, |seed| random_cyclic(seed, 12));
}

/// A judge that knows the value of half of the positions, whatever the path: its results must be unrolled.
struct Knowing {
    graph: Graph,
    truth: Truth<Graph>,
}

impl Knowing {
    fn new(graph: Graph) -> Self {
        let truth = Truth::new(&graph, &graph.start());
        Self { graph, truth }
    }
}

impl Game for Knowing {
    type Position = u32;
    type Move = u16;

    fn start(&self) -> u32 {
        self.graph.start()
    }
    fn to_move(&self, position: &u32) -> Player {
        self.graph.to_move(position)
    }
    fn outcome(&self, position: &u32) -> Option<Value> {
        self.graph.outcome(position)
    }
    fn moves(&self, position: &u32, moves: &mut Vec<u16>) {
        self.graph.moves(position, moves);
    }
    fn after(&self, position: &u32, mv: u16) -> u32 {
        self.graph.after(position, mv)
    }
    fn key(&self, position: &u32) -> u128 {
        self.graph.key(position)
    }
    fn values(&self) -> (Value, Value) {
        self.graph.values()
    }
    fn repetition(&self) -> Repetition<Self> {
        match self.graph.repetition() {
            Repetition::Impossible => Repetition::Impossible,
            Repetition::Worth(_) => {
                Repetition::Worth(|game: &Self, position: &u32| match game.graph.repetition() {
                    Repetition::Worth(worth) => worth(&game.graph, position),
                    Repetition::Impossible => unreachable!("the graph has cycles"),
                })
            }
        }
    }
    fn abilities(&self) -> Abilities<Self> {
        Abilities::none().decide().guess()
    }
}

impl Decide for Knowing {
    fn decide(&self, position: &u32, goal: Goal) -> Option<bool> {
        position.is_multiple_of(2).then(|| goal.is_reached_by(self.truth.value(position)))
    }
}

impl Guess for Knowing {
    fn guess(&self, position: &u32, goal: Goal) -> (u32, u32) {
        self.graph.guess(position, goal)
    }
}

impl Notation for Knowing {
    fn game_text(&self) -> String {
        "knowing".to_owned()
    }
    fn position_text(&self, position: &u32) -> String {
        self.graph.position_text(position)
    }
    fn parse_position(&self, text: &str) -> Result<u32, InputError> {
        self.graph.parse_position(text)
    }
    fn move_text(&self, position: &u32, mv: u16) -> String {
        self.graph.move_text(position, mv)
    }
}

impl Display for Knowing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.graph.fmt(f)
    }
}

#[test]
fn cyclic_graphs_with_a_judge() {
    judge("cyclic graphs with a judge", 5_000_000, |seed| Knowing::new(random_cyclic(seed, 10)));
}

/// Symmetric positions are joined where going around joins them too.
#[test]
fn mirrored_cyclic_graphs() {
    judge("mirrored cyclic graphs", 4_000_000, |seed| Mirrored(random_cyclic(seed, 8)));
}

/// So little memory that everything that can be deleted is, and that some searches must give up.
#[test]
fn all_kinds_with_little_memory() {
    let little = |random: &mut Xoshiro256PlusPlus| 64 << random.random_range(0..8);
    let mut searches = (0, 0, 0);
    for tally in [
        judge_with("trees, little memory", 6_000_000, |seed| random_tree(seed, 40), little),
        judge_with("acyclic graphs, little memory", 7_000_000, |seed| random_dag(seed, 16), little),
        judge_with(
            "mirrored graphs, little memory",
            8_000_000,
            |seed| Mirrored(random_cyclic(seed, 8)),
            little,
        ),
        judge_with(
            "judged graphs, little memory",
            9_000_000,
            |seed| Knowing::new(random_cyclic(seed, 10)),
            little,
        ),
    ] {
        searches.0 += tally.searches;
        searches.1 += tally.unsolved;
        searches.2 += tally.uncertified;
    }
    let (all, unsolved, uncertified) = searches;
    assert!(unsolved > all / 20 && unsolved < all / 2, "{unsolved} of {all} unsolved");
    assert!(uncertified > 100 && uncertified < all / 4, "{uncertified} of {all} without a certificate");
}
