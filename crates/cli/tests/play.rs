//! `quod play` as a program: dialogue over pipes, score sheets, matches, bad input, interruption.

mod common;

use std::io::Write as _;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use common::{assert_refused, interrupted, json, text};

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quod"));
    command.arg("play").args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// What comes of typing these lines.
fn typed(arguments: &[&str], lines: &str) -> Output {
    let mut child = command(arguments).spawn().expect("quod runs");
    // A program that has ended reads no more.
    let _ = child.stdin.take().expect("it is piped").write_all(lines.as_bytes());
    child.wait_with_output().expect("it ends")
}

#[test]
fn a_person_plays_takes_back_asks_and_resigns() {
    let folder = tempfile::tempdir().unwrap();
    let sheet = folder.path().join("game.txt");
    let lines = "help\nmoves\nundo\nb2\nundo\nnonsense\nB2\nb2\nhint\nresign\n";
    let output = typed(&["tictactoe", "--nodes", "5000", "--sheet", sheet.to_str().unwrap()], lines);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    for part in [
        "or: hint, undo, moves, resign, quit, help",
        "takes back your last move",
        "a1 b1 c1 a2 b2 c2 a3 b3 c3",
        "there is no move of yours to take back",
        "o plays ",
        "move \"nonsense\": it is not a legal move here",
        "x resigns, o wins",
    ] {
        assert!(said.contains(part), "no \"{part}\":\n{said}");
    }
    assert!(!said.contains('\u{1b}') && output.stderr.is_empty(), "control codes or noise in a pipe");
    let sheet = std::fs::read_to_string(sheet).unwrap();
    assert!(sheet.starts_with("# tictactoe, person against program\n1. b2 "), "{sheet}");
    assert!(sheet.ends_with(" 0-1\n"), "{sheet}");
}

#[test]
fn wins_are_proven_and_said() {
    let output = typed(&["tictactoe", "--side", "second", "--nodes", "5000", "--moves", "b2 b1"], "quit\n");
    let said = text(&output.stdout);
    assert!(said.contains("proven win") && said.contains("left unfinished"), "{said}");
    let output = typed(&["connect4:4x4", "--no-pn", "--nodes", "5000", "--moves", "112233"], "4\n");
    assert!(text(&output.stdout).contains("the game is over: win for x"), "{}", text(&output.stdout));
}

/// Every game can be played by the program alone, and its score sheet read by the analysis.
#[test]
fn sheets_are_read_back() {
    let folder = tempfile::tempdir().unwrap();
    for game in ["tictactoe", "connect4:5x4", "morris:3", "woodpush:8", "awari:4x3", "kalah:3x3"] {
        let sheet = folder.path().join("sheet.txt");
        let file = sheet.to_str().unwrap();
        let output = typed(&[game, "--self", "--nodes", "500", "--sheet", file], "");
        assert_eq!(output.status.code(), Some(0), "{game}: {}", text(&output.stderr));
        let analyzed = Command::new(env!("CARGO_BIN_EXE_quod"))
            .args(["analyze", game, file, "--nodes", "2000", "--json"])
            .output()
            .expect("quod runs");
        assert_eq!(analyzed.status.code(), Some(0), "{game}: {}", text(&analyzed.stderr));
        let analysis = json(&analyzed);
        let said = text(&output.stdout);
        let plies = said.matches(" plays ").count();
        assert_eq!(analysis["moves"].as_array().unwrap().len(), plies, "{game}");
        assert!(analysis["last"]["over"] == true || said.contains("third repetition"), "{game}");
        std::fs::remove_file(sheet).unwrap();
    }
}

#[test]
fn a_match_has_a_result_with_error_bars() {
    let arguments = ["connect4:5x4", "--match", "8", "--against", "no-pn", "--nodes", "2000", "--seed", "3"];
    let output = typed(&arguments, "");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    assert!(
        said.contains("8 games from openings of 8 random plies, seed 3") && said.contains(" ± "),
        "{said}"
    );
    let again = typed(&[&arguments[..], &["--json", "--threads", "2"]].concat(), "");
    let tally = json(&again);
    assert_eq!((&tally["games"], &tally["seed"]), (&8.into(), &3.into()));
    let counted = format!("{} won, {} drawn, {} lost", tally["wins"], tally["draws"], tally["losses"]);
    assert!(said.contains(&counted), "{said}{counted}");
}

#[test]
fn bad_input_has_status_2_and_a_message_to_act_on() {
    for (arguments, parts) in [
        (&["conect4"][..], &["did you mean \"connect4\""][..]),
        (&["tictactoe", "--moves", "a1 a1"], &["move 1 of the score, o to move", "legal moves"]),
        (&["tictactoe", "--match", "7", "--against", "no-pn"], &["an even number"]),
        (&["tictactoe", "--match", "8"], &["--against"]),
        (&["tictactoe", "--time", "soon"], &["90s"]),
        (&["tictactoe", "--nodes", "0"], &["0"]),
        (&["tictactoe", "--side", "third"], &["first, second"]),
        (&["tictactoe", "--sheet", "/no/such/folder/s.txt"], &["/no/such/folder"]),
        (&["tictactoe", "--game-time", "1m", "--time", "1s"], &["cannot be used with"]),
    ] {
        let output = typed(arguments, "");
        assert_refused(&output, arguments, parts);
    }
}

#[test]
fn time_for_a_game_is_kept() {
    let begun = Instant::now();
    let output = typed(&["connect4:5x4", "--self", "--game-time", "1s"], "");
    assert!(text(&output.stdout).contains("the game is over"), "{}", text(&output.stdout));
    assert!(begun.elapsed() < Duration::from_secs(8));
}

#[cfg(unix)]
#[test]
fn an_interrupt_leaves_a_sheet() {
    let folder = tempfile::tempdir().unwrap();
    let sheet = folder.path().join("game.txt");
    // One is thinking, the other waits for a move and thinks meanwhile.
    for (arguments, lines, expected) in
        [(["--self", "--time", "1h"], "", "\n*\n"), (["--time", "100ms", "--no-pn"], "4\n", "\n1. 4 ")]
    {
        let mut child =
            command(&["connect4", "--sheet", sheet.to_str().unwrap()]).args(arguments).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(lines.as_bytes()).unwrap();
        let output = interrupted(child, Duration::from_millis(800));
        assert!(text(&output.stdout).contains("interrupted after"));
        let written = std::fs::read_to_string(&sheet).unwrap();
        assert!(written.contains(expected) && written.ends_with("*\n"), "{written}");
    }
}
