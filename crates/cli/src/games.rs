//! `quod games`.

use quod_solver::Games;
use serde_json::json;

use crate::arguments::GamesOptions;
use crate::numbers::wrapped;
use crate::solve::terminal_width;
use crate::{Ending, Failure};

pub(crate) fn run(games: &Games, options: &GamesOptions) -> Result<Ending, Failure> {
    if options.json {
        let all: Vec<_> = games
            .descriptions()
            .map(|game| {
                json!({
                    "name": game.name,
                    "summary": game.summary,
                    "parameters": game.parameters,
                    "moves": game.moves,
                    "position": game.position,
                    "example": format!("quod solve {}", game.example),
                })
            })
            .collect();
        println!("{}", serde_json::to_string_pretty(&all)?);
        return Ok(Ending::Done);
    }
    let width = terminal_width();
    for game in games.descriptions() {
        println!("{}", wrapped(&format!("{:<12}", game.name), game.summary.split(' '), width));
        if !game.parameters.is_empty() {
            let parameters = format!("{}:{}", game.name, game.parameters);
            println!("{}", wrapped("  parameters  ", parameters.split(' '), width));
        }
        println!("{}", wrapped("  moves       ", game.moves.split(' '), width));
        println!("{}", wrapped("  positions   ", game.position.split(' '), width));
        println!("  example     quod solve {}\n", game.example);
    }
    Ok(Ending::Done)
}
