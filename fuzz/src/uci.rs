//! Lines that a chess interface sends. Searches are made ready and not begun.

use std::sync::LazyLock;

use quod_cli::rehearse_uci;
use quod_solver::{Door, Place, games};

use crate::message;

static CHESS: LazyLock<Box<dyn Door>> = LazyLock::new(|| games().open("chess").expect("a game"));

/// What the engine may begin a line with, beside the ranks of a board.
const WORDS: [&str; 6] = ["id", "option", "uciok", "readyok", "info", "bestmove"];

/// Sends lines, and asks where that has led and whether the engine is still there.
pub(crate) fn check(data: &[u8]) {
    let asked = [data, b"\nd\nisready\n"].concat();
    let output = String::from_utf8(rehearse_uci(&**CHESS, &asked)).expect("the engine speaks plain text");
    for line in output.lines() {
        message::check(line);
        let word = line.split(' ').next().unwrap_or_default();
        let of_board = word == "Fen:" || word.len() <= 1;
        assert!(WORDS.contains(&word) || of_board, "the engine says {line}");
    }
    let quits = data
        .split(|byte| *byte == b'\n')
        .any(|line| line.split(u8::is_ascii_whitespace).any(|word| word == b"quit"));
    assert!(quits || output.ends_with("readyok\n"), "the engine does not answer: {output}");
    if let Some(fen) = output.lines().rev().find_map(|line| line.strip_prefix("Fen: ")) {
        let place = Place { position: Some(fen.to_owned()), moves: None };
        let located = CHESS.locate(&place).unwrap_or_else(|error| panic!("{fen}: {error}"));
        assert_eq!(located.position, fen, "a position has two texts");
    }
}
