//! Positions, lines of moves and game scores, of every game.

use std::collections::HashMap;
use std::sync::LazyLock;

use quod_model::testkit::{check_move, check_pointing, check_position};
use quod_model::{Adapter, Game, InputError, Notation, Registry};

use crate::message;
use crate::{as_text, split_number};

/// The games that positions are tried with, by their families.
const VARIANTS: [(&str, &[&str]); 10] = [
    ("tictactoe", &["tictactoe"]),
    ("connect4", &["connect4:4x4", "connect4", "connect4:5x4,row=3,score", "connect4:9x9"]),
    ("morris", &["morris:3", "morris:6", "morris", "morris:3,fly", "morris:9,nofly"]),
    ("woodpush", &["woodpush:6", "woodpush:8", "woodpush:10,pieces=3,range=20"]),
    ("awari", &["awari", "awari:3x2", "awari:6x4,slam=captures,stop", "awari:4x3,slam=keeps"]),
    ("kalah", &["kalah", "kalah:4x3", "kalah:1x1"]),
    ("chess", &["chess", "chess:fifty"]),
    ("antichess", &["antichess"]),
    ("qubic", &["qubic", "qubic:3x3x3", "qubic:4x3x2,row=3", "qubic:1x4x2,row=4"]),
    ("gomoku", &["gomoku:7", "gomoku", "gomoku:3,row=3", "gomoku:20", "gomoku:8,row=4,exact"]),
];
/// Moves that are looked at where there are many: each of them takes a while to be told from the others.
const MOVES_LOOKED_AT: usize = 6;

static GAMES: LazyLock<HashMap<&str, Box<dyn Rules>>> = LazyLock::new(|| {
    let registry = quod_games::add_to(Registry::<All>::default());
    let names = VARIANTS.iter().flat_map(|(_, names)| names.iter());
    names.map(|name| (*name, registry.open(name).expect("a game that there is"))).collect()
});

/// Tries a position, and moves from there in the lines behind it.
pub(crate) fn check(family: &str, data: &[u8]) {
    let (_, names) = VARIANTS.iter().find(|(name, _)| *name == family).expect("a family that there is");
    let Some((number, rest)) = split_number(data, names.len()) else { return };
    let text = as_text(rest);
    let (position, moves) = text.split_once('\n').unwrap_or((&text, ""));
    GAMES[names[number]].check_position(position, moves);
}

/// Tries a score of any game.
pub(crate) fn check_score(data: &[u8]) {
    let Some((number, rest)) = split_number(data, VARIANTS.len()) else { return };
    GAMES[VARIANTS[number].1[0]].check_score(&as_text(rest));
}

/// A game, whatever its types.
trait Rules: Send + Sync {
    fn check_position(&self, text: &str, moves: &str);
    fn check_score(&self, text: &str);
}

struct All;

impl Adapter for All {
    type Door = dyn Rules;
    fn wrap<G: Game + Notation>(game: G) -> Box<dyn Rules> {
        Box::new(game)
    }
}

impl<G: Notation> Rules for G {
    fn check_position(&self, text: &str, moves: &str) {
        // Without a position the moves are made from the start.
        let position = if text.is_empty() { Ok(self.start()) } else { self.parse_position(text) };
        let Some(position) = right(position) else { return };
        look(self, &position);
        let Some(end) = right(self.parse_moves(&position, moves)) else { return };
        let mut here = position;
        for word in self.split_moves(moves) {
            let mv = self.parse_move(&here, word).expect("the line was played");
            here = self.after(&here, mv);
        }
        assert_eq!(here, end, "the line {moves} leads elsewhere");
        look(self, &end);
    }

    fn check_score(&self, text: &str) {
        let start = self.start();
        let Some(moves) = right(self.parse_score(&start, text)) else { return };
        let written = self.score_text(&start, &moves);
        assert_eq!(self.parse_score(&start, &written).as_ref(), Ok(&moves), "the score {written}");
        let end = moves.iter().fold(start, |position, mv| self.after(&position, *mv));
        check_position(self, &end);
    }
}

/// What was read, or nothing.
fn right<T>(result: Result<T, InputError>) -> Option<T> {
    result.inspect_err(message::check_error).ok()
}

/// The laws of a position that somebody has given.
fn look<G: Notation>(game: &G, position: &G::Position) {
    let text = game.position_text(position);
    let again = game.parse_position(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(game.position_text(&again), text, "a position has two texts");
    assert_eq!(game.key(&again), game.key(position), "the key of {text}");
    check_position(game, position);
    assert!(!game.draw(position).is_empty());
    if let Some(bounds) = game.abilities().bounds {
        let (low, high) = bounds(game, position);
        assert!(low <= high, "bounds of {text}: {low:?} {high:?}");
        let over = game.outcome(position);
        assert!(over.is_none_or(|value| low <= value && value <= high), "bounds of {text}, which is over");
    }
    if game.outcome(position).is_some() {
        return;
    }
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    assert!(!moves.is_empty(), "{text} is not over and has no move");
    assert_eq!(game.mobility(position) as usize, moves.len(), "mobility of {text}");
    check_pointing(game, position, &moves);
    let step = moves.len().div_ceil(MOVES_LOOKED_AT);
    for mv in moves.iter().step_by(step) {
        check_move(game, position, *mv);
        check_position(game, &game.after(position, *mv));
    }
}
