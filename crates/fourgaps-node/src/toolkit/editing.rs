//! How the toolkit edits a containerd configuration: the one engine of its container and of `nvidia-ctk`.
//!
//! It reads and writes TOML with the first generation of the library, whatever containerd reads it with. Source: the
//! recordings' `toolkit/`, and `pkg/config/engine/containerd` of the public repository.

use super::release::Release;
use fourgaps_base::FileId;
use fourgaps_config::toml::v1::edit::{delete, get, set, text};
use fourgaps_config::toml::v1::{parse, show};
use fourgaps_config::toml::{Kind, Node, Table};

/// A handler that the toolkit adds or removes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Runtime {
    pub name: String,
    /// The OCI program.
    pub path: String,
    pub is_default: bool,
}

/// What an editor is told, beside the files.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub release: Release,
    pub runtime_type: String,
    /// A missing configuration counts as version 1, and the default handler is set the old way.
    pub legacy: bool,
    /// Annotations that go to containers, as patterns.
    pub annotations: Vec<String>,
    /// The import that leads to the drop-in, as the host sees it.
    pub import: String,
}

/// Why an edit failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// The program says so and goes on to its end.
    Error(String),
    /// It meets what it does not expect, and panics.
    Panic,
}

/// A configuration that is being edited.
pub(crate) struct Editing {
    settings: Settings,
    version: i64,
    /// The name of the CRI plugin's section.
    section: &'static str,
    /// What was read; of a version 1 configuration also what is written.
    source: Table,
    drop_in: Option<DropIn>,
    /// Warnings, in order.
    pub warnings: Vec<String>,
}

/// The two files of a configuration of version 2 and above.
struct DropIn {
    table: Table,
    /// The drop-in begins as the source's own CRI section, not as a copy: what is changed there is changed here too.
    shared: bool,
    /// The main file; nothing where it cannot be read.
    main: Option<Table>,
}

/// What one file becomes: its new text, or nothing where it is emptied.
pub(crate) type Written = Option<String>;

impl Editing {
    /// Begins to edit.
    ///
    /// # Errors
    /// The version says something odd, or one that this release does not know.
    pub fn new(settings: Settings, source: Table, main: Option<Table>) -> Result<Self, Trouble> {
        let version = match source.get("version").map(|node| &node.kind) {
            _ if source.entries.is_empty() => 2 - i64::from(settings.legacy),
            None => 1,
            Some(Kind::Int(version)) => *version,
            Some(_) => {
                let value = source.get("version").map(show::value).unwrap_or_default();
                let why =
                    format!("failed to parse config version: unsupported type for version field: {value}");
                return Err(Trouble::Error(why));
            }
        };
        if version > 2 && !settings.release.knows_version_3() {
            return Err(Trouble::Error(format!("unsupported config version: {version}")));
        }
        let section = match version {
            1 => "cri",
            2 => "io.containerd.grpc.v1.cri",
            _ => "io.containerd.cri.v1.runtime",
        };
        let mut editing = Self { settings, version, section, source, drop_in: None, warnings: Vec::new() };
        if editing.version != 1 && editing.settings.release.has_drop_in() {
            let mut table = Table::default();
            let cri = table_at(&editing.source, &["plugins", section])?.cloned();
            let shared = cri.is_some();
            if let Some(cri) = cri {
                set(&mut table, &["plugins", section], Kind::Table(cri));
            }
            editing.drop_in = Some(DropIn { table, shared, main });
        }
        Ok(editing)
    }

    /// The version of the source, which is the version of what is written.
    pub fn version(&self) -> i64 {
        self.version
    }

