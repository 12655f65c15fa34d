//! Objects as lines of CSV.

use anyhow::Context as _;
use serde_json::Value;

/// A line of names and a line for every object, with its fields of these names. What is null is empty.
pub(crate) fn csv(names: &[&str], objects: impl IntoIterator<Item = Value>) -> anyhow::Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(names)?;
    for object in objects {
        writer.write_record(names.iter().map(|name| match &object[*name] {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            other => other.to_string(),
        }))?;
    }
    let bytes = writer.into_inner().context("cannot write CSV")?;
    Ok(String::from_utf8(bytes)?)
}
