//! What kubectl 1.34 prints.

mod age;
mod daemonset;
mod pod;
pub mod rollout;
mod table;

pub use age::age;
pub use daemonset::{DAEMONSET_COLUMNS, daemonset_cells};
pub use pod::{POD_COLUMNS, POD_WIDE, PodRow};
pub use table::{Table, columns};
