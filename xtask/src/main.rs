//! Development commands: `cargo xtask test` checks everything that must hold, `cargo xtask bench` and
//! `cargo xtask judge` measure, `cargo xtask torture` kills and damages, `cargo xtask fuzz` looks for bad files,
//! `cargo xtask picture` draws README's picture.

mod fuzz;
mod mates;
mod page;
mod picture;
mod rules;
mod torture;

use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Instant;

use anyhow::{Context as _, Result, bail};

use page::Tools;

/// Where the main job leaves the program.
const PROGRAM: &str = "target/release/quod";

const USAGE: &str = "\
Usage: cargo xtask test     format, lints, tests, doc tests, docs, crate rules, licences, the main job,
                            the explorer in a browser
       cargo xtask test page    the explorer's page alone: its build, and its tests in a browser
       cargo xtask bench    speed, memory and certificate figures (release build)
       cargo xtask bench chess  mates that Quod proves beside Stockfish, in the same time
       cargo xtask judge    the searches on graphs beside the exact definitions, chess beside the truth, altered
                            certificates beside a naive checker: many more of them
       cargo xtask fuzz [TARGET] [--inputs N] [--keep]
                            every decoder with ten million inputs, which coverage guides; needs a C++ compiler
       cargo xtask torture  searches that are killed at random, with damaged checkpoints and full disks
       cargo xtask picture  draw the run that README.md shows
";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let result = match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["test"] => test(),
        ["test", "page"] => test_page(),
        ["bench"] => bench(),
        ["bench", "chess", ref rest @ ..] => mates::bench(rest),
        ["judge"] => judge(),
        ["fuzz", ref rest @ ..] => fuzz::fuzz(rest),
        ["picture"] => picture::draw(),
        ["torture", ref rest @ ..] => torture::torture(rest),
        _ => {
            eprint!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Everything that must hold before a change lands.
fn test() -> Result<()> {
    let begun = Instant::now();
    let tools = Tools::fetch();
    component("rustfmt", "fmt")?;
    component("clippy", "clippy")?;
    cargo(&["fmt", "--all", "--check"])?;
    cargo(&["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"])?;
    cargo(&["test", "--workspace", "--locked", "--", "--show-output"])?;
    step("cargo doc --workspace --no-deps, warnings denied");
    run(Command::new(env!("CARGO"))
        .args(["doc", "--workspace", "--no-deps", "--locked"])
        .env("RUSTDOCFLAGS", "-D warnings"))?;
    step("crate rules and licences");
    rules::check()?;
    step("the main job: cargo run --release -- solve connect4:5x4");
    cargo(&["run", "--release", "--locked", "--", "solve", "connect4:5x4"])?;
    tools.test(Path::new(PROGRAM))?;
    println!("\nall checks passed in {:.0} s", begun.elapsed().as_secs_f64());
    Ok(())
}

/// The page alone, served by a program that is built for it.
fn test_page() -> Result<()> {
    let tools = Tools::fetch();
    cargo(&["build", "--release", "--locked"])?;
    tools.test(Path::new(PROGRAM))
}

fn bench() -> Result<()> {
    cargo(&["bench", "--locked", "-p", "quod-search", "--bench", "pn"])?;
    cargo(&["bench", "--locked", "-p", "quod-search", "--bench", "graph"])?;
    cargo(&["bench", "--locked", "-p", "quod-search", "--bench", "outcomes"])?;
    cargo(&["bench", "--locked", "-p", "quod-search", "--bench", "dfpn"])?;
    cargo(&["bench", "--locked", "-p", "quod-search", "--bench", "scores"])?;
    cargo(&["bench", "--locked", "-p", "quod-endgame", "--bench", "databases"])?;
    cargo(&["bench", "--locked", "-p", "quod-solver", "--bench", "threads"])?;
    cargo(&["bench", "--locked", "-p", "quod-solver", "--bench", "certificates"])
}

/// Tests on more graphs, and on more endings of chess, than the sample that every test run takes.
fn judge() -> Result<()> {
    for (package, test, part) in [("quod-search", "most_proving", ""), ("quod-solver", "games", "chess")] {
        let words = ["test", "--release", "--locked", "-p", package, "--test", test, part];
        step(&format!("cargo {}, 20000 graphs, all endings", words.join(" ")));
        run(Command::new(env!("CARGO"))
            .args(words)
            .args(["--", "--nocapture"])
            .env("QUOD_JUDGE_GRAPHS", "20000"))?;
    }
    let words = ["test", "--release", "--locked", "-p", "quod-solver", "--test", "certificates"];
    step(&format!("cargo {}, 1000000 altered certificates", words.join(" ")));
    run(Command::new(env!("CARGO"))
        .args(words)
        .args(["altered_certificates", "--", "--nocapture"])
        .env("QUOD_JUDGE_CERTIFICATES", "1000000"))
}

/// Installs a part of the toolchain that is missing.
fn component(name: &str, command: &str) -> Result<()> {
    let there = Command::new(env!("CARGO")).args([command, "--version"]).output();
    if there.is_ok_and(|output| output.status.success()) {
        return Ok(());
    }
    step(&format!("installing {name}"));
    run(Command::new("rustup").args(["component", "add", name]))
        .with_context(|| format!("{name} is missing and could not be installed"))
}

fn cargo(arguments: &[&str]) -> Result<()> {
    step(&format!("cargo {}", arguments.join(" ")));
    run(Command::new(env!("CARGO")).args(arguments))
}

fn step(name: &str) {
    println!("\n== {name}");
}

fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot start {command:?}"))?;
    if !status.success() {
        bail!("{command:?} failed: {status}");
    }
    Ok(())
}
