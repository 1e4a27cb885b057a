//! What a containerd said: the dump, the end of the process, and what can be read from them.
//! A recording and a simulated run are read by the same functions, so that both columns mean the same.

use crate::goal::Scalar;
use crate::key_path::key_path;
use fourgaps_base::{map_of, set_of};
use fourgaps_config::toml::{Node, Table};
use fourgaps_config::{read_toml, readable};
use fourgaps_view::{LoadedView, NextStartView};
use std::collections::{BTreeMap, BTreeSet};

/// Standard output, exit status and standard error of one `containerd config dump`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recording {
    /// The dump, byte for byte.
    pub dump: String,
    /// The exit status.
    pub exit: i32,
    /// Standard error, line by line.
    pub stderr: Vec<String>,
    /// What the daemon did with the same files, where it was started too.
    pub live: Option<LiveRecording>,
}

/// The daemon, started on the files of a case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LiveRecording {
    /// True where the process stayed up.
    pub booted: bool,
    /// Its exit status, where it did not.
    pub exit: Option<i32>,
    /// The handlers that it has loaded; absent where its CRI service does not answer.
    pub handlers: Option<BTreeSet<String>>,
    /// The handler of a sandbox that asks for none.
    pub default_runtime_name: Option<String>,
    /// The pause image, where this version tells it.
    pub sandbox_image: Option<String>,
    /// What a client heard instead of an answer.
    pub info_error: Option<String>,
    /// Its warnings and errors.
    pub complaints: Vec<String>,
    /// The states of the CRI plugins by type and name.
    pub cri_plugins: BTreeMap<String, String>,
    /// The conditions that it reports.
    pub conditions: BTreeMap<String, String>,
    /// What a request for a sandbox answered, by handler; `(none)` asked for no handler.
    pub sandboxes: BTreeMap<String, String>,
}
readable!(LiveRecording {
    booted,
    exit,
    handlers,
    default_runtime_name,
    sandbox_image,
    info_error,
    complaints,
    cri_plugins,
    conditions,
    sandboxes
});

/// The tables that hold the runtime handlers: of containerd 1.x, then of 2.x.
const HANDLER_TABLES: [&str; 2] = [
    r#"plugins."io.containerd.grpc.v1.cri".containerd.runtimes"#,
    r#"plugins."io.containerd.cri.v1.runtime".containerd.runtimes"#,
];

impl Recording {
    /// Puts a recording together from its `dump.toml` and its `result.toml`.
    ///
    /// # Errors
    /// Says what is wrong with `result.toml`.
    pub fn parse(dump: &str, result_toml: &str) -> Result<Self, String> {
        struct ResultFile {
            exit: i32,
            stderr: Vec<String>,
        }
        readable!(ResultFile { exit, stderr });
        let result: ResultFile = read_toml(result_toml)?;
        Ok(Self { dump: dump.to_string(), exit: result.exit, stderr: result.stderr, live: None })
    }

    /// Adds what the daemon did: a recorded `live.toml`, or the text of a simulated one, which has the same keys.
    ///
    /// # Errors
    /// Says what is wrong with the file.
    pub fn with_live(self, live_toml: &str) -> Result<Self, String> {
        let live = read_toml(live_toml)?;
        Ok(Self { live: Some(live), ..self })
    }

    /// Adds what the simulated daemon says.
    pub fn with_loaded(self, view: &LoadedView) -> Self {
        Self { live: Some(LiveRecording::of(view)), ..self }
    }

    /// What the simulator says, in the form of a recording.
    pub fn of(view: &NextStartView) -> Self {
        let mut dump = String::new();
        for line in &view.dump {
            dump.push_str(&line.text);
            dump.push('\n');
        }
        Self { dump, exit: view.exit, stderr: view.stderr.clone(), live: None }
    }

    /// How many lines of the dump contain a text.
    pub fn count(&self, text: &str) -> usize {
        self.dump.lines().filter(|line| line.contains(text)).count()
    }

