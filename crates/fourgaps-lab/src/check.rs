//! The authoring gate: everything that must be true of the content before it is shown to a learner.
//! Reads no disk: the caller brings the folder as a list of paths and bytes.

mod answers;
mod folder;
mod goals;
mod hints;
mod results;
mod words;

#[cfg(test)]
mod tests;

use crate::{Action, Fault, Lang, Scenario, ScenarioIndex, Texts};
use folder::Folder;
use fourgaps_base::Pos;
use std::collections::{BTreeMap, BTreeSet};

/// Runs the lines of a solution. The shell is above this room, so whoever has one brings it.
pub trait Player {
    /// A lab begins. `read` gives a file of its folder.
    fn begin(&mut self, scenario: &Scenario, read: &dyn Fn(&str) -> Option<Vec<u8>>);

    /// Which of the lines of the goals end well where the learner is, in the order of [`Scenario::lines`].
    fn held(&mut self) -> Vec<bool>;

    /// Does an action that is no line.
    fn follow(&mut self, action: &Action);

    /// Runs a line where the learner is.
    ///
    /// # Errors
    /// Gives what the line printed where it did not end well.
    fn run(&mut self, host: &str, line: &str) -> Result<Action, String>;
}

/// What the gate found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CheckReport {
    /// Every fault, by file and place.
    pub faults: Vec<Fault>,
    /// What each scenario holds, in teaching order.
    pub scenarios: Vec<ScenarioSummary>,
}

/// What a scenario holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenarioSummary {
    /// Its name.
    pub slug: String,
    /// How many goals it has.
    pub goals: usize,
    /// How many hints.
    pub hints: usize,
    /// How many questions.
    pub questions: usize,
    /// How many recorded cases its questions use.
    pub cases: usize,
}

/// A scenario with its files and its texts, as far as they could be read.
struct Lab {
    /// The scenario's own file, for faults.
    label: String,
    /// The folder of the scenario, with a `/` at its end.
    home: String,
    scenario: Scenario,
    texts: BTreeMap<Lang, Texts>,
}

/// Checks the content of a folder: paths below `static/`, for example `scenarios/index.toml`, with their bytes.
///
/// A solution that runs lines cannot be played here, and is a fault; see [`check_with`].
pub fn check(files: &BTreeMap<String, Vec<u8>>) -> CheckReport {
    check_by(files, None)
}

/// The same, with somebody who runs the lines of solutions.
pub fn check_with(files: &BTreeMap<String, Vec<u8>>, player: &mut dyn Player) -> CheckReport {
    check_by(files, Some(player))
}

fn check_by(files: &BTreeMap<String, Vec<u8>>, mut player: Option<&mut dyn Player>) -> CheckReport {
    let mut folder = Folder::new(files);
    let mut scenarios = Vec::new();
    let results = results::check(&mut folder);
    for slug in slugs(&mut folder) {
        let Some(lab) = read_lab(&mut folder, &slug) else { continue };
        scenarios.push(summary(&lab.scenario));
        words::check(&mut folder, &lab);
        hints::check(&mut folder, &lab);
        goals::check(&mut folder, &lab, &mut player);
        if let Some(results) = &results {
            answers::check(&mut folder, &lab, results);
        }
    }
    CheckReport { faults: folder.into_faults(), scenarios }
}

const INDEX: &str = "scenarios/index.toml";

/// The scenarios of the index; an index that leaves a folder out, or has one twice, is a fault.
fn slugs(folder: &mut Folder<'_>) -> Vec<String> {
    let Some(text) = folder.text(INDEX) else {
        folder.fault(INDEX, Pos::default(), "the list of scenarios is missing");
        return Vec::new();
    };
    let Some(index) = folder.parsed(ScenarioIndex::parse(INDEX, text)) else { return Vec::new() };
    let mut seen = BTreeSet::new();
    for slug in &index.scenarios {
        if !seen.insert(slug.clone()) {
            folder.fault(INDEX, Pos::default(), format!("`{slug}` is listed twice"));
        }
    }
    let known: BTreeSet<String> = folder.folders_below("scenarios/");
    for slug in known.difference(&seen) {
        folder.fault(INDEX, Pos::default(), format!("the scenario `{slug}` is not listed"));
    }
    for slug in seen.difference(&known) {
        folder.fault(INDEX, Pos::default(), format!("there is no folder for the scenario `{slug}`"));
    }
    let mut slugs = index.scenarios;
    slugs.retain(|slug| known.contains(slug) && seen.remove(slug));
    slugs
}

fn read_lab(folder: &mut Folder<'_>, slug: &str) -> Option<Lab> {
    let home = format!("scenarios/{slug}/");
    let label = format!("{home}scenario.toml");
    let Some(text) = folder.text(&label) else {
        folder.fault(&label, Pos::default(), "the file is missing");
        return None;
    };
    let scenario = folder.parsed(Scenario::parse(&label, text))?;
    if scenario.slug != slug {
        let text = format!("the slug `{}` is not the name of the folder, `{slug}`", scenario.slug);
        folder.fault(&label, scenario.places["slug"], text);
    }
    let mut texts = BTreeMap::new();
    for lang in Lang::ALL {
        let label = format!("{home}{}.toml", lang.code());
        match folder.text(&label) {
            None => folder.fault(&label, Pos::default(), "this language is missing"),
            Some(text) => {
                texts.extend(folder.parsed(Texts::parse(&label, text)).map(|texts| (lang, texts)));
            }
        }
    }
    let lab = Lab { label, home, scenario, texts };
    check_files(folder, &lab);
    Some(lab)
}

/// Every file that is listed is there, and every file that is there is used.
fn check_files(folder: &mut Folder<'_>, lab: &Lab) {
    let mut used = BTreeSet::from([lab.label.clone()]);
    used.extend(Lang::ALL.map(|lang| format!("{}{}.toml", lab.home, lang.code())));
    let sources = lab.scenario.sources().into_iter().map(|source| (source, lab.scenario.places["files"]));
    let written = lab.scenario.solution.iter().filter_map(|step| match step {
        crate::Step::Write { from, pos, .. } => Some((from.clone(), *pos)),
        crate::Step::Do { .. } | crate::Step::Run { .. } => None,
    });
    let wanted: Vec<(String, Pos)> = sources.chain(written).collect();
    for (name, pos) in wanted {
        let path = format!("{}{name}", lab.home);
        if folder.bytes(&path).is_none() {
            folder.fault(&lab.label, pos, format!("the file {name} is not in the scenario's folder"));
        }
        used.insert(path);
    }
    for path in folder.files_below(&lab.home) {
        if !used.contains(&path) {
            folder.fault(&path, Pos::default(), "nothing uses this file; list it or take it away");
        }
    }
}

fn summary(scenario: &Scenario) -> ScenarioSummary {
    let cases: BTreeSet<(&str, &str)> =
        scenario.questions.iter().map(|q| (q.containerd.as_str(), q.case.as_str())).collect();
    ScenarioSummary {
        slug: scenario.slug.clone(),
        goals: scenario.goals.len(),
        hints: scenario.hints.len(),
        questions: scenario.questions.len(),
        cases: cases.len(),
    }
}
