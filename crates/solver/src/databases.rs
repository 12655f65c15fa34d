//! Endgame databases, whatever the types of the game: what [`crate::Door`] does with them.

use std::path::Path;

use quod_endgame::{BuildOptions, Checkpoints, Databases, Error, SliceFile};
use quod_model::{InputError, Notation, Oracle as _};

use crate::door::Place;
use crate::memory::three_quarters_free;
use crate::places::root;

/// Why there is no answer from a database.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    /// It is not there, not whole, wrong, or cannot be built.
    #[error(transparent)]
    Database(#[from] Error),
    /// What was asked is no position of the game, or none that is kept.
    #[error(transparent)]
    Input(#[from] InputError),
}

/// What a database says of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probed {
    /// The position, in the game's notation.
    pub position: String,
    /// The position as a picture.
    pub picture: String,
    /// Who is to move.
    pub to_move: &'static str,
    /// The slice that it is kept in.
    pub slice: u32,
    /// The value for the side to move.
    pub value: i32,
    /// What that value is called.
    pub value_text: String,
    /// Every legal move with its value for the side that makes it, in the order of the rules.
    pub moves: Vec<(String, i32)>,
}

/// What is to be built.
#[derive(Clone, Debug)]
pub struct DatabaseRequest {
    /// The last slice.
    pub last: u32,
    /// So many threads; all cores if nothing is said.
    pub threads: Option<usize>,
    /// Not more memory than this; three quarters of what is free if nothing is said.
    pub memory_bytes_max: Option<u64>,
    /// A byte for every value instead of codes of variable length.
    pub plain: bool,
    /// Checkpoints of the slice at hand, if there are to be any.
    pub checkpoints: Option<Checkpoints>,
}

impl DatabaseRequest {
    /// All slices up to this one, on all cores, without checkpoints.
    #[must_use]
    pub fn up_to(last: u32) -> Self {
        Self { last, threads: None, memory_bytes_max: None, plain: false, checkpoints: None }
    }
}

/// The threads asked for, or one for every core.
pub(crate) fn threads(asked: Option<usize>) -> usize {
    asked.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from))
}

impl DatabaseRequest {
    pub(crate) fn options(&self) -> BuildOptions {
        let form = if self.plain { quod_endgame::Form::Plain } else { quod_endgame::Form::Compressed };
        let memory = self.memory_bytes_max.unwrap_or_else(three_quarters_free);
        BuildOptions {
            threads: threads(self.threads),
            memory_bytes_max: Some(memory),
            form,
            checkpoints: self.checkpoints.clone(),
            ..BuildOptions::up_to(self.last)
        }
    }
}

pub(crate) fn probe<G: Notation>(game: &G, dir: &Path, place: &Place) -> Result<Probed, DatabaseError> {
    let position = root(game, place)?;
    let databases = Databases::open(dir, game)?;
    let text = game.position_text(&position);
    let slot = game.abilities().index.and_then(|index| (index.slot)(game, &position));
    let last = databases.slices().len() - 1;
    let missing = |slice: Option<u32>| {
        let problem = match slice {
            Some(slice) => format!("it belongs to slice {slice}, and the database has slices 0 to {last}"),
            None => "it is in no slice of the game".to_owned(),
        };
        InputError::new("position", text.clone(), problem)
    };
    let slot = slot.ok_or_else(|| missing(None))?;
    let value = databases.value(game, &position).ok_or_else(|| missing(Some(slot.slice)))?;
    let mover = game.to_move(&position);
    let value = value.seen_by(mover);
    let mut moves = Vec::new();
    if game.outcome(&position).is_none() {
        game.moves(&position, &mut moves);
    }
    let values = moves.iter().map(|mv| {
        let after =
            databases.value(game, &game.after(&position, *mv)).ok_or_else(|| missing(Some(slot.slice)))?;
        Ok((game.move_text(&position, *mv), after.seen_by(mover).0))
    });
    Ok(Probed {
        moves: values.collect::<Result<_, InputError>>()?,
        picture: game.draw(&position),
        to_move: game.player_name(mover),
        slice: slot.slice,
        value: value.0,
        value_text: game.value_text(value),
        position: text,
    })
}

/// The slices that a folder holds, of whatever game, from the first one up to where one is missing. Every file is checked.
///
/// # Errors
/// If there is none, if one is not whole, or if they are of different games.
pub fn slices_in(dir: &Path) -> Result<Vec<SliceFile>, DatabaseError> {
    Ok(quod_endgame::slices_in(dir)?)
}
