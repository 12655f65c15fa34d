//! The number of moves in which a win is claimed is enough, by an exhaustive search for wins of that length.

use std::collections::HashMap;

use quod_games::chess::Chess;
use quod_model::testkit::{Mirrored, random_cyclic, random_dag_of, random_tree_of};
use quod_model::{Notation, Player};
use quod_solver::{Aim, Algorithm, Limits, Request, solve};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

type Known<P> = HashMap<(P, u32), bool>;

/// Whether a player can force an end that is good for it within so many moves of its own.
fn wins_within<G: Notation>(
    game: &G,
    position: &G::Position,
    player: Player,
    moves_left: u32,
    known: &mut Known<G::Position>,
) -> bool {
    if let Some(value) = game.outcome(position) {
        return value.seen_by(player).0 > 0;
    }
    let own = game.to_move(position) == player;
    if own && moves_left == 0 {
        return false;
    }
    let key = (position.clone(), moves_left);
    if let Some(wins) = known.get(&key) {
        return *wins;
    }
    // Where this one is met again on the way, the other side goes around for ever.
    known.insert(key.clone(), false);
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    let mut behind = moves.iter().map(|mv| game.after(position, *mv));
    let wins = if own {
        behind.any(|after| wins_within(game, &after, player, moves_left - 1, known))
    } else {
        behind.all(|after| wins_within(game, &after, player, moves_left, known))
    };
    known.insert(key, wins);
    wins
}

const ALGORITHMS: [Algorithm; 8] = [
    Algorithm::Auto,
    Algorithm::Pn,
    Algorithm::Pn2,
    Algorithm::PnGraph,
    Algorithm::Gpn,
    Algorithm::Dfpn,
    Algorithm::PnDfpn,
    Algorithm::AlphaBetaTt,
];

/// How many wins were found, and of how many of them the length.
#[derive(Default)]
struct Tally {
    wins: u32,
    lengths: u32,
    losses: u32,
    lengths_of_losses: u32,
}

/// Solves a position with several searches, in memory that is sometimes too small to remember everything.
fn judge<G: Notation>(game: &G, root: &G::Position, random: &mut Xoshiro256PlusPlus, tally: &mut Tally) {
    let player = game.to_move(root);
    let (mut known, mut known_of_other) = (Known::new(), Known::new());
    for algorithm in ALGORITHMS {
        let memory = 1 << random.random_range(8..20);
        let aim = if random.random_range(0..2) == 0 { Aim::Value } else { Aim::AtLeast(1) };
        let limits = Limits { memory: Some(memory), nodes: Some(200_000), time: None };
        let request = Request { aim, algorithm, limits, threads: Some(1), ..Request::default() };
        let solution = solve(game, root, &request, &mut ()).expect("a right request");
        tally.wins += u32::from(solution.report.lower > 0);
        tally.losses += u32::from(solution.report.upper < 0);
        if let Some(moves) = solution.wins_in {
            tally.lengths += 1;
            let wins = wins_within(game, root, player, moves, &mut known);
            assert!(wins, "no win in {moves} moves: {request:?}\n{:#?}", solution.report);
        }
        if let Some(moves) = solution.loses_in {
            tally.lengths_of_losses += 1;
            let wins = wins_within(game, root, player.other(), moves, &mut known_of_other);
            assert!(wins, "no loss in {moves} moves: {request:?}\n{:#?}", solution.report);
        }
    }
}

#[test]
fn wins_in_random_games_are_no_longer_than_claimed() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
    let mut tally = Tally::default();
    for seed in 0..150 {
        let tree = random_tree_of(seed, 60, 3);
        judge(&tree, &0, &mut random, &mut tally);
        let graph = random_dag_of(seed, 20, 3);
        judge(&graph, &0, &mut random, &mut tally);
        judge(&Mirrored(graph), &(0, false), &mut random, &mut tally);
        judge(&random_cyclic(seed, 16), &0, &mut random, &mut tally);
    }
    println!("{} wins, {} lengths", tally.wins, tally.lengths);
    assert!(tally.lengths > 500 && tally.lengths < tally.wins, "{} of {}", tally.lengths, tally.wins);
    let Tally { losses, lengths_of_losses: lengths, .. } = tally;
    println!("{losses} losses, {lengths} lengths");
    assert!(lengths > 100 && lengths < losses, "{lengths} of {losses}");
}

#[test]
fn wins_of_games_are_no_longer_than_claimed() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(6);
    let mut tally = Tally::default();
    let chess = Chess::default();
    for fen in [
        "7k/5K2/8/6Q1/8/8/8/8 w - -",
        "7k/8/8/8/R7/1R6/8/7K w - -",
        "7k/8/5K2/8/8/8/8/R7 w - -",
        "k7/8/2K5/8/8/8/8/6Q1 w - -",
        "7K/8/5k2/8/8/8/8/r7 b - -",
    ] {
        let root = chess.parse_position(fen).expect("a position");
        judge(&chess, &root, &mut random, &mut tally);
    }
    println!("{} wins, {} lengths", tally.wins, tally.lengths);
    assert!(tally.lengths > 10, "{} of {}", tally.lengths, tally.wins);
}
