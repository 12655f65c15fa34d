//! Tables 1 to 5 and figure 13 of Allis, van der Meulen and van den Herik 1994: post-mortem analysis of games of Awari.
//!
//! Pn-search: all nodes of all two-valued searches, those of the largest, and the most that were held in that one. Alpha-beta:
//! in iteration i the nodes at depth i (section 6.4).

use std::cell::OnceCell;
use std::collections::BTreeMap;

use quod_games::awari::GAME_5;
use quod_model::Relative;
use quod_search::Interval;

use super::{Cell, Measuring};
use crate::compare::class_of;
use crate::databases::DatabaseRequest;
use crate::door::{Door, Place};
use crate::drive::Watch;
use crate::report::{Report, Stop};
use crate::request::{Aim, Algorithm, Compat, Many, Request, Switches, TableKind};

const PUBLISHED: &str = include_str!("../../data/allis1994_awari.csv");
/// Columns that take long.
const SLOW: &str = "alphabeta";
/// The stones of the experiment's database, and of the one for our own search.
const STONES: u32 = 13;
const OWN_STONES: u32 = 17;
/// The entries of the experiment's transposition table.
const ENTRIES: u64 = 1 << 18;

/// A row of the tables: its name, and its figures by column.
struct Row {
    name: String,
    figures: Vec<(&'static str, Option<i64>)>,
}

/// The rows of a game. What was stopped unsolved has no figure; estimates are figures.
fn rows(game: &str) -> impl Iterator<Item = Row> {
    let mut lines = PUBLISHED.lines().filter(|line| !line.starts_with('#'));
    let columns: Vec<&str> = lines.next().expect("a first line").split(',').skip(3).collect();
    lines.map(|line| line.split(',').collect::<Vec<_>>()).filter(move |fields| fields[0] == game).map(
        move |fields| {
            let figure = |field: &str| field.trim_start_matches('~').parse().ok();
            let figures = columns.iter().zip(&fields[3..]).map(|(column, field)| (*column, figure(field)));
            Row { name: format!("{}{}", fields[1], fields[2]), figures: figures.collect() }
        },
    )
}

/// The moves that lead to a row of game 5: `55S` is the position before South's 55th move.
fn place(row: &str) -> Place {
    let (number, side) = row.split_at(row.len() - 1);
    let number: usize = number.parse().expect("rows are named by a move");
    let plies = 2 * (number - 1) + usize::from(side == "N");
    let words = GAME_5.split_whitespace().collect::<Vec<_>>().join(" ").replace(" × ", "x");
    let moves = words.split(' ').filter(|word| !word.ends_with('.')).take(plies);
    Place { position: None, moves: Some(moves.collect::<Vec<_>>().join(" ")) }
}

/// The game with a database of so many stones: the one at hand, or one that is built in a folder for the occasion.
fn awari_with(how: &Measuring<'_>, stones: u32) -> Box<dyn Door> {
    let mut game = how.games.open("awari").expect("a game of its own");
    if let Some(dir) = how.databases
        && game.lean_on(dir, Some(stones + 1)).is_ok_and(|cited| cited.slices == stones + 1)
    {
        return game;
    }
    let dir = tempfile::tempdir().expect("there is a place for temporary files");
    let request = DatabaseRequest::up_to(stones);
    game.build_database(dir.path(), &request, &mut |_| true).expect("a database is built");
    // The files are mapped into memory: they may lose their names.
    game.lean_on(dir.path(), None).expect("it was just built");
    game
}

/// What pn-search took for a row.
#[derive(Default)]
struct Pn {
    sum: u64,
    max_pos: u64,
    max_tree: u64,
}

/// A row of table 1 as it is measured.
struct Searches<'a, 'h> {
    doors: &'a Doors<'h>,
    place: Place,
    watch: &'a mut dyn Watch,
    pn: Option<Option<Pn>>,
}

/// The game with its databases, opened or built when they are needed.
struct Doors<'h> {
    how: &'h Measuring<'h>,
    experiment: OnceCell<Box<dyn Door>>,
    own: OnceCell<Box<dyn Door>>,
}

impl<'h> Doors<'h> {
    fn new(how: &'h Measuring<'h>) -> Self {
        Self { how, experiment: OnceCell::new(), own: OnceCell::new() }
    }

