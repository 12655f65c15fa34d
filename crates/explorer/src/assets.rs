//! The page, embedded.

use axum::http::{Uri, header};
use axum::response::{IntoResponse, Response};

use crate::failure::Failure;

#[derive(rust_embed::RustEmbed)]
#[folder = "page/dist"]
struct Assets;

/// A file of the page; its start page for the root. Nothing but embedded files can be named.
pub(crate) async fn asset(uri: Uri) -> Response {
    let name = match uri.path() {
        "/" => "index.html",
        path => path.trim_start_matches('/'),
    };
    let Some(file) = Assets::get(name) else {
        return Failure::not_found("page").into_response();
    };
    let kind = match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    };
    // Always asked again: the next version of the program serves other files under the same names.
    ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-cache")], file.data).into_response()
}
