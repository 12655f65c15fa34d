//! Speed and memory of the searches for many outcomes and of two levels beside proof-number search, in one run: Connect Four
//! 5x4 is solved, one question by the searches for one, the value by the others; then Woodpush with few and with many outcomes.

use std::time::Duration;

use cpu_time::ProcessTime;
use quod_games::{ConnectFour, Woodpush};
use quod_model::{Goal, GoalCursor, LeafNumbers, Notation, Relative, Value, ValueCursor};
use quod_search::{
    Budget, Counters, Gpn, Gpn2, GpnMethod, GpnOptions, Interval, Pn, Pn2, PnOptions, Search, SecondLevel,
};

const ROUNDS: usize = 5;
const MEMORY: u64 = 1 << 30;

#[derive(Clone, Copy)]
enum Method {
    Pn,
    Pn2,
    Value(GpnMethod, bool),
    Gpn2,
}

fn search<G: Notation>(game: &G, method: Method) -> (Counters, Duration) {
    let (root, leaf) = (game.start(), LeafNumbers::One);
    let mover = game.to_move(&root);
    let (lower, upper) = Value::range_seen_by(game.values(), mover);
    let range = Interval { lower, upper };
    let question = || GoalCursor::new(game, game.start(), Goal::new(mover, Relative(0)), leaf);
    let value = |joined: bool| {
        let cursor = ValueCursor::new(game, game.start(), leaf);
        if joined { cursor.joining_converted(true) } else { cursor }
    };
    let mut search: Box<dyn Search + '_> = match method {
        Method::Pn => Box::new(Pn::new(question(), PnOptions::default(), MEMORY)),
        Method::Pn2 => Box::new(Pn2::new(question(), PnOptions::default(), SecondLevel::Allis, MEMORY)),
        Method::Value(method, joined) => {
            let options = GpnOptions { method, joined, prune: true, ..GpnOptions::default() };
            Box::new(Gpn::new(value(joined), range, options, MEMORY))
        }
        Method::Gpn2 => {
            let options = GpnOptions { prune: true, ..GpnOptions::default() };
            Box::new(Gpn2::new(value(false), range, options, SecondLevel::Allis, MEMORY))
        }
    };
    let begun = ProcessTime::now();
    search.advance(Budget::UNLIMITED);
    (search.counters(), begun.elapsed())
}

fn compare<G: Notation>(game: &G, methods: &[(&str, Method)]) {
    // All in turn in every round, so that a busy machine slows them alike; the least time of each counts.
    let mut best = vec![(Counters::default(), Duration::MAX); methods.len()];
    for _ in 0..ROUNDS {
        for ((_, method), best) in methods.iter().zip(&mut best) {
            let (counters, time) = search(game, *method);
            *best = (counters, best.1.min(time));
        }
    }
    println!("{}; best of {ROUNDS} rounds, CPU time", game.game_text());
    for ((name, _), (counters, time)) in methods.iter().zip(&best) {
        println!(
            "{name:<10}{:>6.1} M nodes/s, {:>10} nodes, {:>9} held, {:>5.1} bytes a node",
            counters.nodes as f64 / time.as_secs_f64() / 1e6,
            counters.nodes,
            counters.peak_nodes,
            counters.memory_bytes as f64 / counters.peak_nodes as f64
        );
    }
}

fn main() {
    let trees = [
        ("pn", Method::Pn),
        ("pn2", Method::Pn2),
        ("gpn", Method::Value(GpnMethod::Published, false)),
        ("gpn2", Method::Gpn2),
        ("mopn", Method::Value(GpnMethod::Focused, false)),
    ];
    let all = [
        &trees[..],
        &[
            ("gpn-dag", Method::Value(GpnMethod::Published, true)),
            ("mopn-dag", Method::Value(GpnMethod::Focused, true)),
        ],
    ]
    .concat();
    compare(&ConnectFour::<u64>::new(5, 4, 4).expect("the board fits"), &all);
    compare(&Woodpush::<u64>::new(11, 2).expect("a line"), &all);
    compare(&Woodpush::<u64>::new(11, 2).and_then(|game| game.with_range(16)).expect("a line"), &all);
}
