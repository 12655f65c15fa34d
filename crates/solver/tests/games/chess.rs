//! No wrong claim about mates: against the whole truth where a game is small enough to be worked out, and against a
//! depth-limited search by the rules alone where it is not. Every mate that is claimed has a certificate that is checked.

use std::collections::HashMap;

use quod_games::Chess;
use quod_games::chess::Position;
use quod_model::testkit::Truth;
use quod_model::{Game, Notation, Player, Relative};
use quod_proof::check_bytes;
use quod_solver::{Aim, Length, Limits, Plies, Request, Solution, solve};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

fn request(nodes: u64, length: Length) -> Request {
    Request {
        aim: Aim::AtLeast(1),
        limits: Limits { nodes: Some(nodes), memory: Some(256 << 20), ..Limits::default() },
        certificate: true,
        length,
        ..Request::default()
    }
}

fn asked(game: &Chess, position: &Position, nodes: u64, length: Length) -> Solution {
    let solution = solve(game, position, &request(nodes, length), &mut ()).expect("a right request");
    // That there is no mate in time is shown by no certificate.
    if solution.report.verdict != "unknown" && !matches!(length, Length::Within(_)) {
        let text = game.position_text(position);
        let certificate = solution.certificate.as_ref().unwrap_or_else(|| panic!("no certificate: {text}"));
        check_bytes(game, &certificate.encode()).unwrap_or_else(|error| panic!("{text}: {error}"));
    }
    solution
}

/// A position with these men on random squares, if there is one.
fn random_position(random: &mut Xoshiro256PlusPlus, men: &str) -> Option<Position> {
    let mut squares = ['1'; 64];
    for man in men.chars() {
        let lines = if man.eq_ignore_ascii_case(&'p') { 8..56 } else { 0..64 };
        let square = random.random_range(lines);
        if squares[square] != '1' {
            return None;
        }
        squares[square] = man;
    }
    let ranks: Vec<String> = squares.chunks(8).map(|rank| rank.iter().collect()).collect();
    let side = if random.random_bool(0.5) { 'w' } else { 'b' };
    let game = Chess::default();
    game.parse_position(&format!("{} {side} - -", ranks.join("/")))
        .ok()
        .filter(|position| game.outcome(position).is_none())
}

/// King and rook, and if there is time (`cargo xtask judge`) king and pawn, against king: every claim beside the whole truth.
#[test]
fn endings_are_as_the_truth_has_them() {
    let game = Chess::default();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let (mut won, mut not_won) = (0, 0);
    // Three men reach all that fewer reach.
    for (root, men, positions) in
        [("8/8/8/3k4/8/8/8/R3K3 w - -", "KRk", 600), ("8/8/8/8/3k4/8/P7/K7 w - -", "KPk", 60)]
    {
        let truth = Truth::new(&game, &game.parse_position(root).unwrap());
        let mut judged = 0;
        while judged < positions {
            let Some(position) = random_position(&mut random, men) else { continue };
            let Some(value) = truth.find(&position) else { continue };
            let wins = value.seen_by(game.to_move(&position)) >= Relative(1);
            let report = asked(&game, &position, 20_000, Length::Any).report;
            let right = match report.verdict {
                "proven" => wins,
                "disproven" => !wins,
                _ => true,
            };
            assert!(right, "{}: {}", game.position_text(&position), report.verdict);
            won += u32::from(report.verdict == "proven");
            not_won += u32::from(report.verdict == "disproven");
            judged += 1;
        }
    }
    println!("{won} mates and {not_won} positions without one, all right");
    assert!(won > 80 && not_won > 200, "{won}, {not_won}");
}

/// After how many moves of both sides the side to move mates, if that is at most `plies`: by the rules alone.
fn shortest_mate(game: &Chess, position: &Position, plies: u32) -> Option<u32> {
    (1..=plies).step_by(2).find(|plies| mates(game, position, *plies, &mut HashMap::new()))
}

fn mates(game: &Chess, position: &Position, plies: u32, known: &mut HashMap<(Position, u32), bool>) -> bool {
    if let Some(found) = known.get(&(position.clone(), plies)) {
        return *found;
    }
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    let mover = game.to_move(position);
    let found = moves.iter().any(|mv| {
        let after = game.after(position, *mv);
        if let Some(value) = game.outcome(&after) {
            return value.seen_by(mover) >= Relative(1);
        }
        if plies < 3 {
            return false;
        }
        let mut replies = Vec::new();
        game.moves(&after, &mut replies);
        replies.iter().all(|reply| {
            let then = game.after(&after, *reply);
            game.outcome(&then).is_none() && mates(game, &then, plies - 2, known)
        })
    });
    known.insert((position.clone(), plies), found);
    found
}

/// Positions full of men, with mates in one, two and three and without: no claim contradicts a search by the rules, every
/// short mate is found, and the shortest length is the length.
#[test]
fn short_mates_are_all_found_and_no_others() {
    let game = Chess::default();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(2);
    let sets = [
        "KQRkrp",
        "KQkr",
        "KRRkb",
        "KQBNkqrpp",
        "KRRBNPPkqrbnpp",
        "KQRRBkrppp",
        "KBNRkpp",
        "KQQNkrrpp",
        "KRBPPkq",
    ];
    let (mut judged, mut by_length, mut none) = (0, [0; 4], 0);
    while judged < 1_400 {
        let men = sets[judged % sets.len()];
        let Some(position) = random_position(&mut random, men) else { continue };
        // Mostly the stronger side is to move.
        if game.to_move(&position) == Player::Second && judged % 4 != 0 {
            continue;
        }
        let text = game.position_text(&position);
        let depth = if men.len() < 7 { 5 } else { 3 };
        let truth = shortest_mate(&game, &position, depth);
        let nodes = if truth.is_some() { 100_000 } else { 3_000 };
        let solution = asked(&game, &position, nodes, Length::Shortest);
        let Solution { report, wins_in, .. } = &solution;
        match (truth, report.verdict) {
            (Some(plies), verdict) => {
                assert_eq!(verdict, "proven", "{text}: mate in {plies} plies");
                let Some(Plies { at_least, at_most: Some(at_most) }) = report.length else {
                    panic!("{text}")
                };
                assert!(
                    at_least <= plies && plies <= at_most,
                    "{text}: {plies} plies, {at_least} to {at_most}"
                );
                if at_least == at_most {
                    assert_eq!((at_most, *wins_in), (plies, Some(plies.div_ceil(2))), "{text}");
                }
                by_length[plies as usize / 2] += 1;
                let within = asked(&game, &position, nodes, Length::Within(plies)).report;
                assert_eq!((within.verdict, within.line.len() as u32), ("proven", plies), "{text}");
                if plies > 1 {
                    let sooner = asked(&game, &position, nodes, Length::Within(plies - 2)).report;
                    assert_ne!(sooner.verdict, "proven", "{text}");
                }
            }
            (None, "proven") => {
                let Some(Plies { at_most: Some(at_most), .. }) = report.length else { panic!("{text}") };
                assert!(at_most > depth, "{text}: a mate in {at_most} plies that is none");
            }
            (None, _) => none += 1,
        }
        judged += 1;
    }
    println!("{judged} positions: mates in 1, 2, 3: {by_length:?}; no mate found: {none}");
    assert!(
        by_length[0] > 40 && by_length[1] > 50 && by_length[2] > 20 && none > 200,
        "{by_length:?}, {none}"
    );
}
