//! Matches: the program against itself without proof-number search.

use quod_solver::{ContestRequest, Door, Place, PlayStyle, Tally};
use serde_json::json;

use crate::output::{print, print_json};
use crate::progress::ProgressLine;
use crate::{Ending, Failure};

use super::options::PlayOptions;

pub(super) fn run(
    door: &dyn Door,
    start: &Place,
    games: usize,
    options: &PlayOptions,
) -> Result<Ending, Failure> {
    let style = options.style();
    let request = ContestRequest {
        styles: [style, PlayStyle { proofs: false, ..style }],
        pairs: games / 2,
        opening_plies: options.opening_plies,
        seed: options.seed,
        threads: options.threads,
        ponder: options.ponders(),
    };
    let mut progress = ProgressLine::new();
    let mut goes_on =
        |tally: &Tally| progress.show(|| format!("{} of {games}: {}", tally.games, counts(tally)));
    let played = door.contest(start, &request, &mut goes_on);
    drop(progress);
    let tally = played.map_err(Failure::input)?;
    if options.json {
        let mut object = json!(tally);
        object["game"] = json!(door.game_text());
        object["seed"] = json!(options.seed);
        object["opening_plies"] = json!(options.opening_plies);
        object["time_seconds"] = json!(style.time.map(|time| time.as_secs_f64()));
        object["ponder"] = json!(options.ponders());
        object["nodes_per_move"] = json!(style.nodes);
        print_json(&object)?;
    } else {
        print(&described(&door.game_text(), &tally, style, options))?;
    }
    Ok(if tally.games == games { Ending::Done } else { Ending::Unsolved })
}

fn counts(tally: &Tally) -> String {
    format!("{} won, {} drawn, {} lost", tally.wins, tally.draws, tally.losses)
}

fn described(game: &str, tally: &Tally, style: PlayStyle, options: &PlayOptions) -> String {
    let time = style.time.map(|time| humantime::format_duration(time).to_string());
    let nodes = style.nodes.map(|nodes| format!("{nodes} nodes"));
    let each: Vec<String> = time.into_iter().chain(nodes).collect();
    let with_error = |mean: f64, error: Option<f64>| match error {
        Some(error) => format!("{mean:.3} ± {error:.3}"),
        None => format!("{mean:.3}"),
    };
    format!(
        "{game}: with proof-number search against without, {} for each move{}\n\
         {} games from openings of {} random plies, seed {}\n\n\
         Result   {}\n\
         Mean     {} (1 a win, 1/2 a draw; standard error over pairs)\n\
         Value    {} for each game\n\
         Proofs   wins in {} games ({} of them not won), {} vetoes in {} plies\n",
        each.join(", "),
        if options.ponders() { ",\nproofs going on in the opponent's time" } else { "" },
        tally.games,
        options.opening_plies,
        options.seed,
        counts(tally),
        with_error(tally.mean, tally.error),
        with_error(tally.value_mean, tally.value_error),
        tally.proven,
        tally.proven_and_missed,
        tally.vetoes,
        tally.plies,
    )
}
