//! Which positions searches are compared on.

use std::collections::HashSet;
use std::path::Path;

use quod_solver::{Comparison, Door, InputError, Place};

use super::options::{CompareOptions, PLIES_MAX};
use crate::source;

/// Random positions beside the start, if nobody names any.
const SAMPLE: usize = 30;

/// Adds all positions that the options name, or a sample.
pub(super) fn add(
    comparison: &mut Comparison,
    door: &dyn Door,
    options: &CompareOptions,
) -> anyhow::Result<()> {
    for text in &options.position {
        comparison.add(door, Place { position: Some(text.clone()), moves: None })?;
    }
    for text in &options.moves {
        comparison.add(door, by_moves(text))?;
    }
    if let Some(file) = &options.positions {
        add_file(comparison, door, file)?;
    }
    if let Some(count) = options.random {
        let found = add_random(comparison, door, options, count)?;
        if found < count {
            return Err(too_few(options, count, found).into());
        }
    }
    if let (Some(plies), None, false) = (&options.plies, options.random, comparison.rows.is_empty()) {
        let text = format!("{}..{}", plies.start(), plies.end());
        return Err(InputError::new(
            "--plies",
            text,
            "it is for random positions, and only others are named",
        )
        .hint("add --random N")
        .into());
    }
    if comparison.rows.is_empty() {
        comparison.add(door, Place::default())?;
        add_random(comparison, door, options, SAMPLE)?;
    }
    Ok(())
}

fn by_moves(text: &str) -> Place {
    Place { position: None, moves: Some(text.to_owned()) }
}

/// Adds up to `count` random positions that are not among the others yet, and says how many.
fn add_random(
    comparison: &mut Comparison,
    door: &dyn Door,
    options: &CompareOptions,
    count: usize,
) -> Result<usize, InputError> {
    let plies = options.plies.clone().unwrap_or(0..=PLIES_MAX);
    let known: HashSet<String> = comparison.rows.iter().map(|row| row.position.clone()).collect();
    let lines = door.random_lines(count.saturating_add(known.len()), options.seed, plies);
    let mut found = 0;
    for line in lines {
        let place = by_moves(&line);
        if found < count && !known.contains(&door.locate(&place)?.position) {
            comparison.add(door, place)?;
            found += 1;
        }
    }
    Ok(found)
}

fn too_few(options: &CompareOptions, count: usize, found: usize) -> InputError {
    let plies = options.plies.as_ref();
    let after =
        plies.map_or(String::new(), |plies| format!(" after {} to {} moves", plies.start(), plies.end()));
    InputError::new(
        "random",
        count.to_string(),
        format!("random play finds {found} different positions{after}"),
    )
    .hint("ask for fewer, or widen --plies")
}

/// Adds the positions of a file, one in a line.
fn add_file(comparison: &mut Comparison, door: &dyn Door, file: &Path) -> anyhow::Result<()> {
    let (name, text) = source::read(file)?;
    let before = comparison.rows.len();
    for (number, line) in text.lines().enumerate() {
        let line = without_comment(line).trim();
        if line.is_empty() {
            continue;
        }
        let place = format!("{name}, line {}", number + 1);
        let added = place_of(door, line).and_then(|found| comparison.add(door, found));
        added.map_err(|error| error.at(place))?;
    }
    if comparison.rows.len() == before {
        return Err(InputError::new("positions", &name, "there are none in it")
            .hint("one in every line: moves from the start, or a position in the game's notation")
            .into());
    }
    Ok(())
}

/// What stands before a '#' that begins a word; others may belong to a game's notation.
fn without_comment(line: &str) -> &str {
    let begins = |place: &usize| line[..*place].chars().next_back().is_none_or(char::is_whitespace);
    let comment = line.match_indices('#').map(|(place, _)| place).find(begins);
    &line[..comment.unwrap_or(line.len())]
}

/// Reads moves from the start, or a position in the game's notation.
fn place_of(door: &dyn Door, line: &str) -> Result<Place, InputError> {
    let moves = by_moves(line);
    let position = Place { position: Some(line.to_owned()), moves: None };
    match (door.locate(&moves), door.locate(&position)) {
        (Ok(_), Err(_)) => Ok(moves),
        (Err(_), Ok(_)) => Ok(position),
        (Ok(one), Ok(other)) if one == other => Ok(moves),
        (Ok(_), Ok(_)) => Err(InputError::new("position", line, "it can be read as moves and as a position")
            .hint("say which it is with --moves or --position")),
        (Err(as_moves), Err(as_position)) => {
            let indented = |error: InputError| error.to_string().replace('\n', "\n  ");
            Err(InputError::new("position", line, "it is neither moves from the start nor a position").hint(
                format!("as moves: {}\n  as a position: {}", indented(as_moves), indented(as_position)),
            ))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_begin_words() {
        for (line, rest) in
            [("# all", ""), ("4453 # four", "4453 "), ("a#b", "a#b"), ("a#b #c", "a#b "), ("", "")]
        {
            assert_eq!(without_comment(line), rest);
        }
    }

    #[test]
    fn lines_are_moves_or_positions() {
        let game = quod_solver::games().open("connect4:4x4").unwrap();
        assert_eq!(place_of(&*game, "1 1 2"), Ok(by_moves("1 1 2")));
        let position = place_of(&*game, "..../..../..../x...").unwrap();
        assert_eq!(position.moves, None);
        let message = place_of(&*game, "1x").unwrap_err().to_string();
        assert!(message.contains("as moves: move \"x\"") && message.contains("as a position:"), "{message}");
    }
}
