//! Loading: the queue of imports, breadth first, each file decoded and merged into what is there.

use crate::checks::{self, field, version_of, warning};
use crate::dump::names;
use crate::glob::glob;
use crate::merge::Merger;
use crate::migrate::{self, Crash};
use crate::rules::{Dialect, ImportsInDump, MissingFile, WhenMigrated};
use crate::run::{DumpRun, EmptyPattern, Fault, LoadedFile, NamedPlugin, Unread};
use crate::schema::Type;
use crate::toml::go_text::quote;
use crate::toml::v1::decode::{decode, zero_struct};
use crate::toml::{Kind, Node, Table, TomlError, v1, v2};
use crate::unread;
use crate::version::Version;
use fourgaps_base::{FileError, FileId, Files, Place, Pos, clean, join, parent};
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
    /// True for a Go panic: `panic:` instead of the program's name, exit status 2.
    pub crash: bool,
}

impl Stop {
    /// An error that the process reports before it ends.
    pub fn error(words: impl Into<String>, path: &str, pos: Option<Pos>, message: impl Into<String>) -> Self {
        Self {
            words: words.into(),
            fault: Fault { path: path.into(), pos, message: message.into() },
            crash: false,
        }
    }

    /// A crash, at a place in one of the files.
    pub fn crash(run: &DumpRun, crash: Crash) -> Self {
        let path = path_of(&run.files, crash.place.file).unwrap_or_default();
        let pos = (!crash.place.is_default()).then_some(crash.place.pos);
        Self { crash: true, ..Self::error(crash.message.clone(), &path, pos, crash.message) }
    }
}

/// The merged configuration of all files, and what was lost on the way.
pub(crate) struct Merged {
    pub config: Table,
    pub merger: Merger,
}

/// Who loads: they differ in what a missing file means to them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum By {
    /// A process that prints what it loads.
    Dump,
    /// A process that prints what its files come to in the newest version.
    Migrate,
    /// The daemon: every missing file is an error.
    Daemon,
}

/// Reads every file that the main file leads to, merges them, and checks the whole.
pub(crate) fn load(request: &Request<'_>, by: By, run: &mut DumpRun) -> Result<Merged, Stop> {
    let version = request.version;
    let mut merged = Merged { config: version.defaults.clone(), merger: Merger::default() };
    let last = read_all(request, by, run, &mut merged)?;
    if version.rules.imports_in_dump == ImportsInDump::LoadedFiles
        && let Some(node) = merged.config.entries.get_mut("imports")
    {
        // The real process prints them in the random order of a Go map; load order says more.
        let read = run.files.iter().map(|file| Node::default_of(Kind::String(file.path.clone())));
        node.kind = Kind::Array(read.collect());
    }
    merged.merger.finish(version, &mut run.files);
    if run.ended_early.is_some() {
        return Ok(merged);
    }
    checks::check(version, &merged.config, &mut run.stderr).map_err(|fail| {
        let path = path_of(&run.files, fail.place.file).unwrap_or_else(|| last.clone());
        let pos = (!fail.place.is_default()).then_some(fail.place.pos);
        Stop::error(format!("failed to load TOML from {last}: {}", fail.message), &path, pos, fail.message)
    })?;
    Ok(merged)
}

/// Works through the queue of files; gives the path of the last one.
fn read_all(request: &Request<'_>, by: By, run: &mut DumpRun, merged: &mut Merged) -> Result<String, Stop> {
    let version = request.version;
    let mut loaded = BTreeSet::new();
    let mut pending = VecDeque::from([(request.main.to_string(), None)]);
    let mut last = request.main.to_string();
    let mut main_says = 0;
    while let Some((path, imported_by)) = pending.pop_front() {
        last.clone_from(&path);
        if loaded.contains(&path) || (imported_by.is_some() && request.leave_out.contains(&path)) {
            continue;
        }
        let id = FileId(u32::try_from(run.files.len() + 1).unwrap_or(u32::MAX));
        let file = LoadedFile { id, path: path.clone(), imported_by, version: None, plugins: Vec::new() };
        run.files.push(file);
        let Some(mut config) = load_file(request, by, id, &path, run)? else { return Ok(last) };
        describe(&config, run);
        migrate_file(version, &merged.config, &mut config, &mut main_says, run)?;
        let imports = texts(config.get("imports"));
        merged.merger.merge(version, &mut merged.config, config);
        let resolved = resolve_imports(request, &path, &imports, id, run)?;
        loaded.insert(path);
        pending.extend(resolved);
    }
    Ok(last)
}

/// The path of a file of this load.
pub(crate) fn path_of(files: &[LoadedFile], id: FileId) -> Option<String> {
    files.iter().find(|file| file.id == id).map(|file| file.path.clone())
}

/// Reads and decodes a file; nothing where a missing file ends the reading.
fn load_file(
    request: &Request<'_>,
    by: By,
    id: FileId,
    path: &str,
    run: &mut DumpRun,
) -> Result<Option<Table>, Stop> {
    let version = request.version;
    let bytes = match request.files.read(&on_disk(path)) {
        Ok(bytes) => bytes,
        Err(error) => {
            let message = open_error(path, &error);
            return match (&version.rules.dialect, version.rules.missing_file) {
                (_, MissingFile::EndsReading) if by != By::Daemon && error == FileError::NotFound => {
                    run.ended_early = Some(Fault { path: path.into(), pos: None, message });
                    Ok(None)
                }
                (Dialect::First, _) => {
                    Err(Stop::error(format!("failed to load TOML: {path}: {message}"), path, None, message))
                }
                (Dialect::Second(_), _) if error == FileError::IsDirectory => Err(Stop::error(
                    format!("failed to unmarshal TOML: toml: {message}"),
                    path,
                    None,
                    message,
                )),
                (Dialect::Second(_), _) => Err(Stop::error(message.clone(), path, None, message)),
            };
        }
    };
    let table = match &version.rules.dialect {
        Dialect::First => first_generation(version, id, path, &bytes, run)?,
        Dialect::Second(_) => second_generation(version, id, path, &bytes, run)?,
    };
    Ok(Some(table))
}

