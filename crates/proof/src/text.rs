//! The text form of a certificate, for reading and editing:
//!
//! ```text
//! quod certificate 1
//! game connect4:4x4
//! rules 1
//! root ..../..../..../....
//! symmetry joined
//! claim >= 0
//! positions 1234
//! moves 2
//! 0 3
//! ```
//! `symmetry` is `joined` or `separate`; `claim` to the moves come once or twice. A certificate that cites a database has
//! the line `database SLICES CHECKSUM` before the claims. One that is laid out as it is played begins with
//! `quod certificate 4`, or 3 if threats that are made again are stored.

use std::fmt::Write as _;

use quod_model::{Citation, Relative, shortened};

use crate::certificate::{Certificate, CertificateError, Layout, PARTS_MAX, Part, is_line};
use crate::claim::{Claim, Relation};

const FIRST_LINE: &str = "quod certificate 1";
/// That of one which is laid out as it is played.
const FIRST_LINE_PLAYED: &str = "quod certificate 3";
/// The same where threats that are made again are left out.
const FIRST_LINE_BRIEF: &str = "quod certificate 4";
const MOVES_PER_LINE: usize = 32;

impl Certificate {
    /// The text form.
    #[must_use]
    pub fn to_text(&self) -> String {
        let symmetry = if self.joined { "joined" } else { "separate" };
        let first_line = match self.layout {
            Layout::Positions => FIRST_LINE,
            Layout::Played => FIRST_LINE_PLAYED,
            Layout::Brief => FIRST_LINE_BRIEF,
        };
        let mut text = format!(
            "{first_line}\ngame {}\nrules {}\nroot {}\nsymmetry {symmetry}\n",
            self.game, self.rules_version, self.root
        );
        if let Some(citation) = &self.cites {
            let _ = writeln!(text, "database {} {}", citation.slices, citation.hexadecimal());
        }
        for part in &self.parts {
            let _ = writeln!(text, "claim {}", part.claim);
            let _ = writeln!(text, "positions {}\nmoves {}", part.positions, part.moves.len());
            for line in part.moves.chunks(MOVES_PER_LINE) {
                let line: Vec<String> = line.iter().map(u32::to_string).collect();
                let _ = writeln!(text, "{}", line.join(" "));
            }
        }
        text
    }

    /// Reads the text form.
    ///
    /// # Errors
    /// Names the line that is wrong.
    pub fn from_text(text: &str) -> Result<Self, CertificateError> {
        let mut lines = Lines { lines: text.lines().enumerate(), last: 0 };
        let layout = match lines.next() {
            Some(FIRST_LINE) => Layout::Positions,
            Some(FIRST_LINE_PLAYED) => Layout::Played,
            Some(FIRST_LINE_BRIEF) => Layout::Brief,
            _ => return Err(lines.error(format!("expected \"{FIRST_LINE}\", or 3 or 4 in place of the 1"))),
        };
        let game = lines.field("game")?.to_owned();
        let rules_version = lines.number("rules")?;
        let root = lines.field("root")?.to_owned();
        let joined = match lines.field("symmetry")? {
            "joined" => true,
            "separate" => false,
            _ => return Err(lines.error("symmetry is joined or separate".to_owned())),
        };
        let (mut parts, mut cites) = (Vec::new(), None);
        while let Some(line) = lines.next() {
            if let (Some(words), true, None, Layout::Positions) =
                (line.strip_prefix("database "), parts.is_empty(), cites, layout)
            {
                let citation = citation(words);
                let problem = || lines.error("expected \"database SLICES CHECKSUM\"".to_owned());
                cites = Some(citation.ok_or_else(problem)?);
                continue;
            }
            if parts.len() == PARTS_MAX {
                return Err(lines.error(format!("there are more than {PARTS_MAX} claims")));
            }
            let claim = claim(line).ok_or_else(|| lines.error("expected \"claim >= N\"".to_owned()))?;
            let positions = lines.number("positions")?;
            let count: usize = lines.number("moves")?;
            let mut moves = Vec::new();
            while moves.len() < count {
                let line = lines.next().ok_or_else(|| lines.error("moves are missing".to_owned()))?;
                for word in line.split_whitespace() {
                    let place = word
                        .parse()
                        .map_err(|_| lines.error(format!("\"{}\" is no number", shortened(word))))?;
                    moves.push(place);
                }
            }
            if moves.len() > count {
                return Err(lines.error(format!("more than {count} moves")));
            }
            parts.push(Part { claim, positions, moves });
        }
        Ok(Self { game, rules_version, root, joined, cites, layout, parts })
    }
}

fn citation(words: &str) -> Option<Citation> {
    let (slices, digits) = words.split_once(' ')?;
    let mut checksum = [0; 32];
    if digits.len() != 64 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    for (at, byte) in checksum.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).ok()?;
    }
    Some(Citation { slices: slices.parse().ok()?, checksum })
}

fn claim(line: &str) -> Option<Claim> {
    let (sign, value) = line.strip_prefix("claim ")?.split_once(' ')?;
    let relation = match sign {
        ">=" => Relation::AtLeast,
        "<=" => Relation::AtMost,
        _ => return None,
    };
    Some(Claim { relation, value: Relative(value.parse().ok()?) })
}

struct Lines<'t> {
    lines: std::iter::Enumerate<std::str::Lines<'t>>,
    last: usize,
}

impl<'t> Lines<'t> {
    /// The next line that is not empty.
    fn next(&mut self) -> Option<&'t str> {
        for (number, line) in self.lines.by_ref() {
            self.last = number + 1;
            if !line.trim().is_empty() {
                return Some(line);
            }
        }
        None
    }

    fn error(&self, problem: String) -> CertificateError {
        CertificateError::Text { line: self.last.max(1), problem }
    }

    fn field(&mut self, name: &str) -> Result<&'t str, CertificateError> {
        let value = self.next().and_then(|line| line.strip_prefix(name)?.strip_prefix(' '));
        let value = value.ok_or_else(|| self.error(format!("expected \"{name} ...\"")))?;
        if is_line(value) { Ok(value) } else { Err(self.error(format!("{name}: it is no line of letters"))) }
    }

    fn number<N: std::str::FromStr>(&mut self, name: &str) -> Result<N, CertificateError> {
        let value = self.field(name)?;
        value.parse().map_err(|_| self.error(format!("{name}: \"{}\" is no number", shortened(value))))
    }
}
