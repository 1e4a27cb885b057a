//! `-o`: what becomes of objects on the screen.

use super::Stop;
use fourgaps_view::kubectl::jsonpath::{Path, Template};
use fourgaps_view::kubectl::{columns, json, list, yaml};
use serde_json::Value;

/// What `-o` asks for.
pub(super) enum Format {
    /// Columns; more of them where the flag is set.
    Table {
        wide: bool,
    },
    Name,
    Json,
    Yaml,
    JsonPath(Template),
    Columns(Vec<(String, Path)>),
}

impl Format {
    /// Reads the value of `-o`.
    pub fn read(text: Option<&str>) -> Result<Self, Stop> {
        let Some(text) = text else { return Ok(Self::Table { wide: false }) };
        let (name, rest) = text.split_once('=').map_or((text, None), |(name, rest)| (name, Some(rest)));
        match (name, rest) {
            ("wide", None) => Ok(Self::Table { wide: true }),
            ("name", None) => Ok(Self::Name),
            ("json", None) => Ok(Self::Json),
            ("yaml", None) => Ok(Self::Yaml),
            ("jsonpath", Some(template)) => {
                let read = Template::parse(template);
                let why = |why| Stop::Error(format!("error: error parsing jsonpath {template}, {why}\n"));
                read.map(Self::JsonPath).map_err(why)
            }
            ("jsonpath", None) => Stop::error("error: template format specified but no template given"),
            ("custom-columns", Some(text)) if !text.is_empty() => columns_of(text).map(Self::Columns),
            ("custom-columns", _) => {
                Stop::error("error: custom-columns format specified but no custom columns given")
            }
            _ => Err(Stop::NotSimulated(format!("-o {text}"))),
        }
    }

    /// The text of objects; `single` where one object was asked for by its name. Tables are none of this.
    pub fn text(&self, mut objects: Vec<Value>, single: bool, headers: bool) -> String {
        match self {
            Self::Columns(of) => {
                let mut rows: Vec<Vec<String>> = Vec::new();
                if headers {
                    rows.push(of.iter().map(|(head, _)| head.clone()).collect());
                }
                rows.extend(
                    objects.iter().map(|object| of.iter().map(|(_, path)| cell(path, object)).collect()),
                );
                columns(&rows, 3, 6)
            }
            form => {
                let whole = if single && objects.len() == 1 { objects.remove(0) } else { list(objects) };
                match form {
                    Self::Yaml => yaml(&whole),
                    Self::JsonPath(template) => template.fill(&whole),
                    _ => json(&whole),
                }
            }
        }
    }
}

/// `HEAD:.path,HEAD:.path`
fn columns_of(text: &str) -> Result<Vec<(String, Path)>, Stop> {
    let one = |column: &str| {
        let wrong = || {
            Stop::Error(format!(
                "error: unexpected custom-columns spec: {column}, expected <header>:<json-path-expr>"
            ))
        };
        let (head, path) = column.split_once(':').ok_or_else(wrong)?;
        let path = Path::relaxed(path).map_err(|why| Stop::Error(format!("error: {why}")))?;
        Ok((head.to_string(), path))
    };
    text.split(',').map(one).collect()
}

fn cell(path: &Path, object: &Value) -> String {
    let found: Vec<String> = path.find(object).into_iter().map(as_go).collect();
    if found.is_empty() { "<none>".into() } else { found.join(",") }
}

/// A value as Go's `fmt` prints it.
pub(super) fn as_go(value: &Value) -> String {
    match value {
        Value::Null => "<nil>".into(),
        Value::String(text) => text.clone(),
        Value::Array(items) => format!("[{}]", items.iter().map(as_go).collect::<Vec<_>>().join(" ")),
        Value::Object(entries) => {
            let entries: Vec<String> =
                entries.iter().map(|(key, value)| format!("{key}:{}", as_go(value))).collect();
            format!("map[{}]", entries.join(" "))
        }
        other => other.to_string(),
    }
}
