//! A node's files as plain values, and the few questions that loading asks of them.

use std::borrow::Cow;
use std::collections::BTreeMap;

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
    /// Anything else, in the words of the host.
    Other(String),
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

/// The files of a simulated node: absolute clean path to bytes. Folders exist where a file lies below them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileTree {
    files: BTreeMap<String, Vec<u8>>,
    folders: std::collections::BTreeSet<String>,
}

impl FileTree {
    /// An empty disk.
    pub fn new() -> Self {
        Self::default()
    }

    /// Writes a file, making the folders above it.
    pub fn write(&mut self, path: &str, bytes: impl Into<Vec<u8>>) {
        let path = clean(path);
        let mut up = parent(&path);
        while up != "/" {
            self.folders.insert(up.to_string());
            up = parent(up);
        }
        self.files.insert(path, bytes.into());
    }

    /// Makes an empty folder.
    pub fn make_folder(&mut self, path: &str) {
        self.folders.insert(clean(path));
    }

    /// Removes a file; false where there was none.
    pub fn remove(&mut self, path: &str) -> bool {
        self.files.remove(&clean(path)).is_some()
    }

    /// The text of a file, with bytes that are not UTF-8 replaced for showing.
    pub fn text(&self, path: &str) -> Option<Cow<'_, str>> {
        self.files.get(&clean(path)).map(|b| String::from_utf8_lossy(b))
    }

    /// Every file in path order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.files.iter().map(|(p, b)| (p.as_str(), b.as_slice()))
    }

    fn is_folder(&self, path: &str) -> bool {
        path == "/" || self.folders.contains(path)
    }
}

impl Files for FileTree {
    fn read(&self, path: &str) -> Result<Cow<'_, [u8]>, FileError> {
        let path = clean(path);
        if let Some(bytes) = self.files.get(&path) {
            return Ok(Cow::Borrowed(bytes));
        }
        if self.is_folder(&path) {
            return Err(FileError::IsDirectory);
        }
        let mut up = parent(&path);
        while up != "/" {
            if self.files.contains_key(up) {
                return Err(FileError::NotADirectory);
            }
            up = parent(up);
        }
        Err(FileError::NotFound)
    }

    fn list(&self, folder: &str) -> Option<Vec<String>> {
        let folder = clean(folder);
        if !self.is_folder(&folder) {
            return None;
        }
        let head = if folder == "/" { String::from("/") } else { format!("{folder}/") };
        let names = self.files.keys().chain(self.folders.iter());
        let found = names
            .filter_map(|p| p.strip_prefix(&head))
            .filter_map(|rest| rest.split('/').next())
            .filter(|name| !name.is_empty())
            .map(String::from);
        Some(crate::set_of(found).into_iter().collect())
    }

    fn exists(&self, path: &str) -> bool {
        let path = clean(path);
        self.files.contains_key(&path) || self.is_folder(&path)
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
}
