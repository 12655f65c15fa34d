//! Speed and memory of proof-number search on Connect Four 4x5, beside a plain exhaustive walk that makes the
//! same kind of moves and tests without keeping anything. Ratios in one run; each run asserts its result.

use std::time::Duration;

use cpu_time::ProcessTime;
use quod_games::ConnectFour;
use quod_model::{Game, Goal, GoalCursor, LeafNumbers, Player, Relative, Verdict};
use quod_search::{Budget, Counters, Pn, PnOptions, Progress, Search, Updates};

const ROUNDS: usize = 20;

fn search(game: &ConnectFour<u64>, leaf: LeafNumbers<ConnectFour<u64>>, options: PnOptions) -> Counters {
    let cursor = GoalCursor::new(game, game.start(), Goal::new(Player::First, Relative(1)), leaf);
    let mut search = Pn::new(cursor, options, 1 << 30);
    assert_eq!(search.advance(Budget::UNLIMITED), Progress::Done(Verdict::Disproven));
    search.counters()
}

/// Makes moves depth first until `nodes` positions were generated and tested for their outcome.
fn walk(game: &ConnectFour<u64>, nodes: u64) -> u64 {
    let mut open = vec![game.start()];
    let mut moves = Vec::new();
    let (mut made, mut over) = (0, 0);
    while let Some(position) = open.pop() {
        moves.clear();
        game.moves(&position, &mut moves);
        for mv in &moves {
            let child = game.after(&position, *mv);
            made += 1;
            if game.outcome(&child).is_some() {
                over += 1;
            } else {
                open.push(child);
            }
        }
        if made >= nodes {
            break;
        }
    }
    assert!(over > 0);
    made
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let begun = ProcessTime::now();
    let result = work();
    (result, begun.elapsed())
}

fn main() {
    let game = ConnectFour::new(4, 5, 4).expect("the board fits");
    let early = PnOptions::default();
    let full = PnOptions { updates: Updates::Full, ..early };
    let searches = [
        ("pn", LeafNumbers::One, early, 402_604),
        ("pn, mobility", LeafNumbers::Mobility, early, 302_066),
        ("pn, updates to the root", LeafNumbers::One, full, 402_604),
    ];
    // All in turn in every round, so that a busy machine slows them alike; the least time of each counts.
    let mut walking = Duration::MAX;
    let mut made = 0;
    let mut best = [(Counters::default(), Duration::MAX); 3];
    for _ in 0..ROUNDS {
        let (nodes, time) = timed(|| walk(&game, 3_000_000));
        (made, walking) = (nodes, walking.min(time));
        for ((_, leaf, options, expansions), best) in searches.iter().zip(&mut best) {
            let (counters, time) = timed(|| search(&game, *leaf, *options));
            assert_eq!(counters.expansions, *expansions);
            *best = (counters, best.1.min(time));
        }
    }
    let walk_rate = made as f64 / walking.as_secs_f64();
    println!("Connect Four 4x5, \"First wins?\"; best of {ROUNDS} rounds, CPU time");
    println!("{:<28}{:>9.1} M nodes/s", "plain exhaustive walk", walk_rate / 1e6);
    for ((name, ..), (counters, time)) in searches.iter().zip(best) {
        let rate = counters.nodes as f64 / time.as_secs_f64();
        println!(
            "{name:<28}{:>9.1} M nodes/s {:>6.2} of the walk {:>7.2} M expansions/s {:>6.2} bytes/node",
            rate / 1e6,
            rate / walk_rate,
            counters.expansions as f64 / time.as_secs_f64() / 1e6,
            counters.memory_bytes as f64 / counters.peak_nodes as f64
        );
    }
}
