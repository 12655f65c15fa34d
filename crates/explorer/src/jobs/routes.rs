//! Requests about jobs.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, JsonRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::sse::{Event as SseEvent, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::Stream;
use futures_util::stream;
use quod_solver::Unfold;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::{oneshot, watch};

use super::events::Event;
use super::job::Listener;
use super::search::Question;
use super::{Job, ROWS_MAX, certificate as certificates, search, values};
use crate::Server;
use crate::failure::Failure;
use crate::places::{aside, check_length};
use crate::wire::{self, JobFields, TreeFields, TreeKind};

/// How long a search may take to answer a question about its tree. It answers between slices of a hundredth of a second, if the game
/// is not very slow.
const PATIENCE: Duration = Duration::from_secs(10);

/// After how long a browser tries again when the connection is lost.
const COMES_BACK: Duration = Duration::from_millis(500);
/// The most questions that wait for a search to answer them.
const QUESTIONS_MAX: usize = 16;

type Begun = Result<(StatusCode, Json<Value>), Failure>;

fn begun(job: &Job) -> (StatusCode, Json<Value>) {
    (StatusCode::CREATED, Json(json!({ "id": job.id() })))
}

pub(crate) async fn begin(
    State(server): State<Arc<Server>>,
    fields: Result<Json<JobFields>, JsonRejection>,
) -> Begun {
    let Json(fields) = fields?;
    aside(move || match fields {
        JobFields::Values(fields) => {
            check_length(fields.longest())?;
            let (door, place) = (server.open(&fields.game)?, fields.place());
            door.locate(&place)?;
            Ok(begun(&*server.jobs.begin(move |job| values::work(job, &door, &place))?))
        }
        JobFields::Search(fields) => {
            check_length(fields.place.longest())?;
            let (door, place) = (server.open(&fields.place.game)?, fields.place.place());
            door.locate(&place)?;
            let request = search::request(&*door, &fields)?;
            Ok(begun(&*server.jobs.begin(move |job| search::work(job, &door, &place, &request))?))
        }
        JobFields::Proof { of } => {
            let file = server.jobs.get(&of)?.shown().certificate.clone();
            let file = file.ok_or_else(|| Failure::not_found("certificate"))?;
            check_certificate(&server, file)
        }
    })
    .await
}

pub(crate) async fn open_certificate(
    State(server): State<Arc<Server>>,
    file: Result<Bytes, BytesRejection>,
) -> Begun {
    let file = file?;
    aside(move || check_certificate(&server, Arc::new(file.into()))).await
}

fn check_certificate(server: &Arc<Server>, file: Arc<Vec<u8>>) -> Begun {
    let worker = Arc::clone(server);
    Ok(begun(&*server.jobs.begin(move |job| certificates::work(job, &worker, &file))?))
}

pub(crate) async fn order(
    State(server): State<Arc<Server>>,
    Path((id, order)): Path<(String, String)>,
) -> Result<StatusCode, Failure> {
    let job = server.jobs.get(&id)?;
    match order.as_str() {
        "pause" => job.rest(true),
        "resume" => job.rest(false),
        "stop" => job.stop(),
        _ => return Err(Failure::not_found("order: pause, resume and stop are")),
    }
    Ok(StatusCode::NO_CONTENT)
}

pub(crate) async fn forget(State(server): State<Arc<Server>>, Path(id): Path<String>) -> StatusCode {
    server.jobs.forget(&id);
    StatusCode::NO_CONTENT
}

#[derive(Deserialize)]
pub(crate) struct KeepFields {
    jobs: Vec<String>,
}

/// Keeps what jobs have found, and says which of them are gone.
pub(crate) async fn keep(
    State(server): State<Arc<Server>>,
    fields: Result<Json<KeepFields>, JsonRejection>,
) -> Result<Json<Value>, Failure> {
    let Json(KeepFields { jobs }) = fields?;
    let gone: Vec<&String> = jobs.iter().filter(|id| server.jobs.get(id).is_err()).collect();
    Ok(Json(json!({ "gone": gone })))
}

/// Somebody who listens to some jobs, and what is still to be said.
struct Stage {
    /// Each with the number of the last event that was heard.
    jobs: Vec<(Listener, u64)>,
    news: watch::Receiver<()>,
    waiting: std::vec::IntoIter<SseEvent>,
}

impl Stage {
    /// What is new.
    fn hear(&mut self) -> Vec<SseEvent> {
        let mut new = Vec::new();
        for (listener, heard) in &mut self.jobs {
            let job = listener.job();
            for Event { name, number, data } in job.events.since(*heard) {
                *heard = number;
                let data = json!({ "job": job.id(), "number": number, "data": data });
                new.push(SseEvent::default().event(name).data(data.to_string()));
            }
        }
        new
    }
}

#[derive(Deserialize)]
pub(crate) struct EventsFields {
    jobs: String,
}

