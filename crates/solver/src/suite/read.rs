//! Reads suites: a position in every line, and operations behind it as in EPD (Edwards 1994, the PGN standard, section 16.2).
//!
//! EPD is made for chess, but nothing here knows that: what a position is, the game says.

use quod_model::InputError;

use crate::door::{Door, Place};

/// One position of a suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What its operation `id` says, or the line where it is.
    pub id: String,
    /// The line, from 1.
    pub line: usize,
    /// In the game's notation.
    pub position: String,
    /// In how many moves it is won as the file says (operation `dm`).
    pub dm: Option<u32>,
}

impl Problem {
    pub(super) fn place(&self) -> Place {
        Place { position: Some(self.position.clone()), moves: None }
    }
}

/// The names that the standard gives to operations, beside c0 to c9 and v0 to v9.
const STANDARD: [&str; 25] = [
    "acd",
    "acn",
    "acs",
    "am",
    "bm",
    "ce",
    "dm",
    "draw_accept",
    "draw_claim",
    "draw_offer",
    "draw_reject",
    "eco",
    "fmvn",
    "hmvc",
    "id",
    "nic",
    "noop",
    "pm",
    "pv",
    "rc",
    "resign",
    "sm",
    "tcgs",
    "tcri",
    "tcsi",
];
/// Longer mates than anybody has found.
const DM_MAX: u32 = 10_000;

/// Reads the suite in `text`, which people know as `name`. Empty lines and remarks, which begin with `#`, say nothing.
///
/// # Errors
/// Names the line, what is wrong with it, and what would be right.
///
/// ```
/// use quod_solver::{games, read_suite};
/// let game = games().open("tictactoe").unwrap();
/// let suite = read_suite(&*game, "mine.epd", "# two\nxx./oo./... dm 1; id \"first\";\n.../.../...\n").unwrap();
/// assert_eq!((suite[0].id.as_str(), suite[0].dm, suite[1].id.as_str()), ("first", Some(1), "line 3"));
/// ```
pub fn read_suite(door: &dyn Door, name: &str, text: &str) -> Result<Vec<Problem>, InputError> {
    let mut problems = Vec::new();
    // Some editors begin a file with a mark of its encoding.
    for (number, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let line = line.trim();
        if !line.is_empty() && !line.starts_with('#') {
            let problem = read_line(door, number + 1, line);
            problems.push(problem.map_err(|error| error.at(format!("{name}, line {}", number + 1)))?);
        }
    }
    if problems.is_empty() {
        return Err(InputError::new("suite", name, "there are no positions in it")
            .hint("one in every line, and what is known of it: POSITION dm 3; id \"name\";"));
    }
    Ok(problems)
}

fn read_line(door: &dyn Door, number: usize, line: &str) -> Result<Problem, InputError> {
    let (position, mut rest) = split(door, line)?;
    let mut problem = Problem { id: format!("line {number}"), line: number, position, dm: None };
    while let Some((operation, after)) = next_operation(rest)? {
        rest = after;
        let (name, operand) = operation.split_once(char::is_whitespace).unwrap_or((operation, ""));
        let operand = operand.trim();
        match name {
            "id" => problem.id = read_id(operand).ok_or_else(|| error(operation, "it has no name"))?,
            "dm" => {
                problem.dm = Some(read_dm(operand).ok_or_else(|| {
                    error(operation, format!("\"{operand}\" is no number of moves from 1 to {DM_MAX}"))
                })?);
            }
            "hmvc" => {
                // Moves without a capture or a pawn move, which stand behind the four words of a position.
                let words: Vec<&str> = problem.position.split_whitespace().take(4).collect();
                let place = Place { position: Some(format!("{} {operand} 1", words.join(" "))), moves: None };
                problem.position = door.locate(&place)?.position;
            }
            _ => {}
        }
    }
    Ok(problem)
}

/// The position at the beginning of a line as the game writes it, and what follows: the first semicolon, remark or operation.
/// That one has a name of the standard, so that a slip in a position is not taken for an operation.
fn split<'t>(door: &dyn Door, line: &'t str) -> Result<(String, &'t str), InputError> {
    let begins_word = |at: usize| line[..at].chars().next_back().is_some_and(char::is_whitespace);
    let ends = |(at, c): (usize, char)| match c {
        ';' => true,
        '#' => begins_word(at),
        _ => begins_word(at) && begins_operation(&line[at..]),
    };
    let end = line.char_indices().find(|place| ends(*place)).map_or(line.len(), |(at, _)| at);
    let place = Place { position: Some(line[..end].trim().to_owned()), moves: None };
    door.locate(&place).map(|located| (located.position, &line[end..]))
}

/// Whether a text begins with an operation that the standard has. A comment such as c3 is one only if there is a comment: it is the
/// name of a square too.
fn begins_operation(text: &str) -> bool {
    let (name, operand) = text.split_once([' ', '\t', ';']).unwrap_or((text, ""));
    let numbered =
        |letter| name.strip_prefix(letter).is_some_and(|digit| matches!(digit.as_bytes(), [b'0'..=b'9']));
    numbered('c') && operand.trim_start().starts_with('"') || numbered('v') || STANDARD.contains(&name)
}

