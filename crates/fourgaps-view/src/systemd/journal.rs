//! The journal of the unit: what systemd logs of it, and what its containerd processes log.

use super::{DESCRIPTION, UNIT};
use crate::containerd::{Took, stop_log, written};
use crate::{Stamp, moment};
use fourgaps_config::tools::Tools;
use fourgaps_node::{End, Node, Process, Said, UnitEvent};

/// A line of the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// When, in ms since 1970.
    pub unix_ms: u64,
    /// Who: `systemd[1]`.
    pub by: String,
    /// What.
    pub text: String,
}

/// How a line is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `Mar 02 00:00:05 omen systemd[1]: …`
    Short,
    /// The same with `Mar 02 00:00:05.000000`.
    ShortPrecise,
    /// The same with `Mon 2026-03-02 00:00:05 UTC`.
    ShortFull,
    /// The same with `2026-03-02T00:00:05+0000`.
    ShortIso,
    /// The message alone.
    Cat,
}

impl Form {
    /// The form of a name of `journalctl -o`, where it is one that is known here.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "short" => Self::Short,
            "short-precise" => Self::ShortPrecise,
            "short-full" => Self::ShortFull,
            "short-iso" => Self::ShortIso,
            "cat" => Self::Cat,
            _ => return None,
        })
    }
}

/// The lines of the unit, oldest first. `epoch_ms` is when the scenario began, in ms since 1970.
pub fn journal(node: &Node, tools: &Tools, epoch_ms: u64) -> Vec<Line> {
    let mut lines = Vec::new();
    // What a process that somebody started by hand writes goes to a terminal.
    let (mut starting, mut of_unit) = (false, Vec::new());
    for entry in node.journal() {
        let unix_ms = epoch_ms + entry.at_ms;
        let says = |process: &Process, log: &[fourgaps_config::daemon::LogLine]| {
            let stamp = Stamp { unix_ms, pid: process.pid };
            let by = format!("containerd[{}]", process.pid);
            let texts = log.iter().map(|line| written(line, &stamp, Took::USUAL));
            let texts = texts.map(|text| text.trim_end_matches('\n').to_string());
            texts.map(|text| Line { unix_ms, by: by.clone(), text }).collect::<Vec<_>>()
        };
        match &entry.said {
            Said::Systemd(event) => {
                starting = *event == UnitEvent::Starting;
                let texts = systemd_texts(*event).into_iter();
                lines.extend(texts.map(|text| Line { unix_ms, by: "systemd[1]".into(), text }));
            }
            Said::Boot(process) if starting => {
                of_unit.push(process.pid);
                lines.extend(says(process, &process.run().log));
            }
            Said::Stop(process) if of_unit.contains(&process.pid) && process.run().handlers.is_some() => {
                lines.extend(says(process, &stop_log(tools)));
            }
            Said::Boot(_) | Said::Stop(_) => {}
        }
    }
    lines
}

/// Lines as `journalctl` prints them.
pub fn journal_text<'l>(lines: impl IntoIterator<Item = &'l Line>, host: &str, form: Form) -> String {
    let mut out = String::new();
    for Line { unix_ms, by, text } in lines {
        let when = match form {
            Form::Short => moment::syslog(*unix_ms),
            Form::ShortPrecise => moment::syslog_micros(*unix_ms),
            Form::ShortFull => moment::with_weekday(*unix_ms),
            Form::ShortIso => moment::iso(*unix_ms),
            Form::Cat => {
                out.push_str(&format!("{text}\n"));
                continue;
            }
        };
        out.push_str(&format!("{when} {host} {by}: {text}\n"));
    }
    out
}

fn systemd_texts(event: UnitEvent) -> Vec<String> {
    let named = |verb: &str| format!("{verb} {UNIT} - {DESCRIPTION}");
    let of_unit = |text: String| format!("{UNIT}: {text}");
    let text = match event {
        UnitEvent::Starting => named("Starting") + "...",
        UnitEvent::Started => named("Started") + ".",
        UnitEvent::Stopping => named("Stopping") + "...",
        UnitEvent::Stopped => named("Stopped") + ".",
        UnitEvent::StartFailed => named("Failed to start") + ".",
        UnitEvent::MainExited(end) => of_unit(format!("Main process exited, code={}", exited(end))),
        UnitEvent::Deactivated => of_unit("Deactivated successfully.".into()),
        UnitEvent::Failed(result) => of_unit(format!("Failed with result '{}'.", result.word())),
        UnitEvent::RestartScheduled(count) => {
            of_unit(format!("Scheduled restart job, restart counter is at {count}."))
        }
        UnitEvent::TooQuick => of_unit("Start request repeated too quickly.".into()),
        UnitEvent::LeftOver(pid) => {
            let found = format!(
                "Found left-over process {pid} (containerd-shim) in control group while starting unit. Ignoring."
            );
            let why = "This usually indicates unclean termination of a previous run, \
                       or service implementation deficiencies.";
            return vec![of_unit(found), of_unit(why.into())];
        }
        UnitEvent::Remains(pid) => {
            of_unit(format!("Unit process {pid} (containerd-shim) remains running after unit stopped."))
        }
    };
    vec![text]
}

/// An end in the words of the log, which has a name for more statuses than `systemctl` has.
fn exited(end: End) -> String {
    match end {
        End::Exited(status) => {
            let name = match status {
                0 => "SUCCESS",
                1 => "FAILURE",
                2 => "INVALIDARGUMENT",
                3 => "NOTIMPLEMENTED",
                4 => "NOPERMISSION",
                5 => "NOTINSTALLED",
                6 => "NOTCONFIGURED",
                7 => "NOTRUNNING",
                _ => "n/a",
            };
            format!("exited, status={status}/{name}")
        }
        End::Killed(signal) => format!("killed, status={}/{}", signal.number(), signal.name()),
    }
}
