//! From the node's files to an edit, and back: where a configuration is read from, and how it is written.

use super::editing::{Editing, Settings, Trouble, Written};
use super::log::{Level, LogLine};
use super::options::on_node;
use crate::act::missing_folders;
use crate::node::{MAIN, Node};
use crate::unit::Supervisor;
use fourgaps_base::{FileEdit, FileError, FileId, FileTree, Files};
use fourgaps_config::DumpRun;
use fourgaps_config::daemon::quote;
use fourgaps_config::toml::Table;
use fourgaps_config::toml::v1::parse;
use std::sync::{Arc, OnceLock};

/// A disk as a program of the toolkit sees it, and what it logs.
pub(crate) struct Desk<'n> {
    node: &'n Node,
    files: Arc<FileTree>,
    now_ms: u64,
    /// Folders of the container that are folders of the node.
    mounts: Vec<(String, String)>,
    /// What it changed.
    pub edits: Vec<FileEdit>,
    pub log: Vec<LogLine>,
}

/// What a fresh containerd prints, and what the toolkit reads in it: both are long, so they are worked out once.
#[derive(Debug)]
pub(crate) struct Dumped {
    pub run: Arc<DumpRun>,
    table: OnceLock<Result<Table, String>>,
}

impl Dumped {
    pub fn new(run: DumpRun) -> Self {
        Self { run: Arc::new(run), table: OnceLock::new() }
    }

    fn table(&self) -> Result<Table, String> {
        let read = || {
            let text: String = self.run.lines.iter().map(|line| format!("{}\n", line.text)).collect();
            table(text.as_bytes())
        };
        self.table.get_or_init(read).clone()
    }
}

/// Where a configuration is read from.
pub(crate) struct Source<'s> {
    /// The sources in turn: `command`, `file`, `file=PATH`.
    pub from: Vec<&'s str>,
    /// The main file.
    pub main: &'s str,
    /// The root of the host, as the program sees it.
    pub host_root: &'s str,
    /// The containerd program; empty for the one on the search path.
    pub executable: &'s str,
}

/// The status of a program that is not on the search path.
const NOT_FOUND: i32 = 127;

impl<'n> Desk<'n> {
    pub fn of(node: &'n Node) -> Self {
        let files = Arc::clone(&node.files);
        let (edits, log, mounts) = (Vec::new(), Vec::new(), Vec::new());
        Self { node, files, now_ms: node.now_ms(), mounts, edits, log }
    }

    pub fn with_mounts(mut self, mounts: &[(String, String)]) -> Self {
        self.mounts = mounts.to_vec();
        self
    }

    fn on_node(&self, path: &str) -> String {
        on_node(&self.mounts, path)
    }

    pub fn info(&mut self, msg: impl Into<String>) {
        self.log.push(LogLine::new(Level::Info, msg));
    }

    pub fn warn(&mut self, msg: impl Into<String>) {
        self.log.push(LogLine::new(Level::Warning, msg));
    }

    /// Reads the configuration from the first source that has one.
    ///
    /// # Errors
    /// No source has one.
    pub fn load(&mut self, source: &Source<'_>, settings: Settings) -> Result<Editing, Trouble> {
        let logs_the_version = settings.release.logs_the_version();
        if !settings.release.asks_for_a_dump() {
            self.info(match self.files.exists(&self.on_node(source.main)) {
                true => format!("Loading config from {}", source.main),
                false => "Config file does not exist; using empty config".into(),
            });
        }
        let table =
            self.first_of(source).map_err(|why| Trouble::Error(format!("failed to load config: {why}")))?;
        let main = self.file(source.main).ok();
        let editing = Editing::new(settings, table, main)?;
        if logs_the_version {
            self.info(format!("Using config version {}", editing.version()));
            self.info(format!("Using CRI runtime plugin name {}", quote(editing.section())));
        }
        Ok(editing)
    }

