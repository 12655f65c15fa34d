//! The tables of Schijf 1993 on tic-tac-toe. He counts nodes with the root, and averages over random orders of children.

use super::{Cell, Measuring, search};
use crate::drive::Watch;
use crate::request::{Aim, Algorithm, Compat, Order, Request, Switches, Update};

const TICTACTOE: &str = include_str!("../../data/schijf1993_tictactoe.csv");
/// The thesis averages over a hundred experiments; ten times as many leave only its own chance in the comparison.
const SEEDS: u64 = 1000;

pub(super) fn tictactoe(how: &Measuring<'_>, table: &'static str, watch: &mut dyn Watch) -> Vec<Cell> {
    let games = how.games;
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
