//! Standard output that may be closed or full.

use std::io::{ErrorKind, Write as _};

use anyhow::Context as _;
use serde::Serialize;

use crate::Failure;

/// Writes text. A reader that has gone away has read enough; anything else that goes wrong is an error.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => Ok(result.context("cannot write to standard output")?),
    }
}

/// Writes one JSON value.
pub(crate) fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    print(&format!("{}\n", serde_json::to_string_pretty(value)?))
}
