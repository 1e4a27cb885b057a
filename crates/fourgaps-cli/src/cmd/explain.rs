//! `fourgaps explain`: where every value comes from.

use super::{Trouble, open_existing};
use crate::args::{Explain, Format};
use crate::paint;
use fourgaps_config::daemon::start;
use fourgaps_config::{Request, dump};
use fourgaps_view::ExplainView;
use std::io::Write;

/// Prints the explanation; status 1 where a fresh process would refuse the files.
pub fn run(given: &Explain, out: &mut dyn Write) -> Result<u8, Trouble> {
    let (version, disk) = open_existing(&given.node)?;
    let request = Request::new(version, &disk, &given.node.config);
    let run = dump(&request);
    let mut view = ExplainView::from_run(&request, &run);
    view.beside(&request, &run, &start(&request));
    if let Some(key) = &given.key {
        view.narrow(&run, key);
        if view.values.is_empty() && view.lost.is_empty() && run.fault.is_none() {
            return Err(Trouble::Use(format!(
                "no key {key} in this dump; quote a plugin as plugins.\"NAME\""
            )));
        }
    }
    match given.format {
        Format::Text => out.write_all(view.text(paint::for_stdout()).as_bytes())?,
        Format::Json => super::write_json(out, &view)?,
    }
    out.flush()?;
    for line in &run.stderr {
        eprintln!("{line}");
    }
    Ok(u8::from(run.exit != 0))
}
