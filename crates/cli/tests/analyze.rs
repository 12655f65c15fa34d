//! `quod analyze` as a program: table, JSON, plots, input, limits and interruption.

mod common;

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use common::{assert_refused, interrupted, json, text};

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quod"));
    command.arg("analyze").args(arguments).stdin(Stdio::null());
    command
}

fn analyze(arguments: &[&str]) -> Output {
    command(arguments).output().expect("quod runs")
}

fn names(object: &Value) -> Vec<&str> {
    object.as_object().expect("it is an object").keys().map(String::as_str).collect()
}

const GAME: &str = "# x against o\n1. 1 1 2. 2 2\n3. 3 3 4. 1 4 5. 4 1-0\n";

#[test]
fn a_table_shows_the_mistakes() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.txt");
    std::fs::write(&file, GAME).unwrap();
    let output = analyze(&["connect4:4x4", file.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let table = text(&output.stdout);
    assert!(table.lines().all(|line| line.chars().count() <= 80), "{table}");
    assert!(!table.contains('\u{1b}') && output.stderr.is_empty(), "control codes or noise in a pipe");
    for part in [
        "no  by  move  before  after  cost  best",
        " 3  o   3     draw    loss   1     4",
        " 4  x   1     win     draw   1     4",
        "the game is not over: draw for o",
        "x         1 mistake, which cost 1\n",
        "10 of 10 positions have exact values: the whole game",
        "at the start of the game; 10s for each position",
    ] {
        assert!(table.contains(part), "no \"{part}\":\n{table}");
    }

    // The same from standard input, and from the arguments.
    let mut child = command(&["connect4:4x4", "-", "--json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("quod runs");
    child.stdin.take().unwrap().write_all(GAME.as_bytes()).unwrap();
    let piped = json(&child.wait_with_output().unwrap());
    let argued = json(&analyze(&["connect4:4x4", "--moves", "112233144", "--json"]));
    let judged = |object: &Value| -> Vec<Value> {
        object["moves"].as_array().unwrap().iter().map(|mv| mv["judgement"].clone()).collect()
    };
    assert_eq!(judged(&piped), judged(&argued));
    assert_eq!(judged(&piped).iter().filter(|judgement| **judgement == "mistake").count(), 2);
}

#[test]
fn the_json_has_the_names_that_are_documented() {
    let documented =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/formats/analyze.md"));
    let documented = documented.unwrap();
    let object = json(&analyze(&["connect4:4x4", "--moves", "112233144", "--json"]));
    let of_move = &object["moves"][5];
    let lists =
        [names(&object), names(of_move), names(&object["last"]), names(&object["mistakes"][0])].concat();
    for name in lists.iter().chain(&names(&of_move["before"])) {
        assert!(
            documented.contains(&format!("`{name}`")) || documented.contains(&format!("\"{name}\"")),
            "{name}"
        );
    }
    assert_eq!((&of_move["ply"], &of_move["number"], &of_move["mover"]), (&6.into(), &3.into(), &"o".into()));
    assert_eq!((&of_move["before"]["value"], &of_move["after"]["value"]), (&0.into(), &(-1).into()));
    assert_eq!((&of_move["cost_least"], &of_move["best_move"]), (&1.into(), &"4".into()));
    assert_eq!((&object["solved_from"], &object["end"]), (&1.into(), &"start".into()));
    assert_eq!(object["moves"][0]["best_move"], Value::Null);
}

#[test]
fn a_game_may_begin_elsewhere_and_end_anywhere() {
    let position = "..../..../.o../ox.x";
    let output = analyze(&["connect4:4x4", "--position", position, "--moves", "3", "--json"]);
    let object = json(&output);
    assert_eq!(object["start"], position);
    assert_eq!((&object["last"]["over"], &object["moves"][0]["by_first"]), (&false.into(), &true.into()));
    let none = json(&analyze(&["tictactoe", "--moves", "", "--json"]));
    assert_eq!((&none["last"]["value"]["value"], &none["solved_from"]), (&0.into(), &1.into()));
    let over = json(&analyze(&["tictactoe", "--moves", "a1 b1 a2 b2 a3 1-0", "--json"]));
    assert_eq!((&over["last"]["over"], &over["last"]["value"]["value"]), (&true.into(), &(-1).into()));
}

#[test]
fn both_forms_of_the_plot_are_drawn() {
    let folder = tempfile::tempdir().unwrap();
    for (name, magic) in [("game.svg", &b"<svg"[..]), ("game.png", b"\x89PNG")] {
        let file = folder.path().join(name);
        let output = analyze(&["connect4:4x4", "--moves", "112233144", "--plot", file.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let bytes = std::fs::read(&file).unwrap();
        assert!(bytes.starts_with(magic), "{name}");
        assert!(text(&output.stdout).contains(&format!("written: {}", file.display())));
        if name.ends_with("svg") {
            let svg = text(&bytes);
            for part in ["value for x", "3?", "mistake of o", "+1", "proven"] {
                assert!(svg.contains(part), "no {part}");
            }
            assert!(!svg.contains("between proven bounds"));
        }
    }
}

#[test]
fn bad_input_has_status_2_and_a_message_to_act_on() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("binary");
    std::fs::write(&file, b"1. 4\n\xff\xfe").unwrap();
    for (arguments, parts) in [
        (
            &["connect4:4x4", "--moves", "1. 1 7"][..],
            &["\"7\"", "move 1 of the score, o to move", "1 2 3 4"][..],
        ),
        (&["connect4:4x4", "--moves", "1. 1 2 2. 1-0 2"], &["move 2 of the score", "legal moves"]),
        (&["tictactoe", "--moves", "a1 b1 a2 b2 a3 b3"], &["move 3 of the score", "the game is over"]),
        (&["tictactoe", "/no/such/file"], &["/no/such/file", "cannot be read"]),
        (&["tictactoe", file.to_str().unwrap()], &["line 2 is no text"]),
        (&["tictactoe"], &["FILE"]),
        (&["tictactoe", "--moves", "a1", "--plot", "x.jpg"], &[".svg or .png"]),
        (&["tictactoe", "--moves", "a1", "--plot", "/no/such/folder/x.svg"], &["/no/such/folder"]),
        (&["tictactoe", "--moves", "a1", "--unsolved", "0"], &["from 1 on"]),
        (&["tictactoe", "--moves", "a1", "--position", "x"], &["position \"x\""]),
    ] {
        let output = analyze(arguments);
        assert_refused(&output, arguments, parts);
    }
}

#[test]
fn limits_are_kept_and_said() {
    let moves = "4444422266626633155511";
    let begun = Instant::now();
    let output = analyze(&["connect4:7x6", "--moves", moves, "--nodes", "20000", "--unsolved", "2"]);
    let table = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{table}");
    assert!(table.contains("2 positions in a row that could not be solved with 20,000 nodes"), "{table}");
    let object = json(&analyze(&["connect4:7x6", "--moves", moves, "--nodes", "20000", "--json"]));
    let looked_at = |mv: &&Value| mv["stop"] != Value::Null;
    let of_moves = object["moves"].as_array().unwrap();
    assert!(of_moves.iter().filter(looked_at).all(|mv| mv["nodes"].as_u64().unwrap() <= 20_000));
    assert_eq!(object["end"], "unsolved");
    assert_eq!(of_moves[0]["judgement"], "unknown");

    let output =
        analyze(&["connect4:7x6", "--moves", "44", "--time", "1h", "--total-time", "300ms", "--json"]);
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(json(&output)["end"], "time");
    assert!(begun.elapsed() < Duration::from_secs(20));
}

#[cfg(unix)]
#[test]
fn an_interrupt_prints_what_is_proven() {
    let child = command(&[
        "connect4:7x6",
        "--moves",
        "4444422266626633155511",
        "--time",
        "1h",
        "--memory",
        "1GiB",
        "--json",
    ])
    .stdout(Stdio::piped())
    .stderr(Stdio::piped())
    .spawn()
    .expect("quod runs");
    let output = interrupted(child, Duration::from_millis(1500));
    let object = json(&output);
    assert_eq!(object["end"], "interrupted");
    assert!(object["solved"].as_u64().unwrap() > 3 && object["solved_from"].as_u64().unwrap() > 1);
}
