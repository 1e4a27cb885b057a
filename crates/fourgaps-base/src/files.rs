//! A node's files as plain values, and the few questions that loading asks of them.

use crate::kept_variants;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Bound::{Included, Unbounded};
use std::sync::Arc;

/// Why a file could not be read; each kind has the operating system's own words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileError {
    /// No such file or directory.
    NotFound,
    /// The path is a folder.
    IsDirectory,
    /// A part of the path is a file.
    NotADirectory,
    /// The reader may not open it.
    PermissionDenied,
    /// Something has this path already.
    Exists,
    /// The folder still holds something.
    NotEmpty,
    /// Links lead to links without an end.
    TooManyLinks,
    /// Anything else, in the words of the host.
    Other(String),
}

impl std::fmt::Display for FileError {
    /// The words of Go's `syscall.Errno`, those of `strerror` in small letters.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::NotFound => "no such file or directory",
            Self::IsDirectory => "is a directory",
            Self::NotADirectory => "not a directory",
            Self::PermissionDenied => "permission denied",
            Self::Exists => "file exists",
            Self::NotEmpty => "directory not empty",
            Self::TooManyLinks => "too many levels of symbolic links",
            Self::Other(why) => why,
        })
    }
}

/// What loading asks of a node's disk. Paths are absolute, with `/` between parts.
///
/// Two hosts differ: [`FileTree`] in the lab, and the real disk under a root folder in the command line.
pub trait Files {
    /// Reads a whole file.
    ///
    /// # Errors
    /// Says why the file cannot be read.
    fn read(&self, path: &str) -> Result<Cow<'_, [u8]>, FileError>;
    /// Names in a folder in byte order; `None` where it is no folder or cannot be listed.
    fn list(&self, folder: &str) -> Option<Vec<String>>;
    /// True where something has this path.
    fn exists(&self, path: &str) -> bool;
}

/// What lies at a path of a [`FileTree`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A file with its bytes.
    File(Arc<Vec<u8>>),
    /// A folder.
    Folder,
    /// A symbolic link with the path that it names, as it was written.
    Link(String),
}

/// A file, folder or link with its mode bits and the time of its last change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What it is.
    pub kind: Kind,
    /// The permission bits: 0o644 for a new file, 0o755 for a folder, 0o777 for a link.
    pub mode: u32,
    /// When it changed last, in milliseconds of virtual time; before the start of the clock it is negative.
    pub changed_ms: i64,
}

/// One change of a disk. Paths are absolute; parent folders must exist, as for a program on a real disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileEdit {
    /// Makes a file or replaces its bytes.
    Write(String, Vec<u8>),
    /// Adds bytes at the end of a file, or makes it.
    Append(String, Vec<u8>),
    /// Removes a file, a link or an empty folder.
    Remove(String),
    /// Makes a folder.
    MakeFolder(String),
    /// Moves the first path to the second, over a file that is there.
    Rename(String, String),
    /// Sets the permission bits.
    Chmod(String, u32),
    /// Makes a link at the first path that names the second.
    Link(String, String),
    /// Sets the time of the last change, in milliseconds of virtual time.
    Touch(String, i64),
}

kept_variants!(FileEdit {
    "write" => Write(path, bytes),
    "append" => Append(path, bytes),
    "remove" => Remove(path),
    "make_folder" => MakeFolder(path),
    "rename" => Rename(from, to),
    "chmod" => Chmod(path, mode),
    "link" => Link(path, target),
    "touch" => Touch(path, at_ms),
});

impl FileEdit {
    /// A file with this text.
    pub fn write(path: impl Into<String>, text: impl Into<String>) -> Self {
        Self::Write(path.into(), text.into().into_bytes())
    }
}

/// Links that one look-up follows before it gives up, as Linux does.
const MOST_LINKS: u32 = 40;

/// The files of a simulated node. Folders are there where something lies below them.
///
/// Copies share paths and entries: a long run keeps one disk of every start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileTree {
    entries: BTreeMap<Arc<str>, Arc<Entry>>,
}

impl FileTree {
    /// An empty disk.
    pub fn new() -> Self {
        Self::default()
    }

    /// Writes a file, making the folders above it.
    pub fn write(&mut self, path: &str, bytes: impl Into<Vec<u8>>) {
        let path = self.real(path, true).unwrap_or_else(|_| clean(path));
        self.make_folder(parent(&path));
        self.put(path, Kind::File(Arc::new(bytes.into())), 0);
    }

