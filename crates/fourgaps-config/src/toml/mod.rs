//! TOML as containerd reads it: two generations of one Go library, with different rules and messages.
//! Both give the same tree. Knows TOML, and nothing of containerd.

pub(crate) mod go_text;
mod line;
mod node;
mod printable;
pub mod v1;
pub mod v2;

pub use go_text::quote as go_quoted;
pub use line::Line;
pub use node::{Kind, Node, Table, TimeKind, TomlError};
