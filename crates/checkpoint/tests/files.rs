//! Files that come back as they were written, or not at all; folders that keep two of them.

use std::path::{Path, PathBuf};

use quod_checkpoint::{Failure, Folder, Reader, Taken, Writer};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

fn written(numbers: &[u32], text: &str) -> Vec<u8> {
    let mut file = Vec::new();
    let mut writer = Writer::new(&mut file).expect("memory can be written");
    writer.item(7u64).expect("memory can be written");
    writer.items(numbers).expect("memory can be written");
    writer.flag(true).expect("memory can be written");
    writer.text(text).expect("memory can be written");
    let bytes = writer.end().expect("memory can be written");
    assert_eq!(bytes, file.len() as u64);
    file
}

fn read(file: &[u8]) -> Result<(u64, Vec<u32>, bool, String), Failure> {
    let mut reader = Reader::new(file, file.len() as u64)?;
    let read = (reader.item()?, reader.items()?, reader.flag()?, reader.text()?);
    reader.end()?;
    Ok(read)
}

#[test]
fn what_was_written_comes_back() {
    for count in [0, 1, 1000, 262_140, 262_144, 262_145, 1_000_000] {
        let numbers: Vec<u32> = (0..count).collect();
        let file = written(&numbers, "as it was");
        assert_eq!(read(&file).expect("it is good"), (7, numbers, true, "as it was".to_owned()));
    }
}

#[test]
fn every_altered_missing_or_added_byte_is_noticed() {
    let file = written(&[1, 2, 3, 4], "text");
    assert!(read(&file).is_ok());
    for at in 0..file.len() {
        let mut altered = file.clone();
        altered[at] ^= 0x10;
        let checked = Reader::new(&altered[..], altered.len() as u64).and_then(Reader::check);
        assert!(checked.is_err() && read(&altered).is_err(), "byte {at}");
        let short = Reader::new(&file[..at], at as u64).and_then(Reader::check);
        assert!(short.is_err(), "{at} bytes");
    }
    let longer = [&file[..], &[0]].concat();
    assert!(Reader::new(&longer[..], longer.len() as u64).and_then(Reader::check).is_err());
}

#[test]
fn frames_that_change_places_are_noticed() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let numbers: Vec<u32> = (0..1 << 20).map(|_| random.random()).collect();
    let file = written(&numbers, "");
    // The first two whole frames are as long as each other.
    let frame = 12 + (1 << 20);
    let swapped =
        [&file[..16], &file[16 + frame..16 + 2 * frame], &file[16..16 + frame], &file[16 + 2 * frame..]];
    let checked = |file: &[u8]| {
        Reader::new(file, file.len() as u64).and_then(Reader::check).map_err(|error| error.to_string())
    };
    assert_eq!(checked(&file), Ok(()));
    assert_eq!(checked(&swapped.concat()), Err("it is damaged: the checksum of frame 0 is wrong".to_owned()));
}

#[test]
fn other_formats_are_named() {
    let mut file = written(&[], "");
    file[12] += 1;
    let error = read(&file).expect_err("another format").to_string();
    assert_eq!(error, "it has format 3, and this program reads format 2");
}

fn put(folder: &mut Folder, number: u64) {
    assert!(matches!(folder.write(|writer| writer.item(number)), Ok(Taken::Bytes(_))));
    folder.wait().expect("it is flushed");
}

fn newest(folder: &mut Folder) -> (u64, usize) {
    let mut found = folder.newest().expect("there is one");
    (found.reader.item().expect("a number"), found.damaged.len())
}

fn files(path: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(path).expect("a folder");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "checkpoint"));
    files.sort();
    files
}

