//! `quod play`.

pub(crate) mod options;

mod contest;
mod dialogue;
mod input;
mod sheet;

use quod_solver::{Games, Place};

use crate::progress::catch_interrupts;
use crate::{Ending, Failure, open};

use options::PlayOptions;

pub(crate) fn run(games: &Games, options: &PlayOptions) -> Result<Ending, Failure> {
    let game = open(games, &options.game, options.db.as_deref())?;
    let place = Place { position: options.position.clone(), moves: options.moves.clone() };
    if let Some(games) = options.games {
        catch_interrupts();
        return contest::run(&*game, &place, games, options);
    }
    let mut board = game.sit_down(&place).map_err(Failure::input)?;
    let sheet = sheet::Sheet::new(&game.game_text(), options).map_err(Failure::input)?;
    catch_interrupts();
    dialogue::Dialogue::new(&mut *board, options, sheet).run()
}