    /// Makes a folder and those above it.
    pub fn make_folder(&mut self, path: &str) {
        let path = clean(path);
        let mut at = path.as_str();
        while !self.is_folder(at) {
            self.put(at.to_string(), Kind::Folder, 0);
            at = parent(at);
        }
    }

    /// Removes a file or link; false where there was none.
    pub fn remove(&mut self, path: &str) -> bool {
        let path = self.real(path, false).unwrap_or_else(|_| clean(path));
        !self.is_folder(&path) && self.entries.remove(path.as_str()).is_some()
    }

    /// The text of a file, with bytes that are not UTF-8 replaced for showing.
    pub fn text(&self, path: &str) -> Option<Cow<'_, str>> {
        match &self.entry(&self.real(path, true).ok()?)?.kind {
            Kind::File(bytes) => Some(String::from_utf8_lossy(bytes)),
            _ => None,
        }
    }

    /// Every file in path order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.entries.iter().filter_map(|(path, entry)| match &entry.kind {
            Kind::File(bytes) => Some((&**path, bytes.as_slice())),
            _ => None,
        })
    }

    /// What lies at exactly this clean path; no link is followed, and `/` has no entry.
    pub fn entry(&self, path: &str) -> Option<&Entry> {
        self.entries.get(path).map(Arc::as_ref)
    }

    /// The path without links. The last part may be missing, and is followed only where `follow_last`.
    ///
    /// # Errors
    /// A part on the way is missing or a file, or the links go round in a circle.
    pub fn real(&self, path: &str, follow_last: bool) -> Result<String, FileError> {
        let mut path = clean(path);
        let mut links = 0;
        let mut at = 1;
        while at < path.len() {
            let end = path[at..].find('/').map_or(path.len(), |slash| at + slash);
            let last = end == path.len();
            match self.entry(&path[..end]).map(|entry| &entry.kind) {
                Some(Kind::Link(target)) if follow_last || !last => {
                    links += 1;
                    if links > MOST_LINKS {
                        return Err(FileError::TooManyLinks);
                    }
                    let from = if target.starts_with('/') { "/" } else { parent(&path[..end]) };
                    path = clean(&format!("{from}/{target}/{}", &path[end..]));
                    at = 1;
                    continue;
                }
                Some(Kind::File(_)) if !last => return Err(FileError::NotADirectory),
                None if !last => return Err(FileError::NotFound),
                _ => {}
            }
            at = end + 1;
        }
        Ok(path)
    }

    /// Makes one change at this time, by the rules of a Linux disk for root.
    ///
    /// # Errors
    /// Says why the disk refuses; then nothing has changed.
    pub fn edit(&mut self, edit: &FileEdit, now_ms: u64) -> Result<(), FileError> {
        let now_ms = i64::try_from(now_ms).unwrap_or(i64::MAX);
        match edit {
            FileEdit::Write(path, bytes) => {
                let path = self.place_for_file(path)?;
                self.put(path, Kind::File(Arc::new(bytes.clone())), now_ms);
            }
            FileEdit::Append(path, more) => {
                let path = self.place_for_file(path)?;
                match self.entries.get_mut(path.as_str()).map(Arc::make_mut) {
                    Some(Entry { kind: Kind::File(bytes), changed_ms, .. }) => {
                        Arc::make_mut(bytes).extend_from_slice(more);
                        *changed_ms = now_ms;
                    }
                    _ => self.put(path, Kind::File(Arc::new(more.clone())), now_ms),
                }
            }
            FileEdit::Remove(path) => {
                let path = self.real(path, false)?;
                if self.entry(&path).is_some() && self.below(&path).next().is_some() {
                    return Err(FileError::NotEmpty);
                }
                self.entries.remove(path.as_str()).ok_or(FileError::NotFound)?;
            }
            FileEdit::MakeFolder(path) => {
                let path = self.free_place(path)?;
                self.put(path, Kind::Folder, now_ms);
            }
            FileEdit::Link(path, target) => {
                let path = self.free_place(path)?;
                self.put(path, Kind::Link(target.clone()), now_ms);
            }
            FileEdit::Rename(from, to) => self.rename(from, to)?,
            FileEdit::Chmod(path, mode) => self.existing(path)?.mode = mode & 0o7777,
            FileEdit::Touch(path, at_ms) => self.existing(path)?.changed_ms = *at_ms,
        }
        Ok(())
    }

    fn rename(&mut self, from: &str, to: &str) -> Result<(), FileError> {
        let (from, to) = (self.real(from, false)?, self.real(to, false)?);
        let moved = self.entry(&from).ok_or(FileError::NotFound)?;
        let is_folder = moved.kind == Kind::Folder;
        if from == to {
            return Ok(());
        }
        match self.entry(&to).map(|entry| &entry.kind) {
            Some(Kind::Folder) if !is_folder => return Err(FileError::IsDirectory),
            Some(Kind::Folder) if self.below(&to).next().is_some() => return Err(FileError::NotEmpty),
            Some(Kind::File(_) | Kind::Link(_)) if is_folder => return Err(FileError::NotADirectory),
            _ if to == "/" || to.starts_with(&format!("{from}/")) => {
                return Err(FileError::Other("invalid argument".into()));
            }
            _ => {}
        }
        let below: Vec<String> = self.below(&from).map(String::from).collect();
        for old in below.into_iter().chain([from.clone()]) {
            if let Some(entry) = self.entries.remove(old.as_str()) {
                self.entries.insert(format!("{to}{}", &old[from.len()..]).into(), entry);
            }
        }
        Ok(())
    }

    /// Everything below a folder, in path order.
    pub fn below<'a>(&'a self, folder: &str) -> impl Iterator<Item = &'a str> + use<'a> {
        let head = if folder == "/" { String::from("/") } else { format!("{folder}/") };
        let from =
            self.entries.range::<str, _>((Included(head.as_str()), Unbounded)).map(|(path, _)| &**path);
        from.take_while(move |path| path.starts_with(&head))
    }

    fn put(&mut self, path: String, kind: Kind, changed_ms: i64) {
        let usual = match kind {
            Kind::File(_) => 0o644,
            Kind::Folder => 0o755,
            Kind::Link(_) => 0o777,
        };
        let same = |old: &&Entry| matches!((&old.kind, &kind), (Kind::File(_), Kind::File(_)));
        let mode = self.entry(&path).filter(same).map_or(usual, |old| old.mode);
        self.entries.insert(path.into(), Arc::new(Entry { kind, mode, changed_ms }));
    }

    fn existing(&mut self, path: &str) -> Result<&mut Entry, FileError> {
        let path = self.real(path, true)?;
        self.entries.get_mut(path.as_str()).map(Arc::make_mut).ok_or(FileError::NotFound)
    }

    fn place_for_file(&self, path: &str) -> Result<String, FileError> {
        let path = self.real(path, true)?;
        if self.is_folder(&path) { Err(FileError::IsDirectory) } else { Ok(path) }
    }

    fn free_place(&self, path: &str) -> Result<String, FileError> {
        let path = self.real(path, false)?;
        let taken = path == "/" || self.entry(&path).is_some();
        if taken { Err(FileError::Exists) } else { Ok(path) }
    }

    fn is_folder(&self, path: &str) -> bool {
        path == "/" || self.entry(path).is_some_and(|entry| entry.kind == Kind::Folder)
    }
}

