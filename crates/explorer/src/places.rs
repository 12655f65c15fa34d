//! Questions about positions.

use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{Query, State};
use axum::http::StatusCode;
use quod_solver::{Algorithm, Door, Place};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use crate::Server;
use crate::failure::Failure;
use crate::jobs::{self, CERTIFICATE_BYTES_MAX, ROWS_MAX};
use crate::wire::{self, PlaceFields};

/// The most boards of one request.
const BOARDS_MAX: usize = 64;
/// The most letters of a game, a position or a line of moves.
const LETTERS_MAX: usize = 16 << 10;

/// Refuses texts that no position needs.
pub(crate) fn check_length(letters: usize) -> Result<(), Failure> {
    if letters <= LETTERS_MAX {
        return Ok(());
    }
    let problem = format!("a game, position or line of moves has no more than {LETTERS_MAX} letters");
    Err(Failure::new(StatusCode::PAYLOAD_TOO_LARGE, problem))
}

/// The most answers that are worked out at once: each may take some memory.
static AT_ONCE: Semaphore = Semaphore::const_new(4);

/// Does what may take a while where it keeps nobody waiting but those who want the like.
pub(crate) async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    let _turn = AT_ONCE.acquire().await;
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|_| {
        Err(Failure::new(StatusCode::INTERNAL_SERVER_ERROR, "something is wrong with this program"))
    })
}

pub(crate) async fn about(State(server): State<Arc<Server>>) -> Json<Value> {
    let games: Vec<_> = server
        .games
        .descriptions()
        .map(|game| {
            json!({
                "name": game.name,
                "summary": game.summary,
                "parameters": game.parameters,
                "moves": game.moves,
                "position": game.position,
                "example": game.example,
            })
        })
        .collect();
    let algorithms: Vec<_> = Algorithm::ALL
        .iter()
        .map(|algorithm| {
            // Which one is taken, and whether that holds a tree, is seen when it begins.
            let tree = (*algorithm != Algorithm::Auto).then(|| algorithm.holds_a_tree());
            json!({ "name": algorithm.name(), "tree": tree })
        })
        .collect();
    let Place { position, moves } = &server.options.place;
    Json(json!({
        "version": env!("CARGO_PKG_VERSION"),
        "start": { "game": server.first.game_text(), "position": position, "moves": moves },
        "games": games,
        "algorithms": algorithms,
        "most": {
            "jobs": server.options.jobs_max,
            "certificate_bytes": CERTIFICATE_BYTES_MAX,
            "rows": ROWS_MAX,
            "boards": BOARDS_MAX,
        },
        "memory": jobs::usual_memory(),
    }))
}

pub(crate) async fn position(
    State(server): State<Arc<Server>>,
    fields: Result<Query<PlaceFields>, QueryRejection>,
) -> Result<Json<Value>, Failure> {
    let Query(fields) = fields?;
    check_length(fields.longest())?;
    aside(move || {
        let door = server.open(&fields.game)?;
        Ok(Json(wire::scene(&door.scene(&fields.place())?)))
    })
    .await
}

#[derive(Deserialize)]
pub(crate) struct BoardsFields {
    #[serde(flatten)]
    place: PlaceFields,
    lines: Vec<String>,
}

impl BoardsFields {
    pub(crate) fn game(&self) -> &str {
        &self.place.game
    }

    /// Refuses more than is drawn at once.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        check_length(self.place.longest())?;
        if self.lines.len() > BOARDS_MAX {
            let problem = format!("no more than {BOARDS_MAX} boards at once");
            return Err(Failure::new(StatusCode::PAYLOAD_TOO_LARGE, problem));
        }
        Ok(())
    }
}

pub(crate) async fn boards(
    State(server): State<Arc<Server>>,
    fields: Result<Json<BoardsFields>, JsonRejection>,
) -> Result<Json<Value>, Failure> {
    let Json(fields) = fields?;
    fields.check()?;
    aside(move || Ok(Json(draw_boards(&*server.open(fields.game())?, &fields)))).await
}

/// A board behind every line, or nothing where it cannot be played.
pub(crate) fn draw_boards(door: &dyn Door, fields: &BoardsFields) -> Value {
    let Place { position, moves } = fields.place.place();
    let board = |line: &String| {
        let moves = Some(format!("{} {line}", moves.as_deref().unwrap_or_default()));
        let place = Place { position: position.clone(), moves };
        door.board(&place).ok().map(|board| wire::board(&board))
    };
    let boards: Vec<_> = fields.lines.iter().map(board).collect();
    json!({ "boards": boards })
}
