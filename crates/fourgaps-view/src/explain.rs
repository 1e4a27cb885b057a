//! Why the next start loads what it loads: files in order, every set value with its source, and what was lost.
//! The JSON of [`ExplainView`] is documented in the README and stable: fields are added, never renamed.

use crate::{Places, Source, surprise};
use fourgaps_base::Files;
use fourgaps_config::daemon::DaemonRun;
use fourgaps_config::toml::Line;
use fourgaps_config::{DumpRun, Request, Version, dump, dump_of_started};
use serde::Serialize;
use std::collections::BTreeMap;

/// Everything that can be said about one load.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ExplainView {
    /// The format of this JSON: 1.
    pub format: u32,
    /// The containerd version.
    pub containerd: String,
    /// The main file.
    pub config: String,
    /// Exit status of the dump.
    pub exit: i32,
    /// Standard error, line by line.
    pub stderr: Vec<String>,
    /// The files in load order.
    pub files: Vec<FileRow>,
    /// The handlers in name order.
    pub handlers: Vec<HandlerRow>,
    /// Every value that somebody wrote and that counts, in key order.
    pub values: Vec<ValueRow>,
    /// Every value that somebody wrote and that does not count.
    pub lost: Vec<HiddenRow>,
    /// What a daemon started on these files would be; `None` where nobody asked.
    pub started: Option<StartedRow>,
    /// What would surprise a reader of the files, one plain sentence each.
    pub surprises: Vec<Surprise>,
}

/// A daemon that was started on the files, beside the dump.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StartedRow {
    /// True where the process runs.
    pub booted: bool,
    /// Its handlers by name; `None` where its CRI service does not answer.
    pub handlers: Option<Vec<String>>,
    /// The last words of a process that ended, or the error of its CRI plugin.
    pub words: Option<String>,
}

/// A file in load order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FileRow {
    /// Absolute path.
    pub path: String,
    /// The file that imports it.
    pub imported_by: Option<String>,
    /// The entry of `imports` that named it.
    pub pattern: Option<String>,
    /// What `version` says in it.
    pub version: Option<i64>,
    /// The plugin sections that it names.
    pub plugins: Vec<PluginRow>,
}

/// A plugin section that a file names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PluginRow {
    /// The plugin key.
    pub plugin: String,
    /// Where the file first names it.
    pub source: Source,
    /// The file whose section counts instead, if this one lost.
    pub replaced_by: Option<String>,
}

/// A runtime handler.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HandlerRow {
    /// Its name.
    pub name: String,
    /// The shim type.
    pub runtime_type: String,
    /// The binary among its options; empty where none is set.
    pub binary_name: String,
    /// Where it was written; `None` for a default.
    pub source: Option<Source>,
    /// True for the default handler.
    pub is_default: bool,
}

/// A value that counts and that somebody wrote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ValueRow {
    /// The key, dotted and quoted as TOML.
    pub key: String,
    /// The value as the dump prints it.
    pub value: String,
    /// Where it was written; `None` for a default (only shown when the key was asked for).
    pub source: Option<Source>,
    /// What it hides.
    pub hides: Vec<HiddenRow>,
}

/// A value that does not count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HiddenRow {
    /// The key.
    pub key: String,
    /// The value.
    pub value: String,
    /// Where it was written.
    pub source: Source,
    /// The file and place that won.
    pub by: Option<Source>,
    /// The rule in one sentence, in English.
    pub rule: String,
    /// The rule's name, for translation: `section-replaced`, `entry-replaced`, `later-file`, `zero-does-not-override`.
    pub rule_code: String,
    /// How many files name the plugin, for `section-replaced`.
    pub named_in: Option<u32>,
}

/// Something that a reader of the files would not expect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Surprise {
    /// Its name, for translation, for example `section-replaced`.
    pub code: String,
    /// What the sentence speaks of, by name.
    pub args: BTreeMap<String, String>,
    /// The sentence in English.
    pub text: String,
    /// Where to look, if there is a place.
    pub source: Option<Source>,
}

impl ExplainView {
    /// Loads, and says why.
    pub fn of(version: &Version, files: &dyn Files, main: &str) -> Self {
        let request = Request::new(version, files, main);
        Self::from_run(&request, &dump(&request))
    }

