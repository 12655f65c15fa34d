//! The values in `testdata/positions.toml` are the truth, by exhaustive fixed point: no search takes part.

use quod_model::testkit::Truth;
use quod_model::{Adapter, Game, Notation, Registry};

#[path = "../../../testdata/suite.rs"]
mod suite;
use suite::{Solved, solved_positions};

/// A game that can work out the value of a position for the side to move.
trait Judge {
    fn value(&self, solved: &Solved) -> i32;
}

struct Rules<G>(G);

impl<G: Notation> Judge for Rules<G> {
    fn value(&self, solved: &Solved) -> i32 {
        let game = &self.0;
        let start = match &solved.position {
            Some(text) => game.parse_position(text).expect("a position"),
            None => game.start(),
        };
        let moves = solved.moves.as_deref().unwrap_or_default();
        let position = game.parse_moves(&start, moves).expect("legal moves");
        Truth::new(game, &position).value(&position).seen_by(game.to_move(&position)).0
    }
}

struct Judges;

impl Adapter for Judges {
    type Door = dyn Judge;
    fn wrap<G: Game + Notation>(game: G) -> Box<dyn Judge> {
        Box::new(Rules(game))
    }
}

#[test]
fn the_suite_tells_the_truth() {
    let games: Registry<Judges> = quod_games::add_to(Registry::default());
    let mut wrong = Vec::new();
    for solved in &solved_positions() {
        let value = games.open(&solved.game).expect("a game").value(solved);
        if value != solved.value {
            wrong.push(format!("{} {:?}: {value}, not {}", solved.game, solved.moves, solved.value));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
