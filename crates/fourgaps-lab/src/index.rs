//! The two lists that stand beside the content: which scenarios there are, and which recordings.

use crate::Fault;
use crate::strict::read;

/// `scenarios/index.toml`: the scenarios in teaching order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScenarioIndex {
    /// The names of the folders.
    pub scenarios: Vec<String>,
}

/// `results/index.toml`: the recorded cases.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResultsIndex {
    /// The containerd versions that every case is recorded of.
    pub versions: Vec<String>,
    /// The cases in name order.
    pub cases: Vec<CaseEntry>,
    /// The recordings of a cluster, `kubectl/NAME` and `stories/NAME`.
    pub kubernetes: Vec<String>,
}

/// One recorded case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseEntry {
    /// Its name, and the name of its folders.
    pub name: String,
    /// The node's files, as absolute paths; they lie under `cases/NAME/rootfs`.
    pub files: Vec<String>,
    /// True where the daemon was started too.
    pub live: bool,
    /// Further containerd versions whose recordings of this case are here.
    pub also: Vec<String>,
}

impl ScenarioIndex {
    /// Reads the list of scenarios.
    ///
    /// # Errors
    /// Gives every fault of the file.
    pub fn parse(label: &str, text: &str) -> Result<Self, Vec<Fault>> {
        read(label, text, |sheet, top| {
            top.format_version(sheet);
            let scenarios =
                top.required(sheet, "scenarios").map(|e| e.texts(sheet, "scenarios")).unwrap_or_default();
            Self { scenarios }
        })
    }
}

impl ResultsIndex {
    /// Reads the list of recordings.
    ///
    /// # Errors
    /// Gives every fault of the file.
    pub fn parse(label: &str, text: &str) -> Result<Self, Vec<Fault>> {
        read(label, text, |sheet, top| {
            top.format_version(sheet);
            let versions = top.texts(sheet, "versions");
            let kubernetes = top.texts(sheet, "kubernetes");
            let mut cases = Vec::new();
            for mut table in top.tables(sheet, "cases") {
                let name = table.text(sheet, "name");
                let files = table.texts(sheet, "files");
                let live = table.optional("live").is_some_and(|entry| entry.flag(sheet, "live"));
                let also = table.texts(sheet, "also");
                table.close(sheet);
                cases.push(CaseEntry { name, files, live, also });
            }
            Self { versions, cases, kubernetes }
        })
    }

    /// The case of this name.
    pub fn case(&self, name: &str) -> Option<&CaseEntry> {
        self.cases.iter().find(|case| case.name == name)
    }
}
