//! Reads commands.
//!
//! A crate does that, behind a guard: it would find commands inside of words, so that a line of nonsense that ends with "quit"
//! would end the engine; and it takes no number of nodes above 32 bits.

use uci_parser::{UciCommand, UciParseError};

const COMMANDS: [&str; 11] = [
    "uci",
    "debug",
    "isready",
    "setoption",
    "register",
    "ucinewgame",
    "position",
    "go",
    "stop",
    "ponderhit",
    "quit",
];

/// What an engine can be told.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Command {
    Uci(UciCommand),
    /// Print the board: no command of the protocol, but every engine knows it.
    Board,
    /// Let the search end before anything else is done: likewise.
    Wait,
}

/// Reads a line; nothing if there is nothing in it. Words before a command are left out, as the protocol wants it.
///
/// # Errors
/// Says what is wrong.
pub(super) fn read(line: &str) -> Result<Option<Command>, String> {
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    match words[..] {
        [] => return Ok(None),
        ["d"] => return Ok(Some(Command::Board)),
        ["wait"] => return Ok(Some(Command::Wait)),
        _ => {}
    }
    let Some(begin) = words.iter().position(|word| COMMANDS.contains(word)) else {
        return Err(format!("unknown command \"{}\"; commands: {} d wait", shown(line), COMMANDS.join(" ")));
    };
    let words = &words[begin..];
    let text = if words[0] == "go" { bounded_nodes(words) } else { words.join(" ") };
    UciCommand::new(&text).map(|command| Some(Command::Uci(command))).map_err(|error| match error {
        UciParseError::InvalidArgument { arg, .. } => {
            format!("{}: \"{}\" is not understood", words[0], shown(&arg))
        }
        UciParseError::InsufficientArguments { .. } => {
            format!("{}: something is missing behind it", words[0])
        }
        UciParseError::UnrecognizedCommand { .. } => {
            format!("{}: \"{}\" is not understood", words[0], shown(&words[1..].join(" ")))
        }
    })
}

/// The same words with a number of nodes that the crate can read.
fn bounded_nodes(words: &[&str]) -> String {
    let most = u32::MAX.to_string();
    let mut text = words.to_vec();
    for place in 1..words.len() {
        let is_long =
            words[place].len() >= most.len() && words[place].bytes().all(|byte| byte.is_ascii_digit());
        if words[place - 1] == "nodes" && is_long && words[place].parse::<u32>().is_err() {
            text[place] = &most;
        }
    }
    text.join(" ")
}

/// A message stays readable when the input is a megabyte of garbage.
fn shown(text: &str) -> String {
    let shown: String = text.chars().take(60).collect();
    if shown.len() < text.len() { format!("{shown}...") } else { shown }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn uci(line: &str) -> UciCommand {
        match read(line) {
            Ok(Some(Command::Uci(command))) => command,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn commands_are_read() {
        assert_eq!((read(" \t"), read("d")), (Ok(None), Ok(Some(Command::Board))));
        assert_eq!(uci("joho debug on"), UciCommand::Debug(true));
        assert_eq!(uci("  uci\r"), UciCommand::Uci);
        let hash = UciCommand::SetOption { name: "Hash".to_owned(), value: Some("16".to_owned()) };
        assert_eq!(uci("setoption name Hash value 16"), hash);
        let position = UciCommand::Position {
            fen: Some("7k/8/8/8/8/8/8/K7 w - - 0 1".to_owned()),
            moves: vec!["a1a2".to_owned()],
        };
        assert_eq!(uci("position fen 7k/8/8/8/8/8/8/K7  w - - 0 1  moves a1a2 "), position);
        let UciCommand::Go(go) = uci("go wtime -5 btime 7 winc 1 mate 3 nodes 99999999999") else { panic!() };
        assert_eq!((go.wtime, go.btime), (Some(Duration::ZERO), Some(Duration::from_millis(7))));
        assert_eq!((go.mate, go.nodes, go.infinite), (Some(3), Some(u32::MAX), false));
        let UciCommand::Go(go) = uci("go") else { panic!() };
        assert!(go.infinite);
    }

    #[test]
    fn nonsense_is_named() {
        for (line, part) in [
            ("mosquit", "unknown command \"mosquit\""),
            ("cargo", "unknown command"),
            ("go nodes many", "\"many\""),
            ("go movetime 99999999999999999999", "go: \"99999999999999999999\""),
            ("go sideways", "\"sideways\""),
            ("position startpos moves e2e4 zz9", "zz9"),
            ("position", "position"),
            ("position fen", "position"),
            ("setoption", "setoption"),
            ("debug", "debug"),
            ("????????????", "unknown command"),
        ] {
            let message = read(line).map(|_| ()).unwrap_err();
            assert!(message.contains(part), "{line}: {message}");
        }
        let long = format!("go {}", "x ".repeat(100_000));
        assert!(read(&long).unwrap_err().len() < 200);
    }
}
