//! What goes wrong, as an answer.

use axum::Json;
use axum::extract::rejection::{BytesRejection, JsonRejection, QueryRejection};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use quod_solver::InputError;
use serde_json::json;

/// A request that cannot be answered.
#[derive(Debug)]
pub(crate) struct Failure {
    status: StatusCode,
    error: String,
    hint: Option<String>,
}

impl Failure {
    pub(crate) fn new(status: StatusCode, error: impl Into<String>) -> Self {
        Self { status, error: error.into(), hint: None }
    }

    pub(crate) fn not_found(what: &str) -> Self {
        Self::new(StatusCode::NOT_FOUND, format!("there is no such {what}"))
    }

    /// What a page is told.
    pub(crate) fn text(&self) -> String {
        format!("{} {}\n{}", self.status, self.error, self.hint.as_deref().unwrap_or_default())
    }
}

impl From<InputError> for Failure {
    /// What people can mend. The line behind the first is the hint.
    fn from(error: InputError) -> Self {
        let text = error.to_string();
        let (error, hint) = match text.split_once('\n') {
            Some((error, hint)) => (error.to_owned(), Some(hint.trim().to_owned())),
            None => (text, None),
        };
        Self { status: StatusCode::BAD_REQUEST, error, hint }
    }
}

/// The most letters of what a library says, which may quote the request.
const LETTERS_MAX: usize = 300;

/// A text that may quote what a page has sent, as it is shown.
pub(crate) fn printable(text: &str) -> String {
    text.chars().take(LETTERS_MAX).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

macro_rules! from_rejections {
    ($($rejection:ty),*) => {$(
        impl From<$rejection> for Failure {
            fn from(rejection: $rejection) -> Self {
                Self::new(rejection.status(), printable(&rejection.body_text()))
            }
        }
    )*};
}

from_rejections!(BytesRejection, JsonRejection, QueryRejection);

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        (self.status, Json(json!({ "error": self.error, "hint": self.hint }))).into_response()
    }
}