    fn experiment(&self) -> &dyn Door {
        &**self.experiment.get_or_init(|| awari_with(self.how, STONES))
    }

    fn own(&self) -> &dyn Door {
        &**self.own.get_or_init(|| awari_with(self.how, OWN_STONES))
    }
}

/// A request of the experiment.
fn compat(aim: Aim, algorithm: Algorithm) -> Request {
    let tabled = algorithm == Algorithm::AlphaBetaTt;
    let switches = Switches {
        compat: Some(Compat::Allis1994),
        deepen: algorithm == Algorithm::AlphaBeta,
        table: tabled.then_some(TableKind::Published),
        entries: tabled.then_some(ENTRIES),
        ..Switches::default()
    };
    Request { aim, algorithm, switches, ..Request::default() }
}

impl Searches<'_, '_> {
    fn run(&mut self, game: &dyn Door, request: &Request) -> Option<Report> {
        let solution = game.solve(&self.place, request, self.watch).expect("the tables' requests are right");
        (solution.report.stop == Stop::Solved).then_some(solution.report)
    }

    fn compat(&mut self, aim: Aim, algorithm: Algorithm) -> Option<Report> {
        self.run(self.doors.experiment(), &compat(aim, algorithm))
    }

    /// The binary search of figure 9, each two-valued search by itself.
    fn pn_search(&mut self) -> Option<Pn> {
        // Bounds come with any search, however short.
        let glance = Request {
            algorithm: Algorithm::Pn,
            limits: crate::Limits { nodes: Some(0), ..crate::Limits::default() },
            ..Request::default()
        };
        let plain = self.doors.how.games.open("awari").expect("a game of its own");
        let report = plain.solve(&self.place, &glance, self.watch).expect("a right request").report;
        let mut interval = Interval { lower: Relative(report.lower), upper: Relative(report.upper) };
        let mut pn = Pn::default();
        while let Some(at_least) = interval.question(Many::Binary) {
            let report = self.compat(Aim::AtLeast(at_least.0), Algorithm::Pn)?;
            interval.answer(at_least, report.verdict == "proven");
            pn.sum += report.nodes;
            if report.nodes > pn.max_pos {
                (pn.max_pos, pn.max_tree) = (report.nodes, report.peak_nodes);
            }
        }
        Some(pn)
    }

    fn measure(&mut self, column: &str) -> Option<i64> {
        let figure = match column {
            "alphabeta" => self.compat(Aim::Value, Algorithm::AlphaBeta)?.deepened_nodes,
            "alphabeta_tt" => self.compat(Aim::Value, Algorithm::AlphaBetaTt)?.deepened_nodes,
            "own" => {
                let request = Request { algorithm: Algorithm::PnGraph, ..Request::default() };
                self.run(self.doors.own(), &request)?.nodes
            }
            _ => {
                if self.pn.is_none() {
                    self.pn = Some(self.pn_search());
                }
                let pn = self.pn.as_ref()?.as_ref()?;
                match column {
                    "pn_sum" => pn.sum,
                    "pn_max_pos" => pn.max_pos,
                    "pn_max_tree" => pn.max_tree,
                    _ => return None,
                }
            }
        };
        i64::try_from(figure).ok()
    }
}

pub(super) fn awari(how: &Measuring<'_>, table: &'static str, watch: &mut dyn Watch) -> Vec<Cell> {
    // Table 1 is about game 5, tables 2 to 5 about games 1 to 4.
    let game = match table {
        "allis1994-1" => return how.allis.get_or_init(|| game_5(how, table, watch)).clone(),
        "allis1994-2" => "1",
        "allis1994-3" => "2",
        "allis1994-4" => "3",
        _ => "4",
    };
    let cell = |row: &str, (column, published): &(&str, Option<i64>)| Cell {
        table,
        row: row.to_owned(),
        column: (*column).to_owned(),
        published: *published,
        measured: None,
    };
    rows(game)
        .flat_map(|row| row.figures.iter().map(|figure| cell(&row.name, figure)).collect::<Vec<_>>())
        .collect()
}

