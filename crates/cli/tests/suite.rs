//! `quod solve --epd` as a program: tables, CSV, JSON, certificates, input, limits and interruption.

mod common;

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use serde_json::Value;

use common::{assert_refused, interrupted, json, text};

/// A queen that mates at once, rooks that take two moves, and nothing to mate with.
const THREE: &str = "\
# of our own making
7k/5K2/8/6Q1/8/8/8/8 w - - dm 1; id \"queen/king\";

7k/8/8/8/R7/1R6/8/7K w - - 0 1 id \"ladder\"; dm 2;
7k/8/8/8/8/8/8/K7 b - -
";

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quod"));
    command.arg("solve").args(arguments).current_dir(folder).stdin(Stdio::null());
    command
}

fn suite(folder: &Path, arguments: &[&str]) -> Output {
    command(folder, arguments).output().expect("quod runs")
}

fn folder_with(name: &str, content: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder can be made");
    std::fs::write(folder.path().join(name), content).expect("a file can be written");
    folder
}

#[test]
fn a_suite_is_a_table_and_the_same_as_json_and_csv() {
    let folder = folder_with("three.epd", THREE);
    let common = ["chess", "--epd", "three.epd", "--memory", "16MiB"];
    let with = |more: &[&'static str]| {
        let output = suite(folder.path(), &[&common[..], more].concat());
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        output
    };
    let table = text(&with(&[]).stdout);
    let words: Vec<Vec<&str>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
    for row in [
        &["id", "answer", "mate", "dm", "nodes", "seconds"][..],
        &["queen/king", "yes", "1", "1"],
        &["ladder", "yes", "2", "2"],
        &["line", "5", "no", "-", "-", "0"],
        &["solved", "3", "of", "3:"],
        &["mate", "in", "positions", "solved"],
        &["1-5", "2", "2"],
    ] {
        assert!(words.iter().any(|line| line.starts_with(row)), "no {row:?}:\n{table}");
    }

    let reports = json(&with(&["--json", "--threads", "2", "--csv", "three.csv"]));
    let fields = |name: &str| -> Vec<Value> {
        reports.as_array().unwrap().iter().map(|report| report[name].clone()).collect()
    };
    assert_eq!(fields("id"), ["queen/king", "ladder", "line 5"]);
    assert_eq!(fields("mate"), [Value::from(1), Value::from(2), Value::Null]);
    assert_eq!(fields("verdict"), ["proven", "proven", "disproven"]);
    assert!(reports[2].get("dm").is_none() && reports[0]["dm"] == 1);

    // A report is the one of the position alone.
    let ladder = "7k/8/8/8/R7/1R6/8/7K w - -";
    let alone = ["chess", "--position", ladder, "--threads", "1", "--memory", "16MiB", "--json"];
    let alone = json(&suite(folder.path(), &alone));
    let apart = |name: &&str| !["seconds", "resident_bytes"].contains(name);
    for (name, value) in alone.as_object().unwrap().iter().filter(|(name, _)| apart(&name.as_str())) {
        assert_eq!(&reports[1][name], value, "{name}");
    }

    let csv = std::fs::read_to_string(folder.path().join("three.csv")).unwrap();
    let printed = text(&with(&["--csv"]).stdout);
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines.len(), 4);
    assert_eq!(printed.lines().next(), Some(lines[0]));
    let columns: Vec<&str> = lines[0].split(',').collect();
    for (line, report) in lines[1..].iter().zip(reports.as_array().unwrap()) {
        for (column, field) in columns.iter().zip(line.split(',')) {
            let expected = match &report[*column] {
                Value::Null => String::new(),
                Value::String(text) => text.clone(),
                number => number.to_string(),
            };
            assert_eq!(field, expected, "{column}");
        }
    }
}

#[test]
fn certificates_have_the_names_of_their_positions_and_check() {
    let folder = folder_with("three.epd", &THREE.replace("ladder", "Queen king"));
    let common = ["chess", "--epd", "three.epd", "--memory", "16MiB", "--json", "--certificate", "proofs"];
    let output = suite(folder.path(), &common);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let reports = json(&output);
    for (place, name) in ["queen-king.quod", "Queen-king-2.quod", "line-5.quod"].into_iter().enumerate() {
        let file = format!("proofs/{name}");
        assert_eq!(reports[place]["certificate"], file.as_str());
        let check = Command::new(env!("CARGO_BIN_EXE_quod"))
            .args(["check", &file, "--json"])
            .current_dir(folder.path())
            .output()
            .expect("quod runs");
        assert_eq!(check.status.code(), Some(0), "{}", text(&check.stderr));
        assert_eq!(json(&check)["position"], reports[place]["position"], "{}", text(&check.stdout));
    }
    assert_eq!(std::fs::read_dir(folder.path().join("proofs")).unwrap().count(), 3);
}

