//! Certificates as files: docs/formats/certificate.md says what every byte means.

use std::io::{BufReader, Read};

use quod_model::{Citation, Game, Move as _, Notation, Oracle, Relative};
use serde::{Deserialize, Serialize};

use crate::claim::{Claim, Relation};
use crate::played::{Chosen, play_through};
use crate::strategy::Strategy;
use crate::traversal::{Moves, Refusal, traverse};

const MAGIC: &[u8; 8] = b"quodcert";
/// The first version, which certificates that lean on the rules alone still have.
const VERSION: u16 = 1;
/// The version of certificates that cite a database.
const VERSION_CITING: u16 = 2;
/// The version of certificates whose strategies are laid out as they are played.
const VERSION_PLAYED: u16 = 3;
/// The version of those that leave out threats made again.
const VERSION_BRIEF: u16 = 4;
const CHECKSUM_BYTES: usize = 32;
/// The most moves that are unpacked into memory at once; checking needs no such limit.
const UNPACKED_MOVES_MAX: u64 = 1 << 28;
/// The most claims.
pub(crate) const PARTS_MAX: usize = 2;
/// Chosen for size: what is written once is read and sent often.
const COMPRESSION_LEVEL: i32 = 19;

/// How the moves of a strategy are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Position by position, each replaced by its canonical form where symmetric ones are joined.
    Positions,
    /// As it is played, for games that end: immediate wins take nothing, and repeated answers next to nothing.
    Played,
    /// The same, in which the move that is expected takes nothing either if every reply to it loses at once.
    Brief,
}

/// A certificate in memory: everything that a file says, and nothing checked by the rules yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// The text that names the game.
    pub game: String,
    /// The version of its rules.
    pub rules_version: u32,
    /// The root position in the game's notation.
    pub root: String,
    /// Whether symmetric positions are joined.
    pub joined: bool,
    /// The database that the strategies lean on, if they do.
    pub cites: Option<Citation>,
    /// How the moves are laid out.
    pub layout: Layout,
    /// One strategy, or two that make an exact value.
    pub parts: Vec<Part>,
}

/// A claim and the strategy that shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The claim.
    pub claim: Claim,
    /// How many positions the strategy covers, those of both sides.
    pub positions: u64,
    /// The claimer's moves in the order of the traversal: places among the legal moves, ascending. In the played layout 0 is the move that
    /// is expected, and places are counted from 1.
    pub moves: Vec<u32>,
}

/// Why a file cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CertificateError {
    /// It does not start like one.
    #[error("this is not a Quod certificate")]
    NotACertificate,
    /// It was written by a newer version.
    #[error("it has format version {0}, this program reads versions up to {VERSION_BRIEF}")]
    Version(u16),
    /// The checksum is wrong, or it ends too early.
    #[error("it is damaged: the checksum does not match (cut off or altered)")]
    Damaged,
    /// The checksum is right and the contents make no sense.
    #[error("it is malformed: {0}")]
    Malformed(String),
    /// A line of the text form is wrong.
    #[error("line {line}: {problem}")]
    Text {
        /// Counted from 1.
        line: usize,
        /// What is wrong.
        problem: String,
    },
}

/// The header as it is stored.
#[derive(Serialize, Deserialize)]
struct Header {
    game: String,
    rules_version: u32,
    root: String,
    joined: bool,
    parts: Vec<PartHeader>,
}

/// What follows the header where a database is cited.
#[derive(Serialize, Deserialize)]
struct CitationHeader {
    slices: u32,
    checksum: [u8; CHECKSUM_BYTES],
}

#[derive(Serialize, Deserialize)]
struct PartHeader {
    at_least: bool,
    value: i32,
    positions: u64,
    moves: u64,
}

struct Recorder<'s, G: Notation> {
    strategy: &'s Strategy<G>,
    moves: Vec<u32>,
    progress: &'s mut dyn FnMut(u64) -> bool,
}

