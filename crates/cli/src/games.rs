//! `quod games`.

use quod_solver::Games;
use serde_json::json;

use crate::arguments::GamesOptions;
use crate::numbers::wrapped;
use crate::output::{print, print_json};
use crate::solve::terminal_width;
use crate::{Ending, Failure, program};

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
                    "example": format!("{} solve {}", program(), game.example),
                })
            })
            .collect();
        return print_json(&all).map(|()| Ending::Done);
    }
    let width = terminal_width();
    let mut lines = Vec::new();
    for game in games.descriptions() {
        lines.push(wrapped(&format!("{:<12}", game.name), game.summary.split(' '), width));
        if !game.parameters.is_empty() {
            let parameters = format!("{}:{}", game.name, game.parameters);
            lines.push(wrapped("  parameters  ", parameters.split(' '), width));
        }
        lines.push(wrapped("  moves       ", game.moves.split(' '), width));
        lines.push(wrapped("  positions   ", game.position.split(' '), width));
        lines.push(format!("  example     {} solve {}\n", program(), game.example));
    }
    print(&(lines.join("\n") + "\n")).map(|()| Ending::Done)
}
