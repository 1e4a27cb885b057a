//! What a containerd answers, real or ours, and the rule by which two answers are compared.

use fourgaps_base::FileTree;
use fourgaps_config::{Request, Version, dump};
use serde::Deserialize;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::Command;
use std::{fs, str};

/// Where containerd looks for its configuration.
pub const MAIN: &str = "/etc/containerd/config.toml";

/// What `containerd config dump` gave: its exit status and both streams.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The exit status.
    pub exit: i32,
    /// Standard output, byte for byte where it is UTF-8.
    pub stdout: String,
    /// Standard error, line by line, without time stamps.
    pub stderr: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Recorded {
    exit: i32,
    stderr: Vec<String>,
}

impl Answer {
    /// Reads a recorded answer: `dump.toml` and `result.toml` in one folder.
    ///
    /// # Errors
    /// Names the file that is missing or not understood.
    pub fn recorded(folder: &Path) -> io::Result<Self> {
        let read = |name: &str| {
            let file = folder.join(name);
            fs::read(&file).map_err(|error| io::Error::other(format!("{}: {error}", file.display())))
        };
        let result = String::from_utf8_lossy(&read("result.toml")?).into_owned();
        let recorded: Recorded = toml::from_str(&result)
            .map_err(|error| io::Error::other(format!("{}/result.toml: {error}", folder.display())))?;
        let stdout = String::from_utf8_lossy(&read("dump.toml")?).into_owned();
        Ok(Self { exit: recorded.exit, stdout, stderr: recorded.stderr })
    }

    /// Asks our engine, in this process.
    pub fn of_engine(version: &Version, files: &FileTree) -> Self {
        let request = Request::new(version, files, MAIN);
        match catch_unwind(AssertUnwindSafe(|| dump(&request))) {
            Ok(run) => {
                let lines = run.lines.iter().map(|line| format!("{}\n", line.text));
                Self { exit: run.exit, stdout: lines.collect(), stderr: run.stderr }
            }
            Err(_) => Self { exit: -1, stdout: String::new(), stderr: vec!["our engine panicked".into()] },
        }
    }

    /// Asks our program, as a person would.
    ///
    /// # Errors
    /// Says why the program cannot be started.
    pub fn of_program(program: &Path, version: &Version, rootfs: &Path) -> io::Result<Self> {
        let words = ["dump", "--containerd", version.name(), "--root"];
        let output = Command::new(program).args(words).arg(rootfs).output();
        let output = output.map_err(|error| io::Error::other(format!("{}: {error}", program.display())))?;
        let lines = String::from_utf8_lossy(&output.stderr);
        Ok(Self {
            exit: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: lines.lines().map(without_times).map(String::from).collect(),
        })
    }

    /// Where this answer of ours differs from a real one, in one line.
    ///
    /// 1.x prints `imports` in the random order of a Go map, so that line is compared as a set.
    /// Lines of standard error are compared without regard to their order.
    pub fn differs(&self, real: &Self, version: &str) -> Option<String> {
        if self.exit != real.exit {
            return Some(format!("exit {}, real {}", self.exit, real.exit));
        }
        let fix =
            |text: &str| if version.starts_with("1.") { imports_sorted(text) } else { text.to_string() };
        text_differs(&fix(&self.stdout), &fix(&real.stdout))
            .or_else(|| lines_differ(&self.stderr, &real.stderr))
    }
}

/// The first line in which two texts differ.
fn text_differs(ours: &str, real: &str) -> Option<String> {
    if ours == real {
        return None;
    }
    let (mut ours, mut real) = (ours.split('\n'), real.split('\n'));
    let mut number = 0;
    loop {
        number += 1;
        match (ours.next(), real.next()) {
            (None, None) => return None,
            (a, b) if a == b => {}
            (a, b) => return Some(format!("line {number}: {}, real {}", part(a), part(b))),
        }
    }
}

fn part(line: Option<&str>) -> String {
    match line {
        None => "the end".into(),
        Some(line) => format!("{:?}", line.trim().chars().take(70).collect::<String>()),
    }
}

