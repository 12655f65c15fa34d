//! Speed of depth-first search.

use std::sync::Arc;
use std::time::Instant;

use quod_games::ConnectFour;
use quod_model::{Evaluation, Game, Goal, GoalCursor, Guess, Joining, LeafNumbers, Player, Relative};
use quod_search::{Backup, Budget, Dfpn, DfpnOptions, Epsilon, Search, SharedTable};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let get =
        |i: usize, d: &str| args.get(i).filter(|a| !a.starts_with("--")).cloned().unwrap_or(d.to_owned());
    let (w, h) = (get(1, "5").parse().unwrap(), get(2, "5").parse().unwrap());
    let mem: u64 = get(3, "64").parse().unwrap();
    let eps: u32 = get(4, "256").parse().unwrap();
    let leafname = get(5, "mobility");
    let eval = match get(6, "i").as_str() {
        "i" => Evaluation::Immediate,
        "d" => Evaluation::Delayed,
        _ => Evaluation::Judged,
    };
    let backup = match get(7, "sum").as_str() {
        "sum" => Backup::Sum,
        "weak" => Backup::Weak,
        _ => Backup::Masked,
    };
    let hyst = get(8, "0") == "1";
    let game = ConnectFour::<u64>::new(w, h, 4).expect("the board fits");
    let goal = Goal::new(Player::First, Relative(get(9, "1").parse().unwrap()));
    let leaf = match leafname.as_str() {
        "one" => LeafNumbers::One,
        "mobility" => LeafNumbers::Mobility,
        _ => LeafNumbers::Guess(<ConnectFour<u64> as Guess>::guess),
    };
    let cursor = GoalCursor::new(&game, game.start(), goal, leaf).joining(Joining::Converted, true);
    let shared = Arc::new(SharedTable::new(mem << 20, false, backup == Backup::Masked));
    let options = DfpnOptions {
        epsilon: Epsilon(eps),
        evaluation: eval,
        backup,
        hysteresis: hyst,
        ..DfpnOptions::default()
    };
    let mut search = Dfpn::new(cursor, options, 1, shared, false);
    let begun = Instant::now();
    let progress = search.advance(Budget { nodes_max: 3_000_000_000, steps_max: u64::MAX });
    let t = begun.elapsed().as_secs_f64();
    let c = search.counters();
    println!(
        "{w}x{h} {mem}MiB eps {eps} {leafname} {eval:?} {backup:?} h{hyst}: {progress:?} {t:.2}s {} expansions ({:.2} M/s) {} nodes ({:.2} M/s) {:?}",
        c.expansions,
        c.expansions as f64 / t / 1e6,
        c.nodes,
        c.nodes as f64 / t / 1e6,
        search.depth_first()
    );
}
