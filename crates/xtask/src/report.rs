//! What a run tells: a line when a step starts, a line when it ends, and a table of all steps at the end.

use std::fmt;
use std::time::{Duration, Instant};

/// Why a step failed, and what mends it.
#[derive(Debug)]
pub struct Failure {
    /// What is wrong, in one sentence.
    pub what: String,
    /// The command or act that mends it, if one is known.
    pub mend: Option<String>,
}

impl Failure {
    /// A failure with nothing more to say.
    pub fn new(what: impl Into<String>) -> Self {
        Self { what: what.into(), mend: None }
    }

    /// Adds what mends it.
    pub fn mended_by(mut self, mend: impl Into<String>) -> Self {
        self.mend = Some(mend.into());
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)?;
        match &self.mend {
            Some(mend) => write!(f, "\n    to mend it: {mend}"),
            None => Ok(()),
        }
    }
}

/// How a step ended well.
#[derive(Debug)]
pub enum Outcome {
    /// It was done; a few words about it.
    Done(String),
    /// It could not be done here and need not be; why.
    Skipped(String),
}

/// Shorthand for a step that was done and has nothing to say.
pub fn done() -> Result<Outcome, Failure> {
    Ok(Outcome::Done(String::new()))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    Ok,
    Skipped,
    Failed,
    NotRun,
}

struct Row {
    mark: Mark,
    name: &'static str,
    took: Duration,
    note: String,
}

/// The steps of one run.
pub struct Report {
    rows: Vec<Row>,
    start: Instant,
    passed: u64,
    failed: u64,
}

impl Report {
    /// A run that starts now.
    pub fn new() -> Self {
        Self { rows: Vec::new(), start: Instant::now(), passed: 0, failed: 0 }
    }

    /// Runs a step and tells about it; true where it did not fail.
    pub fn step(
        &mut self,
        name: &'static str,
        about: &str,
        work: impl FnOnce() -> Result<Outcome, Failure>,
    ) -> bool {
        println!("==> {name}: {about}");
        let start = Instant::now();
        let (mark, note) = match work() {
            Ok(Outcome::Done(note)) => (Mark::Ok, note),
            Ok(Outcome::Skipped(why)) => (Mark::Skipped, why),
            Err(failure) => (Mark::Failed, failure.to_string()),
        };
        let took = start.elapsed();
        let colon = if note.is_empty() { "" } else { ": " };
        match mark {
            Mark::Ok => println!("    ok in {}{colon}{note}", Took(took)),
            Mark::Skipped => println!("    skipped: {note}"),
            Mark::Failed | Mark::NotRun => println!("    FAILED after {}: {note}", Took(took)),
        }
        self.rows.push(Row { mark, name, took, note });
        mark != Mark::Failed
    }

    /// Notes a step that could not run because an earlier one failed.
    pub fn not_run(&mut self, name: &'static str, why: &str) {
        println!("==> {name}: not run, {why}");
        self.rows.push(Row { mark: Mark::NotRun, name, took: Duration::ZERO, note: why.into() });
    }

    /// Adds to the number of tests that ran.
    pub fn count(&mut self, passed: u64, failed: u64) {
        self.passed += passed;
        self.failed += failed;
    }

    /// True while no step has failed.
    pub fn all_ok(&self) -> bool {
        !self.rows.iter().any(|row| matches!(row.mark, Mark::Failed | Mark::NotRun))
    }

    /// Prints the table of all steps and the sums.
    pub fn summary(&self) {
        println!("\n==> summary");
        let width = self.rows.iter().map(|row| row.name.len()).max().unwrap_or(0);
        for row in &self.rows {
            let mark = match row.mark {
                Mark::Ok => "ok",
                Mark::Skipped => "skipped",
                Mark::Failed => "FAILED",
                Mark::NotRun => "not run",
            };
            let took = if row.took.is_zero() { String::new() } else { Took(row.took).to_string() };
            let note = row.note.replace("\n    ", "; ");
            let line = format!("    {mark:<7} {took:>12}  {:<width$}  {note}", row.name);
            println!("{}", line.trim_end());
        }
        println!("    total   {:>12}", Took(self.start.elapsed()).to_string());
        if self.passed + self.failed > 0 {
            println!("tests: {} passed, {} failed", self.passed, self.failed);
        }
    }
}

/// A span of time as people say it.
pub struct Took(pub Duration);

impl fmt::Display for Took {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.as_secs();
        if seconds < 60 {
            return write!(f, "{:.1} s", self.0.as_secs_f32());
        }
        write!(f, "{} min {} s", seconds / 60, seconds % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_step_and_what_waits_for_it_end_the_run_badly() {
        let mut report = Report::new();
        assert!(report.step("one", "does nothing", done));
        assert!(report.step("two", "is not possible", || Ok(Outcome::Skipped("no disk".into()))));
        assert!(report.all_ok());
        assert!(!report.step("three", "fails", || Err(Failure::new("broken").mended_by("glue"))));
        report.not_run("four", "three failed");
        assert!(!report.all_ok());
        assert_eq!(report.rows[2].note, "broken\n    to mend it: glue");
    }

    #[test]
    fn time_is_readable() {
        assert_eq!(Took(Duration::from_millis(1234)).to_string(), "1.2 s");
        assert_eq!(Took(Duration::from_secs(125)).to_string(), "2 min 5 s");
    }
}
