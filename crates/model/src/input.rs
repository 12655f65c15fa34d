//! Bad input from people and files: what it was, where, what is wrong with it, what would be right.

use std::fmt;

/// Input that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputError {
    kind: String,
    text: String,
    place: Option<String>,
    problem: String,
    hint: Option<String>,
}

impl InputError {
    /// An error about `text`, which was to be a `kind` ("move", "position", "game").
    pub fn new(kind: impl Into<String>, text: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { kind: kind.into(), text: text.into(), place: None, problem: problem.into(), hint: None }
    }

    /// Says where in a larger input it is, and keeps what was said of the place within.
    #[must_use]
    pub fn at(mut self, place: impl Into<String>) -> Self {
        let place = place.into();
        self.place = Some(match self.place {
            None => place,
            Some(within) => format!("{place}, {within}"),
        });
        self
    }

    /// Says what would be right.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} \"{}\"", self.kind, shortened(&self.text))?;
        if let Some(place) = &self.place {
            write!(f, " ({})", shortened(place))?;
        }
        // Both may quote the input.
        write!(f, ": {}", cut(&self.problem, PROBLEM_LETTERS))?;
        if let Some(hint) = &self.hint {
            let lines: Vec<String> = hint.lines().map(|line| cut(line, HINT_LETTERS)).collect();
            write!(f, "\n  {}", lines.join("\n"))?;
        }
        Ok(())
    }
}

impl std::error::Error for InputError {}

/// The most letters that are shown of a text, of a problem, and of a line of a hint, which may list all moves of a position.
const TEXT_LETTERS: usize = 100;
const PROBLEM_LETTERS: usize = 400;
const HINT_LETTERS: usize = 2_000;

/// A text from outside as messages show it: they stay readable when the input is a megabyte of garbage.
#[must_use]
pub fn shortened(text: &str) -> String {
    cut(text, TEXT_LETTERS)
}

fn cut(text: &str, letters: usize) -> String {
    let mut printable = text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c });
    let mut shown: String = printable.by_ref().take(letters).collect();
    if printable.next().is_some() {
        shown.push('…');
    }
    shown
}

/// The parameters of a game text: what follows the colon in `connect4:8x8,row=5`.
///
/// ```
/// use quod_model::Parameters;
/// let mut parameters = Parameters::new("connect4:8x8,row=5,score");
/// assert_eq!(parameters.first(), Some("8x8"));
/// assert_eq!(parameters.number("row", 1..=9).unwrap(), Some(5));
/// assert!(parameters.flag("score"));
/// parameters.finish("row=N, score").unwrap();
/// ```
pub struct Parameters<'t> {
    text: &'t str,
    name: &'t str,
    rest: Vec<&'t str>,
}

impl<'t> Parameters<'t> {
    /// Splits a game text into its name and its parameters.
    #[must_use]
    pub fn new(text: &'t str) -> Self {
        let (name, parameters) = text.split_once(':').unwrap_or((text, ""));
        let rest = if parameters.is_empty() { Vec::new() } else { parameters.split(',').collect() };
        Self { text, name, rest }
    }

    /// The name before the colon.
    #[must_use]
    pub fn name(&self) -> &'t str {
        self.name
    }

    /// Takes the first parameter if it begins with a digit: a size or a number.
    pub fn first(&mut self) -> Option<&'t str> {
        let first = *self.rest.first()?;
        if first.starts_with(|c: char| c.is_ascii_digit()) {
            self.rest.remove(0);
            Some(first)
        } else {
            None
        }
    }

    /// Takes `key=VALUE`.
    pub fn value(&mut self, key: &str) -> Option<&'t str> {
        let values = self.rest.iter().map(|word| word.split_once('=').filter(|(name, _)| *name == key));
        let (place, value) =
            values.enumerate().find_map(|(place, word)| word.map(|(_, value)| (place, value)))?;
        self.rest.remove(place);
        Some(value)
    }

    /// Takes `key=NUMBER`.
    ///
    /// # Errors
    /// If the number is none, or outside of the range.
    pub fn number(
        &mut self,
        key: &str,
        range: std::ops::RangeInclusive<u32>,
    ) -> Result<Option<u32>, InputError> {
        let Some(word) = self.value(key) else { return Ok(None) };
        let number = word.parse().ok().filter(|number| range.contains(number));
        number.map(Some).ok_or_else(|| {
            InputError::new("game", self.text, format!("\"{key}={word}\" is out of range")).hint(format!(
                "{key} is a number from {} to {}",
                range.start(),
                range.end()
            ))
        })
    }

    /// Takes a flag.
    pub fn flag(&mut self, name: &str) -> bool {
        let found = self.rest.iter().position(|word| *word == name);
        if let Some(place) = found {
            self.rest.remove(place);
        }
        found.is_some()
    }

    /// An error about the whole game text.
    #[must_use]
    pub fn error(&self, problem: impl Into<String>) -> InputError {
        InputError::new("game", self.text, problem)
    }

    /// Checks that nothing is left over.
    ///
    /// # Errors
    /// Names the first parameter that nobody took, and those that there are.
    pub fn finish(self, known: &str) -> Result<(), InputError> {
        match self.rest.first() {
            None => Ok(()),
            Some(word) => {
                let hint = if known.is_empty() {
                    format!("{} takes no parameters", self.name)
                } else {
                    format!("parameters of {}: {known}", self.name)
                };
                Err(self.error(format!("unknown parameter \"{word}\"")).hint(hint))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_short_and_printable_whatever_they_quote() {
        let long = "\u{1b}[2J\n".repeat(100_000);
        let error = InputError::new("move", &long, &long).at(&long).hint(format!("first\n{long}"));
        let message = error.to_string();
        let lines: Vec<&str> = message.lines().collect();
        assert!(lines.iter().all(|line| line.chars().count() < 2_100), "{}", message.len());
        assert!(!message.chars().any(|c| c.is_control() && c != '\n'), "{message:?}");
        assert_eq!(lines[1], "  first");
    }
}
