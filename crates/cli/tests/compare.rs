//! `quod compare` as a program: tables, CSV, JSON, plots, input, limits and interruption.

mod common;

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use serde_json::Value;

use common::{assert_refused, interrupted, json, text};

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quod"));
    command.arg("compare").args(arguments).current_dir(folder).stdin(Stdio::null());
    command
}

fn compare(folder: &Path, arguments: &[&str]) -> Output {
    command(folder, arguments).output().expect("quod runs")
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let name = |entry: std::io::Result<std::fs::DirEntry>| {
        entry.expect("it can be read").file_name().into_string().expect("names are text")
    };
    let mut names: Vec<_> = entries.map(name).collect();
    names.sort_unstable();
    names
}

#[test]
fn the_table_is_narrow_and_the_plots_are_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let output = compare(folder.path(), &["connect4:4x4", "--random", "12"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let table = text(&output.stdout);
    assert!(table.lines().all(|line| line.chars().count() <= 80), "{table}");
    assert!(!table.contains('\u{1b}') && output.stderr.is_empty(), "control codes or noise in a pipe");
    for part in ["sum of 12", "pn-graph   12/12", "Classes by the tree size of pn", "2^6 to 2^9"] {
        assert!(table.contains(part), "no \"{part}\":\n{table}");
    }
    assert_eq!(names(folder.path()), ["compare-connect4-4x4.png", "compare-connect4-4x4.svg"]);
    for name in names(folder.path()) {
        assert!(table.contains(&format!("written: {name}")), "{table}");
        let bytes = std::fs::read(folder.path().join(&name)).unwrap();
        assert!(bytes.starts_with(b"<svg") || bytes.starts_with(b"\x89PNG"), "{name}");
    }
}

/// Beyond what fits, tables come in pieces.
#[test]
fn many_searches_stay_within_80_columns() {
    let folder = tempfile::tempdir().unwrap();
    let all = "pn,pn2,pn-dag,pn-dcg,pn-graph,gpn,gpn-dag,gpn2,mopn,mopn-dag,dfpn,pn-dfpn,pn-star,pds";
    let output = compare(folder.path(), &["connect4:4x4", "--random", "3", "--no-plot", "--algorithms", all]);
    let table = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{table}{}", text(&output.stderr));
    assert!(table.lines().all(|line| line.chars().count() <= 80), "{table}");
    assert!(table.matches("sum of 3").count() > 1 && names(folder.path()).is_empty());
    assert!(all.split(',').all(|name| table.contains(&format!("\n{name} "))), "{table}");
}

#[test]
fn table_csv_and_json_agree_with_solve() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["connect4:4x4", "--moves", "1122", "--position", "..../..../..../x...", "--goal", "win"];
    let algorithms = ["--algorithms", "pn,auto,dfpn", "--threads", "1", "--standard", "dfpn"];
    let files = ["--csv", "runs.csv", "--plot", "a.svg", "--plot", "b.png", "--json"];
    let all: Vec<&str> = arguments.iter().chain(&algorithms).chain(&files).copied().collect();
    let output = compare(folder.path(), &all);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(names(folder.path()), ["a.svg", "b.png", "runs.csv"]);
    let object = json(&output);
    assert_eq!(object["files"], serde_json::json!(["runs.csv", "a.svg", "b.png"]));
    assert_eq!((&object["standard"], &object["goal"]), (&"dfpn".into(), &"win".into()));
    assert_eq!(object["contradictions"], serde_json::json!([]));
    let runs = object["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 6);
    assert_eq!((&runs[1]["named"], &runs[3]["moves"]), (&"auto".into(), &"1122".into()));
    assert_eq!(runs[0]["position"], "..../..../..../x...");

    let csv = std::fs::read_to_string(folder.path().join("runs.csv")).unwrap();
    let mut lines = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let columns = lines.next().unwrap();
    let mut nodes = 0;
    for (line, run) in lines.by_ref().zip(runs) {
        for (column, field) in columns.iter().zip(line) {
            let expected = match &run[*column] {
                Value::Null => String::new(),
                Value::String(text) => text.clone(),
                number => number.to_string(),
            };
            assert_eq!(field, expected, "{column}");
        }
        nodes += if run["named"] == "pn" { run["nodes"].as_u64().unwrap() } else { 0 };
    }
    assert!(lines.next().is_none());
    assert_eq!(object["summaries"][0]["nodes"], nodes);
    let positions: u64 =
        object["classes"].as_array().unwrap().iter().map(|class| class["positions"].as_u64().unwrap()).sum();
    assert_eq!(positions, 2);

    let solve = ["solve", "connect4:4x4", "--moves", "1122", "--goal", "win", "--algorithm", "pn", "--json"];
    let solved = Command::new(env!("CARGO_BIN_EXE_quod")).args(solve).output().unwrap();
    assert_eq!(json(&solved)["nodes"], runs[3]["nodes"]);

    let short: Vec<&str> = arguments.iter().chain(&algorithms).chain(&["--no-plot"]).copied().collect();
    let table = text(&compare(folder.path(), &short).stdout);
    let grouped = format!("{},{:03}", nodes / 1000, nodes % 1000);
    assert!(table.contains(&grouped), "no {grouped}:\n{table}");
    let printed: Vec<&str> = short.iter().chain(&["--csv", "-"]).copied().collect();
    assert_eq!(text(&compare(folder.path(), &printed).stdout).lines().count(), 7);
}

#[test]
fn positions_come_from_files_and_from_standard_input() {
    let folder = tempfile::tempdir().unwrap();
    let lines = "# endings\n\n1122 # two pairs\n  ..../..../..../x...\n";
    std::fs::write(folder.path().join("games.txt"), lines).unwrap();
    let common = ["connect4:4x4", "--algorithms", "dfpn", "--json", "--no-plot", "--positions"];
    let from = |file| -> Vec<&str> { common.iter().chain([&file]).copied().collect() };
    let read = json(&compare(folder.path(), &from("games.txt")));
    let position = |object: &Value, run: usize| object["runs"][run]["position"].as_str().unwrap().to_owned();
    assert_eq!(read["runs"].as_array().unwrap().len(), 2);
    assert_eq!(position(&read, 0), "..../..../oo../xx..");

    let mut child = command(folder.path(), &from("-"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("quod runs");
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let piped = json(&child.wait_with_output().unwrap());
    assert_eq!(position(&piped, 1), position(&read, 1));
}

#[test]
fn the_same_seed_gives_the_same_positions() {
    let folder = tempfile::tempdir().unwrap();
    let positions = |seed: &str| {
        let arguments = ["connect4:5x4", "--algorithms", "auto", "--no-plot", "--json", "--plies", "8..10"];
        let random = ["--random", "9", "--seed", seed];
        let all: Vec<&str> = arguments.iter().chain(&random).copied().collect();
        let object = json(&compare(folder.path(), &all));
        let runs = object["runs"].as_array().unwrap().clone();
        let moves = runs.iter().map(|run| run["moves"].as_str().unwrap().to_owned());
        moves.collect::<Vec<_>>()
    };
    let first = positions("5");
    assert!(first.len() == 9 && first.iter().all(|moves| (8..=10).contains(&moves.len())), "{first:?}");
    assert_eq!(first, positions("5"));
    assert_ne!(first, positions("6"));
}

#[test]
fn bad_input_has_status_2_and_a_message_to_act_on() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("bad.txt"), "1122\n# next\n11115\n").unwrap();
    std::fs::write(folder.path().join("over.txt"), "1212121\n").unwrap();
    std::fs::write(folder.path().join("empty.txt"), "# nothing\n").unwrap();
    for (arguments, parts) in [
        (&["conect4"][..], &["did you mean \"connect4\""][..]),
        (&["connect4:4x4", "--algorithms", "pn,magic"], &["magic", "auto, pn"]),
        (&["connect4:4x4", "--algorithms", "pn,dfpn,pn"], &["\"pn\"", "named twice"]),
        (
            &["connect4:4x4", "--algorithms", "dfpn,pn", "--threads", "2"],
            &["--threads", "pn does not know it"],
        ),
        (
            &["connect4:4x4", "--positions", "bad.txt"],
            &["\"11115\" (bad.txt, line 3)", "as moves: move \"5\"", "legal moves: 2 3 4", "as a position"],
        ),
        (&["connect4:4x4", "--positions", "over.txt"], &["over.txt, line 1", "the game is over"]),
        (&["connect4:4x4", "--positions", "empty.txt"], &["empty.txt", "one in every line"]),
        (&["connect4:4x4", "--positions", "none.txt"], &["none.txt"]),
        (&["connect4:4x4", "--moves", "11115"], &["move 5 of \"11115\""]),
        (&["tictactoe", "--random", "100", "--plies", "1"], &["\"100\"", "9 different positions", "--plies"]),
        (&["tictactoe", "--threads", "2"], &["--threads", "pn does not know it"]),
        (&["tictactoe", "--moves", "b2", "--plies", "3"], &["--plies", "--random N"]),
        (&["tictactoe", "--random", "0"], &["from 1 to"]),
        (&["tictactoe", "--plies", "9..2"], &["the smaller number comes first"]),
        (&["tictactoe", "--plot", "plot.pdf"], &["plot.pdf", ".svg or .png"]),
        (&["tictactoe", "--plot", "no/plot.svg"], &["no/plot.svg", "no folder", "--no-plot"]),
        (&["tictactoe", "--csv", "no/runs.csv"], &["CSV file \"no/runs.csv\"", "no folder"]),
        (&["tictactoe", "--csv", "-", "--json"], &["--csv -"]),
    ] {
        let output = compare(folder.path(), arguments);
        assert_refused(&output, arguments, parts);
    }
    assert_eq!(names(folder.path()), ["bad.txt", "empty.txt", "over.txt"], "nothing is written");
}

#[test]
fn runs_that_stop_at_a_limit_are_shown_and_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let moves = ["--moves", "", "--moves", "112244"];
    let limited: Vec<&str> =
        ["connect4:4x4", "--algorithms", "pn,dfpn", "--nodes", "20000"].into_iter().chain(moves).collect();
    let output = compare(folder.path(), &limited);
    let table = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(table.contains("sum of 1") && table.contains(">19,99"), "{table}");
    assert!(table.contains("2 runs stopped unsolved (>)"), "{table}");
    let none = compare(folder.path(), &["connect4:4x4", "--algorithms", "pn", "--nodes", "9", "--moves", ""]);
    assert!(text(&none.stdout).contains("no plot: no position is solved by the standard"));
    assert_eq!(none.status.code(), Some(0));
}

