//! Certificates from tables that have forgotten almost everything: with room for 4, 16 and 64 entries and plenty of memory
//! for the strategy, on random games of all kinds, with one thread and with several.

use quod_model::testkit::{Graph, Truth, random_cyclic, random_dag, random_maze, random_tree};
use quod_model::{Evaluation, LeafNumbers, Repetition, Value};
use quod_proof::check_bytes;
use quod_search::{Epsilon, Many, Thresholds};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::*;
use crate::certify::{Wanted, certify};
use crate::plan::Method;
use crate::request::{Aim, Limits};
use crate::solve::search_table;

fn pick<T: Copy>(random: &mut Xoshiro256PlusPlus, choices: &[T]) -> T {
    choices[random.random_range(0..choices.len())]
}

fn method(random: &mut Xoshiro256PlusPlus, game: &Graph) -> DepthFirstMethod {
    let cyclic = matches!(game.repetition(), Repetition::Worth(_));
    let thresholds = pick(random, &[Thresholds::Dfpn, Thresholds::Dfpn, Thresholds::Pds, Thresholds::PnStar]);
    let options = DfpnOptions {
        thresholds,
        epsilon: Epsilon(pick(random, &[0, 256, 1024])),
        backup: pick(random, &[Backup::Sum, Backup::Weak, Backup::Masked]),
        evaluation: pick(random, &[Evaluation::Immediate, Evaluation::Judged, Evaluation::Delayed]),
        cyclic,
        ..DfpnOptions::default()
    };
    DepthFirstMethod {
        options,
        symmetric: random.random_bool(0.5),
        threads: pick(random, &[1, 1, 1, 2, 4]),
        threats: false,
        jobs: random.random_bool(0.3),
    }
}

fn judge(seed: u64, game: &Graph, again: &mut u64) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let root = game.start();
    let truth = Truth::new(game, &root);
    let range = Value::range_seen_by(game.values(), game.to_move(&root));
    let range = Interval { lower: range.0, upper: range.1 };
    for buckets in [1, 4, 16] {
        let method = method(&mut random, game);
        let table =
            TableSearch::on(game, method, LeafNumbers::Mobility, range, new_table(method, buckets * 64));
        let watch = &mut ();
        let limits = Limits { nodes: Some(50_000_000), ..Limits::default() };
        let mut driver = Driver::new(limits, range, watch);
        let many = pick(&mut random, &[Many::Guess, Many::Binary, Many::Up, Many::Down]);
        let told = format!("seed {seed}, {buckets} buckets, {many:?}, {:?}\n{game}", method.options);
        let (lower, upper) = search_table(game, &root, Aim::Value, many, &table, None, &mut driver);
        assert_eq!(driver.stopped(), None, "{told}");
        let value = truth.value(&root).seen_by(game.to_move(&root));
        assert_eq!(driver.interval, Interval { lower: value, upper: value }, "{told}");
        let searched = driver.counters().nodes;
        let claims: Vec<_> =
            lower.iter().chain(&upper).map(|answer| (answer.claim(), Some(answer))).collect();
        if claims.is_empty() {
            continue;
        }
        let wanted = Wanted {
            claims: &claims,
            oracle: None,
            trees_lean_on_rules: method.options.evaluation == Evaluation::Immediate,
            method: Method::DepthFirst(method),
            table: Some(&table),
        };
        let certificate = certify(game, &root, &wanted, 1 << 20, &mut driver)
            .unwrap_or_else(|problem| panic!("{problem}, {told}"));
        *again += driver.counters().nodes - searched;
        let checked =
            check_bytes(game, &certificate.encode()).unwrap_or_else(|error| panic!("{error}, {told}"));
        assert!(
            checked
                .claims
                .iter()
                .all(|claim| claim.claim.is_kept_by(truth.value(&root), game.to_move(&root)))
        );
        let line = table.line(&root, driver.interval, range, None);
        game.parse_moves(&root, &line.join(" ")).expect("the line is legal");
    }
}

fn judge_all(kind: &str, count: u64, game: impl Fn(u64) -> Graph) {
    let mut again = 0;
    for seed in 0..count {
        judge(seed, &game(seed), &mut again);
    }
    println!(
        "{count} {kind}, tables of 4, 16 and 64 entries: all values right, all certificates accepted, {again} nodes searched again for them"
    );
    assert!(again > 0, "nothing was forgotten");
}

#[test]
fn trees() {
    judge_all("trees", 1_500, |seed| random_tree(seed, 40));
}

#[test]
fn acyclic_graphs() {
    judge_all("acyclic graphs", 1_500, |seed| random_dag(seed, 30));
}

#[test]
fn cyclic_graphs() {
    judge_all("graphs with cycles", 4_000, |seed| random_cyclic(seed, 20));
}

#[test]
fn mazes() {
    judge_all("mazes", 1_000, |seed| random_maze(seed, 14));
}

/// More values than a table can tell apart: every question has a table of its own.
#[test]
fn values_of_a_wide_range() {
    let text = "a max: b c\nb min: d e\nc min: e f\nd = 100000\ne = 70000\nf = -100000";
    let game: Graph = text.parse().expect("a graph");
    let algorithm = crate::Algorithm::Dfpn;
    let request = crate::Request { algorithm, certificate: true, ..crate::Request::default() };
    let solution = crate::solve(&game, &game.start(), &request, &mut ()).expect("a right request");
    assert_eq!((solution.report.value, solution.report.best_move.as_deref()), (Some(70_000), Some("b")));
    let certificate = solution.certificate.expect("a certificate").encode();
    assert!(check_bytes(&game, &certificate).expect("accepted").exact.is_some());
}

/// A win whose first move threatens nothing was found behind a step to moves that are held back.
#[test]
fn moves_that_were_held_back_are_told_by_name() {
    let game = quod_games::Qubic::new(3, 3, 3, 3).expect("such a box");
    let root = game.start();
    let options = DfpnOptions::default();
    let method = DepthFirstMethod { options, symmetric: true, threads: 1, threats: true, jobs: false };
    let range = Interval { lower: Relative(-1), upper: Relative(1) };
    let table = TableSearch::on(&game, method, LeafNumbers::Mobility, range, new_table(method, 1 << 20));
    let watch = &mut ();
    let mut driver = Driver::new(Limits::default(), range, watch);
    let goal = Goal::new(game.to_move(&root), Relative(1));
    let (_, search) = table.search_shortly(&root, goal, 0, &mut driver);
    assert!(search.root_move().is_some_and(is_held_back), "{:?} threatens something", search.root_move());
    let (verdict, found) = table.search_again(&root, goal, 0, &mut driver);
    assert_eq!(verdict, Verdict::Proven);
    assert!(found.is_some_and(|code| !is_held_back(code)), "{found:?} is no move");
}
