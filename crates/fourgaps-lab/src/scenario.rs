//! A scenario: the language-neutral structure of one lab, read from `scenario.toml`.

mod cluster;
mod machines;
mod past;
mod world;

use crate::strict::{Sheet, Table, read};
use crate::{Action, Fault, Goal, Predicate, Question};
pub use cluster::LightEntry;
use fourgaps_base::Pos;
use fourgaps_cluster::{CONTROL, Image, PodEntry, RuntimeClass};
use machines::Machines;
pub use machines::{Grade, NodeEntry};
pub use past::{Deed, FACTS as PAST_FACTS, Past};
use std::collections::{BTreeMap, BTreeSet};

/// One lab.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scenario {
    /// Its name in addresses, and the name of its folder.
    pub slug: String,
    /// The containerd version of the node.
    pub containerd: String,
    /// The node's main configuration file.
    pub config: String,
    /// The text that the count box and the leave-one-out table count.
    pub count: String,
    /// The node's files at the start, in the order of the tabs.
    pub files: Vec<String>,
    /// The nodes that are machines; the first has `containerd` and `files` unless it says otherwise.
    pub nodes: Vec<NodeEntry>,
    /// The nodes that are none.
    pub light_nodes: Vec<LightEntry>,
    /// How images behave.
    pub images: Vec<Image>,
    /// The files of the control host.
    pub control_files: Vec<String>,
    /// The RuntimeClass objects of the cluster, in name order.
    pub classes: Vec<RuntimeClass>,
    /// The pods of the cluster.
    pub pods: Vec<PodEntry>,
    /// What happened before the learner arrived, in order.
    pub past: Vec<Past>,
    /// Hidden states of the first node, on which a learner's script is tried.
    pub grades: Vec<Grade>,
    /// What is to be reached.
    pub goals: Vec<Goal>,
    /// The ladder of hints.
    pub hints: Vec<Hint>,
    /// One way to reach every goal.
    pub solution: Vec<Step>,
    /// What is asked.
    pub questions: Vec<Question>,
    /// Where `slug`, `files` and the like stand in the file.
    pub(crate) places: BTreeMap<&'static str, Pos>,
}

/// A hint of the ladder; its text is in the language files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// Its name.
    pub id: String,
    /// Where it stands in the scenario's file.
    pub pos: Pos,
}

/// A step of the solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Writes a file with the text of a file in the scenario's folder.
    Write {
        /// Absolute path on the node.
        path: String,
        /// The file in the scenario's folder.
        from: String,
        /// Where the step stands in the scenario's file.
        pos: Pos,
    },
    /// Runs a line in a terminal.
    Run {
        /// The machine.
        host: String,
        /// The line; it must end well.
        line: String,
        /// Where the step stands in the scenario's file.
        pos: Pos,
    },
    /// Any action that says all by itself.
    Do {
        /// The action.
        action: Action,
        /// Where the step stands in the scenario's file.
        pos: Pos,
    },
}

/// The main file where a scenario names none.
const DEFAULT_CONFIG: &str = "/etc/containerd/config.toml";

impl Scenario {
    /// Reads a `scenario.toml`. The label names the file in faults.
    ///
    /// # Errors
    /// Gives every fault of the file.
    pub fn parse(label: &str, text: &str) -> Result<Self, Vec<Fault>> {
        read(label, text, take)
    }

    /// The question of this name.
    pub fn question(&self, id: &str) -> Option<&Question> {
        self.questions.iter().find(|question| question.id == id)
    }
}

fn take(sheet: &mut Sheet<'_>, top: &mut Table<'_>) -> Scenario {
    top.format_version(sheet);
    let mut places = BTreeMap::new();
    for key in ["slug", "containerd", "config", "files", "hints", "goals", "questions", "solution"] {
        places.insert(key, top.at_key(key));
    }
    let slug = top.text(sheet, "slug");
    let containerd = top.text(sheet, "containerd");
    let config = top.optional_text(sheet, "config").unwrap_or_else(|| DEFAULT_CONFIG.into());
    let light_nodes = cluster::take_nodes(sheet, top);
    // Without machines there is no file of theirs to look at, and nothing to count.
    let only_light = !light_nodes.is_empty() && !top.has("nodes");
    let (mut count, mut files) = (String::new(), Vec::new());
    if !only_light {
        count = top.text(sheet, "count");
        files = top.texts(sheet, "files");
        check_files(sheet, top, &files, &config);
    }
    let Machines { nodes, control: control_files, classes, pods, grades } =
        Machines::take(sheet, top, &containerd, &files, &light_nodes);
    let light: Vec<&str> = light_nodes.iter().map(|node| node.name.as_str()).collect();
    let mut hosts: Vec<&str> = nodes.iter().map(|node| node.spec.name.as_str()).collect();
    let images = cluster::take_images(sheet, top, &[&hosts[..], &light].concat());
    hosts.push(CONTROL);
    let past = past::take(sheet, top, &hosts, &light);
    let goals = top.tables(sheet, "goals").into_iter().filter_map(|t| take_goal(sheet, t)).collect();
    let hints = top.tables(sheet, "hints").into_iter().map(|t| take_hint(sheet, t)).collect();
    let solution = top.tables(sheet, "solution").into_iter().filter_map(|t| take_step(sheet, t)).collect();
    let questions = top
        .tables(sheet, "questions")
        .into_iter()
        .filter_map(|t| Question::take(sheet, t, &containerd, &config))
        .collect();
    let scenario = Scenario {
        slug,
        containerd,
        config,
        count,
        files,
        nodes,
        light_nodes,
        images,
        control_files,
        classes,
        pods,
        past,
        grades,
        goals,
        hints,
        solution,
        questions,
        places,
    };
    check_names(sheet, top, &scenario);
    scenario
}

