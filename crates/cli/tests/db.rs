//! `quod db` as a program.

mod common;

use std::path::Path;
use std::process::{Command, Output};

use common::{interrupt, json, text};

fn quod(arguments: &[&str], dir: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quod"));
    command.arg("db").args(arguments).arg("--dir").arg(dir).output().expect("quod runs")
}

#[test]
fn a_database_is_built_shown_probed_and_verified() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("new");
    let built = quod(&["build", "awari", "--stones", "7"], &dir);
    assert_eq!(built.status.code(), Some(0), "{}", text(&built.stderr));
    assert!(
        text(&built.stdout).starts_with("Built  8 slices, 50,388 positions in "),
        "{}",
        text(&built.stdout)
    );
    let info = json(&quod(&["info", "--json"], &dir));
    let slices = info.as_array().unwrap();
    assert_eq!(slices.len(), 8);
    for (number, slice) in slices.iter().enumerate() {
        assert_eq!(slice["stones"], number);
        assert_eq!(slice["checksum"].as_str().unwrap().len(), 64);
    }
    let last = &slices[7];
    let counts = ["positions", "won", "drawn", "lost", "sum"].map(|name| last[name].as_i64().unwrap());
    assert_eq!(counts, [31_824, 14_921, 4487, 12_416, 19_081]);
    let table = text(&quod(&["info"], &dir).stdout);
    assert!(table.contains("     7     31,824  14,921  4,487  12,416  19081  448e8a2d720f7701"), "{table}");

    // What was captured counts; values are those of the side to move.
    let place = ["probe", "awari", "--position", "0 0 0 0 0 2 / 1 1 0 0 1 0 S 5 2"];
    let probed = json(&quod(&[&place[..], &["--json"]].concat(), &dir));
    assert_eq!((&probed["to_move"], &probed["stones"]), (&"South".into(), &5.into()));
    // F sows onto a and b, which become two each, and captures both; the stone on e is North's last.
    assert_eq!((&probed["moves"][0]["move"], probed["moves"].as_array().unwrap().len()), (&"F2x4".into(), 1));
    assert_eq!((&probed["value"], &probed["moves"][0]["value"]), (&6.into(), &6.into()));
    let shown = text(&quod(&place, &dir).stdout);
    assert!(shown.contains("Value  +6 for South") && shown.contains("Moves  F2x4       +6  best"), "{shown}");

    let verified = quod(&["verify"], &dir);
    assert_eq!(verified.status.code(), Some(0));
    assert!(text(&verified.stdout).contains("awari, slices 0 to 7, all 50,388 values are right"));
    let again = quod(&["build", "awari", "--stones", "8", "--plain"], &dir);
    assert!(
        text(&again.stdout).starts_with("Built  1 slices, 75,582 positions in "),
        "{}",
        text(&again.stdout)
    );
    assert!(text(&again.stdout).contains("; 8 slices were there before"));
    assert_eq!(json(&quod(&["info", "--json"], &dir))[8]["form"], "plain");
}

#[test]
fn what_cannot_be_done_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path();
    let refused = |arguments: &[&str], status: i32, message: &str| {
        let output = quod(arguments, dir);
        assert_eq!(output.status.code(), Some(status), "{arguments:?}");
        assert!(text(&output.stderr).contains(message), "{arguments:?}: {}", text(&output.stderr));
    };
    refused(&["info"], 2, "there is no database here");
    refused(&["build", "connect4", "--stones", "3"], 2, "games with databases: tictactoe, awari");
    refused(&["build", "awari:stop", "--stones", "3"], 2, "its positions are not numbered");
    refused(&["build", "awari", "--stones", "49"], 2, "the slices of awari are 0 to 48");
    refused(
        &["build", "awari", "--stones", "30", "--memory", "1GiB"],
        2,
        "MiB of memory to build, 1024.0 MiB are allowed",
    );
    assert_eq!(quod(&["build", "tictactoe", "--slice", "9"], dir).status.code(), Some(0));
    refused(
        &["build", "awari", "--stones", "3"],
        2,
        "this is a slice of tictactoe (rules version 1), not of awari",
    );
    refused(&["probe", "awari", "--position", "0 0 0 0 0 2 / 0 0 0 0 1 0 S"], 2, "not of awari");
    refused(&["probe", "tictactoe", "--moves", "a1 a1"], 2, "it is not a legal move here");
    let file = dir.join("slice-004.quoddb");
    let mut bytes = std::fs::read(&file).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(&file, bytes).unwrap();
    refused(&["verify"], 1, "slice-004.quoddb: its checksum is wrong: it is damaged or was altered");
    refused(&["info"], 2, "its checksum is wrong");
    std::fs::remove_file(&file).unwrap();
    refused(&["probe", "tictactoe"], 2, "it belongs to slice 9, and the database has slices 0 to 3");
}

