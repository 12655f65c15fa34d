//! Exact scores of Connect Four 7x6 by MTD(f) on one thread: the positions of `testdata/connect4_scores.txt` by the number of
//! stones on the board, each compared with its known score, and the beginning of the game.

use std::collections::BTreeMap;
use std::time::Instant;

use cpu_time::ProcessTime;
use quod_games::ConnectFour;
use quod_model::{Game, Notation, Value};
use quod_search::{BoundsTable, Budget, Interval, Mtdf, Search};

#[path = "../../../testdata/scores.rs"]
mod scores;

const TABLE_BYTES: u64 = 64 << 20;

#[derive(Default)]
struct Sum {
    positions: u32,
    seconds: f64,
    nodes: u64,
    expansions: u64,
}

fn solve(moves: &str, score: i32, sum: &mut Sum) {
    let game = ConnectFour::<u64>::new(7, 6, 4).expect("the board fits").with_score();
    let root = game.parse_moves(&game.start(), moves).expect("legal moves");
    let range = Value::range_seen_by(game.values(), game.to_move(&root));
    let asked = Interval { lower: range.0, upper: range.1 };
    let begun = ProcessTime::now();
    let mut search = Mtdf::new(&game, root, asked, Value::DRAW, true, BoundsTable::new(TABLE_BYTES));
    search.advance(Budget::UNLIMITED);
    sum.seconds += begun.elapsed().as_secs_f64();
    assert_eq!(search.standing().expect("a value").proven.lower.0, score, "{moves}");
    let counters = search.counters();
    sum.positions += 1;
    sum.nodes += counters.nodes;
    sum.expansions += counters.expansions;
}

fn main() {
    let begun = Instant::now();
    let mut sums: BTreeMap<String, Sum> = BTreeMap::new();
    for (moves, score) in scores::known() {
        solve(&moves, score, sums.entry(format!("{:>2} stones", moves.len())).or_default());
    }
    for (moves, score) in [("", 1), ("4444", 1), ("44444", -1)] {
        solve(moves, score, sums.entry(format!("moves {moves:?}")).or_default());
    }
    for (name, sum) in sums {
        println!(
            "{name:<14}{:>4} positions {:>7.2} CPU s {:>7.1} M nodes {:>6.1} M/s {:>6.2} M expansions",
            sum.positions,
            sum.seconds,
            sum.nodes as f64 / 1e6,
            sum.nodes as f64 / 1e6 / sum.seconds,
            sum.expansions as f64 / 1e6,
        );
    }
    println!("all in {:.1} s", begun.elapsed().as_secs_f64());
}
