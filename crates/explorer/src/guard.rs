//! Who may ask.
//!
//! A server on loopback can be reached by every page that a browser on the same machine shows. A page from elsewhere must not be able to
//! use it: neither directly (its origin is another one), nor under a name of its own that it has made point here (DNS rebinding: the
//! host of the request is then that name).

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use crate::failure::Failure;

/// Scripts, styles and data of our own alone; no frame of another page around it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
                      connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Whom a server answers.
pub(crate) struct Guard {
    address: SocketAddr,
    names: Vec<String>,
}

impl Guard {
    pub(crate) fn new(address: SocketAddr, names: Vec<String>) -> Self {
        Self { address, names }
    }

    /// Whether a host of a request is this server: a name or address that belongs to it, and its port.
    pub(crate) fn is_own_host(&self, host: &str) -> bool {
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if !port.is_empty() && port.bytes().all(|digit| digit.is_ascii_digit()) => {
                (name, port.parse().ok())
            }
            _ => (host, Some(80)),
        };
        if port != Some(self.address.port()) {
            return false;
        }
        let name = name.to_ascii_lowercase();
        let literal = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(&name);
        match literal.parse::<IpAddr>() {
            // Who listens on all addresses is called by any of them. No name server can make an address mean another.
            Ok(address) => {
                address == self.address.ip() || address.is_loopback() || self.address.ip().is_unspecified()
            }
            Err(_) => name == "localhost" || self.names.iter().any(|own| own.eq_ignore_ascii_case(&name)),
        }
    }

    fn refuses(&self, headers: &HeaderMap, is_page: bool) -> Option<&'static str> {
        let text = |name: header::HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
        let Some(host) = text(header::HOST) else { return Some("a request must name its host") };
        if !self.is_own_host(host) {
            return Some("this server is not called by that name (--name lets it)");
        }
        if let Some(origin) = text(header::ORIGIN)
            && origin.strip_prefix("http://") != Some(host)
        {
            return Some("pages from elsewhere may not ask this server");
        }
        // Links from elsewhere may lead to the page, and to nothing else.
        let site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
        let own = site.is_none_or(|site| site == b"same-origin" || site == b"none");
        (!own && !is_page).then_some("pages from elsewhere may not ask this server")
    }
}

/// Refuses what was not meant for this server, and says to browsers how strict they should be.
pub(crate) async fn guard(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    let is_page = !request.uri().path().starts_with("/api");
    let mut response = match guard.refuses(request.headers(), is_page) {
        Some(problem) => Failure::new(StatusCode::FORBIDDEN, problem).into_response(),
        None => next.run(request).await,
    };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("same-origin"));
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard(address: &str) -> Guard {
        Guard::new(address.parse().expect("an address"), vec!["solver.example".to_owned()])
    }

    #[test]
    fn hosts_are_own_addresses_and_names_with_the_right_port() {
        let own = guard("127.0.0.1:7373");
        for host in
            ["127.0.0.1:7373", "localhost:7373", "LocalHost:7373", "[::1]:7373", "solver.example:7373"]
        {
            assert!(own.is_own_host(host), "{host}");
        }
        for host in [
            "evil.example:7373",
            "127.0.0.1",
            "127.0.0.1:80",
            "localhost.evil.example:7373",
            "10.0.0.1:7373",
            "127.0.0.1.evil.example:7373",
            "localhost:7373:7373",
            "",
            ":7373",
            "[::1",
        ] {
            assert!(!own.is_own_host(host), "{host}");
        }
        let all = guard("0.0.0.0:80");
        assert!(all.is_own_host("10.0.0.1") && all.is_own_host("10.0.0.1:80"));
        assert!(!all.is_own_host("evil.example"));
    }
}
