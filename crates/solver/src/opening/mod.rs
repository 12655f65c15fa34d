//! Openings, proved piece by piece.
//!
//! Where there is hardly anything on the board, one search would have to hold hundreds of replies to every move at once. Instead the attacker's first moves are chosen, every
//! reply to them is a piece of its own, and a folder gets a checked certificate for each piece that is proved. So the work can be stopped at any moment, and goes on with what the
//! folder lacks. A piece that resists is tried again with more nodes, and then opened itself: of the attacker's moves there, that one is worked on to which the fewest replies resist. At the end the
//! certificates are joined into one.

mod folder;
mod join;
mod tree;
mod trials;
mod work;

use quod_checkpoint::Folder;
use quod_model::{Goal, InputError, Notation, Player, Relative, Value};
use quod_proof::{Certificate, Claim};

pub(crate) use self::folder::label_of;
use self::folder::{Note, Pieces};
use self::trials::Trials;
use self::work::{Ended, Work};
use crate::drive::Watch;
use crate::goal::goal_text;
use crate::keep::{Keeping, wrong};
use crate::report::{OpeningStanding, Report, Solution, Stop};
use crate::request::{Aim, Algorithm, Limits, Request};

/// The least memory that is worked with: a certificate is made in a part of it.
const BYTES_MIN: u64 = 128 << 20;

/// Whether a position is an opening of this game, for proofs of a win of First.
pub(crate) fn is_opening<G: Notation>(game: &G, position: &G::Position) -> bool {
    game.abilities().threats.is_some_and(|fns| (fns.is_opening)(game, position))
}

/// Proves that First wins an opening, or goes on with that. What is found is in the folder. Nothing if that cannot be shown in this way, because replies to all
/// first moves that were tried do not lose.
///
/// # Errors
/// If the folder cannot be used.
pub(crate) fn prove<G: Notation>(
    game: &G,
    root: &G::Position,
    request: &Request,
    keeping: &Keeping,
    watch: &mut dyn Watch,
) -> Result<Option<Solution>, InputError> {
    let fns = game.abilities().threats.expect("an opening has threats");
    let unusable =
        |problem: String| InputError::new("checkpoint folder", keeping.folder.display().to_string(), problem);
    // Nobody else works in it.
    let _folder = Folder::open(&keeping.folder).map_err(|failure| wrong(&keeping.folder, &failure))?;
    let pieces = Pieces::open(game, root, &keeping.folder, &keeping.label).map_err(unusable)?;
    let workers =
        request.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let memory = request.limits.memory.map(|memory| memory.max(BYTES_MIN));
    let limits = Limits { memory, ..request.limits };
    let mut work = Work::new(Trials::new(pieces, workers, limits), fns, root, watch);
    let ended = work.run();
    let standing = work.standing();
    let trials = work.trials;
    if let Some(problem) = trials.unwritten() {
        return Err(unusable(problem));
    }
    if ended == Ended::Refuted {
        return Ok(None);
    }
    let claimant = game.to_move(root);
    let goal = Goal::new(claimant, Relative(if claimant == Player::First { 1 } else { 0 }));
    let claim = Claim::of(goal, claimant == Player::First);
    let (mut ended, mut certificate, mut problem) = (ended, None, None);
    if ended == Ended::Proved {
        // Pieces that were there before are believed until then: nothing is told that does not hold together.
        match join::join(&trials, root, claim, watch) {
            Ok(joined) => certificate = request.certificate.then_some(joined),
            Err(refusal) => (ended, problem) = (Ended::Stopped, Some(refusal)),
        }
    }
    Ok(Some(report(&trials, root, request, ended, standing, certificate, problem)))
}

fn report<G: Notation>(
    trials: &Trials<'_, G>,
    root: &G::Position,
    request: &Request,
    ended: Ended,
    standing: OpeningStanding,
    certificate: Option<Certificate>,
    certificate_problem: Option<String>,
) -> Solution {
    let game = trials.pieces.game;
    let claimant = game.to_move(root);
    let (low, high) = game.values();
    let bounds = if ended == Ended::Proved { (high, high) } else { (low, high) };
    let (lower, upper) = Value::range_seen_by(bounds, claimant);
    let holds =
        |value| if lower.0 >= value { Some("proven") } else { (upper.0 < value).then_some("disproven") };
    let verdict = match request.aim {
        Aim::Value => (lower == upper).then_some("proven"),
        Aim::AtLeast(value) => holds(value),
    };
    let best = || {
        let after = trials.pieces.noted(root, Note::Move)?.into_iter().next()?;
        let (mv, _) = trials.pieces.after_all(root).into_iter().find(|(_, other)| *other == after)?;
        Some(game.move_text(root, mv))
    };
    let report = Report {
        game: game.game_text(),
        position: game.position_text(root),
        to_move: game.player_name(claimant),
        goal: goal_text(game, request.aim),
        verdict: verdict.unwrap_or("unknown"),
        value: (lower == upper).then_some(lower.0),
        lower: lower.0,
        upper: upper.0,
        best_move: (ended == Ended::Proved && claimant == Player::First).then(best).flatten(),
        line: Vec::new(),
        length: None,
        algorithm: Algorithm::Dfpn.name(),
        why: Some(
            "an opening: every reply to the first moves is proved apart, with a certificate of its own",
        ),
        threat_nodes: trials.threat_nodes(),
        nodes: trials.nodes(),
        expansions: 0,
        updates: 0,
        peak_nodes: 0,
        peak_edges: 0,
        graph_bytes: 0,
        deepened_nodes: 0,
        resumed_nodes: None,
        checkpoints: None,
        opening: Some(standing),
        memory_bytes: trials.table_bytes(),
        resident_bytes: crate::memory::peak_resident(),
        seconds: trials.snapshot().elapsed.as_secs_f64(),
        stop: if verdict.is_some() { Stop::Solved } else { trials.stopped.unwrap_or(Stop::Interrupted) },
        databases: None,
        certificate: None,
    };
    let value_text = match (verdict, request.aim) {
        (None, _) => String::new(),
        (_, Aim::Value) => game.value_text(lower),
        (_, Aim::AtLeast(value)) => game.value_text(Relative(value)),
    };
    let picture = game.draw(root);
    Solution { report, value_text, wins_in: None, loses_in: None, certificate, certificate_problem, picture }
}

#[cfg(test)]
mod tests;
