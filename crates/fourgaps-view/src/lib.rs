//! What people see: plain copies of the state with a face. Every view is built from a load and knows its own text.
//! Never changes anything, and never invents a field.

mod ablate;
mod explain;
mod next_start;

pub use ablate::{AblateRow, AblateView, LeaveOut};
pub use explain::{ExplainView, FileRow, HandlerRow, HiddenRow, PluginRow, Surprise, ValueRow};
pub use next_start::{DumpLine, FaultView, NextStartView};

use serde::Serialize;

/// Where a value was written, for showing; an absent source means *default*.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Source {
    /// Absolute path of the file.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}
