//! What one load gives back: the dump with its origins, the files in load order, and what was lost on the way.

use crate::toml::Line;
use fourgaps_base::{FileId, Place, Pos};

/// What `containerd --config PATH config dump` would print and end with, and why.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DumpRun {
    /// The exit status of the process.
    pub exit: i32,
    /// Standard error, line by line; log lines without their time stamp.
    pub stderr: Vec<String>,
    /// Standard output: the dump, empty where the process refused.
    pub lines: Vec<Line>,
    /// The files in the order in which they were read; the last one may be the one that failed.
    pub files: Vec<LoadedFile>,
    /// The runtime handlers that this configuration gives, in name order.
    pub handlers: Vec<Handler>,
    /// Values that were written and then lost to another file, in path order.
    pub hidden: Vec<Hidden>,
    /// Values that were written and that this version does not read.
    pub unread: Vec<Unread>,
    /// Patterns in `imports` that no file matches; the process says nothing about them.
    pub matched_nothing: Vec<EmptyPattern>,
    /// The missing file at which 2.x stopped reading; a dump goes on without a word, a daemon does not.
    pub ended_early: Option<Fault>,
    /// Where the process stopped, if it did.
    pub fault: Option<Fault>,
}

/// An entry of `imports` with a `*` that matched no file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmptyPattern {
    /// The entry as written.
    pub pattern: String,
    /// Where `imports` stands.
    pub place: Place,
}

/// A file that was read, or that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadedFile {
    /// Its number in places: 1 is the main file.
    pub id: FileId,
    /// Its absolute path.
    pub path: String,
    /// The file whose `imports` named it, with the text of that entry; `None` for the main file.
    pub imported_by: Option<(FileId, String)>,
    /// What `version` says in it, if anything.
    pub version: Option<i64>,
    /// The plugin sections that it names, in byte order.
    pub plugins: Vec<NamedPlugin>,
}

/// A plugin section that a file names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedPlugin {
    /// The key under `plugins`, as written.
    pub plugin: String,
    /// Where its first key or header stands.
    pub place: Place,
    /// The file whose section counts, where a later one replaced this one.
    pub replaced_by: Option<FileId>,
}

/// A runtime handler of the CRI plugin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handler {
    /// Its name, as a RuntimeClass asks for it.
    pub name: String,
    /// The shim type, for example `io.containerd.runc.v2`.
    pub runtime_type: String,
    /// `BinaryName` among its options; empty where none is set.
    pub binary_name: String,
    /// Where it was written, or the default place.
    pub place: Place,
    /// True for the one that `default_runtime_name` names.
    pub is_default: bool,
}

/// A value that somebody wrote and that does not count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hidden {
    /// The keys down to it.
    pub path: Vec<String>,
    /// The value as it stands in a dump.
    pub value: String,
    /// Where it was written.
    pub place: Place,
    /// Who took it away: the place of the value or section that counts.
    pub by: Place,
    /// The rule by which it lost.
    pub rule: Rule,
}

/// Why a written value does not count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rule {
    /// 1.x: a later file that names the plugin replaces its whole section.
    SectionReplaced {
        /// The plugin key.
        plugin: String,
        /// How many files name this plugin.
        named_in: u32,
    },
    /// An entry of `timeouts`, `proxy_plugins` or `stream_processors` is replaced whole.
    EntryReplaced,
    /// A later file wrote another value for the same key.
    LaterFile,
    /// A later file wrote a zero value (`false`, `0`, `""`), which does not override an earlier one.
    ZeroDoesNotOverride,
}

/// A key that was written and that this version does not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unread {
    /// The keys down to it.
    pub path: Vec<String>,
    /// Where it was written.
    pub place: Place,
}

/// Where and why the process stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The file at fault.
    pub path: String,
    /// The place in it, if the fault has one.
    pub pos: Option<Pos>,
    /// The message, without the file's name.
    pub message: String,
}
