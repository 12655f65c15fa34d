//! What the tests of every command share: what a program said, that it refuses bad input, and that it can be interrupted.

// Each test program uses a part of this.
#![allow(dead_code)]

use std::fmt::Debug;
use std::process::{Child, Command, Output};
use std::time::{Duration, Instant};

use serde_json::Value;

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

pub fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", text(&output.stdout)))
}

/// Bad input: the status says so, nothing is printed as an answer, and the message has these parts.
pub fn assert_refused(output: &Output, arguments: impl Debug, parts: &[&str]) {
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    for part in parts {
        assert!(message.contains(part), "{arguments:?} lacks \"{part}\":\n{message}");
    }
}

/// Sends what Ctrl-C sends.
pub fn interrupt(child: &Child) {
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    assert!(killed.success());
}

/// What a program says that is interrupted after a while. It ends soon, with the status of a search that was stopped.
pub fn interrupted(child: Child, after: Duration) -> Output {
    std::thread::sleep(after);
    interrupt(&child);
    let begun = Instant::now();
    let output = child.wait_with_output().expect("it ends");
    assert!(begun.elapsed() < Duration::from_secs(3));
    assert_eq!(output.status.code(), Some(3), "{}", text(&output.stderr));
    output
}