    fn first_of(&self, source: &Source<'_>) -> Result<Table, String> {
        if source.from.is_empty() {
            return Ok(Table::default());
        }
        let mut errors = Vec::new();
        for from in &source.from {
            let found = match from.split_once('=').unwrap_or((from, "")) {
                ("command", _) => self.dump(source),
                ("file", "") => self.file(source.main),
                ("file", path) => self.file(path),
                _ => return Err(format!("unsupported config source {}", quote(from))),
            };
            match found {
                Ok(table) => return Ok(table),
                Err(why) => errors.push(why),
            }
        }
        Err(errors.join("\n"))
    }

    /// What a fresh containerd prints of the files. It reads its default path, whatever the toolkit edits.
    fn dump(&self, source: &Source<'_>) -> Result<Table, String> {
        let program = if source.executable.is_empty() { "containerd" } else { source.executable };
        // k3s keeps its containerd elsewhere than on the search path.
        let on_path = self.node.supervisor() != Supervisor::K3s;
        let dumped = on_path.then(|| self.node.dump_of(&self.files, MAIN));
        let exit = dumped.as_ref().map_or(NOT_FOUND, |dumped| dumped.run.exit);
        let Some(dumped) = dumped.filter(|dumped| dumped.run.exit == 0) else {
            let (command, words) = match source.host_root {
                "" | "/" => (program.to_string(), "config dump".to_string()),
                root => ("chroot".into(), format!("{root} {program} config dump")),
            };
            return Err(format!("failed to run command {command} [{words}]: exit status {exit}"));
        };
        dumped.table()
    }

    /// A file; one that is missing counts as empty.
    fn file(&self, path: &str) -> Result<Table, String> {
        match self.files.read(&self.on_node(path)) {
            Ok(bytes) => table(&bytes),
            Err(FileError::NotFound) => Ok(Table::default()),
            Err(why @ FileError::IsDirectory) => Err(format!("read {path}: {why}")),
            Err(why) => Err(format!("open {path}: {why}")),
        }
    }

    /// Writes an edit: the file with the handlers first, then the main file. The number is that of the bytes of the first.
    ///
    /// # Errors
    /// A file cannot be written, or one that is to be emptied is not there; what was written before that stays.
    pub fn save(&mut self, editing: &mut Editing, target: &str, main: &str) -> Result<usize, Trouble> {
        let written = editing.written();
        let bytes = written.as_ref().map_or(0, String::len);
        self.put(target, written)?;
        if let Some(text) = editing.main_written() {
            self.put(main, text?).map_err(|why| why.after("failed to save top-level config: "))?;
        }
        Ok(bytes)
    }

    fn put(&mut self, path: &str, written: Written) -> Result<(), Trouble> {
        let result = match written {
            None => self
                .edit(FileEdit::Remove(self.on_node(path)))
                .map_err(|why| format!("unable to remove empty file: remove {path}: {why}")),
            Some(text) => {
                let on_node = self.on_node(path);
                let folders = missing_folders(&self.files, &on_node);
                let made = folders.into_iter().try_for_each(|folder| self.edit(folder));
                made.and_then(|()| self.edit(FileEdit::write(on_node, text)))
                    .map_err(|why| format!("unable to open {path} for writing: open {path}: {why}"))
            }
        };
        result.map_err(Trouble::Error)
    }

    /// Removes a file; false where there was none.
    pub fn remove(&mut self, path: &str) -> bool {
        self.edit(FileEdit::Remove(self.on_node(path))).is_ok()
    }

    fn edit(&mut self, edit: FileEdit) -> Result<(), FileError> {
        Arc::make_mut(&mut self.files).edit(&edit, self.now_ms)?;
        self.edits.push(edit);
        Ok(())
    }
}

impl Trouble {
    /// The same trouble, with words before it.
    pub fn after(self, words: &str) -> Self {
        match self {
            Self::Error(why) => Self::Error(format!("{words}{why}")),
            Self::Panic => Self::Panic,
        }
    }
}

fn table(bytes: &[u8]) -> Result<Table, String> {
    parse(FileId::default(), bytes).map_err(|error| match error.reported {
        Some(at) => format!("({}, {}): {}", at.line, at.column, error.message),
        None => error.message,
    })
}