    /// Explains a load that was made already.
    pub fn from_run(request: &Request<'_>, run: &DumpRun) -> Self {
        let places = Places::of(run);
        let set = |line: &&Line| line.place.is_some_and(|place| !place.is_default());
        Self {
            format: 1,
            containerd: request.version.name().into(),
            config: request.main.into(),
            exit: run.exit,
            stderr: run.stderr.clone(),
            files: file_rows(run, &places),
            handlers: run.handlers.iter().map(|h| places.handler(h)).collect(),
            values: run.lines.iter().filter(set).filter_map(|line| value_row(line, run, &places)).collect(),
            lost: run.hidden.iter().map(|h| places.hidden(h)).collect(),
            started: None,
            surprises: surprise::surprises(request, run),
        }
    }

    /// Sets a started daemon beside the dump, and says where the two differ.
    pub fn beside(&mut self, request: &Request<'_>, run: &DumpRun, daemon: &DaemonRun) {
        self.started = Some(StartedRow {
            booted: daemon.booted(),
            handlers: daemon.handlers.as_ref().map(|list| list.iter().map(|h| h.name.clone()).collect()),
            words: surprise::last_words(daemon),
        });
        // The daemon says itself what the dump only lets one fear.
        let started = dump_of_started(request);
        let said_better =
            |s: &Surprise| s.code == "default-handler-missing" || surprise::read_when_started(s, &started);
        self.surprises.retain(|s| !said_better(s));
        self.surprises.splice(0..0, surprise::differences(request, run, daemon));
    }

    /// Narrows the view to one key and what lies below it; defaults of that key are shown too.
    pub fn narrow(&mut self, run: &DumpRun, key: &str) {
        let places = Places::of(run);
        let below =
            |found: &str| found == key || found.strip_prefix(key).is_some_and(|rest| rest.starts_with('.'));
        let rows = run.lines.iter().filter(|line| below(&crate::key_text(&line.path)));
        self.values = rows.filter_map(|line| value_row(line, run, &places)).collect();
        self.lost.retain(|row| below(&row.key));
    }
}

fn file_rows(run: &DumpRun, places: &Places<'_>) -> Vec<FileRow> {
    let row = |file: &fourgaps_config::LoadedFile| FileRow {
        path: file.path.clone(),
        imported_by: file.imported_by.as_ref().and_then(|(id, _)| places.path(*id)).map(String::from),
        pattern: file.imported_by.as_ref().map(|(_, pattern)| pattern.clone()),
        version: file.version,
        plugins: (file.plugins.iter())
            .map(|named| PluginRow {
                plugin: named.plugin.clone(),
                source: places.source(named.place).unwrap_or_default(),
                replaced_by: named.replaced_by.and_then(|id| places.path(id)).map(String::from),
            })
            .collect(),
    };
    run.files.iter().map(row).collect()
}

/// A line with a value; headers and blank lines have none.
fn value_row(line: &Line, run: &DumpRun, places: &Places<'_>) -> Option<ValueRow> {
    let crate::KeyValue { key, value } = value_of(line)?;
    Some(ValueRow {
        key,
        value,
        source: line.place.and_then(|place| places.source(place)),
        hides: run.hidden.iter().filter(|h| h.path == line.path).map(|h| places.hidden(h)).collect(),
    })
}

/// Key and value of a line that shows one.
pub(crate) fn value_of(line: &Line) -> Option<crate::KeyValue> {
    let text = line.text.trim_start();
    if line.path.is_empty() || text.starts_with('[') {
        return None;
    }
    // A quoted key may hold the sign itself, so the value begins behind the key's end.
    let end = match text.as_bytes().first()? {
        b'\'' => text[1..].find('\'')? + 2,
        b'"' => closing_quote(text)?,
        _ => text.find(" = ")?,
    };
    let value = text.get(end..)?.strip_prefix(" = ")?.to_string();
    Some(crate::KeyValue { key: crate::key_text(&line.path), value })
}

/// Behind the quote that closes a basic string at the start of a text.
fn closing_quote(text: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '"' if !escaped => return Some(at + 1),
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    None
}
