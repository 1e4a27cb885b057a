//! How containerd puts its configuration together: imports, merge, schema, dump text, origins.
//! Never asks the clock, the disk or a process: it gets files as a value and gives a value back.

mod load;
mod run;
pub mod schema;
pub mod toml;
mod version;

pub use load::{Request, dump};
pub use run::{DumpRun, Fault, Handler, Hidden, LoadedFile, NamedPlugin, Rule, Unread};
pub use version::Version;
