//! Certificates: checked, then shown.

use std::sync::Arc;
use std::time::{Duration, Instant};

use quod_solver::{CertificateFile, CheckError, Checked, Door, Place};
use serde_json::{Value, json};

use super::Job;
use crate::Server;
use crate::wire::player;

/// The most stored moves that are kept for going through; larger certificates are checked alone.
const MOVES_MAX: u64 = 1 << 24;
const TOLD_EVERY: Duration = Duration::from_millis(100);

pub(super) fn work(job: &Job, server: &Server, bytes: &Arc<Vec<u8>>) {
    match check(job, server, bytes) {
        Ok(end) => job.tell("end", end),
        Err(error) => job.fail(&error.to_string(), error.is_refusal()),
    }
}

fn check(job: &Job, server: &Server, bytes: &Arc<Vec<u8>>) -> Result<Value, CheckError> {
    let begun = Instant::now();
    let certificate = CertificateFile::open(bytes)?;
    let door = server.open(&certificate.game)?;
    job.tell("claims", claims(&*door, &certificate, bytes.len())?);
    let positions = certificate.parts.iter().map(|part| part.positions).fold(0, u64::saturating_add);
    let moves = certificate.parts.iter().map(|part| part.moves).fold(0, u64::saturating_add);
    let mut told: Option<Instant> = None;
    let mut progress = |visited: u64| {
        if told.is_none_or(|told| told.elapsed() >= TOLD_EVERY) {
            told = Some(Instant::now());
            job.tell("progress", json!({ "positions": visited, "of": positions }));
        }
        while job.rests() {
            std::thread::sleep(Duration::from_millis(20));
        }
        !job.is_stopped()
    };
    let checked: Checked = if moves <= MOVES_MAX {
        let (checked, proof) = door.demonstrate(&certificate, &mut progress)?;
        job.shown().proof = Some(proof.into());
        checked
    } else {
        door.check(&certificate, &mut progress)?
    };
    job.shown().certificate = Some(Arc::clone(bytes));
    let exact = checked.exact.as_ref().map(|(value, text)| json!({ "value": value.0, "text": text }));
    Ok(json!({
        "accepted": true,
        "exact": exact,
        "shown": moves <= MOVES_MAX,
        "seconds": begun.elapsed().as_secs_f64(),
    }))
}

/// What the file says of itself.
fn claims(door: &dyn Door, certificate: &CertificateFile<'_>, bytes: usize) -> Result<Value, CheckError> {
    let place = Place { position: Some(certificate.root.clone()), moves: None };
    let scene = door.scene(&place)?;
    let mut claims = Vec::new();
    for part in &certificate.parts {
        let claimer = part.claim.claimer(scene.to_move);
        claims.push(json!({
            "claim": part.claim.to_string(),
            "sentence": door.claim_text(&place, part.claim)?,
            "claimer": player(claimer),
            "positions": part.positions,
            "moves": part.moves,
        }));
    }
    Ok(json!({
        "game": certificate.game,
        "position": certificate.root,
        "to_move": player(scene.to_move),
        "claims": claims,
        "positions": certificate.parts.iter().map(|part| part.positions).fold(0, u64::saturating_add),
        "bytes": bytes,
        "leans_on": certificate.cites.map(|cited| cited.to_string()),
    }))
}
