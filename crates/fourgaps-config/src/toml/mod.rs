//! TOML as containerd reads it: two generations of one Go library, with different rules and messages.
//! Both give the same tree. Knows TOML, and nothing of containerd.

mod go_text;
mod node;
mod printable;
pub mod v1;

pub use node::{Kind, Node, Table, TimeKind, TomlError};
