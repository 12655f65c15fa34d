//! The experiment that made proof-number search known (Allis, van der Meulen and van den Herik 1994), again.

use std::path::Path;

use quod_games::{Awari, awari};
use quod_model::{Game, Notation};
use quod_solver::{
    Algorithm, Cell, CertificateFile, CheckError, DatabaseRequest, Door, Limits, Measuring, Place, Request,
    games, tables,
};

fn build(dir: &Path, stones: u32) {
    let request = DatabaseRequest::up_to(stones);
    let built = games().open("awari").expect("a game").build_database(dir, &request, &mut |_| true);
    assert!(!built.expect("it is built").stopped);
}

fn measured(table: &str, dir: &Path, columns: &[&str], rows: &[&str]) -> Vec<Cell> {
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<String>>();
    let (games, columns, rows) = (games(), words(columns), words(rows));
    let mut how = Measuring::new(&games);
    (how.columns, how.rows, how.databases) = (&columns, &rows, Some(dir));
    let table = tables(table).next().expect("a table");
    table.measure(&how, &mut ()).into_iter().filter(|cell| cell.measured.is_some()).collect()
}

fn position(plies: usize) -> Place {
    let game = Awari::default();
    let (mut position, mut words) = (game.start(), Vec::new());
    for word in game.split_moves(awari::GAME_5).into_iter().take(plies) {
        let mv = game.parse_move(&position, word).expect("the game is printed right");
        words.push(game.move_text(&position, mv));
        position = game.after(&position, mv);
    }
    Place { position: None, moves: Some(words.join(" ")) }
}

/// Table 1, the rows that take seconds: every count is the published one, but for estimates.
#[test]
fn counts_are_those_of_the_paper() {
    let dir = tempfile::tempdir().expect("a folder");
    build(dir.path(), 13);
    let rows = [
        "55N", "55S", "54N", "54S", "53N", "53S", "52N", "52S", "51N", "51S", "50N", "50S", "49N", "49S",
        "48N", "46S", "45N",
    ];
    let cells = measured("allis1994-1", dir.path(), &["pn"], &rows);
    assert_eq!(cells.len(), 3 * rows.len());
    let (mut exact, mut estimated) = (0, 0);
    for cell in cells {
        let plain = cell.column != "pn_max_tree" || rows[..11].contains(&cell.row.as_str());
        if plain {
            assert_eq!(cell.measured, cell.published, "{cell:?}");
            exact += 1;
        } else {
            // The estimates are samples, so never above the truth.
            let ratio = cell.measured.unwrap_or(0) as f64 / cell.published.unwrap_or(0) as f64;
            assert!((1.0..1.06).contains(&ratio), "{cell:?}");
            estimated += 1;
        }
    }
    assert_eq!((exact, estimated), (45, 6));
    let alphabeta = measured("allis1994-1", dir.path(), &["alphabeta"], &rows[..7]);
    assert_eq!(alphabeta.len(), 2 * 7);
    for cell in alphabeta {
        if cell.column == "alphabeta" {
            assert_eq!(cell.measured, cell.published, "{cell:?}");
        }
    }
    // Classes of figure 13, from the same figures.
    let figure = measured("allis1994-figure13", dir.path(), &["alphabeta", "pn"], &rows[..6]);
    let of = |column| figure.iter().filter(move |cell| cell.column == column);
    assert_eq!(of("positions").map(|cell| cell.measured.unwrap_or(0)).sum::<i64>(), 6);
    assert!(of("pn_sum").count() > 3);
    // Games 1 to 4 are not printed.
    assert!(measured("allis1994-2", dir.path(), &[], &[]).is_empty());
}

/// The hardest position of the table: its value, with a certificate that cites the database and falls with it.
#[test]
fn the_certificate_of_41_north_cites_its_database() {
    let dir = tempfile::tempdir().expect("a folder");
    build(dir.path(), 14);
    let mut game = games().open("awari").expect("a game");
    let cited = game.lean_on(dir.path(), Some(14)).expect("databases");
    let request = Request { algorithm: Algorithm::PnGraph, certificate: true, ..Request::default() };
    let solution = game.solve(&position(81), &request, &mut ()).expect("a right request");
    // North is eleven stones ahead and loses five of them.
    assert_eq!(solution.report.value, Some(6));
    let file = solution.certificate.expect("a certificate").encode();
    let certificate = CertificateFile::open(&file).expect("it was just written");
    let checked = game.check(&certificate, &mut |_| true).expect("accepted");
    assert_eq!((checked.leans_on, checked.exact.map(|(value, _)| value.0)), (Some(cited), Some(6)));

    let check_with = |slices: Option<u32>| -> Result<_, String> {
        let mut game: Box<dyn Door> = games().open("awari").expect("a game");
        game.lean_on(dir.path(), slices).map_err(|error| error.to_string())?;
        game.check(&certificate, &mut |_| true).map_err(|error| {
            assert!(error.is_refusal(), "{error}");
            error.to_string()
        })
    };
    assert!(check_with(Some(14)).is_ok());
    // Another database, be it a larger one, is not the one that is cited.
    assert!(check_with(None).expect_err("refused").contains("at hand is"));
    // Without any, nothing can be said.
    let without = games().open("awari").expect("a game").check(&certificate, &mut |_| true);
    assert!(matches!(without, Err(CheckError::DatabaseMissing(_))));
    let slice = dir.path().join("slice-009.quoddb");
    let mut bytes = std::fs::read(&slice).expect("a file");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&slice, bytes).expect("it can be written");
    let error = check_with(Some(14)).expect_err("an altered database");
    assert!(error.contains("slice-009"), "{error}");
}

/// Section 7.3, and our own search on table 1 with a database of seventeen stones.
#[test]
fn with_seventeen_stones() {
    let dir = tempfile::tempdir().expect("a folder");
    build(dir.path(), 17);
    let replay = measured("allis1994-7.3", dir.path(), &[], &[]);
    let figures: Vec<_> = replay.iter().map(|cell| cell.measured).collect();
    assert_eq!(figures, [Some(276_125), Some(137_403)], "nodes, and nodes held");
    let own = measured("allis1994-1", dir.path(), &["own"], &[]);
    assert_eq!(own.len(), 29);
    let sum = |figure: fn(&Cell) -> Option<i64>| own.iter().filter_map(figure).sum::<i64>();
    let (ours, published) = (sum(|cell| cell.measured), sum(|cell| cell.published));
    println!("{ours} nodes, published {published}");
    assert!(ours * 50 < published, "{ours} nodes, published {published}");

    // Whatever searches, within limits, agrees on a value.
    let mut game = games().open("awari").expect("a game");
    game.lean_on(dir.path(), None).expect("databases");
    let limits = Limits { nodes: Some(3_000_000), ..Limits::default() };
    for algorithm in [Algorithm::Auto, Algorithm::Pn, Algorithm::PnDag, Algorithm::Dfpn, Algorithm::Pn2] {
        let request = Request { algorithm, limits, ..Request::default() };
        let report = game.solve(&position(104), &request, &mut ()).expect("a right request").report;
        assert_eq!(report.value, Some(0), "{algorithm:?}");
    }
}