impl<G: Notation> Moves<G> for Recorder<'_, G> {
    fn next(&mut self, position: &G::Position, _: usize) -> Result<usize, Refusal> {
        let choice = self.strategy.choice(position).ok_or(Refusal::MovesMissing)?;
        self.moves.push(choice);
        Ok(choice as usize)
    }

    fn goes_on(&mut self, positions: u64) -> bool {
        (self.progress)(positions)
    }

    fn positions_max(&self) -> usize {
        self.strategy.len()
    }
}

/// Whoever makes the claimer's moves while a strategy is written down as it is played.
pub trait Chooser<G: Game> {
    /// A move that keeps the claim in a position that `depth` moves from the root lead to. Nothing stops the work.
    fn choose(&mut self, position: &G::Position, depth: usize) -> Option<G::Move>;

    /// Told now and then how many positions were gone through; false stops the work.
    fn goes_on(&mut self, positions: u64) -> bool;
}

struct PlayedRecorder<'s, G: Game> {
    chooser: &'s mut dyn Chooser<G>,
    moves: Vec<u32>,
}

impl<G: Game> Chosen<G> for PlayedRecorder<'_, G> {
    fn next(
        &mut self,
        position: &G::Position,
        _: &G::Position,
        moves: &[G::Move],
        depth: usize,
        expected: Option<usize>,
    ) -> Result<usize, Refusal> {
        let mv = self.chooser.choose(position, depth).ok_or(Refusal::Interrupted)?;
        let place =
            moves.binary_search_by_key(&mv.code(), |mv| mv.code()).map_err(|_| Refusal::NoSuchMove)?;
        self.moves.push(if expected == Some(place) { 0 } else { place as u32 + 1 });
        Ok(place)
    }

    fn goes_on(&mut self, positions: u64) -> bool {
        self.chooser.goes_on(positions)
    }
}

impl Part {
    /// Writes a strategy down as it is played, which also checks it.
    ///
    /// # Errors
    /// If the moves do not keep the claim, or the work was stopped.
    pub fn play<G: Notation>(
        game: &G,
        root: &G::Position,
        claim: Claim,
        chooser: &mut dyn Chooser<G>,
    ) -> Result<Self, Refusal> {
        let mut recorder = PlayedRecorder { chooser, moves: Vec::new() };
        let joined = game.abilities().canonical.is_some();
        let positions = play_through(game, root, claim, (joined, true), &mut recorder)?;
        Ok(Self { claim, positions, moves: recorder.moves })
    }

    /// A claim that the range of the game's values shows by itself.
    #[must_use]
    pub fn of_range(claim: Claim) -> Self {
        Self { claim, positions: 0, moves: Vec::new() }
    }

    /// Writes a strategy down by going through it, which also checks it. `progress` is told how many positions were visited; false stops.
    ///
    /// # Errors
    /// If the strategy does not show the claim, or it was stopped.
    pub fn record<G: Notation>(
        game: &G,
        root: &G::Position,
        claim: Claim,
        strategy: &Strategy<G>,
        oracle: Option<&dyn Oracle<G>>,
        progress: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Self, Refusal> {
        let mut recorder = Recorder { strategy, moves: Vec::new(), progress };
        let joined = game.abilities().canonical.is_some();
        let positions = traverse(game, root, claim, joined, oracle, &mut recorder)?;
        Ok(Self { claim, positions, moves: recorder.moves })
    }
}

impl Certificate {
    /// A certificate about `root`, which leans on what `cites` says beside the rules.
    pub fn new<G: Notation>(game: &G, root: &G::Position, cites: Option<Citation>, parts: Vec<Part>) -> Self {
        Self {
            game: game.game_text(),
            rules_version: game.rules_version(),
            root: game.position_text(root),
            joined: game.abilities().canonical.is_some(),
            cites,
            layout: Layout::Positions,
            parts,
        }
    }

    /// A certificate about `root` whose parts were written down as they are [played](Part::play).
    pub fn played<G: Notation>(game: &G, root: &G::Position, parts: Vec<Part>) -> Self {
        Self { layout: Layout::Brief, ..Self::new(game, root, None, parts) }
    }

