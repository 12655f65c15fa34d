//! Files of the documented format are read, and written the same again.

use std::path::PathBuf;
use std::time::Duration;

use quod_endgame::{BuildOptions, Checkpoints, Event, Form, Notice, SliceFile, build};
use quod_games::{Awari, TicTacToe};
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

/// A slice goes on from the checkpoint of the documented format, and ends as it should.
#[test]
#[cfg(target_endian = "little")]
fn the_golden_checkpoint_leads_to_its_slice() {
    let golden =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/formats/golden/database.checkpoint");
    let game = Awari::new(3, 2).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let [whole, dir, kept] = ["whole", "dir", "kept"].map(|name| folder.path().join(name));
    build(&game, &whole, &BuildOptions::up_to(4), &mut |_| true).unwrap();
    build(&game, &dir, &BuildOptions::up_to(3), &mut |_| true).unwrap();
    std::fs::create_dir(&kept).unwrap();
    let path = kept.join("0000000001.checkpoint");
    std::fs::copy(golden, &path).unwrap();
    let mut notices = Vec::new();
    let mut watch = |event| {
        if let Event::Notice(notice) = event {
            notices.push(notice);
        }
        true
    };
    let checkpoints = Some(Checkpoints { dir: kept, every: Duration::MAX });
    build(&game, &dir, &BuildOptions { checkpoints, ..BuildOptions::up_to(4) }, &mut watch).unwrap();
    assert_eq!(notices, [Notice::GoesOn { slice: 4, path }]);
    let slice = |dir: PathBuf| std::fs::read(dir.join("slice-004.quoddb")).unwrap();
    assert!(slice(dir) == slice(whole));
}
