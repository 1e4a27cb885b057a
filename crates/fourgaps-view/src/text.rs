//! The text of the views for a terminal. Colours are the host's: a [`Paint`] that does nothing gives plain text.

use crate::{AblateView, ExplainView, HiddenRow, LeaveOut, Source};
use std::fmt::Write;

/// How a host marks a piece of text.
pub trait Paint {
    /// A heading or a name.
    fn strong(&self, text: &str) -> String;
    /// Something beside the point: defaults, places.
    fn pale(&self, text: &str) -> String;
    /// Something that does not count, or that is wrong.
    fn alarm(&self, text: &str) -> String;
}

/// Text as it is.
pub struct Plain;

impl Paint for Plain {
    fn strong(&self, text: &str) -> String {
        text.into()
    }
    fn pale(&self, text: &str) -> String {
        text.into()
    }
    fn alarm(&self, text: &str) -> String {
        text.into()
    }
}

impl ExplainView {
    /// The view as text for people.
    pub fn text(&self, paint: &dyn Paint) -> String {
        let mut out = String::new();
        self.write_text(&mut out, paint).unwrap_or_default();
        out
    }

    /// True where another file lost a section to this one.
    fn owns(&self, path: &str, plugin: &str) -> bool {
        let lost = |row: &crate::PluginRow| row.plugin == plugin && row.replaced_by.as_deref() == Some(path);
        self.files.iter().flat_map(|file| &file.plugins).any(lost)
    }

    fn write_text(&self, out: &mut String, paint: &dyn Paint) -> std::fmt::Result {
        writeln!(
            out,
            "{}",
            paint.strong(&format!("Files, in the order in which containerd {} reads them", self.containerd))
        )?;
        for (n, file) in self.files.iter().enumerate() {
            let by = match (&file.imported_by, &file.pattern) {
                (Some(by), Some(pattern)) => format!("  imported by {by} as {pattern}"),
                _ => String::new(),
            };
            writeln!(out, "  {}. {}{}", n + 1, file.path, paint.pale(&by))?;
            for named in &file.plugins {
                match &named.replaced_by {
                    None if self.owns(&file.path, &named.plugin) => {
                        writeln!(out, "       owns {}", named.plugin)?
                    }
                    None => writeln!(out, "       names {}", named.plugin)?,
                    Some(owner) => {
                        let text = format!("names {}, replaced by {owner}", named.plugin);
                        writeln!(out, "       {}", paint.alarm(&text))?;
                    }
                }
            }
        }
        writeln!(out, "\n{}", paint.strong("Handlers at the next start"))?;
        if self.handlers.is_empty() {
            writeln!(out, "  none")?;
        }
        for handler in &self.handlers {
            let default = if handler.is_default { "  (default handler)" } else { "" };
            let binary = if handler.binary_name.is_empty() {
                String::new()
            } else {
                format!("  {}", handler.binary_name)
            };
            let from = paint.pale(&from(handler.source.as_ref()));
            writeln!(out, "  {}{default}{binary}  {from}", handler.name)?;
        }
        if let Some(started) = &self.started {
            writeln!(out, "\n{}", paint.strong("What a started daemon would load"))?;
            match (&started.handlers, &started.words) {
                (Some(handlers), _) => writeln!(out, "  {}", handlers.join(", "))?,
                (None, words) => {
                    let words = words.as_deref().unwrap_or("no answer");
                    writeln!(out, "  {}", paint.alarm(words))?;
                }
            }
        }
        writeln!(out, "\n{}", paint.strong("Values that somebody set"))?;
        if self.values.is_empty() {
            writeln!(out, "  none: everything is a default")?;
        }
        for value in &self.values {
            writeln!(out, "  {} = {}  {}", value.key, value.value, paint.pale(&from(value.source.as_ref())))?;
            for hidden in &value.hides {
                writeln!(out, "      {}", paint.alarm(&hides(hidden)))?;
            }
        }
        if !self.lost.is_empty() {
            writeln!(out, "\n{}", paint.strong("Values that were written and do not count"))?;
            for row in &self.lost {
                let text = format!("{} = {}  {}: {}", row.key, row.value, row.source, row.rule);
                writeln!(out, "  {}", paint.alarm(&text))?;
            }
        }
        if !self.surprises.is_empty() {
            writeln!(out, "\n{}", paint.strong("What may surprise you"))?;
            for surprise in &self.surprises {
                let at = surprise.source.as_ref().map(|s| format!("  {s}")).unwrap_or_default();
                writeln!(out, "  - {}{}", surprise.text, paint.pale(&at))?;
            }
        }
        Ok(())
    }
}

fn from(source: Option<&Source>) -> String {
    source.map_or_else(|| "default".into(), |s| format!("from {s}"))
}

fn hides(hidden: &HiddenRow) -> String {
    format!("hides {} from {} ({})", hidden.value, hidden.source, hidden.rule)
}

impl AblateView {
    /// The table as text for people.
    pub fn text(&self, paint: &dyn Paint) -> String {
        let mut out = String::new();
        self.write_text(&mut out, paint).unwrap_or_default();
        out
    }

    fn write_text(&self, out: &mut String, paint: &dyn Paint) -> std::fmt::Result {
        let labels: Vec<String> = self.rows.iter().map(|row| label(&row.leave_out)).collect();
        let width = labels.iter().map(|l| l.chars().count()).max().unwrap_or(0).max(5);
        let count_width = self.counted.chars().count().max(5);
        let head = format!("{:width$}  {:>count_width$}  handlers", "files", self.counted);
        writeln!(out, "{}", paint.strong(&head))?;
        for (row, label) in self.rows.iter().zip(&labels) {
            let handlers = match &row.error {
                Some(error) => paint.alarm(&format!("refused: {error}")),
                None if row.handlers.is_empty() => paint.pale("none"),
                None => row.handlers.join(", "),
            };
            writeln!(out, "{label:width$}  {:>count_width$}  {handlers}", row.count)?;
        }
        Ok(())
    }
}

fn label(leave_out: &LeaveOut) -> String {
    match leave_out {
        LeaveOut::Nothing => "everything".into(),
        LeaveOut::Without(file) => format!("without {file}"),
        LeaveOut::Alone(file) => format!("only {file}"),
    }
}
