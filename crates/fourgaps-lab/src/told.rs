//! What a recorded cluster told: texts of `kubectl`, and rollouts step by step. Both are read as a [`Recording`]: lines, an exit
//! status and lines on standard error.

use crate::Recording;
use fourgaps_config::read_toml;
use fourgaps_config::toml::{Kind, Node, Table};

/// The version of the recorded cluster.
pub const KUBERNETES: &str = "1.34.9";

/// A recording of a cluster, as a question names it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Told {
    /// A command, what it printed and its exit status.
    Text,
    /// A step of a rollout.
    Step {
        /// Its number, from 0.
        step: u32,
        /// What of it is read: `get_ds`, `get_pods`, `rollout_status`, `pods`, `revisions`, `actions`, `output`.
        says: String,
    },
}

impl Told {
    /// The kind of recording that a case is, by the folder in its name; nothing where it is one of containerd.
    pub(crate) fn of(case: &str) -> Option<Self> {
        match case.split_once('/')?.0 {
            "kubectl" => Some(Self::Text),
            "stories" => Some(Self::Step { step: 0, says: String::new() }),
            _ => None,
        }
    }

    /// Where the recording lies, below `static`.
    pub fn path(&self, case: &str) -> String {
        match (self, case.split_once('/')) {
            (Self::Step { .. }, Some((folder, name))) => {
                format!("results/kubernetes/{folder}/{KUBERNETES}/{name}.toml")
            }
            _ => format!("results/kubernetes/{case}.txt"),
        }
    }

    /// Reads the recording from its file.
    ///
    /// # Errors
    /// Says what the file does not have.
    pub fn read(&self, text: &str) -> Result<Recording, String> {
        match self {
            Self::Text => text_of(text).ok_or_else(|| "the recording is no text of kubectl".into()),
            Self::Step { step, says } => step_of(text, *step, says),
        }
    }
}

/// The first line is the command, the last one the exit status; before it may stand which lines went to standard error.
fn text_of(text: &str) -> Option<Recording> {
    let mut lines: Vec<&str> = text.lines().collect();
    let exit = lines.pop()?.strip_prefix("# exit ")?.parse().ok()?;
    let errors: Vec<usize> = match lines.last().and_then(|line| line.strip_prefix("# stderr lines: ")) {
        Some(list) => list.split(' ').filter_map(|nth| nth.parse().ok()).collect(),
        None => Vec::new(),
    };
    let (mut dump, mut stderr) = (String::new(), Vec::new());
    for (nth, line) in (1..).zip(lines).skip(1).filter(|(_, line)| !line.starts_with("# ")) {
        if errors.contains(&nth) {
            stderr.push(line.to_string());
        } else {
            dump.push_str(line);
            dump.push('\n');
        }
    }
    Some(Recording { dump, exit, stderr, live: None })
}

fn step_of(text: &str, step: u32, says: &str) -> Result<Recording, String> {
    let story: Table = read_toml(text)?;
    let steps = story.get("step").and_then(Node::list).ok_or("the story has no steps")?;
    let is_it =
        |one: &&Table| matches!(one.get("n").map(|n| &n.kind), Some(Kind::Int(n)) if *n == i64::from(step));
    let mut tables = steps.iter().filter_map(Node::table);
    let found = tables.find(is_it).ok_or_else(|| format!("the story has no step {step}"))?;
    let lines: Option<Vec<&str>> = found.get(says).and_then(|said| match said.list() {
        Some(lines) => lines.iter().map(Node::text).collect(),
        None => said.text().map(|line| vec![line]),
    });
    let lines = lines.ok_or_else(|| format!("step {step} has no lines `{says}`"))?;
    let dump = lines.into_iter().map(|line| format!("{line}\n")).collect();
    Ok(Recording { dump, ..Recording::default() })
}

impl Recording {
    /// The cell of a table whose columns stand below their heads, in the first row that begins with a word.
    pub fn cell(&self, row: &str, column: &str) -> Option<&str> {
        let mut lines = self.dump.lines();
        let head = lines.next()?;
        let from = head_at(head, column)?;
        let to = head[from..].find("  ").map(|end| {
            let gap = from + end;
            gap + (head[gap..].len() - head[gap..].trim_start().len())
        });
        let line = lines.find(|line| line.split_whitespace().next() == Some(row))?;
        let to = to.unwrap_or(line.len()).min(line.len());
        line.get(from..to).map(str::trim)
    }
}

/// Where a column begins: heads stand at least two spaces apart.
fn head_at(head: &str, column: &str) -> Option<usize> {
    let fits = |at: &usize| {
        let (before, after) = (&head[..*at], &head[at + column.len()..]);
        (before.is_empty() || before.ends_with("  ")) && (after.is_empty() || after.starts_with("  "))
    };
    head.match_indices(column).map(|(at, _)| at).find(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "$ kubectl get ds\nNAME     DESIRED   READY   NODE SELECTOR   AGE\n\
                        gpu-ds   3         2       <none>          38s\nerror: no\n# stderr lines: 4\n# exit 1\n";

    #[test]
    fn a_text_is_read_by_row_and_column() {
        let read = Told::Text.read(TEXT).unwrap();
        assert_eq!((read.exit, read.stderr.as_slice()), (1, &["error: no".to_string()][..]));
        for (column, cell) in [("DESIRED", "3"), ("READY", "2"), ("NODE SELECTOR", "<none>"), ("AGE", "38s")]
        {
            assert_eq!(read.cell("gpu-ds", column), Some(cell), "{column}");
        }
        assert_eq!((read.cell("gpu-ds", "NODE"), read.cell("gpu", "AGE")), (None, None));
        assert!(Told::Text.read("$ kubectl get ds\n").is_err());
    }

    #[test]
    fn a_story_is_read_by_step() {
        let story = "[[step]]\nn = 0\nget_ds = ['A  B', '1  2']\n[[step]]\nn = 4\nrollout_status = 'done'\n";
        let read = |step, says: &str| Told::Step { step, says: says.into() }.read(story);
        assert_eq!(read(0, "get_ds").unwrap().cell("1", "B"), Some("2"));
        assert_eq!(read(4, "rollout_status").unwrap().dump, "done\n");
        assert_eq!(read(4, "get_ds").unwrap_err(), "step 4 has no lines `get_ds`");
        assert_eq!(read(1, "get_ds").unwrap_err(), "the story has no step 1");
    }
}
