//! What is kept, and a fixed number of mutations of it. `QUOD_FUZZ_INPUTS` sets how many of them each target gets for a share of ten.

use std::path::Path;
use std::time::{Duration, Instant};

use quod_fuzz::mutate::Mutator;
use quod_fuzz::{TARGETS, Target};

/// Mutations for a share of ten, if nothing is said.
const INPUTS: u64 = 40_000;
/// Longer than any input may take, on a machine that does much else.
const PATIENCE: Duration = Duration::from_secs(5);
/// The naive checker goes down by recursion, as deep as a strategy is.
const STACK_BYTES: usize = 256 << 20;

/// The files of a folder, in the order of their names.
fn files(dir: &Path) -> Vec<Vec<u8>> {
    let Ok(entries) = std::fs::read_dir(dir) else { return Vec::new() };
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort_unstable();
    paths.iter().map(|path| std::fs::read(path).expect("a file")).collect()
}

fn replay(target: &Target, inputs: u64) {
    let corpus = files(&target.corpus());
    assert!(!corpus.is_empty(), "{} has no inputs in {}", target.name, target.corpus().display());
    let crashes = files(&target.crashes());
    let begun = Instant::now();
    let try_one = |data: &[u8], what: &dyn Fn() -> String| {
        let begun = Instant::now();
        let broken = std::panic::catch_unwind(|| (target.check)(data)).is_err();
        assert!(!broken, "{}: {} breaks a law: {}", target.name, what(), data.escape_ascii());
        assert!(begun.elapsed() < PATIENCE, "{}: {} takes {:?}", target.name, what(), begun.elapsed());
    };
    for data in crashes.iter().chain(&corpus) {
        try_one(data, &|| "a kept input".to_owned());
    }
    let mutations = inputs * u64::from(target.share) / 10;
    let mut mutator = Mutator::new(1, target.is_text);
    for number in 0..mutations {
        let data = mutator.mutate(&corpus);
        try_one(&data, &|| format!("mutation {number}"));
    }
    println!(
        "{:18} {:4} kept inputs, {:3} kept crashes, {mutations} mutations, {:.1} s",
        target.name,
        corpus.len(),
        crashes.len(),
        begun.elapsed().as_secs_f64()
    );
}

#[test]
fn kept_inputs_and_their_mutations_break_no_law() {
    let inputs = std::env::var("QUOD_FUZZ_INPUTS").map_or(INPUTS, |number| number.parse().expect("a number"));
    // All targets are tried, whatever becomes of one.
    let broken = TARGETS.iter().filter(|target| {
        let work = || replay(target, inputs);
        let worker = std::thread::Builder::new().stack_size(STACK_BYTES);
        std::thread::scope(|scope| worker.spawn_scoped(scope, work).expect("a thread").join().is_err())
    });
    let broken: Vec<&str> = broken.map(|target| target.name).collect();
    assert!(broken.is_empty(), "laws are broken: {}", broken.join(", "));
}
