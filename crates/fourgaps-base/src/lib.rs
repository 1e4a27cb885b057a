//! The ground that every other room stands on: places in files, a node's files, dates.
//! Knows nothing of containerd, and does no input or output.

mod as_text;
mod civil;
mod files;
mod gather;
mod place;

pub use civil::{Civil, MONTHS};
pub use files::{Entry, FileEdit, FileError, FileTree, Files, Kind, clean, join, parent};
pub use gather::{in_order, map_of, set_of};
pub use place::{FileId, Place, Pos};
