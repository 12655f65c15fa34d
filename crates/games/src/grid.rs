//! Boards of x, o and empty cells as text: rows from the top, separated by slashes.

use quod_model::{InputError, Player};

/// A cell: a player's stone or nothing.
pub(crate) type Cell = Option<Player>;

pub(crate) fn letter(cell: Cell) -> char {
    match cell {
        Some(Player::First) => 'x',
        Some(Player::Second) => 'o',
        None => '.',
    }
}

/// The board as one line; `cell` takes column and row, rows counted from the bottom.
pub(crate) fn write(width: u32, height: u32, cell: impl Fn(u32, u32) -> Cell) -> String {
    let rows = (0..height).rev().map(|row| (0..width).map(|column| letter(cell(column, row))).collect());
    rows.collect::<Vec<String>>().join("/")
}

/// The board as a picture, with a label below each column.
pub(crate) fn draw(
    width: u32,
    height: u32,
    cell: impl Fn(u32, u32) -> Cell,
    row_label: impl Fn(u32) -> String,
    column_label: impl Fn(u32) -> String,
) -> String {
    let wide = column_label(width - 1).len();
    let mut picture = String::new();
    for row in (0..height).rev() {
        picture.push_str(&row_label(row));
        for column in 0..width {
            picture.push_str(&format!(" {:>wide$}", letter(cell(column, row))));
        }
        picture.push('\n');
    }
    picture.push_str(&" ".repeat(row_label(0).len()));
    for column in 0..width {
        picture.push_str(&format!(" {:>wide$}", column_label(column)));
    }
    picture
}

/// Reads a board and checks what every game of x and o shares: its size, and that x began.
/// The cells come as (column, row from the bottom, owner).
pub(crate) fn read(text: &str, width: u32, height: u32) -> Result<Vec<(u32, u32, Player)>, InputError> {
    let rows: Vec<&str> = text.split('/').collect();
    let stones = read_cells(text, &rows, width, height, &['.'])?;
    check_counts(text, stones.iter().map(|stone| stone.2))?;
    Ok(stones)
}

/// Reads the rows of a board, which `text` gave, and checks its size. Any of `empty` is an empty cell.
pub(crate) fn read_cells(
    text: &str,
    rows: &[&str],
    width: u32,
    height: u32,
    empty: &[char],
) -> Result<Vec<(u32, u32, Player)>, InputError> {
    let error = |problem: String| InputError::new("position", text, problem);
    if rows.len() != height as usize {
        let problem = format!("it has {} rows, the board has {height}", rows.len());
        return Err(error(problem).hint(format!(
            "rows from the top, separated by /, such as {}",
            write(width, height, |_, _| None)
        )));
    }
    let mut stones = Vec::new();
    for (from_top, line) in (0..height).zip(rows) {
        if line.chars().count() != width as usize {
            let problem = format!("it has {} cells, the board has {width} columns", line.chars().count());
            return Err(error(problem).at(format!("row {} from the top, \"{line}\"", from_top + 1)));
        }
        for (column, letter) in (0..width).zip(line.chars()) {
            let place = || format!("row {} from the top, column {}", from_top + 1, column + 1);
            let Some(owner) = cell(text, letter, empty).map_err(|error| error.at(place()))? else { continue };
            stones.push((column, height - 1 - from_top, owner));
        }
    }
    Ok(stones)
}

/// Reads a cell of a position. Any of `empty` is an empty one.
pub(crate) fn cell(text: &str, letter: char, empty: &[char]) -> Result<Cell, InputError> {
    match letter {
        'x' | 'X' => Ok(Some(Player::First)),
        'o' | 'O' => Ok(Some(Player::Second)),
        _ if empty.contains(&letter) => Ok(None),
        _ => Err(InputError::new("position", text, format!("\"{letter}\" is no cell"))
            .hint("x is First, o is Second, . is empty")),
    }
}

/// Checks that x began, by the owners of all stones.
pub(crate) fn check_counts(text: &str, owners: impl Iterator<Item = Player>) -> Result<(), InputError> {
    let (x, o): (Vec<Player>, Vec<Player>) = owners.partition(|owner| *owner == Player::First);
    let (x, o) = (x.len(), o.len());
    if x != o && x != o + 1 {
        let problem = format!("the number of stones is wrong: x has {x}, o has {o}");
        return Err(InputError::new("position", text, problem)
            .hint("x moves first, so x has as many stones as o, or one more"));
    }
    Ok(())
}

/// The error for a position in which the player to move should have lost already, or both have won.
pub(crate) fn both_or_late(text: &str) -> InputError {
    InputError::new("position", text, "the player to move has a full row already")
        .hint("the game ended when that row was made; only the player who moved last can have one")
}
