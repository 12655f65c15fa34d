//! Which address leads where.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};

use crate::Server;
use crate::assets::asset;
use crate::failure::Failure;
use crate::guard::{Guard, guard};
use crate::jobs::{CERTIFICATE_BYTES_MAX, routes as jobs};
use crate::places;

/// The most bytes of a question.
const QUESTION_BYTES_MAX: usize = 64 << 10;

pub(crate) fn all(server: Arc<Server>, address: SocketAddr) -> Router {
    let names = server.options.names.clone();
    let certificates = DefaultBodyLimit::max(CERTIFICATE_BYTES_MAX);
    let at_once = from_fn_with_state(CERTIFICATE_BYTES_MAX, refuse_at_once);
    Router::new()
        .route("/api/about", get(places::about))
        .route("/api/position", get(places::position))
        .route("/api/boards", post(places::boards))
        .route("/api/jobs", post(jobs::begin))
        .route("/api/jobs/{id}", axum::routing::delete(jobs::forget))
        .route("/api/events", get(jobs::events))
        .route("/api/keep", post(jobs::keep))
        .route("/api/jobs/{id}/tree", get(jobs::tree))
        .route("/api/jobs/{id}/certificate", get(jobs::certificate))
        .route("/api/jobs/{id}/{order}", post(jobs::order))
        .layer(DefaultBodyLimit::max(QUESTION_BYTES_MAX))
        .layer(from_fn_with_state(QUESTION_BYTES_MAX, refuse_at_once))
        .route("/api/certificates", post(jobs::open_certificate).layer(certificates).layer(at_once))
        .fallback(get(asset))
        .layer(from_fn_with_state(Arc::new(Guard::new(address, names)), guard))
        .with_state(server)
}

/// Refuses a body that says itself that it is too long, before it comes.
async fn refuse_at_once(State(bytes_max): State<usize>, request: Request, next: Next) -> Response {
    let length =
        request.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    if length.is_some_and(|length: u64| length > bytes_max as u64) {
        let problem = format!("no more than {bytes_max} bytes are taken here");
        return Failure::new(StatusCode::PAYLOAD_TOO_LARGE, problem).into_response();
    }
    next.run(request).await
}
