//! Bad files. Every decoder of Quod is a *target*: a function that takes any bytes and states laws. What decodes encodes to the same; a
//! position that was printed is read as itself; a message is short. A law that is broken is a panic.
//!
//! `tests/replay.rs` tries each target with what is kept in `corpus/` and with mutations of that, in every test run. `cargo xtask fuzz`
//! tries many millions of inputs that coverage guides. What once broke a law is kept in `crashes/`.
//!
//! A new decoder: write its laws in a file here, add it to [`TARGETS`], and put a few good inputs into `corpus/<name>/`.

mod certificates;
mod checkpoints;
mod databases;
mod explorer;
mod games;
mod message;
pub mod mutate;
mod positions;
mod suites;
mod uci;

use std::path::{Path, PathBuf};

/// Tries bytes, and panics if a law is broken.
pub type Check = fn(&[u8]);

/// A decoder that is tried.
pub struct Target {
    /// Its name, which its folders have too.
    pub name: &'static str,
    /// The laws.
    pub check: Check,
    /// Whether inputs are text, which the mutator keeps in mind.
    pub is_text: bool,
    /// How many inputs it gets when they are spread: less where one takes long.
    pub share: u32,
}

/// All decoders.
pub const TARGETS: [Target; 20] = [
    // Positions, lines of moves and pictures, game by game.
    text("tictactoe", 10, |data| positions::check("tictactoe", data)),
    text("connect4", 10, |data| positions::check("connect4", data)),
    text("morris", 10, |data| positions::check("morris", data)),
    text("woodpush", 10, |data| positions::check("woodpush", data)),
    text("awari", 10, |data| positions::check("awari", data)),
    text("kalah", 10, |data| positions::check("kalah", data)),
    text("chess", 6, |data| positions::check("chess", data)),
    text("antichess", 6, |data| positions::check("antichess", data)),
    text("qubic", 4, |data| positions::check("qubic", data)),
    text("gomoku", 4, |data| positions::check("gomoku", data)),
    // Names of games with parameters, and goals.
    text("games", 10, games::check),
    text("scores", 10, positions::check_score),
    text("suites", 10, suites::check),
    text("uci", 6, uci::check),
    text("explorer", 10, explorer::check),
    text("certificate-text", 10, certificates::check_text),
    bytes("certificates", 10, certificates::check_file),
    bytes("certificate-edits", 3, certificates::check_edits),
    bytes("databases", 5, databases::check),
    bytes("checkpoints", 6, checkpoints::check),
];

const fn text(name: &'static str, share: u32, check: Check) -> Target {
    Target { name, check, is_text: true, share }
}

const fn bytes(name: &'static str, share: u32, check: Check) -> Target {
    Target { name, check, is_text: false, share }
}

/// The target of a name.
#[must_use]
pub fn target(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}

impl Target {
    /// Where good inputs are kept.
    #[must_use]
    pub fn corpus(&self) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(self.name)
    }

    /// Where inputs are kept that have broken a law.
    #[must_use]
    pub fn crashes(&self) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("crashes").join(self.name)
    }
}

/// The text of an input, with what is none replaced.
fn as_text(data: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(data)
}

/// The number that the first byte gives, below `count`, and what follows.
fn split_number(data: &[u8], count: usize) -> Option<(usize, &[u8])> {
    let (first, rest) = data.split_first()?;
    Some((usize::from(*first) % count, rest))
}
