//! `quod reproduce`.

use anyhow::anyhow;
use comfy_table::{CellAlignment, Table, presets};
use quod_solver::{Cell, Games, Measuring, Positions, tables};

use crate::arguments::ReproduceOptions;
use crate::drawing::Drawing as _;
use crate::numbers::{grouped, wrapped};
use crate::output::{print, print_json};
use crate::plot::Figure;
use crate::progress::{ProgressLine, catch_interrupts, interrupted};
use crate::solve::terminal_width;
use crate::target::Target;
use crate::{Ending, Failure, program};

/// The table that can be drawn.
const FIGURE: &str = "allis1994-figure13";

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
    let figure = wanted.iter().any(|table| table.name == FIGURE);
    if options.plot.is_some() && !figure {
        let problem = format!("--plot: {prefix} is no figure\n  {FIGURE} is");
        return Err(Failure::input(anyhow!(problem)));
    }
    let target = options.plot.as_deref().map(|path| Target::new("plot", path));
    let target = target.transpose().map_err(Failure::input)?;
    let positions = options.data.as_deref().map(|dir| Positions::read(dir, games));
    let positions = positions.transpose().map_err(Failure::input)?;
    if positions.is_none() && wanted.iter().any(quod_solver::Table::needs_positions) {
        eprintln!(
            "{}: nothing of chess is measured without its positions: --data DIR names a folder with them",
            program()
        );
    }
    catch_interrupts();
    let mut how = Measuring::new(games);
    (how.columns, how.rows, how.databases) = (&options.columns, &options.rows, options.db.as_deref());
    how.positions = positions.as_ref();
    let (mut all, mut known) = (Vec::new(), Vec::new());
    for table in wanted {
        let mut progress = ProgressLine::new();
        progress.label = format!("{}: ", table.name);
        let mut cells = table.measure(&how, &mut progress);
        known.extend(cells.iter().flat_map(|cell| [cell.row.clone(), cell.column.clone()]));
        cells.retain(|cell| options.rows.is_empty() || options.rows.contains(&cell.row));
        drop(progress);
        if !options.json {
            let remark = wrapped("", table.remark.split_whitespace(), terminal_width());
            print(&format!("{}: {}\n{}\n{remark}\n\n", table.name, table.title, drawn(&cells)))?;
        }
        if let (Some(target), Some(path), FIGURE) = (&target, &options.plot, table.name) {
            let drawing = Figure::of_table(table.title, &cells);
            if drawing.is_empty() {
                eprintln!(
                    "{}: no plot: nothing of alphabeta was measured (--columns alphabeta,pn)",
                    program()
                );
            } else {
                target.store(&drawing.form_of(path)?)?;
            }
        }
        all.extend(cells);
    }
    let unknown = |name: &&String| !known.iter().any(|known| known.starts_with(name.as_str()));
    if let Some(name) = options.rows.iter().chain(&options.columns).find(unknown) {
        return Err(Failure::input(anyhow!("\"{name}\" is no row or column of {prefix}")));
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