    /// The name of the CRI plugin's section.
    pub fn section(&self) -> &'static str {
        self.section
    }

    /// Where settings of handlers are looked up.
    fn read_from(&self) -> &Table {
        match &self.drop_in {
            Some(DropIn { table, shared: true, .. }) => table,
            _ => &self.source,
        }
    }

    /// Where handlers are written.
    fn write_to(&mut self) -> &mut Table {
        match &mut self.drop_in {
            Some(drop_in) => &mut drop_in.table,
            None => &mut self.source,
        }
    }

    /// The handlers whose settings a new one would copy, best first.
    fn models(&self) -> Vec<String> {
        let default = text_at(self.read_from(), &self.path(&["default_runtime_name"]));
        self.settings.release.models(default)
    }

    /// The OCI programs of those handlers.
    ///
    /// # Errors
    /// What stands in the file cannot be edited.
    pub fn programs(&self) -> Result<Vec<String>, Trouble> {
        let mut programs: Vec<String> = Vec::new();
        for model in self.models() {
            let found = table_at(self.read_from(), &self.path(&["runtimes", &model]))?;
            let program = found.and_then(|table| text_at(table, &["options", "BinaryName"]));
            if let Some(program) = program.filter(|program| !program.is_empty())
                && !programs.iter().any(|known| known == program)
            {
                programs.push(program.into());
            }
        }
        Ok(programs)
    }

    fn path<'p>(&self, rest: &[&'p str]) -> Vec<&'p str> {
        ["plugins", self.section, "containerd"].into_iter().chain(rest.iter().copied()).collect()
    }

    /// Adds a handler, or writes it anew.
    ///
    /// # Errors
    /// What stands in the file cannot be edited.
    pub fn add(&mut self, runtime: &Runtime) -> Result<(), Trouble> {
        let (release, version) = (self.settings.release, self.version);
        let name = runtime.name.as_str();
        let at = |rest: &[&'static str]| -> Vec<&str> {
            ["runtimes", name].into_iter().chain(rest.iter().copied()).collect()
        };
        let handler = self.path(&at(&[]));
        let [annotations, program, ty, old_program] = [
            &["container_annotations"][..],
            &["options", "BinaryName"],
            &["runtime_type"],
            &["options", "Runtime"],
        ]
        .map(|rest| self.path(&at(rest)));
        let default_name = self.path(&["default_runtime_name"]);
        let settings = self.settings_of_a_new_one(&handler)?;
        let patterns = self.settings.annotations.clone();
        let usual_type = self.settings.runtime_type.clone();
        let old_way = version == 1 && release.sets_the_default_the_old_way(self.settings.legacy);

        let table = self.write_to();
        set(table, &["version"], Kind::Int(version));
        if let Some(settings) = settings {
            set(table, &handler, Kind::Table(settings));
        }
        if !patterns.is_empty() {
            let written = texts_at(table, &annotations)?;
            let all = patterns.into_iter().chain(written);
            let all = all.map(|text| Node::default_of(Kind::String(text)));
            set(table, &annotations, Kind::Array(all.collect()));
        }
        set(table, &program, Kind::String(runtime.path.clone()));
        if release.mends_the_type() && text_at(table, &ty).is_none_or(str::is_empty) && !usual_type.is_empty()
        {
            set(table, &ty, Kind::String(usual_type.clone()));
        }
        if runtime.is_default && !old_way {
            set(table, &default_name, Kind::String(name.into()));
        } else if release.takes_the_default_back() && text_at(table, &default_name) == Some(name) {
            delete(table, &default_name);
        }
        if version == 1 {
            set(table, &old_program, Kind::String(runtime.path.clone()));
        }
        if runtime.is_default && old_way {
            let at = |rest: &[&'static str]| -> Vec<&str> {
                ["plugins", "cri", "containerd", "default_runtime"]
                    .into_iter()
                    .chain(rest.iter().copied())
                    .collect()
            };
            if get(table, &at(&[])).is_none() {
                set(table, &at(&[]), Kind::Table(usual_settings(&usual_type)));
            }
            for key in ["BinaryName", "Runtime"] {
                set(table, &at(&["options", key]), Kind::String(runtime.path.clone()));
            }
        }
        Ok(())
    }

    /// The settings that a new handler begins with: those of the first one that may be copied, or the usual ones.
    ///
    /// Where there is nothing to copy, a release that edits in place keeps what a handler of that name has.
    fn settings_of_a_new_one(&mut self, handler: &[&str]) -> Result<Option<Table>, Trouble> {
        let release = self.settings.release;
        let models = self.models();
        for model in &models {
            if let Some(found) = table_at(self.read_from(), &self.path(&["runtimes", model]))? {
                // The toolkit copies by way of the text.
                return Ok(Some(parse(FileId::default(), text(found).as_bytes()).unwrap_or_default()));
            }
        }
        if !release.has_drop_in() && get(&self.source, handler).is_some() {
            return Ok(None);
        }
        self.warnings.extend(release.no_model(&models));
        Ok(Some(usual_settings(&self.settings.runtime_type)))
    }

    /// Removes a handler, and every table that is empty then. The default handler is not restored.
    pub fn remove(&mut self, name: &str) {
        let (section, is_1) = (self.section, self.version == 1);
        if let Some(DropIn { main: Some(main), .. }) = &mut self.drop_in {
            remove(main, section, name, is_1);
        }
        remove(self.write_to(), section, name, is_1);
    }

    /// Allows devices by CDI.
    pub fn enable_cdi(&mut self) {
        let path = match self.version {
            1 => self.path(&["enable_cdi"]),
            _ => vec!["plugins", self.section, "enable_cdi"],
        };
        set(self.write_to(), &path, Kind::Bool(true));
    }

    /// What the file with the handlers becomes.
    pub fn written(&self) -> Written {
        let table = self.drop_in.as_ref().map_or(&self.source, |drop_in| &drop_in.table);
        Some(text(table)).filter(|text| !text.is_empty())
    }

    /// What the main file becomes, once the drop-in is written; nothing where there is no drop-in beside it.
    ///
    /// # Errors
    /// The main file could not be read.
    pub fn main_written(&mut self) -> Option<Result<Written, Trouble>> {
        let has_content = self.written().is_some();
        let (import, version) = (self.settings.import.clone(), self.version);
        let loses_imports = self.settings.release.loses_imports();
        let drop_in = self.drop_in.as_mut()?;
        let Some(main) = &mut drop_in.main else { return Some(Err(Trouble::Panic)) };
        if has_content {
            ensure_import(main, &import, version, loses_imports);
        } else {
            simplify(main, &import);
        }
        Some(Ok(Some(text(main)).filter(|text| !text.is_empty())))
    }
}

