//! Published tables, published figures beside measured ones.
//!
//! The figures are in `data/`. Counting: Saffidine and Cazenave count descents, which are expansions but for
//! the root's; Schijf counts nodes with the root, and averages over random orders of children.

use std::collections::BTreeMap;

use quod_model::Relative;
use quod_search::Interval;
use serde::Serialize;

use crate::door::{Games, Place};
use crate::drive::Watch;
use crate::report::{Report, Stop};
use crate::request::{Aim, Algorithm, Compat, Init, Many, Order, Request, Switches, Update};

const CONNECT4: &str = include_str!("../data/saffidine2011_connect4.csv");
const WOODPUSH: &str = include_str!("../data/saffidine2011_woodpush.csv");
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
    pub published: Option<i64>,
    /// What was measured now; nothing if it was not run or cannot be.
    pub measured: Option<i64>,
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
    gpns is measured with Algorithm 1 as it is printed, with which its published figures do not come out; own is \
    mopn, own_dag is mopn-dag";
const WOODPUSH_REMARK: &str = "outcomes from -16 to 16, as in the experiment; gpns is measured with Algorithm 1 as it is \
    printed, with which its published figures do not come out; pns_dichotomic of 11 with mobility comes out as 603,951; \
    own (mopn) and own_dag (mopn-dag) know that outcomes are -2 to 2";
const TICTACTOE_REMARK: &str = "averages of 1,000 random orders; the thesis took 100, whose \
    standard error is about 1 % of the nodes and of the updates";

/// All tables whose names begin with `prefix`.
pub fn tables(prefix: &str) -> impl Iterator<Item = Table> {
    let all: [(_, _, _, Measure); 8] = [
        ("saffidine2011-1", "Connect Four: descents, leaf numbers 1", CONNECT4_REMARK, many_outcomes),
        (
            "saffidine2011-2",
            "Connect Four: descents, leaf numbers by mobility",
            CONNECT4_REMARK,
            many_outcomes,
        ),
        ("saffidine2011-3", "Woodpush: descents, leaf numbers 1", WOODPUSH_REMARK, many_outcomes),
        ("saffidine2011-4", "Woodpush: descents, leaf numbers by mobility", WOODPUSH_REMARK, many_outcomes),
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

/// The tables of Saffidine and Cazenave: what each column counts, for one board.
struct Descents<'a> {
    games: &'a Games,
    /// The problem as it was published.
    game: String,
    /// The same with no more outcomes than it has.
    plain: String,
    init: Init,
    watch: &'a mut dyn Watch,
    /// What proof-number search took for each threshold so far.
    pns: BTreeMap<i32, Option<(i64, bool)>>,
}

impl Descents<'_> {
    /// Descents are expansions but for the root's.
    fn of(&mut self, algorithm: Algorithm, aim: Aim) -> Option<(i64, Report)> {
        let switches = Switches { init: Some(self.init), ..Switches::default() };
        let request = Request { aim, algorithm, switches, ..Request::default() };
        let own = matches!(algorithm, Algorithm::Mopn | Algorithm::MopnDag);
        let game = if own { &self.plain } else { &self.game };
        let report = search(self.games, game, request, self.watch)?;
        Some((i64::try_from(report.expansions).ok()? - 1, report))
    }

    /// Whether it holds, and what that took.
    fn pns(&mut self, at_least: i32) -> Option<(i64, bool)> {
        if let Some(known) = self.pns.get(&at_least) {
            return *known;
        }
        let found = self.of(Algorithm::Pn, Aim::AtLeast(at_least));
        let found = found.map(|(descents, report)| (descents, report.verdict == "proven"));
        self.pns.insert(at_least, found);
        found
    }

    fn for_value(&mut self, algorithm: Algorithm) -> Option<i64> {
        self.of(algorithm, Aim::Value).map(|(descents, _)| descents)
    }

    fn value(&mut self) -> Option<i64> {
        self.of(Algorithm::Gpn, Aim::Value)?.1.value.map(i64::from)
    }

    /// Fresh searches for the middle of what is left of -16 to 16.
    fn dichotomic(&mut self) -> Option<i64> {
        let mut interval = Interval { lower: Relative(-16), upper: Relative(16) };
        let mut sum = 0;
        while let Some(at_least) = interval.question(Many::Binary) {
            let (descents, holds) = self.pns(at_least.0)?;
            interval.answer(at_least, holds);
            sum += descents;
        }
        Some(sum)
    }

    fn measure(&mut self, column: &str, value: i32) -> Option<i64> {
        match column {
            "value" => self.value(),
            "pns_le" | "pns_le_draw" => self.pns(value + 1).map(|(descents, _)| descents),
            "pns_ge" | "pns_ge_draw" => self.pns(value).map(|(descents, _)| descents),
            "pns_sum" => Some(self.pns(value + 1)?.0 + self.pns(value)?.0),
            "pns_dichotomic" => self.dichotomic(),
            "gpns" => self.for_value(Algorithm::Gpn),
            "own" => self.for_value(Algorithm::Mopn),
            "own_dag" => self.for_value(Algorithm::MopnDag),
            _ => None,
        }
    }
}

fn many_outcomes(games: &Games, table: &'static str, watch: &mut dyn Watch) -> Vec<Cell> {
    let (data, name, init) = match table {
        "saffidine2011-1" => (CONNECT4, "one", Init::One),
        "saffidine2011-2" => (CONNECT4, "mobility", Init::Mobility),
        "saffidine2011-3" => (WOODPUSH, "one", Init::One),
        _ => (WOODPUSH, "mobility", Init::Mobility),
    };
    let mut lines = data.lines();
    let columns: Vec<&str> = lines.next().expect("a first line").split(',').collect();
    let mut cells = Vec::new();
    for line in lines {
        let fields: Vec<&str> = line.split(',').collect();
        if fields[0] != name {
            continue;
        }
        let row = fields[1];
        let plain = format!("{}:{row}", if data == CONNECT4 { "connect4" } else { "woodpush" });
        let game = if data == CONNECT4 { plain.clone() } else { format!("{plain},range=16") };
        let mut descents = Descents { games, game, plain, init, watch, pns: BTreeMap::new() };
        let published = |wanted: &str| {
            let (_, field) = columns.iter().zip(&fields).find(|(column, _)| **column == wanted)?;
            field.parse().ok()
        };
        // All boards of Connect Four in the tables are draws.
        let value = published("value").unwrap_or(0) as i32;
        // Our own search is to need no more than the published one; with equal positions joined it stands beside that.
        let of_columns = columns.iter().skip(2).map(|column| (*column, published(column)));
        let of_ours = [("own", published("gpns")), ("own_dag", None)];
        for (column, published) in of_columns.chain(of_ours) {
            let measured = descents.measure(column, value);
            cells.push(Cell { table, row: row.to_owned(), column: column.to_owned(), published, measured });
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
        i64::try_from((sum + SEEDS / 2) / SEEDS).ok()
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