/// Any game, standard input, limits of each position, and the status that says that not all are solved.
#[test]
fn what_is_not_solved_is_told_and_has_status_3() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["connect4:4x4", "--epd", "-", "--nodes", "50", "--memory", "1MiB", "--goal", "win"];
    let mut child = command(folder.path(), &arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("quod runs");
    let lines = "..../..../..../.... id start;\n..../..../ooo./xxx. id near; dm 1;\n";
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{}", text(&output.stderr));
    let table = text(&output.stdout);
    assert!(table.contains("connect4:4x4, goal win") && table.contains("solved 1 of 2: "), "{table}");
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
    assert!(rows.iter().any(|row| row.starts_with(&["start", "?", "nodes"])), "{table}");
    assert!(rows.iter().any(|row| row.starts_with(&["near", "yes", "1", "1"])), "{table}");
}

#[test]
fn a_file_that_is_wrong_is_contradicted() {
    let folder = folder_with("wrong.epd", &THREE.replace("dm 2", "dm 3").replace("b - -", "b - - dm 7;"));
    let output = suite(folder.path(), &["chess", "--epd", "wrong.epd", "--memory", "16MiB"]);
    let table = text(&output.stdout);
    assert!(table.contains("! ladder: the file says mate in 3, proven: there is one in 2"), "{table}");
    assert!(table.contains("! line 5: the file says mate in 7, proven: there is none"), "{table}");
}

#[test]
fn bad_input_has_status_2_and_a_message_to_act_on() {
    let folder =
        folder_with("bad.epd", "7k/5K2/8/6Q1/8/8/8/8 w - - dm 1;\n\n7k/5K2/8/6Q1/8/8/8/8 w - - dm x;\n");
    std::fs::write(folder.path().join("rank.epd"), "7k/5K2/8/6Q1/8/8/8/9 w - - dm 1;").unwrap();
    std::fs::write(folder.path().join("empty.epd"), "# nothing\n").unwrap();
    std::fs::write(folder.path().join("good.epd"), THREE).unwrap();
    for (arguments, parts) in [
        (&["bad.epd"][..], &["bad.epd, line 3", "dm x", "no number of moves", "dm 3;"][..]),
        (&["rank.epd"], &["rank.epd, line 1, rank 1", "'9'"]),
        (&["empty.epd"], &["empty.epd", "no positions"]),
        (&["none.epd"], &["none.epd"]),
        (&["good.epd", "--position", "8/8/8/8/8/8/8/8 w - -"], &["--position", "--epd"]),
        (&["good.epd", "--csv", "--json"], &["--csv", "name a file"]),
        (&["good.epd", "--csv", "no/rows.csv"], &["CSV file \"no/rows.csv\"", "no folder"]),
        (&["good.epd", "--certificate", "no/such"], &["certificate folder \"no/such\""]),
        (&["good.epd", "--certificate", "good.epd"], &["good.epd"]),
        (&["good.epd", "--algorithm", "mtdf"], &["mtdf", "can come again"]),
        (&["good.epd", "--init", "one"], &["--algorithm pn"]),
    ] {
        let output = suite(folder.path(), &[&["chess", "--epd"], arguments].concat());
        assert_refused(&output, arguments, parts);
    }
    let alone = suite(folder.path(), &["chess", "--csv", "x.csv"]);
    assert!(alone.status.code() == Some(2) && text(&alone.stderr).contains("--epd"));
}

/// What was found so far is printed.
#[cfg(unix)]
#[test]
fn an_interrupt_loses_nothing() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let folder = folder_with("long.epd", &format!("{THREE}{start} id long;\n{THREE}"));
    let child = command(
        folder.path(),
        &["chess", "--epd", "long.epd", "--memory", "16MiB", "--threads", "1", "--json"],
    )
    .stdout(Stdio::piped())
    .stderr(Stdio::piped())
    .spawn()
    .expect("quod runs");
    let output = interrupted(child, Duration::from_millis(1000));
    let stops: Vec<Value> = json(&output).as_array().unwrap().iter().map(|row| row["stop"].clone()).collect();
    assert_eq!(stops, ["solved", "solved", "solved", "interrupted"]);
}

/// No mate that is proven is shorter than the shortest that is published.
#[test]
fn published_mates_are_not_undercut() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/reinfeld82.epd");
    if !file.exists() {
        println!("skipped: {} is not there", file.display());
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let epd = file.to_str().unwrap();
    let output =
        suite(folder.path(), &["chess", "--epd", epd, "--nodes", "20000", "--memory", "16MiB", "--json"]);
    let reports = json(&output);
    let mates = reports.as_array().unwrap().iter().filter(|report| report["verdict"] == "proven");
    let mut found = 0;
    for report in mates {
        assert!(report["mate"].as_u64() >= report["dm"].as_u64(), "{report}");
        found += 1;
    }
    println!("{found} of 82 mates found");
    assert!(found >= 50 && reports.as_array().unwrap().iter().all(|report| report["verdict"] != "disproven"));
}
