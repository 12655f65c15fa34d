//! Mates: table 5.1 and appendix B of Schijf 1993, and table 3.1 of Breuker, Allis and van den Herik 1994, whose figures of
//! proof-number search on trees are sums of Schijf's.

use super::{Cell, Measuring};
use crate::drive::Watch;
use crate::report::Stop;
use crate::request::{Aim, Algorithm, Compat, Init, Limits, Request, Switches};

const PUBLISHED: &str = include_str!("../../data/schijf1993_chess.csv");

/// What the searches of the thesis could do. On trees, 1,750,000 nodes that were not solved; all that it visited so are fewer than
/// these. On graphs, nodes with those that stand for others.
const TREE_NODES: u64 = 2_600_000;
const GRAPH_NODES: u64 = 800_000;
/// What both searches of table 3.1 could do, and ours may.
const NODES: u64 = 1_000_000;

/// No column takes so long that it must be asked for.
const SLOW: &str = "-";

/// The positions that both algorithms of table 3.1 solved.
const BOTH: &str = "k35 k38 k197 k211 k212 k261 k317 r1 r4 r5 r9 r12 r14 r27 r35 r49 r50 r54 r55 r57 r60 r61 r64 r79 r84 r88 \
    r97 r99 r102 r103 r104 r132 r134 r136 r139 r143 r154 r156 r158 r160 r161 r167 r172 r173 r177 r179 r184 r186 r188 r191 r197 \
    r203 r211 r212 r215 r217 r219 r225 r244 r246 r251 r253 r260 r263 r266 r267 r278 r282 r283 r285 r290 r295 r298";
/// Those that proof-number search alone solved.
const PN_ONLY: &str = "k37 k61 k192 k194 k196 k198 k199 k206 k207 k208 k214 k215 k216 k218 k219 k333 k334 r6 r51 r138 r159 r168 \
    r182 r218 r222 r241 r250 r252 r281 r293";

/// And alpha-beta alone.
const ALPHABETA_ONLY: &str = "k60 k284 r105";

/// A row of the thesis: its name, and its figures on trees and on graphs. What was stopped unsolved has none.
fn rows() -> impl Iterator<Item = (&'static str, [Option<i64>; 2])> {
    PUBLISHED.lines().skip(1).map(|line| {
        let mut fields = line.split(',');
        let name = fields.next().unwrap_or_default();
        let mut figure = || fields.next().and_then(|field| field.parse().ok());
        (name, [figure(), figure()])
    })
}

/// How many nodes a search for mate takes, if the position is there and it is solved within so many. Of our own, the nodes of its
/// graph, which are what the thesis counts.
fn nodes(
    how: &Measuring<'_>,
    row: &str,
    algorithm: Algorithm,
    compat: Option<Compat>,
    nodes_max: u64,
    watch: &mut dyn Watch,
) -> Option<i64> {
    let place = how.positions?.place(row)?;
    let init = if compat.is_none() && algorithm != Algorithm::Auto { Some(Init::Guess) } else { None };
    let switches = Switches { compat, init, ..Switches::default() };
    let limits = Limits { nodes: Some(nodes_max), ..Limits::default() };
    let request = Request { aim: Aim::AtLeast(1), algorithm, switches, limits, ..Request::default() };
    let game = how.games.open("chess").expect("a game of its own");
    let report = game.solve(&place, &request, watch).expect("the tables' requests are right").report;
    let joins = compat.is_none() && algorithm != Algorithm::AlphaBetaTt;
    let counted = if joins { report.peak_nodes } else { report.nodes };
    let proven = report.stop == Stop::Solved && report.verdict == "proven";
    i64::try_from(counted).ok().filter(|_| proven)
}

