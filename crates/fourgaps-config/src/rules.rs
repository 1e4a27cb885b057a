//! The rules that differ between versions, as `version.toml` says them. The engine knows the kinds of rules,
//! and no version by name.

use crate::daemon::raw::needed;
use crate::read::{Fields, Misread, Read};
use crate::toml::Node;
use crate::{readable, readable_word};
use std::collections::BTreeMap;

/// The rules of a version: `version.toml`.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    pub dialect: Dialect,
    pub merge: Merge,
    pub imports_in_dump: ImportsInDump,
    pub missing_file: MissingFile,
    pub plugin_migrations: WhenMigrated,
    /// Lists that are nil before the first file: the first text to fill them keeps its repeats.
    pub nil_lists: Vec<String>,
    /// True where a folder of dynamic plugins is looked through at every start.
    pub dynamic_plugins: bool,
    pub config_version: ConfigVersion,
    pub checks: Checks,
    /// The type of a proxy plugin: what a file may say, and the plugin type that it becomes.
    pub proxy_types: BTreeMap<String, String>,
    /// Short plugin names of version 1 files.
    pub short_names: Option<ShortNames>,
    /// How sections move when a configuration is brought to the newest version, in the order of the plugins.
    pub migrations: Vec<Migration>,
    /// Settings of the server that become plugin sections.
    pub server_settings: Option<i64>,
    pub cri: Cri,
}
readable!(Rules {
    dialect,
    merge,
    imports_in_dump,
    missing_file,
    plugin_migrations,
    nil_lists,
    dynamic_plugins,
    config_version,
    checks,
    proxy_types,
    short_names,
    migrations,
    server_settings,
    cri
});

/// Which release of the TOML library reads the files and writes the dump.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// The first generation.
    First,
    /// The second generation, in a release of this number.
    Second(String),
}

impl Read for Dialect {
    fn read(value: &Node) -> Result<Self, Misread> {
        if value.table().is_some() {
            let mut fields = Fields::of(value)?;
            let dialect = Self::Second(fields.get("second")?);
            fields.close()?;
            return Ok(dialect);
        }
        match String::read(value)?.as_str() {
            "first" => Ok(Self::First),
            other => {
                Err(Misread::new(format!("no dialect is `{other}`; one of first, {{ second = RELEASE }}")))
            }
        }
    }
}

/// How a plugin section of a later file meets an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Merge {
    /// The later section replaces the earlier one; other lists are appended.
    ReplaceSections,
    /// Sections are merged key by key; other lists are joined without repeats.
    Deep,
}
readable_word!(Merge { "replace-sections" => ReplaceSections, "deep" => Deep });

/// What `imports` says in a dump.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ImportsInDump {
    /// The paths that were read.
    LoadedFiles,
    /// The texts as merged.
    AsWritten,
}
readable_word!(ImportsInDump { "loaded-files" => LoadedFiles, "as-written" => AsWritten });

/// What a dump does where a file is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MissingFile {
    /// It ends with an error.
    Refused,
    /// It stops reading and prints what it has by then.
    EndsReading,
}
readable_word!(MissingFile { "refused" => Refused, "ends-reading" => EndsReading });

/// When plugin sections are brought to the newest version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WhenMigrated {
    /// Never: this version only reads its own.
    Never,
    /// By the daemon after all files are merged; a dump leaves it out.
    MergedByDaemon,
    /// After all files are merged.
    Merged,
    /// Each file on its own, before it is merged.
    EachFile,
}
readable_word!(WhenMigrated { "never" => Never, "merged-by-daemon" => MergedByDaemon, "merged" => Merged, "each-file" => EachFile });

#[derive(Clone, Copy, Debug)]
pub(crate) struct ConfigVersion {
    /// What no version anywhere counts as.
    pub when_missing: i64,
    /// The newest that is read.
    pub newest: i64,
    /// What a dump says.
    pub printed: i64,
}
readable!(ConfigVersion { when_missing, newest, printed });

/// The checks on the merged configuration.
#[derive(Clone, Debug)]
pub(crate) struct Checks {
    /// The error for a version that is too new; `{says}` and `{newest}` stand for numbers.
    pub too_new: String,
    /// A log line before that error.
    pub too_new_logged: Option<String>,
    /// Below this version nothing but a warning follows.
    pub old_below: Option<i64>,
    /// That warning.
    pub old_warning: Option<String>,
    /// What the names in `disabled_plugins` and `required_plugins` must look like.
    pub listed_names: NameRule,
    /// What the keys under `plugins` must look like, where they are checked.
    pub plugin_keys: Option<NameRule>,
    /// The error for a drop-in whose version is above the main file's; `{says}` and `{main}` stand for numbers.
    pub drop_in_above_main: Option<String>,
}
readable!(Checks {
    too_new,
    too_new_logged,
    old_below,
    old_warning,
    listed_names,
    plugin_keys,
    drop_in_above_main
});

