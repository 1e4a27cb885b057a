//! Colours, only where a person reads: standard output is a terminal and NO_COLOR is not set.

use fourgaps_view::{Paint, Plain};
use std::io::IsTerminal;

/// How to mark text on standard output.
pub fn for_stdout() -> &'static dyn Paint {
    let no_color = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty());
    if std::io::stdout().is_terminal() && !no_color { &Ansi } else { &Plain }
}

struct Ansi;

impl Paint for Ansi {
    fn strong(&self, text: &str) -> String {
        format!("\u{1b}[1m{text}\u{1b}[0m")
    }
    fn pale(&self, text: &str) -> String {
        if text.is_empty() { String::new() } else { format!("\u{1b}[2m{text}\u{1b}[0m") }
    }
    fn alarm(&self, text: &str) -> String {
        format!("\u{1b}[31m{text}\u{1b}[0m")
    }
}
