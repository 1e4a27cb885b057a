//! `fourgaps check`: the gate for authors of scenarios.

use super::Trouble;
use crate::args::Check;
use fourgaps_lab::{CheckReport, PAST_FACTS, Scenario};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

/// Checks every scenario in a folder; status 1 where something is wrong. The recordings lie beside it, in `results`.
pub fn run(given: &Check, out: &mut dyn Write) -> Result<u8, Trouble> {
    let folder = given.scenarios.canonicalize().map_err(|e| trouble(&given.scenarios, &e))?;
    let home = folder.parent().unwrap_or(&folder);
    if given.write_past {
        write_past(&folder)?;
    }
    let mut files = BTreeMap::new();
    collect(&folder, "scenarios", &mut files)?;
    let results = home.join("results");
    if !results.is_dir() {
        let why =
            format!("{}: the recordings are not there; they belong beside the scenarios", results.display());
        return Err(Trouble::Use(why));
    }
    collect(&results, "results", &mut files)?;
    report(&fourgaps_play::check(&files), &given.scenarios, out)
}

fn report(report: &CheckReport, folder: &Path, out: &mut dyn Write) -> Result<u8, Trouble> {
    for lab in &report.scenarios {
        writeln!(
            out,
            "{}: {} goals, {} hints, {} questions from {} recorded cases",
            lab.slug, lab.goals, lab.hints, lab.questions, lab.cases
        )?;
    }
    out.flush()?;
    // Paths as a person can open them from where the command was typed.
    let home = folder.parent().filter(|home| !home.as_os_str().is_empty());
    for fault in &report.faults {
        match home {
            Some(home) => eprintln!("{}/{fault}", home.display()),
            None => eprintln!("{fault}"),
        }
    }
    match report.faults.len() {
        0 => writeln!(out, "every scenario is sound")?,
        1 => eprintln!("1 fault"),
        n => eprintln!("{n} faults"),
    }
    Ok(u8::from(!report.faults.is_empty()))
}

/// Writes what the past of each scenario came to; one that cannot be read is left to the check.
fn write_past(folder: &Path) -> Result<(), Trouble> {
    for entry in std::fs::read_dir(folder).map_err(|e| trouble(folder, &e))? {
        let home = entry.map_err(|e| trouble(folder, &e))?.path();
        let Ok(text) = std::fs::read_to_string(home.join("scenario.toml")) else { continue };
        let Ok(scenario) = Scenario::parse("scenario.toml", &text) else { continue };
        if !scenario.past.is_empty() {
            let facts = scenario.past_facts(|source| std::fs::read(home.join(source)).ok());
            let path = home.join(PAST_FACTS);
            std::fs::write(&path, facts).map_err(|e| trouble(&path, &e))?;
        }
    }
    Ok(())
}

fn collect(folder: &Path, label: &str, into: &mut BTreeMap<String, Vec<u8>>) -> Result<(), Trouble> {
    for entry in std::fs::read_dir(folder).map_err(|e| trouble(folder, &e))? {
        let entry = entry.map_err(|e| trouble(folder, &e))?;
        let (path, label) = (entry.path(), format!("{label}/{}", entry.file_name().to_string_lossy()));
        if path.is_dir() {
            collect(&path, &label, into)?;
        } else {
            into.insert(label, std::fs::read(&path).map_err(|e| trouble(&path, &e))?);
        }
    }
    Ok(())
}

fn trouble(path: &Path, error: &std::io::Error) -> Trouble {
    Trouble::Use(format!("{}: {error}", path.display()))
}
