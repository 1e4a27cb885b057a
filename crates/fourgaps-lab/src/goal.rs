//! Goals: what must be true of the node, as predicates over what people see.

use crate::key_path::key_path;
use crate::strict::{Sheet, Table};
use crate::{Scenario, State, Texts};
use fourgaps_base::Pos;
use fourgaps_node::Node;
use fourgaps_view::{ExplainView, NextStartView, key_text};
use toml::de::DeValue;

/// A goal of a scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    /// Its name; the texts of a language are found by it.
    pub id: String,
    /// When it is met.
    pub check: Predicate,
    /// Where it stands in the scenario's file.
    pub pos: Pos,
}

/// Something that can be true of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Predicate {
    /// All of these handlers are in the next start.
    HandlersInclude(Vec<String>),
    /// None of these handlers is in the next start.
    HandlersExclude(Vec<String>),
    /// A key has this value in the next start, set or default.
    Value {
        /// The key, dotted and quoted as TOML.
        key: String,
        /// The value.
        equals: Scalar,
    },
    /// The next start ends like this; 0 means that the process starts.
    Exit(i32),
    /// So many lines of the dump contain a text.
    Count {
        /// The text.
        text: String,
        /// The fewest lines.
        at_least: usize,
        /// The most lines.
        at_most: usize,
    },
    /// A file on the disk contains a text.
    FileContains {
        /// The file.
        path: String,
        /// The text.
        text: String,
    },
    /// A file takes part in the next start, or does not.
    Imports {
        /// The file.
        path: String,
        /// True where it must take part.
        loaded: bool,
    },
    /// All of these handlers are loaded in the process that runs.
    LoadedInclude(Vec<String>),
    /// The last script that was graded was right about every hidden node.
    Graded(bool),
    /// This holds on a node; what stands outside such a predicate is asked of the first one.
    On {
        /// The node.
        node: String,
        /// What must hold there.
        check: Box<Predicate>,
    },
    /// All of these hold.
    All(Vec<Predicate>),
    /// At least one of these holds.
    Any(Vec<Predicate>),
    /// This does not hold.
    Not(Box<Predicate>),
}

/// A value of a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// A text.
    Text(String),
    /// A whole number.
    Number(i64),
    /// `true` or `false`.
    Flag(bool),
}

/// A goal as a learner sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoalView {
    /// Its name.
    pub id: String,
    /// True where it is met now.
    pub met: bool,
    /// What is wanted.
    pub text: String,
    /// What to say about the state of it.
    pub message: String,
}

/// The goals of a scenario, in its order, judged by what the next start would load.
pub fn goals(
    scenario: &Scenario,
    texts: &Texts,
    state: &State,
    next_start: &NextStartView,
    explain: &ExplainView,
) -> Vec<GoalView> {
    let seen = Seen { scenario, state, node: state.node(None), next_start, explain };
    let view = |goal: &Goal| {
        let met = seen.holds(&goal.check);
        let (text, message) = match texts.goals.get(&goal.id) {
            Some(t) => (t.text.clone(), if met { t.met.clone() } else { t.not_met.clone() }),
            None => (goal.id.clone(), String::new()),
        };
        GoalView { id: goal.id.clone(), met, text, message }
    };
    scenario.goals.iter().map(view).collect()
}

struct Seen<'a> {
    scenario: &'a Scenario,
    state: &'a State,
    node: &'a Node,
    next_start: &'a NextStartView,
    explain: &'a ExplainView,
}

impl Seen<'_> {
    fn holds(&self, predicate: &Predicate) -> bool {
        match predicate {
            Predicate::HandlersInclude(names) => names.iter().all(|name| self.has_handler(name)),
            Predicate::HandlersExclude(names) => !names.iter().any(|name| self.has_handler(name)),
            Predicate::Value { key, equals } => self.value(key).as_ref() == Some(equals),
            Predicate::Exit(exit) => self.next_start.exit == *exit,
            Predicate::Count { text, at_least, at_most } => {
                (*at_least..=*at_most).contains(&self.next_start.count(text))
            }
            Predicate::FileContains { path, text } => {
                self.node.files().text(path).is_some_and(|file| file.contains(text))
            }
            Predicate::Imports { path, loaded } => {
                self.explain.files.iter().any(|file| file.path == *path) == *loaded
            }
            Predicate::LoadedInclude(names) => {
                let loaded = self.node.containerd().and_then(|process| process.run().handlers.as_ref());
                loaded.is_some_and(|loaded| names.iter().all(|name| loaded.iter().any(|h| h.name == *name)))
            }
            Predicate::Graded(right) => {
                let verdicts = self.state.world.graded();
                *right == (!verdicts.is_empty() && verdicts.iter().all(|verdict| verdict.right))
            }
            Predicate::On { node, check } => self.on(node, check),
            Predicate::All(list) => list.iter().all(|p| self.holds(p)),
            Predicate::Any(list) => list.iter().any(|p| self.holds(p)),
            Predicate::Not(inner) => !self.holds(inner),
        }
    }

    /// A predicate on another node; false where there is no such node.
    fn on(&self, node: &str, check: &Predicate) -> bool {
        if node == self.node.name() {
            return self.holds(check);
        }
        let Some(node) = self.state.world.node(node) else { return false };
        let (version, files, main) = (node.version(), node.files(), &self.scenario.config);
        let next_start = &NextStartView::of(version, files, main);
        let explain = &ExplainView::of(version, files, main);
        Seen { scenario: self.scenario, state: self.state, node, next_start, explain }.holds(check)
    }

    fn has_handler(&self, name: &str) -> bool {
        self.next_start.handlers.iter().any(|handler| handler.name == name)
    }

    /// The value on the dump's line of a key; lists and tables are no values here.
    fn value(&self, key: &str) -> Option<Scalar> {
        let key = key_text(&key_path(key)?);
        let lines = self.next_start.dump.iter().filter(|line| line.key == key);
        let text = lines.filter_map(|line| line.text.split_once(" = ")).next()?.1;
        let probe: toml::Table = fourgaps_base::read_toml(&format!("value = {text}")).ok()?;
        Scalar::of(probe.get("value")?)
    }
}