    /// The bytes of the file.
    ///
    /// # Panics
    /// Never for certificates made here: writing to memory does not fail.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let part_header = |part: &Part| PartHeader {
            at_least: part.claim.relation == Relation::AtLeast,
            value: part.claim.value.0,
            positions: part.positions,
            moves: part.moves.len() as u64,
        };
        let header = Header {
            game: self.game.clone(),
            rules_version: self.rules_version,
            root: self.root.clone(),
            joined: self.joined,
            parts: self.parts.iter().map(part_header).collect(),
        };
        let mut header = postcard::to_stdvec(&header).expect("a header can be written to memory");
        if let (Some(Citation { slices, checksum }), Layout::Positions) = (self.cites, self.layout) {
            let citation = postcard::to_stdvec(&CitationHeader { slices, checksum });
            header.extend(citation.expect("a header can be written to memory"));
        }
        let version = match (self.layout, self.cites) {
            (Layout::Played, _) => VERSION_PLAYED,
            (Layout::Brief, _) => VERSION_BRIEF,
            (Layout::Positions, Some(_)) => VERSION_CITING,
            (Layout::Positions, None) => VERSION,
        };
        let mut moves = Vec::new();
        for place in self.parts.iter().flat_map(|part| &part.moves) {
            push_number(&mut moves, *place);
        }
        let moves = zstd::bulk::compress(&moves, COMPRESSION_LEVEL).expect("compression into memory");
        let mut file = Vec::with_capacity(header.len() + moves.len() + 64);
        file.extend_from_slice(MAGIC);
        file.extend_from_slice(&version.to_le_bytes());
        file.extend_from_slice(&u32::try_from(header.len()).expect("a small header").to_le_bytes());
        file.extend_from_slice(&header);
        file.extend_from_slice(&moves);
        let checksum = blake3::hash(&file);
        file.extend_from_slice(checksum.as_bytes());
        file
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// If they are no certificate of this version, damaged, malformed, or too large for memory.
    pub fn decode(file: &[u8]) -> Result<Self, CertificateError> {
        CertificateFile::open(file)?.unpack()
    }
}

/// The header of one part of a certificate file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartSummary {
    /// The claim.
    pub claim: Claim,
    /// How many positions the strategy covers, those of both sides.
    pub positions: u64,
    /// How many moves are stored for it.
    pub moves: u64,
}

/// A certificate file that was opened: its checksum is right and its header was read. The moves are still packed, so
/// that a small file cannot fill the memory.
#[derive(Clone, Debug)]
pub struct CertificateFile<'b> {
    /// The text that names the game.
    pub game: String,
    /// The version of its rules.
    pub rules_version: u32,
    /// The root position in the game's notation.
    pub root: String,
    /// Whether symmetric positions are joined.
    pub joined: bool,
    /// The database that the strategies lean on, if they do.
    pub cites: Option<Citation>,
    /// How the moves are laid out.
    pub layout: Layout,
    /// The claims.
    pub parts: Vec<PartSummary>,
    packed: &'b [u8],
}

