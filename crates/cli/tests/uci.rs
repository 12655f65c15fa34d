//! `quod uci` with a real client: python-chess, in an environment of its own below the target folder.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Installing takes seconds; a network that hangs is no reason to wait longer.
const PATIENCE: Duration = Duration::from_secs(120);
/// The one that the script was written for.
const CLIENT: &str = "chess==1.11.2";

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// Runs a command to its end, within a time.
fn bounded(command: &mut Command) -> Result<String, String> {
    let shown = format!("{command:?}");
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = child.map_err(|error| format!("{shown} cannot be started: {error}"))?;
    let begun = Instant::now();
    while child.try_wait().expect("it can be waited for").is_none() {
        if begun.elapsed() > PATIENCE {
            let _ = child.kill();
            return Err(format!("{shown} took more than {} s", PATIENCE.as_secs()));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let output = child.wait_with_output().expect("it has ended");
    if output.status.success() { Ok(text(&output)) } else { Err(format!("{shown}: {}", text(&output))) }
}

/// The Python of an environment that has the client; it is made once.
fn client_python() -> Result<PathBuf, String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("uci-client");
    let python = folder.join("bin/python");
    let has_client = |python: &Path| {
        let version = format!("import chess; assert 'chess==' + chess.__version__ == '{CLIENT}'");
        bounded(Command::new(python).args(["-c", &version])).is_ok()
    };
    if !has_client(&python) {
        bounded(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&folder))?;
        bounded(Command::new(&python).args(["-m", "pip", "install", "--quiet", "--timeout", "20", CLIENT]))?;
    }
    Ok(python)
}

#[cfg(unix)]
#[test]
fn python_chess_is_content() {
    if Command::new("python3").arg("--version").output().is_err() {
        println!("skipped: there is no python3 for the client");
        return;
    }
    let python = client_python().unwrap_or_else(|problem| panic!("no python-chess to test with: {problem}"));
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/uci_client.py");
    let ran = bounded(Command::new(python).arg(script).arg(env!("CARGO_BIN_EXE_quod")));
    println!("{}", ran.unwrap_or_else(|problem| panic!("{problem}")));
}

/// All commands at once, as scripts send them, and a search that is told to end before the input does.
#[test]
fn commands_can_be_piped() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_quod"))
        .arg("uci")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("quod runs");
    let commands = "position fen 7k/8/8/8/R7/1R6/8/7K w - - 0 1\ngo mate 2\nwait\n";
    std::io::Write::write_all(&mut child.stdin.take().expect("a pipe"), commands.as_bytes())
        .expect("it listens");
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success());
    assert!(text(&output).contains("info string mate in 2: proven\nbestmove "), "{}", text(&output));
}
