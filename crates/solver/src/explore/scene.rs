//! A position with all that can be done there.

use quod_model::{Board, InputError, Notation, Player, Pointing, Value};

use crate::door::Place;
use crate::goal::{goal_text, read_goal};

/// A position as a front end shows it.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The text that names the game.
    pub game: String,
    /// The position, in the game's notation.
    pub position: String,
    /// The moves that have led here.
    pub played: Vec<Played>,
    /// Who is to move.
    pub to_move: Player,
    /// What First and Second are called.
    pub names: (&'static str, &'static str),
    /// If the game is over: what it is for a player, the winner if there is one.
    pub over: Option<(String, Player)>,
    /// Whether the moves have led through this position before.
    pub repeated: bool,
    /// What people usually ask of the game.
    pub goal: String,
    /// The picture.
    pub board: Board,
    /// The legal moves.
    pub moves: Vec<SceneMove>,
}

/// A move that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// The move.
    pub text: String,
    /// Who made it.
    pub by: Player,
}

/// A move that can be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneMove {
    /// The move.
    pub text: String,
    /// How it is pointed out on the picture; nothing if its text alone tells it.
    pub pointing: Option<Pointing>,
}

/// The moves of a place, with the positions that they lead through, the first one included.
fn walk<G: Notation>(game: &G, place: &Place) -> Result<(Vec<Played>, Vec<G::Position>), InputError> {
    let start = match &place.position {
        Some(text) => game.parse_position(text)?,
        None => game.start(),
    };
    let mut path = vec![start];
    let mut played = Vec::new();
    let line = place.moves.as_deref().unwrap_or_default();
    for (number, word) in game.split_moves(line).into_iter().enumerate() {
        let position = &path[path.len() - 1];
        let mv = game
            .parse_move(position, word)
            .map_err(|error| error.at(format!("move {} of \"{line}\"", number + 1)))?;
        played.push(Played { text: game.move_text(position, mv), by: game.to_move(position) });
        path.push(game.after(position, mv));
    }
    Ok((played, path))
}

pub(crate) fn scene<G: Notation>(game: &G, place: &Place) -> Result<Scene, InputError> {
    let (played, mut path) = walk(game, place)?;
    let position = path.pop().expect("a path has an end");
    let over = game.outcome(&position).map(|value| {
        let whose = if value < Value(0) { Player::Second } else { Player::First };
        (game.value_text(value.seen_by(whose)), whose)
    });
    let mut moves = Vec::new();
    if over.is_none() {
        game.moves(&position, &mut moves);
    }
    let shown = |mv: &G::Move| SceneMove {
        text: game.move_text(&position, *mv),
        pointing: game.pointing(&position, *mv),
    };
    Ok(Scene {
        game: game.game_text(),
        position: game.position_text(&position),
        played,
        to_move: game.to_move(&position),
        names: (game.player_name(Player::First), game.player_name(Player::Second)),
        over,
        repeated: path.contains(&position),
        goal: goal_text(game, read_goal(game, None)?),
        board: game.board(&position),
        moves: moves.iter().map(shown).collect(),
    })
}

pub(crate) fn board<G: Notation>(game: &G, place: &Place) -> Result<Board, InputError> {
    let (_, path) = walk(game, place)?;
    Ok(game.board(&path[path.len() - 1]))
}
