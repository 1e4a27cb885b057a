//! How containerd puts its configuration together: imports, merge, schema, dump text, origins.
//! Never asks the clock, the disk or a process: it gets files as a value and gives a value back.

/// The versions that are built in, oldest first, given to a macro.
macro_rules! with_versions {
    ($list:ident) => {
        $list!("1.6.36" "1.7.27" "2.0.5" "2.1.4" "2.2.5" "2.3.4")
    };
}

mod checks;
pub mod daemon;
mod dump;
pub mod duration;
mod glob;
mod load;
mod merge;
mod migrate;
mod read;
mod rules;
mod run;
pub mod schema;
pub mod toml;
pub mod tools;
mod unread;
mod version;

pub use dump::{defaults, dump, dump_of_started, migrate};
pub use load::Request;
pub use read::{Fields, Misread, Read, kind_of, read_toml};
pub use run::{DumpRun, EmptyPattern, Fault, Handler, Hidden, LoadedFile, NamedPlugin, Rule, Unread};
pub use version::Version;