fn check_files(sheet: &mut Sheet<'_>, top: &Table<'_>, files: &[String], config: &str) {
    let at = top.at_key("files");
    machines::check_paths(sheet, at, files);
    if !files.iter().any(|path| path == config) {
        sheet.fault(at, format!("the main file {config} is not in `files`"));
    }
}

fn check_names(sheet: &mut Sheet<'_>, top: &Table<'_>, scenario: &Scenario) {
    let slug = &scenario.slug;
    if !slug.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-') {
        sheet.fault(top.at_key("slug"), format!("`{slug}` has letters other than a-z, 0-9 and -"));
    }
    let goals = scenario.goals.iter().map(|goal| ("goal", &goal.id, goal.pos));
    let hints = scenario.hints.iter().map(|hint| ("hint", &hint.id, hint.pos));
    let asked = scenario.questions.iter().map(|question| ("question", &question.id, question.pos));
    let mut seen = BTreeSet::new();
    for (kind, id, pos) in goals.chain(hints).chain(asked) {
        if !seen.insert((kind, id)) {
            sheet.fault(pos, format!("two of the {kind}s are called `{id}`"));
        }
    }
    for question in &scenario.questions {
        if let Some(goal) = &question.after_goal
            && !scenario.goals.iter().any(|g| g.id == *goal)
        {
            let text =
                format!("question `{}` comes after the goal `{goal}`, which is not there", question.id);
            sheet.fault(question.pos, text);
        }
    }
}

fn take_goal(sheet: &mut Sheet<'_>, mut table: Table<'_>) -> Option<Goal> {
    let pos = table.at();
    let id = table.text(sheet, "id");
    let at = table.at();
    let check = table.table(sheet, "check");
    if check.is_none() && !table.has("check") {
        sheet.fault(at, "`check` is missing");
    }
    table.close(sheet);
    Some(Goal { id, check: Predicate::take(sheet, check?)?, pos })
}

fn take_hint(sheet: &mut Sheet<'_>, mut table: Table<'_>) -> Hint {
    let pos = table.at();
    let id = table.text(sheet, "id");
    table.close(sheet);
    Hint { id, pos }
}

fn take_step(sheet: &mut Sheet<'_>, mut table: Table<'_>) -> Option<Step> {
    let pos = table.at();
    let mut steps = Vec::new();
    if let Some(mut inner) = table.table(sheet, "write") {
        steps.push(Step::Write { path: inner.text(sheet, "path"), from: inner.text(sheet, "from"), pos });
        inner.close(sheet);
    }
    if let Some(path) = table.optional_text(sheet, "remove") {
        steps.push(Step::Do { action: Action::Remove { path, node: None }, pos });
    }
    if let Some(mut inner) = table.table(sheet, "rename") {
        let action =
            Action::Rename { from: inner.text(sheet, "from"), to: inner.text(sheet, "to"), node: None };
        inner.close(sheet);
        steps.push(Step::Do { action, pos });
    }
    if let Some(mut inner) = table.table(sheet, "import") {
        let path = inner.text(sheet, "path");
        let on = inner.required(sheet, "on").is_some_and(|entry| entry.flag(sheet, "on"));
        inner.close(sheet);
        steps.push(Step::Do { action: Action::Import { path, on, node: None }, pos });
    }
    if let Some(mut inner) = table.table(sheet, "run") {
        steps.push(Step::Run { host: inner.text(sheet, "on"), line: inner.text(sheet, "line"), pos });
        inner.close(sheet);
    }
    table.close(sheet);
    if steps.len() != 1 {
        sheet.fault(pos, "a step is exactly one of `write`, `remove`, `rename`, `import`, `run`");
    }
    steps.pop()
}

#[cfg(test)]
mod tests;
