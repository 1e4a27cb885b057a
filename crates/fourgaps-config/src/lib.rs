//! How containerd puts its configuration together: imports, merge, schema, dump text, origins.
//! Never asks the clock, the disk or a process: it gets files as a value and gives a value back.

mod checks;
pub mod daemon;
mod dump;
pub mod duration;
mod glob;
mod load;
mod merge;
mod migrate;
mod rules;
mod run;
pub mod schema;
pub mod toml;
pub mod tools;
mod unread;
mod version;

pub use dump::{defaults, dump, dump_of_started, migrate};
pub use load::Request;
pub use run::{DumpRun, EmptyPattern, Fault, Handler, Hidden, LoadedFile, NamedPlugin, Rule, Unread};
pub use version::Version;
