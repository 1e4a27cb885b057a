//! Why the next start loads what it loads: files in order, every set value with its source, and what was lost.
//! The JSON of [`ExplainView`] is documented in the README and stable: fields are added, never renamed.

use crate::Source;
use serde::Serialize;
use std::collections::BTreeMap;

/// Everything that can be said about one load.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ExplainView {
    /// The format of this JSON: 1.
    pub format: u32,
    /// The containerd version.
    pub containerd: String,
    /// The main file.
    pub config: String,
    /// Exit status of the dump.
    pub exit: i32,
    /// Standard error, line by line.
    pub stderr: Vec<String>,
    /// The files in load order.
    pub files: Vec<FileRow>,
    /// The handlers in name order.
    pub handlers: Vec<HandlerRow>,
    /// Every value that somebody wrote and that counts, in key order.
    pub values: Vec<ValueRow>,
    /// Every value that somebody wrote and that does not count.
    pub lost: Vec<HiddenRow>,
    /// What would surprise a reader of the files, one plain sentence each.
    pub surprises: Vec<Surprise>,
}

/// A file in load order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FileRow {
    /// Absolute path.
    pub path: String,
    /// The file that imports it.
    pub imported_by: Option<String>,
    /// The entry of `imports` that named it.
    pub pattern: Option<String>,
    /// What `version` says in it.
    pub version: Option<i64>,
    /// The plugin sections that it names.
    pub plugins: Vec<PluginRow>,
}

/// A plugin section that a file names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PluginRow {
    /// The plugin key.
    pub plugin: String,
    /// Where the file first names it.
    pub source: Source,
    /// The file whose section counts instead, if this one lost.
    pub replaced_by: Option<String>,
}

/// A runtime handler.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HandlerRow {
    /// Its name.
    pub name: String,
    /// The shim type.
    pub runtime_type: String,
    /// The binary among its options; empty where none is set.
    pub binary_name: String,
    /// Where it was written; `None` for a default.
    pub source: Option<Source>,
    /// True for the default handler.
    pub is_default: bool,
}

/// A value that counts and that somebody wrote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ValueRow {
    /// The key, dotted and quoted as TOML.
    pub key: String,
    /// The value as the dump prints it.
    pub value: String,
    /// Where it was written; `None` for a default (only shown when the key was asked for).
    pub source: Option<Source>,
    /// What it hides.
    pub hides: Vec<HiddenRow>,
}

/// A value that does not count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HiddenRow {
    /// The key.
    pub key: String,
    /// The value.
    pub value: String,
    /// Where it was written.
    pub source: Source,
    /// The file and place that won.
    pub by: Option<Source>,
    /// The rule in one sentence, in English.
    pub rule: String,
    /// The rule's name, for translation: `section-replaced`, `entry-replaced`, `later-file`, `zero-does-not-override`.
    pub rule_code: String,
    /// How many files name the plugin, for `section-replaced`.
    pub named_in: Option<u32>,
}

/// Something that a reader of the files would not expect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Surprise {
    /// Its name, for translation, for example `section-replaced`.
    pub code: String,
    /// What the sentence speaks of, by name.
    pub args: BTreeMap<String, String>,
    /// The sentence in English.
    pub text: String,
    /// Where to look, if there is a place.
    pub source: Option<Source>,
}