    /// The first line of the dump that contains a text, with its number from 1.
    pub fn line(&self, text: &str) -> Option<(usize, &str)> {
        self.dump
            .lines()
            .enumerate()
            .find(|(_, line)| line.contains(text))
            .map(|(at, line)| (at + 1, line.trim()))
    }

    /// The names of the runtime handlers in the dump.
    pub fn handlers(&self) -> BTreeSet<String> {
        let Some(top) = self.tree() else { return BTreeSet::new() };
        let tables = HANDLER_TABLES.iter().filter_map(|path| at_path(&top, path));
        set_of(tables.filter_map(Node::table).flat_map(|table| table.entries.keys().cloned()))
    }

    /// The value of a key, dotted and quoted as TOML; `None` where the dump has none, or has a list or a table there.
    pub fn value(&self, key: &str) -> Option<Scalar> {
        Scalar::of(at_path(&self.tree()?, key)?)
    }

    /// The files that the dump's `imports` names, in its order.
    pub fn imports(&self) -> Vec<String> {
        let Some(top) = self.tree() else { return Vec::new() };
        let list = top.get("imports").and_then(Node::list);
        let names = list.into_iter().flatten().filter_map(Node::text);
        names.map(str::to_string).collect()
    }

    /// The last line of standard error.
    pub fn last_error(&self) -> Option<&str> {
        self.stderr.last().map(String::as_str)
    }

    fn tree(&self) -> Option<Table> {
        read_toml(&self.dump).ok()
    }
}

impl From<&NextStartView> for Recording {
    fn from(view: &NextStartView) -> Self {
        Self::of(view)
    }
}

/// The CRI service as its clients know it; versions from 2.0 on have two more plugins behind it.
const CRI_SERVICE: &str = "io.containerd.grpc.v1 cri";
/// How an answer begins that depends on the machine of the recording.
const NOT_JUDGED: &str = "(not judged";

impl LiveRecording {
    /// What the simulated daemon says, in the form of a recording.
    pub fn of(view: &LoadedView) -> Self {
        let names = |rows: &Vec<fourgaps_view::HandlerRow>| set_of(rows.iter().map(|row| row.name.clone()));
        let conditions = view.conditions.iter().map(|row| (row.name.clone(), row.holds.to_string()));
        let sandboxes = view.sandboxes.iter().map(|row| (row.handler.clone(), row.answer.clone()));
        Self {
            booted: view.booted,
            exit: view.exit,
            handlers: view.handlers.as_ref().map(names),
            default_runtime_name: view.default_runtime_name.clone(),
            sandbox_image: view.sandbox_image.clone(),
            info_error: view.info_error.clone(),
            complaints: view.complaints.clone(),
            cri_plugins: view.cri_plugins.clone(),
            conditions: map_of(conditions),
            sandboxes: map_of(sandboxes),
        }
    }

    /// The state of the CRI service: `ok` or `error`.
    pub fn cri(&self) -> Option<&str> {
        self.cri_plugins.get(CRI_SERVICE).map(String::as_str)
    }

    /// The last complaint; empty where there was none.
    pub fn last_complaint(&self) -> &str {
        self.complaints.last().map_or("", String::as_str)
    }

    /// What a request for a sandbox answered; `None` where nobody asked, or where another machine would have
    /// answered otherwise.
    pub fn sandbox(&self, handler: &str) -> Option<&str> {
        self.sandboxes.get(handler).map(String::as_str).filter(|answer| !answer.starts_with(NOT_JUDGED))
    }
}

/// The value at a path that is written as TOML writes keys.
fn at_path<'t>(top: &'t Table, path: &str) -> Option<&'t Node> {
    let path = key_path(path)?;
    let (first, rest) = path.split_first()?;
    rest.iter().try_fold(top.get(first)?, |value, key| value.table()?.get(key))
}
