//! Published tables, published figures beside measured ones.
//!
//! The figures are in `data/`. Counting: Saffidine and Cazenave count descents, which are expansions but for
//! the root's; Schijf counts nodes with the root, and averages over random orders of children.

use serde::Serialize;

use crate::door::{Games, Place};
use crate::drive::Watch;
use crate::report::{Report, Stop};
use crate::request::{Aim, Algorithm, Compat, Init, Order, Request, Switches, Update};

const CONNECT4: &str = include_str!("../data/saffidine2011_connect4.csv");
const TICTACTOE: &str = include_str!("../data/schijf1993_tictactoe.csv");
/// The thesis averages over a hundred experiments; ten times as many leave only its own chance in the comparison.
const SEEDS: u64 = 1000;

/// A figure of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Cell {
    /// The table's name.
    pub table: &'static str,
    /// The row's name.
    pub row: String,
    /// The column's name.
    pub column: String,
    /// What was published.
    pub published: Option<u64>,
    /// What was measured now; nothing if it was not run or cannot be.
    pub measured: Option<u64>,
}

/// A published table.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// The name to ask for.
    pub name: &'static str,
    /// What it shows.
    pub title: &'static str,
    /// What must be known to compare.
    pub remark: &'static str,
    measure: Measure,
}

type Measure = fn(&Games, &'static str, &mut dyn Watch) -> Vec<Cell>;

const CONNECT4_REMARK: &str = "pns_ge_draw of 5x3 with mobility is misprinted (131,595), and so is its sum; \
    the gpns column has no search here yet";
const TICTACTOE_REMARK: &str = "averages of 1,000 random orders; the thesis took 100, whose \
    standard error is about 1 % of the nodes and of the updates";

/// All tables whose names begin with `prefix`.
pub fn tables(prefix: &str) -> impl Iterator<Item = Table> {
    let all: [(_, _, _, Measure); 6] = [
        ("saffidine2011-1", "Connect Four: descents, leaf numbers 1", CONNECT4_REMARK, connect4),
        ("saffidine2011-2", "Connect Four: descents, leaf numbers by mobility", CONNECT4_REMARK, connect4),
        ("schijf1993-4.1", "Tic-tac-toe, first player wins? Nodes", TICTACTOE_REMARK, tictactoe),
        ("schijf1993-4.2", "Tic-tac-toe: updates up to the root", TICTACTOE_REMARK, tictactoe),
        ("schijf1993-4.3", "Tic-tac-toe: updates with early stop", TICTACTOE_REMARK, tictactoe),
        ("schijf1993-A.1", "Tic-tac-toe: nodes, symmetric positions joined", TICTACTOE_REMARK, tictactoe),
    ];
    all.into_iter()
        .filter(move |(name, ..)| name.starts_with(prefix))
        .map(|(name, title, remark, measure)| Table { name, title, remark, measure })
}

impl Table {
    /// Measures the table. `watch` may stop it; what was not run is then missing.
    pub fn measure(&self, games: &Games, watch: &mut dyn Watch) -> Vec<Cell> {
        (self.measure)(games, self.name, watch)
    }
}

/// A search without limits; nothing if it was interrupted.
fn search(games: &Games, game: &str, request: Request, watch: &mut dyn Watch) -> Option<Report> {
    let game = games.open(game).expect("the tables name games of their own");
    let solution = game.solve(&Place::default(), &request, watch).expect("the tables' requests are right");
    (solution.report.stop == Stop::Solved).then_some(solution.report)
}

fn pn(aim: Aim, switches: Switches) -> Request {
    Request { aim, algorithm: Algorithm::Pn, switches, ..Request::default() }
}

fn connect4(games: &Games, table: &'static str, watch: &mut dyn Watch) -> Vec<Cell> {
    let (name, init) =
        if table == "saffidine2011-1" { ("one", Init::One) } else { ("mobility", Init::Mobility) };
    let mut lines = CONNECT4.lines();
    let columns: Vec<&str> = lines.next().expect("a first line").split(',').collect();
    let mut cells = Vec::new();
    for line in lines {
        let fields: Vec<&str> = line.split(',').collect();
        if fields[0] != name {
            continue;
        }
        let mut descents = |aim| {
            let request = pn(aim, Switches { init: Some(init), ..Switches::default() });
            let report = search(games, &format!("connect4:{}", fields[1]), request, watch)?;
            Some(report.expansions - 1)
        };
        let le = descents(Aim::AtLeast(1));
        let ge = descents(Aim::AtLeast(0));
        let sum = le.zip(ge).map(|(le, ge)| le + ge);
        for ((column, published), measured) in columns.iter().zip(&fields).skip(2).zip([le, ge, sum, None]) {
            let published = published.parse().ok();
            let (row, column) = (fields[1].to_owned(), (*column).to_owned());
            cells.push(Cell { table, row, column, published, measured });
        }
    }
    cells
}

fn tictactoe(games: &Games, table: &'static str, watch: &mut dyn Watch) -> Vec<Cell> {
    let number = table.rsplit('-').next().expect("a table has a name");
    let updates = matches!(number, "4.2" | "4.3");
    let update = if number == "4.2" { Update::Full } else { Update::Early };
    let mut average = |algorithm, symmetric| {
        let mut sum = 0;
        for seed in 1..=SEEDS {
            let switches = Switches {
                order: Some(Order::Random(seed)),
                update: Some(update),
                symmetry: (algorithm == Algorithm::PnDag).then_some(symmetric),
                compat: symmetric.then_some(Compat::Schijf1993),
                ..Switches::default()
            };
            let request = Request { aim: Aim::AtLeast(1), algorithm, switches, ..Request::default() };
            let report = search(games, "tictactoe", request, watch)?;
            // Nothing is deleted: what is held at the end is what was created.
            sum += if updates { report.updates } else { report.peak_nodes };
        }
        Some((sum + SEEDS / 2) / SEEDS)
    };
    let rows = TICTACTOE.lines().skip(1).map(|line| line.split(',').collect::<Vec<_>>());
    rows.filter(|fields| fields[0] == number)
        .map(|fields| Cell {
            table,
            row: "average".to_owned(),
            column: fields[1].to_owned(),
            published: fields[2].parse().ok(),
            measured: match fields[1] {
                "tree" => average(Algorithm::Pn, false),
                "dag" => average(Algorithm::PnDag, false),
                "symmetric" => average(Algorithm::PnDag, true),
                _ => None,
            },
        })
        .collect()
}
