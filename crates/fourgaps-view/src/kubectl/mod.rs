//! What kubectl 1.34 prints.

mod age;
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
pub use daemonset::{DAEMONSET_COLUMNS, daemonset_cells};
pub use describe_node::describe_node;
pub use describe_other::{describe_budget, describe_daemonset, describe_plain, describe_quota};
pub use describe_pod::describe_pod;
pub use diff::diff;
pub use explain::{NotExplained, explained};
pub use json::json;
pub use manifest::{list, manifest, moment_text, of_event};
pub use node::{NODE_COLUMNS, NODE_WIDE, node_cells};
pub use other::{EVENT_COLUMNS, REVISION_COLUMNS, event_cells, plain_cells, plain_columns, revision_cells};
pub use pod::{POD_COLUMNS, POD_WIDE, PodRow};
pub use table::{Table, Widths, columns};
pub use template::template_text;
pub use workload::{describe_deployment, describe_replica_set, describe_service};
pub use yaml::yaml;
