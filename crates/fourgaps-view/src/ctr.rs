//! What the program `ctr` prints.
//! Source: the recordings (`texts`), and `cmd/ctr` of each version.

use crate::columns::Columns;
use crate::{Asked, Printed};
use fourgaps_config::daemon::{DaemonRun, log_value};

/// The process, where it answers; else what is said instead.
///
/// `None` where the answer has no recording: the process runs without the plugin that answers.
fn answering<'a>(asked: &Asked<'a>) -> Option<Result<&'a DaemonRun, Printed>> {
    match asked.daemon {
        Some(run) if run.booted() && run.is_found() => (!run.plugins.is_empty()).then_some(Ok(run)),
        // No recording shows a socket that nobody listens on.
        None if asked.dial != Asked::NO_SOCKET => None,
        _ => Some(Err(alone(asked))),
    }
}

fn alone(asked: &Asked<'_>) -> Printed {
    let line = |line: &String| match line.starts_with("level=") {
        true => asked.stamp.log_nanos(line),
        false => format!("{line}\n"),
    };
    Printed { stderr: asked.tools.ctr_alone.iter().map(line).collect(), exit: 1, ..Printed::default() }
}

/// What is written to standard error before every answer: the deprecated things that the process met.
fn warnings(asked: &Asked<'_>, run: &DaemonRun) -> String {
    let words = run.deprecations.iter().filter_map(|name| asked.tools.deprecations.get(name));
    let line = |words: &String| {
        asked.stamp.log_nanos(&format!("level=warning msg={}", log_value(&format!("DEPRECATION: {words}"))))
    };
    words.map(line).collect()
}

/// `ctr plugins ls`; nothing where the answer has no recording.
pub fn plugins(asked: &Asked<'_>) -> Option<Printed> {
    let run = match answering(asked)? {
        Ok(run) => run,
        Err(alone) => return Some(alone),
    };
    let head = ["TYPE", "ID", "PLATFORMS", "STATUS"].map(String::from).to_vec();
    let rows = run.plugins.iter().map(|plugin| {
        let platforms = if plugin.platforms.is_empty() { "-".into() } else { plugin.platforms.join(",") };
        // The words of an error are all that reaches the client.
        let status = match &plugin.error {
            None => "ok",
            Some(why) if why.contains("skip plugin") => "skip",
            Some(_) => "error",
        };
        vec![plugin.plugin_type.clone(), plugin.id.clone(), platforms, status.into()]
    });
    let rows: Vec<Vec<String>> = [head].into_iter().chain(rows).collect();
    let stdout = Columns { least: 4, padding: 4, last_too: true }.set(&rows);
    Some(Printed { stdout, stderr: warnings(asked, run), exit: 0 })
}

/// The UUID of a root folder on a machine of this name: random on a real one.
pub fn root_uuid(machine: &str) -> String {
    crate::drawn::uuid(machine, 0)
}

/// `ctr version`, with the UUID of the process's root folder; nothing where the answer has no recording.
pub fn version(asked: &Asked<'_>, uuid: &str) -> Option<Printed> {
    let run = match answering(asked)? {
        Ok(run) => run,
        Err(alone) => return Some(alone),
    };
    let (name, go) = (asked.version.name(), &asked.tools.go);
    let stdout = format!(
        "Client:\n  Version:  v{name}\n  Revision: \n  Go version: {go}\n\n\
         Server:\n  Version:  v{name}\n  Revision: \n  UUID: {uuid}\n"
    );
    Some(Printed { stdout, stderr: warnings(asked, run), exit: 0 })
}
