//! TOML as containerd reads it: two generations of one Go library, with different rules and messages.
//! Both give the same tree. Knows TOML, and nothing of containerd.

mod line;
mod node;
pub mod v1;

pub use line::Line;
pub use node::{Kind, Node, Table, TimeKind, TomlError};
