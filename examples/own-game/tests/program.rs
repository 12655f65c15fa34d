//! A game of one's own gets the command line and the checker.

use std::process::Command;

fn run(arguments: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_own-game")).args(arguments).output().expect("it runs");
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn it_solves_and_checks_its_own_game() {
    let file = std::env::temp_dir().join(format!("own-game-{}.quod", std::process::id()));
    let name = file.to_str().expect("a plain name");
    let (status, answer) = run(&["solve", "nim:3-4-5", "--certificate", name]);
    assert_eq!(status, Some(0));
    assert!(answer.contains("win for First") && answer.contains("Best move    a2"), "{answer}");
    let (status, checked) = run(&["check", name]);
    assert_eq!(status, Some(0));
    assert!(checked.contains("accepted: nim:3-4-5"), "{checked}");
    let _ = std::fs::remove_file(&file);
    assert!(run(&["games"]).1.contains("nim:HEAP-HEAP"));
}
