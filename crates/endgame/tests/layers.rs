//! Databases of random games with circles, judged by the exhaustive truth.

use std::path::Path;

use quod_endgame::{BuildOptions, Databases, Error, Form, SliceFile, build, verify};
use quod_model::testkit::{Layers, Truth};
use quod_model::{Game, Index, Oracle, Slot};

fn games() -> impl Iterator<Item = Layers> {
    (0..300).map(|seed| Layers::random(seed, 1 + seed as u32 % 5, 5 + seed % 60))
}

fn options(game: &Layers) -> BuildOptions {
    BuildOptions::up_to(game.slices() - 1)
}

/// Every position of every slice has the value that the truth has, with the sides exchanged and with something made before, too.
fn judge(game: &Layers, dir: &Path) {
    let databases = Databases::open(dir, game).expect("it was built");
    for slice in 0..game.slices() {
        for number in 0..game.slice_size(slice) {
            let Some(position) = game.at_slot(Slot { slice, number }) else { continue };
            let truth = Truth::new(game, &position);
            for (position, value) in truth.iter() {
                assert_eq!(databases.value(game, position), Some(value), "{position:?} of {game:?}");
            }
        }
    }
}

#[test]
fn values_are_the_true_ones() {
    for game in games() {
        let dir = tempfile::tempdir().unwrap();
        build(&game, dir.path(), &options(&game), &mut |_| true).unwrap();
        judge(&game, dir.path());
        let numbers = (0..game.slices()).map(|slice| game.slice_size(slice)).sum();
        assert_eq!(verify(&game, dir.path(), 1, &mut |_| true).unwrap(), Some(numbers));
    }
}

#[test]
fn short_lists_change_nothing() {
    for game in games().take(100) {
        let dir = tempfile::tempdir().unwrap();
        let options = BuildOptions { list_max: 1, form: Form::Plain, ..options(&game) };
        build(&game, dir.path(), &options, &mut |_| true).unwrap();
        judge(&game, dir.path());
    }
}

fn files(dir: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = std::fs::read_dir(dir).expect("it is there").flatten();
    let read = |path| std::fs::read(path).expect("it can be read");
    let mut files: Vec<_> =
        entries.map(|entry| (entry.file_name().to_string_lossy().into_owned(), read(entry.path()))).collect();
    files.sort();
    files
}

#[test]
fn threads_write_the_same_bytes() {
    let game = Layers::random(7, 3, 100_000);
    let built = [1, 2, 5].map(|threads| {
        let dir = tempfile::tempdir().unwrap();
        let options = BuildOptions { threads, list_max: 100, ..options(&game) };
        build(&game, dir.path(), &options, &mut |_| true).unwrap();
        files(dir.path())
    });
    assert_eq!(built[0].len(), 3);
    assert!(built[0] == built[1] && built[0] == built[2]);
}

#[test]
fn both_forms_hold_the_same_values() {
    let game = Layers::random(8, 3, 50_000);
    let dirs = [Form::Plain, Form::Compressed].map(|form| {
        let dir = tempfile::tempdir().unwrap();
        build(&game, dir.path(), &BuildOptions { form, ..options(&game) }, &mut |_| true).unwrap();
        dir
    });
    let [plain, compressed] = dirs.each_ref().map(|dir| Databases::open(dir.path(), &game).unwrap());
    assert_eq!(plain.checksum(), compressed.checksum());
    for (plain, compressed) in plain.slices().iter().zip(compressed.slices()) {
        assert_eq!((plain.form(), compressed.form()), (Form::Plain, Form::Compressed));
        assert_eq!(plain.summary(), compressed.summary());
        for number in 0..plain.size() {
            assert_eq!(plain.value(number), compressed.value(number));
        }
    }
}

#[test]
fn a_stopped_build_goes_on_and_ends_the_same() {
    let game = Layers::random(9, 4, 20_000);
    let whole = tempfile::tempdir().unwrap();
    build(&game, whole.path(), &options(&game), &mut |_| true).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let (mut stops, mut calls_max) = (0, 0);
    loop {
        let mut calls = 0;
        let mut watch = |_| {
            calls += 1;
            calls <= calls_max
        };
        let built = build(&game, dir.path(), &options(&game), &mut watch).unwrap();
        assert!(files(dir.path()).iter().all(|(name, _)| name.ends_with(".quoddb")), "nothing is left over");
        if !built.stopped {
            assert_eq!(built.built + built.kept, 4);
            break;
        }
        stops += 1;
        calls_max += 3;
    }
    assert!(stops > 3);
    assert!(files(whole.path()) == files(dir.path()));
    let again = build(&game, dir.path(), &options(&game), &mut |_| panic!("there is nothing to do")).unwrap();
    assert_eq!((again.built, again.kept), (0, 4));
}

#[test]
fn every_altered_byte_is_refused_and_mended() {
    let game = Layers::random(10, 2, 300);
    for form in [Form::Plain, Form::Compressed] {
        let dir = tempfile::tempdir().unwrap();
        let options = BuildOptions { form, ..options(&game) };
        build(&game, dir.path(), &options, &mut |_| true).unwrap();
        let path = dir.path().join("slice-001.quoddb");
        let whole = std::fs::read(&path).unwrap();
        for place in 0..whole.len() {
            let mut altered = whole.clone();
            altered[place] ^= 1 << (place % 8);
            std::fs::write(&path, &altered).unwrap();
            assert!(SliceFile::open(&path).is_err(), "byte {place}");
            std::fs::write(&path, &whole[..place]).unwrap();
            assert!(Databases::open(dir.path(), &game).is_err(), "cut off at {place}");
        }
        assert_eq!(build(&game, dir.path(), &options, &mut |_| true).unwrap().built, 1);
        assert!(std::fs::read(&path).unwrap() == whole);
    }
}

#[test]
fn what_is_missing_is_said() {
    let game = Layers::random(11, 4, 50);
    let dir = tempfile::tempdir().unwrap();
    assert!(matches!(Databases::open(dir.path(), &game), Err(Error::Nothing { .. })));
    let too_many = build(&game, dir.path(), &BuildOptions::up_to(4), &mut |_| true).unwrap_err();
    assert_eq!(too_many.to_string(), "slice 4: the slices of layers are 0 to 3");
    build(&game, dir.path(), &BuildOptions::up_to(1), &mut |_| true).unwrap();
    let databases = Databases::open(dir.path(), &game).unwrap();
    assert_eq!(databases.slices().len(), 2);
    assert_eq!(databases.value(&game, &game.start()), None);
    assert!(databases.stored(Slot { slice: 2, number: 0 }).is_none());
    let options = BuildOptions { memory_bytes_max: Some(1000), ..options(&game) };
    let memory = build(&game, dir.path(), &options, &mut |_| true).unwrap_err();
    assert_eq!(memory.to_string(), "slice 2 takes 4.0 MiB of memory to build, 0.0 MiB are allowed");
    // A slice above a gap is not opened.
    let (from, to) = (dir.path().join("slice-001.quoddb"), dir.path().join("slice-003.quoddb"));
    std::fs::copy(&from, &to).unwrap();
    assert_eq!(Databases::open(dir.path(), &game).unwrap().slices().len(), 2);
    // A renamed one is noticed.
    std::fs::copy(&from, dir.path().join("slice-002.quoddb")).unwrap();
    let renamed = Databases::open(dir.path(), &game).err().unwrap();
    assert!(renamed.to_string().ends_with("it holds slice 1, not 2: it was renamed"), "{renamed}");
}