/// The table at a path; anything else there is met with a panic.
fn table_at<'t>(table: &'t Table, path: &[&str]) -> Result<Option<&'t Table>, Trouble> {
    match get(table, path).map(|node| &node.kind) {
        None => Ok(None),
        Some(Kind::Table(table)) => Ok(Some(table)),
        Some(_) => Err(Trouble::Panic),
    }
}

fn text_at<'t>(table: &'t Table, path: &[&str]) -> Option<&'t str> {
    match &get(table, path)?.kind {
        Kind::String(text) => Some(text),
        _ => None,
    }
}

/// The texts of a list; none where there is no list.
fn texts_at(table: &Table, path: &[&str]) -> Result<Vec<String>, Trouble> {
    let Some(node) = get(table, path) else { return Ok(Vec::new()) };
    // What is no list is shown as the empty list that the library makes of it.
    let Kind::Array(items) = &node.kind else { return Err(Trouble::Error("invalid annotations: []".into())) };
    items
        .iter()
        .map(|item| match &item.kind {
            Kind::String(text) => Ok(text.clone()),
            _ => Err(Trouble::Error(format!("invalid annotation: {}", show::value(item)))),
        })
        .collect()
}

fn usual_settings(runtime_type: &str) -> Table {
    let mut table = Table::default();
    set(&mut table, &["runtime_type"], Kind::String(runtime_type.into()));
    set(&mut table, &["runtime_root"], Kind::String(String::new()));
    set(&mut table, &["runtime_engine"], Kind::String(String::new()));
    set(&mut table, &["privileged_without_host_devices"], Kind::Bool(false));
    table
}

fn remove(table: &mut Table, section: &str, name: &str, is_1: bool) {
    let containerd = ["plugins", section, "containerd"];
    let default_name = [&containerd[..], &["default_runtime_name"]].concat();
    let handler = [&containerd[..], &["runtimes", name]].concat();
    if is_1 {
        let default_runtime = [&containerd[..], &["default_runtime"]].concat();
        let program = program_of(table, &handler);
        if program.is_some() && program == program_of(table, &default_runtime) {
            delete(table, &default_runtime);
        }
    }
    delete(table, &handler);
    if text_at(table, &default_name) == Some(name) {
        delete(table, &default_name);
    }
    for parts in (1..=handler.len()).rev() {
        let path = &handler[..parts];
        if get(table, path).and_then(Node::table).is_some_and(|table| table.entries.is_empty()) {
            delete(table, path);
        }
    }
    if table.entries.len() == 1 {
        delete(table, &["version"]);
    }
}

/// The OCI program of a version 1 handler, under its new key or its old one.
fn program_of(table: &Table, handler: &[&str]) -> Option<String> {
    ["BinaryName", "Runtime"].into_iter().find_map(|key| {
        let path = [handler, &["options", key]].concat();
        text_at(table, &path).filter(|program| !program.is_empty()).map(String::from)
    })
}

/// Adds an import at the end, unless exactly this text is there; an empty file gets a version too.
fn ensure_import(main: &mut Table, import: &str, version: i64, loses_imports: bool) {
    let mut imports: Vec<Node> = match main.get("imports").map(|node| &node.kind) {
        Some(Kind::Array(items)) if !loses_imports => {
            items.iter().filter(|item| matches!(item.kind, Kind::String(_))).cloned().collect()
        }
        _ => Vec::new(),
    };
    if imports.iter().any(|item| matches!(&item.kind, Kind::String(text) if text == import)) {
        return;
    }
    imports.push(Node::default_of(Kind::String(import.into())));
    if main.entries.is_empty() {
        set(main, &["version"], Kind::Int(version));
    }
    set(main, &["imports"], Kind::Array(imports));
}

/// Empties a file that holds only what the toolkit writes into an empty one.
fn simplify(main: &mut Table, import: &str) {
    let is_ours = match main.get("imports").map(|node| &node.kind) {
        Some(Kind::Array(items)) => {
            matches!(items.as_slice(), [Node { kind: Kind::String(text), .. }] if text == import)
        }
        _ => false,
    };
    if is_ours && main.entries.len() == 2 && main.get("version").is_some() {
        delete(main, &["imports"]);
    }
    if main.entries.len() == 1 {
        delete(main, &["version"]);
    }
}
