//! What was found about a suite, for other programs.

use quod_solver::SuiteRow;
use serde_json::{Value, json};

use crate::records;

const COLUMNS: [&str; 19] = [
    "id",
    "position",
    "goal",
    "verdict",
    "mate",
    "dm",
    "value",
    "lower",
    "upper",
    "best_move",
    "algorithm",
    "nodes",
    "expansions",
    "updates",
    "peak_nodes",
    "memory_bytes",
    "seconds",
    "stop",
    "certificate",
];

/// A report for every position, with its id, the length of the mate that is proven, and that of the file if it says one.
pub(super) fn json(rows: &[SuiteRow]) -> Vec<Value> {
    let of = |row: &SuiteRow| {
        let mut object = json!(row.report);
        object["id"] = json!(row.problem.id);
        object["mate"] = json!(row.mate);
        if let Some(dm) = row.problem.dm {
            object["dm"] = json!(dm);
        }
        object
    };
    rows.iter().map(of).collect()
}

/// A line for every position.
pub(super) fn csv(rows: &[SuiteRow]) -> anyhow::Result<String> {
    records::csv(&COLUMNS, json(rows))
}