impl Scalar {
    /// The value as a goal and an answer compare it; `None` for lists, tables and dates.
    pub(crate) fn of(value: &toml::Value) -> Option<Self> {
        match value {
            toml::Value::String(text) => Some(Self::Text(text.clone())),
            toml::Value::Integer(number) => Some(Self::Number(*number)),
            toml::Value::Boolean(flag) => Some(Self::Flag(*flag)),
            toml::Value::Float(number) => Some(Self::Text(number.to_string())),
            _ => None,
        }
    }
}

impl Predicate {
    /// Reads a predicate: a table with exactly one of the known keys.
    pub(crate) fn take(sheet: &mut Sheet<'_>, mut table: Table<'_>) -> Option<Self> {
        let at = table.at();
        let mut found = Vec::new();
        if table.has("handlers_include") {
            found.push(Self::HandlersInclude(table.texts(sheet, "handlers_include")));
        }
        if table.has("handlers_exclude") {
            found.push(Self::HandlersExclude(table.texts(sheet, "handlers_exclude")));
        }
        found.extend(table.number(sheet, "exit").and_then(|n| i32::try_from(n).ok()).map(Self::Exit));
        found.extend(table.table(sheet, "value").and_then(|inner| take_value(sheet, inner)));
        found.extend(table.table(sheet, "count").map(|inner| take_count(sheet, inner)));
        found.extend(table.table(sheet, "file_contains").map(|mut inner| {
            let made =
                Self::FileContains { path: inner.text(sheet, "path"), text: inner.text(sheet, "text") };
            inner.close(sheet);
            made
        }));
        found.extend(table.table(sheet, "imports").map(|mut inner| {
            let path = inner.text(sheet, "path");
            let loaded = inner.required(sheet, "loaded").is_none_or(|entry| entry.flag(sheet, "loaded"));
            inner.close(sheet);
            Self::Imports { path, loaded }
        }));
        for (key, make) in [("all", Self::All as fn(Vec<Self>) -> Self), ("any", Self::Any)] {
            let list = table.tables(sheet, key);
            if table.has(key) {
                found.push(make(list.into_iter().filter_map(|inner| Self::take(sheet, inner)).collect()));
            }
        }
        if table.has("loaded_include") {
            found.push(Self::LoadedInclude(table.texts(sheet, "loaded_include")));
        }
        if let Some(entry) = table.optional("graded") {
            found.push(Self::Graded(entry.flag(sheet, "graded")));
        }
        if let Some(mut inner) = table.table(sheet, "on") {
            let (at, node) = (inner.at(), inner.text(sheet, "node"));
            let check = inner.table(sheet, "check").and_then(|check| Self::take(sheet, check));
            inner.close(sheet);
            match check {
                Some(check) => found.push(Self::On { node, check: Box::new(check) }),
                None => sheet.fault(at, "`on` wants `node` and `check`"),
            }
        }
        if let Some(inner) = table.table(sheet, "not") {
            found.extend(Self::take(sheet, inner).map(|p| Self::Not(Box::new(p))));
        }
        for key in ["handlers_include", "handlers_exclude", "loaded_include"] {
            table.optional(key);
        }
        table.close(sheet);
        if found.len() != 1 {
            sheet.fault(at, format!("a check says exactly one thing, but this says {}", found.len()));
        }
        found.pop()
    }
}

fn take_value(sheet: &mut Sheet<'_>, mut table: Table<'_>) -> Option<Predicate> {
    let key = take_key(sheet, &mut table, "key");
    let equals = table.required(sheet, "equals");
    table.close(sheet);
    let entry = equals?;
    let equals = match entry.value() {
        DeValue::String(text) => Scalar::Text(text.to_string()),
        DeValue::Boolean(flag) => Scalar::Flag(*flag),
        _ => Scalar::Number(entry.number(sheet, "equals")?),
    };
    Some(Predicate::Value { key, equals })
}

/// A text that must be a key as TOML writes it.
pub(crate) fn take_key(sheet: &mut Sheet<'_>, table: &mut Table<'_>, name: &'static str) -> String {
    let at = table.at_key(name);
    let key = table.text(sheet, name);
    if !key.trim().is_empty() && key_path(&key).is_none() {
        sheet.fault(at, format!("`{key}` is no key as TOML writes it"));
    }
    key
}

fn take_count(sheet: &mut Sheet<'_>, mut table: Table<'_>) -> Predicate {
    let at = table.at();
    let text = table.text(sheet, "text");
    let at_least = table.number(sheet, "at_least").and_then(|n| usize::try_from(n).ok());
    let equals = table.number(sheet, "equals").and_then(|n| usize::try_from(n).ok());
    if at_least.is_some() == equals.is_some() {
        sheet.fault(at, "`count` wants either `at_least` or `equals`, a number from 0");
    }
    table.close(sheet);
    let (at_least, at_most) = match equals {
        Some(number) => (number, number),
        None => (at_least.unwrap_or_default(), usize::MAX),
    };
    Predicate::Count { text, at_least, at_most }
}

#[cfg(test)]
mod tests;
