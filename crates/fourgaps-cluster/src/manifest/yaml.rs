//! Manifests as they are written: YAML, several documents in one text.

use serde::Deserialize;
use serde_json::Value;

/// Why a text is no YAML.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct YamlFault {
    /// The line, from 1.
    pub line: u32,
    /// The words of the reader.
    pub words: String,
}

/// The documents of a text; empty ones are left out.
///
/// # Errors
/// Says where the text is no YAML.
pub fn documents(text: &str) -> Result<Vec<Value>, YamlFault> {
    let mut found = Vec::new();
    for document in serde_norway::Deserializer::from_str(text) {
        let value = Value::deserialize(document).map_err(|why| fault(&why))?;
        if !value.is_null() {
            found.push(value);
        }
    }
    Ok(found)
}

fn fault(why: &serde_norway::Error) -> YamlFault {
    let text = why.to_string();
    let words = text.split(" at line ").next().unwrap_or_default().to_string();
    let line = why.location().and_then(|place| u32::try_from(place.line()).ok()).unwrap_or(1);
    YamlFault { line, words }
}
