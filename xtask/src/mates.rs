//! `cargo xtask bench chess`: how many mates Quod proves beside Debian's Stockfish, in the same time on the same positions.
//!
//! Both are asked over the protocol of chess engines, one after the other on every position, each on one thread. Stockfish
//! is told the length of the mate (`go mate N`), Quod is not. What Stockfish says is taken at its word; what Quod says is proven.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context as _, Result, bail};

const USAGE: &str = "\
Usage: cargo xtask bench chess [FILE] [SECONDS] [EVERY]
  FILE     positions as EPD with dm, moves to the mate [default: ../shared/data/mates_dev.epd]
  SECONDS  for each position and engine [default: 1]
  EVERY    takes every so many-th position [default: 4]
";

/// Mates by length.
const CLASSES: [(u32, &str); 4] = [(5, "1-5"), (10, "6-10"), (20, "11-20"), (u32::MAX, "21+")];

pub(crate) fn bench(words: &[&str]) -> Result<()> {
    if words.len() > 3 || words.iter().any(|word| word.starts_with('-')) {
        bail!("{USAGE}");
    }
    let file = PathBuf::from(words.first().unwrap_or(&"../shared/data/mates_dev.epd"));
    let seconds: f64 = words.get(1).map_or(Ok(1.0), |word| word.parse()).with_context(|| USAGE)?;
    let every: usize = words.get(2).map_or(Ok(4), |word| word.parse()).with_context(|| USAGE)?;
    let text = std::fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
    let positions: Vec<(String, u32)> = text.lines().step_by(every.max(1)).filter_map(position).collect();
    if positions.is_empty() {
        bail!("{} has no positions with dm", file.display());
    }
    let built =
        Command::new(env!("CARGO")).args(["build", "--release", "--locked", "-p", "quod-cli"]).status()?;
    if !built.success() {
        bail!("quod could not be built");
    }
    let mut quod = Engine::start("target/release/quod", &["uci"])?;
    let mut stockfish = Engine::start("stockfish", &[])
        .or_else(|_| Engine::start("/usr/games/stockfish", &[]))
        .context("stockfish is not there: apt-get install stockfish")?;
    let milliseconds = (seconds * 1000.0) as u64;
    let mut counts = [[0_u32; 3]; CLASSES.len()];
    for (done, (fen, dm)) in positions.iter().enumerate() {
        let class = CLASSES.iter().position(|(most, _)| dm <= most).unwrap_or(CLASSES.len() - 1);
        counts[class][0] += 1;
        let own = quod.finds_mate(fen, &format!("go movetime {milliseconds}"))?;
        let other = stockfish.finds_mate(fen, &format!("go mate {dm} movetime {milliseconds}"))?;
        counts[class][1] += u32::from(own);
        counts[class][2] += u32::from(other);
        eprint!("\r{} of {} positions", done + 1, positions.len());
    }
    eprintln!();
    println!("{} positions of {}, {seconds} s each on one thread", positions.len(), file.display());
    println!("mate in   positions   quod   stockfish");
    for ((_, name), [all, own, other]) in CLASSES.iter().zip(counts) {
        println!("{name:<9} {all:>9} {own:>6} {other:>11}");
    }
    let [all, own, other] = [0, 1, 2].map(|column| counts.iter().map(|row| row[column]).sum::<u32>());
    println!("all       {all:>9} {own:>6} {other:>11}");
    let percent = |count: u32| 100.0 * f64::from(count) / f64::from(all);
    println!("          {:>8}% {:>5.1}% {:>10.1}%", 100, percent(own), percent(other));
    Ok(())
}

/// The position of a line of EPD, and the moves to the mate.
fn position(line: &str) -> Option<(String, u32)> {
    let fen: Vec<&str> = line.split_whitespace().take(4).collect();
    let dm = line.split("dm ").nth(1)?.split(';').next()?.trim().parse().ok()?;
    Some((format!("{} 0 1", fen.join(" ")), dm))
}

struct Engine {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Engine {
    fn start(program: &str, arguments: &[&str]) -> Result<Self> {
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {program}"))?;
        let (input, output) = child.stdin.take().zip(child.stdout.take()).context("no pipes")?;
        let mut engine = Self { child, input, output: BufReader::new(output) };
        engine.say("uci\nsetoption name Threads value 1\nsetoption name Hash value 256\nisready")?;
        engine.until("readyok", |_| {})?;
        Ok(engine)
    }

    fn say(&mut self, line: &str) -> Result<()> {
        writeln!(self.input, "{line}")?;
        Ok(self.input.flush()?)
    }

    fn until(&mut self, end: &str, mut seen: impl FnMut(&str)) -> Result<()> {
        let mut line = String::new();
        loop {
            line.clear();
            if self.output.read_line(&mut line)? == 0 {
                bail!("an engine has ended");
            }
            seen(&line);
            if line.starts_with(end) {
                return Ok(());
            }
        }
    }

    /// Whether the last word about the position is a mate for the side to move.
    fn finds_mate(&mut self, fen: &str, go: &str) -> Result<bool> {
        self.say(&format!("ucinewgame\nposition fen {fen}\n{go}"))?;
        let mut mate = false;
        self.until("bestmove", |line| {
            let mut words = line.split_whitespace().skip_while(|word| *word != "score").skip(1);
            match (words.next(), words.next().and_then(|number| number.parse::<i32>().ok())) {
                (Some("mate"), Some(moves)) => mate = moves > 0,
                (Some("cp"), _) => mate = false,
                _ => {}
            }
        })?;
        Ok(mate)
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.say("quit");
        let _ = self.child.wait();
    }
}
