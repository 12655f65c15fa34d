//! `quod-check` as a program: exit statuses, messages, and the text form there and back.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_quod-check")).args(arguments).output().expect("quod-check runs")
}

fn golden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/formats/golden/tictactoe.quod")
}

fn message(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_good_certificate_is_accepted() {
    let output = run(&[golden().to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", message(&output));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("accepted: tictactoe") && text.contains("exactly 0 (draw)"), "{text}");
}

#[test]
fn damaged_and_foreign_files_have_status_2_and_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let good = std::fs::read(golden()).unwrap();
    let mut changed = good.clone();
    changed[40] ^= 1;
    for (name, bytes, reason) in [
        ("empty", &[][..], "not a Quod certificate"),
        ("text", b"hello, this is some text", "not a Quod certificate"),
        ("cut", &good[..good.len() - 1], "damaged"),
        ("short", &good[..9], "damaged"),
        ("changed", &changed, "damaged"),
    ] {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        let output = run(&[path.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(2), "{name}");
        assert!(message(&output).contains(reason), "{name}: {}", message(&output));
    }
    let output = run(&["/no/such/file"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(message(&output).contains("cannot read /no/such/file"));
    for wrong in [&[][..], &["--bad"], &["a", "b", "c"]] {
        assert_eq!(run(wrong).status.code(), Some(2));
    }
}

#[test]
fn an_edited_text_is_judged() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    assert!(run(&["--to-text", golden().to_str().unwrap(), &path("t.txt")]).status.success());
    let text = std::fs::read_to_string(path("t.txt")).unwrap();
    assert!(run(&["--from-text", &path("t.txt"), &path("same.quod")]).status.success());
    assert_eq!(run(&[&path("same.quod")]).status.code(), Some(0));

    // A better claim than the strategy shows.
    std::fs::write(path("t.txt"), text.replace("claim >= 0", "claim >= 1")).unwrap();
    assert!(run(&["--from-text", &path("t.txt"), &path("bold.quod")]).status.success());
    let output = run(&[&path("bold.quod")]);
    assert_eq!(output.status.code(), Some(1), "{}", message(&output));
    assert!(message(&output).contains("refused"), "{}", message(&output));

    // A game that is not there.
    std::fs::write(path("t.txt"), text.replace("game tictactoe", "game tictactics")).unwrap();
    assert!(run(&["--from-text", &path("t.txt"), &path("other.quod")]).status.success());
    let output = run(&[&path("other.quod")]);
    assert_eq!(output.status.code(), Some(2));
    assert!(message(&output).contains("did you mean \"tictactoe\""), "{}", message(&output));

    // Nonsense in the text is found with its line.
    std::fs::write(path("t.txt"), text.replace("positions ", "positions x")).unwrap();
    let output = run(&["--from-text", &path("t.txt"), &path("none.quod")]);
    assert_eq!(output.status.code(), Some(2));
    assert!(message(&output).contains("line 7"), "{}", message(&output));
}
