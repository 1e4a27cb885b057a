//! What `daemon.toml` says: which plugins a process meets in which order, what each of them needs and checks,
//! in whose words it refuses, and how a sandbox request is answered.

use super::raw::{RawStep, RawWhen};
use crate::read::{Fields, Misread, Read};
use crate::schema::Schema;
use crate::toml::Node;
use crate::{readable, readable_word};
use std::collections::BTreeMap;

/// Keys down to a value. A part in braces, such as `{containerd.default_runtime_name}`, stands for the text at
/// those keys.
pub(crate) type Keys = Vec<String>;

/// `daemon.toml`.
#[derive(Clone, Debug, Default)]
pub(crate) struct DaemonRules {
    /// Struct types of what a shim reads.
    pub shim_types: Schema,
    /// Where the level and the format of the log are set.
    pub log: LogKeys,
    /// How plugins find each other, and the words where they do not.
    pub lookup: Lookup,
    /// The services that a client inside the process takes from other plugins.
    pub client: Client,
    /// What is done with the whole configuration before any plugin is met.
    pub before: Vec<Step>,
    /// The plugins in the order in which a process meets them.
    pub plugins: Vec<PluginRules>,
    /// What is done with the whole configuration once all plugins are met.
    pub after: Vec<Step>,
    /// How `crictl` sees the process.
    pub cri: CriRules,
    /// How a sandbox request is answered.
    pub sandbox: SandboxRules,
}

