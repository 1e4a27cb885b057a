//! The next start: what a fresh process would load, line by line, each with its source.

use crate::{HandlerRow, HiddenRow, Places, Source};
use fourgaps_base::Files;
use fourgaps_config::{DumpRun, Request, Version, dump};
use serde::Serialize;
use std::collections::BTreeMap;

/// What the next start would load.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NextStartView {
    /// The containerd version.
    pub containerd: String,
    /// The main file.
    pub config: String,
    /// Exit status of the dump.
    pub exit: i32,
    /// Standard error, line by line, without time stamps.
    pub stderr: Vec<String>,
    /// The handlers in name order.
    pub handlers: Vec<HandlerRow>,
    /// The dump, line by line.
    pub dump: Vec<DumpLine>,
    /// Where the process stopped, if it did.
    pub fault: Option<FaultView>,
}

/// One line of the dump.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DumpLine {
    /// The text, byte for byte.
    pub text: String,
    /// The key of the value or table on this line, dotted and quoted as TOML; empty for a blank line.
    pub key: String,
    /// Where it was written; `None` for a default and for blank lines.
    pub source: Option<Source>,
    /// True where the line shows a value that nobody wrote.
    pub default: bool,
    /// What this value hides: what others wrote for the same key or section.
    pub hides: Vec<HiddenRow>,
}

/// Where and why the process stopped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FaultView {
    /// The file at fault.
    pub file: String,
    /// Line from 1, if the fault has a place.
    pub line: Option<u32>,
    /// Column from 1.
    pub column: Option<u32>,
    /// The message.
    pub message: String,
}

impl NextStartView {
    /// Loads, and shows what the next start would be.
    pub fn of(version: &Version, files: &dyn Files, main: &str) -> Self {
        let request = Request::new(version, files, main);
        Self::from_run(&request, &dump(&request))
    }

    /// Shows a load that was made already.
    pub fn from_run(request: &Request<'_>, run: &DumpRun) -> Self {
        let places = Places::of(run);
        let mut hidden: BTreeMap<&[String], Vec<HiddenRow>> = BTreeMap::new();
        for lost in &run.hidden {
            hidden.entry(&lost.path).or_default().push(places.hidden(lost));
        }
        let line = |line: &fourgaps_config::toml::Line| DumpLine {
            text: line.text.clone(),
            key: crate::key_text(&line.path),
            source: line.place.and_then(|place| places.source(place)),
            default: line.place.is_some_and(|place| place.is_default()),
            hides: hidden.get(line.path.as_slice()).cloned().unwrap_or_default(),
        };
        Self {
            containerd: request.version.name().into(),
            config: request.main.into(),
            exit: run.exit,
            stderr: run.stderr.clone(),
            handlers: run.handlers.iter().map(|h| places.handler(h)).collect(),
            dump: run.lines.iter().map(line).collect(),
            fault: run.fault.as_ref().map(|fault| FaultView {
                file: fault.path.clone(),
                line: fault.pos.map(|pos| pos.line),
                column: fault.pos.map(|pos| pos.column),
                message: fault.message.clone(),
            }),
        }
    }

    /// How many lines of the dump contain a text, as `grep -c -F` counts.
    pub fn count(&self, text: &str) -> usize {
        self.dump.iter().filter(|line| line.text.contains(text)).count()
    }

    /// The whole dump, byte for byte.
    pub fn text(&self) -> String {
        self.dump.iter().map(|line| format!("{}\n", line.text)).collect()
    }
}
