//! The judge: goes through a certificate by the rules of the game and nothing else.

use std::fmt;

use quod_model::{Citation, InputError, Notation, Oracle, Relative, Value, shortened};

use crate::certificate::{CertificateError, CertificateFile, Layout, PartSummary, StoredMoves};
use crate::claim::{Claim, Relation};
use crate::demonstration::Demonstration;
use crate::played::{Chosen, play_through};
use crate::traversal::{Moves, Refusal, traverse};

/// What was verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The text that names the game.
    pub game: String,
    /// The root in the game's notation.
    pub root: String,
    /// The name of the player to move at the root, for whom the claims are said.
    pub to_move: &'static str,
    /// The verified claims.
    pub claims: Vec<CheckedClaim>,
    /// The database that they lean on: they hold if its values are right.
    pub leans_on: Option<Citation>,
    /// The exact value for the side to move and its name, if the claims and the range of the game's values
    /// leave one.
    pub exact: Option<(Relative, String)>,
}

/// One verified claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedClaim {
    /// The claim.
    pub claim: Claim,
    /// Its bound in the game's words.
    pub value_text: String,
    /// How many positions of both sides the strategy covers.
    pub positions: u64,
    /// How many moves the file holds for it.
    pub moves: u64,
}

/// Why a certificate is not accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckError {
    /// The file cannot be read.
    #[error("unreadable: {0}")]
    Unreadable(#[from] CertificateError),
    /// It is about something this game does not know: another game, other rules, no such position.
    #[error("unreadable: {0}")]
    Foreign(String),
    /// The game or the root in it is not understood.
    #[error("unreadable: {0}")]
    Input(#[from] InputError),
    /// It leans on a database that is not at hand.
    #[error("unreadable: it leans on {0}, which is not at hand (--db DIR)")]
    DatabaseMissing(Citation),
    /// The database at hand is damaged, altered, or of another game.
    #[error("refused: it leans on a database, and the one at hand cannot be used: {0}")]
    DatabaseUnusable(String),
    /// It leans on another database than the one at hand.
    #[error("refused: it leans on {cited}, at hand is {found}")]
    DatabaseDiffers {
        /// In the certificate.
        cited: Citation,
        /// At hand.
        found: Citation,
    },
    /// The caller stopped it before the end: nothing is said about the certificate.
    #[error("interrupted before it was checked to the end")]
    Interrupted,
    /// It was read and does not prove what it claims.
    #[error("refused: the claim \"value {claim}\" is not shown: {refusal}")]
    Refused {
        /// What it claims.
        claim: Claim,
        /// Why that is not shown.
        refusal: Refusal,
    },
}

impl CheckError {
    /// Whether it was read and judged, and not merely unreadable.
    #[must_use]
    pub fn is_refusal(&self) -> bool {
        matches!(self, Self::Refused { .. } | Self::DatabaseDiffers { .. } | Self::DatabaseUnusable(_))
    }
}

struct Reader<'p, 'b, G: Notation> {
    /// Remembers the moves, if somebody wants them.
    demonstration: Option<&'p mut Demonstration<G>>,
    stored: &'p mut StoredMoves<'b>,
    /// How many moves the header says are left for this claim.
    left: u64,
    /// How many positions the header says that the strategy covers.
    said: u64,
    /// How many it has covered when somebody was told last.
    found: u64,
    before: u64,
    progress: &'p mut dyn FnMut(u64) -> bool,
}

impl<G: Notation> Reader<'_, '_, G> {
    /// The next number that is stored.
    fn number(&mut self) -> Result<u32, Refusal> {
        self.left = self.left.checked_sub(1).ok_or(Refusal::MovesMissing)?;
        self.stored.next().map_err(|_| Refusal::MovesMissing)?.ok_or(Refusal::MovesMissing)
    }

    /// More than was said is refused at once: how long a small file can keep a checker busy is written in it.
    fn tell(&mut self, positions: u64) -> bool {
        self.found = positions;
        positions <= self.said && (self.progress)(self.before.saturating_add(positions))
    }
}

impl<G: Notation> Moves<G> for Reader<'_, '_, G> {
    fn next(&mut self, position: &G::Position, _: usize) -> Result<usize, Refusal> {
        let place = self.number()? as usize;
        if let Some(demonstration) = &mut self.demonstration {
            demonstration.remember(position.clone(), position.clone(), place);
        }
        Ok(place)
    }

    fn goes_on(&mut self, positions: u64) -> bool {
        self.tell(positions)
    }
}

impl<G: Notation> Chosen<G> for Reader<'_, '_, G> {
    fn next(
        &mut self,
        position: &G::Position,
        identity: &G::Position,
        _: &[G::Move],
        _: usize,
        expected: Option<usize>,
    ) -> Result<usize, Refusal> {
        let place = match self.number()? {
            0 => expected.ok_or(Refusal::NoSuchMove)?,
            // What is expected has one form.
            number if expected == Some(number as usize - 1) => return Err(Refusal::NoSuchMove),
            number => number as usize - 1,
        };
        if let Some(demonstration) = &mut self.demonstration {
            demonstration.remember(identity.clone(), position.clone(), place);
        }
        Ok(place)
    }

    fn goes_on(&mut self, positions: u64) -> bool {
        self.tell(positions)
    }
}

/// Checks the bytes of a certificate file against the rules of `game`.
///
/// # Errors
/// If the file cannot be read, is about another game, or does not show what it claims.
pub fn check_bytes<G: Notation>(game: &G, file: &[u8]) -> Result<Checked, CheckError> {
    check(game, &CertificateFile::open(file)?, &mut |_| true)
}

/// Checks an opened certificate against the rules of `game`. `progress` is told now and then how many positions
/// were visited; false stops the work.
///
/// # Errors
/// If the certificate is about another game or does not show what it claims.
pub fn check<G: Notation>(
    game: &G,
    certificate: &CertificateFile<'_>,
    progress: &mut dyn FnMut(u64) -> bool,
) -> Result<Checked, CheckError> {
    check_leaning(game, certificate, None, progress)
}

/// The same for a certificate that may lean on a database, which is asked only if it is the one that is cited.
///
/// # Errors
/// If the certificate is about another game, leans on another database, or does not show what it claims.
pub fn check_leaning<G: Notation>(
    game: &G,
    certificate: &CertificateFile<'_>,
    oracle: Option<&dyn Oracle<G>>,
    progress: &mut dyn FnMut(u64) -> bool,
) -> Result<Checked, CheckError> {
    check_all(game, certificate, oracle, None, progress)
}

/// The same, with the claims as demonstrations, which hold all of the moves.
///
/// # Errors
/// As [`check_leaning`].
pub fn check_demonstrating<G: Notation>(
    game: &G,
    certificate: &CertificateFile<'_>,
    oracle: Option<&dyn Oracle<G>>,
    progress: &mut dyn FnMut(u64) -> bool,
) -> Result<(Checked, Vec<Demonstration<G>>), CheckError> {
    let mut demonstrations = Vec::new();
    let checked = check_all(game, certificate, oracle, Some(&mut demonstrations), progress)?;
    Ok((checked, demonstrations))
}

fn check_all<G: Notation>(
    game: &G,
    certificate: &CertificateFile<'_>,
    oracle: Option<&dyn Oracle<G>>,
    mut demonstrations: Option<&mut Vec<Demonstration<G>>>,
    progress: &mut dyn FnMut(u64) -> bool,
) -> Result<Checked, CheckError> {
    let oracle = match (certificate.cites, oracle) {
        (None, _) => None,
        (Some(cited), None) => return Err(CheckError::DatabaseMissing(cited)),
        (Some(cited), Some(oracle)) => {
            let found = oracle.cite();
            if found != cited {
                return Err(CheckError::DatabaseDiffers { cited, found });
            }
            Some(oracle)
        }
    };
    if certificate.game != game.game_text() {
        let problem = format!("it is about {}, not about {}", shortened(&certificate.game), game.game_text());
        return Err(CheckError::Foreign(problem));
    }
    if certificate.rules_version != game.rules_version() {
        return Err(CheckError::Foreign(format!(
            "it was made for version {} of the rules of {}, this program has version {}",
            certificate.rules_version,
            certificate.game,
            game.rules_version()
        )));
    }
    if certificate.joined && game.abilities().canonical.is_none() {
        let problem = format!("it joins symmetric positions, and {} has none", certificate.game);
        return Err(CheckError::Foreign(problem));
    }
    // A claim with nothing to say is none, and an exact value is a claim from either side.
    let sides: Vec<Relation> = certificate.parts.iter().map(|part| part.claim.relation).collect();
    if !matches!(sides[..], [_] | [Relation::AtLeast, Relation::AtMost]) {
        let problem = format!("it has {} claims; one is right, or >= and <=", sides.len());
        return Err(CheckError::Unreadable(CertificateError::Malformed(problem)));
    }
    let root = game.parse_position(&certificate.root)?;
    let mover = game.to_move(&root);
    let mut stored = certificate.stored_moves()?;
    let mut claims: Vec<CheckedClaim> = Vec::new();
    for part in &certificate.parts {
        let before = claims.iter().map(|claim| claim.positions).sum();
        let demonstration = demonstrations.as_deref_mut().map(|all| {
            let brief = certificate.layout == Layout::Brief;
            all.push(Demonstration::new(part.claim, mover, (certificate.joined, brief)));
            all.last_mut().expect("it was just put there")
        });
        let reader = Reader {
            demonstration,
            stored: &mut stored,
            left: part.moves,
            said: part.positions,
            found: 0,
            before,
            progress,
        };
        check_part(game, &root, certificate, oracle, part, reader).map_err(|refusal| match refusal {
            Refusal::Interrupted => CheckError::Interrupted,
            refusal => CheckError::Refused { claim: part.claim, refusal },
        })?;
        claims.push(CheckedClaim {
            claim: part.claim,
            value_text: game.value_text(part.claim.value),
            positions: part.positions,
            moves: part.moves,
        });
    }
    stored.finish()?;
    let (mut low, mut high) = Value::range_seen_by(game.values(), mover);
    for claim in certificate.parts.iter().map(|part| part.claim) {
        match claim.relation {
            Relation::AtLeast => low = low.max(claim.value),
            Relation::AtMost => high = high.min(claim.value),
        }
    }
    Ok(Checked {
        game: certificate.game.clone(),
        root: certificate.root.clone(),
        to_move: game.player_name(mover),
        claims,
        leans_on: certificate.cites,
        exact: (low == high).then(|| (low, game.value_text(low))),
    })
}

fn check_part<G: Notation>(
    game: &G,
    root: &G::Position,
    certificate: &CertificateFile<'_>,
    oracle: Option<&dyn Oracle<G>>,
    part: &PartSummary,
    mut reader: Reader<'_, '_, G>,
) -> Result<(), Refusal> {
    let joined = certificate.joined;
    let traversed = match certificate.layout {
        Layout::Positions => traverse(game, root, part.claim, joined, oracle, &mut reader),
        Layout::Played => play_through(game, root, part.claim, (joined, false), &mut reader),
        Layout::Brief => play_through(game, root, part.claim, (joined, true), &mut reader),
    };
    if reader.found > reader.said {
        return Err(Refusal::Positions { said: part.positions, found: reader.found });
    }
    let found = traversed?;
    if reader.left > 0 {
        return Err(Refusal::MovesLeft);
    }
    if found != part.positions {
        return Err(Refusal::Positions { said: part.positions, found });
    }
    Ok(())
}

/// What was verified, for people.
impl fmt::Display for Checked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "accepted: {}, {}", self.game, self.root)?;
        for claim in &self.claims {
            writeln!(
                f,
                "  {} to move gets {} ({}): {} positions, {} stored moves",
                self.to_move, claim.claim, claim.value_text, claim.positions, claim.moves
            )?;
        }
        if let Some((value, text)) = &self.exact {
            writeln!(f, "  so the value is exactly {value} ({text})")?;
        }
        if let Some(database) = &self.leans_on {
            writeln!(f, "  if the values are right of {database}")?;
        }
        Ok(())
    }
}