impl<'b> CertificateFile<'b> {
    /// Opens the bytes of a file.
    ///
    /// # Errors
    /// If they are no certificate of this version, damaged, or their header is malformed.
    pub fn open(file: &'b [u8]) -> Result<Self, CertificateError> {
        if file.len() < MAGIC.len() || file[..MAGIC.len()] != MAGIC[..] {
            return Err(CertificateError::NotACertificate);
        }
        let version = file.get(8..10).ok_or(CertificateError::Damaged)?;
        let version = u16::from_le_bytes([version[0], version[1]]);
        if !(VERSION..=VERSION_BRIEF).contains(&version) {
            return Err(CertificateError::Version(version));
        }
        let end = file.len().checked_sub(CHECKSUM_BYTES).ok_or(CertificateError::Damaged)?;
        let (content, checksum) = file.split_at(end);
        let stored: [u8; CHECKSUM_BYTES] = checksum.try_into().expect("split at its length");
        if blake3::hash(content) != blake3::Hash::from_bytes(stored) {
            return Err(CertificateError::Damaged);
        }
        let length = content.get(10..14).ok_or_else(|| malformed("no header"))?;
        let length = u32::from_le_bytes(length.try_into().expect("four bytes")) as usize;
        let rest = &content[14..];
        if length > rest.len() {
            return Err(malformed("the header is longer than the file"));
        }
        let (header, packed) = rest.split_at(length);
        let (header, mut left): (Header, &[u8]) =
            postcard::take_from_bytes(header).map_err(|_| malformed("the header"))?;
        let mut cites = None;
        if version == VERSION_CITING {
            let (citation, rest): (CitationHeader, &[u8]) =
                postcard::take_from_bytes(left).map_err(|_| malformed("what it cites"))?;
            cites = Some(Citation { slices: citation.slices, checksum: citation.checksum });
            left = rest;
        }
        if !left.is_empty() {
            return Err(malformed("bytes are left over in the header"));
        }
        // They are printed, and lines of the text form.
        if ![&header.game, &header.root].into_iter().all(|text| is_line(text)) {
            return Err(malformed("a text in the header is no line of letters"));
        }
        // An exact value is two claims; no certificate has more.
        if header.parts.len() > PARTS_MAX {
            return Err(malformed(&format!(
                "it has {} claims; {PARTS_MAX} are the most",
                header.parts.len()
            )));
        }
        let part = |part: &PartHeader| {
            let relation = if part.at_least { Relation::AtLeast } else { Relation::AtMost };
            let claim = Claim { relation, value: Relative(part.value) };
            PartSummary { claim, positions: part.positions, moves: part.moves }
        };
        let parts = header.parts.iter().map(part).collect();
        let Header { game, rules_version, root, joined, .. } = header;
        let layout = match version {
            VERSION_PLAYED => Layout::Played,
            VERSION_BRIEF => Layout::Brief,
            _ => Layout::Positions,
        };
        Ok(Self { game, rules_version, root, joined, cites, layout, parts, packed })
    }

    /// Reads all moves into memory.
    ///
    /// # Errors
    /// If they cannot be unpacked, are not as many as the header says, or are too many for that.
    pub fn unpack(&self) -> Result<Certificate, CertificateError> {
        let count = self.parts.iter().fold(0, |sum: u64, part| sum.saturating_add(part.moves));
        if count > UNPACKED_MOVES_MAX {
            return Err(malformed(&format!("{count} moves are too many to unpack")));
        }
        let mut stored = self.stored_moves()?;
        let mut parts = Vec::new();
        for part in &self.parts {
            let mut moves = Vec::new();
            for _ in 0..part.moves {
                moves.push(stored.next()?.ok_or_else(|| malformed("moves are missing"))?);
            }
            parts.push(Part { claim: part.claim, positions: part.positions, moves });
        }
        stored.finish()?;
        Ok(Certificate {
            game: self.game.clone(),
            rules_version: self.rules_version,
            root: self.root.clone(),
            joined: self.joined,
            cites: self.cites,
            layout: self.layout,
            parts,
        })
    }

    /// The packed moves, one after the other.
    pub(crate) fn stored_moves(&self) -> Result<StoredMoves<'b>, CertificateError> {
        let decoder =
            zstd::stream::read::Decoder::with_buffer(self.packed).map_err(|_| malformed("the moves"))?;
        Ok(StoredMoves { bytes: BufReader::new(decoder.single_frame()) })
    }
}

/// Whether a text is part of a line, with nothing in it that moves a cursor.
pub(crate) fn is_line(text: &str) -> bool {
    !text.chars().any(char::is_control)
}

fn malformed(what: &str) -> CertificateError {
    CertificateError::Malformed(what.to_owned())
}

/// Reads stored moves from their packed form.
pub(crate) struct StoredMoves<'b> {
    bytes: BufReader<zstd::stream::read::Decoder<'static, &'b [u8]>>,
}

