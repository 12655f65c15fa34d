//! Mates of the published test set, node for node as the order of moves of the experiment gives them.
//!
//! The positions are no part of the project: they are read from `../shared/data` when that is there.

use std::path::{Path, PathBuf};

use quod_solver::{
    Aim, Algorithm, Cell, Compat, Measuring, Place, Positions, Request, Switches, games, tables,
};

/// Searches that take more nodes are left to `quod reproduce`.
const NODES_MAX: u64 = 50_000;

/// A position with the counts that were reached on trees and on graphs.
struct Mate {
    id: String,
    fen: String,
    tree: u64,
    graph: u64,
}

fn mates(text: &str) -> Vec<Mate> {
    let mate = |line: &str| {
        let word = |label: &str| {
            let rest = line.split(label).nth(1)?;
            Some(rest.split('"').next()?.trim().to_owned())
        };
        let count = |label: &str| word(label)?.parse().ok();
        let fen = line.split_whitespace().take(4).collect::<Vec<_>>().join(" ");
        let (tree, graph) = (count("proto_tree ")?, count("proto_dcg ")?);
        Some(Mate { id: word("id \"")?, fen, tree, graph })
    };
    text.lines().map(|line| mate(line).unwrap_or_else(|| panic!("{line}"))).collect()
}

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data")
}

#[test]
fn mates_take_the_nodes_that_the_order_of_the_experiment_gives() {
    let data = data();
    let read = |name: &str| std::fs::read_to_string(data.join(name));
    let (Ok(reinfeld), Ok(krabbe)) = (read("reinfeld82.epd"), read("krabbe_found.epd")) else {
        println!("skipped: {} has no reinfeld82.epd and krabbe_found.epd", data.display());
        return;
    };
    let game = games().open("chess").expect("a game");
    let mut compared = [0, 0];
    for mate in mates(&reinfeld).into_iter().chain(mates(&krabbe)) {
        let of_algorithms = [(Algorithm::Pn, mate.tree), (Algorithm::PnDcg, mate.graph)];
        for (at, (algorithm, reached)) in of_algorithms.into_iter().enumerate() {
            if reached > NODES_MAX {
                continue;
            }
            let switches = Switches { compat: Some(Compat::Breuker1994), ..Switches::default() };
            let request = Request { aim: Aim::AtLeast(1), algorithm, switches, ..Request::default() };
            let place = Place { position: Some(mate.fen.clone()), moves: None };
            let report = game.solve(&place, &request, &mut ()).expect("a right request").report;
            let told = (mate.id.as_str(), algorithm.name());
            assert_eq!((told, report.verdict, report.nodes), (told, "proven", reached));
            compared[at] += 1;
        }
    }
    assert_eq!(compared, [65, 69], "positions on trees and on graphs");
}

/// All figures of the tables, or those of some rows.
fn measured(table: &str, rows: &[&str], positions: Option<&Positions>) -> Vec<Cell> {
    let games = games();
    let rows: Vec<String> = rows.iter().map(|row| (*row).to_owned()).collect();
    let mut how = Measuring::new(&games);
    (how.rows, how.positions) = (&rows, positions);
    tables(table).flat_map(|table| table.measure(&how, &mut ())).collect()
}

#[test]
fn without_positions_the_tables_have_what_was_published() {
    for (table, cells, solved) in [
        ("schijf1993-5.1", 35 * 3, 26 + 26 + 29),
        ("schijf1993-B", 82 * 3, 81 * 3),
        ("breuker1994-3.1", 16, 12),
    ] {
        let all = measured(table, &[], None);
        assert_eq!(all.len(), cells, "{table}");
        assert_eq!(all.iter().filter(|cell| cell.published.is_some()).count(), solved, "{table}");
        assert!(all.iter().all(|cell| cell.measured.is_none()), "{table}");
    }
}

#[test]
fn the_tables_are_measured() {
    let Ok(positions) = Positions::read(&data(), &games()) else {
        println!("skipped: {} has no positions", data().display());
        return;
    };
    let figures = |table, rows: &[&str]| {
        let cells = measured(table, rows, Some(&positions)).into_iter();
        cells
            .filter_map(|cell| Some((cell.row, cell.column, cell.published?, cell.measured?)))
            .collect::<Vec<_>>()
    };
    for (table, rows, counts) in [
        ("schijf1993-5.1", &["k8", "k211"][..], vec![957, 831]),
        ("schijf1993-B", &["r1", "r35"], vec![7_640, 5_782, 527, 339]),
        ("breuker1994-3.1", &["total", "r217", "r253"], vec![271, 2_355]),
    ] {
        // Alpha-beta was a playing program, and ours is another.
        let (own, experiment): (Vec<_>, Vec<_>) = figures(table, rows)
            .into_iter()
            .filter(|(_, column, ..)| column != "alphabeta")
            .partition(|(_, column, ..)| column == "own");
        let exact: Vec<i64> = experiment.iter().map(|(.., measured)| *measured).collect();
        assert_eq!(exact, counts, "{table}: {experiment:?}");
        assert!(experiment.iter().all(|(.., published, measured)| published == measured), "{experiment:?}");
        assert!(own.iter().all(|(.., published, measured)| *measured < 4 * published), "{own:?}");
        assert_eq!(own.len(), counts.len() / 2 * usize::from(table != "breuker1994-3.1"), "{own:?}");
    }
}
