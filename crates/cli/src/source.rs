//! Text that people name: a file, or standard input.

use std::io::Read as _;
use std::path::Path;

use anyhow::Context as _;

/// What people call it, and what it says. `-` is standard input.
pub(crate) fn read(file: &Path) -> anyhow::Result<(String, String)> {
    if file == Path::new("-") {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).context("cannot read standard input")?;
        return Ok(("standard input".to_owned(), text));
    }
    let name = file.display().to_string();
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {name}"))?;
    Ok((name, text))
}
