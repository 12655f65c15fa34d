//! Tables 1 to 4 of Saffidine and Cazenave 2011. They count descents, which are expansions but for the root's.

use std::collections::BTreeMap;

use quod_model::Relative;
use quod_search::Interval;

use super::{Cell, Measuring, search};
use crate::door::Games;
use crate::drive::Watch;
use crate::report::Report;
use crate::request::{Aim, Algorithm, Init, Many, Request, Switches};

const CONNECT4: &str = include_str!("../../data/saffidine2011_connect4.csv");
const WOODPUSH: &str = include_str!("../../data/saffidine2011_woodpush.csv");

/// What each column counts, for one board.
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

pub(super) fn many_outcomes(how: &Measuring<'_>, table: &'static str, watch: &mut dyn Watch) -> Vec<Cell> {
    let games = how.games;
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
