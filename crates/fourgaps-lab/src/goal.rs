//! Goals: what must be true of the node, as predicates over what people see.

mod take;

pub(crate) use take::take_key;

use crate::key_path::key_path;
use crate::{Scenario, State, Texts};
use fourgaps_base::{FileTree, Files, Pos, decimal, in_order};
use fourgaps_cluster::CONTROL;
use fourgaps_config::toml;
use fourgaps_node::{Kernel, Node, Phase, Sandbox};
use fourgaps_view::systemd::active_state;
use fourgaps_view::{ExplainView, NextStartView, key_text};

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
    /// The unit of containerd is in this state, in the word of `systemctl is-active`.
    Unit(String),
    /// A pod's sandbox is alive.
    Sandbox {
        /// The pod's name.
        name: String,
        /// The handler that it was made with, where that matters.
        handler: Option<String>,
    },
    /// A setting of the kernel.
    Sysctl {
        /// Its name, with dots.
        key: String,
        /// The smallest value that will do.
        at_least: i64,
        /// True where the value counts that the files would give it at a boot, and not the one of now.
        at_boot: bool,
    },
    /// A list has exactly one line, `NAME OWNER`, for every file of a folder, and none for others.
    Listed {
        /// The file with the list; empty lines and lines that begin with `#` are none.
        list: String,
        /// The folder.
        folder: String,
    },
    /// The toolkit runs: it has done its set-up and waits for its end; or it does not.
    Toolkit(bool),
    /// There is no such file on the disk.
    FileAbsent(String),
    /// The last script that was graded was right about every hidden node.
    Graded(bool),
    /// A line that is typed on a machine ends well. Whoever has a shell has asked it when the last line was run.
    Run {
        /// The machine.
        host: String,
        /// The line.
        line: String,
    },
    /// This holds on a node, or on the control host; what stands outside such a predicate is asked of the first one.
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
    let seen =
        Seen { scenario, state, node: Some(state.node(None)), files: state.files(), next_start, explain };
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
    /// Nothing on the control host.
    node: Option<&'a Node>,
    files: &'a FileTree,
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
                self.files.text(path).is_some_and(|file| file.contains(text))
            }
            Predicate::Imports { path, loaded } => {
                self.explain.files.iter().any(|file| file.path == *path) == *loaded
            }
            Predicate::LoadedInclude(names) => {
                let process = self.node.and_then(Node::containerd);
                let loaded = process.and_then(|process| process.run().handlers.as_ref());
                loaded.is_some_and(|loaded| names.iter().all(|name| loaded.iter().any(|h| h.name == *name)))
            }
            Predicate::Unit(word) => self.node.is_some_and(|node| active_state(node) == word),
            Predicate::Sandbox { name, handler } => self.has_sandbox(name, handler.as_deref()),
            Predicate::Sysctl { key, at_least, at_boot } => {
                let value = match at_boot {
                    true => Kernel::after_boot(self.files, key),
                    false => self.node.and_then(|node| node.kernel().setting(key)),
                };
                value.is_some_and(|value| value >= *at_least)
            }
            Predicate::Listed { list, folder } => self.lists(list, folder),
            Predicate::Toolkit(waits) => {
                let mut toolkits = self.node.into_iter().flat_map(Node::toolkits);
                *waits == toolkits.any(|toolkit| toolkit.phase == Phase::Waiting)
            }
            Predicate::FileAbsent(path) => !self.files.exists(path),
            Predicate::Graded(right) => {
                let verdicts = self.state.world.graded();
                *right == (!verdicts.is_empty() && verdicts.iter().all(|verdict| verdict.right))
            }
            Predicate::Run { host, line } => {
                let nth = self.scenario.lines().iter().position(|asked| *asked == (host, line));
                nth.and_then(|nth| self.state.world.held().get(nth)).is_some_and(|holds| *holds)
            }
            Predicate::On { node, check } => self.on(node, check),
            Predicate::All(list) => list.iter().all(|p| self.holds(p)),
            Predicate::Any(list) => list.iter().any(|p| self.holds(p)),
            Predicate::Not(inner) => !self.holds(inner),
        }
    }

    /// A predicate on another machine; false where there is none of this name.
    fn on(&self, host: &str, check: &Predicate) -> bool {
        let (scenario, state) = (self.scenario, self.state);
        if host == CONTROL {
            let files = &state.world.control().files;
            return Seen { scenario, state, node: None, files, ..*self }.holds(check);
        }
        if self.node.is_some_and(|node| node.name() == host) {
            return self.holds(check);
        }
        let Some(node) = state.world.node(host) else { return false };
        let (version, files, main) = (node.version(), node.files(), &scenario.config);
        let next_start = &NextStartView::of(version, files, main);
        let explain = &ExplainView::of(version, files, main);
        Seen { scenario, state, node: Some(node), files, next_start, explain }.holds(check)
    }

    fn has_sandbox(&self, name: &str, handler: Option<&str>) -> bool {
        let fits = |sandbox: &Sandbox| {
            sandbox.name == name && handler.is_none_or(|handler| sandbox.handler == handler)
        };
        self.node.into_iter().flat_map(Node::sandboxes).any(|sandbox| sandbox.is_ready() && fits(sandbox))
    }

    fn lists(&self, list: &str, folder: &str) -> bool {
        let (Some(text), Some(there)) = (self.files.text(list), self.files.list(folder)) else {
            return false;
        };
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        let named = lines.map(|line| line.split_once(char::is_whitespace).map(|(name, _)| name.to_string()));
        let Some(named) = named.collect::<Option<Vec<_>>>() else { return false };
        in_order(named, Ord::cmp) == in_order(there, Ord::cmp)
    }

    fn has_handler(&self, name: &str) -> bool {
        self.next_start.handlers.iter().any(|handler| handler.name == name)
    }

    /// The value on the dump's line of a key; lists and tables are no values here.
    fn value(&self, key: &str) -> Option<Scalar> {
        let key = key_text(&key_path(key)?);
        let lines = self.next_start.dump.iter().filter(|line| line.key == key);
        let text = lines.filter_map(|line| line.text.split_once(" = ")).next()?.1;
        let probe = toml::v2::document::tree(&format!("value = {text}")).ok()?;
        Scalar::of(probe.table()?.get("value")?)
    }
}

impl Predicate {
    /// Puts the lines that this predicate asks behind `lines`, each with its machine.
    fn lines<'p>(&'p self, lines: &mut Vec<(&'p String, &'p String)>) {
        match self {
            Self::Run { host, line } => lines.push((host, line)),
            Self::All(list) | Self::Any(list) => list.iter().for_each(|one| one.lines(lines)),
            Self::Not(inner) | Self::On { check: inner, .. } => inner.lines(lines),
            _ => {}
        }
    }
}

impl Scenario {
    /// The lines that the goals ask, each with its machine, in the order of the scenario.
    pub fn lines(&self) -> Vec<(&String, &String)> {
        let mut lines = Vec::new();
        self.goals.iter().for_each(|goal| goal.check.lines(&mut lines));
        lines
    }
}

impl Scalar {
    /// The value as a goal and an answer compare it; `None` for lists, tables and dates.
    pub(crate) fn of(value: &toml::Node) -> Option<Self> {
        match &value.kind {
            toml::Kind::String(text) => Some(Self::Text(text.clone())),
            toml::Kind::Int(number) => Some(Self::Number(*number)),
            toml::Kind::Bool(flag) => Some(Self::Flag(*flag)),
            toml::Kind::Float(number) => Some(Self::Text(decimal::show(*number))),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
