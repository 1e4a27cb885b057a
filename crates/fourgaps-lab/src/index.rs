//! The two lists that stand beside the content: which scenarios there are, and which recordings.

use crate::strict::read;
use crate::{Fault, Lang};

/// `scenarios/index.toml`: the scenarios in teaching order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScenarioIndex {
    /// The names of the folders.
    pub scenarios: Vec<String>,
    /// What stands above some of them in a list.
    pub headings: Vec<Heading>,
}

/// A heading in the list of scenarios.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heading {
    /// The scenario that it stands above.
    pub above: String,
    /// Its text in each language, in the order of [`Lang::ALL`].
    pub text: [String; 3],
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
            let mut headings = Vec::new();
            for mut table in top.tables(sheet, "headings") {
                let above = table.text(sheet, "above");
                if !scenarios.contains(&above) {
                    sheet.fault(table.at_key("above"), format!("there is no scenario `{above}` in the list"));
                }
                let text = Lang::ALL.map(|lang| table.text(sheet, lang.code()));
                table.close(sheet);
                headings.push(Heading { above, text });
            }
            Self { scenarios, headings }
        })
    }
}

impl Heading {
    /// Its text in a language.
    pub fn in_lang(&self, lang: Lang) -> &str {
        let at = Lang::ALL.iter().position(|one| *one == lang);
        at.map_or("", |at| self.text[at].as_str())
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

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = "format_version = 1\nscenarios = [\"a\", \"b\"]\n";

    #[test]
    fn a_heading_stands_above_a_scenario_of_the_list_in_every_language() {
        let heading = "[[headings]]\nabove = \"b\"\nja = \"次\"\nko = \"다음\"\nen = \"Next\"\n";
        let index = ScenarioIndex::parse("index.toml", &format!("{LIST}{heading}")).unwrap();
        let told = |lang| index.headings.iter().map(|one| one.in_lang(lang)).collect::<Vec<_>>();
        assert_eq!(
            (told(Lang::Ja), told(Lang::Ko), told(Lang::En)),
            (vec!["次"], vec!["다음"], vec!["Next"])
        );
        for (changed, fault) in [
            (heading.replace("\"b\"", "\"c\""), "index.toml:4:1: there is no scenario `c` in the list"),
            (heading.replace("ko = ", "kr = "), "index.toml:6:1"),
        ] {
            let faults = ScenarioIndex::parse("index.toml", &format!("{LIST}{changed}")).unwrap_err();
            assert!(faults.iter().any(|told| told.to_string().starts_with(fault)), "{faults:?}");
        }
    }
}
