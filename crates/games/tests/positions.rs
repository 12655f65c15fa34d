//! The values in `testdata/positions.toml` are the truth, by exhaustive fixed point: no search takes part.

use quod_games::{connect_four, tic_tac_toe};
use quod_model::testkit::Truth;
use quod_model::{Family, Game, Notation, Parameters, Receiver};
use serde::Deserialize;

#[derive(Deserialize)]
struct Suite {
    position: Vec<Solved>,
}

#[derive(Deserialize)]
struct Solved {
    game: String,
    position: Option<String>,
    moves: Option<String>,
    value: i32,
}

/// Works out the value of a position for the side to move.
struct Value<'s>(&'s Solved);

impl Receiver for Value<'_> {
    type Output = i32;
    fn receive<G: Game + Notation>(self, game: G) -> i32 {
        let start = match &self.0.position {
            Some(text) => game.parse_position(text).expect("a position"),
            None => game.start(),
        };
        let moves = self.0.moves.as_deref().unwrap_or_default();
        let position = game.parse_moves(&start, moves).expect("legal moves");
        Truth::new(&game, &position).value(&position).seen_by(game.to_move(&position)).0
    }
}

#[test]
fn the_suite_tells_the_truth() {
    let text = include_str!("../../../testdata/positions.toml");
    let suite: Suite = toml::from_str(text).expect("the suite is well-formed");
    let mut wrong = Vec::new();
    for solved in &suite.position {
        let parameters = Parameters::new(&solved.game);
        let value = match parameters.name() {
            "tictactoe" => tic_tac_toe::Named.open(parameters, Value(solved)),
            _ => connect_four::Named.open(parameters, Value(solved)),
        };
        let value = value.expect("a game");
        if value != solved.value {
            wrong.push(format!("{} {:?}: {value}, not {}", solved.game, solved.moves, solved.value));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
