//! `-o`: what becomes of objects on the screen.

use super::{Session, Stop};
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

/// The formats, each with whether only `get` knows it.
const FORMATS: [(&str, bool); 13] = [
    ("custom-columns", true),
    ("custom-columns-file", true),
    ("go-template", false),
    ("go-template-file", false),
    ("json", false),
    ("jsonpath", false),
    ("jsonpath-as-json", false),
    ("jsonpath-file", false),
    ("name", false),
    ("template", false),
    ("templatefile", false),
    ("wide", true),
    ("yaml", false),
];

impl Format {
    /// Reads the value of `-o`; tables and columns are for `get` alone.
    pub fn read(session: &Session<'_, '_>, of_get: bool) -> Result<Self, Stop> {
        let Some(text) = session.args.value("-o").filter(|text| !text.is_empty()) else {
            return Ok(Self::Table { wide: false });
        };
        let (name, rest) = text.split_once('=').map_or((text, ""), |(name, rest)| (name, rest));
        let lower = text.to_ascii_lowercase();
        match (name, rest) {
            ("wide", "") if of_get => Ok(Self::Table { wide: true }),
            ("name", "") => Ok(Self::Name),
            _ if lower == "json" => Ok(Self::Json),
            _ if lower == "yaml" => Ok(Self::Yaml),
            ("custom-columns", "") if of_get => {
                Stop::error("error: custom-columns format specified but no custom columns given")
            }
            ("custom-columns", text) if of_get => columns_of(text).map(Self::Columns),
            ("custom-columns-file", "") if of_get => {
                Stop::error("error: custom-columns format specified but no custom columns given")
            }
            ("custom-columns-file", path) if of_get => columns_in(&read(session, path)?).map(Self::Columns),
            ("jsonpath" | "jsonpath-file", "") => {
                Stop::error("error: template format specified but no template given")
            }
            ("jsonpath", template) => jsonpath(template),
            ("jsonpath-file", path) => jsonpath(&read(session, path)?),
            (name, _) if FORMATS.contains(&(name, false)) => Err(Stop::NotSimulated(format!("-o {text}"))),
            _ => {
                let known = FORMATS.iter().filter(|(_, only_get)| of_get || !only_get);
                let known: Vec<&str> = known.map(|(name, _)| *name).collect();
                Stop::error(format!(
                    "error: unable to match a printer suitable for the output format \"{text}\", allowed formats are: {}",
                    known.join(",")
                ))
            }
        }
    }

    /// The text of objects; `single` where one object was asked for by its name. Tables are none of this.
    pub fn text(&self, mut objects: Vec<Value>, single: bool, headers: bool) -> String {
        match self {
            Self::Columns(of) => {
                let heads = headers.then(|| of.iter().map(|(head, _)| head.clone()).collect());
                let rows = objects.iter().map(|object| Self::cells(of, object));
                columns(&heads.into_iter().chain(rows).collect::<Vec<_>>(), 3, 6)
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

    /// The cells of an object in the columns that were asked for.
    pub fn cells(of: &[(String, Path)], object: &Value) -> Vec<String> {
        of.iter().map(|(_, path)| cell(path, object)).collect()
    }
}

fn jsonpath(template: &str) -> Result<Format, Stop> {
    let why = |why| Stop::Error(format!("error: error parsing jsonpath {template}, {why}"));
    Template::parse(template).map(Format::JsonPath).map_err(why)
}

/// The text of a template's file.
fn read(session: &Session<'_, '_>, path: &str) -> Result<String, Stop> {
    let why = format!("error: error reading --template {path}, open {path}: no such file or directory");
    session.text_of(path).ok_or(Stop::Error(why))
}

/// A line of heads and a line of paths.
fn columns_in(text: &str) -> Result<Vec<(String, Path)>, Stop> {
    const FORM: &str =
        "Expected format is one line of space separated headers, one line of space separated column specs.";
    let mut lines = text.lines();
    let mut line = |what: &str| {
        let why = || Stop::Error(format!("error: invalid template, missing {what} line. {FORM}"));
        lines.next().map(|line| line.split_whitespace().collect::<Vec<_>>()).ok_or_else(why)
    };
    let (heads, paths) = (line("header")?, line("spec")?);
    if heads.len() != paths.len() {
        return Stop::error(format!(
            "error: number of headers ({}) and field specifications ({}) don't match",
            heads.len(),
            paths.len()
        ));
    }
    let one = |(head, path): (&str, &str)| {
        Ok((head.to_string(), Path::relaxed(path).map_err(|why| Stop::Error(format!("error: {why}")))?))
    };
    heads.into_iter().zip(paths).map(one).collect()
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
