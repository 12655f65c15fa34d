//! Speed of depth-first search on one thread, and what its answers cost: Connect Four, "First wins?" from the start, with and
//! without the game's judge, in tables of several sizes.

use std::sync::Arc;
use std::time::Instant;

use quod_games::ConnectFour;
use quod_model::{Evaluation, Game, Goal, GoalCursor, Guess, Joining, LeafNumbers, Player, Relative};
use quod_search::{Budget, Dfpn, DfpnOptions, Progress, Search, SharedTable};

type Board = ConnectFour<u64>;

fn solve(width: u32, height: u32, evaluation: Evaluation, guess: bool, mebibytes: u64) {
    let game = Board::new(width, height, 4).expect("the board fits");
    let goal = Goal::new(Player::First, Relative(1));
    let leaf = if guess { LeafNumbers::Guess(Board::guess) } else { LeafNumbers::Mobility };
    let cursor = GoalCursor::new(&game, game.start(), goal, leaf).joining(Joining::Converted, true);
    let table = Arc::new(SharedTable::new(mebibytes << 20, false, false));
    let options = DfpnOptions { evaluation, ..DfpnOptions::default() };
    let mut search = Dfpn::new(cursor, options, 1, table, false);
    let begun = Instant::now();
    let progress = search.advance(Budget::UNLIMITED);
    let seconds = begun.elapsed().as_secs_f64();
    let Progress::Done(verdict) = progress else { unreachable!("there is no limit") };
    let counters = search.counters();
    println!(
        "{:<42}{:<10}{seconds:>7.2} s {:>7.1} M nodes {:>6.1} M/s {:>7.2} M expansions {:>5.2} M/s",
        format!(
            "{width}x{height} {evaluation:?} {} {mebibytes} MiB",
            if guess { "guess" } else { "mobility" }
        ),
        format!("{verdict:?}"),
        counters.nodes as f64 / 1e6,
        counters.nodes as f64 / 1e6 / seconds,
        counters.expansions as f64 / 1e6,
        counters.expansions as f64 / 1e6 / seconds,
    );
}

fn main() {
    for mebibytes in [1, 8, 64] {
        solve(5, 5, Evaluation::Immediate, false, mebibytes);
    }
    for mebibytes in [8, 64, 512] {
        solve(6, 5, Evaluation::Immediate, false, mebibytes);
        solve(6, 5, Evaluation::Immediate, true, mebibytes);
    }
    for mebibytes in [4, 16, 64, 512] {
        solve(7, 6, Evaluation::Judged, true, mebibytes);
    }
    solve(7, 6, Evaluation::Judged, false, 64);
}
