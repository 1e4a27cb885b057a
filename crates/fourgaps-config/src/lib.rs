//! How containerd puts its configuration together: imports, merge, schema, dump text, origins.
//! Never asks the clock, the disk or a process: it gets files as a value and gives a value back.

pub mod schema;
pub mod toml;
