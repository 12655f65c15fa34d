//! The judge is right wherever the truth is known, and what it says can be played out.

use quod_model::testkit::{Laws, Truth};
use quod_model::{Decide, Game, Goal, Notation, Player, Relative, Value};

use super::super::{ConnectFour, Position};

type Board = ConnectFour<u64>;

pub(super) fn board(width: u32, height: u32, row: u32) -> Board {
    ConnectFour::new(width, height, row).unwrap()
}

fn children(game: &Board, position: &Position<u64>) -> Vec<Position<u64>> {
    let mut moves = Vec::new();
    if game.outcome(position).is_none() {
        game.moves(position, &mut moves);
    }
    moves.iter().map(|mv| game.after(position, *mv)).collect()
}

/// All goals that are not trivial.
fn goals(game: &Board) -> Vec<Goal> {
    let (low, high) = game.values();
    let goals = |player| (low.0 + 1..=high.0).map(move |value| Goal::new(player, Relative(value)));
    [Player::First, Player::Second].into_iter().flat_map(goals).collect()
}

/// What the rules and the judge say.
fn settled(game: &Board, position: &Position<u64>, goal: Goal) -> Option<bool> {
    game.outcome(position).map(|value| goal.is_reached_by(value)).or_else(|| game.decide(position, goal))
}

/// Plays at random until about `empty` cells are left.
pub(super) fn random_position(game: &Board, seed: &mut u64, empty: u32) -> Position<u64> {
    let mut position = game.start();
    while game.cells() - u32::from(position.stones) > empty {
        let next = children(game, &position);
        // A linear congruential generator; its high bits are good enough.
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let Some(child) = next.get((*seed >> 33) as usize % next.len().max(1)) else { break };
        position = *child;
    }
    position
}

/// The value by plain minimax with nothing but the rules.
pub(super) fn value(game: &Board, position: &Position<u64>) -> Value {
    if let Some(value) = game.outcome(position) {
        return value;
    }
    let values = children(game, position).into_iter().map(|child| value(game, &child));
    match game.to_move(position) {
        Player::First => values.max(),
        Player::Second => values.min(),
    }
    .unwrap()
}

#[test]
fn the_judge_is_right_everywhere_on_small_boards() {
    for (width, height, row) in
        [(4, 4, 4), (5, 3, 4), (3, 6, 3), (3, 5, 3), (4, 4, 3), (2, 9, 3), (6, 2, 3), (3, 3, 1), (3, 4, 5)]
    {
        Laws::check_judge(&board(width, height, row));
        Laws::check_judge(&board(width, height, row).with_score());
    }
    Laws::check_judge(&board(4, 5, 4));
}

#[test]
fn the_judge_is_right_near_the_end_of_large_boards() {
    let mut seed = 1;
    for (width, height, row) in [(7, 6, 4), (6, 7, 4), (7, 7, 4), (8, 4, 4), (5, 6, 4), (9, 6, 5), (6, 5, 3)]
    {
        for game in [board(width, height, row), board(width, height, row).with_score()] {
            for _ in 0..200 {
                let position = random_position(&game, &mut seed, 10);
                if game.outcome(&position).is_some() {
                    continue;
                }
                let value = value(&game, &position);
                for goal in goals(&game) {
                    if let Some(holds) = game.decide(&position, goal) {
                        let text = game.position_text(&position);
                        assert_eq!(holds, goal.is_reached_by(value), "{goal:?}\n{text}");
                    }
                }
            }
        }
    }
}

/// Checks that whoever the judge says succeeds can play so that it says the same again: at once, or after any answer.
fn check_unrolling(game: &Board, position: &Position<u64>) {
    for goal in goals(game) {
        let Some(holds) = game.decide(position, goal) else { continue };
        let is_kept = |child: &Position<u64>| settled(game, child, goal) == Some(holds);
        let is_kept_by_a_child = |child: &Position<u64>| children(game, child).iter().any(is_kept);
        let next = children(game, position);
        let unrolls = if (game.to_move(position) == goal.claimant) == holds {
            next.iter().any(is_kept)
        } else {
            next.iter().all(|child| is_kept(child) || is_kept_by_a_child(child))
        };
        assert!(unrolls, "{goal:?} {holds}\n{}", game.draw(position));
    }
}

#[test]
fn what_the_judge_says_can_be_unrolled() {
    let mut seed = 2;
    for (width, height, row) in
        [(7, 6, 4), (6, 7, 4), (7, 7, 4), (8, 5, 4), (6, 6, 3), (5, 5, 3), (4, 9, 4), (9, 6, 5)]
    {
        let game = board(width, height, row);
        for empty in (0..=game.cells()).rev() {
            for _ in 0..300 {
                let position = random_position(&game, &mut seed, empty);
                if game.outcome(&position).is_none() {
                    check_unrolling(&game, &position);
                }
            }
        }
    }
    let game = board(4, 4, 3).with_score();
    for (position, _) in Truth::new(&game, &game.start()).iter() {
        if game.outcome(position).is_none() {
            check_unrolling(&game, position);
        }
    }
}

fn decided(game: &Board, text: &str, claimant: Player, value: i32) -> Option<bool> {
    game.decide(&game.parse_position(text).unwrap(), Goal::new(claimant, Relative(value)))
}

#[test]
fn answers_hold_the_draw() {
    // The two odd columns are paired; in the others First gets odd rows, in which Second has the middle.
    let (game, text) = (board(7, 6, 4), "......./...o.../...x.../...o.../...x.../...ox..");
    assert_eq!(decided(&game, text, Player::First, 1), Some(false));
    assert_eq!(decided(&game, text, Player::Second, 0), Some(true));
    assert_eq!(decided(&game, text, Player::Second, 1), None);
}

#[test]
fn a_column_that_ends_the_game_wins_for_the_follower() {
    let text = "......./......./....xo./....xx./o.x.oox/o.xoxxo";
    assert_eq!(decided(&board(7, 6, 4), text, Player::First, 1), Some(true));
    assert_eq!(decided(&board(4, 4, 4), "..../..o./..x./o.x.", Player::Second, 1), Some(true));
    // How early the win comes is open.
    assert_eq!(decided(&board(7, 6, 4).with_score(), text, Player::First, 1), Some(true));
    assert_eq!(decided(&board(7, 6, 4).with_score(), text, Player::First, 2), None);
}
