//! A learner's node and how far the learner is. Only actions change it.

use crate::{Action, Answer, Refusal, Scenario, import_switch};
use fourgaps_base::{FileError, FileTree, Files, clean};
use fourgaps_config::Version;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Longest text of a file, in bytes. A node's configuration is far below it.
const MAX_TEXT: usize = 256 * 1024;
/// Most files on a node.
const MAX_FILES: usize = 256;

/// Where a learner is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The node's files now.
    pub files: FileTree,
    /// The containerd version that looks at them; on arrival the node's own. Goals are judged at the node's own.
    pub version: String,
    /// How many hints were asked for.
    pub hints_shown: usize,
    /// The last answer to each question.
    pub answers: BTreeMap<String, Answer>,
    start: FileTree,
}

impl State {
    /// The state on arrival.
    pub fn start(scenario: &Scenario, files: &FileTree) -> Self {
        Self {
            files: files.clone(),
            version: scenario.containerd.clone(),
            hints_shown: 0,
            answers: BTreeMap::new(),
            start: files.clone(),
        }
    }

    /// The node's files on arrival.
    pub fn start_files(&self) -> &FileTree {
        &self.start
    }

    /// Does one action. A refused action changes nothing.
    ///
    /// # Errors
    /// Says why the state does not allow the action.
    pub fn apply(&mut self, scenario: &Scenario, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::Write { path, text, part: _ } => self.write(path, text.clone().into_bytes()),
            Action::Remove { path } => {
                self.must_be_file(path)?;
                self.files.remove(path);
                Ok(())
            }
            Action::Rename { from, to } => self.rename(from, to),
            Action::Import { path, on } => {
                let text = import_switch::switched(scenario, &self.files, path, *on)?;
                self.write(&scenario.config, text.into_bytes())
            }
            Action::Version { containerd } => self.look_with(containerd),
            Action::Hint => self.next_hint(scenario),
            Action::Answer { question, answer } => self.answer(scenario, question, answer),
            Action::Reset => {
                *self = Self::start(scenario, &self.start);
                Ok(())
            }
        }
    }

    fn write(&mut self, path: &str, text: Vec<u8>) -> Result<(), Refusal> {
        if !path.starts_with('/') || clean(path) != path || path == "/" {
            return Err(Refusal::of_path("bad-path", path, "`{path}` is not an absolute path of a file"));
        }
        if text.len() > MAX_TEXT {
            return Err(Refusal::of_path("too-long", path, "the text of {path} is too long for this lab"));
        }
        match self.files.read(path) {
            Err(FileError::IsDirectory) => {
                return Err(Refusal::of_path("is-folder", path, "{path} is a folder"));
            }
            Err(FileError::NotADirectory) => {
                return Err(Refusal::of_path("below-file", path, "a part of {path} is a file, not a folder"));
            }
            Err(_) if self.files.iter().count() >= MAX_FILES => {
                return Err(Refusal::of_path(
                    "too-many",
                    path,
                    "there is no room for {path}: too many files",
                ));
            }
            _ => {}
        }
        self.files.write(path, text);
        Ok(())
    }

    fn rename(&mut self, from: &str, to: &str) -> Result<(), Refusal> {
        self.must_be_file(from)?;
        if clean(from) == clean(to) {
            return Ok(());
        }
        if self.files.exists(to) {
            return Err(Refusal::of_path("name-taken", to, "{path} is there already"));
        }
        let text = self.files.read(from).map(Cow::into_owned).unwrap_or_default();
        self.write(to, text)?;
        self.files.remove(from);
        Ok(())
    }

    fn must_be_file(&self, path: &str) -> Result<(), Refusal> {
        match self.files.read(path) {
            Ok(_) => Ok(()),
            Err(_) => Err(Refusal::of_path("no-such-file", path, "there is no file {path}")),
        }
    }

    fn look_with(&mut self, containerd: &str) -> Result<(), Refusal> {
        if !Version::names().any(|name| name == containerd) {
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