fn first_generation(
    version: &Version,
    id: FileId,
    path: &str,
    bytes: &[u8],
    run: &mut DumpRun,
) -> Result<Table, Stop> {
    let table = v1::parse(id, bytes).map_err(|error| {
        let words = format!("failed to load TOML: {path}: {}", with_position(&error));
        Stop::error(words, path, Some(error.at), error.message)
    })?;
    unread::in_file(version, &table, &mut run.unread);
    let zero = zero_struct(&version.schema, &version.root);
    decode(&version.schema, &version.root, &table, zero).map_err(|(error, place)| {
        let words = format!("failed to unmarshal TOML: {}", with_position(&error));
        Stop::error(words, path, Some(place.pos), error.message)
    })
}

fn second_generation(
    version: &Version,
    id: FileId,
    path: &str,
    bytes: &[u8],
    run: &mut DumpRun,
) -> Result<Table, Stop> {
    let root = Type::Struct(version.root.clone());
    let decoded = v2::decode(version.toml_rules, &version.schema, &root, id, bytes, Table::default());
    let decoded = decoded.map_err(|error| {
        if let Some(message) = error.message.strip_prefix("panic: ") {
            return Stop { crash: true, ..Stop::error(message, path, Some(error.at), message) };
        }
        let message = error.message.clone();
        let Some(pos) = error.reported else {
            return Stop::error(
                format!("failed to unmarshal TOML: {message}"),
                path,
                Some(error.at),
                message,
            );
        };
        run.stderr.push(format!(
            "level=error msg=\"Failure unmarshaling TOML\" column={} error={} file={} row={}",
            pos.column,
            field(&message),
            field(path),
            pos.line
        ));
        let words = format!("failed to unmarshal TOML at row {} column {}: {message}", pos.line, pos.column);
        Stop::error(words, path, Some(error.at), message)
    })?;
    for unknown in decoded.unknown {
        run.stderr.push(format!(
            "{} column={} error={} file={} key={} row={}",
            warning("Ignoring unknown key in TOML"),
            unknown.reported.column,
            quote(STRICT),
            field(path),
            field(&unknown.path.join(" ")),
            unknown.reported.line
        ));
        run.unread.push(Unread { path: unknown.path, place: unknown.place });
    }
    Ok(decoded.table)
}

/// What 2.x says of keys that no field takes.
pub(crate) const STRICT: &str = "strict mode: fields in the document are missing in the target struct";

/// Brings one file to the version reached so far, where this version does so before merging.
fn migrate_file(
    version: &Version,
    merged: &Table,
    config: &mut Table,
    main_says: &mut i64,
    run: &mut DumpRun,
) -> Result<(), Stop> {
    let Some(names) = &version.rules.short_names else { return Ok(()) };
    let (says, place) = version_of(config, 0);
    let (reached, _) = version_of(merged, version.rules.config_version.when_missing);
    let set_version = |config: &mut Table, to: i64| {
        config.entries.insert("version".into(), Node { place, ..Node::default_of(Kind::Int(to)) });
    };
    if version.rules.plugin_migrations != WhenMigrated::EachFile {
        if says == 0 || says == 1 {
            migrate::short_names(names, config, &mut run.stderr);
            set_version(config, reached);
        }
        return Ok(());
    }
    if *main_says == 0 {
        *main_says = says;
    }
    if let Some(text) = &version.rules.checks.drop_in_above_main
        && says > *main_says
    {
        let message = text.replace("{says}", &says.to_string()).replace("{main}", &main_says.to_string());
        let path = path_of(&run.files, place.file).unwrap_or_default();
        return Err(Stop::error(message.clone(), &path, Some(place.pos), message));
    }
    if says < reached {
        if says < 0 {
            let message = format!("runtime error: index out of range [{says}]");
            return Err(Stop::crash(run, Crash { message, place }));
        }
        for step in says..reached {
            if step == 1 {
                migrate::short_names(names, config, &mut run.stderr);
            }
            if Some(step) == version.rules.server_settings {
                migrate::server_settings(config);
            }
            if let Some(Node { kind: Kind::Table(sections), .. }) = config.entries.get_mut("plugins") {
                migrate::plugins(version, &[], sections).map_err(|crash| Stop::crash(run, crash))?;
            }
        }
        set_version(config, reached);
        run.stderr.push(warning(&format!(
            "Configuration migrated from version {says}, use `containerd config migrate` to avoid migration"
        )));
    }
    Ok(())
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
        FileError::IsDirectory => format!("read {path}: {error}"),
        _ => format!("open {path}: {error}"),
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
            let found = glob(request.files, &path)
                .map_err(|_| Stop::error(BAD_PATTERN, from, Some(place.pos), BAD_PATTERN))?;
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

/// The texts in a list, each with the place of the list.
fn texts(node: Option<&Node>) -> Vec<(String, Place)> {
    let place = node.map_or_else(Place::default, |node| node.place);
    names(node).into_iter().map(|text| (text, place)).collect()
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
