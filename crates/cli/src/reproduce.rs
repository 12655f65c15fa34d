//! `quod reproduce`.

use anyhow::anyhow;
use comfy_table::{CellAlignment, Table, presets};
use quod_solver::{Cell, Games, tables};

use crate::arguments::ReproduceOptions;
use crate::numbers::{grouped, wrapped};
use crate::output::{print, print_json};
use crate::progress::{ProgressLine, catch_interrupts, interrupted};
use crate::solve::terminal_width;
use crate::{Ending, Failure};

pub(crate) fn run(games: &Games, options: &ReproduceOptions) -> Result<Ending, Failure> {
    let Some(prefix) = &options.table else {
        let list: String = tables("").map(|table| format!("{:<16} {}\n", table.name, table.title)).collect();
        return print(&list).map(|()| Ending::Done);
    };
    let wanted: Vec<_> = tables(prefix).collect();
    if wanted.is_empty() {
        let known: Vec<_> = tables("").map(|table| table.name).collect();
        let message = format!("table \"{prefix}\": there is none\n  tables: {}", known.join(", "));
        return Err(Failure::input(anyhow!(message)));
    }
    catch_interrupts();
    let mut all = Vec::new();
    for table in wanted {
        let mut progress = ProgressLine::new();
        progress.label = format!("{}: ", table.name);
        let cells = table.measure(games, &mut progress);
        drop(progress);
        if !options.json {
            let remark = wrapped("", table.remark.split_whitespace(), terminal_width());
            print(&format!("{}: {}\n{}\n{remark}\n\n", table.name, table.title, drawn(&cells)))?;
        }
        all.extend(cells);
    }
    if options.json {
        print_json(&all)?;
    }
    Ok(if interrupted() { Ending::Unsolved } else { Ending::Done })
}

fn drawn(cells: &[Cell]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header(["row", "column", "published", "measured", "difference"]);
    let figure = |figure: Option<i64>| match figure {
        None => "-".to_owned(),
        Some(figure) if figure < 0 => format!("-{}", grouped(figure.unsigned_abs())),
        Some(figure) => grouped(figure.unsigned_abs()),
    };
    for cell in cells {
        let difference = match (cell.published, cell.measured) {
            (Some(published), Some(measured)) if published == measured => "exact".to_owned(),
            (Some(published), Some(measured)) => {
                format!("{:+.2} %", (measured as f64 / published as f64 - 1.0) * 100.0)
            }
            _ => "-".to_owned(),
        };
        table.add_row([
            cell.row.clone(),
            cell.column.clone(),
            figure(cell.published),
            figure(cell.measured),
            difference,
        ]);
    }
    for column in table.column_iter_mut().skip(2) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}