/// What a plugin's name must look like.
#[derive(Clone, Debug)]
pub(crate) struct NameRule {
    pub starts_with: Option<String>,
    /// At least so many parts between dots.
    pub parts: u8,
}
readable!(NameRule { starts_with, parts });

/// How short names of version 1 files become full ones.
#[derive(Clone, Debug)]
pub(crate) struct ShortNames {
    /// Names that are known.
    pub known: BTreeMap<String, String>,
    /// A name that ends so belongs to this type without a word.
    pub by_ending: BTreeMap<String, String>,
    /// Names that belong to this type, with a warning.
    pub ambiguous: BTreeMap<String, String>,
    /// The type of any other name, with a warning.
    pub otherwise: String,
}
readable!(ShortNames { known, by_ending, ambiguous, otherwise });

/// One way in which a section moves. Source: the migration functions in the public source of each plugin.
#[derive(Clone, Debug)]
pub(crate) enum Migration {
    /// Every key moves unless it is excepted or already there.
    MoveKeys {
        owner: String,
        from: String,
        to: String,
        except: Vec<String>,
        inside: Vec<Inside>,
        /// In every handler: this key becomes that one.
        rename_in_handlers: Option<(String, String)>,
    },
    /// Some keys are copied, over what is there.
    CopyKeys {
        owner: String,
        from: String,
        to: String,
        keys: Vec<String>,
        /// This key goes into that table under that name.
        into_table: (String, String, String),
        /// Of this table these keys too, where it has handlers.
        inside: (String, Vec<String>),
    },
    /// Only some keys stay.
    KeepKeys { owner: String, keys: Vec<String> },
    /// The whole section moves.
    Rename { owner: String, from: String },
    /// A switch becomes an environment entry of another plugin.
    FlagToEnv { owner: String, from: String, key: String, entry: String },
}

impl Read for Migration {
    fn read(value: &Node) -> Result<Self, Misread> {
        Self::try_from(RawMigration::read(value)?).map_err(Misread::new)
    }
}

/// A migration as it is written: one flat table, told apart by its kind.
struct RawMigration {
    kind: String,
    owner: String,
    from: Option<String>,
    to: Option<String>,
    except: Vec<String>,
    keys: Vec<String>,
    inside: Vec<Inside>,
    into_table: Option<(String, String, String)>,
    rename_in_handlers: Option<(String, String)>,
    key: Option<String>,
    entry: Option<String>,
}
readable!(RawMigration {
    kind,
    owner,
    from,
    to,
    except,
    keys,
    inside,
    into_table,
    rename_in_handlers,
    key,
    entry
});

impl TryFrom<RawMigration> for Migration {
    type Error = String;

    fn try_from(raw: RawMigration) -> Result<Self, String> {
        let RawMigration {
            owner, from, to, except, keys, mut inside, into_table, rename_in_handlers, ..
        } = raw;
        let from = || needed(from, "from");
        let to = || needed(to, "to");
        Ok(match raw.kind.as_str() {
            "move-keys" => {
                Self::MoveKeys { owner, from: from()?, to: to()?, except, inside, rename_in_handlers }
            }
            "copy-keys" => {
                let into_table = needed(into_table, "into_table")?;
                let inside = needed(inside.pop(), "inside")?;
                let inside = (inside.table, inside.keys);
                Self::CopyKeys { owner, from: from()?, to: to()?, keys, into_table, inside }
            }
            "keep-keys" => Self::KeepKeys { owner, keys },
            "rename" => Self::Rename { owner, from: from()? },
            "flag-to-env" => {
                let (key, entry) = (needed(raw.key, "key")?, needed(raw.entry, "entry")?);
                Self::FlagToEnv { owner, from: from()?, key, entry }
            }
            other => return Err(format!("no migration is of the kind `{other}`")),
        })
    }
}

impl Migration {
    /// The plugin whose migration this is; where it is disabled, nothing moves.
    pub fn owner(&self) -> &str {
        match self {
            Self::MoveKeys { owner, .. }
            | Self::CopyKeys { owner, .. }
            | Self::KeepKeys { owner, .. }
            | Self::Rename { owner, .. }
            | Self::FlagToEnv { owner, .. } => owner,
        }
    }
}

/// A table inside a moved section whose keys move one by one.
#[derive(Clone, Debug)]
pub(crate) struct Inside {
    pub table: String,
    pub except: Vec<String>,
    /// The only keys that are copied, where keys are copied.
    pub keys: Vec<String>,
    /// A text under this key becomes a list of one under that key.
    pub into_list: BTreeMap<String, String>,
}
readable!(Inside { table, except, keys, into_list });

/// Where the CRI plugin keeps its handlers.
#[derive(Clone, Debug)]
pub(crate) struct Cri {
    pub section: String,
    pub runtimes: Vec<String>,
    pub default_runtime: Vec<String>,
}
readable!(Cri { section, runtimes, default_runtime });
