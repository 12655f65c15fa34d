//! The picture in README.md: a real run, drawn as a terminal.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, bail};

const LINE_HEIGHT: usize = 19;
const CHARACTER_WIDTH: usize = 9;
const MARGIN: usize = 16;

/// Runs the main job with a certificate and writes `docs/run.svg`.
pub(crate) fn draw() -> Result<()> {
    let folder = std::env::temp_dir().join(format!("quod-picture-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let mut text = String::new();
    for arguments in [&["solve", "connect4:5x4", "--certificate", "c4.quod"][..], &["check", "c4.quod"]] {
        let _ = writeln!(text, "$ quod {}", arguments.join(" "));
        text.push_str(&run(arguments, &folder)?);
        text.push('\n');
    }
    std::fs::remove_dir_all(&folder)?;
    std::fs::write("docs/run.svg", svg(text.trim_end()))?;
    println!("docs/run.svg is drawn");
    Ok(())
}

fn run(arguments: &[&str], folder: &Path) -> Result<String> {
    let manifest = std::env::current_dir()?.join("Cargo.toml");
    let output = Command::new(env!("CARGO"))
        .args(["run", "--quiet", "--release", "--locked", "--manifest-path"])
        .arg(manifest)
        .args(["-p", "quod-cli", "--"])
        .args(arguments)
        .current_dir(folder)
        .output()
        .context("cannot start cargo")?;
    if !output.status.success() {
        bail!("{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn svg(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let columns = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let (width, height) = (columns * CHARACTER_WIDTH + 2 * MARGIN, lines.len() * LINE_HEIGHT + 2 * MARGIN);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"A run of quod solve and quod check\">\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#1c2128\"/>\n\
         <g font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\" font-size=\"15\" xml:space=\"preserve\">\n"
    );
    for (number, line) in lines.iter().enumerate() {
        let y = MARGIN + (number + 1) * LINE_HEIGHT - 5;
        let escaped = line.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let colour = match line.split_whitespace().next() {
            Some("$") => "#7ee787",
            Some("Answer" | "accepted:" | "so") => "#ffd866",
            _ => "#d0d7de",
        };
        let _ = writeln!(svg, "<text x=\"{MARGIN}\" y=\"{y}\" fill=\"{colour}\">{escaped}</text>");
    }
    svg.push_str("</g>\n</svg>\n");
    svg
}
