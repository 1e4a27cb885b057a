//! What a containerd said: the dump, the end of the process, and what can be read from them.
//! A recording and a simulated run are read by the same functions, so that both columns mean the same.

use crate::goal::Scalar;
use crate::key_path::key_path;
use fourgaps_view::NextStartView;
use std::collections::BTreeSet;

/// Standard output, exit status and standard error of one `containerd config dump`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recording {
    /// The dump, byte for byte.
    pub dump: String,
    /// The exit status.
    pub exit: i32,
    /// Standard error, line by line.
    pub stderr: Vec<String>,
}

/// The tables that hold the runtime handlers: of containerd 1.x, then of 2.x.
const HANDLER_TABLES: [&str; 2] = [
    r#"plugins."io.containerd.grpc.v1.cri".containerd.runtimes"#,
    r#"plugins."io.containerd.cri.v1.runtime".containerd.runtimes"#,
];

impl Recording {
    /// Puts a recording together from its `dump.toml` and its `result.toml`.
    ///
    /// # Errors
    /// Says what is wrong with `result.toml`.
    pub fn parse(dump: &str, result_toml: &str) -> Result<Self, String> {
        #[derive(serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        struct ResultFile {
            exit: i32,
            stderr: Vec<String>,
        }
        let result: ResultFile = toml::from_str(result_toml).map_err(|e| e.message().to_string())?;
        Ok(Self { dump: dump.to_string(), exit: result.exit, stderr: result.stderr })
    }

    /// What the simulator says, in the form of a recording.
    pub fn of(view: &NextStartView) -> Self {
        let mut dump = String::new();
        for line in &view.dump {
            dump.push_str(&line.text);
            dump.push('\n');
        }
        Self { dump, exit: view.exit, stderr: view.stderr.clone() }
    }

    /// How many lines of the dump contain a text.
    pub fn count(&self, text: &str) -> usize {
        self.dump.lines().filter(|line| line.contains(text)).count()
    }

    /// The first line of the dump that contains a text, with its number from 1.
    pub fn line(&self, text: &str) -> Option<(usize, &str)> {
        self.dump
            .lines()
            .enumerate()
            .find(|(_, line)| line.contains(text))
            .map(|(at, line)| (at + 1, line.trim()))
    }

    /// The names of the runtime handlers in the dump.
    pub fn handlers(&self) -> BTreeSet<String> {
        let Some(top) = self.tree() else { return BTreeSet::new() };
        let tables = HANDLER_TABLES.iter().filter_map(|path| at_path(&top, path));
        tables.filter_map(toml::Value::as_table).flat_map(|table| table.keys().cloned()).collect()
    }

    /// The value of a key, dotted and quoted as TOML; `None` where the dump has none, or has a list or a table there.
    pub fn value(&self, key: &str) -> Option<Scalar> {
        Scalar::of(at_path(&self.tree()?, key)?)
    }

    /// The files that the dump's `imports` names, in its order.
    pub fn imports(&self) -> Vec<String> {
        let Some(top) = self.tree() else { return Vec::new() };
        let list = top.get("imports").and_then(toml::Value::as_array);
        let names = list.into_iter().flatten().filter_map(toml::Value::as_str);
        names.map(str::to_string).collect()
    }

    /// The last line of standard error.
    pub fn last_error(&self) -> Option<&str> {
        self.stderr.last().map(String::as_str)
    }

    fn tree(&self) -> Option<toml::Table> {
        self.dump.parse().ok()
    }
}

/// The value at a path that is written as TOML writes keys.
fn at_path<'t>(top: &'t toml::Table, path: &str) -> Option<&'t toml::Value> {
    let path = key_path(path)?;
    let (first, rest) = path.split_first()?;
    rest.iter().try_fold(top.get(first)?, |value, key| value.as_table()?.get(key))
}
