//! The log of a process: its level, and how a line is written.
//! Source of the rules: the recordings' complaints, and the public library that 1.6 to 2.3 write their log with.

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
        Some(match name.to_lowercase().as_str() {
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

/// The warnings and errors of a process so far.
///
/// Lines that are less grave than a warning are not kept, and no line is kept once the log is written as JSON:
/// no recording says what such a line looks like.
#[derive(Clone, Debug)]
pub(crate) struct Log {
    lines: Vec<String>,
    most: Level,
    json: bool,
}

impl Log {
    pub fn new() -> Self {
        Self { lines: Vec::new(), most: Level::Warning, json: false }
    }

    /// From now on only lines of this level or graver are written.
    pub fn set_level(&mut self, level: Level) {
        self.most = level.min(Level::Warning);
    }

    /// From now on lines are JSON.
    pub fn set_json(&mut self) {
        self.json = true;
    }

    /// Writes a line; its fields follow in byte order.
    pub fn line(&mut self, level: Level, msg: &str, fields: &BTreeMap<String, String>) {
        if level > self.most || self.json {
            return;
        }
        let name =
            if level == Level::Warning { "warning".into() } else { format!("{level:?}").to_lowercase() };
        let mut text = format!("level={name} msg={}", value(msg));
        for (key, field) in fields {
            text.push_str(&format!(" {key}={}", value(field)));
        }
        self.lines.push(text);
    }

    /// Takes lines that are written already.
    pub fn take(&mut self, lines: &mut Vec<String>) {
        for line in lines.drain(..) {
            let level = line.strip_prefix("level=").and_then(|rest| Level::named(rest.split(' ').next()?));
            match level {
                Some(level) if level > self.most || self.json => {}
                _ => self.lines.push(line),
            }
        }
    }

    /// Writes a line that is no log line.
    pub fn plain(&mut self, text: &str) {
        self.lines.extend(text.split('\n').map(String::from));
    }

    pub fn into_lines(self) -> Vec<String> {
        self.lines
    }
}

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
        log.line(Level::Warning, "plain-word", &fields);
        log.line(Level::Info, "not kept", &fields);
        log.line(Level::Error, "grave", &BTreeMap::new());
        log.take(&mut vec!["level=warning msg=taken".into(), "containerd: last words".into()]);
        assert_eq!(log.into_lines(), wanted);
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
