//! Which crates may see which, and which licences may be linked.

use std::process::Command;

use anyhow::{Context as _, Result, bail};

/// A crate and all crates of the workspace that it may link, however deep.
const MAY_LINK: [(&str, &[&str]); 8] = [
    ("quod-model", &[]),
    ("quod-checkpoint", &[]),
    ("quod-games", &["quod-model"]),
    ("quod-proof", &["quod-model"]),
    // Databases know no game and no search.
    ("quod-endgame", &["quod-model", "quod-checkpoint"]),
    // Search knows no game.
    ("quod-search", &["quod-model", "quod-proof", "quod-checkpoint"]),
    // The checker knows neither searches nor their door.
    ("quod-check", &["quod-model", "quod-games", "quod-proof", "quod-endgame", "quod-checkpoint"]),
    (
        "quod-solver",
        &["quod-model", "quod-games", "quod-proof", "quod-endgame", "quod-search", "quod-checkpoint"],
    ),
];

/// Front ends name the solver and nothing below it, and other front ends that they start.
const FRONT_ENDS: [(&str, &[&str]); 2] = [("quod-cli", &["quod-explorer"]), ("quod-explorer", &[])];

pub(crate) fn check() -> Result<()> {
    for (name, allowed) in MAY_LINK {
        let linked = tree(&["-p", name, "--prefix", "none", "--format", "{p}"])?;
        for line in linked.lines() {
            let other = line.split(' ').next().unwrap_or_default();
            if is_ours(other) && other != name && !allowed.contains(&other) {
                bail!("{name} must not link {other}");
            }
        }
        println!(
            "{name} links {}",
            if allowed.is_empty() { "no other crate".to_owned() } else { allowed.join(", ") }
        );
    }
    for (name, others) in FRONT_ENDS {
        let linked = tree(&["-p", name, "--prefix", "none", "--depth", "1", "--format", "{p}"])?;
        for line in linked.lines().skip(1) {
            let other = line.split(' ').next().unwrap_or_default();
            if is_ours(other) && other != "quod-solver" && !others.contains(&other) {
                bail!("{name} is a front end and must not name {other}");
            }
        }
        println!("{name} names {}", [&["quod-solver"], others].concat().join(", "));
    }
    licences()
}

fn is_ours(name: &str) -> bool {
    name == "quod" || name.starts_with("quod-")
}

/// Every crate that is linked can be had under a licence that is not copyleft (MPL is fine).
fn licences() -> Result<()> {
    let linked = tree(&["--workspace", "--prefix", "none", "--format", "{p} | {l}"])?;
    let mut count = 0;
    for line in linked.lines().filter(|line| !line.is_empty() && !line.ends_with("(*)")) {
        let (name, licence) = line.split_once(" | ").context("cargo tree prints a licence")?;
        let choice = |words: &str| !words.contains("GPL") && !words.trim().is_empty();
        if !licence.split(" OR ").any(choice) {
            bail!("{name} has the licence \"{licence}\"");
        }
        count += 1;
    }
    println!("{count} crates linked, none of them under a copyleft licence");
    Ok(())
}

fn tree(arguments: &[&str]) -> Result<String> {
    let mut command = Command::new(env!("CARGO"));
    command.args(["tree", "--locked", "--edges", "normal"]).args(arguments);
    let output = command.output().with_context(|| format!("cannot start {command:?}"))?;
    if !output.status.success() {
        bail!("{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