/// The first line that only one of two streams has.
fn lines_differ(ours: &[String], real: &[String]) -> Option<String> {
    let (mut a, mut b): (Vec<&str>, Vec<&str>) =
        (ours.iter().map(|l| without_times(l)).collect(), real.iter().map(String::as_str).collect());
    a.sort_unstable();
    b.sort_unstable();
    if a == b {
        return None;
    }
    let only = |these: &[&str], those: &[&str]| {
        let line = these.iter().find(|line| !those.contains(line));
        line.map(|line| line.chars().take(110).collect::<String>())
    };
    if let Some(line) = only(&a, &b) {
        return Some(format!("stderr has {line:?}, which the real one has not"));
    }
    if let Some(line) = only(&b, &a) {
        return Some(format!("stderr lacks {line:?}"));
    }
    Some(format!("stderr has {} lines, real {}", a.len(), b.len()))
}

/// A log line without the time at its start and the span of time at its end.
fn without_times(line: &str) -> &str {
    let rest = line.strip_prefix("time=\"").and_then(|rest| rest.split_once("\" "));
    let line = rest.map_or(line, |(_, rest)| rest);
    let Some((head, span)) = line.rsplit_once(" t=") else { return line };
    let span = span.strip_prefix('"').unwrap_or(span);
    let span = span.strip_suffix('"').unwrap_or(span);
    let number = ["ns", "µs", "ms", "s"].into_iter().find_map(|unit| {
        span.strip_suffix(unit).filter(|n| !n.is_empty() && n.chars().all(|c| c.is_ascii_digit() || c == '.'))
    });
    if number.is_some() { head } else { line }
}

/// The text with the entries of its `imports` line in byte order.
fn imports_sorted(text: &str) -> String {
    #[derive(Deserialize)]
    struct Line {
        imports: Vec<String>,
    }
    let Some(line) = text.lines().find(|line| line.starts_with("imports = [") && line.ends_with(']')) else {
        return text.to_string();
    };
    let Ok(Line { mut imports }) = toml::from_str(line) else { return text.to_string() };
    imports.sort_unstable();
    text.replacen(line, &format!("imports = {imports:?}"), 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(exit: i32, stdout: &str, stderr: &[&str]) -> Answer {
        Answer { exit, stdout: stdout.into(), stderr: stderr.iter().map(|line| (*line).into()).collect() }
    }

    #[track_caller]
    fn check(version: &str, ours: &Answer, real: &Answer, wanted: Option<&str>) {
        assert_eq!(ours.differs(real, version).as_deref(), wanted);
    }

    #[test]
    fn the_order_of_imports_counts_on_2_only() {
        let ours = answer(0, "a = 1\nimports = [\"/b\", \"/a\"]\n", &[]);
        let real = answer(0, "a = 1\nimports = [\"/a\", \"/b\"]\n", &[]);
        check("1.7.27", &ours, &real, None);
        let said =
            "line 2: \"imports = [\\\"/b\\\", \\\"/a\\\"]\", real \"imports = [\\\"/a\\\", \\\"/b\\\"]\"";
        check("2.0.5", &ours, &real, Some(said));
    }

    #[test]
    fn exit_text_and_log_are_compared() {
        let real = answer(1, "", &["a", "b"]);
        check("2.0.5", &answer(0, "", &["a", "b"]), &real, Some("exit 0, real 1"));
        check("2.0.5", &answer(1, "", &["b", "a"]), &real, None);
        check("2.0.5", &answer(1, "", &["a"]), &real, Some("stderr lacks \"b\""));
        check("2.0.5", &answer(1, "", &["a", "b", "b"]), &real, Some("stderr has 3 lines, real 2"));
        check("2.0.5", &answer(1, "x", &["a", "b"]), &real, Some("line 1: \"x\", real \"\""));
        let no_end = answer(0, "x = 1", &[]);
        check("2.0.5", &no_end, &answer(0, "x = 1\n", &[]), Some("line 2: the end, real \"\""));
    }

    #[test]
    fn times_are_dropped() {
        assert_eq!(
            without_times("time=\"2025-01-01T00:00:00Z\" level=info msg=x t=1.5ms"),
            "level=info msg=x"
        );
        assert_eq!(without_times("level=info msg=x t=\"12.25µs\""), "level=info msg=x");
        assert_eq!(without_times("level=info t=tmpfs"), "level=info t=tmpfs");
    }
}