impl StoredMoves<'_> {
    /// The next number, or nothing at the end.
    pub(crate) fn next(&mut self) -> Result<Option<u32>, CertificateError> {
        let Some(first) = self.byte()? else { return Ok(None) };
        let (mut number, mut shift, mut byte) = (u32::from(first & 0x7f), 7, first);
        while byte & 0x80 != 0 {
            byte = self.byte()?.ok_or_else(|| malformed("a number is cut off"))?;
            let high = u32::from(byte & 0x7f);
            // A number has one form: no overflow, no empty last byte.
            if shift > 28 || (shift == 28 && high > 0xf) || byte == 0 {
                return Err(malformed("a number"));
            }
            number |= high << shift;
            shift += 7;
        }
        Ok(Some(number))
    }

    /// Makes sure that nothing is left.
    pub(crate) fn finish(mut self) -> Result<(), CertificateError> {
        if self.byte()?.is_some() || !self.bytes.into_inner().finish().is_empty() {
            return Err(malformed("moves are left over"));
        }
        Ok(())
    }

    fn byte(&mut self) -> Result<Option<u8>, CertificateError> {
        let mut byte = [0];
        match self.bytes.read(&mut byte) {
            Ok(0) => Ok(None),
            Ok(_) => Ok(Some(byte[0])),
            Err(_) => Err(malformed("the moves cannot be unpacked")),
        }
    }
}

/// Seven bits a byte, low ones first, the high bit set on all but the last: one byte for almost every move.
fn push_number(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unpacked(bytes: &[u8]) -> Option<Vec<u32>> {
        let packed = zstd::bulk::compress(bytes, 3).unwrap();
        let decoder = zstd::stream::read::Decoder::with_buffer(&packed[..]).unwrap();
        let mut reader = StoredMoves { bytes: BufReader::new(decoder.single_frame()) };
        let mut numbers = Vec::new();
        while let Some(number) = reader.next().ok()? {
            numbers.push(number);
        }
        reader.finish().ok()?;
        Some(numbers)
    }

    #[test]
    fn numbers_have_one_form() {
        let mut bytes = Vec::new();
        let numbers = vec![0, 1, 127, 128, 300, 1 << 14, u32::MAX];
        for number in &numbers {
            push_number(&mut bytes, *number);
        }
        assert_eq!(unpacked(&bytes), Some(numbers));
        for bad in [&[0x80][..], &[0x80, 0x00], &[0xff; 5], &[0xff, 0xff, 0xff, 0xff, 0x10]] {
            assert_eq!(unpacked(bad), None, "{bad:?}");
        }
    }

    /// What is printed must not move a cursor, and what has a text form must come back from it.
    #[test]
    fn texts_are_lines() {
        let part = Part::of_range(Claim { relation: Relation::AtLeast, value: Relative(-1) });
        let with = |game: &str, root: &str, parts: usize| Certificate {
            game: game.to_owned(),
            rules_version: 1,
            root: root.to_owned(),
            joined: true,
            cites: None,
            layout: Layout::Positions,
            parts: vec![part.clone(); parts],
        };
        let good = with("tictactoe", ".../.../...", 2);
        assert_eq!(Certificate::decode(&good.encode()).as_ref(), Ok(&good));
        assert_eq!(Certificate::from_text(&good.to_text()).as_ref(), Ok(&good));
        for bad in
            [with("x\nrules 7", "", 1), with("x\r", "", 1), with("x", "\u{1b}[2J", 1), with("x", "", 3)]
        {
            assert!(
                matches!(Certificate::decode(&bad.encode()), Err(CertificateError::Malformed(_))),
                "{bad:?}"
            );
            assert!(Certificate::from_text(&bad.to_text().replace('\n', "\r\n")).is_err(), "{bad:?}");
        }
    }

    /// A few kilobytes that unpack to a gigabyte are opened and judged without unpacking them.
    #[test]
    fn a_bomb_is_not_unpacked() {
        let part = Part {
            claim: Claim { relation: Relation::AtLeast, value: Relative(0) },
            positions: 1,
            moves: vec![0; 1 << 20],
        };
        let (game, root) = ("tictactoe".to_owned(), ".../.../...".to_owned());
        let layout = Layout::Positions;
        let certificate = Certificate {
            game,
            rules_version: 1,
            root,
            joined: true,
            cites: None,
            layout,
            parts: vec![part],
        };
        let file = certificate.encode();
        assert!(file.len() < 1_000);
        let mut opened = CertificateFile::open(&file).unwrap();
        opened.parts[0].moves = u64::MAX;
        assert!(matches!(opened.unpack(), Err(CertificateError::Malformed(_))));
    }
}
