//! Which address leads where.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};

use crate::Server;
use crate::assets::asset;
use crate::guard::{Guard, guard};
use crate::jobs::{CERTIFICATE_BYTES_MAX, routes as jobs};
use crate::places;

/// The most bytes of a question.
const QUESTION_BYTES_MAX: usize = 64 << 10;

pub(crate) fn all(server: Arc<Server>, address: SocketAddr) -> Router {
    let names = server.options.names.clone();
    Router::new()
        .route("/api/about", get(places::about))
        .route("/api/position", get(places::position))
        .route("/api/boards", post(places::boards))
        .route("/api/jobs", post(jobs::begin))
        .route("/api/jobs/{id}", axum::routing::delete(jobs::forget))
        .route("/api/jobs/{id}/events", get(jobs::events))
        .route("/api/jobs/{id}/tree", get(jobs::tree))
        .route("/api/jobs/{id}/certificate", get(jobs::certificate))
        .route("/api/jobs/{id}/{order}", post(jobs::order))
        .layer(DefaultBodyLimit::max(QUESTION_BYTES_MAX))
        .route(
            "/api/certificates",
            post(jobs::open_certificate).layer(DefaultBodyLimit::max(CERTIFICATE_BYTES_MAX)),
        )
        .fallback(get(asset))
        .layer(from_fn_with_state(Arc::new(Guard::new(address, names)), guard))
        .with_state(server)
}
