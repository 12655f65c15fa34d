//! Pieces of an opening, joined into one certificate: it is played out once more, with the moves of the pieces.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use quod_model::{Goal, LeafNumbers, Notation, Value};
use quod_proof::{
    Certificate, CertificateFile, Chooser, Claim, Demonstration, Part, Reply, check_demonstrating,
};
use quod_search::Interval;

use super::folder::Note;
use super::trials::Trials;
use crate::depth_first::TableSearch;
use crate::drive::{Driver, Phase, Snapshot, Watch};
use crate::lines::{Lines, Playing};
use crate::report::Stop;
use crate::request::Limits;

/// Plays the whole opening out.
pub(super) fn join<G: Notation>(
    trials: &Trials<'_, G>,
    root: &G::Position,
    claim: Claim,
    watch: &mut dyn Watch,
) -> Result<Certificate, String> {
    let game = trials.pieces.game;
    let mut certifying = |positions| {
        let phase = Phase::Certificate(positions);
        watch.goes_on(&Snapshot { phase, ..trials.snapshot() })
    };
    let mut joining = Joining { trials, played: Played::Noted(&mut certifying), piece: None, bad: None };
    match (Part::play(game, root, claim, &mut joining), joining.bad) {
        (Ok(part), _) => Ok(Certificate::played(game, root, vec![part])),
        (Err(_), Some(file)) => {
            // It is proved again by whoever goes on.
            let removed = fs::remove_file(&file).is_ok();
            let what =
                if removed { "was removed; go on, and it is proved again" } else { "is to be removed" };
            Err(format!("the piece {} does not show what it claims: it {what}", file.display()))
        }
        (Err(refusal), None) => Err(format!("the pieces were not joined: {refusal}")),
    }
}

/// Plays a piece out that was opened, from the move on to which all replies are proved: those with a certificate by it, and the others by
/// what the table knows. So lines that are good against many replies are found once. Nothing if somebody stopped it, or the table has forgotten too much; says why it was stopped.
pub(super) fn join_piece<G: Notation>(
    trials: &Trials<'_, G>,
    position: &G::Position,
    after: &G::Position,
    watch: &mut dyn Watch,
) -> (Option<Certificate>, Option<Stop>) {
    let game = trials.pieces.game;
    let attacker = game.to_move(position);
    let (lower, upper) = Value::range_seen_by(game.values(), attacker);
    let (range, goal) = (Interval { lower, upper }, Goal::new(attacker, upper));
    let table = TableSearch::on(game, trials.method, LeafNumbers::Mobility, range, Arc::clone(&trials.table));
    let mut beside = Beside { trials, watch, why: None };
    let mut driver = Driver::new(Limits::default(), range, &mut beside);
    let playing = Playing {
        lines: Lines::of_player(game, attacker).expect("an opening has threats"),
        table: &table,
        goal,
        holds: true,
        driver: &mut driver,
        held: 0,
        bytes_max: trials.bytes,
        recent: Vec::new(),
        apart: false,
    };
    let played = Played::Known(after, playing);
    let mut joining = Joining { trials, played, piece: None, bad: None };
    let part = Part::play(game, position, Claim::of(goal, true), &mut joining);
    trials.count(&driver);
    drop(driver);
    let certificate = part.ok().map(|part| Certificate::played(game, position, vec![part]));
    (certificate, beside.why)
}

/// Whose work is part of a larger one.
struct Beside<'a, 't, G: Notation> {
    trials: &'a Trials<'t, G>,
    watch: &'a mut dyn Watch,
    /// Why it was stopped.
    why: Option<Stop>,
}

impl<G: Notation> Watch for Beside<'_, '_, G> {
    fn goes_on(&mut self, _: &Snapshot) -> bool {
        self.why = self.trials.why_stop(self.watch);
        self.why.is_none()
    }
}

/// Where the moves of positions without a certificate come from.
enum Played<'a, 'w, G: Notation> {
    /// From notes. Somebody is told how many positions there are.
    Noted(&'a mut dyn FnMut(u64) -> bool),
    /// The first one is known by the position after it, and the others are played by a table.
    Known(&'a G::Position, Playing<'a, 'w, G>),
}

/// Makes the moves of all pieces, one after the other.
struct Joining<'a, 'w, 't, G: Notation> {
    trials: &'a Trials<'t, G>,
    played: Played<'a, 'w, G>,
    /// The piece at hand, and the depth at which it begins.
    piece: Option<(usize, Demonstration<G>)>,
    /// A piece that is no proof.
    bad: Option<PathBuf>,
}

impl<G: Notation> Joining<'_, '_, '_, G> {
    /// The move that leads to a position, or to one like it.
    fn move_to(&self, position: &G::Position, after: &G::Position) -> Option<G::Move> {
        let pieces = &self.trials.pieces;
        let after = pieces.identity(after);
        let moves = pieces.after_all(position);
        moves.into_iter().find(|(_, other)| pieces.identity(other) == after).map(|(mv, _)| mv)
    }

    /// The first move of a piece that has a certificate, which the next moves come from too.
    fn begin(&mut self, position: &G::Position, depth: usize, bytes: &[u8]) -> Option<G::Move> {
        let game = self.trials.pieces.game;
        self.bad = Some(self.trials.pieces.file(position));
        let file = CertificateFile::open(bytes).ok()?;
        let (_, mut pieces) = check_demonstrating(game, &file, None, &mut |_| true).ok()?;
        let piece = pieces.pop()?;
        let Reply::Own(mv) = piece.reply(game, position, None) else { return None };
        self.bad = None;
        self.piece = Some((depth, piece));
        Some(mv)
    }
}

impl<G: Notation> Chooser<G> for Joining<'_, '_, '_, G> {
    fn choose(&mut self, position: &G::Position, depth: usize) -> Option<G::Move> {
        let pieces = &self.trials.pieces;
        if self.piece.as_ref().is_some_and(|(begins, _)| depth <= *begins) {
            self.piece = None;
        }
        if let Some((_, piece)) = &self.piece {
            return match piece.reply(pieces.game, position, None) {
                Reply::Own(mv) => Some(mv),
                _ => None,
            };
        }
        if let Played::Known(after, _) = self.played
            && depth == 0
        {
            return self.move_to(position, after);
        }
        if let Ok(bytes) = fs::read(pieces.file(position)) {
            return self.begin(position, depth, &bytes);
        }
        match &mut self.played {
            // Every reply to one of the moves is a piece.
            Played::Noted(_) => {
                let after = pieces.noted(position, Note::Move)?.into_iter().next()?;
                self.move_to(position, &after)
            }
            Played::Known(_, playing) => playing.choose(position, depth),
        }
    }

    fn goes_on(&mut self, positions: u64) -> bool {
        match &mut self.played {
            Played::Noted(watch) => watch(positions),
            Played::Known(_, playing) => playing.goes_on(positions),
        }
    }
}