pub(crate) async fn events(
    State(server): State<Arc<Server>>,
    fields: Result<Query<EventsFields>, QueryRejection>,
) -> Result<Sse<impl Stream<Item = Result<SseEvent, Infallible>>>, Failure> {
    let Query(EventsFields { jobs: wanted }) = fields?;
    check_length(wanted.len())?;
    let news = server.jobs.news();
    let (mut jobs, mut gone) = (Vec::new(), Vec::new());
    for word in wanted.split(',').filter(|word| !word.is_empty()) {
        let (id, heard) = word.split_once(':').unwrap_or((word, "0"));
        let heard = heard.parse().map_err(|_| Failure::new(StatusCode::BAD_REQUEST, "jobs=ID:NUMBER,..."))?;
        match server.jobs.get(id) {
            Ok(job) => jobs.push((Listener::new(job), heard)),
            Err(_) => gone.push(SseEvent::default().event("gone").data(json!({ "job": id }).to_string())),
        }
    }
    // Who has lost the connection comes back before the job is given up.
    gone.insert(0, SseEvent::default().retry(COMES_BACK));
    let stage = Stage { jobs, news, waiting: gone.into_iter() };
    let stream = stream::unfold(stage, |mut stage| async move {
        loop {
            if let Some(event) = stage.waiting.next() {
                return Some((Ok(event), stage));
            }
            // What is told from now on wakes.
            stage.news.borrow_and_update();
            let new = stage.hear();
            if new.is_empty() {
                stage.news.changed().await.ok()?;
            } else {
                stage.waiting = new.into_iter();
            }
        }
    });
    // A connection that is gone is noticed when something is sent.
    Ok(Sse::new(stream).keep_alive(KeepAlive::new().interval(Duration::from_secs(1))))
}

pub(crate) async fn certificate(
    State(server): State<Arc<Server>>,
    Path(id): Path<String>,
) -> Result<Response, Failure> {
    let job = server.jobs.get(&id)?;
    let file = job.shown().certificate.clone().ok_or_else(|| Failure::not_found("certificate"))?;
    let headers = [
        (header::CONTENT_TYPE, "application/octet-stream"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"proof.quod\""),
    ];
    Ok((headers, file.to_vec()).into_response())
}

pub(crate) async fn tree(
    State(server): State<Arc<Server>>,
    Path(id): Path<String>,
    fields: Result<Query<TreeFields>, QueryRejection>,
) -> Result<Json<Value>, Failure> {
    let Query(fields) = fields?;
    check_length(fields.path.len())?;
    let job = server.jobs.get(&id)?;
    if fields.kind == TreeKind::Certificate {
        return aside(move || unfold_proof(&job, &fields)).await;
    }
    let deadline = tokio::time::Instant::now() + PATIENCE;
    loop {
        if !job.shown().live {
            return aside(move || unfold_kept(&job, &fields)).await.map(Json);
        }
        let (answer, mut answered) = oneshot::channel();
        {
            let questions = &mut job.shown().questions;
            questions.retain(|question| !question.answer.is_closed());
            if questions.len() >= QUESTIONS_MAX {
                let problem = "too many questions wait for this search";
                return Err(Failure::new(StatusCode::TOO_MANY_REQUESTS, problem));
            }
            questions.push(Question { fields: fields.clone(), answer });
        }
        // The search may end before it sees the question.
        while job.shown().live {
            match tokio::time::timeout(Duration::from_millis(100), &mut answered).await {
                Ok(Ok(answer)) => return answer.map(Json),
                Ok(Err(_)) => break,
                Err(_) if tokio::time::Instant::now() >= deadline => {
                    return Err(Failure::new(
                        StatusCode::GATEWAY_TIMEOUT,
                        "the search has no time to answer",
                    ));
                }
                Err(_) => {}
            }
        }
    }
}

fn unfold_kept(job: &Job, fields: &TreeFields) -> Result<Value, Failure> {
    let (root, kept) = {
        let shown = job.shown();
        (shown.root.clone(), shown.tree.clone())
    };
    let (Some((door, place)), Some(kept)) = (root, kept) else {
        return Err(Failure::not_found("tree: this search keeps none, or has not begun"));
    };
    search::unfold(&*door, &place, &kept.look(), fields)
}

fn unfold_proof(job: &Job, fields: &TreeFields) -> Result<Json<Value>, Failure> {
    let proof =
        job.shown().proof.clone().ok_or_else(|| Failure::not_found("proof: it is not checked yet"))?;
    let rows_max = fields.rows.unwrap_or(2_000).min(ROWS_MAX);
    let how = Unfold { path: &fields.path, depth: fields.depth, rows_max };
    let unfolded = proof.unfold(fields.part, &how)?.ok_or_else(|| Failure::not_found("node in the proof"))?;
    Ok(Json(wire::unfolded(&unfolded, None, None)))
}