fn game_5(how: &Measuring<'_>, table: &'static str, watch: &mut dyn Watch) -> Vec<Cell> {
    let doors = Doors::new(how);
    let mut cells = Vec::new();
    for row in rows("5") {
        let place = place(&row.name);
        let mut searches = Searches { doors: &doors, place, watch: &mut *watch, pn: None };
        let sum = row.figures.iter().find(|(column, _)| *column == "pn_sum").and_then(|(_, figure)| *figure);
        for (column, published) in row.figures.iter().copied().chain([("own", sum)]) {
            // Nothing can be compared with a search that was stopped.
            let wanted = how.wants(&row.name, column, SLOW) && published.is_some();
            let measured = wanted.then(|| searches.measure(column)).flatten();
            cells.push(Cell { table, row: row.name.clone(), column: column.to_owned(), published, measured });
        }
    }
    cells
}

/// The replay of section 7.3: that South's fifteenth move of game 5 loses. It is said to have taken 283,000 nodes, no more than
/// 150,000 of them at a time.
pub(super) fn replay(how: &Measuring<'_>, table: &'static str, watch: &mut dyn Watch) -> Vec<Cell> {
    const PUBLISHED: [(&str, Option<i64>); 2] = [("pn_sum", Some(283_000)), ("pn_max_tree", Some(150_000))];
    let row = "15N";
    let wanted = PUBLISHED.iter().any(|(column, _)| how.wants(row, column, SLOW));
    let report = wanted.then(|| {
        let request = compat(Aim::AtLeast(1), Algorithm::Pn);
        let game = awari_with(how, OWN_STONES);
        game.solve(&place(row), &request, watch).expect("a right request").report
    });
    let report = report.filter(|report| report.verdict == "proven");
    let figures = report.map(|report| [report.nodes, report.peak_nodes]);
    let cell = |(at, (column, published)): (usize, (&str, Option<i64>))| Cell {
        table,
        row: row.to_owned(),
        column: column.to_owned(),
        published,
        measured: figures.and_then(|figures| i64::try_from(figures[at]).ok()),
    };
    PUBLISHED.into_iter().enumerate().map(cell).collect()
}

/// Sums and numbers of figures, the published and the measured ones.
type Sums = [(i64, i64); 2];

/// Figure 13: average tree sizes of the positions of a class, and how many there are.
pub(super) fn classes(how: &Measuring<'_>, table: &'static str, watch: &mut dyn Watch) -> Vec<Cell> {
    const COLUMNS: [&str; 3] = ["alphabeta", "alphabeta_tt", "pn_sum"];
    let cells = awari(how, "allis1994-1", watch);
    let mut sums: BTreeMap<u32, [Sums; 3]> = BTreeMap::new();
    for game in ["1", "2", "3", "4", "5"] {
        for row in rows(game) {
            let published = |column: &str| {
                row.figures.iter().find(|(name, _)| *name == column).and_then(|(_, figure)| *figure)
            };
            let measured = |column: &str| {
                let here = |cell: &&Cell| game == "5" && cell.row == row.name && cell.column == column;
                cells.iter().find(here).and_then(|cell| cell.measured)
            };
            let Some(standard) = published("alphabeta") else { continue };
            for (which, class) in
                [standard, measured("alphabeta").unwrap_or(standard)].into_iter().enumerate()
            {
                let sums = sums.entry(class_of(class.unsigned_abs())).or_default();
                for (sums, column) in sums.iter_mut().zip(COLUMNS) {
                    if let Some(figure) = if which == 0 { published(column) } else { measured(column) } {
                        sums[which] = (sums[which].0 + figure, sums[which].1 + 1);
                    }
                }
            }
        }
    }
    let mean = |(sum, count): (i64, i64)| (count > 0).then(|| (sum + count / 2) / count);
    let mut cells = Vec::new();
    for (class, sums) in sums {
        let mut push = |column: &str, published, measured| {
            let row = format!("2^{}", 3 * class);
            cells.push(Cell { table, row, column: column.to_owned(), published, measured });
        };
        for (column, [published, measured]) in COLUMNS.iter().zip(sums) {
            push(column, mean(published), mean(measured));
        }
        let [published, measured] = sums[0].map(|(_, count)| Some(count).filter(|count| *count > 0));
        push("positions", published, measured);
    }
    cells
}
