//! A line of a program's log.

use fourgaps_config::daemon::log_value;
use std::fmt;

/// How grave a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// `info`.
    Info,
    /// `warning`.
    Warning,
    /// `error`.
    Error,
    /// `fatal`.
    Fatal,
    /// No log line: plain output.
    Plain,
}

/// A line, without its time stamp.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLine {
    /// How grave it is.
    pub level: Level,
    /// What it says.
    pub msg: String,
}

impl LogLine {
    pub(crate) fn new(level: Level, msg: impl Into<String>) -> Self {
        Self { level, msg: msg.into() }
    }
}

impl fmt::Display for LogLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let level = match self.level {
            Level::Info => "info",
            Level::Warning => "warning",
            Level::Error => "error",
            Level::Fatal => "fatal",
            Level::Plain => return write!(f, "{}", self.msg),
        };
        write!(f, "level={level} msg={}", log_value(&self.msg))
    }
}
