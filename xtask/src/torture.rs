//! `cargo xtask torture`: searches are killed at random moments, their newest checkpoints damaged, their disks filled up; they go
//! on, and end as if nothing had happened.
//!
//! Each piece of work is done once without interruption, with a certificate. Then it is begun with checkpoints and killed with SIGKILL
//! after a random time, again and again, until it ends by itself; before some of the resumptions the newest checkpoint is damaged.
//! Its report and its certificate must be those of the first run, byte by byte (what several threads find may differ: there the value
//! counts, and that the certificate is accepted).

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::Value;

const USAGE: &str = "\
Usage: cargo xtask torture [KILLS] [DAMAGES] [SEED]
  KILLS    how often a search is killed, at least, over all of them [default: 200]
  DAMAGES  how many newest checkpoints are damaged, at least [default: 50]
  SEED     of the random moments [default: 1]
";

/// A piece of work.
struct Work {
    name: &'static str,
    words: &'static [&'static str],
    /// Whether every run does the same to the node.
    exact: bool,
}

const fn exact(name: &'static str, words: &'static [&'static str]) -> Work {
    Work { name, words, exact: true }
}

/// Every search that keeps checkpoints, some with so little memory that it is full all the time.
const WORKS: [Work; 14] = [
    exact("pn", &["connect4:5x4", "--moves", "3", "--goal", "win", "--algorithm", "pn", "--memory", "1GiB"]),
    exact(
        "pn, deleting",
        &[
            "connect4:5x4",
            "--moves",
            "3",
            "--goal",
            "win",
            "--algorithm",
            "pn",
            "--memory",
            "64MiB",
            "--delete-solved=full",
        ],
    ),
    exact("pn2", &["connect4:5x4", "--algorithm", "pn2", "--memory", "256MiB"]),
    exact("pn-graph", &["connect4:5x5", "--init", "mobility", "--algorithm", "pn-graph", "--memory", "1GiB"]),
    exact(
        "pn-graph, full",
        &[
            "connect4:5x5",
            "--init",
            "mobility",
            "--algorithm",
            "pn-graph",
            "--memory",
            "48MiB",
            "--delete-solved=full",
            "--delete-least-proving",
        ],
    ),
    exact("pn-graph, cyclic", &["morris:6", "--goal", "win", "--algorithm", "pn-graph", "--memory", "1GiB"]),
    exact("pn-dag", &["connect4:5x5", "--init", "mobility", "--algorithm", "pn-dag", "--memory", "1GiB"]),
    exact("gpn", &["connect4:5x4", "--algorithm", "gpn", "--memory", "1GiB"]),
    exact("gpn2", &["connect4:5x4", "--moves", "33", "--algorithm", "gpn2", "--memory", "256MiB"]),
    exact("mopn-dag", &["connect4:5x5", "--algorithm", "mopn-dag", "--memory", "1GiB"]),
    exact("dfpn", &["connect4:5x5", "--algorithm", "dfpn", "--threads", "1", "--memory", "256MiB"]),
    exact(
        "dfpn, cyclic",
        &["morris:6", "--goal", "win", "--algorithm", "dfpn", "--threads", "1", "--memory", "256MiB"],
    ),
    exact("pn-dfpn", &["connect4:5x5", "--algorithm", "pn-dfpn", "--threads", "1", "--memory", "256MiB"]),
    Work {
        name: "dfpn, 2 threads",
        words: &[
            "connect4:5x5",
            "--init",
            "mobility",
            "--algorithm",
            "dfpn",
            "--threads",
            "2",
            "--memory",
            "256MiB",
        ],
        exact: false,
    },
];

pub(crate) fn torture(words: &[&str]) -> Result<()> {
    let number = |at: usize, default: u64| words.get(at).map_or(Ok(default), |word| word.parse());
    let (Ok(kills), Ok(damages), Ok(seed), true) =
        (number(0, 200), number(1, 50), number(2, 1), words.len() <= 3)
    else {
        bail!("{USAGE}");
    };
    let built =
        Command::new(env!("CARGO")).args(["build", "--release", "--locked", "-p", "quod-cli"]).status()?;
    ensure!(built.success(), "quod could not be built");
    let temporary = tempfile::tempdir()?;
    let mut torture = Torture {
        program: std::env::current_dir()?.join(crate::PROGRAM),
        folder: temporary.path().to_owned(),
        random: Xoshiro256PlusPlus::seed_from_u64(seed),
        seen: Seen::default(),
    };
    println!("work                runs  kills  damaged  resumed  the same");
    let share = |all: u64| all.div_ceil(WORKS.len() as u64 + 1);
    for work in &WORKS {
        torture.work(work, share(kills), share(damages))?;
    }
    torture.database(share(kills), share(damages))?;
    torture.full_disk()?;
    let Seen { runs, kills, damages, resumptions } = torture.seen;
    println!("{:<18} {runs:>5} {kills:>6} {damages:>8} {resumptions:>8}", "all");
    Ok(())
}

/// What has been done.
#[derive(Clone, Copy, Default)]
struct Seen {
    runs: u64,
    kills: u64,
    damages: u64,
    resumptions: u64,
}

/// How a piece of work is begun and goes on, how long it takes, and what is to happen to it.
#[derive(Clone, Copy)]
struct Course<'w> {
    begin: &'w [&'w str],
    resume: &'w [&'w str],
    took: Duration,
    damages: u64,
    /// Whether it says that it uses an older checkpoint whenever the newest is damaged.
    falls_back: bool,
}