/// Table 5.1 has the positions of Krabbé, appendix B those of Reinfeld.
pub(super) fn schijf(how: &Measuring<'_>, table: &'static str, watch: &mut dyn Watch) -> Vec<Cell> {
    let letter = if table.ends_with("5.1") { 'k' } else { 'r' };
    let mut cells = Vec::new();
    for (row, [tree, dcg]) in rows().filter(|(row, _)| row.starts_with(letter)) {
        let best = [tree, dcg].into_iter().flatten().min();
        let compat = Some(Compat::Breuker1994);
        for (column, published, algorithm, compat, nodes_max) in [
            ("tree", tree, Algorithm::Pn, compat, TREE_NODES),
            ("dcg", dcg, Algorithm::PnDcg, compat, GRAPH_NODES),
            ("own", best, Algorithm::Auto, None, NODES),
        ] {
            let wanted = how.wants(row, column, SLOW);
            let measured = wanted.then(|| nodes(how, row, algorithm, compat, nodes_max, watch)).flatten();
            cells.push(Cell { table, row: row.to_owned(), column: column.to_owned(), published, measured });
        }
    }
    cells
}

/// Table 3.1. Its alpha-beta search was a playing program with an evaluation of its own; ours deepens, has a transposition table, and
/// looks for mate alone. The row `solved` is about the positions that are there: how many were solved within the limit.
pub(super) fn breuker(how: &Measuring<'_>, table: &'static str, watch: &mut dyn Watch) -> Vec<Cell> {
    let here = |name: &&str| how.positions.is_some_and(|positions| positions.place(name).is_some());
    let published_here = |lists: [&str; 2]| {
        let names = lists.into_iter().flat_map(|names| names.split(' '));
        i64::try_from(names.filter(here).count()).ok().filter(|count| *count > 0)
    };
    let published: [(&str, Option<i64>, Option<i64>); 8] = [
        ("total", Some(953_762), Some(5_198_074)),
        ("average", Some(13_065), Some(71_206)),
        ("best_performer", Some(61), Some(12)),
        ("r217", Some(271), Some(331_404)),
        ("r253", Some(2_355), Some(311)),
        ("alphabeta_failed", Some(230_166), None),
        ("pn_failed", None, Some(644_058)),
        ("solved", published_here([BOTH, PN_ONLY]), published_here([BOTH, ALPHABETA_ONLY])),
    ];
    let mut cells = Vec::new();
    for (row, pn, alphabeta) in published {
        for (column, published, algorithm, compat) in [
            ("pn", pn, Algorithm::Pn, Some(Compat::Breuker1994)),
            ("alphabeta", alphabeta, Algorithm::AlphaBetaTt, None),
        ] {
            let mut count = |name: &str| nodes(how, name, algorithm, compat, NODES, &mut *watch);
            // One position that is missing leaves no figure: the others need not be searched.
            let mut sum = |names: &str| -> Option<i64> {
                let all = names.split(' ').all(|name| here(&name));
                if all { names.split(' ').map(&mut count).sum() } else { None }
            };
            let average = |sum: i64, names: &str| {
                let count = names.split(' ').count() as i64;
                (sum + count / 2) / count
            };
            let measured = match row {
                _ if !how.wants(row, column, SLOW) => None,
                "total" => sum(BOTH),
                "average" => sum(BOTH).map(|sum| average(sum, BOTH)),
                "alphabeta_failed" => sum(PN_ONLY).map(|sum| average(sum, PN_ONLY)),
                "pn_failed" => sum(ALPHABETA_ONLY).map(|sum| average(sum, ALPHABETA_ONLY)),
                "r217" | "r253" => sum(row),
                "solved" if published.is_some() => {
                    let solved = rows().filter(|(name, _)| here(name) && count(name).is_some());
                    i64::try_from(solved.count()).ok()
                }
                _ => None,
            };
            cells.push(Cell { table, row: row.to_owned(), column: column.to_owned(), published, measured });
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The figures of table 3.1 are those of the thesis, added up.
    #[test]
    fn the_tables_agree() {
        let sum = |names: &str| -> i64 {
            let figure =
                |name: &str| rows().find(|(row, _)| *row == name).and_then(|(_, figures)| figures[0]);
            names.split(' ').map(|name| figure(name).unwrap_or_else(|| panic!("{name}"))).sum()
        };
        assert_eq!((BOTH.split(' ').count(), PN_ONLY.split(' ').count(), rows().count()), (73, 30, 117));
        assert_eq!(sum(BOTH), 953_762);
        assert_eq!((sum(PN_ONLY) + 15) / 30, 230_166);
    }
}
