//! Random games against the exhaustive truth, with tables of a few entries: every answer and every stored fact must be right,
//! and every search must end.

use std::sync::Arc;

use quod_model::testkit::{Graph, Truth, random_cyclic, random_dag, random_maze, random_tree};
use quod_model::{
    Evaluation, Game, Goal, GoalCursor, Identity, Joining, LeafNumbers, Relative, Repetition, Value, Verdict,
};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::*;
use crate::backup::Backup;
use crate::limits::{Budget, Progress, Search};

fn pick<T: Copy>(random: &mut Xoshiro256PlusPlus, choices: &[T]) -> T {
    choices[random.random_range(0..choices.len())]
}

fn options(random: &mut Xoshiro256PlusPlus, game: &Graph) -> DfpnOptions {
    let thresholds = pick(random, &[Thresholds::Dfpn, Thresholds::Dfpn, Thresholds::Pds, Thresholds::PnStar]);
    DfpnOptions {
        thresholds,
        epsilon: Epsilon(pick(random, &[0, 128, 256, 512, 1024])),
        hysteresis: random.random_bool(0.5),
        backup: pick(random, &[Backup::Sum, Backup::Weak, Backup::Masked]),
        evaluation: pick(random, &[Evaluation::Immediate, Evaluation::Delayed]),
        edge_cost: if thresholds == Thresholds::Dfpn { pick(random, &[0, 0, 1, 3]) } else { 0 },
        cyclic: matches!(game.repetition(), Repetition::Worth(_)),
    }
}

/// A table with one bucket of four entries for facts, or so many times that.
fn table(buckets: u64, cyclic: bool) -> Arc<SharedTable> {
    Arc::new(SharedTable::new(buckets * 64 * if cyclic { 2 } else { 1 } * 4 / 3, cyclic, true))
}

struct Asked<'g> {
    game: &'g Graph,
    root: u32,
    truth: &'g Truth<Graph>,
    goal: Goal,
    question: u16,
    options: DfpnOptions,
    leaf: fn() -> LeafNumbers<Graph>,
}

impl Asked<'_> {
    fn search(&self, shared: &Arc<SharedTable>, team: bool) -> Dfpn<'_> {
        // A root that is known by nothing is searched too.
        let joining = if self.options.cyclic || self.question.is_multiple_of(2) {
            Joining::Everything
        } else {
            Joining::Converted
        };
        let cursor = GoalCursor::new(self.game, self.root, self.goal, (self.leaf)()).joining(joining, false);
        Dfpn::new(cursor, self.options, self.question, Arc::clone(shared), team)
    }

    fn holds(&self) -> bool {
        self.goal.is_reached_by(self.truth.value(&self.root))
    }

    /// Everything that the table calls a fact.
    fn audit(&self, shared: &SharedTable, told: &dyn Fn() -> String) -> usize {
        let (low, _) = Value::range_seen_by(self.game.values(), self.goal.claimant);
        let mut facts = 0;
        for (position, value) in self.truth.iter() {
            let identity = Identity { key: self.game.key(position), endless: false };
            let (proven, refuted) = shared.bounds(identity);
            let value = value.seen_by(self.goal.claimant).0 - low.0;
            assert!(i32::from(proven) <= value || proven == 0, "{position} proven {proven}: {}", told());
            assert!(i32::from(refuted) > value, "{position} refuted {refuted}: {}", told());
            facts += usize::from(proven > 0) + usize::from(refuted < u16::MAX);
        }
        facts
    }
}

/// All questions about a game, on tables of three sizes that are kept from one question to the next.
fn judge(seed: u64, game: &Graph, nodes_max: u64, facts: &mut usize) -> u64 {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let truth = &Truth::new(game, &game.start());
    let (low, high) = Value::range_seen_by(game.values(), game.to_move(&game.start()));
    let mut most = 0;
    // The last one forgets nothing: then answers under paths are found again.
    for buckets in [1, 4, 16, 1024] {
        let options = options(&mut random, game);
        let shared = table(buckets, options.cyclic);
        let leaf = pick(
            &mut random,
            &[(|| LeafNumbers::One) as fn() -> LeafNumbers<Graph>, || LeafNumbers::Mobility],
        );
        for at_least in low.0 + 1..=high.0 {
            let goal = Goal::new(game.to_move(&game.start()), Relative(at_least));
            let question = (at_least - low.0) as u16;
            let asked = Asked { game, root: game.start(), truth, goal, question, options, leaf };
            let told = || format!("seed {seed}, {buckets} buckets, >= {at_least}, {options:?}\n{game}");
            let mut search = asked.search(&shared, false);
            let progress = search.advance(Budget { nodes_max, steps_max: u64::MAX });
            let verdict = if asked.holds() { Verdict::Proven } else { Verdict::Disproven };
            assert_eq!(progress, Progress::Done(verdict), "{}", told());
            most = most.max(search.counters().nodes);
            *facts += asked.audit(&shared, &told);
        }
    }
    most
}

