//! Leave one out: what each imported file does to the next start.

use serde::Serialize;

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