struct Torture {
    program: PathBuf,
    folder: PathBuf,
    random: Xoshiro256PlusPlus,
    seen: Seen,
}

impl Torture {
    fn quod(&self, words: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.args(words).current_dir(&self.folder).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Kills one piece of work so often, and damages so many of its checkpoints.
    fn work(&mut self, work: &Work, kills: u64, damages: u64) -> Result<()> {
        let before = self.seen;
        let solve = [&["solve"][..], work.words, &["--json", "--certificate", "whole.quod"]].concat();
        let begun = Instant::now();
        let whole = self.quod(&solve).output()?;
        let took = begun.elapsed();
        let expected = report(&whole).with_context(|| format!("{}: {}", work.name, said(&whole)))?;
        let certificate = std::fs::read(self.folder.join("whole.quod"))?;
        while self.seen.kills - before.kills < kills || self.seen.damages - before.damages < damages {
            let damages_left = damages.saturating_sub(self.seen.damages - before.damages);
            let begin = [
                &["solve"][..],
                work.words,
                &["--json", "--certificate", "killed.quod", "--checkpoint", "kept", "--every", "20ms"],
            ]
            .concat();
            let course = Course {
                begin: &begin,
                resume: &["solve", "--resume", "kept"],
                took,
                damages: damages_left,
                falls_back: true,
            };
            let output = self.until_it_ends(course)?;
            let found = report(&output).with_context(|| format!("{}: {}", work.name, said(&output)))?;
            if work.exact {
                ensure!(found == expected, "{}: {found:#} instead of {expected:#}", work.name);
                ensure!(
                    std::fs::read(self.folder.join("killed.quod"))? == certificate,
                    "{}: another certificate",
                    work.name
                );
            } else {
                ensure!(
                    found["value"] == expected["value"],
                    "{}: {found:#} instead of {expected:#}",
                    work.name
                );
            }
            let checked = self.quod(&["check", "killed.quod"]).output()?;
            ensure!(checked.status.success(), "{}: {}", work.name, said(&checked));
            std::fs::remove_dir_all(self.folder.join("kept"))?;
            self.seen.runs += 1;
        }
        self.tell(work.name, before, if work.exact { "report, certificate" } else { "value" });
        Ok(())
    }

    fn tell(&self, name: &str, before: Seen, same: &str) {
        let Seen { runs, kills, damages, resumptions } = self.seen;
        println!(
            "{name:<18} {:>5} {:>6} {:>8} {:>8}  {same}",
            runs - before.runs,
            kills - before.kills,
            damages - before.damages,
            resumptions - before.resumptions
        );
    }

    /// Kills the building of a database, whose files must be those of one that was not killed.
    fn database(&mut self, kills: u64, damages: u64) -> Result<()> {
        let before = self.seen;
        let build = ["db", "build", "awari", "--stones", "13", "--threads", "1", "--dir"];
        let begun = Instant::now();
        let whole = self.quod(&[&build[..], &["whole"]].concat()).output()?;
        ensure!(whole.status.success(), "{}", said(&whole));
        let took = begun.elapsed();
        let kept = [&build[..], &["killed", "--checkpoint", "kept", "--every", "20ms"]].concat();
        while self.seen.kills - before.kills < kills || self.seen.damages - before.damages < damages {
            let damages = damages.saturating_sub(self.seen.damages - before.damages);
            let course = Course { begin: &kept, resume: &kept, took, damages, falls_back: false };
            let output = self.until_it_ends(course)?;
            ensure!(output.status.success(), "{}", said(&output));
            for slice in std::fs::read_dir(self.folder.join("whole"))? {
                let path = slice?.path();
                let other = self.folder.join("killed").join(path.file_name().context("a file")?);
                ensure!(std::fs::read(&path)? == std::fs::read(&other)?, "{} is another", other.display());
            }
            std::fs::remove_dir_all(self.folder.join("killed"))?;
            std::fs::remove_dir_all(self.folder.join("kept"))?;
            self.seen.runs += 1;
        }
        self.tell("database", before, "files");
        Ok(())
    }

    /// A disk that is full after the first checkpoints: the search says so and goes on; and what was good before serves after a kill.
    fn full_disk(&mut self) -> Result<()> {
        let before = self.seen;
        let words = WORKS[3].words;
        let whole = self
            .quod(&[&["solve"][..], words, &["--json", "--certificate", "whole.quod"]].concat())
            .output()?;
        let expected = report(&whole)?;
        let disk = self.folder.join("disk");
        std::fs::create_dir(&disk)?;
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=24m", "tmpfs"]).arg(&disk).stderr(Stdio::null());
        let mounted = mount.status().is_ok_and(|status| status.success());
        // Where nobody may mount, files that may not grow further do as well.
        let begin =
            [&["solve"][..], words, &["--json", "--checkpoint", "disk/kept", "--every", "50ms"]].concat();
        let limited = |begin: &[&str]| {
            let mut command = Command::new("bash");
            let limit = if mounted { "" } else { "trap '' XFSZ; ulimit -f 16384; " };
            command.arg("-c").arg(format!("{limit}exec \"$0\" \"$@\"")).arg(&self.program).args(begin);
            command.current_dir(&self.folder).stdout(Stdio::piped()).stderr(Stdio::piped());
            command
        };
        let output = limited(&begin).output()?;
        let full = said(&output);
        let resumed = self.quod(&["solve", "--resume", "disk/kept", "--every", "1h"]).output()?;
        if mounted {
            ensure!(
                Command::new("umount").arg(&disk).status()?.success(),
                "{} stays mounted",
                disk.display()
            );
        }
        ensure!(full.contains("no checkpoint was written"), "the disk was not full: {full}");
        ensure!(report(&output)? == expected, "a full disk changed the report");
        ensure!(report(&resumed)? == expected, "a full disk spoilt the checkpoint: {}", said(&resumed));
        self.seen.runs += 1;
        self.seen.resumptions += 1;
        self.tell(if mounted { "full disk" } else { "full disk (limit)" }, before, "report");
        Ok(())
    }

    /// Begins work, kills it after a random time, damages the newest checkpoint now and then, and goes on, until it ends by itself.
    fn until_it_ends(&mut self, course: Course<'_>) -> Result<Output> {
        let Course { begin, resume, took, mut damages, falls_back } = course;
        let mut words = begin;
        let (mut kills, mut begun) = (0, false);
        // The checkpoint that was damaged last, and whether it is still the newest: the next run must say so.
        let (mut last, mut damaged) = (None, false);
        loop {
            let mut child = self.quod(words).spawn()?;
            // Long enough that some runs come to an end, short enough that most do not.
            let longest = took.as_secs_f64() * if kills < 40 { 0.4 } else { 4.0 } + 0.03;
            let moment = Instant::now() + Duration::from_secs_f64(self.random.random_range(0.0..longest));
            let ended = ends_before(&mut child, moment)?;
            if !ended {
                child.kill()?;
                kills += 1;
                self.seen.kills += 1;
            }
            let output = child.wait_with_output()?;
            self.seen.resumptions += u64::from(begun);
            let noticed = said(&output).contains("the one before it is used");
            // One that was killed at once may not have come to say it.
            let told = noticed == damaged || (!ended && !noticed);
            ensure!(told || !falls_back, "{words:?}: damaged {damaged}: {}", said(&output));
            if ended {
                return Ok(output);
            }
            let kept = checkpoints(&self.folder.join("kept"));
            words = if kept.is_empty() { begin } else { resume };
            begun = !kept.is_empty();
            if falls_back && kept.is_empty() && self.folder.join("kept").exists() {
                std::fs::remove_dir_all(self.folder.join("kept"))?;
            }
            // One that was killed before it could write another has left it.
            damaged = last.is_some() && kept.last() == last.as_ref();
            if !damaged && kept.len() >= 2 && damages > 0 && self.random.random_bool(0.5) {
                self.damage(kept.last().expect("two of them"))?;
                (last, damages, damaged) = (kept.last().cloned(), damages - 1, true);
                self.seen.damages += 1;
            }
        }
    }

    /// Flips a bit, cuts off the end, adds something or writes zeros.
    fn damage(&mut self, file: &Path) -> Result<()> {
        let mut bytes = std::fs::read(file)?;
        let at = self.random.random_range(0..bytes.len());
        match self.random.random_range(0..4) {
            0 => bytes[at] ^= 1 << self.random.random_range(0..8),
            1 => bytes.truncate(at),
            2 => bytes.push(0),
            _ => {
                let end = (at + 512).min(bytes.len());
                if bytes[at..end].iter().all(|byte| *byte == 0) {
                    bytes[at] = 1;
                } else {
                    bytes[at..end].fill(0);
                }
            }
        }
        Ok(std::fs::write(file, bytes)?)
    }
}

/// Whether a program ends by itself before a moment.
fn ends_before(child: &mut Child, moment: Instant) -> Result<bool> {
    while Instant::now() < moment {
        if child.try_wait()?.is_some() {
            return Ok(true);
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    Ok(child.try_wait()?.is_some())
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A report without what interruptions may change: time, the room of buffers, the name of the certificate, where it went on.
fn report(output: &Output) -> Result<Value> {
    let mut report: Value = serde_json::from_slice(&output.stdout).context("no report")?;
    let names = report.as_object_mut().context("no report")?;
    for name in ["seconds", "memory_bytes", "resident_bytes", "certificate", "resumed_nodes", "checkpoints"] {
        names.remove(name);
    }
    Ok(report)
}

fn checkpoints(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut files: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|ending| ending == "checkpoint")).collect();
    files.sort();
    files
}
