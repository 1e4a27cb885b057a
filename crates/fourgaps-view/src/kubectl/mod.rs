//! What kubectl 1.34 prints.

mod age;
mod completed;
mod daemonset;
mod describe;
mod describe_node;
mod describe_other;
mod describe_pod;
mod diff;
mod explain;
mod json;
pub mod jsonpath;
mod manifest;
mod node;
mod other;
mod pod;
pub mod rollout;
mod table;
mod tabs;
mod template;
mod workload;
mod yaml;

pub use age::age;
pub use completed::completed;
pub use daemonset::{DAEMONSET_COLUMNS, daemonset_cells, label_text};
pub use describe_other::described;
pub use diff::diff;
pub use explain::{NotExplained, explained};
pub use json::json;
pub use manifest::{list, manifest, moment_text};
pub use other::{cells_of, event_of, events_of, kind_columns};
pub use pod::{POD_COLUMNS, POD_WIDE, PodRow};
pub use table::{Table, Widths, columns};
pub use template::template_text;
pub use yaml::yaml;