#[cfg(unix)]
#[test]
fn ctrl_c_loses_only_the_slice_at_hand() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path();
    let build = ["db", "build", "awari", "--stones", "20", "--dir"];
    let mut child = Command::new(env!("CARGO_BIN_EXE_quod")).args(build).arg(dir).spawn().unwrap();
    while !dir.join("slice-011.quoddb").exists() {
        assert_eq!(child.try_wait().unwrap(), None, "it ended by itself");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    interrupt(&child);
    assert_eq!(child.wait().unwrap().code(), Some(3));
    let names = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name());
    let names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
    assert!(names.iter().all(|name| name.ends_with(".quoddb")), "{names:?}");
    let slices = json(&quod(&["info", "--json"], dir));
    assert_eq!(slices.as_array().unwrap().len(), names.len());
    assert!((12..21).contains(&names.len()), "{names:?}");
    let again = text(&quod(&["build", "awari", "--stones", "11"], dir).stdout);
    assert!(
        again.starts_with("Built  0 slices, 0 positions") && again.contains("; 12 slices were"),
        "{again}"
    );
}

/// The checksums of all slices.
fn checksums(dir: &Path) -> Vec<String> {
    let slices = json(&quod(&["info", "--json"], dir));
    let slices = slices.as_array().expect("an array").iter();
    slices.map(|slice| slice["checksum"].as_str().expect("a text").to_owned()).collect()
}

/// The checkpoints in a folder.
fn checkpoints(dir: &Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut found: Vec<_> =
        entries.filter(|path| path.extension().is_some_and(|ending| ending == "checkpoint")).collect();
    found.sort();
    found
}

#[cfg(unix)]
#[test]
fn a_killed_build_goes_on_from_its_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, dir, kept] = ["whole", "dir", "kept"].map(|name| folder.path().join(name));
    assert_eq!(quod(&["build", "awari", "--stones", "16"], &whole).status.code(), Some(0));
    let kept_text = kept.to_str().unwrap();
    let build = ["build", "awari", "--stones", "16", "--checkpoint", kept_text, "--every", "100ms"];
    let mut went_on = 0;
    for signal in ["-TERM", "-KILL", "-KILL", "-TERM"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_quod"));
        command.arg("db").args(build).arg("--dir").arg(&dir).stderr(std::process::Stdio::piped());
        let mut child = command.spawn().unwrap();
        // Until there is a checkpoint that was not there before.
        let before = checkpoints(&kept).pop();
        while checkpoints(&kept).pop().is_none_or(|newest| Some(&newest) <= before.as_ref()) {
            if child.try_wait().unwrap().is_some() {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let killed = Command::new("kill").args([signal, &child.id().to_string()]).output().unwrap();
        let output = child.wait_with_output().unwrap();
        let said = text(&output.stderr);
        went_on += u32::from(said.contains("goes on from") && said.contains(kept_text));
        match (killed.status.success(), signal) {
            (true, "-TERM") => assert_eq!(output.status.code(), Some(3), "{said}"),
            (true, _) => assert_eq!(output.status.code(), None, "{said}"),
            (false, _) => break,
        }
    }
    // A damaged one is said, and the one before it is taken.
    let left = checkpoints(&kept);
    if let [_, newest] = &left[..] {
        let mut bytes = std::fs::read(newest).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        std::fs::write(newest, bytes).unwrap();
    }
    let last = quod(&build, &dir);
    let said = text(&last.stderr);
    assert_eq!(last.status.code(), Some(0), "{said}");
    assert!(left.len() < 2 || said.contains("it is damaged: the checksum of frame"), "{said}");
    assert!(went_on > 0);
    assert_eq!(checksums(&dir), checksums(&whole));
    assert!(checkpoints(&kept).is_empty());
}

#[test]
fn folders_of_checkpoints_that_cannot_be_used_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (dir, kept) = (folder.path().join("dir"), folder.path().join("kept"));
    let refused = |arguments: &[&str], message: &str| {
        let output = quod(&[&["build", "awari", "--stones", "3"], arguments].concat(), &dir);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(text(&output.stderr).contains(message), "{arguments:?}: {}", text(&output.stderr));
        assert!(!dir.join("slice-000.quoddb").exists());
    };
    let checkpoint = ["--checkpoint", kept.to_str().unwrap()];
    refused(&["--every", "5m"], "--checkpoint <FOLDER>");
    refused(&[&checkpoint[..], &["--every", "soon"]].concat(), "times are like 90s, 5m or 2h 30m");
    std::fs::write(&kept, "a file").unwrap();
    refused(&checkpoint, "cannot make the folder");
    std::fs::remove_file(&kept).unwrap();
    std::fs::create_dir(&kept).unwrap();
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/formats/golden/database.checkpoint");
    std::fs::copy(golden, kept.join("0000000001.checkpoint")).unwrap();
    refused(
        &checkpoint,
        "these are checkpoints of awari:3x2 (rules version 1), not of a database of awari (rules",
    );
    let lock = std::fs::File::create(kept.join("lock")).unwrap();
    lock.lock().unwrap();
    refused(&checkpoint, "another program uses the checkpoints in");
}

