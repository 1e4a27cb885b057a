//! Changes of a node's files.

use fourgaps_base::{FileError, FileTree, Files, parent};
use serde::{Deserialize, Serialize};

/// A change of a node's files; paths are absolute.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Edit {
    /// Makes a file or replaces its bytes; the folders above it are made.
    Write(String, Vec<u8>),
    /// Removes a file.
    Remove(String),
    /// Makes a folder.
    MakeFolder(String),
    /// Moves the first path to the second, over a file that is there.
    Rename(String, String),
}

impl Edit {
    /// A file with this text.
    pub fn write(path: impl Into<String>, text: impl Into<String>) -> Self {
        Self::Write(path.into(), text.into().into_bytes())
    }

    /// Why this change cannot be made.
    pub(crate) fn refusal(&self, files: &FileTree) -> Option<FileError> {
        match self {
            Self::Write(path, _) => files.read(path).err().filter(|why| *why != FileError::NotFound),
            Self::Remove(path) | Self::Rename(path, _) => files.read(path).err(),
            Self::MakeFolder(path) => {
                files.read(parent(path)).err().filter(|why| *why == FileError::NotADirectory)
            }
        }
    }

    /// Makes the change; one that cannot be made changes nothing.
    pub(crate) fn make(&self, files: &mut FileTree) {
        match self {
            Self::Write(path, bytes) => files.write(path, bytes.clone()),
            Self::Remove(path) => {
                files.remove(path);
            }
            Self::MakeFolder(path) => files.make_folder(path),
            Self::Rename(from, to) => {
                let moved = files.read(from).map(|bytes| bytes.into_owned());
                if let Ok(bytes) = moved {
                    files.remove(from);
                    files.write(to, bytes);
                }
            }
        }
    }
}
