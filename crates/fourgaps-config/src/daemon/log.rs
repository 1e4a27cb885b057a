//! The log of a process: its level, and how a line is written.
//! Source of the rules: the recordings' boot logs and complaints, and the public library that 1.6 to 2.3 write their log with.

use crate::toml::go_text::quote;
use std::collections::BTreeMap;

/// How grave a line is, gravest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    Panic,
    Fatal,
    Error,
    Warning,
    Info,
    Debug,
    Trace,
}

impl Level {
    /// The level of this name, in small or capital letters.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name.to_ascii_lowercase().as_str() {
            "panic" => Self::Panic,
            "fatal" => Self::Fatal,
            "error" => Self::Error,
            "warn" | "warning" => Self::Warning,
            "info" => Self::Info,
            "debug" => Self::Debug,
            "trace" => Self::Trace,
            _ => return None,
        })
    }
}

/// A line of a process's log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLine {
    /// The line without its time stamp: `level=info msg="…"` and its fields.
    pub text: String,
    /// What the process writes around the text.
    pub form: LineForm,
    /// True where the recordings' complaints leave it out: absent snapshotters and networks.
    pub(crate) quiet: bool,
}

/// What a process writes around the text of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineForm {
    /// The time stamp before it.
    Stamped,
    /// The time stamp before it, and ` t=` with the time that the step took behind it.
    Timed,
    /// Nothing: its last words are no log line.
    Plain,
}

impl LogLine {
    /// A line that is written already, without its time stamp.
    pub fn new(text: &str) -> Self {
        let form = match text {
            text if text.contains(MIGRATED) => LineForm::Timed,
            text if text.starts_with("level=") => LineForm::Stamped,
            _ => LineForm::Plain,
        };
        Self { text: text.into(), form, quiet: false }
    }

    fn level(&self) -> Option<Level> {
        self.text.strip_prefix("level=").and_then(|rest| Level::named(rest.split(' ').next()?))
    }

    /// True for warnings and worse, and for last words.
    pub(crate) fn complains(&self) -> bool {
        !self.quiet && (self.form == LineForm::Plain || self.level().is_none_or(|l| l <= Level::Warning))
    }
}

/// What a process has written so far.
///
/// Lines that are less grave than `info` are not kept, and no line is kept once the log is written as JSON:
/// no recording says what such a line looks like.
#[derive(Clone, Debug)]
pub(crate) struct Log {
    lines: Vec<LogLine>,
    most: Level,
    json: bool,
}

impl Log {
    pub fn new() -> Self {
        Self { lines: Vec::new(), most: Level::Info, json: false }
    }

    /// From now on only lines of this level or graver are written.
    pub fn set_level(&mut self, level: Level) {
        self.most = level.min(Level::Info);
    }

    /// From now on lines are JSON.
    pub fn set_json(&mut self) {
        self.json = true;
    }

    /// Writes a line; its fields follow in byte order.
    pub fn line(&mut self, level: Level, msg: &str, fields: &BTreeMap<String, String>, quiet: bool) {
        let name = if level == Level::Warning {
            "warning".into()
        } else {
            format!("{level:?}").to_ascii_lowercase()
        };
        let mut text = format!("level={name} msg={}", value(msg));
        for (key, field) in fields {
            text.push_str(&format!(" {key}={}", value(field)));
        }
        self.push(LogLine { text, form: LineForm::Stamped, quiet });
    }

    /// Takes lines that are written already.
    pub fn take(&mut self, lines: &mut Vec<String>) {
        lines.drain(..).for_each(|text| self.push(LogLine::new(&text)));
    }

    fn push(&mut self, line: LogLine) {
        let kept = line.level().is_none_or(|level| level <= self.most && !self.json);
        self.lines.extend(Some(line).filter(|_| kept));
    }

    /// Writes what is no log line.
    pub fn plain(&mut self, text: &str) {
        let plain = |text: &str| LogLine { form: LineForm::Plain, ..LogLine::new(text) };
        self.lines.extend(text.split('\n').map(plain));
    }

    pub fn into_lines(self) -> Vec<LogLine> {
        self.lines
    }
}

/// The one line that says how long its step took.
pub(crate) const MIGRATED: &str = "msg=\"Configuration migrated from version ";

/// A value in a log line: quoted where it holds anything but plain characters.
pub fn value(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_' | '/' | '@' | '^' | '+');
    if text.chars().all(plain) { text.into() } else { quote(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(level: Option<&str>, wanted: &[&str]) {
        let mut log = Log::new();
        if let Some(level) = level.and_then(Level::named) {
            log.set_level(level);
        }
        let fields = BTreeMap::from([("error".to_string(), "a \"b\"".to_string())]);
        log.line(Level::Warning, "plain-word", &fields, false);
        log.line(Level::Warning, "absent", &fields, true);
        log.line(Level::Info, "told", &fields, false);
        log.line(Level::Debug, "not kept", &fields, false);
        log.line(Level::Error, "grave", &BTreeMap::new(), false);
        log.take(&mut vec!["level=warning msg=taken".into(), "containerd: last words".into()]);
        let lines = log.into_lines();
        let complaints: Vec<&str> =
            lines.iter().filter(|line| line.complains()).map(|line| line.text.as_str()).collect();
        assert_eq!(complaints, wanted);
        assert!(!lines.iter().any(|line| line.text.contains("not kept")));
        let told = lines.iter().any(|line| line.text.contains("msg=told"));
        assert_eq!(told, level.is_none_or(|level| ["Debug", "loud"].contains(&level)));
    }

    #[test]
    fn a_level_hides_what_is_less_grave() {
        let warning = "level=warning msg=plain-word error=\"a \\\"b\\\"\"";
        let (grave, taken, last) =
            ("level=error msg=grave", "level=warning msg=taken", "containerd: last words");
        check(None, &[warning, grave, taken, last]);
        check(Some("Debug"), &[warning, grave, taken, last]);
        check(Some("ERROR"), &[grave, last]);
        check(Some("fatal"), &[last]);
        check(Some("loud"), &[warning, grave, taken, last]);
    }
}
