//! What people see: plain copies of the state with a face. Every view is built from a load and knows its own text.
//! Never changes anything, and never invents a field.

mod ablate;
pub mod cluster;
mod columns;
pub mod containerd;
pub mod crictl;
pub mod ctr;
pub mod difference;
mod drawn;
mod explain;
mod json;
mod loaded;
mod moment;
mod next_start;
mod places;
mod printed;
mod surprise;
pub mod systemd;
mod text;
mod upgrade;

pub mod kubectl;

pub use ablate::{AblatePlan, AblateRow, AblateView, LeaveOut};
pub use explain::{ExplainView, FileRow, HandlerRow, HiddenRow, PluginRow, StartedRow, Surprise, ValueRow};
pub use loaded::{ASKED, ConditionRow, LoadedView, SandboxRow};
pub use next_start::{DumpLine, FaultView, NextStartView};

pub use printed::{Asked, Printed, Stamp};
pub use surprise::differences;
pub use text::{Paint, Plain};
pub use upgrade::{Cause, Change, HandlerChange, KeyValue, UpgradeView, What};

pub(crate) use places::{Places, file_name};

use serde::Serialize;

/// Where a value was written, for showing; an absent source means *default*.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Source {
    /// Absolute path of the file.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

/// A path of keys as TOML writes it: dotted, quoted where needed.
pub fn key_text(path: &[String]) -> String {
    let keys: Vec<String> = path.iter().map(|key| fourgaps_config::toml::v1::print::key_text(key)).collect();
    keys.join(".")
}

impl std::fmt::Display for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}
