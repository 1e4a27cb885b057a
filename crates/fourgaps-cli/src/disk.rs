//! The real disk below a folder, seen as a node's disk. Links stay inside the folder, as for a process in that root.

use fourgaps_base::{FileError, Files, clean, join, parent};
use std::borrow::Cow;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// How many links one path may lead through, as on Linux.
const MOST_LINKS: usize = 40;

/// A folder that is the root of a node's disk.
pub struct Disk {
    root: PathBuf,
}

impl Disk {
    /// The disk below a folder.
    pub fn under(root: &Path) -> Self {
        Self { root: root.into() }
    }

    fn real(&self, path: &str) -> PathBuf {
        self.root.join(path.trim_start_matches('/'))
    }

    /// Follows links part by part, so that an absolute link starts again at this root.
    fn resolve(&self, path: &str) -> io::Result<PathBuf> {
        let mut left: Vec<String> = parts(path);
        let mut done = String::from("/");
        let mut links = 0;
        while let Some(part) = left.pop() {
            if part == ".." {
                done = parent(&done).to_string();
                continue;
            }
            let next = join(&done, &part);
            match std::fs::read_link(self.real(&next)) {
                Ok(target) => {
                    links += 1;
                    if links > MOST_LINKS {
                        return Err(io::Error::other("too many levels of symbolic links"));
                    }
                    let target = target.to_string_lossy().into_owned();
                    if target.starts_with('/') {
                        done = String::from("/");
                    }
                    left.extend(parts(&target));
                }
                Err(_) => done = next,
            }
        }
        Ok(self.real(&done))
    }
}

/// The parts of a path, last first, so that they can be popped.
fn parts(path: &str) -> Vec<String> {
    path.split('/').rev().filter(|part| !part.is_empty() && *part != ".").map(String::from).collect()
}

impl Files for Disk {
    fn read(&self, path: &str) -> Result<Cow<'_, [u8]>, FileError> {
        let real = self.resolve(path).map_err(|e| why(&e))?;
        std::fs::read(real).map(Cow::Owned).map_err(|e| why(&e))
    }

    fn list(&self, folder: &str) -> Option<Vec<String>> {
        let real = self.resolve(folder).ok()?;
        let entries = std::fs::read_dir(real).ok()?;
        let mut names: Vec<String> =
            entries.filter_map(|e| e.ok()?.file_name().into_string().ok()).collect();
        names.sort_unstable();
        Some(names)
    }

    fn exists(&self, path: &str) -> bool {
        let path = clean(path);
        self.resolve(parent(&path)).is_ok_and(|folder| {
            let name = path.rsplit('/').next().unwrap_or_default();
            std::fs::symlink_metadata(folder.join(name)).is_ok()
        })
    }
}

/// The kinds that have words of their own in Go; the rest in the system's words, small as Go writes them.
fn why(error: &io::Error) -> FileError {
    match error.kind() {
        ErrorKind::NotFound => FileError::NotFound,
        ErrorKind::PermissionDenied => FileError::PermissionDenied,
        ErrorKind::IsADirectory => FileError::IsDirectory,
        ErrorKind::NotADirectory => FileError::NotADirectory,
        _ => {
            let text = error.to_string();
            let text = text.split(" (os error").next().unwrap_or(&text);
            FileError::Other(text.to_lowercase())
        }
    }
}
