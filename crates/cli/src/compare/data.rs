//! The comparison for other programs.

use quod_solver::{Certified, Comparison, Door, Row, Run, class_of, tree_size};
use serde_json::{Value, json};

use crate::records;

/// Names of the columns, and of the fields of a run that are in both forms.
const COLUMNS: [&str; 22] = [
    "number",
    "moves",
    "position",
    "goal",
    "named",
    "algorithm",
    "verdict",
    "value",
    "lower",
    "upper",
    "tree_size",
    "class",
    "reduction",
    "nodes",
    "deepened_nodes",
    "expansions",
    "updates",
    "peak_nodes",
    "memory_bytes",
    "seconds",
    "stop",
    "certified",
];

/// Everything as one object. `files` are those that were written beside it.
pub(super) fn json(door: &dyn Door, comparison: &Comparison, files: &[String]) -> Value {
    let contradictions: Vec<Value> = comparison
        .contradictions()
        .map(|found| {
            json!({
                "position": found.position,
                "at_least": { "algorithm": found.at_least.0, "value": found.at_least.1 },
                "at_most": { "algorithm": found.at_most.0, "value": found.at_most.1 },
            })
        })
        .collect();
    json!({
        "game": door.game_text(),
        "goal": door.goal_text(comparison.aim),
        "algorithms": comparison.algorithms.iter().map(|algorithm| algorithm.name()).collect::<Vec<_>>(),
        "standard": comparison.algorithms[comparison.standard].name(),
        "runs": runs(comparison).collect::<Vec<_>>(),
        "summaries": comparison.summaries(),
        "classes": comparison.classes(),
        "contradictions": contradictions,
        "files": files,
    })
}

/// One line for every run.
pub(super) fn csv(comparison: &Comparison) -> anyhow::Result<String> {
    records::csv(&COLUMNS, runs(comparison))
}

fn runs(comparison: &Comparison) -> impl Iterator<Item = Value> {
    let of_row = |(number, row)| (0..comparison.algorithms.len()).map(move |place| (number, row, place));
    let all = comparison.rows.iter().enumerate().flat_map(of_row);
    all.filter_map(|(number, row, place)| {
        row.runs[place].as_ref().map(|run| described(comparison, number + 1, row, place, run))
    })
}

/// The report with what it does not say itself.
fn described(comparison: &Comparison, number: usize, row: &Row, place: usize, run: &Run) -> Value {
    let mut object = json!(run.report);
    let standard = row.runs[comparison.standard].as_ref().and_then(Run::solved_size);
    object["number"] = json!(number);
    object["moves"] = json!(row.place.moves);
    object["named"] = json!(comparison.algorithms[place].name());
    object["tree_size"] = json!(tree_size(&run.report));
    object["class"] = json!(standard.map(class_of));
    object["reduction"] = json!(comparison.reduction(row, place));
    object["certified"] = json!(run.certified.as_ref().map(|certified| match certified {
        Certified::Accepted => "accepted",
        Certified::Missing(_) => "missing",
        Certified::Refused(_) => "refused",
    }));
    object
}
