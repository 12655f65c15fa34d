//! `quod check`.

use std::path::Path;
use std::time::Instant;

use anyhow::{Context as _, anyhow};
use quod_solver::{CertificateFile, CheckError, Checked, Games};
use serde_json::json;

use crate::arguments::CheckOptions;
use crate::numbers::grouped;
use crate::output::{print, print_json};
use crate::progress::{ProgressLine, catch_interrupts};
use crate::{Ending, Failure, program};

pub(crate) fn run(games: &Games, options: &CheckOptions) -> Result<Ending, Failure> {
    let name = options.file.display();
    let begun = Instant::now();
    let file = std::fs::read(&options.file)
        .with_context(|| format!("cannot read {name}"))
        .map_err(Failure::input)?;
    if let Some(dir) = options.db.as_deref().filter(|dir| !dir.is_dir()) {
        return Err(Failure::input(anyhow!("databases {}: there is no such folder", dir.display())));
    }
    catch_interrupts();
    match check(games, &file, options.db.as_deref()) {
        Ok(checked) if options.json => {
            print_json(&described(&checked, begun)).map_err(unprinted).map(|()| Ending::Done)
        }
        Ok(checked) => {
            let seconds = begun.elapsed().as_secs_f64();
            let text = format!("{checked}  checked in {seconds:.2} s\n");
            print(&text).map_err(unprinted).map(|()| Ending::Done)
        }
        Err(error) if error.is_refusal() => {
            eprintln!("{}: {name}: {error}", program());
            Ok(Ending::Refused)
        }
        Err(CheckError::Interrupted) => {
            eprintln!("{}: {name}: {}", program(), CheckError::Interrupted);
            Ok(Ending::Unsolved)
        }
        Err(error) => Err(Failure::input(anyhow!("{name}: {error}"))),
    }
}

/// Here status 1 means refused: an answer that cannot be printed has another one.
fn unprinted(failure: Failure) -> Failure {
    Failure { status: 3, ..failure }
}

fn check(games: &Games, file: &[u8], db: Option<&Path>) -> Result<Checked, CheckError> {
    let certificate = CertificateFile::open(file)?;
    let mut game = games.open(&certificate.game)?;
    if let (Some(dir), Some(cited)) = (db, certificate.cites) {
        let opened = game.lean_on(dir, Some(cited.slices));
        opened.map_err(|error| CheckError::DatabaseUnusable(error.to_string()))?;
    }
    let said: u64 = certificate.parts.iter().map(|part| part.positions).fold(0, u64::saturating_add);
    let mut progress = ProgressLine::new();
    game.check(&certificate, &mut |positions| {
        progress.show(|| format!("checking: {} of {} positions", grouped(positions), grouped(said)))
    })
}

fn described(checked: &Checked, begun: Instant) -> serde_json::Value {
    let claims: Vec<_> = checked
        .claims
        .iter()
        .map(|claim| {
            json!({
                "claim": claim.claim.to_string(),
                "value_text": claim.value_text,
                "positions": claim.positions,
                "moves": claim.moves,
            })
        })
        .collect();
    json!({
        "accepted": true,
        "game": checked.game,
        "position": checked.root,
        "to_move": checked.to_move,
        "claims": claims,
        "leans_on": checked.leans_on.map(|database| {
            json!({ "slices": database.slices, "checksum": database.hexadecimal() })
        }),
        "value": checked.exact.as_ref().map(|(value, _)| value.0),
        "seconds": begun.elapsed().as_secs_f64(),
    })
}
