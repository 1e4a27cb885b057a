//! Stories of a node, played step by step: `stories/VERSION/NAME.toml` of the recordings.

use crate::conformance::{Tally, names, on_all_cores};
use fourgaps_base::{FileEdit, FileError, FileTree, parent};
use fourgaps_config::Version;
use fourgaps_node::{Answer, End, Node, Op, Release, Sandbox, SandboxSpec, Signal, Supervisor};
use serde::Deserialize;
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::{fs, io};

/// The release of the toolkit that the recordings were made with.
const RELEASE: Release = Release(1, 18, 1);

#[derive(Deserialize)]
struct Story {
    step: Vec<Step>,
}

#[derive(Deserialize)]
struct Step {
    #[serde(rename = "do")]
    what: String,
    ops: Vec<String>,
    #[serde(flatten)]
    seen: Seen,
    sandboxes: Option<Vec<String>>,
    #[serde(default)]
    sandbox_processes_alive: Vec<String>,
    nvidia_lines_written: Option<usize>,
    answer: Option<String>,
    #[serde(default)]
    log: Vec<String>,
}

/// What both kinds of recordings say of a node after a step.
#[derive(Deserialize)]
pub(crate) struct Seen {
    files: Vec<String>,
    dump_exit: i32,
    dump_handlers: Vec<String>,
    process: String,
    cri: Option<String>,
    loaded_handlers: Option<Vec<String>>,
    loaded_default: Option<String>,
}

/// Plays every story of a version; nothing where there are none.
///
/// # Errors
/// Names the file that cannot be read.
pub fn stories(oracle: &Path, version: &'static Version) -> io::Result<Option<Tally>> {
    let home = oracle.join("stories").join(version.name());
    if !home.is_dir() {
        return Ok(None);
    }
    let mut told = names(&home)?;
    told.retain(|name| name.ends_with(".toml"));
    let differs = on_all_cores(&told, |name| {
        let story: Story = read(&home.join(name))?;
        let play = || play(version, &story);
        let why = catch_unwind(AssertUnwindSafe(play)).unwrap_or_else(|_| Some("our node panicked".into()));
        Ok(why.map(|why| (name.trim_end_matches(".toml").to_string(), why)))
    })?;
    Ok(Some(Tally { kind: "stories", version: version.name().into(), total: told.len(), differs }))
}

/// Reads a recording.
pub(crate) fn read<T: serde::de::DeserializeOwned>(file: &Path) -> io::Result<T> {
    toml::from_str(&fs::read_to_string(file)?)
        .map_err(|error| io::Error::other(format!("{}: {error}", file.display())))
}

/// The first difference of a story.
fn play(version: &'static Version, story: &Story) -> Option<String> {
    let mut node = node(version, FileTree::new());
    for (number, step) in (1..).zip(&story.step) {
        let mut said = None;
        for op in &step.ops {
            match act(&mut node, op) {
                Ok(answer) => said = answer.or(said),
                Err(why) => return Some(format!("step {number}, {:?}: {why}", step.what)),
            }
        }
        if let Some(why) = differs(&node, step, said.as_deref()) {
            return Some(format!("step {number}, {:?}: {why}", step.what));
        }
    }
    None
}

/// The node of the recordings: nobody looks after its containerd.
pub(crate) fn node(version: &'static Version, files: FileTree) -> Node {
    Node::new("recorded", version, Supervisor::None, files, 1)
}

/// Plays one op; what it answers is what a sandbox request got.
fn act(node: &mut Node, op: &str) -> Result<Option<String>, String> {
    let (line, text) = op.split_once('\n').map_or((op, None), |(line, text)| (line, Some(text)));
    let words: Vec<&str> = line.split(' ').collect();
    let wish = match words.as_slice() {
        ["write", path] => {
            make_folders(node, parent(path));
            Op::Edit(FileEdit::write(*path, text.unwrap_or_default()))
        }
        ["remove", path] => Op::Edit(FileEdit::Remove((*path).into())),
        ["rename", from, to] => Op::Edit(FileEdit::Rename((*from).into(), (*to).into())),
        ["start"] => Op::Start { sighup_ignored: false },
        ["start,", "SIGHUP", "ignored"] => Op::Start { sighup_ignored: true },
        ["stop"] => signal(node, Signal::Term),
        ["sighup"] => signal(node, Signal::Hup),
        ["sigkill"] => signal(node, Signal::Kill),
        ["sandbox", name, handler] => Op::RunSandbox(SandboxSpec {
            name: (*name).into(),
            namespace: "default".into(),
            uid: (*name).into(),
            attempt: 1,
            handler: (*handler != "(default)").then(|| (*handler).into()),
            log_directory: String::new(),
        }),
        ["nvidia-ctk", "runtime", "configure", words @ ..] => {
            Op::Ctk { release: RELEASE, words: words.iter().map(|word| (*word).into()).collect() }
        }
        _ => return Err(format!("no such op: {op:?}")),
    };
    match node.act(&wish).answer {
        Answer::Sandbox { .. } => Ok(Some("created".into())),
        Answer::Refused(words) => Ok(Some(words)),
        // What is not there can be neither signalled nor removed.
        Answer::Done | Answer::NoProcess | Answer::File(FileError::NotFound) => Ok(None),
        // One that failed shows in the files.
        Answer::Ctk(_) => Ok(None),
        other => Err(format!("{op:?}: {other:?}")),
    }
}

