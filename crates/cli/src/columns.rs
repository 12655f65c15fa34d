//! Tables of many columns in a terminal that is not wide enough for all.

use comfy_table::{CellAlignment, LineStyle, Table, TableStyle};

/// Between two columns.
const GAP: usize = 2;
const RULED: TableStyle = TableStyle::new().header_separator(LineStyle::none().fill('-').junction('-'));

/// A column with its title.
#[derive(Clone)]
pub(crate) struct Column {
    title: String,
    cells: Vec<String>,
    alignment: CellAlignment,
}

impl Column {
    /// Of words.
    pub(crate) fn left(title: impl Into<String>, cells: Vec<String>) -> Self {
        Self { title: title.into(), cells, alignment: CellAlignment::Left }
    }

    /// Of figures.
    pub(crate) fn right(title: impl Into<String>, cells: Vec<String>) -> Self {
        Self { title: title.into(), cells, alignment: CellAlignment::Right }
    }

    pub(crate) fn width(&self) -> usize {
        let lengths = self.cells.iter().chain([&self.title]).map(|text| text.chars().count());
        lengths.max().unwrap_or(0)
    }

    /// With cells of at most so many characters.
    pub(crate) fn shortened(&self, width: usize) -> Self {
        let shorten = |text: &String| match text.chars().count() {
            length if length <= width => text.clone(),
            _ => text.chars().take(width.saturating_sub(1)).chain(['…']).collect(),
        };
        Self { cells: self.cells.iter().map(shorten).collect(), ..self.clone() }
    }
}

/// How wide a table of these columns is.
pub(crate) fn total_width<'c>(columns: impl IntoIterator<Item = &'c Column>) -> usize {
    columns.into_iter().map(|column| column.width() + GAP).sum::<usize>().saturating_sub(GAP)
}

/// Draws a table, or several below each other if one would be wider than `width`: each has all of `fixed` and some of
/// `others`.
pub(crate) fn drawn(fixed: &[Column], others: &[Column], width: usize) -> String {
    let mut blocks = Vec::new();
    let mut rest = others;
    while !rest.is_empty() || blocks.is_empty() {
        let fits = |count: &usize| total_width(fixed.iter().chain(&rest[..*count])) <= width;
        // One at least, however narrow the terminal is.
        let count = (1..=rest.len()).take_while(fits).last().unwrap_or(1.min(rest.len()));
        blocks.push(table(fixed.iter().chain(&rest[..count])));
        rest = &rest[count..];
    }
    blocks.join("\n")
}

fn table<'c>(columns: impl Iterator<Item = &'c Column> + Clone) -> String {
    let mut table = Table::new();
    table.load_style(RULED);
    table.set_header(columns.clone().map(|column| &column.title));
    let height = columns.clone().map(|column| column.cells.len()).max().unwrap_or(0);
    for row in 0..height {
        table.add_row(columns.clone().map(|column| &column.cells[row]));
    }
    let last = columns.clone().count() - 1;
    for (place, (drawn, column)) in table.column_iter_mut().zip(columns).enumerate() {
        drawn.set_cell_alignment(column.alignment);
        drawn.set_padding((0, if place == last { 0 } else { GAP as u16 - 1 }));
    }
    table.trim_fmt() + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(title: &str, cell: &str) -> Column {
        Column::right(title, vec![cell.to_owned()])
    }

    #[test]
    fn a_table_that_is_too_wide_becomes_several() {
        let fixed = [column("#", "1")];
        let others = [column("aaaa", "1"), column("bbbb", "2"), column("cccc", "3")];
        assert_eq!(total_width(fixed.iter().chain(&others)), 19);
        assert_eq!(
            drawn(&fixed, &others, 19),
            "#  aaaa  bbbb  cccc\n-------------------\n1     1     2     3\n"
        );
        let narrow = drawn(&fixed, &others, 18);
        assert_eq!(narrow, "#  aaaa  bbbb\n-------------\n1     1     2\n\n#  cccc\n-------\n1     3\n");
        assert_eq!(drawn(&fixed, &others, 1).matches('#').count(), 3);
    }

    #[test]
    fn long_cells_are_cut() {
        let column = Column::left("p", vec!["abcdef".to_owned(), "ab".to_owned()]).shortened(4);
        assert_eq!((column.width(), column.cells), (4, vec!["abc…".to_owned(), "ab".to_owned()]));
    }
}
