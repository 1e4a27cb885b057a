//! Loading: the queue of imports, the merge, the checks.

use crate::{DumpRun, Version};
use fourgaps_base::Files;
use std::collections::BTreeSet;

/// What is to be loaded.
pub struct Request<'a> {
    /// The containerd version that loads.
    pub version: &'a Version,
    /// The node's disk.
    pub files: &'a dyn Files,
    /// The main file, usually `/etc/containerd/config.toml`.
    pub main: &'a str,
    /// Imported files that are to be passed over, as if no pattern named them.
    pub leave_out: BTreeSet<String>,
}

/// What a fresh process of this version would load and print.
pub fn dump(_request: &Request<'_>) -> DumpRun {
    DumpRun::default()
}
