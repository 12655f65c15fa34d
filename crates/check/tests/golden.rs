//! Golden files: certificates of all format versions stay readable for ever.

use std::path::PathBuf;

use quod_proof::{Certificate, CertificateFile};

fn golden(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/formats/golden").join(name)
}

#[test]
fn golden_files_are_read_and_accepted() {
    // One cites the databases of few stones: those are made here.
    let dir = tempfile::tempdir().unwrap();
    let small = quod_games::Awari::new(3, 2).unwrap();
    quod_endgame::build(&small, dir.path(), &quod_endgame::BuildOptions::up_to(4), &mut |_| true).unwrap();
    for (name, value) in [
        ("tictactoe", Some(0)),
        ("connect4-4x4-win", None),
        ("awari-3x2", Some(3)),
        ("qubic-3x3x3", Some(1)),
        ("qubic-loss", Some(-1)),
        ("gomoku-6-row4", Some(1)),
    ] {
        let file = std::fs::read(golden(&format!("{name}.quod"))).unwrap();
        let text = std::fs::read_to_string(golden(&format!("{name}.txt"))).unwrap();
        let certificate = Certificate::decode(&file).unwrap();
        assert_eq!(certificate.to_text(), text, "{name}");
        assert_eq!(Certificate::from_text(&text).unwrap(), certificate, "{name}");
        let game = quod_check::games().open(&certificate.game).unwrap();
        let checked = game.check(&CertificateFile::open(&file).unwrap(), Some(dir.path())).unwrap();
        assert_eq!(checked.exact.map(|(value, _)| value.0), value, "{name}");
    }
}