impl Files for FileTree {
    fn read(&self, path: &str) -> Result<Cow<'_, [u8]>, FileError> {
        let path = self.real(path, true)?;
        match self.entry(&path).map(|entry| &entry.kind) {
            Some(Kind::File(bytes)) => Ok(Cow::Borrowed(bytes)),
            Some(_) => Err(FileError::IsDirectory),
            None if path == "/" => Err(FileError::IsDirectory),
            None => Err(FileError::NotFound),
        }
    }

    fn list(&self, folder: &str) -> Option<Vec<String>> {
        let folder = self.real(folder, true).ok().filter(|path| self.is_folder(path))?;
        let head = if folder == "/" { 1 } else { folder.len() + 1 };
        let names = self.below(&folder).map(|path| &path[head..]);
        Some(names.filter(|name| !name.contains('/')).map(String::from).collect())
    }

    fn exists(&self, path: &str) -> bool {
        self.real(path, true).is_ok_and(|path| path == "/" || self.entry(&path).is_some())
    }
}

/// Shortens a path by the rules of Go's `filepath.Clean`: no doubled `/`, no `.`, `..` resolved.
pub fn clean(path: &str) -> String {
    let absolute = path.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|p| *p != "..") => {
                parts.pop();
            }
            ".." if absolute => {}
            part => parts.push(part),
        }
    }
    match (absolute, parts.is_empty()) {
        (true, _) => format!("/{}", parts.join("/")),
        (false, true) => String::from("."),
        (false, false) => parts.join("/"),
    }
}

