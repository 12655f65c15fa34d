//! The comparison as tables of text.

use quod_solver::{Aim, Certified, Class, Comparison, Door, Row, Run, Stop, tree_size};

use crate::columns::{Column, drawn as blocks, total_width};
use crate::numbers::{grouped, short, wrapped};

/// A position is not cut below this, as long as there is another way to save room.
const POSITION_WIDTH: usize = 12;

pub(super) fn drawn(door: &dyn Door, comparison: &Comparison, width: usize) -> String {
    let standard = comparison.algorithms[comparison.standard].name();
    let mut parts = vec![wrapped(
        "",
        format!(
            "{}, goal {}: tree size of each search, in nodes",
            door.game_text(),
            door.goal_text(comparison.aim)
        )
        .split(' '),
        width,
    )];
    parts.push(positions(comparison, width));
    if comparison
        .rows
        .iter()
        .flat_map(|row| row.runs.iter().flatten())
        .any(|run| run.report.deepened_nodes > 0)
    {
        let remark =
            "searches that deepen count, in each iteration, the nodes at its depth (Allis et al. 1994)";
        parts.push(wrapped("", remark.split(' '), width));
    }
    parts.push(summary(comparison, standard, width));
    let classes = comparison.classes();
    if !classes.is_empty() {
        let title = format!(
            "Classes by the tree size of {standard}: log2 of its average size divided by that of each other search"
        );
        parts.push(wrapped("", title.split(' '), width));
        parts.push(by_class(comparison, &classes, standard, width));
    }
    parts.join("\n") + "\n"
}

/// One line for every position, and one of totals.
fn positions(comparison: &Comparison, width: usize) -> String {
    let rows = &comparison.rows;
    let whole: Vec<&Row> = rows.iter().filter(|row| solved_by_all(row)).collect();
    let numbers = (1..=rows.len()).map(|number| number.to_string()).chain([String::new()]).collect();
    let total = format!("sum of {}", whole.len());
    let names = rows.iter().map(name).chain([total]).collect();
    let values = rows.iter().map(|row| value(comparison.aim, row)).chain([String::new()]).collect();
    let (number, name, value) = (
        Column::right("#", numbers),
        Column::left("position", names),
        Column::left(if comparison.aim == Aim::Value { "value" } else { "answer" }, values),
    );
    let counts = |written: fn(u64) -> String| -> Vec<Column> {
        let column = |place: usize| {
            let sum: u64 = whole.iter().filter_map(|row| row.runs[place].as_ref()).map(size).sum();
            let cells = rows.iter().map(|row| count(row.runs[place].as_ref(), written));
            Column::right(comparison.algorithms[place].name(), cells.chain([written(sum)]).collect())
        };
        (0..comparison.algorithms.len()).map(column).collect()
    };
    let rest = |columns: &[Column]| {
        let others = total_width([&number, &value].into_iter().chain(columns)) + 2;
        width.checked_sub(others).filter(|room| *room >= name.width().min(POSITION_WIDTH))
    };
    let exact = counts(grouped);
    let (columns, room) = match rest(&exact) {
        Some(room) => (exact, room),
        None => {
            let rounded = counts(short);
            let room = rest(&rounded).unwrap_or(POSITION_WIDTH);
            (rounded, room)
        }
    };
    let mut text = blocks(&[number, name.shortened(room), value], &columns, width);
    let stopped =
        rows.iter().flat_map(|row| row.runs.iter().flatten()).filter(|run| run.solved_size().is_none());
    let stopped = stopped.count();
    if stopped > 0 {
        let remark = format!(
            "{stopped} {} stopped unsolved (>) and {} no part in sums and averages",
            if stopped == 1 { "run" } else { "runs" },
            if stopped == 1 { "takes" } else { "take" }
        );
        text.push_str(&wrapped("", remark.split(' '), width));
        text.push('\n');
    }
    text
}

fn size(run: &Run) -> u64 {
    tree_size(&run.report)
}

fn solved_by_all(row: &Row) -> bool {
    row.runs.iter().all(|run| run.as_ref().is_some_and(|run| run.report.stop == Stop::Solved))
}

/// What people call a position: its moves are shorter than its picture.
fn name(row: &Row) -> String {
    match (&row.place.moves, &row.place.position) {
        (Some(moves), _) if moves.is_empty() => "(start)".to_owned(),
        (Some(moves), _) => moves.clone(),
        (None, Some(position)) => position.clone(),
        (None, None) => "(start)".to_owned(),
    }
}

fn value(aim: Aim, row: &Row) -> String {
    match row.answer() {
        _ if row.is_contradictory() => "!!".to_owned(),
        None => "?".to_owned(),
        Some(run) if aim == Aim::Value => run.value_text.clone(),
        Some(run) => if run.report.verdict == "proven" { "yes" } else { "no" }.to_owned(),
    }
}

fn count(run: Option<&Run>, written: fn(u64) -> String) -> String {
    match run {
        None => "-".to_owned(),
        Some(run) if run.solved_size().is_none() => format!(">{}", written(size(run))),
        Some(run) => written(size(run)),
    }
}

/// One line for every search.
fn summary(comparison: &Comparison, standard: &str, width: usize) -> String {
    let summaries = comparison.summaries();
    let column = |title: &str, cell: &dyn Fn(usize) -> String| {
        Column::right(title, (0..summaries.len()).map(cell).collect())
    };
    let names = summaries.iter().map(|summary| summary.algorithm.to_owned()).collect();
    let mut columns = vec![
        column("solved", &|place| format!("{}/{}", summaries[place].solved, summaries[place].positions)),
        column("nodes", &|place| grouped(summaries[place].nodes)),
        column("seconds", &|place| format!("{:.2}", summaries[place].seconds)),
        column("reduction", &|place| {
            summaries[place].reduction.map_or("-".to_owned(), |factor| format!("{factor:.2}"))
        }),
        column("on", &|place| summaries[place].pairs.to_string()),
    ];
    if comparison.certify {
        columns.push(column("certified", &|place| {
            let runs = comparison.rows.iter().filter_map(|row| row.runs[place].as_ref());
            runs.filter(|run| run.certified == Some(Certified::Accepted)).count().to_string()
        }));
    }
    let remark = format!(
        "reduction: how many times smaller than that of {standard} its tree is, the geometric mean over the positions \
         that both solved"
    );
    let drawn = blocks(&[Column::left("search", names)], &columns, width);
    format!("{drawn}{}\n", wrapped("", remark.split(' '), width))
}

/// One line for every class.
fn by_class(comparison: &Comparison, classes: &[Class], standard: &str, width: usize) -> String {
    let column = |cell: &dyn Fn(&Class) -> String| classes.iter().map(cell).collect::<Vec<_>>();
    let fixed = [
        Column::right("class", column(&|class| class.class.to_string())),
        Column::left(
            format!("tree of {standard}"),
            column(&|class| format!("2^{} to 2^{}", class.from_log2, class.to_log2)),
        ),
        Column::right("positions", column(&|class| class.positions.to_string())),
    ];
    let others = (0..comparison.algorithms.len()).filter(|place| *place != comparison.standard);
    let others: Vec<Column> = others
        .map(|place| {
            let cell = |class: &Class| {
                let reduction = &class.reductions[place];
                match reduction.log2 {
                    None => "-".to_owned(),
                    Some(log2) if reduction.pairs == class.positions => format!("{log2:+.2}"),
                    Some(log2) => format!("{log2:+.2} (of {})", reduction.pairs),
                }
            };
            Column::right(comparison.algorithms[place].name(), column(&cell))
        })
        .collect();
    blocks(&fixed, &others, width)
}
