//! The journal of the unit: what systemd logs of it, and what its containerd processes log.

use super::{DESCRIPTION, UNIT};
use crate::containerd::{Took, stop_log, written};
use crate::{Stamp, moment};
use fourgaps_config::daemon::LogLine;
use fourgaps_config::tools::Tools;
use fourgaps_node::{End, Node, Said, UnitEvent};

/// A line of the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// When, in ms since 1970.
    pub unix_ms: u64,
    /// Which boot of the machine it is of, from 0.
    pub boot: u32,
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
    let mut pages = Pages { lines: Vec::new(), unix_ms: 0, boot: 0 };
    // What a process that somebody started by hand writes goes to a terminal.
    let (mut starting, mut of_unit) = (false, Vec::new());
    let mut entries = node.journal().iter().peekable();
    while let Some(entry) = entries.next() {
        pages.unix_ms = epoch_ms + entry.at_ms;
        match &entry.said {
            Said::Systemd(event) => {
                starting = *event == UnitEvent::Starting;
                pages.systemd(*event);
            }
            Said::Boot(process) if starting => {
                of_unit.push(process.pid);
                pages.containerd(process.pid, &process.forgetting().run().log);
            }
            Said::Stop(process) if of_unit.contains(&process.pid) => {
                // A machine that goes down stops its units first.
                let goes_down = entries.peek().is_some_and(|next| next.said == Said::WentDown);
                if goes_down {
                    pages.systemd(UnitEvent::Stopping);
                }
                if process.forgetting().run().handlers.is_some() {
                    pages.containerd(process.pid, &stop_log(tools));
                }
                if goes_down {
                    pages.systemd(UnitEvent::Deactivated);
                    pages.systemd(UnitEvent::Stopped);
                }
            }
            Said::CameUp => pages.boot += 1,
            Said::Boot(_) | Said::Stop(_) | Said::WentDown | Said::K3s(_) => {}
        }
    }
    pages.lines
}

/// The journal while it is written.
struct Pages {
    lines: Vec<Line>,
    unix_ms: u64,
    boot: u32,
}

impl Pages {
    fn line(&mut self, by: String, text: String) {
        self.lines.push(Line { unix_ms: self.unix_ms, boot: self.boot, by, text });
    }

    fn systemd(&mut self, event: UnitEvent) {
        for text in systemd_texts(event) {
            self.line("systemd[1]".into(), text);
        }
    }

    fn containerd(&mut self, pid: u32, log: &[LogLine]) {
        let stamp = Stamp { unix_ms: self.unix_ms, pid };
        for line in log {
            let text = written(line, &stamp, Took::USUAL);
            self.line(format!("containerd[{pid}]"), text.trim_end_matches('\n').into());
        }
    }
}

/// Lines as `journalctl` prints them.
pub fn journal_text<'l>(lines: impl IntoIterator<Item = &'l Line>, host: &str, form: Form) -> String {
    let mut out = String::new();
    for Line { unix_ms, by, text, .. } in lines {
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

/// The line with which `journalctl` begins another boot.
pub fn boot_line(host: &str, boot: u32) -> String {
    format!("-- Boot {} --\n", crate::drawn::id128(host, u64::from(boot) + 1))
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