/// Several threads on one table, until one has the answer.
fn together(asked: &Asked<'_>, shared: &Arc<SharedTable>, threads: usize, nodes_max: u64) -> Option<Verdict> {
    let answer = std::sync::Mutex::new(None);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let mut search = asked.search(shared, true);
            let answer = &answer;
            scope.spawn(move || {
                while answer.lock().expect("nobody panics").is_none() {
                    match search.advance(Budget { nodes_max, steps_max: 16 }) {
                        Progress::Running => {}
                        Progress::Done(Verdict::Unknown(_)) => break,
                        Progress::Done(verdict) => {
                            let mut answer = answer.lock().expect("nobody panics");
                            assert!(answer.is_none_or(|other| other == verdict), "two answers");
                            *answer = Some(verdict);
                        }
                    }
                }
            });
        }
    });
    answer.into_inner().expect("nobody panics")
}

/// The same with threads: verdicts and facts stay right, and every search ends.
#[test]
fn threads() {
    let mut facts = 0;
    for seed in 0..600 {
        let game = match seed % 4 {
            0 => random_tree(seed, 40),
            1 => random_dag(seed, 30),
            2 => random_cyclic(seed, 24),
            _ => random_maze(seed, 16),
        };
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let truth = &Truth::new(&game, &game.start());
        let claimant = game.to_move(&game.start());
        let (low, high) = Value::range_seen_by(game.values(), claimant);
        for (threads, buckets) in [(2, 1), (4, 1), (2, 4), (4, 4), (2, 16), (4, 16)] {
            let options = options(&mut random, &game);
            let shared = table(buckets, options.cyclic);
            // Several roots on one table: what is known about one must not be taken for another.
            let mut roots = vec![game.start()];
            let open = truth
                .iter()
                .map(|(position, _)| *position)
                .filter(|position| game.outcome(position).is_none());
            roots.extend(open.take(3));
            for (root, at_least) in
                roots.iter().flat_map(|root| (low.0 + 1..=high.0).map(move |v| (*root, v)))
            {
                let goal = Goal::new(claimant, Relative(at_least));
                let question = (at_least - low.0) as u16;
                let leaf = || LeafNumbers::One;
                let asked = Asked { game: &game, root, truth, goal, question, options, leaf };
                let told = || {
                    format!(
                        "seed {seed}, {threads} threads, {buckets} buckets, {root} >= {at_least}, {options:?}\n{game}"
                    )
                };
                let verdict = if asked.holds() { Verdict::Proven } else { Verdict::Disproven };
                assert_eq!(together(&asked, &shared, threads, 20_000_000), Some(verdict), "{}", told());
                facts += asked.audit(&shared, &told);
            }
        }
    }
    println!(
        "600 games with 2 and 4 threads, tables of 4, 16 and 64 entries: all answers right, {facts} facts in the tables right"
    );
}

fn judge_all(kind: &str, count: u64, nodes_max: u64, game: impl Fn(u64) -> Graph) {
    let (mut most, mut facts) = (0, 0);
    for seed in 0..count {
        most = most.max(judge(seed, &game(seed), nodes_max, &mut facts));
    }
    println!(
        "{count} {kind}, tables of 4, 16, 64 and 4,096 entries: all answers right, {facts} facts in the tables right, {most} nodes at the most"
    );
    assert!(facts as u64 > count, "the tables hold hardly anything");
}

#[test]
fn trees() {
    judge_all("trees", 2_000, 10_000_000, |seed| random_tree(seed, 40));
}

#[test]
fn acyclic_graphs() {
    judge_all("acyclic graphs", 2_000, 10_000_000, |seed| random_dag(seed, 30));
}

#[test]
fn cyclic_graphs() {
    judge_all("graphs with cycles", 20_000, 20_000_000, |seed| random_cyclic(seed, 24));
}

#[test]
fn mazes() {
    judge_all("mazes", 4_000, 20_000_000, |seed| random_maze(seed, 16));
}

/// Searches from different roots share a table, where nothing is known but by the way from its root.
#[test]
fn roots_that_are_known_by_nothing_stay_apart() {
    let text = "a max: b c\nb min: d\nc min: e\nd = 1\ne = 1\nf max: g h\ng min: i\nh min: i\ni = 0";
    let game: Graph = text.parse().expect("a graph");
    let goal = Goal::new(quod_model::Player::First, Relative(1));
    let shared = Arc::new(SharedTable::new(1 << 16, false, false));
    for (root, verdict) in [(5, Verdict::Disproven), (0, Verdict::Proven), (5, Verdict::Disproven)] {
        let cursor = GoalCursor::new(&game, root, goal, LeafNumbers::One).joining(Joining::Nothing, false);
        let mut search = Dfpn::new(cursor, DfpnOptions::default(), 1, Arc::clone(&shared), true);
        assert_eq!(search.advance(Budget::UNLIMITED), Progress::Done(verdict));
        // And none of it is taken for what is known of a place.
        for key in 0..9 {
            assert_eq!(shared.bounds(Identity { key, endless: false }), (0, u16::MAX), "{key}");
        }
    }
}
