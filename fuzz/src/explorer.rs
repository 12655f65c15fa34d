//! What a page asks the explorer.

use std::sync::LazyLock;

use quod_explorer::rehearse;
use quod_solver::{Games, games};

use crate::{as_text, message};

static GAMES: LazyLock<Games> = LazyLock::new(games);

pub(crate) fn check(data: &[u8]) {
    let request = as_text(data);
    let answer = rehearse(&GAMES, &request);
    assert_eq!(rehearse(&GAMES, &request), answer, "a question has two answers");
    match answer {
        // A position is what the page asks about next.
        Ok(answer) => {
            if let (Some(game), Some(position)) = (answer["game"].as_str(), answer["position"].as_str()) {
                let door = GAMES.open(game).unwrap_or_else(|error| panic!("{game}: {error}"));
                let place = quod_solver::Place { position: Some(position.to_owned()), moves: None };
                let located = door.locate(&place).unwrap_or_else(|error| panic!("{position}: {error}"));
                assert_eq!(located.position, position, "a position has two texts");
            }
        }
        Err(problem) => message::check(&problem),
    }
}
