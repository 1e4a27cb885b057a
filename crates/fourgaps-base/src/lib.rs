//! The ground that every other room stands on: places in files and a node's files.
//! Knows nothing of containerd, and does no input or output.

mod files;
mod own_toml;
mod place;

pub use files::{FileError, FileTree, Files, clean, join, parent};
pub use own_toml::read_toml;
pub use place::{FileId, Place, Pos};
