//! Loading: the queue of imports, breadth first, each file decoded and merged into what is there.

use crate::checks;
use crate::glob::glob;
use crate::merge::Merger;
use crate::run::{DumpRun, EmptyPattern, Fault, LoadedFile, NamedPlugin};
use crate::toml::v1::decode::{decode, zero_struct};
use crate::toml::{Kind, Node, Table, TomlError, v1};
use crate::unread;
use crate::version::{Dialect, ImportsInDump, MissingImport, Version};
use fourgaps_base::{FileError, FileId, Files, Place, clean, join, parent};
use std::collections::{BTreeSet, VecDeque};

/// What is to be loaded.
pub struct Request<'a> {
    /// The containerd version that loads.
    pub version: &'a Version,
    /// The node's disk.
    pub files: &'a dyn Files,
    /// The main file, usually `/etc/containerd/config.toml`.
    pub main: &'a str,
    /// Imported files that are to be passed over, as if no pattern named them.
    pub leave_out: BTreeSet<String>,
}

impl<'a> Request<'a> {
    /// A load of everything that the main file leads to.
    pub fn new(version: &'a Version, files: &'a dyn Files, main: &'a str) -> Self {
        Self { version, files, main, leave_out: BTreeSet::new() }
    }
}

/// Why a process refuses to go on: its last words, and where to look.
pub(crate) struct Stop {
    pub words: String,
    pub fault: Fault,
}

/// The merged configuration of all files, and what was lost on the way.
pub(crate) struct Merged {
    pub config: Table,
    pub merger: Merger,
}

/// Reads every file that the main file leads to, merges them, and checks the whole.
pub(crate) fn load(request: &Request<'_>, run: &mut DumpRun) -> Result<Merged, Stop> {
    let version = request.version;
    let mut merged = Merged { config: version.defaults.clone(), merger: Merger::default() };
    let mut loaded = BTreeSet::new();
    let mut pending = VecDeque::from([(request.main.to_string(), None)]);
    let mut last = request.main.to_string();
    while let Some((path, imported_by)) = pending.pop_front() {
        last.clone_from(&path);
        if loaded.contains(&path) || (imported_by.is_some() && request.leave_out.contains(&path)) {
            continue;
        }
        let id = FileId(u32::try_from(run.files.len() + 1).unwrap_or(u32::MAX));
        let file = LoadedFile { id, path: path.clone(), imported_by, version: None, plugins: Vec::new() };
        run.files.push(file);
        let config = load_file(request, id, &path, run)?;
        describe(&config, run);
        let imports = texts(config.get("imports"));
        merged.merger.merge(version, &mut merged.config, config);
        let resolved = resolve_imports(request, &path, &imports, id, run)?;
        loaded.insert(path);
        pending.extend(resolved);
    }
    match version.rules.imports_in_dump {
        ImportsInDump::LoadedFiles => {
            // The real process prints them in the random order of a Go map; load order says more.
            let read = run.files.iter().map(|file| Node::default_of(Kind::String(file.path.clone())));
            let shown = read.collect();
            if let Some(node) = merged.config.entries.get_mut("imports") {
                node.kind = Kind::Array(shown);
            }
        }
    }
    merged.merger.finish(&mut run.files);
    checks::check(version, &merged.config, &mut run.stderr).map_err(|fail| {
        let path = path_of(&run.files, fail.place.file).unwrap_or_else(|| last.clone());
        Stop {
            words: format!("failed to load TOML from {last}: {}", fail.message),
            fault: Fault {
                path,
                pos: (!fail.place.is_default()).then_some(fail.place.pos),
                message: fail.message,
            },
        }
    })?;
    Ok(merged)
}

/// The path of a file of this load.
pub(crate) fn path_of(files: &[LoadedFile], id: FileId) -> Option<String> {
    files.iter().find(|file| file.id == id).map(|file| file.path.clone())
}