/// Joins a folder and a relative path by the rules of Go's `filepath.Join`.
pub fn join(folder: &str, path: &str) -> String {
    clean(&format!("{folder}/{path}"))
}

/// The folder that holds a clean absolute path; `/` holds itself.
pub fn parent(path: &str) -> &str {
    match path.rfind('/') {
        None => ".",
        Some(0) => "/",
        Some(at) => &path[..at],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clean_follows_go() {
        for (given, wanted) in [
            ("", "."),
            ("/", "/"),
            ("//a//b/", "/a/b"),
            ("/a/../b", "/b"),
            ("/../a", "/a"),
            ("a/../../b", "../b"),
            ("./a/.", "a"),
            ("/a/./b/..", "/a"),
        ] {
            assert_eq!(clean(given), wanted, "{given:?}");
        }
    }

    #[test]
    fn a_tree_answers_like_a_disk() {
        let mut tree = FileTree::new();
        tree.write("/etc/containerd/conf.d/b.toml", "b");
        tree.write("/etc/containerd/config.toml", "c");
        tree.make_folder("/etc/containerd/empty");
        assert_eq!(tree.read("/etc/containerd/conf.d").unwrap_err(), FileError::IsDirectory);
        assert_eq!(tree.read("/etc/containerd/config.toml/x").unwrap_err(), FileError::NotADirectory);
        assert_eq!(tree.read("/etc/none").unwrap_err(), FileError::NotFound);
        assert_eq!(tree.list("/etc/containerd").unwrap(), ["conf.d", "config.toml", "empty"]);
        assert_eq!(tree.list("/etc/containerd/config.toml"), None);
    }

    #[test]
    fn an_edit_is_made_or_refused_whole() {
        use FileEdit::{Append, Chmod, Link, MakeFolder, Remove, Rename, Write};
        let p = String::from;
        let mut tree = FileTree::new();
        tree.write("/d/f", "1");
        tree.make_folder("/e");
        let refused = [
            (Write(p("/no/f"), vec![]), FileError::NotFound),
            (Write(p("/d"), vec![]), FileError::IsDirectory),
            (Write(p("/d/f/x"), vec![]), FileError::NotADirectory),
            (MakeFolder(p("/d")), FileError::Exists),
            (Link(p("/"), p("x")), FileError::Exists),
            (Remove(p("/d")), FileError::NotEmpty),
            (Remove(p("/d/none")), FileError::NotFound),
            (Rename(p("/d"), p("/d/x")), FileError::Other("invalid argument".into())),
            (Rename(p("/d/f"), p("/e")), FileError::IsDirectory),
            (Rename(p("/e"), p("/d/f")), FileError::NotADirectory),
            (Chmod(p("/none"), 0o700), FileError::NotFound),
        ];
        let before = tree.clone();
        for (edit, why) in refused {
            assert_eq!(tree.edit(&edit, 9), Err(why), "{edit:?}");
            assert_eq!(tree, before, "{edit:?}");
        }
        let made = [
            Link(p("/l"), p("d")),
            Append(p("/l/f"), b"2".to_vec()),
            Chmod(p("/l/f"), 0o755),
            Rename(p("/d"), p("/g")),
        ];
        made.iter().for_each(|edit| tree.edit(edit, 7).unwrap());
        assert_eq!(
            tree.entry("/g/f"),
            Some(&Entry { kind: Kind::File(Arc::new(b"12".to_vec())), mode: 0o755, changed_ms: 7 })
        );
        assert!(!tree.exists("/l/f") && tree.entry("/l").is_some());
        tree.edit(&Link(p("/a"), p("b")), 0).and_then(|()| tree.edit(&Link(p("/b"), p("a")), 0)).unwrap();
        assert_eq!(tree.read("/a"), Err(FileError::TooManyLinks));
    }
}