/// Makes a folder and those above it, where they are missing.
fn make_folders(node: &mut Node, folder: &str) {
    if folder != "/" {
        make_folders(node, parent(folder));
        node.act(&Op::Edit(FileEdit::MakeFolder(folder.into())));
    }
}

/// A signal to containerd.
pub(crate) fn signal(node: &Node, signal: Signal) -> Op {
    Op::Signal { pid: node.containerd().map_or(0, |process| process.pid), signal }
}

fn differs(node: &Node, step: &Step, said: Option<&str>) -> Option<String> {
    let sandboxes = || sorted(node.sandboxes().iter().map(shown));
    let alive =
        node.sandboxes().iter().filter(|sandbox| sandbox.is_ready()).map(|sandbox| sandbox.name.clone());
    let lines = etc(node).filter_map(|(path, _)| node.files().text(path)).collect::<Vec<_>>();
    let lines =
        lines.iter().flat_map(|text| text.lines()).filter(|line| line.contains("runtimes.nvidia")).count();
    step.seen
        .differs(node)
        .or_else(|| unequal("sandboxes", &sandboxes(), step.sandboxes.as_ref()?))
        .or_else(|| unequal("sandbox_processes_alive", &sorted(alive), &step.sandbox_processes_alive))
        .or_else(|| unequal("nvidia_lines_written", &lines, &step.nvidia_lines_written?))
        .or_else(|| unequal("answer", &said.map(without_ids), &step.answer.clone()))
        .or_else(|| unequal("log", &last_words(node, step.log.len()), &step.log))
}

/// The last lines that the last process logged as a warning or worse.
pub(crate) fn last_words(node: &Node, most: usize) -> Vec<String> {
    let lines = node.last_boot().map(|process| process.run().complaints.clone()).unwrap_or_default();
    lines[lines.len().saturating_sub(most)..].to_vec()
}

fn shown(sandbox: &Sandbox) -> String {
    let handler = sandbox.asked.as_deref().unwrap_or("(default)");
    format!("{} {handler} {}", sandbox.name, if sandbox.is_ready() { "ready" } else { "notready" })
}

fn sorted(texts: impl Iterator<Item = String>) -> Vec<String> {
    let mut texts: Vec<String> = texts.collect();
    texts.sort_unstable();
    texts
}

/// Ids as the recordings write them.
fn without_ids(text: &str) -> String {
    let mut out = String::new();
    let mut hex = String::new();
    for c in text.chars().chain(['\n']) {
        if c.is_ascii_digit() || ('a'..='f').contains(&c) {
            hex.push(c);
            continue;
        }
        out.push_str(if hex.len() == 64 { "<id>" } else { &hex });
        hex.clear();
        out.push(c);
    }
    out.pop();
    out
}

/// The files of /etc/containerd.
pub(crate) fn etc(node: &Node) -> impl Iterator<Item = (&str, &[u8])> {
    node.files().iter().filter(|(path, _)| path.starts_with("/etc/containerd/"))
}

impl Seen {
    /// True where containerd ran.
    pub(crate) fn runs(&self) -> bool {
        self.process == "running"
    }

    /// What of it is otherwise on our node.
    pub(crate) fn differs(&self, node: &Node) -> Option<String> {
        let files: Vec<String> = etc(node).map(|(path, _)| path.into()).collect();
        let dump = node.next_start();
        let dump_handlers = sorted(dump.handlers.iter().map(|handler| handler.name.clone()));
        let run = node.containerd().map(|process| process.run());
        let handlers = run.and_then(|run| run.handlers.as_ref());
        let loaded = handlers.map(|list| sorted(list.iter().map(|handler| handler.name.clone())));
        let cri = (run.is_some() && handlers.is_none()).then(|| "unavailable".to_string());
        let default = run.and_then(|run| run.default_handler()).map(String::from);
        unequal("files", &files, &self.files)
            .or_else(|| unequal("dump_exit", &dump.exit, &self.dump_exit))
            .or_else(|| unequal("dump_handlers", &dump_handlers, &self.dump_handlers))
            .or_else(|| unequal("process", &process(node), &self.process))
            .or_else(|| unequal("cri", &cri, &self.cri))
            .or_else(|| unequal("loaded_handlers", &loaded, &self.loaded_handlers))
            .or_else(|| unequal("loaded_default", &default.as_ref(), &Some(self.loaded_default.as_ref()?)))
    }
}

fn process(node: &Node) -> String {
    if node.containerd().is_some() {
        return "running".into();
    }
    match node.last_end().map(|ended| ended.end) {
        None => "never started".into(),
        Some(End::Exited(status)) => format!("exited {status}"),
        Some(End::Killed(signal)) => format!("killed by SIG{}", signal.name()),
    }
}

/// Names what differs.
pub(crate) fn unequal<T: PartialEq<U> + Debug, U: Debug>(name: &str, ours: &T, real: &U) -> Option<String> {
    (ours != real).then(|| format!("{name}: {ours:?}, real {real:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_hidden() {
        let id = "0123456789abcdef".repeat(4);
        assert_eq!(without_ids(&format!("sandbox \"{id}\": no cafe")), "sandbox \"<id>\": no cafe");
        assert_eq!(without_ids(&format!("{id}a")), format!("{id}a"));
    }
}
