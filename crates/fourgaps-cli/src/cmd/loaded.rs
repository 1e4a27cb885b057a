//! `fourgaps loaded`: what a process started on a node's files would be.

use super::{Trouble, open};
use crate::args::Node;
use fourgaps_config::daemon::Machine;
use fourgaps_view::LoadedView;
use std::io::Write;

/// Prints the process as TOML; status 1 where it would not run.
pub fn run(node: &Node, out: &mut dyn Write) -> Result<u8, Trouble> {
    let (version, disk) = open(node)?;
    let view = LoadedView::of(version, &disk, &node.config, &Machine::recorded());
    out.write_all(view.text().as_bytes())?;
    Ok(u8::from(!view.booted))
}
