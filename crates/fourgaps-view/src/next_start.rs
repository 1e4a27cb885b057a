//! The next start: what a fresh process would load, line by line, each with its source.

use crate::{HandlerRow, HiddenRow, Source};
use serde::Serialize;

/// What the next start would load.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NextStartView {
    /// The containerd version.
    pub containerd: String,
    /// The main file.
    pub config: String,
    /// Exit status of the dump.
    pub exit: i32,
    /// Standard error, line by line, without time stamps.
    pub stderr: Vec<String>,
    /// The handlers in name order.
    pub handlers: Vec<HandlerRow>,
    /// The dump, line by line.
    pub dump: Vec<DumpLine>,
    /// Where the process stopped, if it did.
    pub fault: Option<FaultView>,
}

/// One line of the dump.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DumpLine {
    /// The text, byte for byte.
    pub text: String,
    /// The key of the value or table on this line, dotted and quoted as TOML; empty for a blank line.
    pub key: String,
    /// Where it was written; `None` for a default and for blank lines.
    pub source: Option<Source>,
    /// True where the line shows a value that nobody wrote.
    pub default: bool,
    /// What this value hides: what others wrote for the same key or section.
    pub hides: Vec<HiddenRow>,
}

/// Where and why the process stopped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FaultView {
    /// The file at fault.
    pub file: String,
    /// Line from 1, if the fault has a place.
    pub line: Option<u32>,
    /// Column from 1.
    pub column: Option<u32>,
    /// The message.
    pub message: String,
}

impl NextStartView {
    /// How many lines of the dump contain a text, as `grep -c -F` counts.
    pub fn count(&self, text: &str) -> usize {
        self.dump.iter().filter(|line| line.text.contains(text)).count()
    }
}
