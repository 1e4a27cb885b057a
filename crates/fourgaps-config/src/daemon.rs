//! The daemon: what a containerd process is that was started on a node's files, or why there is none.
//!
//! A process reads its files once, at start; this room says what it then holds in memory and how it answers.
//! Source of the rules: the recordings (`live.toml`), and the public source of each version: `cmd/containerd`,
//! `services/server` or `cmd/containerd/server`, and the CRI plugins.

mod conditions;
mod data;
mod go_net;
mod log;
mod machine;
mod outcome;
mod plugins;
pub(crate) mod raw;
mod sandbox;
mod spec;
mod start;
mod steps;
#[cfg(test)]
mod tests;

use crate::load::Request;
use crate::run::{EmptyPattern, Fault, Handler, Hidden, LoadedFile, Unread};
use crate::toml::Node;
use plugins::{Met, State};
use sandbox::Sandboxes;
use start::Start;
use std::collections::BTreeSet;

pub use crate::toml::go_text::quote;
pub(crate) use data::DaemonRules;
pub use log::{LineForm, LogLine, value as log_value};
pub use machine::Machine;
pub use sandbox::SandboxAnswer;

/// The path that a process reads without being told so; that it is missing is no fault.
pub const DEFAULT_MAIN: &str = "/etc/containerd/config.toml";

/// A process that was started: what it holds in memory, or how it ended.
#[derive(Clone, Debug, PartialEq)]
pub struct DaemonRun {
    /// The exit status; `None` while the process runs.
    pub exit: Option<i32>,
    /// Everything that it writes to its log, in order; of a process that ended, its last words too.
    pub log: Vec<LogLine>,
    /// Its warnings and errors, in order; of a process that ended, its last words too.
    ///
    /// Lines about snapshotters and networks that the recording machine lacks are left out, as in the recordings.
    pub complaints: Vec<String>,
    /// The handlers that it has loaded, in name order; `None` where the CRI service does not answer.
    pub handlers: Option<Vec<Handler>>,
    /// The sandbox image that `crictl info` tells, where this version tells one.
    pub sandbox_image: Option<String>,
    /// Why `crictl` gets no answer.
    pub no_answer: Option<String>,
    /// The CRI plugins and how they fared.
    pub cri_plugins: Vec<PluginState>,
    /// Every plugin that it tells of, in the order in which it met them; none where nothing tells it.
    pub plugins: Vec<PluginState>,
    /// The section of the CRI plugin as the process holds it; `None` where the CRI service does not answer.
    pub cri_section: Option<Node>,
    /// Its folder for data that outlives it.
    pub root: String,
    /// Its folder for transient data.
    pub state: String,
    /// The image of its sandboxes.
    pub image: String,
    /// The snapshotter of its sandboxes, where their handler names none.
    pub snapshotter: String,
    /// The socket that it serves.
    pub socket: String,
    found: bool,
    counted: BTreeSet<String>,
    /// The conditions that the CRI service reports.
    pub conditions: Vec<Condition>,
    /// Deprecated things that were met, by their names.
    pub deprecations: BTreeSet<String>,
    /// The files in the order in which they were read.
    pub files: Vec<LoadedFile>,
    /// Values that were written and then lost to another file.
    pub hidden: Vec<Hidden>,
    /// Values that were written and that this version does not read.
    pub unread: Vec<Unread>,
    /// Patterns in `imports` that no file matches.
    pub matched_nothing: Vec<EmptyPattern>,
    /// Where the process stopped, if it did.
    pub fault: Option<Fault>,
    sandboxes: Sandboxes,
}

/// How a plugin fared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PluginState {
    /// Its type, for example `io.containerd.grpc.v1`.
    pub plugin_type: String,
    /// Its name, for example `cri`.
    pub id: String,
    /// Why it does not run; `None` where it does.
    pub error: Option<String>,
    /// True where it did not want to run, which is no failure.
    pub skipped: bool,
    /// The platforms that it says it is for.
    pub platforms: Vec<String>,
}

impl PluginState {
    fn of(met: &Met) -> Self {
        let (plugin_type, id) = met.uri.rsplit_once('.').unwrap_or_default();
        Self {
            plugin_type: plugin_type.into(),
            id: id.into(),
            error: met.state.error().map(String::from),
            skipped: matches!(met.state, State::Skipped(_)),
            platforms: met.platforms.clone(),
        }
    }
}

/// A condition that the CRI service reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// Its name.
    pub name: &'static str,
    /// Whether it holds.
    pub holds: bool,
}

impl DaemonRun {
    /// True where the process runs.
    pub fn booted(&self) -> bool {
        self.exit.is_none()
    }

    /// The deprecated things that the CRI service tells of, by their names: those that nobody said to ignore.
    pub fn counted_deprecations(&self) -> &BTreeSet<String> {
        &self.counted
    }

    /// True where its tools find it: it serves the socket at which they look.
    pub fn is_found(&self) -> bool {
        self.found
    }

    /// The name of the default handler, where the CRI service answers.
    pub fn default_handler(&self) -> Option<&str> {
        self.handlers.as_ref().map(|_| self.sandboxes.default_handler())
    }

    /// True where the shim and the program of a handler are there, so that they can be asked what they can do.
    pub fn is_runnable(&self, handler: &str) -> bool {
        self.sandboxes.is_runnable(handler)
    }

    /// What a request for a new sandbox gets: with the handler of a RuntimeClass, or without one.
    pub fn sandbox(&self, handler: Option<&str>) -> SandboxAnswer {
        self.sandboxes.answer(handler, None)
    }

    /// What such a request gets later, when other OCI programs may be there: `has` is asked for one by name or path.
    pub fn sandbox_now(&self, handler: Option<&str>, has: &dyn Fn(&str) -> bool) -> SandboxAnswer {
        self.sandboxes.answer(handler, Some(has))
    }
}

/// Starts a process on the machine of the recordings.
///
/// The main file may be missing if it is [`DEFAULT_MAIN`]: the process then runs on its defaults.
pub fn start(request: &Request<'_>) -> DaemonRun {
    start_on(request, &Machine::recorded())
}

/// Starts a process on a machine.
pub fn start_on(request: &Request<'_>, machine: &Machine) -> DaemonRun {
    let mut start = Start::new(request, machine);
    let ended = start.run();
    start.into_run(ended)
}

/// Fills the names in braces into a text of `daemon.toml`.
fn fill(words: &str, names: &[(&str, &str)]) -> String {
    let mut out = String::with_capacity(words.len());
    let mut rest = words;
    while let Some(start) = rest.find('{') {
        let (before, from) = rest.split_at(start);
        out.push_str(before);
        let known = from.find('}').and_then(|end| {
            let name = &from[1..end];
            let value = names.iter().find(|(key, _)| *key == name)?.1;
            Some((value, end + 1))
        });
        let (text, taken) = known.unwrap_or(("{", 1));
        out.push_str(text);
        rest = &from[taken..];
    }
    out + rest
}
