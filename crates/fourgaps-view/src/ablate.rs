//! Leave one out: what each imported file does to the next start.

use fourgaps_base::{Files, set_of};
use fourgaps_config::{DumpRun, Request, Version, dump};
use serde::Serialize;
use std::collections::BTreeSet;

/// The leave-one-out table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AblateView {
    /// The text that is counted in each dump, for example `runtimes.nvidia`.
    pub counted: String,
    /// With everything, then without each imported file, then with each alone.
    pub rows: Vec<AblateRow>,
}

/// One row: a set of files, and what the next start would load from it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AblateRow {
    /// What was left out.
    pub leave_out: LeaveOut,
    /// Exit status of the dump.
    pub exit: i32,
    /// The handlers, in name order.
    pub handlers: Vec<String>,
    /// How many lines of the dump contain the counted text.
    pub count: usize,
    /// The last line of standard error where the process refused.
    pub error: Option<String>,
}

/// Which imported files take part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", content = "file", rename_all = "snake_case")]
pub enum LeaveOut {
    /// All of them.
    Nothing,
    /// All but this one.
    Without(String),
    /// This one alone, beside the main file.
    Alone(String),
}

impl AblateView {
    /// Loads once with everything, once without each imported file, and once with each alone.
    pub fn of(version: &Version, files: &dyn Files, main: &str, counted: &str) -> Self {
        let plan = AblatePlan::of(version, files, main);
        let row = |nth| plan.row(nth, version, files, main, counted);
        Self { counted: counted.into(), rows: (0..plan.len()).filter_map(row).collect() }
    }
}

/// The rows that a table will have, so that a page can work them out one by one and stay awake in between.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AblatePlan {
    rows: Vec<(LeaveOut, BTreeSet<String>)>,
}

impl AblatePlan {
    /// Finds out which files take part.
    pub fn of(version: &Version, files: &dyn Files, main: &str) -> Self {
        let all = dump(&Request::new(version, files, main));
        let mut imported: Vec<String> = all.files.iter().skip(1).map(|f| f.path.clone()).collect();
        // A file that stops the load hides those behind it: leave it out to see them.
        if all.fault.is_some() {
            imported = reachable(version, files, main, imported);
        }
        let mut rows = vec![(LeaveOut::Nothing, BTreeSet::new())];
        rows.extend(imported.iter().map(|f| (LeaveOut::Without(f.clone()), BTreeSet::from([f.clone()]))));
        rows.extend(imported.iter().map(|file| {
            let others = set_of(imported.iter().filter(|other| *other != file).cloned());
            (LeaveOut::Alone(file.clone()), others)
        }));
        Self { rows }
    }

    /// The imported files, also those that a load which stops does not come to.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        self.rows.iter().filter_map(|(leave_out, _)| match leave_out {
            LeaveOut::Without(file) => Some(file.as_str()),
            _ => None,
        })
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Never true: the row with everything is always there.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Works one row out, on the same files as the plan.
    pub fn row(
        &self,
        nth: usize,
        version: &Version,
        files: &dyn Files,
        main: &str,
        counted: &str,
    ) -> Option<AblateRow> {
        let (leave_out, without) = self.rows.get(nth)?.clone();
        let run = dump(&Request { leave_out: without, ..Request::new(version, files, main) });
        Some(row(leave_out, &run, counted))
    }
}

/// Every imported file that can be reached when files that stop the load are left out.
fn reachable(version: &Version, files: &dyn Files, main: &str, seen: Vec<String>) -> Vec<String> {
    let mut imported = seen;
    let mut without = BTreeSet::new();
    loop {
        let run = dump(&Request { leave_out: without.clone(), ..Request::new(version, files, main) });
        for file in run.files.iter().skip(1) {
            if !imported.contains(&file.path) {
                imported.push(file.path.clone());
            }
        }
        match run.fault {
            Some(fault) if imported.contains(&fault.path) && without.insert(fault.path.clone()) => {}
            _ => return imported,
        }
    }
}

fn row(leave_out: LeaveOut, run: &DumpRun, counted: &str) -> AblateRow {
    AblateRow {
        leave_out,
        exit: run.exit,
        handlers: run.handlers.iter().map(|h| h.name.clone()).collect(),
        count: run.lines.iter().filter(|line| line.text.contains(counted)).count(),
        error: run.fault.as_ref().and_then(|_| run.stderr.last().cloned()),
    }
}
