//! What was found about a suite, as tables of text.

use std::ops::RangeInclusive;

use quod_solver::{Aim, Door, Stop, SuiteRow};

use super::knows_lengths;
use crate::columns::{Column, drawn as blocks};
use crate::numbers::{grouped, wrapped};

/// A longer id is cut.
const ID_WIDTH: usize = 40;
/// Mates of about one difficulty, in moves.
const CLASSES: [(&str, RangeInclusive<u32>); 4] =
    [("1-5", 1..=5), ("6-10", 6..=10), ("11-20", 11..=20), ("21+", 21..=u32::MAX)];

pub(super) fn drawn(door: &dyn Door, aim: Aim, rows: &[SuiteRow], positions: usize, width: usize) -> String {
    let goal = door.goal_text(aim);
    let mut parts = vec![format!("{}, goal {goal}\n\n{}", door.game_text(), by_position(aim, rows, width))];
    parts.push(totals(rows, positions, width));
    if knows_lengths(rows) {
        parts.push(by_length(rows, width));
    }
    let mut text = parts.join("\n");
    for row in rows.iter().filter(|row| row.contradicts_file()) {
        let (id, dm) = (&row.problem.id, row.problem.dm.unwrap_or_default());
        let found = row.mate.map_or("there is none".to_owned(), |mate| format!("there is one in {mate}"));
        text +=
            &wrapped("", format!("! {id}: the file says mate in {dm}, proven: {found}").split(' '), width);
        text.push('\n');
    }
    text
}

fn by_position(aim: Aim, rows: &[SuiteRow], width: usize) -> String {
    let column = |cell: &dyn Fn(&SuiteRow) -> String| rows.iter().map(cell).collect::<Vec<_>>();
    let moves = |moves: Option<u32>| moves.map_or("-".to_owned(), |moves| moves.to_string());
    let id = Column::left("id", column(&|row| row.problem.id.clone())).shortened(ID_WIDTH);
    let mut others = vec![
        Column::left("answer", column(&|row| answer(aim, row))),
        Column::right("mate", column(&|row| moves(row.mate))),
    ];
    if knows_lengths(rows) {
        others.push(Column::right("dm", column(&|row| moves(row.problem.dm))));
    }
    others.push(Column::right("nodes", column(&|row| grouped(row.report.nodes))));
    others.push(Column::right("seconds", column(&|row| format!("{:.2}", row.report.seconds))));
    blocks(&[id], &others, width)
}

/// What is known about a position, or why nothing is.
fn answer(aim: Aim, row: &SuiteRow) -> String {
    let mark = if row.contradicts_file() { " !" } else { "" };
    let answer = match row.report.stop {
        Stop::Solved if aim == Aim::Value => &row.value_text,
        Stop::Solved if row.report.verdict == "proven" => "yes",
        Stop::Solved => "no",
        Stop::Nodes => "? nodes",
        Stop::Time => "? time",
        Stop::Memory => "? memory",
        Stop::Interrupted => "? stopped",
        Stop::Repetition => "? repetition",
    };
    format!("{answer}{mark}")
}

fn totals(rows: &[SuiteRow], positions: usize, width: usize) -> String {
    let solved = rows.iter().filter(|row| row.is_solved()).count();
    let nodes: u64 = rows.iter().map(|row| row.report.nodes).sum();
    let seconds = rows.iter().map(|row| row.report.seconds).fold(0.0, |sum, seconds| sum + seconds);
    let mut text =
        format!("solved {solved} of {positions}: {} nodes, {seconds:.2} s of search", grouped(nodes));
    if rows.len() < positions {
        text += &format!("; stopped before {} were begun", positions - rows.len());
    }
    wrapped("", text.split(' '), width) + "\n"
}

/// How many of the mates of each length in the file are found.
fn by_length(rows: &[SuiteRow], width: usize) -> String {
    let of = |range: &RangeInclusive<u32>| {
        let range = range.clone();
        let rows = rows.iter().filter(move |row| row.problem.dm.is_some_and(|dm| range.contains(&dm)));
        rows.collect::<Vec<_>>()
    };
    let classes: Vec<(&str, Vec<&SuiteRow>)> =
        CLASSES.iter().map(|(name, range)| (*name, of(range))).filter(|(_, rows)| !rows.is_empty()).collect();
    let column = |cell: &dyn Fn(&[&SuiteRow]) -> String| classes.iter().map(|(_, rows)| cell(rows)).collect();
    let names = classes.iter().map(|(name, _)| (*name).to_owned()).collect();
    let nodes = |rows: &[&SuiteRow]| grouped(rows.iter().map(|row| row.report.nodes).sum());
    let seconds = |rows: &[&SuiteRow]| {
        format!("{:.2}", rows.iter().map(|row| row.report.seconds).fold(0.0, |sum, seconds| sum + seconds))
    };
    let won = |rows: &[&SuiteRow]| rows.iter().filter(|row| row.report.lower > 0).count().to_string();
    let others = [
        Column::right("positions", column(&|rows| rows.len().to_string())),
        Column::right("solved", column(&won)),
        Column::right("nodes", column(&nodes)),
        Column::right("seconds", column(&seconds)),
    ];
    blocks(&[Column::left("mate in", names)], &others, width)
}
