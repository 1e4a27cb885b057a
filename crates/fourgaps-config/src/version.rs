//! A containerd version as data: everything that differs lies in `versions/NAME/`.
//! A new version is a new folder and a name in `with_versions` (`lib.rs`); the engine does not change.

use crate::daemon::DaemonRules;
use crate::read::{kind_of, read_toml};
use crate::readable;
use crate::rules::{Dialect, Rules};
use crate::schema::{Schema, Type};
use crate::toml::v1::decode::{zero, zero_struct};
use crate::toml::{Kind, Node, Table, v2};
use std::collections::BTreeMap;
use std::sync::OnceLock;

macro_rules! built_in {
    ($($name:literal)*) => {
        [$((
            $name,
            include_str!(concat!("../versions/", $name, "/version.toml")),
            include_str!(concat!("../versions/", $name, "/schema.toml")),
            include_str!(concat!("../versions/", $name, "/defaults.toml")),
            include_str!(concat!("../versions/", $name, "/daemon.toml")),
        )),*]
    };
}

/// The texts of a version's folder: name, rules, types, defaults, daemon.
type Folder = (&'static str, &'static str, &'static str, &'static str, &'static str);

/// The versions that are built in, oldest first.
const BUILT_IN: &[Folder] = &with_versions!(built_in);

/// A containerd version: its dialect, its merge rule, its schema, its checks.
#[derive(Clone, Debug)]
pub struct Version {
    name: String,
    /// The rules that differ between versions.
    pub(crate) rules: Rules,
    /// The rules of the second generation's TOML library, where it reads the files.
    pub(crate) toml_rules: v2::Rules,
    /// The struct types.
    pub(crate) schema: Schema,
    /// The Go name of the whole configuration's type.
    pub(crate) root: String,
    /// The plugins in the order in which a process meets them.
    pub(crate) plugins: Vec<Plugin>,
    /// The configuration before any file is read.
    pub(crate) defaults: Table,
    /// Each plugin's own configuration before any file is read, by URI.
    pub(crate) plugin_defaults: BTreeMap<String, Table>,
    /// Time limits that are added where no file names them.
    pub(crate) timeouts: BTreeMap<String, Node>,
    /// What a daemon does with its configuration at start.
    pub(crate) daemon: DaemonRules,
}

/// A plugin that the version has.
#[derive(Clone, Debug)]
pub(crate) struct Plugin {
    /// Its full name, `io.containerd.TYPE.VERSION.ID`.
    pub uri: String,
    /// The Go name of its configuration's type; without one it has no settings.
    pub ty: Option<String>,
}
readable!(Plugin { uri, ty });

/// The name without its type, which version 1 files use.
fn short_name(uri: &str) -> &str {
    uri.rsplit_once('.').map_or(uri, |(_, id)| id)
}

struct SchemaFile {
    root: String,
    types: BTreeMap<String, Vec<String>>,
    plugins: Vec<Plugin>,
}
readable!(SchemaFile { root, types, plugins });

impl Version {
    /// The version of this name, for example `1.7.27`. Its folder is read when it is first asked for.
    pub fn named(name: &str) -> Option<&'static Self> {
        static READ: [OnceLock<Version>; BUILT_IN.len()] = [const { OnceLock::new() }; BUILT_IN.len()];
        let at = BUILT_IN.iter().position(|folder| folder.0 == name)?;
        let (name, rules, schema, defaults, daemon) = BUILT_IN[at];
        Some(READ[at].get_or_init(|| {
            Self::from_texts(name, rules, schema, defaults)
                .and_then(|version| version.with_daemon(daemon))
                .expect("a test reads every built-in version")
        }))
    }

    /// The names of the versions that are built in, oldest first.
    pub fn names() -> impl Iterator<Item = &'static str> {
        BUILT_IN.iter().map(|folder| folder.0)
    }

    /// Every version that is built in, oldest first.
    pub fn all() -> Vec<&'static Self> {
        Self::names().filter_map(Self::named).collect()
    }

    /// Reads a version from the texts of its folder: `version.toml`, `schema.toml`, `defaults.toml`.
    ///
    /// Its daemon meets no plugin, until [`Self::with_daemon`] says which there are.
    ///
    /// # Errors
    /// Says which text is wrong, and where.
    pub fn from_texts(name: &str, rules: &str, schema: &str, defaults: &str) -> Result<Self, String> {
        let rules: Rules = read_toml(rules).map_err(|e| format!("{name}/version.toml: {e}"))?;
        let file: SchemaFile = read_toml(schema).map_err(|e| format!("{name}/schema.toml: {e}"))?;
        let schema = Schema::from_lines(&file.types).map_err(|e| format!("{name}/schema.toml: {e}"))?;
        let mut given: Table = read_toml(defaults).map_err(|e| format!("{name}/defaults.toml: {e}"))?;
        // The first generation prints every field; of the second one, nil maps must stay absent.
        let zeros = rules.dialect == Dialect::First;
        let at = |e: String| format!("{name}/defaults.toml: {e}");
        let mut plugin_values = take_table(&mut given, "plugins").map_err(at)?;
        let timeout_values = take_table(&mut given, "timeouts").map_err(at)?;
        let mut plugin_defaults = BTreeMap::new();
        for plugin in &file.plugins {
            if let Some(ty) = &plugin.ty {
                let values = take_table(&mut plugin_values, &plugin.uri).map_err(at)?;
                let value = default_struct(&schema, zeros, ty, values)
                    .map_err(|e| at(format!("{}: {e}", plugin.uri)))?;
                plugin_defaults.insert(plugin.uri.clone(), value);
            }
        }
        if let Some(unknown) = plugin_values.entries.keys().next() {
            return Err(at(format!("{unknown}: no such plugin with settings")));
        }
        let mut timeouts = BTreeMap::new();
        for (key, value) in timeout_values.entries {
            timeouts.insert(key, default_value(&schema, zeros, &Type::String, value).map_err(at)?);
        }
        let mut defaults = default_struct(&schema, zeros, &file.root, given).map_err(at)?;
        let version = Node::default_of(Kind::Int(rules.config_version.when_missing));
        defaults.entries.insert("version".into(), version);
        let (root, plugins) = (file.root, file.plugins);
        let toml_rules = match &rules.dialect {
            Dialect::First => v2::Rules::V2_2_4,
            Dialect::Second(release) => v2::Rules::named(release).ok_or_else(|| {
                format!("{name}/version.toml: no rules for release {release} of the TOML library")
            })?,
        };
        Ok(Self {
            name: name.into(),
            rules,
            toml_rules,
            schema,
            root,
            plugins,
            defaults,
            plugin_defaults,
            timeouts,
            daemon: DaemonRules::default(),
        })
    }

    /// The same version with the text of its `daemon.toml`.
    ///
    /// # Errors
    /// Says where the text is wrong.
    pub fn with_daemon(mut self, text: &str) -> Result<Self, String> {
        self.daemon = read_toml(text).map_err(|e| format!("{}/daemon.toml: {e}", self.name))?;
        Ok(self)
    }

    /// The key under which a plugin's section stands, given the version that the merged files say.
    pub(crate) fn section_key<'p>(&self, plugin: &'p Plugin, says: i64) -> &'p str {
        self.listed_name(&plugin.uri, says)
    }

    /// The name by which the files speak of a plugin, given the version that they say.
    pub(crate) fn listed_name<'u>(&self, uri: &'u str, says: i64) -> &'u str {
        // Where version 1 is not migrated, its files use short names.
        if says == 1 && self.rules.short_names.is_none() { short_name(uri) } else { uri }
    }

    /// What `crictl` says where nobody listens.
    pub fn no_socket(&self) -> &str {
        &self.daemon.cri.no_socket
    }

    /// The struct type of the CRI plugin's section, by its Go name.
    pub fn cri_type(&self) -> &str {
        let of = |plugin: &&Plugin| plugin.uri == self.rules.cri.section;
        self.plugins.iter().find(of).and_then(|plugin| plugin.ty.as_deref()).unwrap_or_default()
    }

    /// The handlers in a section of the CRI plugin, by name.
    pub fn handler_sections<'n>(&self, section: &'n Node) -> Option<&'n Table> {
        let keys = &self.rules.cri.runtimes;
        keys.iter().try_fold(section, |node, key| node.table()?.get(key))?.table()
    }

    /// The struct types of its configuration.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// The names of the deprecated things that a daemon of this version can meet.
    #[cfg(test)]
    pub(crate) fn deprecations(&self) -> Vec<&str> {
        let steps = self.daemon.plugins.iter().flat_map(|plugin| &plugin.steps);
        let all = self.daemon.before.iter().chain(&self.daemon.after).chain(steps);
        all.filter_map(|step| step.deprecates()).collect()
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }
}