#[test]
fn answers_are_certified_on_request() {
    let folder = tempfile::tempdir().unwrap();
    let output = compare(
        folder.path(),
        &["morris:3", "--certify", "--random", "8", "--json", "--no-plot", "--algorithms", "pn-graph,dfpn"],
    );
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let object = json(&output);
    let runs = object["runs"].as_array().unwrap();
    assert!(runs.len() == 16 && runs.iter().all(|run| run["certified"] == "accepted"));
}

/// What was found so far is printed and drawn.
#[cfg(unix)]
#[test]
fn an_interrupt_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("two.txt"), "112233\n44\n").unwrap();
    let arguments = ["connect4:7x6", "--positions", "two.txt", "--algorithms", "dfpn,pds", "--json"];
    let child = command(folder.path(), &arguments)
        .args(["--nodes", "100000000000", "--memory", "64MiB"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("quod runs");
    let output = interrupted(child, Duration::from_millis(1500));
    let object = json(&output);
    let runs = object["runs"].as_array().unwrap();
    assert_eq!(runs.last().unwrap()["stop"], "interrupted");
    assert_eq!((runs.len(), &runs[0]["stop"]), (3, &"solved".into()));
    assert_eq!(names(folder.path()), ["compare-connect4-7x6.png", "compare-connect4-7x6.svg", "two.txt"]);
}