fn load_file(request: &Request<'_>, id: FileId, path: &str, run: &mut DumpRun) -> Result<Table, Stop> {
    let version = request.version;
    let bytes = request.files.read(&on_disk(path)).map_err(|error| {
        let message = open_error(path, &error);
        let words = match version.rules.missing_import {
            MissingImport::Refused => format!("failed to load TOML: {path}: {message}"),
        };
        Stop { words, fault: Fault { path: path.into(), pos: None, message } }
    })?;
    let parsed = match version.rules.dialect {
        Dialect::First => v1::parse(id, &bytes),
    };
    let table = parsed.map_err(|error| {
        let message = with_position(&error);
        Stop {
            words: format!("failed to load TOML: {path}: {message}"),
            fault: Fault { path: path.into(), pos: Some(error.at), message: error.message },
        }
    })?;
    unread::in_file(version, &table, &mut run.unread);
    let zero = zero_struct(&version.schema, &version.root);
    decode(&version.schema, &version.root, &table, zero).map_err(|(error, place)| Stop {
        words: format!("failed to unmarshal TOML: {}", with_position(&error)),
        fault: Fault { path: path.into(), pos: Some(place.pos), message: error.message },
    })
}

/// A message with the position that the library puts before it.
pub(crate) fn with_position(error: &TomlError) -> String {
    match error.reported {
        Some(pos) => format!("({}, {}): {}", pos.line, pos.column, error.message),
        None => error.message.clone(),
    }
}

/// What Go says of a file that cannot be read.
pub(crate) fn open_error(path: &str, error: &FileError) -> String {
    match error {
        FileError::NotFound => format!("open {path}: no such file or directory"),
        FileError::IsDirectory => format!("read {path}: is a directory"),
        FileError::NotADirectory => format!("open {path}: not a directory"),
        FileError::PermissionDenied => format!("open {path}: permission denied"),
        FileError::Other(why) => format!("open {path}: {why}"),
    }
}

/// The process runs in `/`, so a relative main file lies there.
fn on_disk(path: &str) -> String {
    if path.starts_with('/') { path.into() } else { join("/", path) }
}

type Pending = (String, Option<(FileId, String)>);

fn resolve_imports(
    request: &Request<'_>,
    from: &str,
    imports: &[(String, Place)],
    id: FileId,
    run: &mut DumpRun,
) -> Result<Vec<Pending>, Stop> {
    let mut out = Vec::new();
    for (text, place) in imports {
        let mut path = clean(text);
        if !path.starts_with('/') {
            path = join(parent(from), &path);
        }
        let by = Some((id, text.clone()));
        if path.contains('*') {
            let found = glob(request.files, &path).map_err(|_| Stop {
                words: BAD_PATTERN.into(),
                fault: Fault { path: from.into(), pos: Some(place.pos), message: BAD_PATTERN.into() },
            })?;
            if found.is_empty() {
                run.matched_nothing.push(EmptyPattern { pattern: text.clone(), place: *place });
            }
            out.extend(found.into_iter().map(|path| (path, by.clone())));
        } else {
            out.push((path, by));
        }
    }
    Ok(out)
}

/// Go's word for a malformed glob.
pub(crate) const BAD_PATTERN: &str = "syntax error in pattern";

fn texts(node: Option<&Node>) -> Vec<(String, Place)> {
    let Some(Node { kind: Kind::Array(items), place, .. }) = node else { return Vec::new() };
    let text = |item: &Node| match &item.kind {
        Kind::String(text) => Some((text.clone(), *place)),
        _ => None,
    };
    items.iter().filter_map(text).collect()
}

/// Notes what a file says of itself: its version, and the plugins that it names.
fn describe(config: &Table, run: &mut DumpRun) {
    let Some(file) = run.files.last_mut() else { return };
    if let Some(Node { kind: Kind::Int(version), place, .. }) = config.get("version")
        && !place.is_default()
    {
        file.version = Some(*version);
    }
    if let Some(plugins) = config.get("plugins").and_then(Node::table) {
        let named = |(plugin, node): (&String, &Node)| NamedPlugin {
            plugin: plugin.clone(),
            place: node.place,
            replaced_by: None,
        };
        file.plugins = plugins.entries.iter().map(named).collect();
    }
}
