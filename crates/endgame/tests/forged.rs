//! Files that are whole and lie: their values are not those whose checksum they state.

use quod_endgame::{BuildOptions, Databases, Form, build, verify};
use quod_games::Awari;

#[test]
fn values_that_were_exchanged_are_found_out() {
    let game = Awari::new(3, 2).unwrap();
    let dir = tempfile::tempdir().unwrap();
    for form in [Form::Plain, Form::Compressed] {
        let dir = dir.path().join(format!("{form:?}"));
        build(&game, &dir, &BuildOptions { form, ..BuildOptions::up_to(6) }, &mut |_| true).unwrap();
        let open = || Databases::open(&dir, &game);
        open().unwrap().check_values().unwrap();
        // Every slice counts for the checksum that is cited.
        let mut checksums: Vec<_> =
            (1..=7).map(|slices| open().unwrap().limited(slices).checksum()).collect();
        checksums.sort_unstable();
        checksums.dedup();
        assert_eq!(checksums.len(), 7);
        let (mut opened, mut found) = (0, 0);
        let path = dir.join("slice-006.quoddb");
        let honest = std::fs::read(&path).unwrap();
        for at in 0..honest.len() - 32 {
            let mut forged = honest.clone();
            forged[at] ^= 1;
            let end = forged.len() - 32;
            let hash = *blake3::hash(&forged[..end]).as_bytes();
            forged[end..].copy_from_slice(&hash);
            std::fs::write(&path, forged).unwrap();
            let Ok(databases) = open() else { continue };
            opened += 1;
            let same = databases.checksum() == checksum(&game, &dir, &honest, &path);
            if databases.check_values().is_err() {
                found += 1;
            } else if same {
                // What was changed is no value: the counts of the summary, or bits that nobody reads.
                let values = |databases: &Databases<Awari>| {
                    let slots =
                        (0..databases.slices()[6].size()).map(|number| quod_model::Slot { slice: 6, number });
                    slots.map(|slot| databases.stored(slot)).collect::<Vec<_>>()
                };
                let found = values(&databases);
                drop(databases);
                std::fs::write(&path, &honest).unwrap();
                assert_eq!(found, values(&open().unwrap()), "{form:?}, byte {at}");
            }
        }
        assert!(opened > 100 && found * 2 > opened, "{found} of {opened}");
        std::fs::write(&path, &honest).unwrap();
        assert!(verify(&game, &dir, 1, &mut |_| true).unwrap().is_some());
    }
}

/// Counts are added up where people see them.
#[test]
fn counts_that_are_too_large_are_refused() {
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/formats/golden/tictactoe-6-plain.quoddb");
    let honest = std::fs::read(golden).unwrap();
    let read = |file: &[u8]| quod_endgame::SliceFile::of_bytes(std::path::Path::new("slice"), file);
    assert_eq!(read(&honest).unwrap().summary().positions(), 252);
    let counts = honest.len() - (5 * 8 + 2 * 32);
    for (at, byte) in [(0, 255), (7, 255), (8, 253), (15, 128)] {
        let mut forged = honest[..honest.len() - 32].to_vec();
        forged[counts + at] = byte;
        let hash = *blake3::hash(&forged).as_bytes();
        forged.extend(hash);
        let problem = read(&forged).err().expect("too many positions").to_string();
        assert!(problem.contains("counts more positions than it has"), "{problem}");
    }
}

/// What is cited of the honest files; the forged one is put back.
fn checksum(game: &Awari, dir: &std::path::Path, honest: &[u8], path: &std::path::Path) -> [u8; 32] {
    let forged = std::fs::read(path).expect("files of our own");
    std::fs::write(path, honest).expect("files of our own");
    let checksum = Databases::open(dir, game).expect("files of our own").checksum();
    std::fs::write(path, forged).expect("files of our own");
    checksum
}
