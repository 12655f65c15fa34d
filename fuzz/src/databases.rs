//! Files of endgame databases, with the checksum that they have and with a right one.

use std::path::Path;
use std::sync::LazyLock;

use quod_endgame::{BuildOptions, Databases, Form, SliceFile, Summary, build};
use quod_games::{Awari, TicTacToe};
use quod_model::{Notation, Slot};
use quod_proof::testkit::sealed;

use crate::message;

/// Numbers that are looked up in a file.
const NUMBERS_MAX: u64 = 1 << 12;
/// The last slice of the games that files are tried with.
const LAST: u32 = 3;

/// A game and the honest files of its first slices.
struct Honest<G> {
    game: G,
    files: Vec<Vec<u8>>,
}

static TICTACTOE: LazyLock<Honest<TicTacToe>> = LazyLock::new(|| Honest::new(TicTacToe));
static AWARI: LazyLock<Honest<Awari>> =
    LazyLock::new(|| Honest::new(Awari::new(3, 2).expect("a board that there is")));

/// Tries bytes as a file, and as the content of one whose checksum is right.
pub(crate) fn check(data: &[u8]) {
    check_whole(data);
    check_whole(&sealed(data));
}

fn read(file: &[u8]) -> Result<SliceFile, quod_endgame::Error> {
    SliceFile::of_bytes(Path::new("slice"), file)
}

fn check_whole(file: &[u8]) {
    let slice = match read(file) {
        Ok(slice) => slice,
        Err(error) => return message::check(&error.to_string()),
    };
    let Summary { won, drawn, lost, .. } = slice.summary();
    assert!(won + drawn + lost == slice.summary().positions() && slice.summary().positions() <= slice.size());
    let most = match slice.form() {
        Form::Plain => slice.file_bytes(),
        // 64 values take two bytes at the least.
        Form::Compressed => 32 * slice.file_bytes(),
    };
    assert!(slice.size() <= most, "a small file claims {} values", slice.size());
    let middle = slice.size() / 2;
    let some = (0..slice.size().min(NUMBERS_MAX))
        .chain(slice.size().checked_sub(1))
        .chain((slice.size() > 0).then_some(middle));
    for number in some {
        assert!((-128..=127).contains(&slice.value(number)));
    }
    TICTACTOE.check(file, slice.slice());
    AWARI.check(file, slice.slice());
}

impl<G: Notation> Honest<G> {
    fn new(game: G) -> Self {
        let dir = tempfile::tempdir().expect("a folder");
        build(&game, dir.path(), &BuildOptions { threads: 1, ..BuildOptions::up_to(LAST) }, &mut |_| true)
            .expect("a small database");
        let bytes = |slice| {
            std::fs::read(dir.path().join(format!("slice-{slice:03}.quoddb"))).expect("a file of ours")
        };
        Self { files: (0..=LAST).map(bytes).collect(), game }
    }

    /// The files with one exchanged, if it can be.
    fn with(&self, file: &[u8], slice: u32) -> Option<Databases<G>> {
        let number = slice as usize;
        let files = self.files.iter().take(number).map(Vec::as_slice).chain([file]);
        let slices = files.map(|file| read(file).ok()).collect::<Option<Vec<_>>>()?;
        Databases::of_slices(slices, &self.game).ok()
    }

    /// Values that are cited are the honest ones: a file may state the checksum of others, but then it is found out.
    fn check(&self, file: &[u8], slice: u32) {
        let Some(honest) = self.files.get(slice as usize) else { return };
        let Some(databases) = self.with(file, slice) else { return };
        let values_are_right = databases.check_values();
        let Some(honest) = self.with(honest, slice) else { panic!("our own file cannot be read") };
        if values_are_right.is_ok() && databases.checksum() == honest.checksum() {
            for number in 0..databases.slices()[slice as usize].size() {
                let slot = Slot { slice, number };
                assert_eq!(databases.stored(slot), honest.stored(slot), "another value under one checksum");
            }
        }
    }
}
