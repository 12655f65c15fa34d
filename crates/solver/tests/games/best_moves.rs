//! What is reported beside the value is as true as the value: the best move keeps it, and so does every move of the
//! line. With little memory too, when most of the trees is gone.

use quod_games::ConnectFour;
use quod_model::testkit::Truth;
use quod_model::{Game, Notation};
use quod_solver::{Aim, Algorithm, Deletion, Limits, Request, Stop, Switches, solve};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

#[test]
fn best_moves_and_lines_keep_the_value() {
    let game = ConnectFour::<u64>::new(4, 4, 4).expect("the board fits");
    let truth = Truth::new(&game, &game.start());
    let mut positions: Vec<_> = truth.iter().map(|(position, _)| *position).collect();
    positions.sort_unstable_by_key(|position| game.key(position));
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let (mut solved, mut moves) = (0, 0);
    for _ in 0..2_000 {
        let mut position = positions[random.random_range(0..positions.len())];
        if random.random_bool(0.5) {
            // Early positions are few and need the most memory.
            position = game.start();
            for _ in 0..random.random_range(3..8) {
                let mut moves = Vec::new();
                game.moves(&position, &mut moves);
                position = game.after(&position, moves[random.random_range(0..moves.len())]);
                if game.outcome(&position).is_some() {
                    break;
                }
            }
        }
        let (mover, value) = (game.to_move(&position), truth.value(&position));
        let memory = (64 << 10) + random.random_range(0..256) * 1024;
        let deletion = [Deletion::Never, Deletion::AtOnce, Deletion::WhenFull][random.random_range(0..3)];
        let switches = Switches { delete_solved: Some(deletion), ..Switches::default() };
        let named = random.random_bool(0.7);
        let request = Request {
            aim: [Aim::Value, Aim::Value, Aim::AtLeast(0), Aim::AtLeast(1)][random.random_range(0..4)],
            algorithm: if named { Algorithm::Pn } else { Algorithm::Auto },
            switches: if named { switches } else { Switches::default() },
            limits: Limits { memory: Some(memory), ..Limits::default() },
            threads: None,
            certificate: false,
            ..Request::default()
        };
        let report = solve(&game, &position, &request, &mut ()).expect("a right request").report;
        let told = || format!("{} {request:?}\n{report:#?}", game.position_text(&position));
        let relative = value.seen_by(mover).0;
        assert!(report.lower <= relative && relative <= report.upper, "{}", told());
        if let Some(best) = &report.best_move {
            let mv = game.parse_move(&position, best).expect("a legal move");
            let after = truth.value(&game.after(&position, mv)).seen_by(mover).0;
            assert!(after >= report.lower, "the best move gets {after}, {}", told());
            moves += 1;
        }
        if report.stop != Stop::Solved {
            continue;
        }
        solved += 1;
        let over = game.outcome(&position).is_some();
        assert!(report.verdict == "disproven" || over || report.best_move.is_some(), "{}", told());
        let mut place = position;
        for word in &report.line {
            let mv = game.parse_move(&place, word).expect("a legal move");
            place = game.after(&place, mv);
            let now = truth.value(&place).seen_by(mover).0;
            let kept = match (request.aim, report.verdict) {
                (Aim::Value, _) => now == relative,
                (Aim::AtLeast(goal), "proven") => now >= goal,
                (Aim::AtLeast(goal), _) => now < goal,
            };
            assert!(kept, "the line leads to {now}, {}", told());
        }
    }
    assert!(solved > 1_000 && moves > 500, "{solved} solved, {moves} best moves");
}
