//! `fourgaps upgrade`: what another version would make of the same files.

use super::{Trouble, disk, version};
use crate::args::{Format, Upgrade};
use crate::paint;
use fourgaps_view::UpgradeView;
use std::io::Write;

/// Prints the comparison; status 1 where the node would lose a handler, its CRI plugin, or not start.
pub fn run(given: &Upgrade, out: &mut dyn Write) -> Result<u8, Trouble> {
    let (from, to) = (version(&given.from)?, version(&given.to)?);
    let view = UpgradeView::of(from, to, &disk(&given.root)?, &given.config);
    match given.format {
        Format::Text => out.write_all(view.text(paint::for_stdout()).as_bytes())?,
        Format::Json => super::write_json(out, &view)?,
    }
    Ok(u8::from(view.harmful))
}
