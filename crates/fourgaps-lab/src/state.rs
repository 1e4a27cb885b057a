//! A learner's world and how far the learner is. Only actions change it.

use crate::{Action, Answer, Refusal, Scenario, import_switch};
use fourgaps_base::{FileEdit, FileError, FileTree, Files, clean, parent};
use fourgaps_cluster::{CONTROL, Fact, Machines};
use fourgaps_config::Version;
use fourgaps_node::{Node, Supervisor};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Longest text of a file, in bytes. A node's configuration is far below it.
const MAX_TEXT: usize = 256 * 1024;
/// Most files on a node.
const MAX_FILES: usize = 256;

/// Where a learner is.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// The nodes and the control host.
    pub world: Machines,
    /// The containerd version that looks at the files of every node; empty, as on arrival, for that of each node. Goals are
    /// judged at the node's own.
    pub version: String,
    /// How many hints were asked for.
    pub hints_shown: usize,
    /// The last answer to each question.
    pub answers: BTreeMap<String, Answer>,
    start: Machines,
    /// What a page looks at where the scenario has no machine.
    nowhere: Arc<Node>,
}

impl State {
    /// The state on arrival.
    pub fn start(scenario: &Scenario, world: &Machines) -> Self {
        let version = Version::named(&scenario.containerd).unwrap_or_else(|| Version::all()[0]);
        let nowhere = Node::new(CONTROL, version, Supervisor::None, FileTree::new(), 0);
        Self {
            world: world.clone(),
            version: String::new(),
            hints_shown: 0,
            answers: BTreeMap::new(),
            start: world.clone(),
            nowhere: Arc::new(nowhere),
        }
    }

    /// The world on arrival.
    pub fn start_world(&self) -> &Machines {
        &self.start
    }

    /// A node; the first one where none is named, and where nobody has this name. Without machines, an empty one.
    pub fn node(&self, name: Option<&str>) -> &Node {
        let named = name.and_then(|name| self.world.node(name));
        named.or_else(|| self.world.nodes().first()).unwrap_or(&self.nowhere)
    }

    /// The files of the first node.
    pub fn files(&self) -> &FileTree {
        self.node(None).files()
    }

    /// The files of a node as [`Self::node`] finds it, or of the control host.
    fn files_of(&self, host: Option<&str>) -> &FileTree {
        let control = host.filter(|host| *host == CONTROL).and_then(|host| self.world.files(host));
        control.unwrap_or_else(|| self.node(host).files())
    }

    /// Does one action. A refused action changes nothing.
    ///
    /// # Errors
    /// Says why the state does not allow the action.
    pub fn apply(&mut self, scenario: &Scenario, action: &Action) -> Result<(), Refusal> {
        self.apply_telling(scenario, action, &mut |_| {})
    }

    /// The same, telling every fact that it folds: for whoever holds more of the world than this state does.
    ///
    /// # Errors
    /// Says why the state does not allow the action.
    pub fn apply_telling(
        &mut self,
        scenario: &Scenario,
        action: &Action,
        tell: &mut dyn FnMut(&Fact),
    ) -> Result<(), Refusal> {
        match action {
            Action::Write { path, text, part: _, node } => {
                self.write(node.as_deref(), path, text.clone().into_bytes(), tell)
            }
            Action::Remove { path, node } => {
                self.must_be_file(node.as_deref(), path)?;
                self.edit(node.as_deref(), FileEdit::Remove(path.clone()), tell);
                Ok(())
            }
            Action::Rename { from, to, node } => self.rename(node.as_deref(), from, to, tell),
            Action::Import { path, on, node } => {
                let files = self.node(node.as_deref()).files();
                let text = import_switch::switched(scenario, files, path, *on)?;
                self.write(node.as_deref(), &scenario.config, text.into_bytes(), tell)
            }
            Action::Ran { did, .. } => {
                for fact in did {
                    self.world.apply(fact);
                    tell(fact);
                }
                Ok(())
            }
            Action::Version { containerd } => self.look_with(containerd),
            Action::Hint => self.next_hint(scenario),
            Action::Answer { question, answer } => self.answer(scenario, question, answer),
            // Which moment that was, only the list knows: see `Work`.
            Action::Back { .. } => Ok(()),
            Action::Reset => {
                *self = Self::start(scenario, &self.start);
                Ok(())
            }
        }
    }

