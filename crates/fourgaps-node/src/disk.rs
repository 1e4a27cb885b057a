//! Changes of a node's files.

use fourgaps_base::{FileError, FileTree, Files, parent};
use serde::{Deserialize, Serialize};

/// A change of a node's files; paths are absolute.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Edit {
    /// A file has these bytes now; the folders above it are made.
    Write {
        /// Where.
        path: String,
        /// The whole content.
        bytes: Vec<u8>,
    },
    /// A file is gone.
    Remove {
        /// Where it was.
        path: String,
    },
    /// A folder is there.
    MakeFolder {
        /// Where.
        path: String,
    },
    /// A file has another path.
    Rename {
        /// Where it was.
        from: String,
        /// Where it is.
        to: String,
    },
}

impl Edit {
    /// A file with this text.
    pub fn write(path: impl Into<String>, text: impl Into<String>) -> Self {
        Self::Write { path: path.into(), bytes: text.into().into_bytes() }
    }

    /// Why this change cannot be made.
    pub fn refusal(&self, files: &FileTree) -> Option<FileError> {
        match self {
            Self::Write { path, .. } => files.read(path).err().filter(|why| *why != FileError::NotFound),
            Self::Remove { path } | Self::Rename { from: path, .. } => files.read(path).err(),
            Self::MakeFolder { path } => {
                files.read(parent(path)).err().filter(|why| *why == FileError::NotADirectory)
            }
        }
    }

    /// Makes the change; one that cannot be made changes nothing.
    pub fn make(&self, files: &mut FileTree) {
        match self {
            Self::Write { path, bytes } => files.write(path, bytes.clone()),
            Self::Remove { path } => {
                files.remove(path);
            }
            Self::MakeFolder { path } => files.make_folder(path),
            Self::Rename { from, to } => {
                let moved = files.read(from).map(|bytes| bytes.into_owned());
                if let Ok(bytes) = moved {
                    files.remove(from);
                    files.write(to, bytes);
                }
            }
        }
    }
}
