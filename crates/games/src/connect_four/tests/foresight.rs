//! What is foreseen is right wherever the truth is known, for every question.

use quod_model::Game;
use quod_model::testkit::{Laws, check_foreseen};

use super::super::ConnectFour;
use super::decide::{board, random_position, value};

#[test]
fn foresight_is_right_everywhere_on_small_boards() {
    for (width, height, row) in
        [(4, 4, 4), (5, 3, 4), (3, 6, 3), (3, 5, 3), (4, 4, 3), (2, 9, 3), (6, 2, 3), (3, 3, 1), (3, 4, 5)]
    {
        Laws::check_foresight(&board(width, height, row));
        Laws::check_foresight(&board(width, height, row).with_score());
    }
    let wide = ConnectFour::<u128>::new(4, 4, 3).expect("it fits").with_score();
    Laws::check_foresight(&wide);
}

#[test]
fn foresight_is_right_near_the_end_of_large_boards() {
    let mut seed = 3;
    for (width, height, row) in [(7, 6, 4), (6, 7, 4), (7, 7, 4), (8, 4, 4), (5, 6, 4), (9, 5, 5), (6, 5, 3)]
    {
        for game in [board(width, height, row), board(width, height, row).with_score()] {
            for _ in 0..100 {
                let position = random_position(&game, &mut seed, 9);
                if game.outcome(&position).is_none() {
                    check_foreseen(&game, &position, &|position| value(&game, position));
                }
            }
        }
    }
}
