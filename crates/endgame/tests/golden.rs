//! Files of the documented format are read, and written the same again.

use std::path::PathBuf;

use quod_endgame::{BuildOptions, Form, SliceFile, build};
use quod_games::TicTacToe;
use quod_model::testkit::Truth;
use quod_model::{Game, Index};

#[test]
fn golden_files_stay_what_they_are() {
    for (form, name) in [(Form::Plain, "plain"), (Form::Compressed, "compressed")] {
        let golden = format!("../../docs/formats/golden/tictactoe-6-{name}.quoddb");
        let golden = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(golden);
        let dir = tempfile::tempdir().unwrap();
        let options = BuildOptions { form, ..BuildOptions::up_to(6) };
        build(&TicTacToe, dir.path(), &options, &mut |_| true).unwrap();
        let written = std::fs::read(dir.path().join("slice-006.quoddb")).unwrap();
        assert!(std::fs::read(&golden).unwrap() == written, "{}", golden.display());

        let file = SliceFile::open(&golden).unwrap();
        assert_eq!((file.game(), file.rules_version(), file.slice(), file.size()), ("tictactoe", 1, 6, 252));
        let mut positions = 0;
        for (position, value) in Truth::new(&TicTacToe, &TicTacToe.start()).iter() {
            let slot = TicTacToe.slot(position).unwrap();
            if slot.slice == 6 {
                positions += 1;
                assert_eq!(file.value(slot.number), value.seen_by(TicTacToe.to_move(position)).0);
            }
        }
        assert_eq!(positions, file.summary().positions());
    }
}
