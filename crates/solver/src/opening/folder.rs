//! What the folder of an opening holds: certificates of pieces, and notes for whoever goes on.
//!
//! Files are named by the canonical form of a position, in whose words notes are written. A note that cannot be read is none; a note that is not true costs time,
//! and nothing else: what is joined at the end is checked.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use quod_model::{Notation, Relative};
use quod_proof::{CertificateFile, Claim, Relation};

/// The file that says what the pieces of a folder are about.
const QUESTION: &str = "question";
/// How names of certificates end.
const CERTIFICATE: &str = "quod";

/// The words with which the opening was asked about whose pieces a folder holds, if it does.
pub(crate) fn label_of(folder: &Path) -> Option<String> {
    fs::read_to_string(folder.join(QUESTION)).ok()?.lines().nth(2).map(str::to_owned)
}

/// What is noted of moves in a position.
#[derive(Clone, Copy)]
pub(super) enum Note {
    /// The attacker's move that wins, because all replies to it are proved.
    Move,
    /// The replies that a short search did not prove lost: it did so with all others.
    Left,
}

impl Note {
    fn ending(self) -> &'static str {
        match self {
            Self::Move => "move",
            Self::Left => "left",
        }
    }
}

/// The folder, and the game that it is about.
pub(super) struct Pieces<'a, G: Notation> {
    pub(super) game: &'a G,
    folder: &'a Path,
}

impl<'a, G: Notation> Pieces<'a, G> {
    /// Takes a folder into use for an opening.
    ///
    /// # Errors
    /// If it holds the pieces of another one, or cannot be written to.
    pub(super) fn open(
        game: &'a G,
        root: &G::Position,
        folder: &'a Path,
        label: &str,
    ) -> Result<Self, String> {
        let question = folder.join(QUESTION);
        let text = format!("{}\n{}\n{label}\n", game.game_text(), game.position_text(root));
        match fs::read_to_string(&question) {
            Ok(found) if found.lines().take(2).eq(text.lines().take(2)) => {}
            Ok(_) => return Err("it holds the pieces of another opening".to_owned()),
            Err(_) => fs::write(&question, text).map_err(|error| error.to_string())?,
        }
        Ok(Self { game, folder })
    }

    /// The position that stands for those that are alike.
    pub(super) fn identity(&self, position: &G::Position) -> G::Position {
        let canonical = self.game.abilities().canonical;
        canonical.map_or_else(|| position.clone(), |canonical| canonical(self.game, position))
    }

    fn beside(&self, position: &G::Position, ending: &str) -> PathBuf {
        self.folder.join(format!("{:032x}.{ending}", self.game.key(&self.identity(position))))
    }

    /// The certificate of a piece.
    pub(super) fn file(&self, position: &G::Position) -> PathBuf {
        self.beside(position, CERTIFICATE)
    }

    /// The positions after all moves that are not alike, each with its move.
    pub(super) fn after_all(&self, position: &G::Position) -> Vec<(G::Move, G::Position)> {
        let mut moves = Vec::new();
        self.game.moves(position, &mut moves);
        self.after(position, moves)
    }

    /// The positions after some moves, but those that are alike.
    pub(super) fn after(&self, position: &G::Position, moves: Vec<G::Move>) -> Vec<(G::Move, G::Position)> {
        let mut met = HashSet::new();
        let after = moves.into_iter().map(|mv| (mv, self.game.after(position, mv)));
        after.filter(|(_, after)| met.insert(self.identity(after))).collect()
    }

    /// Whether the folder has a certificate of a piece: whole, of this game, of this position or one like it, and of a win. It was checked when it was written, and is
    /// checked again when the pieces are joined.
    pub(super) fn has(&self, position: &G::Position) -> bool {
        let Ok(bytes) = fs::read(self.file(position)) else { return false };
        let Ok(file) = CertificateFile::open(&bytes) else { return false };
        let win = Claim { relation: Relation::AtLeast, value: Relative(1) };
        let rules = (file.game == self.game.game_text(), file.rules_version == self.game.rules_version());
        let root = || self.game.parse_position(&file.root).map(|root| self.identity(&root));
        rules == (true, true)
            && matches!(file.parts[..], [part] if part.claim == win)
            && root().is_ok_and(|root| root == self.identity(position))
    }

    /// How many certificates the folder has.
    pub(super) fn certificates(&self) -> usize {
        let files = fs::read_dir(self.folder).into_iter().flatten().flatten();
        files.filter(|file| file.path().extension().is_some_and(|ending| ending == CERTIFICATE)).count()
    }

    /// Writes a certificate.
    pub(super) fn store(&self, position: &G::Position, bytes: &[u8]) -> std::io::Result<()> {
        write_whole(&self.file(position), "part", bytes)
    }

    /// How often a piece was tried in vain.
    pub(super) fn tries(&self, position: &G::Position) -> u32 {
        let text = fs::read_to_string(self.beside(position, "tries")).unwrap_or_default();
        text.trim().parse().unwrap_or(0)
    }

    /// Notes that. Without the note, whoever goes on tries once more.
    pub(super) fn note_tries(&self, position: &G::Position, tries: u32) {
        let _ = fs::write(self.beside(position, "tries"), tries.to_string());
    }

    /// The positions after the moves of a note, if there is one.
    pub(super) fn noted(&self, position: &G::Position, note: Note) -> Option<Vec<G::Position>> {
        let game = self.game;
        let text = fs::read_to_string(self.beside(position, note.ending())).ok()?;
        let like = self.identity(position);
        let after = self.after_all(position);
        let words = text.split_whitespace().map(|word| {
            let noted = self.identity(&game.after(&like, game.parse_move(&like, word).ok()?));
            after.iter().find(|(_, after)| self.identity(after) == noted).map(|(_, after)| after.clone())
        });
        words.collect()
    }

    /// Notes the moves that lead to positions. Without the note, whoever goes on finds them out again.
    pub(super) fn note(&self, position: &G::Position, note: Note, after: &[G::Position]) {
        let like = self.identity(position);
        let legal = self.after_all(&like);
        let words = after.iter().filter_map(|after| {
            let after = self.identity(after);
            let (mv, _) = legal.iter().find(|(_, other)| self.identity(other) == after)?;
            Some(self.game.move_text(&like, *mv))
        });
        let words: Vec<String> = words.collect();
        // A note that was cut off would be believed: it is there as a whole or not at all.
        let _ = write_whole(&self.beside(position, note.ending()), "note", words.join(" ").as_bytes());
    }
}

/// Writes a file that is there as a whole or not at all.
fn write_whole(path: &Path, part: &str, bytes: &[u8]) -> std::io::Result<()> {
    let part = path.with_extension(part);
    let written = fs::write(&part, bytes)
        .and_then(|()| fs::File::open(&part)?.sync_all())
        .and_then(|()| fs::rename(&part, path));
    if written.is_err() {
        let _ = fs::remove_file(part);
    }
    written
}
