//! Names of games with their parameters, and goals.

use std::sync::LazyLock;

use quod_solver::{Games, Place, games};

use crate::{as_text, message};

static GAMES: LazyLock<Games> = LazyLock::new(games);

/// Tries a name in the first line and a goal in the second.
pub(crate) fn check(data: &[u8]) {
    let text = as_text(data);
    let (name, goal) = text.split_once('\n').unwrap_or((&text, ""));
    let door = match GAMES.open(name) {
        Ok(door) => door,
        Err(error) => return message::check_error(&error),
    };
    let own = door.game_text();
    let again = GAMES.open(&own).unwrap_or_else(|error| panic!("{name} is {own}: {error}"));
    assert_eq!(again.game_text(), own, "a game has two names");
    let start = door.locate(&Place::default()).expect("a start");
    let place = Place { position: Some(start.position.clone()), moves: None };
    assert_eq!(door.locate(&place).as_ref(), Ok(&start), "the start of {own}");
    assert!(door.scene(&place).is_ok(), "the start of {own} cannot be shown");
    match door.aim(Some(goal)) {
        Ok(aim) => assert_eq!(door.aim(Some(&door.goal_text(aim))), Ok(aim), "the goal {goal} of {own}"),
        Err(error) => message::check_error(&error),
    }
}
