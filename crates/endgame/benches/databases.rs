//! Databases of Awari: how fast they are built, how small they are, how fast they are probed and verified.
//!
//! `cargo bench -p quod-endgame --bench databases -- 17` takes slices of up to 17 stones (the default) on all cores.

use std::hint::black_box;
use std::time::Instant;

use quod_endgame::{BuildOptions, Databases, Form, SliceFile, build, verify};
use quod_games::Awari;
use quod_model::{Game, Index, Notation, Oracle, Slot};

fn main() {
    let stones = std::env::args().find_map(|word| word.parse().ok()).unwrap_or(17);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let game = Awari::default();
    let total: u64 = (0..=stones).map(|slice| game.slice_size(slice)).sum();
    println!("awari, 0 to {stones} stones: {total} positions, {threads} threads");
    for (form, threads) in [(Form::Plain, threads), (Form::Compressed, 1), (Form::Compressed, threads)] {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let begun = Instant::now();
        let options = BuildOptions { threads, form, ..BuildOptions::up_to(stones) };
        build(&game, dir.path(), &options, &mut |_| true).expect("it is built");
        let rate = total as f64 / begun.elapsed().as_secs_f64() / 1e6;
        let begun = Instant::now();
        let databases = Databases::open(dir.path(), &game).expect("it is there");
        let opened = begun.elapsed().as_secs_f64();
        if stones >= 16 {
            published_example(&game, &databases);
        }
        let bytes: u64 = databases.slices().iter().map(SliceFile::file_bytes).sum();
        let per_position = bytes as f64 / total as f64;
        println!(
            "{form:?}, {threads} threads: {rate:.2} million positions/s, {per_position:.4} bytes/position, opened in {opened:.2} s, {:.2} million probes/s",
            probes(&game, &databases, stones)
        );
        if threads > 1 {
            let begun = Instant::now();
            verify(&game, dir.path(), threads, &mut |_| true).expect("it is right");
            println!("  verified in {:.1} s", begun.elapsed().as_secs_f64());
        }
    }
}

/// The board that the literature gives with the values of its moves.
fn published_example(game: &Awari, databases: &Databases<Awari>) {
    let position = game.parse_position("1 1 1 1 1 2 / 4 2 3 0 0 0 S").expect("a position");
    let value = |position: &_| databases.value(game, position).map(|value| value.0);
    assert_eq!(value(&position), Some(0));
    let moves = (0..6).map(|pit| value(&game.after(&position, pit)));
    assert_eq!(moves.collect::<Vec<_>>(), [-1, -1, -2, -2, -2, 0].map(Some));
}

/// Random probes of the largest slice, by one thread, in millions a second.
fn probes(game: &Awari, databases: &Databases<Awari>, slice: u32) -> f64 {
    const COUNT: u32 = 2_000_000;
    let (size, begun) = (game.slice_size(slice), Instant::now());
    let mut state = 1u64;
    for _ in 0..COUNT {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let number = ((u128::from(state) * u128::from(size)) >> 64) as u64;
        black_box(databases.stored(Slot { slice, number }));
    }
    f64::from(COUNT) / begun.elapsed().as_secs_f64() / 1e6
}
