//! One file per command. A command writes its answer and gives its exit status.

pub mod ablate;
pub mod check;
pub mod completions;
pub mod dump;
pub mod explain;
pub mod loaded;
pub mod upgrade;

use crate::args::Node;
use crate::disk::Disk;
use fourgaps_config::Version;
use std::fmt;
use std::io;
use std::path::Path;

/// What went wrong in the program itself; all of it ends with status 2.
pub enum Trouble {
    /// The answer cannot be written.
    Write(io::Error),
    /// Something was asked that cannot be done.
    Use(String),
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Self {
        Self::Write(error)
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Write(error) => write!(f, "cannot write the answer: {error}"),
            Self::Use(why) => f.write_str(why),
        }
    }
}

/// The version and the disk that a command speaks of. A root that is not there is a disk without files.
///
/// # Errors
/// The version is not built in.
pub fn open(node: &Node) -> Result<(&'static Version, Disk), Trouble> {
    Ok((version(&node.containerd)?, Disk::under(&node.root)))
}

/// The same for commands that explain: a root that is not there is more likely a slip.
///
/// # Errors
/// The version is not built in, or the root is no folder.
pub fn open_existing(node: &Node) -> Result<(&'static Version, Disk), Trouble> {
    Ok((version(&node.containerd)?, disk(&node.root)?))
}

/// A version by its name.
///
/// # Errors
/// It is not built in.
pub fn version(name: &str) -> Result<&'static Version, Trouble> {
    Version::named(name).ok_or_else(|| Trouble::Use(format!("containerd {name} is not built in")))
}

/// The disk below a folder.
///
/// # Errors
/// There is no such folder.
pub fn disk(root: &Path) -> Result<Disk, Trouble> {
    if root.is_dir() {
        return Ok(Disk::under(root));
    }
    Err(Trouble::Use(format!("--root {}: no such folder", root.display())))
}

/// Writes a view as JSON with a final line end.
fn write_json(out: &mut dyn io::Write, view: &impl serde::Serialize) -> Result<(), Trouble> {
    serde_json::to_writer_pretty(&mut *out, view).map_err(|e| Trouble::Write(e.into()))?;
    writeln!(out)?;
    Ok(())
}