    fn edit(&mut self, node: Option<&str>, edit: FileEdit, tell: &mut dyn FnMut(&Fact)) {
        let fact = match node {
            Some(CONTROL) => Fact::Control(edit),
            _ => Fact::Node(self.node(node).name().into(), fourgaps_node::Fact::Edited(edit)),
        };
        self.world.apply(&fact);
        tell(&fact);
    }

    fn write(
        &mut self,
        node: Option<&str>,
        path: &str,
        bytes: Vec<u8>,
        tell: &mut dyn FnMut(&Fact),
    ) -> Result<(), Refusal> {
        if !path.starts_with('/') || clean(path) != path || path == "/" {
            return Err(Refusal::of_path("bad-path", path, "`{path}` is not an absolute path of a file"));
        }
        if bytes.len() > MAX_TEXT {
            return Err(Refusal::of_path("too-long", path, "the text of {path} is too long for this lab"));
        }
        let files = self.files_of(node);
        match files.read(path) {
            Err(FileError::IsDirectory) => {
                return Err(Refusal::of_path("is-folder", path, "{path} is a folder"));
            }
            Err(FileError::NotADirectory | FileError::TooManyLinks) => {
                return Err(Refusal::of_path("below-file", path, "a part of {path} is a file, not a folder"));
            }
            Err(_) if files.iter().count() >= MAX_FILES => {
                return Err(Refusal::of_path(
                    "too-many",
                    path,
                    "there is no room for {path}: too many files",
                ));
            }
            _ => {}
        }
        let mut missing = Vec::new();
        let mut up = parent(path);
        while !files.exists(up) {
            missing.push(up.to_string());
            up = parent(up);
        }
        for folder in missing.into_iter().rev() {
            self.edit(node, FileEdit::MakeFolder(folder), tell);
        }
        self.edit(node, FileEdit::Write(path.into(), bytes), tell);
        Ok(())
    }

    fn rename(
        &mut self,
        node: Option<&str>,
        from: &str,
        to: &str,
        tell: &mut dyn FnMut(&Fact),
    ) -> Result<(), Refusal> {
        let bytes = self.must_be_file(node, from)?;
        if clean(from) == clean(to) {
            return Ok(());
        }
        if self.files_of(node).exists(to) {
            return Err(Refusal::of_path("name-taken", to, "{path} is there already"));
        }
        self.write(node, to, bytes, tell)?;
        self.edit(node, FileEdit::Remove(from.into()), tell);
        Ok(())
    }

    fn must_be_file(&self, node: Option<&str>, path: &str) -> Result<Vec<u8>, Refusal> {
        match self.files_of(node).read(path) {
            Ok(bytes) => Ok(bytes.into_owned()),
            Err(_) => Err(Refusal::of_path("no-such-file", path, "there is no file {path}")),
        }
    }

    fn look_with(&mut self, containerd: &str) -> Result<(), Refusal> {
        if !containerd.is_empty() && !Version::names().any(|name| name == containerd) {
            let text = format!("containerd {containerd} is not simulated");
            return Err(Refusal::new("no-such-version", &[("version", containerd)], text));
        }
        self.version = containerd.to_string();
        Ok(())
    }

    fn next_hint(&mut self, scenario: &Scenario) -> Result<(), Refusal> {
        if self.hints_shown >= scenario.hints.len() {
            return Err(Refusal::new("no-more-hints", &[], "there are no more hints".into()));
        }
        self.hints_shown += 1;
        Ok(())
    }

    fn answer(&mut self, scenario: &Scenario, question: &str, answer: &Answer) -> Result<(), Refusal> {
        let Some(asked) = scenario.question(question) else {
            let text = format!("this lab has no question `{question}`");
            return Err(Refusal::new("no-such-question", &[("question", question)], text));
        };
        if !asked.accepts(answer) {
            let text = format!("the question `{question}` takes another kind of answer");
            return Err(Refusal::new("wrong-kind", &[("question", question)], text));
        }
        self.answers.insert(question.to_string(), answer.clone());
        Ok(())
    }
}
