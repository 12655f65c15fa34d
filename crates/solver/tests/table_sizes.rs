//! Two hundred positions over all games, each with tables from 64 KiB to 1 GiB: the answer is the same, or unknown at the limit of
//! nodes; never another.

use quod_games::{ConnectFour, Morris, TicTacToe, Woodpush};
use quod_model::Notation;
use quod_proof::check_bytes;
use quod_solver::{Aim, Algorithm, Limits, Request, Stop, Switches, solve};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

const SIZES: [u64; 4] = [64 << 10, 1 << 20, 32 << 20, 1 << 30];

#[derive(Default)]
struct Tally {
    positions: u32,
    answered: u32,
    unknown: u32,
    certificates: u32,
}

/// A position that random moves from the start lead to.
fn wander<G: Notation>(game: &G, random: &mut Xoshiro256PlusPlus, moves_max: u32) -> G::Position {
    let mut position = game.start();
    for _ in 0..random.random_range(0..=moves_max) {
        let mut moves = Vec::new();
        game.moves(&position, &mut moves);
        let next = game.after(&position, moves[random.random_range(0..moves.len())]);
        if game.outcome(&next).is_none() {
            position = next;
        }
    }
    position
}

fn judge<G: Notation>(game: &G, count: u32, moves_max: u32, nodes: u64, tally: &mut Tally) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(u64::from(count));
    for _ in 0..count {
        let position = wander(game, &mut random, moves_max);
        let (low, high) = game.values();
        let aim = Aim::AtLeast(random.random_range(low.0 + 1..=high.0));
        tally.positions += 1;
        let mut answers = Vec::new();
        for (number, memory) in SIZES.into_iter().enumerate() {
            let algorithm = [Algorithm::Dfpn, Algorithm::Dfpn, Algorithm::Dfpn, Algorithm::PnDfpn]
                [random.random_range(0..4)];
            let request = Request {
                aim,
                algorithm,
                switches: Switches::default(),
                limits: Limits { nodes: Some(nodes), memory: Some(memory), ..Limits::default() },
                threads: Some(1 + (random.random_range(0..2) + number) % 2),
                // Not every time: what is judged here are tables.
                certificate: number == 1,
                ..Request::default()
            };
            let solution = solve(game, &position, &request, &mut ()).expect("a right request");
            let report = &solution.report;
            let told = format!("{} {} {aim}", game.game_text(), game.position_text(&position));
            assert!(
                report.memory_bytes <= memory + memory / 10,
                "{} bytes of {memory}: {told}",
                report.memory_bytes
            );
            assert!(report.nodes <= nodes, "{} nodes: {told}", report.nodes);
            match report.stop {
                Stop::Solved => {
                    tally.answered += 1;
                    answers.push(report.verdict);
                }
                Stop::Nodes => tally.unknown += 1,
                other => panic!("{other:?}: {told}"),
            }
            if let Some(certificate) = solution.certificate.filter(|_| report.stop == Stop::Solved) {
                check_bytes(game, &certificate.encode()).unwrap_or_else(|error| panic!("{error}: {told}"));
                tally.certificates += 1;
            }
        }
        assert!(
            answers.windows(2).all(|pair| pair[0] == pair[1]),
            "{answers:?} for {} {} {aim}",
            game.game_text(),
            game.position_text(&position)
        );
    }
}

fn board(width: u32, height: u32) -> ConnectFour<u64> {
    ConnectFour::new(width, height, 4).expect("the board fits")
}

#[test]
fn answers_do_not_depend_on_the_size_of_the_table() {
    let mut tally = Tally::default();
    judge(&TicTacToe, 20, 5, 300_000, &mut tally);
    judge(&board(4, 4), 20, 6, 300_000, &mut tally);
    judge(&board(5, 4), 20, 8, 300_000, &mut tally);
    judge(&board(5, 5), 20, 12, 1_000_000, &mut tally);
    judge(&board(6, 5), 20, 18, 1_000_000, &mut tally);
    judge(&board(7, 6), 20, 30, 1_000_000, &mut tally);
    judge(&board(5, 4).with_score(), 20, 8, 300_000, &mut tally);
    judge(&Woodpush::<u64>::new(8, 2).expect("it fits"), 20, 8, 300_000, &mut tally);
    judge(&Woodpush::<u64>::new(10, 3).expect("it fits"), 10, 8, 300_000, &mut tally);
    judge(&Morris::new(3).expect("three men"), 20, 8, 100_000, &mut tally);
    judge(&Morris::new(6).expect("six men"), 10, 30, 100_000, &mut tally);
    let Tally { positions, answered, unknown, certificates } = tally;
    println!(
        "{positions} positions, tables of 64 KiB to 1 GiB: {answered} answers, none against another, {unknown} unknown at the limit of nodes; {certificates} certificates accepted"
    );
    assert_eq!(positions, 200);
    assert!(answered > 600, "{answered} answers are too few");
}
