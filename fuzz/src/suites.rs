//! Suites of positions, as in EPD.

use std::sync::LazyLock;

use quod_solver::{Door, Place, Problem, games, read_suite};

use crate::{as_text, message, split_number};

const GAMES: [&str; 4] = ["chess", "chess:fifty", "tictactoe", "awari"];

static DOORS: LazyLock<Vec<Box<dyn Door>>> =
    LazyLock::new(|| GAMES.iter().map(|name| games().open(name).expect("a game")).collect());

pub(crate) fn check(data: &[u8]) {
    let Some((number, rest)) = split_number(data, GAMES.len()) else { return };
    let door = &*DOORS[number];
    let text = as_text(rest);
    let problems = match read_suite(door, "file", &text) {
        Ok(problems) => problems,
        Err(error) => return message::check_error(&error),
    };
    assert!(!problems.is_empty());
    for problem in &problems {
        assert!((1..=text.lines().count()).contains(&problem.line), "{problem:?}");
        let place = Place { position: Some(problem.position.clone()), moves: None };
        let located = door.locate(&place).unwrap_or_else(|error| panic!("{problem:?}: {error}"));
        assert_eq!(located.position, problem.position, "a position has two texts");
        // A name with quotation marks inside cannot be written.
        if !problem.id.contains('"') {
            check_written(door, problem);
        }
    }
}

/// What was read and is written down is read again.
fn check_written(door: &dyn Door, problem: &Problem) {
    let dm = problem.dm.map_or_else(String::new, |moves| format!("dm {moves}; "));
    let line = format!("{} {dm}id \"{}\";", problem.position, problem.id);
    let read = read_suite(door, "file", &line).unwrap_or_else(|error| panic!("{line}: {error}"));
    let expected = Problem { line: 1, ..problem.clone() };
    assert_eq!(read, [expected], "{line}");
}
