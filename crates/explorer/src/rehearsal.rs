//! Requests without a server: they are read, checked and answered as far as no job is needed. For those who try bad ones.

use axum::extract::Query;
use axum::http::{StatusCode, Uri};
use quod_solver::Games;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::failure::{Failure, printable};
use crate::guard::Guard;
use crate::jobs::read_search;
use crate::places::{BoardsFields, check_length, draw_boards};
use crate::wire::{self, JobFields, PlaceFields, TreeFields};

/// Reads a request whose first word is the last part of its path, and behind it the query or the body.
///
/// # Errors
/// What the page would be told.
pub fn rehearse(games: &Games, request: &str) -> Result<Value, String> {
    let (name, rest) = request.split_once(' ').unwrap_or((request, ""));
    answer(games, name, rest).map_err(|failure| failure.text())
}

fn answer(games: &Games, name: &str, rest: &str) -> Result<Value, Failure> {
    match name {
        "position" => {
            let fields: PlaceFields = query(rest)?;
            check_length(fields.longest())?;
            Ok(wire::scene(&games.open(&fields.game)?.scene(&fields.place())?))
        }
        "boards" => {
            let fields: BoardsFields = body(rest)?;
            fields.check()?;
            Ok(draw_boards(&*games.open(fields.game())?, &fields))
        }
        "tree" => {
            let fields: TreeFields = query(rest)?;
            check_length(fields.path.len())?;
            Ok(json!({ "depth": fields.depth, "rows": fields.rows, "part": fields.part }))
        }
        "jobs" => match body(rest)? {
            JobFields::Values(fields) => {
                check_length(fields.longest())?;
                Ok(json!(games.open(&fields.game)?.locate(&fields.place())?.position))
            }
            JobFields::Search(fields) => {
                check_length(fields.place.longest())?;
                let door = games.open(&fields.place.game)?;
                let located = door.locate(&fields.place.place())?;
                let request = read_search(&*door, &fields)?;
                Ok(json!({ "position": located.position, "goal": door.goal_text(request.aim) }))
            }
            JobFields::Proof { of } => Ok(json!(of)),
        },
        _ => {
            let address = ([127, 0, 0, 1], crate::USUAL_PORT).into();
            Ok(json!(Guard::new(address, Vec::new()).is_own_host(rest)))
        }
    }
}

fn query<T: DeserializeOwned>(text: &str) -> Result<T, Failure> {
    let bad = |_| Failure::new(StatusCode::BAD_REQUEST, "this is no query");
    let uri: Uri = format!("/?{text}").parse().map_err(bad)?;
    let Query(fields) = Query::try_from_uri(&uri)?;
    Ok(fields)
}

fn body<T: DeserializeOwned>(text: &str) -> Result<T, Failure> {
    serde_json::from_str(text)
        .map_err(|error| Failure::new(StatusCode::BAD_REQUEST, printable(&error.to_string())))
}