#[test]
fn two_generations_stay_and_a_damaged_one_falls_back() {
    let temporary = tempfile::tempdir().expect("a folder");
    let path = temporary.path().join("made");
    let mut folder = Folder::open(&path).expect("it is made");
    assert!(
        folder.is_empty().expect("it can be read") && matches!(folder.newest(), Err(Failure::Nothing(_)))
    );
    assert!(matches!(Folder::open(&path), Err(Failure::InUse(_))));
    for number in 1..=5 {
        put(&mut folder, number);
        assert_eq!(files(&path).len(), 2.min(number as usize));
    }
    drop(folder);
    let damage = |file: &Path| {
        let mut bytes = std::fs::read(file).expect("a file");
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        std::fs::write(file, bytes).expect("it can be written");
    };
    damage(&files(&path)[1]);
    let mut folder = Folder::open(&path).expect("nobody has it");
    assert_eq!(newest(&mut folder), (4, 1));
    // The next one takes the place of the damaged one, and the good one stays.
    put(&mut folder, 6);
    assert_eq!((newest(&mut folder), files(&path).len()), ((6, 0), 2));
    for file in files(&path) {
        damage(&file);
    }
    assert!(matches!(folder.newest(), Err(Failure::Useless(_, problems)) if problems.len() == 2));
}

/// Files of others are left alone.
#[test]
fn other_names_are_no_checkpoints() {
    let temporary = tempfile::tempdir().expect("a folder");
    let others = ["7.checkpoint", "18446744073709551615.checkpoint", "a.checkpoint", "0000000003.part"];
    for other in others {
        std::fs::write(temporary.path().join(other), "").expect("it can be written");
    }
    std::fs::create_dir(temporary.path().join("0000000099.checkpoint")).expect("it can be made");
    let mut folder = Folder::open(temporary.path()).expect("a folder");
    assert!(folder.is_empty().expect("it can be read"));
    (1..=4).for_each(|number| put(&mut folder, number));
    assert_eq!(newest(&mut folder), (4, 0));
    assert!(others[..3].iter().all(|other| temporary.path().join(other).exists()));
}

#[test]
fn what_cannot_be_written_leaves_what_is_good() {
    let temporary = tempfile::tempdir().expect("a folder");
    let mut folder = Folder::open(temporary.path()).expect("a folder");
    put(&mut folder, 1);
    let full = folder.write(|writer| {
        writer.items(&[0u64; 1 << 18])?;
        Err(std::io::ErrorKind::StorageFull.into())
    });
    assert!(full.is_err_and(|error| error.to_string().starts_with("cannot write")));
    assert_eq!((newest(&mut folder), files(temporary.path()).len()), ((1, 0), 1));
    // Not even what was begun is left; there is the lock beside it.
    assert_eq!(std::fs::read_dir(temporary.path()).expect("a folder").count(), 2);
    // A folder that has vanished.
    std::fs::remove_dir_all(temporary.path()).expect("it can be removed");
    assert!(folder.write(|writer| writer.item(2u64)).is_err());
    std::fs::create_dir(temporary.path()).expect("it can be made");
    put(&mut folder, 3);
    assert_eq!(newest(&mut folder), (3, 0));
}

#[test]
fn nothing_is_left_when_the_work_is_done() {
    let temporary = tempfile::tempdir().expect("a folder");
    let mut folder = Folder::open(temporary.path()).expect("a folder");
    (1..=3).for_each(|number| put(&mut folder, number));
    std::fs::write(temporary.path().join("0000000009.part"), "killed").expect("it can be written");
    // One that is still being flushed goes too, and other files stay.
    assert!(matches!(folder.write(|writer| writer.item(4u64)), Ok(Taken::Bytes(_))));
    std::fs::write(temporary.path().join("notes.txt"), "mine").expect("it can be written");
    folder.clear().expect("it can be cleared");
    assert!(folder.is_empty().expect("it can be read"));
    assert_eq!(std::fs::read_dir(temporary.path()).expect("a folder").count(), 2);
    put(&mut folder, 5);
    assert_eq!(newest(&mut folder), (5, 0));
}
