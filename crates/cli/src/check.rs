//! `quod check`.

use std::time::Instant;

use anyhow::{Context as _, anyhow};
use quod_solver::{CertificateFile, CheckError, Checked, Games};
use serde_json::json;

use crate::arguments::CheckOptions;
use crate::numbers::grouped;
use crate::output::{print, print_json};
use crate::progress::{ProgressLine, catch_interrupts};
use crate::{Ending, Failure};

pub(crate) fn run(games: &Games, options: &CheckOptions) -> Result<Ending, Failure> {
    let name = options.file.display();
    let begun = Instant::now();
    let file = std::fs::read(&options.file)
        .with_context(|| format!("cannot read {name}"))
        .map_err(Failure::input)?;
    catch_interrupts();
    match check(games, &file) {
        Ok(checked) if options.json => print_json(&described(&checked, begun)).map(|()| Ending::Done),
        Ok(checked) => {
            let seconds = begun.elapsed().as_secs_f64();
            print(&format!("{checked}  checked in {seconds:.2} s\n")).map(|()| Ending::Done)
        }
        Err(error) if error.is_refusal() => {
            eprintln!("quod: {name}: {error}");
            Ok(Ending::Refused)
        }
        Err(error) => Err(Failure::input(anyhow!("{name}: {error}"))),
    }
}

fn check(games: &Games, file: &[u8]) -> Result<Checked, CheckError> {
    let certificate = CertificateFile::open(file)?;
    let game = games.open(&certificate.game)?;
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
        "value": checked.exact.as_ref().map(|(value, _)| value.0),
        "seconds": begun.elapsed().as_secs_f64(),
    })
}
