//! What a learner can do. An action is the only way to change a state, and a run is a list of them.

use crate::{Scenario, State};
use fourgaps_base::{Files, Held, Json, Kept, Variants, kept_variants, variants};
use fourgaps_cluster::Fact;

/// One step of a learner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Gives a file a new text; makes the file where there is none.
    Write {
        /// Absolute path on the node.
        path: String,
        /// The whole text.
        text: String,
        /// True where this continues the write before it, as typing does; both are then one step to undo.
        part: bool,
        /// The node, or the control host; the first node where none is named, as in every action on files.
        node: Option<String>,
    },
    /// Removes a file.
    Remove {
        /// Absolute path on the node.
        path: String,
        /// The node.
        node: Option<String>,
    },
    /// Gives a file another name.
    Rename {
        /// The name that it has.
        from: String,
        /// The name that it gets; no file may have it yet.
        to: String,
        /// The node.
        node: Option<String>,
    },
    /// Switches the import of a file on or off in the text of the main file.
    Import {
        /// The file.
        path: String,
        /// True for on.
        on: bool,
        /// The node.
        node: Option<String>,
    },
    /// A line that was typed into a terminal, with what it made happen. The shell decided that when the line ran; whoever
    /// only wants to know where the learner is folds the facts and needs no shell.
    Ran {
        /// The terminal, by the name of the machine at its start.
        tab: String,
        /// The line, without the line break at its end.
        line: String,
        /// What happened, in order.
        did: Vec<Fact>,
    },
    /// Looks at the files of every node with another containerd version.
    Version {
        /// The version, one that is built in; empty for that of each node.
        containerd: String,
    },
    /// Shows the next hint.
    Hint,
    /// Gives an answer to a question, or another one.
    Answer {
        /// The question's name.
        question: String,
        /// The answer.
        answer: Answer,
    },
    /// Goes on from an earlier moment: what was done since then is left aside. Can be undone like any other action.
    Back {
        /// After so many actions of the list.
        to: u32,
    },
    /// Starts over: files, hints and answers as at the start. Can be undone like any other action.
    Reset,
}

variants!(Action {
    "write" => Write { path, text, part, node },
    "remove" => Remove { path, node },
    "rename" => Rename { from, to, node },
    "import" => Import { path, on, node },
    "ran" => Ran { tab, line, did },
    "version" => Version { containerd },
    "hint" => Hint {},
    "answer" => Answer { question, answer },
    "back" => Back { to },
    "reset" => Reset {},
});

/// A table with the action's word under `do`; what was not said is left out. A key that is not known is refused: a newer page
/// has written it.
impl Kept for Action {
    fn to_json(&self) -> Json {
        let (word, held) = self.take_apart();
        let mut entries = vec![("do".to_string(), word.to_string().to_json())];
        if let Some(Json::Table(fields)) = held {
            let said = |(name, value): &(String, Json)| {
                *value != Json::Null && !(name == "part" && *value == Json::Bool(false))
            };
            entries.extend(fields.into_iter().filter(said));
        }
        Json::Table(entries)
    }

    fn from_json(json: &Json) -> Result<Self, String> {
        let mut held = Held::of(json);
        let word: String = held.get("do")?;
        let action = Self::put_together(&word, &mut held)?;
        held.close().map(|()| action)
    }
}

/// What a learner answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Names of options; for an order in that order.
    Choice(Vec<String>),
    /// A whole number.
    Number(i64),
    /// A text.
    Text(String),
}
kept_variants!(Answer { "choice" => Choice(names), "number" => Number(number), "text" => Text(text) });

impl Action {
    /// The shell command that does the same on the node where the learner is; nothing for what no command does, and for
    /// typing in the editor.
    pub fn as_command(&self, scenario: &Scenario, state: &State) -> Option<String> {
        match self {
            Self::Remove { path, .. } => Some(format!("rm {}", quoted(path))),
            Self::Rename { from, to, .. } => Some(format!("mv {} {}", quoted(from), quoted(to))),
            Self::Write { path, text, node, .. }
                if text.is_empty() && !state.node(node.as_deref()).files().exists(path) =>
            {
                Some(format!("touch {}", quoted(path)))
            }
            Self::Import { node, .. } => {
                let main = &scenario.config;
                let text = |state: &State| Some(state.node(node.as_deref()).files().text(main)?.into_owned());
                let before = text(state)?;
                let mut after = state.clone();
                after.apply(scenario, self).ok()?;
                replaced(main, &before, &text(&after)?)
            }
            _ => None,
        }
    }

    /// The same action on a node, where it is one on files and names none. The first node stays without a name, so that
    /// work on it can be read by older pages.
    #[must_use]
    pub fn on_node(mut self, node: &str, first: &str) -> Self {
        if let Self::Write { node: at, .. }
        | Self::Remove { node: at, .. }
        | Self::Rename { node: at, .. }
        | Self::Import { node: at, .. } = &mut self
        {
            let name = at.take().unwrap_or_else(|| node.into());
            *at = (name != first).then_some(name);
        }
        self
    }

    /// The action as a save has it.
    pub fn to_text(&self) -> String {
        self.to_json().write()
    }

    /// An action from the text of [`Self::to_text`]; nothing where it is none.
    pub fn from_text(text: &str) -> Option<Self> {
        Self::from_json(&Json::read(text).ok()?).ok()
    }
}

/// A word of a shell; plain where it needs no quotes.
fn quoted(word: &str) -> String {
    let plain = word.chars().all(|c| c.is_ascii_alphanumeric() || "/._-+:@%".contains(c));
    if plain { word.into() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

/// The command that gives a file another text: the one line that differs, or the whole where more does.
fn replaced(path: &str, before: &str, after: &str) -> Option<String> {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.split('\n').collect(), after.split('\n').collect());
    let differ = old.iter().zip(&new).filter(|(a, b)| a != b).count();
    let at = old.iter().zip(&new).position(|(a, b)| a != b)?;
    if old.len() == new.len() && differ == 1 {
        let line = new[at].replace('\\', r"\\").replace('&', r"\&").replace('|', r"\|");
        return Some(format!("sed -i {} {}", quoted(&format!("{}s|.*|{line}|", at + 1)), quoted(path)));
    }
    let end = if after.contains("END") { "END_OF_FILE" } else { "END" };
    let text = after.strip_suffix('\n').unwrap_or(after);
    Some(format!("cat > {} <<'{end}'\n{text}\n{end}", quoted(path)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_node_stays_without_a_name() {
        let remove = |node: Option<&str>| Action::Remove { path: "/a".into(), node: node.map(String::from) };
        assert_eq!(remove(None).on_node("omen2", "omen"), remove(Some("omen2")));
        assert_eq!(remove(None).on_node("omen", "omen"), remove(None));
        assert_eq!(remove(Some("omen")).on_node("omen2", "omen"), remove(None));
        assert_eq!(remove(Some("nuc1")).on_node("omen2", "omen"), remove(Some("nuc1")));
        assert_eq!(Action::Hint.on_node("omen2", "omen"), Action::Hint);
    }
}