impl Read for DaemonRules {
    fn read(value: &Node) -> Result<Self, Misread> {
        let mut fields = Fields::of(value)?;
        let rules = Self {
            shim_types: Schema::from_lines(&fields.get("types")?).map_err(Misread::new)?,
            log: fields.get("log")?,
            lookup: fields.get("lookup")?,
            client: fields.get("client")?,
            before: fields.get("before")?,
            plugins: fields.get("plugins")?,
            after: fields.get("after")?,
            cri: fields.get("cri")?,
            sandbox: fields.get("sandbox")?,
        };
        fields.close()?;
        Ok(rules)
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct LogKeys {
    pub level: Keys,
    pub format: Keys,
    /// What is said of every plugin before it is loaded: `{uri}`, `{type}`, `{id}`.
    pub loading: LineRules,
    /// What is said of a plugin that does not want to run: `{why}` too.
    pub skipped: LineRules,
    /// What is said of a plugin that could not be loaded.
    pub failed: LineRules,
}
readable!(LogKeys { level, format, loading, skipped, failed });

/// A log line. In its texts, and in every text below, names in braces are filled in: `{value}` the value that a
/// condition looked at, `{quoted}` the same quoted, `{why}` what is wrong with it, `{entry}` the entry of a table.
#[derive(Clone, Debug, Default)]
pub(crate) struct LineRules {
    /// `warning` where nothing is said.
    pub level: Option<String>,
    pub msg: String,
    pub fields: BTreeMap<String, String>,
    /// True where the recordings' complaints leave it out.
    pub quiet: bool,
}
readable!(LineRules { level, msg, fields, quiet });

#[derive(Clone, Debug, Default)]
pub(crate) struct Lookup {
    /// Which plugins of a type are seen by one that asks for all of them.
    pub all: Seen,
    /// No plugin of a type: `{type}`.
    pub none: String,
    /// No plugin of a type and name: `{type}`, `{id}`.
    pub no_id: String,
}
readable!(Lookup { all, none, no_id });

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Seen {
    /// 1.x: every one that was met, and the first of them where one is wanted.
    #[default]
    Met,
    /// 2.x: those that work; one that was skipped is passed over, and one that failed is an error.
    Working,
}
readable_word!(Seen { "met" => Met, "working" => Working });

#[derive(Clone, Debug, Default)]
pub(crate) struct Client {
    /// Types of which one plugin is wanted.
    pub plugins: Vec<String>,
    /// Names of service plugins.
    pub services: Vec<String>,
    /// A service that failed, beside those of a missing type, which all versions share: `{id}`, `{why}`.
    pub failed: Option<String>,
}
readable!(Client { plugins, services, failed });

/// A plugin, what it needs and what it checks; the first step that fails is its error.
#[derive(Clone, Debug)]
pub(crate) struct PluginRules {
    pub uri: String,
    pub steps: Vec<Step>,
    /// True where the recordings leave its failure out: snapshotters that the recording machine lacks.
    pub quiet: bool,
}
readable!(PluginRules { uri, steps, quiet });

/// One step of a plugin or of the process.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// Takes one plugin of a type, or the one of this name.
    Get {
        of: String,
        id: Option<String>,
        /// What is said where the type is there and the name is not, if the version says it in other words.
        absent: Option<String>,
        /// What stands around the error: `{why}`.
        error: Option<String>,
        /// True where the plugin does without.
        optional: bool,
        /// True where the failure only skips the plugin.
        skip: bool,
    },
    /// Takes all plugins of a type.
    All {
        of: String,
        /// What is said where none of them works.
        unusable: Option<String>,
        /// What is said of each that failed: `{id}`, `{why}`.
        lost: Option<LineRules>,
        error: Option<String>,
        optional: bool,
    },
    /// Says that it is for the machine's platform.
    Platform,
    /// Makes a client that talks to the process's own services.
    Client {
        /// What stands around the error: `{why}`.
        error: Option<String>,
    },
    /// Looks at the configuration, and does something where all conditions hold.
    Check(Box<Check>),
}

impl Read for Step {
    fn read(value: &Node) -> Result<Self, Misread> {
        Self::try_from(RawStep::read(value)?).map_err(Misread::new)
    }
}

#[cfg(test)]
impl Step {
    /// The deprecation that it remembers.
    pub fn deprecates(&self) -> Option<&str> {
        match self {
            Self::Check(check) => check.deprecate.as_deref(),
            _ => None,
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Check {
    /// Looks at the section of this plugin instead of the own one; nothing in it can be changed.
    pub section: Option<String>,
    /// Looks at every entry of this table or list, one after the other.
    pub each: Option<Keys>,
    pub when: Vec<When>,
    /// Writes a warning.
    pub warn: Option<String>,
    /// Writes these lines, for information.
    pub info: Vec<String>,
    /// Writes another log line.
    pub log: Option<LineRules>,
    /// Remembers a deprecation.
    pub deprecate: Option<String>,
    /// Sets a value.
    pub put: Option<Put>,
    /// Copies a value.
    pub copy: Option<CopyTo>,
    /// The process crashes, with this message.
    pub crash: Option<String>,
    /// Fails.
    pub error: Option<String>,
    /// True where the failure only skips the plugin.
    pub skip: bool,
}
readable!(Check { section, each, when, warn, info, log, deprecate, put, copy, crash, error, skip });

#[derive(Clone, Debug)]
pub(crate) struct Put {
    pub key: Keys,
    pub value: Node,
}
readable!(Put { key, value });

#[derive(Clone, Debug)]
pub(crate) struct CopyTo {
    pub from: Keys,
    pub to: Keys,
    /// True where a list with what is copied is made.
    pub list: bool,
}
readable!(CopyTo { from, to, list });

/// A condition on one value.
#[derive(Clone, Debug)]
pub(crate) enum When {
    /// Not the zero value.
    Set { key: Keys },
    /// The zero value, or not there.
    Unset { key: Keys },
    /// Anything stands there: a pointer that is not nil.
    Present { key: Keys },
    /// A text that is equal to this one.
    Text { key: Keys, text: String },
    /// A text that differs from this one.
    OtherText { key: Keys, text: String },
    /// A number that differs from this one.
    OtherNumber { key: Keys, number: i64 },
    /// A number outside of a range.
    Outside { key: Keys, least: i64, most: i64 },
    /// Equal to the value at other keys.
    Same { key: Keys, other: Keys },
    /// A text that is none of these.
    NoneOf { key: Keys, texts: Vec<String> },
    /// A text that names no entry of a table.
    NoEntry { key: Keys, of: Keys },
    /// Some entry of a table has something at these keys.
    AnyEntry { of: Keys, key: Keys },
    /// A text that is no duration; `{why}` is Go's message.
    NoDuration { key: Keys },
    /// A text that is no level of the log.
    NoLogLevel { key: Keys },
    /// An entry whose name is no URL; `{why}` is Go's message.
    NoUrlAsName,
    /// A text that is no address for a TCP socket; `{why}` is Go's message.
    NoTcpAddress {
        key: Keys,
        /// True where the path of another kind of socket will do.
        or_path: bool,
    },
    /// A text that names no file; `{why}` is Go's message.
    NoFile { key: Keys },
    /// A text that names no file with a container specification; `{why}` is Go's message.
    NoSpec { key: Keys },
    /// A text that names no plugin of a type, or one that does not work.
    NoPlugin { key: Keys, of: String },
    /// A text that names a plugin that failed; `{why}` is its error.
    FailedPlugin { key: Keys, of: String },
    /// A text that names a plugin of a type that does not say where its root folder is.
    NoRoot { key: Keys, of: String },
    /// A text that is no absolute path.
    Relative { key: Keys },
    /// A plugin of this type and name is not there, or does not work; `{why}` is its error.
    Gone { of: String, id: String },
    /// A plugin of this type and name is there and works.
    Works { of: String, id: String },
    /// A text that names a plugin of a type which says where its root folder is: `{why}` is the folder.
    Root { key: Keys, of: String },
    /// Holds always: these numbers are names for the texts of the check.
    Numbers { keys: Keys },
    /// The machine has this generation of control groups.
    Cgroups { generation: u8 },
    /// The user may have no further inotify instance.
    NoInotifyInstance,
}

impl Read for When {
    fn read(value: &Node) -> Result<Self, Misread> {
        Self::try_from(RawWhen::read(value)?).map_err(Misread::new)
    }
}

/// A value in the section of a plugin, or in the whole configuration.
#[derive(Clone, Debug, Default)]
pub(crate) struct At {
    pub plugin: Option<String>,
    pub key: Keys,
}
readable!(At { plugin, key });

#[derive(Clone, Debug, Default)]
pub(crate) struct CriRules {
    /// The plugin that answers `crictl`.
    pub service: String,
    /// The plugins whose state is told.
    pub told: Vec<String>,
    /// The plugin that tells it.
    pub teller: String,
    /// True where `crictl info` tells the sandbox image.
    pub tells_sandbox_image: bool,
    /// Deprecations that are not to count.
    pub ignored_deprecations: At,
    /// The socket that the process serves.
    pub socket: At,
    /// Where `crictl` looks for it.
    pub looked_for: String,
    /// What `crictl` says where nobody listens there.
    pub no_socket: String,
    /// What `crictl` says where the CRI plugin does not run.
    pub no_service: String,
}
readable!(CriRules {
    service,
    told,
    teller,
    tells_sandbox_image,
    ignored_deprecations,
    socket,
    looked_for,
    no_socket,
    no_service
});

#[derive(Clone, Debug, Default)]
pub(crate) struct SandboxRules {
    /// The image of a sandbox.
    pub image: At,
    /// True where the image is looked for before the handler.
    pub image_first: bool,
    /// The snapshotter of a sandbox.
    pub snapshotter: At,
    /// Who makes sandboxes, where a handler may say so.
    pub controller: Option<Controller>,
    /// Shims by runtime type: which struct type their options have, and which of them names a program.
    pub options: BTreeMap<String, ShimOptions>,
    /// The options of every other shim.
    pub other_options: String,
    /// The handler's key for the path of its shim.
    pub runtime_path: String,
    /// Runtime types that need no shim, with what is said of them.
    pub refused: BTreeMap<String, String>,
    pub words: SandboxWords,
}
readable!(SandboxRules {
    image,
    image_first,
    snapshotter,
    controller,
    options,
    other_options,
    runtime_path,
    refused,
    words
});

/// Who makes sandboxes.
#[derive(Clone, Debug)]
pub(crate) struct Controller {
    /// The handler's key for it.
    pub key: String,
    /// The one whose answers are known.
    pub known: String,
    /// The type of plugin that the others are.
    pub others: String,
    /// One that is not there: `{controller}`.
    pub no_controller: String,
}
readable!(Controller { key, known, others, no_controller });

#[derive(Clone, Debug)]
pub(crate) struct ShimOptions {
    pub ty: String,
    /// The option that names the program.
    pub program: String,
    /// The program where the option is empty.
    pub default_program: String,
}
readable!(ShimOptions { ty, program, default_program });

/// The answers to a sandbox request that cannot be met.
#[derive(Clone, Debug, Default)]
pub(crate) struct SandboxWords {
    /// No handler of this name: `{handler}` quoted.
    pub no_handler: String,
    /// Options that do not fit: `{why}`.
    pub bad_options: String,
    /// A snapshotter of the handler's own that is not there: `{snapshotter}`.
    pub no_snapshotter: String,
    /// One that is there and does not work, where that is known.
    pub broken_snapshotter: Option<String>,
    /// No runtime type.
    pub no_type: String,
    /// A runtime type that is no name: `{type}`.
    pub bad_type: String,
    /// A shim that is not there: `{type}` quoted, `{shim}` quoted.
    pub no_shim: String,
    /// A path of a shim that is not there: `{path}`.
    pub no_shim_path: String,
    /// A program with a path that is not there: `{program}`, `{state}` the folder for transient data.
    pub no_program: String,
    /// A program that is not on the search path: `{program}` quoted, `{state}`.
    pub not_on_path: String,
}
readable!(SandboxWords {
    no_handler,
    bad_options,
    no_snapshotter,
    broken_snapshotter,
    no_type,
    bad_type,
    no_shim,
    no_shim_path,
    no_program,
    not_on_path
});
