//! `fourgaps ablate`: the leave-one-out table.

use super::{Trouble, open};
use crate::args::{Ablate, Format};
use crate::paint;
use fourgaps_view::AblateView;
use std::io::Write;

/// Prints the table; status 1 where a fresh process would refuse the files as they are.
pub fn run(given: &Ablate, out: &mut dyn Write) -> Result<u8, Trouble> {
    let (version, disk) = open(&given.node)?;
    let view = AblateView::of(version, &disk, &given.node.config, &given.count);
    match given.format {
        Format::Text => out.write_all(view.text(paint::for_stdout()).as_bytes())?,
        Format::Json => super::write_json(out, &view)?,
    }
    Ok(u8::from(view.rows.first().is_some_and(|row| row.exit != 0)))
}
