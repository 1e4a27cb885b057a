//! The ground that every other room stands on: places in files, a node's files, dates, and what saves keep.
//! Knows nothing of containerd, and does no input or output.

mod civil;
pub mod decimal;
mod files;
mod gather;
mod json;
mod kept;
mod place;

pub use civil::{Civil, MONTHS};
pub use files::{Entry, FileEdit, FileError, FileTree, Files, Kind, clean, join, parent};
pub use gather::{in_order, map_of, set_of, sort, sort_by, sort_by_key};
pub use json::Json;
pub use kept::{Held, Kept, Variants, variant_from_json, variant_to_json};
pub use place::{FileId, Place, Pos};
