//! Checkpoints as people meet them: a search that is told to stop, killed, or short of room on the disk goes on to the same end.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use serde_json::Value;

mod common;
use common::{assert_refused, interrupt, interrupted, json, text};

/// Some seconds of work, the same every time.
const WORK: [&str; 8] =
    ["solve", "connect4:5x5", "--algorithm", "pn-graph", "--init", "mobility", "--memory", "512MiB"];

fn quod(folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quod"));
    command.args(words).current_dir(folder).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn said(folder: &Path, words: &[&str]) -> Output {
    quod(folder, words).output().expect("it runs")
}

/// A report without what interruptions may change.
fn essence(output: &Output) -> Value {
    let mut report = json(output);
    for name in ["seconds", "memory_bytes", "resident_bytes", "certificate", "resumed_nodes", "checkpoints"] {
        report.as_object_mut().expect("an object").remove(name);
    }
    report
}

fn checkpoints(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut files: Vec<_> =
        entries.filter(|path| path.extension().is_some_and(|ending| ending == "checkpoint")).collect();
    files.sort();
    files
}

/// Told to stop, killed and damaged, it ends as if nothing had happened.
#[test]
fn stopped_and_killed_searches_end_as_others_do() {
    let temporary = tempfile::tempdir().expect("a folder");
    let folder = temporary.path();
    let whole = said(folder, &[&WORK[..], &["--json", "--certificate", "whole.quod"]].concat());
    assert!(whole.status.success(), "{}", text(&whole.stderr));
    let kept = ["--json", "--certificate", "kept.quod", "--checkpoint", "kept", "--every", "30ms"];
    let begun = quod(folder, &[&WORK[..], &kept].concat()).spawn().expect("it runs");
    // What Ctrl-C sends: a report that knows little, status 3, and a checkpoint.
    let first = interrupted(begun, Duration::from_millis(300));
    assert_eq!(
        (json(&first)["stop"].as_str(), checkpoints(&folder.join("kept")).len()),
        (Some("interrupted"), 2)
    );
    for round in 0..3 {
        let mut child = quod(folder, &["solve", "--resume", "kept"]).spawn().expect("it runs");
        std::thread::sleep(Duration::from_millis(200));
        child.kill().expect("it runs");
        let killed = child.wait_with_output().expect("it has ended");
        assert!(text(&killed.stderr).contains("goes on from kept/"), "{}", text(&killed.stderr));
        if round == 1 {
            let newest = checkpoints(&folder.join("kept")).pop().expect("one");
            let mut bytes = std::fs::read(&newest).expect("it can be read");
            let middle = bytes.len() / 2;
            bytes.truncate(middle);
            std::fs::write(&newest, bytes).expect("it can be written");
        }
        let older = text(&killed.stderr).contains("the one before it is used");
        assert_eq!(older, round == 2, "{}", text(&killed.stderr));
    }
    let last = said(folder, &["solve", "--resume", "kept", "--every", "1h"]);
    assert!(last.status.success(), "{}", text(&last.stderr));
    assert_eq!(essence(&last), essence(&whole));
    assert!(
        json(&last)["resumed_nodes"].as_u64() > json(&first)["nodes"].as_u64().filter(|nodes| *nodes > 0)
    );
    let bytes = |name: &str| std::fs::read(folder.join(name)).expect("a certificate");
    assert_eq!(bytes("kept.quod"), bytes("whole.quod"));
    assert!(said(folder, &["check", "kept.quod"]).status.success());
}

/// SIGTERM is what a machine sends that is shut down; the report for people says how to go on.
#[test]
fn a_terminated_search_says_how_to_go_on() {
    let temporary = tempfile::tempdir().expect("a folder");
    let folder = temporary.path();
    let child = quod(folder, &[&WORK[..], &["--checkpoint", "kept"]].concat()).spawn().expect("it runs");
    std::thread::sleep(Duration::from_millis(300));
    let killed = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().expect("kill runs");
    assert!(killed.success());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(3), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("go on: quod solve --resume kept"), "{}", text(&output.stdout));
    let resumed = said(folder, &["solve", "--resume", "kept", "--nodes", "1000"]);
    assert_eq!(resumed.status.code(), Some(3));
    assert!(text(&resumed.stdout).contains("Resumed      after "), "{}", text(&resumed.stdout));
}

/// A second Ctrl-C leaves at once.
#[test]
fn the_second_interrupt_leaves_at_once() {
    let temporary = tempfile::tempdir().expect("a folder");
    let child =
        quod(temporary.path(), &[&WORK[..], &["--checkpoint", "kept"]].concat()).spawn().expect("it runs");
    std::thread::sleep(Duration::from_millis(300));
    interrupt(&child);
    interrupt(&child);
    let output = child.wait_with_output().expect("it ends");
    assert!(matches!(output.status.code(), Some(130 | 3)), "{:?}", output.status);
}

/// Files that may not grow stand for a disk that is full: the search says so and goes on, and what was good stays good.
#[test]
fn a_full_disk_stops_nothing() {
    let temporary = tempfile::tempdir().expect("a folder");
    let folder = temporary.path();
    let words = [&WORK[..], &["--json", "--checkpoint", "kept", "--every", "50ms"]].concat();
    let mut limited = Command::new("bash");
    limited.args(["-c", "trap '' XFSZ; ulimit -f 4096; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_quod")]);
    let output = limited.args(&words).current_dir(folder).output().expect("it runs");
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(
        text(&output.stderr).contains("no checkpoint was written: cannot write kept/"),
        "{}",
        text(&output.stderr)
    );
    let resumed = said(folder, &["solve", "--resume", "kept", "--every", "1h"]);
    assert_eq!(essence(&resumed), essence(&output));
}

