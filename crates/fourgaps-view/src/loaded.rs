//! What the running process holds: the third of the four layers, and how it answers a request for a sandbox.
//! The text is TOML with the keys of the recordings' `live.toml`.

use crate::{HandlerRow, Places};
use fourgaps_base::Files;
use fourgaps_base::map_of;
use fourgaps_config::daemon::{Condition, DaemonRun, Machine, PluginState, SandboxAnswer, start_on};
use fourgaps_config::{Request, Version};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The handlers that every recorded process was asked for; the first request names none.
pub const ASKED: [&str; 4] = ["runc", "nvidia", "nvidia-cdi", "kata"];

/// How a request without a handler is named.
const NO_HANDLER: &str = "(none)";

/// A containerd process that was started on a node's files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LoadedView {
    /// The containerd version.
    pub containerd: String,
    /// The main file.
    pub config: String,
    /// True where the process runs.
    pub booted: bool,
    /// Its exit status where it does not.
    pub exit: Option<i32>,
    /// Warnings and errors of its start; the last words of a process that ended come last.
    pub complaints: Vec<String>,
    /// The handlers that it has loaded, in name order; `None` where the CRI service does not answer.
    pub handlers: Option<Vec<HandlerRow>>,
    /// The name of the default handler.
    pub default_runtime_name: Option<String>,
    /// The sandbox image, where this version tells it.
    pub sandbox_image: Option<String>,
    /// Why `crictl info` gets no answer.
    pub info_error: Option<String>,
    /// The CRI plugins: type and name to `ok` or `error`.
    pub cri_plugins: BTreeMap<String, String>,
    /// The conditions that the CRI service reports, in its order.
    pub conditions: Vec<ConditionRow>,
    /// What requests for a sandbox get, in the order in which they are made.
    pub sandboxes: Vec<SandboxRow>,
}

/// A condition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ConditionRow {
    /// Its name.
    pub name: String,
    /// Whether it holds.
    pub holds: bool,
}

/// A request for a sandbox and its answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SandboxRow {
    /// The handler that was asked for; `(none)` where none was.
    pub handler: String,
    /// `created`, or what `crictl` says.
    pub answer: String,
}

impl LoadedView {
    /// Starts a process on a machine, and shows what it is.
    pub fn of(version: &Version, files: &dyn Files, main: &str, machine: &Machine) -> Self {
        let request = Request::new(version, files, main);
        Self::from_run(&request, &start_on(&request, machine))
    }

    /// Shows a process that was started already.
    pub fn from_run(request: &Request<'_>, run: &DaemonRun) -> Self {
        let places = Places::in_files(&run.files);
        let rows = |handlers: &Vec<_>| handlers.iter().map(|handler| places.handler(handler)).collect();
        let asked = std::iter::once(None).chain(ASKED.into_iter().map(Some));
        let asked = asked.filter(|_| run.booted());
        let sandbox = |handler: Option<&str>| SandboxRow {
            handler: handler.unwrap_or(NO_HANDLER).into(),
            answer: answer_text(&run.sandbox(handler)),
        };
        let condition =
            |condition: &Condition| ConditionRow { name: condition.name.into(), holds: condition.holds };
        let state = |plugin: &PluginState| {
            let state = if plugin.error.is_none() { "ok" } else { "error" };
            (format!("{} {}", plugin.plugin_type, plugin.id), state.into())
        };
        Self {
            containerd: request.version.name().into(),
            config: request.main.into(),
            booted: run.booted(),
            exit: run.exit,
            complaints: run.complaints.clone(),
            handlers: run.handlers.as_ref().map(rows),
            default_runtime_name: run.default_handler().map(String::from),
            sandbox_image: run.sandbox_image.clone(),
            info_error: run.no_answer.clone().filter(|_| run.booted()),
            cri_plugins: map_of(run.cri_plugins.iter().map(state)),
            conditions: run.conditions.iter().map(condition).collect(),
            sandboxes: asked.map(sandbox).collect(),
        }
    }

    /// The view as TOML, with the keys of a recording.
    pub fn text(&self) -> String {
        let mut out = String::new();
        self.write_text(&mut out).unwrap_or_default();
        out
    }

    fn write_text(&self, out: &mut String) -> std::fmt::Result {
        writeln!(out, "booted = {}", self.booted)?;
        if let Some(exit) = self.exit {
            writeln!(out, "exit = {exit}")?;
        }
        if let Some(handlers) = &self.handlers {
            let names: Vec<String> = handlers.iter().map(|handler| quoted(&handler.name)).collect();
            writeln!(out, "handlers = [{}]", names.join(", "))?;
        }
        let texts = [
            ("default_runtime_name", &self.default_runtime_name),
            ("sandbox_image", &self.sandbox_image),
            ("info_error", &self.info_error),
        ];
        for (key, text) in texts {
            if let Some(text) = text {
                writeln!(out, "{key} = {}", quoted(text))?;
            }
        }
        writeln!(out, "complaints = [")?;
        for line in &self.complaints {
            writeln!(out, "  {},", quoted(line))?;
        }
        writeln!(out, "]")?;
        let plugins = self.cri_plugins.iter().map(|(name, state)| (name.clone(), state.clone()));
        table(out, "cri_plugins", plugins.collect())?;
        let conditions = self.conditions.iter().map(|row| (row.name.clone(), row.holds.to_string()));
        table(out, "conditions", conditions.collect())?;
        let sandboxes = self.sandboxes.iter().map(|row| (row.handler.clone(), row.answer.clone()));
        table(out, "sandboxes", sandboxes.collect())
    }
}

fn table(out: &mut String, name: &str, rows: Vec<(String, String)>) -> std::fmt::Result {
    if rows.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n[{name}]")?;
    rows.iter().try_for_each(|(key, value)| writeln!(out, "{} = {}", quoted(key), quoted(value)))
}

/// The answer in one line: what `crictl` says, or in brackets why that is not known.
fn answer_text(answer: &SandboxAnswer) -> String {
    match answer {
        SandboxAnswer::Created { .. } => "created".into(),
        SandboxAnswer::Refused(why) => why.clone(),
        SandboxAnswer::NotSimulated(why) => format!("(not simulated: {why})"),
    }
}

/// A TOML string.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if u32::from(c) < 32 || c == '\u{7f}' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
