//! Daemons that were started while the real toolkit came and went: `toolkit/VERSION/RUN` of the recordings.

use crate::answer::MAIN;
use crate::conformance::{Tally, names, on_all_cores, read_into};
use fourgaps_base::FileTree;
use fourgaps_config::daemon::start;
use fourgaps_config::{Request, Version};
use serde::Deserialize;
use std::path::Path;
use std::{fs, io};

/// The files of /etc/containerd at each start of a run.
const FILES: [&str; 3] = ["before", "after-setup", "after-cleanup"];

#[derive(Deserialize)]
struct Story {
    step: Vec<Step>,
}

/// A step; only starts are looked at.
#[derive(Deserialize)]
struct Step {
    #[serde(rename = "do")]
    what: String,
    process: String,
    #[serde(default)]
    loaded_handlers: Vec<String>,
    loaded_default: Option<String>,
    #[serde(default)]
    log: Vec<String>,
}

/// Compares every start of a version that the toolkit's recordings tell; nothing where there are none.
///
/// # Errors
/// Names the file that cannot be read.
pub fn starts(oracle: &Path, version: &'static Version) -> io::Result<Option<Tally>> {
    let home = oracle.join("toolkit").join(version.name());
    if !home.is_dir() {
        return Ok(None);
    }
    let mut told = Vec::new();
    for run in names(&home)? {
        let file = home.join(&run).join("story.toml");
        if !file.is_file() {
            continue;
        }
        let story: Story = toml::from_str(&fs::read_to_string(&file)?)
            .map_err(|error| io::Error::other(format!("{}: {error}", file.display())))?;
        let starts = story.step.into_iter().filter(|step| step.what.starts_with("containerd started"));
        told.extend(FILES.iter().zip(starts).map(|(files, step)| (run.clone(), *files, step)));
    }
    let differs = on_all_cores(&told, |(run, folder, step)| {
        let mut files = FileTree::new();
        let disk = home.join(run).join(folder);
        if disk.is_dir() {
            read_into(&mut files, &disk, "/etc/containerd")?;
        }
        Ok(differs(version, &files, step).map(|why| (format!("{run}, {folder}"), why)))
    })?;
    Ok(Some(Tally { kind: "toolkit", version: version.name().into(), total: told.len(), differs }))
}

fn differs(version: &Version, files: &FileTree, real: &Step) -> Option<String> {
    let ours = start(&Request::new(version, files, MAIN));
    if ours.booted() != (real.process == "running") {
        return Some(format!("booted: {}, real {}", ours.booted(), real.process));
    }
    let last_words = ours.complaints.len().checked_sub(real.log.len()).map(|at| &ours.complaints[at..]);
    if last_words != Some(real.log.as_slice()) {
        return Some(format!("log: {last_words:?}, real {:?}", real.log));
    }
    let mut handlers: Vec<&str> =
        ours.handlers.iter().flatten().map(|handler| handler.name.as_str()).collect();
    handlers.sort_unstable();
    if ours.booted() && handlers != real.loaded_handlers {
        return Some(format!("handlers: {handlers:?}, real {:?}", real.loaded_handlers));
    }
    if real.loaded_default.is_some() && ours.default_handler() != real.loaded_default.as_deref() {
        return Some(format!("default: {:?}, real {:?}", ours.default_handler(), real.loaded_default));
    }
    None
}
