//! What a started daemon is, real or ours: the keys of `live.toml`, and the rule by which two are compared.

use crate::answer::MAIN;
use fourgaps_base::FileTree;
use fourgaps_config::Version;
use fourgaps_config::daemon::Machine;
use fourgaps_view::LoadedView;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::Command;
use std::{fs, str};
use toml::{Table, Value};

/// An answer that begins so depends on the recording machine and is not compared.
const UNJUDGED: &str = "(not judged";

/// A started daemon, as TOML.
#[derive(Clone, Debug, PartialEq)]
pub struct Live {
    keys: Table,
}

impl Live {
    /// Reads a recorded daemon: `live.toml` in a folder.
    ///
    /// # Errors
    /// Names the file that is missing or not understood.
    pub fn recorded(folder: &Path) -> io::Result<Self> {
        let file = folder.join("live.toml");
        let named = |error: &dyn std::fmt::Display| io::Error::other(format!("{}: {error}", file.display()));
        let text = fs::read_to_string(&file).map_err(|error| named(&error))?;
        Self::from_text(&text).map_err(|error| named(&error))
    }

    /// Asks our engine, in this process. One that panics answers nothing.
    pub fn of_engine(version: &Version, files: &FileTree) -> Self {
        let view = || LoadedView::of(version, files, MAIN, &Machine::recorded()).text();
        let text = catch_unwind(AssertUnwindSafe(view)).unwrap_or_default();
        Self::from_text(&text).unwrap_or(Self { keys: Table::new() })
    }

    /// Asks our program, as a person would. One that does not print TOML answers nothing.
    ///
    /// # Errors
    /// Says why the program cannot be started.
    pub fn of_program(program: &Path, version: &Version, rootfs: &Path) -> io::Result<Self> {
        let words = ["loaded", "--containerd", version.name(), "--root"];
        let output = Command::new(program).args(words).arg(rootfs).output();
        let output = output.map_err(|error| io::Error::other(format!("{}: {error}", program.display())))?;
        let text = str::from_utf8(&output.stdout).unwrap_or_default();
        Ok(Self::from_text(text).unwrap_or(Self { keys: Table::new() }))
    }

    fn from_text(text: &str) -> Result<Self, toml::de::Error> {
        Ok(Self { keys: toml::from_str(text)? })
    }

    /// Where this daemon of ours differs from a real one, in one line.
    ///
    /// Only what the recording says is compared: complaints and handlers without regard to their order, answers to
    /// sandbox requests without those that depend on the recording machine.
    pub fn differs(&self, real: &Self) -> Option<String> {
        for (key, wanted) in &real.keys {
            let wanted = judged(key, wanted, wanted);
            let ours = self.keys.get(key).map(|ours| judged(key, ours, &real.keys[key]));
            if ours.as_ref() != Some(&wanted) {
                let ours = ours.map_or_else(|| "nothing".into(), |ours| part(&ours));
                return Some(format!("{key}: {ours}, real {}", part(&wanted)));
            }
        }
        None
    }
}

/// The part of a value that is compared, given the real one.
fn judged(key: &str, value: &Value, real: &Value) -> Value {
    match (key, value, real) {
        ("complaints" | "handlers", Value::Array(list), _) => {
            let mut texts: Vec<&str> = list.iter().filter_map(Value::as_str).collect();
            texts.sort_unstable();
            Value::Array(texts.into_iter().map(Value::from).collect())
        }
        ("sandboxes", Value::Table(ours), Value::Table(real)) => {
            let counts = |handler: &str| {
                !real.get(handler).and_then(Value::as_str).is_some_and(|answer| answer.starts_with(UNJUDGED))
            };
            let kept = ours.iter().filter(|(handler, _)| counts(handler));
            Value::Table(kept.map(|(handler, answer)| (handler.clone(), answer.clone())).collect())
        }
        (_, value, _) => value.clone(),
    }
}

fn part(value: &Value) -> String {
    shown(value).chars().take(90).collect()
}

fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => format!("{text:?}"),
        Value::Boolean(value) => value.to_string(),
        Value::Integer(value) => value.to_string(),
        Value::Array(list) => format!("[{}]", list.iter().map(shown).collect::<Vec<_>>().join(", ")),
        Value::Table(table) => {
            let rows = table.iter().map(|(key, value)| format!("{key} = {}", shown(value)));
            format!("{{ {} }}", rows.collect::<Vec<_>>().join(", "))
        }
        value => format!("{value:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(ours: &str, real: &str, wanted: Option<&str>) {
        let read = |text| Live::from_text(text).unwrap();
        assert_eq!(read(ours).differs(&read(real)).as_deref(), wanted);
    }

    #[test]
    fn only_what_was_recorded_is_compared() {
        check("booted = true\nmore = 1", "booted = true", None);
        check("booted = false", "booted = true", Some("booted: false, real true"));
        check("", "exit = 1", Some("exit: nothing, real 1"));
    }

    #[test]
    fn order_does_not_count_where_it_is_by_chance() {
        check(
            "complaints = ['b', 'a']\nhandlers = ['y', 'x']",
            "complaints = ['a', 'b']\nhandlers = ['x', 'y']",
            None,
        );
        check(
            "complaints = ['a']",
            "complaints = ['a', 'a']",
            Some("complaints: [\"a\"], real [\"a\", \"a\"]"),
        );
    }

    #[test]
    fn answers_of_the_recording_machine_are_left_out() {
        let real = "[sandboxes]\na = 'created'\nb = '(not judged: no systemd)'";
        check("[sandboxes]\na = 'created'\nb = 'created'", real, None);
        check(
            "[sandboxes]\na = 'refused'",
            real,
            Some("sandboxes: { a = \"refused\" }, real { a = \"created\" }"),
        );
    }
}
