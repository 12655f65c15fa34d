//! `cargo xtask fuzz`: every decoder with millions of inputs, which coverage guides (libFuzzer on the stable toolchain).

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context as _, Result, bail};

use crate::{run, step};

/// Where everything is built and found: flags differ from those of other builds.
const DIR: &str = "target/fuzz";
/// What rustc is told: edges are counted, and what is compared is seen.
const FLAGS: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
                     -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
                     -Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares";
/// Inputs of all targets together, if nothing is said.
const INPUTS: u64 = 10_000_000;
/// Longer inputs say nothing new, and take longer.
const BYTES_MAX: usize = 1024;
/// What an input may take.
const SECONDS_MAX: u32 = 10;
const MEBIBYTES_MAX: u32 = 1024;
/// The most inputs that are kept of a target, so that tests stay fast.
const KEPT_MAX: usize = 400;
const TARGET: &str = "QUOD_FUZZ_TARGET";

struct Options {
    target: Option<String>,
    inputs: u64,
    /// Whether new inputs are put to those that are kept.
    keep: bool,
}

struct Program {
    path: PathBuf,
    /// Names and shares.
    targets: Vec<(String, u64)>,
}

/// What a run of a target has told.
struct Told {
    inputs: u64,
    edges: String,
    seconds: f64,
}

pub(crate) fn fuzz(words: &[&str]) -> Result<()> {
    let options = read(words)?;
    let program = Program::build()?;
    let chosen: Vec<&(String, u64)> = match &options.target {
        None => program.targets.iter().collect(),
        Some(name) => program.targets.iter().filter(|(other, _)| other == name).collect(),
    };
    if chosen.is_empty() {
        let names: Vec<&str> = program.targets.iter().map(|(name, _)| name.as_str()).collect();
        bail!("there is no such target; targets: {}", names.join(" "));
    }
    let shares: u64 = chosen.iter().map(|(_, share)| share).sum();
    let (mut total, mut broken) = (0, Vec::new());
    println!("\n{:18} {:>11} {:>9} {:>9} {:>7}", "target", "inputs", "seconds", "a second", "edges");
    for (name, share) in chosen {
        let Some(told) = program.run(name, (options.inputs * share).div_ceil(shares))? else {
            broken.push(name.as_str());
            continue;
        };
        let rate = told.inputs as f64 / told.seconds.max(0.001);
        println!("{name:18} {:>11} {:>9.1} {rate:>9.0} {:>7}", told.inputs, told.seconds, told.edges);
        total += told.inputs;
        if options.keep {
            program.keep(name)?;
        }
    }
    if broken.is_empty() {
        println!("{total} inputs, no law is broken");
        return Ok(());
    }
    bail!("laws are broken: {}", broken.join(", "))
}

fn read(words: &[&str]) -> Result<Options> {
    let mut options = Options { target: None, inputs: INPUTS, keep: false };
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match *word {
            "--keep" => options.keep = true,
            "--inputs" => {
                let number = words.next().context("--inputs needs a number")?;
                options.inputs = number.replace('_', "").parse().context("--inputs needs a number")?;
            }
            name if !name.starts_with('-') && options.target.is_none() => {
                options.target = Some(name.to_owned());
            }
            other => bail!("{other} is not understood: cargo xtask fuzz [TARGET] [--inputs N] [--keep]"),
        }
    }
    Ok(options)
}

impl Program {
    fn build() -> Result<Self> {
        // With a target named, the flags are not for what only helps to build.
        let version = Command::new("rustc").arg("-vV").output().context("cannot start rustc")?;
        let version = String::from_utf8_lossy(&version.stdout).into_owned();
        let host = version.lines().find_map(|line| line.strip_prefix("host: ")).context("rustc -vV")?;
        let words = ["build", "--locked", "-p", "quod-fuzz", "--bin", "fuzz", "--features", "libfuzzer"];
        step(&format!("cargo {} --profile fuzz --target {host}", words.join(" ")));
        run(Command::new(env!("CARGO"))
            .args(words)
            .args(["--profile", "fuzz", "--target", host, "--target-dir", DIR])
            .env("RUSTFLAGS", FLAGS))?;
        let path = Path::new(DIR).join(host).join("fuzz/fuzz");
        let listed =
            Command::new(&path).output().with_context(|| format!("cannot start {}", path.display()))?;
        let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
        let target = |line: &str| {
            let (name, share) = line.split_once(' ')?;
            Some((name.to_owned(), share.parse().ok()?))
        };
        Ok(Self { path, targets: listed.lines().filter_map(target).collect() })
    }