fn take_table(from: &mut Table, key: &str) -> Result<Table, String> {
    match from.entries.remove(key).map(|node| node.kind) {
        None => Ok(Table::default()),
        Some(Kind::Table(table)) => Ok(table),
        Some(_) => Err(format!("{key} is no table")),
    }
}

fn default_struct(schema: &Schema, zeros: bool, name: &str, mut values: Table) -> Result<Table, String> {
    let mut out = if zeros { zero_struct(schema, name) } else { Table::default() };
    for field in schema.fields(name) {
        if let Some(value) = values.entries.remove(&field.key) {
            let value =
                default_value(schema, zeros, &field.ty, value).map_err(|e| format!("{}: {e}", field.key))?;
            out.entries.insert(field.key.clone(), value);
        }
    }
    match values.entries.keys().next() {
        Some(unknown) => Err(format!("{name} has no {unknown}")),
        None => Ok(out),
    }
}

/// A written default as the Go type has it, and without a place: nobody wrote it into the node's files.
fn default_value(schema: &Schema, zeros: bool, ty: &Type, value: Node) -> Result<Node, String> {
    let kind = match (ty, value.kind) {
        (Type::Pointer(of), kind) => return default_value(schema, zeros, of, Node { kind, ..value }),
        (Type::Bool | Type::Any, kind @ Kind::Bool(_))
        | (Type::Int(_) | Type::Any, kind @ Kind::Int(_))
        | (Type::Float64 | Type::Any, kind @ Kind::Float(_))
        | (Type::String | Type::Duration | Type::TextDuration | Type::Any, kind @ Kind::String(_)) => kind,
        (Type::Struct(name), Kind::Table(values)) => {
            Kind::Table(default_struct(schema, zeros, name, values)?)
        }
        (Type::Map(of), Kind::Table(values)) => {
            let mut table = Table::default();
            for (key, value) in values.entries {
                table.entries.insert(key, default_value(schema, zeros, of, value)?);
            }
            Kind::Table(table)
        }
        (Type::Slice(of), Kind::Array(items) | Kind::Tables(items)) => {
            let items = items.into_iter().map(|v| default_value(schema, zeros, of, v));
            let items = items.collect::<Result<_, String>>()?;
            match zero(schema, ty) {
                Some(Kind::Tables(_)) => Kind::Tables(items),
                _ => Kind::Array(items),
            }
        }
        (ty, kind) => {
            return Err(format!("{} is no {}", kind_of(&Node::default_of(kind)), ty.go_name()));
        }
    };
    Ok(Node::default_of(kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_version_reads() {
        for (name, rules, schema, defaults, daemon) in BUILT_IN {
            Version::from_texts(name, rules, schema, defaults).unwrap().with_daemon(daemon).unwrap();
        }
    }

    #[test]
    fn a_daemon_meets_every_plugin_that_a_dump_prints_in_the_same_order() {
        for version in Version::all() {
            let printed: Vec<&str> =
                version.plugins.iter().filter(|p| p.ty.is_some()).map(|p| p.uri.as_str()).collect();
            let met = version.daemon.plugins.iter().map(|p| p.uri.as_str());
            assert_eq!(
                met.filter(|uri| printed.contains(uri)).collect::<Vec<_>>(),
                printed,
                "{}",
                version.name
            );
        }
    }

    #[test]
    fn a_plugin_has_a_short_name() {
        for (uri, id) in [
            ("io.containerd.grpc.v1.cri", "cri"),
            ("io.containerd.tracing.processor.v1.otlp", "otlp"),
            ("io.containerd.service.v1.diff-service", "diff-service"),
        ] {
            assert_eq!(short_name(uri), id);
        }
    }
}