/// Solving, analyzing and checking with a folder of databases: what leans on it says so, and falls with it.
#[test]
fn databases_serve_solving_and_checking() {
    let folder = tempfile::tempdir().unwrap();
    let (dir, file) = (folder.path().join("small"), folder.path().join("small.quod"));
    assert_eq!(quod(&["build", "awari:3x2", "--stones", "5"], &dir).status.code(), Some(0));
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_quod"));
        command.args(arguments).output().expect("quod runs")
    };
    let (db, name) = (dir.to_str().unwrap(), file.to_str().unwrap());
    let solved = run(&["solve", "awari:3x2", "--db", db, "--certificate", name]);
    assert_eq!(solved.status.code(), Some(0), "{}", text(&solved.stderr));
    let said = text(&solved.stdout);
    assert!(said.contains("Leans on     databases of slices 0 to 5"), "{said}");
    assert!(said.contains(&format!("check --db {db} {name}")), "{said}");
    let report = json(&run(&["solve", "awari:3x2", "--db", db, "--json"]));
    assert_eq!((&report["value"], &report["databases"]["slices"]), (&3.into(), &6.into()));
    let analyzed = run(&["analyze", "awari:3x2", "--moves", "B2x3 b2x3 C3 c4 C1x3", "--db", db]);
    assert_eq!(analyzed.status.code(), Some(0), "{}", text(&analyzed.stderr));

    let check = |db: &[&str]| {
        let output = run(&[&["check", name], db].concat());
        (output.status.code(), text(&output.stdout) + &text(&output.stderr))
    };
    let accepted = check(&["--db", db]);
    assert!(accepted.0 == Some(0) && accepted.1.contains("if the values are right of"), "{}", accepted.1);
    let missing = check(&[]);
    assert!(missing.0 == Some(2) && missing.1.contains("--db DIR"), "{}", missing.1);
    let nowhere = check(&["--db", "/no/such/folder"]);
    assert!(nowhere.0 == Some(2) && nowhere.1.contains("no such folder"), "{}", nowhere.1);
    let slice = dir.join("slice-005.quoddb");
    let mut bytes = std::fs::read(&slice).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    std::fs::write(&slice, bytes).unwrap();
    let altered = check(&["--db", db]);
    assert!(altered.0 == Some(1) && altered.1.contains("refused"), "{}", altered.1);
    // A gap is told.
    std::fs::remove_file(dir.join("slice-003.quoddb")).unwrap();
    let info = quod(&["info"], &dir);
    assert!(text(&info.stderr).contains("slice 3 is missing"), "{}", text(&info.stderr));
}
