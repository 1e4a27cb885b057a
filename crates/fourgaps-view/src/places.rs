//! From the engine's places to sources that people can open.

use crate::{HandlerRow, HiddenRow, Source};
use fourgaps_base::{FileId, Place};
use fourgaps_config::{DumpRun, Handler, Hidden, LoadedFile, Rule};

/// The files of one load, by number.
pub(crate) struct Places<'r> {
    files: &'r [LoadedFile],
}

impl<'r> Places<'r> {
    pub fn of(run: &'r DumpRun) -> Self {
        Self::in_files(&run.files)
    }

    /// The same for files that were loaded by anything.
    pub fn in_files(files: &'r [LoadedFile]) -> Self {
        Self { files }
    }

    /// The path of a file; `None` for a default.
    pub fn path(&self, id: FileId) -> Option<&'r str> {
        let at = usize::try_from(id.0.checked_sub(1)?).ok()?;
        self.files.get(at).map(|file| file.path.as_str())
    }

    /// Where to look; `None` for a default.
    pub fn source(&self, place: Place) -> Option<Source> {
        let file = self.path(place.file)?.to_string();
        Some(Source { file, line: place.pos.line, column: place.pos.column })
    }

    pub fn handler(&self, handler: &Handler) -> HandlerRow {
        HandlerRow {
            name: handler.name.clone(),
            runtime_type: handler.runtime_type.clone(),
            binary_name: handler.binary_name.clone(),
            source: self.source(handler.place),
            is_default: handler.is_default,
        }
    }

    pub fn hidden(&self, hidden: &Hidden) -> HiddenRow {
        let by = self.source(hidden.by);
        let winner = by.as_ref().map_or("a default", |s| file_name(&s.file));
        let (rule_code, rule, named_in) = match &hidden.rule {
            Rule::SectionReplaced { named_in, .. } => (
                "section-replaced",
                format!("section replaced by {winner}, 1 of {named_in} files that name this plugin"),
                Some(*named_in),
            ),
            Rule::EntryReplaced => ("entry-replaced", format!("entry replaced whole by {winner}"), None),
            Rule::LaterFile => ("later-file", format!("{winner} is read later"), None),
            Rule::ZeroDoesNotOverride => {
                ("zero-does-not-override", format!("a zero value does not override what {winner} says"), None)
            }
        };
        HiddenRow {
            key: crate::key_text(&hidden.path),
            value: hidden.value.clone(),
            source: self.source(hidden.place).unwrap_or_default(),
            by,
            rule,
            rule_code: rule_code.into(),
            named_in,
        }
    }
}

/// The last part of a path.
pub(crate) fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