    fn command(&self, name: &str) -> Command {
        let mut command = Command::new(&self.path);
        command
            .env(TARGET, name)
            .arg(format!("-max_len={BYTES_MAX}"))
            .arg(format!("-timeout={SECONDS_MAX}"))
            .arg(format!("-rss_limit_mb={MEBIBYTES_MAX}"));
        command
    }

    /// Nothing if a law is broken; people are told.
    fn run(&self, name: &str, inputs: u64) -> Result<Option<Told>> {
        let (found, crashes) = (found(name), kept("crashes", name));
        std::fs::create_dir_all(&found)?;
        std::fs::create_dir_all(&crashes)?;
        let begun = Instant::now();
        let output = self
            .command(name)
            .arg(format!("-runs={inputs}"))
            .arg(format!("-artifact_prefix={}/", crashes.display()))
            .args(["-seed=1", "-print_final_stats=1", "-reload=0"])
            .args([&found, &kept("corpus", name)])
            .stdout(Stdio::null())
            .output()
            .with_context(|| format!("cannot start {}", self.path.display()))?;
        let seconds = begun.elapsed().as_secs_f64();
        // Git keeps no empty folders, and neither does this.
        let _ = std::fs::remove_dir(&crashes);
        let text = String::from_utf8_lossy(&output.stderr);
        if !output.status.success() {
            let end: Vec<&str> = text.lines().rev().take(40).collect();
            end.iter().rev().for_each(|line| eprintln!("{line}"));
            eprintln!(
                "{name} breaks a law: the input is in {} and every test run tries it from now on\n\
                 again: {TARGET}={name} {} FILE",
                crashes.display(),
                self.path.display()
            );
            return Ok(None);
        }
        let after =
            |mark: &str| text.lines().rev().find_map(|line| line.split_once(mark).map(|(_, rest)| rest));
        let word = |mark: &str| after(mark).and_then(|rest| rest.split_whitespace().next()).unwrap_or("?");
        let inputs = word("stat::number_of_executed_units:").parse().context("libFuzzer tells no number")?;
        Ok(Some(Told { inputs, edges: word(" cov: ").to_owned(), seconds }))
    }

    /// Keeps the fewest inputs that reach everything that was reached.
    fn keep(&self, name: &str) -> Result<()> {
        let (corpus, fresh) = (kept("corpus", name), Path::new(DIR).join("merged").join(name));
        let _ = std::fs::remove_dir_all(&fresh);
        std::fs::create_dir_all(&fresh)?;
        run(self
            .command(name)
            // How often an edge is passed guides a run, but there are too many inputs that differ in nothing else.
            .args(["-set_cover_merge=1", "-use_counters=0", "-verbosity=0"])
            .args([&fresh, &corpus, &found(name)])
            .stdout(Stdio::null())
            .stderr(Stdio::null()))?;
        let mut files = Vec::new();
        for entry in std::fs::read_dir(&fresh)? {
            let path = entry?.path();
            files.push((std::fs::metadata(&path)?.len(), path));
        }
        // The short ones, which are mutated best.
        files.sort_unstable();
        std::fs::remove_dir_all(&corpus)?;
        std::fs::create_dir_all(&corpus)?;
        for (_, path) in files.iter().take(KEPT_MAX) {
            let file = path.file_name().context("a file has a name")?;
            std::fs::copy(path, corpus.join(file))?;
        }
        Ok(())
    }
}

/// Inputs that a run has found.
fn found(name: &str) -> PathBuf {
    Path::new(DIR).join("corpus").join(name)
}

/// Inputs that are kept.
fn kept(what: &str, name: &str) -> PathBuf {
    Path::new("fuzz").join(what).join(name)
}
