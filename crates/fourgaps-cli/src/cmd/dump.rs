//! `fourgaps dump`: standard output, standard error and exit status of the real command.

use super::{Trouble, open};
use crate::args::Node;
use fourgaps_config::{Request, dump};
use std::io::Write;
use std::time::SystemTime;

/// Prints what `containerd --config PATH config dump` prints.
pub fn run(node: &Node, out: &mut dyn Write) -> Result<u8, Trouble> {
    let (version, disk) = open(node)?;
    let run = dump(&Request::new(version, &disk, &node.config));
    for line in &run.lines {
        writeln!(out, "{}", line.text)?;
    }
    out.flush()?;
    for line in &run.stderr {
        eprintln!("{}", stamped(line));
    }
    Ok(u8::try_from(run.exit).unwrap_or(1))
}

/// Log lines carry the time, as the real process writes it.
fn stamped(line: &str) -> String {
    if !line.starts_with("level=") {
        return line.into();
    }
    format!("time=\"{}\" {line}", humantime::format_rfc3339_nanos(SystemTime::now()))
}
