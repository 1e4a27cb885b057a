//! What the program `containerd` prints: its version, its defaults, a migrated configuration, and its log.
//! Source: the recordings (`texts`), and `cmd/containerd` of each version.

use crate::{Printed, Stamp};
use fourgaps_config::daemon::{LineForm, LogLine};
use fourgaps_config::tools::Tools;
use fourgaps_config::{DumpRun, Request, Version, defaults, dump, duration, migrate};

/// `containerd --version`; the revision of a plain build is empty.
pub fn version(version: &Version, tools: &Tools) -> Printed {
    Printed::ok(format!("containerd {} v{} \n", tools.module, version.name()))
}

/// `containerd config default`
pub fn config_default(version: &Version) -> Printed {
    Printed::ok(text_of(&defaults(version)))
}

/// `containerd config migrate`; 1.x knows no such command.
pub fn config_migrate(request: &Request<'_>, stamp: &Stamp, took: Took) -> Printed {
    match migrate(request) {
        Some(run) => printed(&run, stamp, took),
        None => Printed::fail(3, "No help topic for 'migrate'"),
    }
}

/// `containerd config dump`
pub fn config_dump(request: &Request<'_>, stamp: &Stamp, took: Took) -> Printed {
    printed(&dump(request), stamp, took)
}

fn printed(run: &DumpRun, stamp: &Stamp, took: Took) -> Printed {
    let stderr = run.stderr.iter().map(|line| written(&LogLine::new(line), stamp, took)).collect();
    Printed { stdout: text_of(&run.lines), stderr, exit: run.exit }
}

fn text_of(lines: &[fourgaps_config::toml::Line]) -> String {
    lines.iter().flat_map(|line| [line.text.as_str(), "\n"]).collect()
}

/// What a start measures and its log tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Took {
    /// Nanoseconds that bringing a configuration to the newest version took.
    pub migration_ns: u32,
    /// Microseconds from the first to the last line of a start.
    pub boot_us: u64,
}

impl Took {
    /// What every start takes where nothing else is said: times are no result of a simulation. That of the migration
    /// is the one of a recording (`texts/2.2.5/boot-log.txt`).
    pub const USUAL: Self = Self { migration_ns: 8_233, boot_us: 417_476 };
}

/// A line of the log as the process writes it, with its end.
pub fn written(line: &LogLine, stamp: &Stamp, took: Took) -> String {
    let text = body(line, took);
    if line.form == LineForm::Plain { format!("{text}\n") } else { stamp.log_nanos(&text) }
}

/// The same without its time stamp and end, for a journal that has its own.
pub fn body(line: &LogLine, took: Took) -> String {
    match line.form {
        LineForm::Plain => line.text.clone(),
        LineForm::Timed => {
            format!("{} t=\"{}\"", line.text, duration::show(i64::from(took.migration_ns)))
        }
        LineForm::Stamped => {
            let (seconds, us) = (took.boot_us / 1_000_000, took.boot_us % 1_000_000);
            line.text.replace("{seconds}", &format!("{seconds}.{us:06}"))
        }
    }
}

/// What the log tells of a process that ends on SIGTERM, where its CRI service ran.
pub fn stop_log(tools: &Tools) -> Vec<LogLine> {
    tools.stopped.iter().map(|line| LogLine::new(line)).collect()
}

/// The last lines that the log tells of a sandbox that is removed; the recordings hold no more of them.
pub fn removed_log(tools: &Tools, id: &str) -> Vec<LogLine> {
    tools.removed.iter().map(|line| LogLine::new(&line.replace("{id}", id))).collect()
}
