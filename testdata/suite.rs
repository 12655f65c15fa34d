// The reader of positions.toml, beside it, for the tests of several crates.

use serde::Deserialize;

#[derive(Deserialize)]
struct Suite {
    position: Vec<Solved>,
}

/// A position and its value for the side to move.
#[derive(Deserialize)]
pub(crate) struct Solved {
    pub(crate) game: String,
    pub(crate) position: Option<String>,
    pub(crate) moves: Option<String>,
    pub(crate) value: i32,
}

/// All solved positions.
pub(crate) fn solved_positions() -> Vec<Solved> {
    let suite: Suite = toml::from_str(include_str!("positions.toml")).expect("the suite is well-formed");
    suite.position
}
