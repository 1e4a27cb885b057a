//! What kubectl 1.34 prints.

mod age;
mod daemonset;
pub mod describe;
pub mod message;
mod node;
mod others;
mod pod;
pub mod rollout;
mod table;

pub use age::age;
pub use daemonset::{DAEMONSET_COLUMNS, daemonset_cells};
pub use node::{NODE_COLUMNS, node_cells};
pub use others::{
    EVENT_COLUMNS, PDB_COLUMNS, QUOTA_COLUMNS, REVISION_COLUMNS, RUNTIME_CLASS_COLUMNS, event_cells,
    pdb_cells, quota_cells, revision_cells, runtime_class_cells,
};
pub use pod::{POD_COLUMNS, POD_WIDE, PodRow};
pub use table::{Table, columns, tabbed};
