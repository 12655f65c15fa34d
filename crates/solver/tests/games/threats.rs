//! Answers that stand on lines of threats, against searches and truths that know none.

use quod_games::Qubic;
use quod_model::testkit::Truth;
use quod_model::{Game, Notation};
use quod_proof::testkit::naive_check;
use quod_proof::{Certificate, Layout, check_bytes};
use quod_solver::{Algorithm, Limits, Request, Stop, solve};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::verdicts::{Tally, judge};

const LITTLE: u64 = 64 << 10;
const ENOUGH: u64 = 16 << 20;

fn cuboid([x, y, z, row]: [u8; 4]) -> Qubic {
    Qubic::new(x, y, z, row).expect("the box fits")
}

/// A position that so many random moves lead to, and that is not over.
fn random_position(game: &Qubic, stones: u32, random: &mut Xoshiro256PlusPlus) -> <Qubic as Game>::Position {
    loop {
        let mut position = game.start();
        for _ in 0..stones {
            let mut moves = Vec::new();
            if game.outcome(&position).is_none() {
                game.moves(&position, &mut moves);
                position = game.after(&position, moves[random.random_range(0..moves.len())]);
            }
        }
        if game.outcome(&position).is_none() {
            return position;
        }
    }
}

/// Wins are laid out as they are played, and another checker accepts them too.
fn check_layout(game: &Qubic, certificate: &Certificate, value: i32) {
    let layout = if value == 0 { Layout::Positions } else { Layout::Played };
    assert_eq!(certificate.layout, layout, "value {value}: {certificate:?}");
    assert!(naive_check(game, certificate, None), "{certificate:?}");
}

#[test]
fn answers_by_threats_are_true_in_any_memory() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    for (sizes, stones, roots) in [
        ([3, 3, 3, 3], 11..=16, 25),
        ([4, 4, 2, 4], 20..=24, 25),
        ([4, 4, 2, 3], 18..=22, 25),
        ([4, 4, 4, 4], 51..=56, 25),
    ] {
        let game = cuboid(sizes);
        let (mut tally, mut wins) = (Tally::default(), 0);
        for _ in 0..roots {
            let root = random_position(&game, random.random_range(stones.clone()), &mut random);
            let truth = Truth::new(&game, &root);
            let value = truth.value(&root).seen_by(game.to_move(&root)).0;
            wins += u32::from(value != 0);
            for (threads, memory) in [(1, LITTLE), (1, ENOUGH), (2, LITTLE), (2, ENOUGH)] {
                let limits = Limits { memory: Some(memory), ..Limits::default() };
                let threads = Some(threads);
                let request = Request { certificate: true, limits, threads, ..Request::default() };
                let unsolved = tally.unsolved + tally.uncertified;
                let certificate =
                    judge(&game, &truth, &root, None, &request, |report| format!("{report:#?}"), &mut tally);
                if let Some(certificate) = certificate.filter(|_| tally.unsolved == unsolved) {
                    check_layout(&game, &certificate, value);
                }
                assert!(memory == LITTLE || tally.unsolved + tally.uncertified == unsolved, "{request:?}");
            }
        }
        println!(
            "{}: {wins} wins of {roots} positions, {} searches, {} unsolved and {} without a certificate for lack of memory",
            game.game_text(),
            tally.searches,
            tally.unsolved,
            tally.uncertified
        );
        assert!(wins > 5, "{sizes:?}: {wins} wins");
    }
}

/// Positions of which only searches know the value: one that looks for threats, and one that does not.
#[test]
fn searches_with_and_without_threats_agree() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(2);
    for (sizes, stones, roots) in [
        ([3, 3, 3, 3], 2..=8, 10),
        ([4, 4, 2, 4], 17..=20, 10),
        ([4, 4, 2, 3], 3..=10, 10),
        ([4, 4, 4, 4], 40..=48, 20),
    ] {
        let game = cuboid(sizes);
        let mut compared = 0;
        for _ in 0..roots {
            let root = random_position(&game, random.random_range(stones.clone()), &mut random);
            let limits = Limits { memory: Some(ENOUGH), nodes: Some(200_000), ..Limits::default() };
            let plain = Request { algorithm: Algorithm::Dfpn, limits, ..Request::default() };
            let plain = solve(&game, &root, &plain, &mut ()).expect("a right request").report;
            for threads in [1, 2] {
                let limits = Limits { memory: Some(ENOUGH), nodes: Some(200_000), ..Limits::default() };
                let threads = Some(threads);
                let request = Request { certificate: true, limits, threads, ..Request::default() };
                let solution = solve(&game, &root, &request, &mut ()).expect("a right request");
                let report = &solution.report;
                let agree = report.lower <= plain.upper && plain.lower <= report.upper;
                assert!(agree, "{report:#?}\n{plain:#?}");
                compared += u32::from(report.stop == Stop::Solved && plain.stop == Stop::Solved);
                if let (Some(certificate), Some(value)) = (&solution.certificate, report.value) {
                    let checked = check_bytes(&game, &certificate.encode()).expect("it is accepted");
                    assert_eq!(checked.exact.map(|(value, _)| value.0), Some(value));
                    check_layout(&game, certificate, value);
                }
            }
        }
        println!("{}: {compared} of {} answers compared", game.game_text(), 2 * roots);
        assert!(compared >= roots, "{sizes:?}: {compared} compared");
    }
}
