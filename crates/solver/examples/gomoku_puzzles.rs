//! Composes Go-Moku puzzles: games of two players who take good cells at random, up to a position that is won by a line of threats. Writes a suite
//! for `quod solve gomoku:15 --epd FILE`, the short ones first, each with the moves of its line.
//!
//! `cargo run --release -p quod-solver --example gomoku_puzzles > testdata/gomoku_puzzles.epd`

use std::collections::HashSet;

use quod_games::Gomoku;
use quod_model::{Game, Notation, Symmetry, Threats};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// How many puzzles, and how many of each length at the most.
const COUNT: usize = 240;
const ALIKE: usize = 40;
/// Shorter lines are no puzzles.
const SHORTEST: usize = 3;

fn main() {
    let game = Gomoku::<4>::new(15, 5).expect("a usual board");
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let (mut met, mut puzzles) = (HashSet::new(), Vec::new());
    while puzzles.len() < COUNT {
        let Some((position, line)) = compose(&game, &mut random) else { continue };
        let alike = puzzles.iter().filter(|(length, _)| *length == line.len()).count();
        if alike < ALIKE && met.insert(game.canonical(&position)) {
            let mut text = game.position_text(&position);
            text.push_str(&format!(" c0 \"{} threats\";", line.len()));
            puzzles.push((line.len(), text));
        }
    }
    puzzles.sort();
    for (number, (_, text)) in (1..).zip(&puzzles) {
        println!("{text} id \"puzzle {number}\";");
    }
}

/// A position that is won by a line of threats, and the line.
fn compose(
    game: &Gomoku<4>,
    random: &mut Xoshiro256PlusPlus,
) -> Option<(<Gomoku<4> as Game>::Position, Vec<u16>)> {
    let mut position = game.start();
    position = game.after(&position, game.parse_move(&position, "h8").expect("a cell"));
    for _ in 0..60 {
        let mover = game.to_move(&position);
        let (mut line, mut looked) = (Vec::new(), 0);
        if game.threat_line(&position, mover, &mut line, &mut looked) {
            return (line.len() >= SHORTEST).then_some((position, line));
        }
        let mut moves = Vec::new();
        game.attacks(&position, 2, &mut moves);
        let mv = moves[random.random_range(0..moves.len())];
        position = game.after(&position, mv);
        if game.outcome(&position).is_some() {
            return None;
        }
    }
    None
}