/// The first operation without its semicolon, which may be missing behind the last, and what follows.
fn next_operation(text: &str) -> Result<Option<(&str, &str)>, InputError> {
    let text = text.trim_start_matches(|c: char| c == ';' || c.is_whitespace());
    if text.is_empty() || text.starts_with('#') {
        return Ok(None);
    }
    let mut quoted = false;
    let end = text.char_indices().find(|(_, c)| {
        quoted ^= *c == '"';
        *c == ';' && !quoted
    });
    if quoted {
        return Err(error(text, "a quotation mark is missing"));
    }
    let end = end.map_or(text.len(), |(at, _)| at);
    let operation = text[..end].trim_end();
    if !operation.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return Err(error(operation, "it begins with no letter"));
    }
    Ok(Some((operation, &text[end..])))
}

fn error(operation: &str, problem: impl Into<String>) -> InputError {
    InputError::new("operation", operation, problem)
        .hint("operations are a name, a value and a semicolon: dm 3; id \"name\";")
}

fn read_id(operand: &str) -> Option<String> {
    let id = operand.trim_matches('"').trim();
    (!id.is_empty()).then(|| id.to_owned())
}

fn read_dm(operand: &str) -> Option<u32> {
    operand.parse().ok().filter(|moves| (1..=DM_MAX).contains(moves))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games;

    const KING: &str = "7k/5K2/8/6Q1/8/8/8/8 w - -";

    fn read(game: &str, text: &str) -> Result<Vec<Problem>, InputError> {
        read_suite(&*games().open(game).unwrap(), "s.epd", text)
    }

    #[test]
    fn positions_and_operations_are_told_apart() {
        for (line, id, dm) in [
            (KING.to_owned(), "line 1", None),
            (format!("{KING} 0 1"), "line 1", None),
            (format!("{KING} 3 17 id \"six words\"; dm 1;"), "six words", Some(1)),
            (format!("{KING} bm #1; id WAC.001"), "WAC.001", None),
            (format!("{KING} c0 \"a; b # c\";dm 2;id \"x\" ; # a remark; id \"y\";"), "x", Some(2)),
            (format!("{KING} ;D1 20 ;D2 400"), "line 1", None),
            (format!("{KING} # id \"x\";"), "line 1", None),
            (format!("\u{feff}{KING} noop; Own 7;"), "line 1", None),
        ] {
            let problems = read("chess", &line).unwrap();
            let [problem] = &problems[..] else { panic!("{line}") };
            assert_eq!((problem.id.as_str(), problem.dm), (id, dm), "{line}");
            assert_eq!(problem.position, format!("{KING} 0 1"), "{line}");
        }
    }

    /// A square is no comment, and a clock is part of a position where the rules say so.
    #[test]
    fn en_passant_and_clocks_are_read() {
        let position = |game: &str, line: &str| read(game, line).unwrap()[0].position.clone();
        let passing = "8/8/8/1K1k2b1/1pP1r3/8/8/qr6 b - c3";
        for rest in ["", " dm 1; id \"ep\";", " c3 \"a comment\"; dm 1;", " 0 1", " hmvc 0; dm 1;"] {
            let line = format!("{passing}{rest}");
            assert_eq!(position("chess", &line), format!("{passing} 0 1"), "{line}");
        }
        let rooks = "7k/8/8/8/R7/1R6/8/7K w - -";
        let line = format!("{rooks} hmvc 98; id \"h\";");
        assert_eq!(position("chess:fifty", &line), format!("{rooks} 98 1"));
        assert_eq!(position("chess", &line), format!("{rooks} 0 1"));
    }

    #[test]
    fn positions_of_every_game_are_read() {
        let problems = read("awari", "0 0 0 0 0 1 / 1 0 0 0 0 0 id one;\n\n# none\n").unwrap();
        assert_eq!((problems.len(), problems[0].id.as_str()), (1, "one"));
    }

    #[test]
    fn mistakes_are_named_with_their_place() {
        for (line, parts) in [
            ("7k/5K2/8/6Q1/8/8/8/7 w - - dm 1;", &["8/7 w", "s.epd, line 2, rank 1", "7 squares"][..]),
            ("7k/5K2/8/6Q1/8/8/8/8 w - - -1 1; dm 1;", &["line 2", "-1", "0 to 65535"]),
            ("7k/5K2/8/6Q1/8/8/8/8 w x - c7 1; dm 1;", &["line 2, castling", "KQkq"]),
            ("7k/5K2/8/6Q1/8/8/8/8 w KQx - dm 1;", &["line 2, castling", "\"KQx\""]),
            ("nonsense", &["\"nonsense\"", "line 2", "a FEN"]),
            ("7k/5K2/8/6Q1/8/8/8/8 w - - dm x;", &["operation \"dm x\"", "line 2", "from 1 to"]),
            ("7k/5K2/8/6Q1/8/8/8/8 w - - dm 0;", &["\"0\" is no number"]),
            ("7k/5K2/8/6Q1/8/8/8/8 w - - id;", &["no name", "id \"name\";"]),
            ("7k/5K2/8/6Q1/8/8/8/8 w - - id \"x; dm 3;", &["quotation mark"]),
            ("7k/5K2/8/6Q1/8/8/8/8 w - - dm 3; 17;", &["operation \"17\"", "no letter"]),
        ] {
            let message = read("chess", &format!("# first\n{line}\n")).unwrap_err().to_string();
            for part in parts {
                assert!(message.contains(part), "{line} lacks {part}:\n{message}");
            }
        }
        assert!(read("chess", "# nothing\n").unwrap_err().to_string().contains("no positions in it"));
    }
}