/// Words that are no text are of no concern where nothing is kept of them.
#[cfg(unix)]
#[test]
fn words_that_are_no_text_are_no_panic() {
    use std::os::unix::ffi::OsStrExt as _;
    let temporary = tempfile::tempdir().expect("a folder");
    let name = std::ffi::OsStr::from_bytes(b"\xfe.quod");
    let solve = |words: &[&str]| {
        quod(temporary.path(), &[&["solve", "tictactoe"], words].concat())
            .arg("--certificate")
            .arg(name)
            .output()
            .expect("it runs")
    };
    assert!(solve(&[]).status.success());
    assert_refused(&solve(&["--checkpoint", "kept"]), "--checkpoint", &["is no UTF-8 text"]);
}

#[test]
fn what_cannot_be_done_is_said_before_the_work() {
    let temporary = tempfile::tempdir().expect("a folder");
    let folder = temporary.path();
    std::fs::write(folder.join("file"), "").expect("it can be written");
    let refused = |words: &[&str], parts: &[&str]| assert_refused(&said(folder, words), words, parts);
    refused(&["solve", "--resume", "nothing"], &["\"nothing\"", "there is no checkpoint"]);
    refused(&["solve", "tictactoe", "--checkpoint", "file"], &["\"file\"", "cannot make the folder"]);
    refused(&["solve", "tictactoe", "--every", "1s"], &["--checkpoint"]);
    refused(&["solve", "--resume", "a", "--checkpoint", "b"], &["cannot be used with"]);
    refused(&["solve", "chess", "--resume", "a"], &["cannot be used with"]);
    refused(
        &["solve", "connect4:4x4", "--algorithm", "mtdf", "--checkpoint", "c"],
        &["mtdf keeps no checkpoints", "dfpn"],
    );
    refused(&["solve"], &["required"]);
    let words =
        ["solve", "connect4:6x5", "--algorithm", "dfpn", "--nodes", "2000000", "--checkpoint", "kept"];
    assert_eq!(said(folder, &words).status.code(), Some(3));
    refused(&words, &["there are checkpoints already", "--resume"]);
    let held =
        quod(folder, &["solve", "--resume", "kept", "--nodes", "1000000000"]).spawn().expect("it runs");
    std::thread::sleep(Duration::from_millis(500));
    refused(&["solve", "--resume", "kept"], &["another program uses the checkpoints"]);
    interrupted(held, Duration::ZERO);
}

/// Files of the documented format are read, and lead to where a search comes that was not stopped.
#[cfg(target_endian = "little")]
#[test]
fn golden_checkpoints_are_still_understood() {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/formats/golden");
    for (algorithm, memory, goal) in [
        ("pn", "1MiB", "value"),
        ("pn2", "64KiB", "value"),
        ("pn-graph", "256KiB", "value"),
        ("gpn", "256KiB", "value"),
        ("gpn2", "256KiB", "value"),
        ("dfpn", "64KiB", "draw"),
        ("pn-dfpn", "64KiB", "draw"),
    ] {
        let temporary = tempfile::tempdir().expect("a folder");
        let file = format!("{algorithm}.checkpoint");
        std::fs::copy(golden.join(file), temporary.path().join("0000000001.checkpoint"))
            .expect("it can be copied");
        let resumed = said(temporary.path(), &["solve", "--resume", ".", "--nodes", "1000000", "--json"]);
        assert!(resumed.status.success(), "{algorithm}: {}", text(&resumed.stderr));
        let words =
            ["solve", "tictactoe", "--algorithm", algorithm, "--memory", memory, "--goal", goal, "--json"];
        assert_eq!(essence(&resumed), essence(&said(temporary.path(), &words)), "{algorithm}");
        assert!(json(&resumed)["resumed_nodes"].as_u64() > Some(100), "{algorithm}");
    }
}

/// An opening says how far it has come, and goes on with what is left.
#[test]
fn openings_are_proved_piece_by_piece() {
    let temporary = tempfile::tempdir().expect("a folder");
    let opening = ["solve", "gomoku:8,row=4", "--checkpoint", "pieces", "--threads", "1", "--json"];
    let stopped = said(temporary.path(), &[&opening[..], &["--nodes", "60"]].concat());
    let finished = said(temporary.path(), &[&opening[..], &["--certificate", "whole.quod"]].concat());
    assert_eq!((stopped.status.code(), finished.status.code()), (Some(3), Some(0)));
    let standing = |output: &Output, name: &str| json(output)["opening"][name].clone();
    let open = |output: &Output| standing(output, "open").as_array().map_or(0, Vec::len);
    assert_eq!(standing(&stopped, "replies"), standing(&finished, "replies"));
    assert_eq!(standing(&finished, "after"), serde_json::json!(["d4"]));
    assert!(open(&stopped) > 0 && open(&finished) == 0, "{}", text(&stopped.stdout));
    assert!(standing(&stopped, "certificates").as_u64() < standing(&finished, "certificates").as_u64());
    let checked = said(temporary.path(), &["check", "whole.quod"]);
    assert!(checked.status.success(), "{}", text(&checked.stderr));
}
