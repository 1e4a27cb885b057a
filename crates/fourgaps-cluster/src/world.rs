//! The world of a scenario: nodes, the control host, and one clock for all of them. Facts are the only way to change it.

mod objects;

use crate::store::Store;
use fourgaps_base::{FileEdit, FileTree};
use fourgaps_config::Version;
use fourgaps_node::{Answer, Astray, Node, Op, Supervisor, Verb};
use serde::{Deserialize, Serialize};

/// The name of the machine from which the cluster is run.
pub const CONTROL: &str = "control";

/// When every scenario begins: 2026-03-02 00:00:00 UTC, in milliseconds since 1970.
pub const EPOCH_MS: u64 = 1_772_409_600_000;

/// Folders that a node has before anybody writes to it.
const FOLDERS: [&str; 6] =
    ["/etc/containerd", "/etc/sysctl.d", "/root", "/tmp", "/usr/local/bin", "/var/log"];

/// Something that happened somewhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fact {
    /// It is now this time everywhere, in ms since the scenario began.
    #[serde(rename = "t")]
    Clock(u64),
    /// Something happened on a node.
    #[serde(rename = "on")]
    Node(String, fourgaps_node::Fact),
    /// A file of the control host changed.
    #[serde(rename = "control")]
    Control(FileEdit),
    /// A script was tried on the scenario's hidden nodes.
    #[serde(rename = "graded")]
    Graded(Vec<Verdict>),
}

/// What a script said of a hidden node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// The name of the node's state.
    pub id: String,
    /// True where the script ended well.
    pub said_fine: bool,
    /// True where that is right.
    pub right: bool,
}

/// A node as a scenario describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeSpec {
    /// Its host name.
    pub name: String,
    /// The version of its containerd, one that is built in.
    pub containerd: String,
    /// Who looks after containerd.
    pub supervisor: Supervisor,
    /// Its GPUs as `nvidia-smi -L` names them: model and UUID.
    pub gpus: Vec<String>,
    /// The inotify instances that other programs have come to use since containerd was started.
    pub inotify_used: u32,
}

/// A pod that a scenario has from the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PodEntry {
    /// Its name.
    pub name: String,
    /// Its namespace.
    pub namespace: String,
    /// The node that it is on.
    pub node: String,
    /// The RuntimeClass that it asks for.
    pub runtime_class: Option<String>,
    /// The image of its only container.
    pub image: String,
    /// What the container runs; empty where the image decides.
    pub command: Vec<String>,
}

/// A RuntimeClass: what pods ask for by name, and the handler that a node must have for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuntimeClass {
    /// Its name.
    pub name: String,
    /// The handler.
    pub handler: String,
}

/// The control host.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Control {
    /// Its files.
    pub files: FileTree,
}

/// Nodes and control host.
#[derive(Clone, Debug, PartialEq)]
pub struct World {
    specs: Vec<NodeSpec>,
    nodes: Vec<Node>,
    control: Control,
    classes: Vec<RuntimeClass>,
    pods: Vec<PodEntry>,
    graded: Vec<Verdict>,
    now_ms: u64,
}

impl World {
    /// A world in which every node's containerd was just started on the node's files.
    ///
    /// A node of a version that is not built in is left out; scenarios are checked before.
    pub fn start(nodes: Vec<(NodeSpec, FileTree)>, control: FileTree, classes: Vec<RuntimeClass>) -> Self {
        let (mut started, mut specs) = (Vec::new(), Vec::new());
        for (nth, (spec, mut files)) in (1u64..).zip(nodes) {
            for folder in FOLDERS {
                files.make_folder(folder);
            }
            let Some(version) = Version::named(&spec.containerd) else { continue };
            let mut node = Node::new(&spec.name, version, spec.supervisor, files, nth);
            let op = match spec.supervisor {
                Supervisor::None => Op::Start { sighup_ignored: true },
                _ => Op::Systemctl(Verb::Start),
            };
            node.act(&op);
            let node = node.with_inotify_used(spec.inotify_used);
            started.push(node);
            specs.push(spec);
        }
        let mut control = control;
        for folder in ["/root", "/tmp"] {
            control.make_folder(folder);
        }
        let control = Control { files: control };
        Self { specs, nodes: started, control, classes, pods: Vec::new(), graded: Vec::new(), now_ms: 0 }
    }

    /// The same world with these pods.
    #[must_use]
    pub fn with_pods(self, pods: Vec<PodEntry>) -> Self {
        Self { pods, ..self }
    }

    /// The same world, where these signals of a toolkit that is started on a node go astray.
    #[must_use]
    pub fn with_astray(mut self, name: &str, astray: Astray) -> Self {
        if let Some(node) = self.nodes.iter_mut().find(|node| node.name() == name) {
            *node = node.clone().with_astray(astray);
        }
        self
    }

    /// What the scenario says of a node.
    pub fn spec(&self, name: &str) -> Option<&NodeSpec> {
        self.specs.iter().find(|spec| spec.name == name)
    }

    /// The objects of the API.
    pub fn store(&self) -> Store {
        objects::of_world(self)
    }

    /// The nodes in the order of the scenario.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// A node.
    pub fn node(&self, name: &str) -> Option<&Node> {
        self.nodes.iter().find(|node| node.name() == name)
    }

    /// The control host.
    pub fn control(&self) -> &Control {
        &self.control
    }

    /// The RuntimeClass objects of the cluster in name order.
    pub fn classes(&self) -> &[RuntimeClass] {
        &self.classes
    }

    /// What the last script that was graded said; empty where none was.
    pub fn graded(&self) -> &[Verdict] {
        &self.graded
    }

    /// The time, in ms since the scenario began.
    pub fn now_ms(&self) -> u64 {
        self.now_ms
    }

    /// The files of a machine: of a node or of the control host.
    pub fn files(&self, host: &str) -> Option<&FileTree> {
        if host == CONTROL { Some(&self.control.files) } else { self.node(host).map(Node::files) }
    }

    /// Folds a fact in. One of a node that is not there changes nothing.
    pub fn apply(&mut self, fact: &Fact) {
        match fact {
            Fact::Clock(ms) => {
                self.now_ms = *ms;
                for node in &mut self.nodes {
                    node.apply(&fourgaps_node::Fact::Clock { ms: *ms });
                }
            }
            Fact::Node(name, fact) => {
                if let Some(node) = self.nodes.iter_mut().find(|node| node.name() == name) {
                    node.apply(fact);
                }
            }
            Fact::Graded(verdicts) => self.graded.clone_from(verdicts),
            // A change that the disk refuses was never one.
            Fact::Control(edit) => {
                let _ = self.control.files.edit(edit, self.now_ms);
            }
        }
    }
}

/// Deciding: what a wish makes happen. The page, which only folds, never calls these.
impl World {
    /// What a wish makes happen on a machine. Every fact is folded in already, and put behind those of `facts`.
    pub fn act(&mut self, host: &str, op: &Op, facts: &mut Vec<Fact>) -> Answer {
        if let Op::Wait { ms } = op {
            self.wait(*ms, facts);
            return Answer::Done;
        }
        if host == CONTROL {
            return self.act_on_control(op, facts);
        }
        let Some(node) = self.nodes.iter_mut().find(|node| node.name() == host) else {
            return Answer::NotSimulated(format!("no machine {host}"));
        };
        let done = node.act(op);
        facts.extend(done.facts.into_iter().map(|fact| Fact::Node(host.into(), fact)));
        done.answer
    }

    fn act_on_control(&mut self, op: &Op, facts: &mut Vec<Fact>) -> Answer {
        let Op::Edit(edit) = op else {
            return Answer::NotSimulated(format!("containerd on {CONTROL}"));
        };
        match self.control.files.edit(edit, self.now_ms) {
            Err(why) => Answer::File(why),
            Ok(()) => {
                facts.push(Fact::Control(edit.clone()));
                Answer::Done
            }
        }
    }

    /// Lets time pass everywhere; whatever falls due meanwhile happens, in the order of time and then of nodes.
    fn wait(&mut self, ms: u64, facts: &mut Vec<Fact>) {
        let until = self.now_ms.saturating_add(ms);
        loop {
            let due = self.nodes.iter().filter_map(Node::next_due_ms).min();
            let to = due.map_or(until, |due| due.clamp(self.now_ms, until));
            if to > self.now_ms {
                let fact = Fact::Clock(to);
                self.apply(&fact);
                facts.push(fact);
            }
            let mut moved = false;
            for node in &mut self.nodes {
                if node.next_due_ms().is_some_and(|due| due <= to) {
                    moved = true;
                    let name = node.name().to_string();
                    let done = node.act(&Op::Wait { ms: 0 });
                    let told = done.facts.into_iter();
                    // The clock was told for everyone above.
                    let told = told.filter(|fact| !matches!(fact, fourgaps_node::Fact::Clock { .. }));
                    facts.extend(told.map(|fact| Fact::Node(name.clone(), fact)));
                }
            }
            if !moved && to >= until {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fourgaps_node::Restart;

    fn world() -> World {
        let spec = |name: &str| NodeSpec {
            name: name.into(),
            containerd: "1.7.27".into(),
            supervisor: Supervisor::Systemd(Restart::Always),
            gpus: Vec::new(),
            inotify_used: 0,
        };
        let nodes = vec![(spec("omen"), FileTree::new()), (spec("omen2"), FileTree::new())];
        World::start(nodes, FileTree::new(), Vec::new())
    }

    #[test]
    fn folding_the_facts_gives_the_same_world() {
        let mut decided = world();
        let mut folded = world();
        let mut facts = Vec::new();
        let pid = decided.node("omen").and_then(Node::containerd).unwrap().pid;
        decided.act(
            "omen",
            &Op::Edit(FileEdit::write("/etc/containerd/config.toml", "version = 2\n")),
            &mut facts,
        );
        decided.act("omen", &Op::Signal { pid, signal: fourgaps_node::Signal::Hup }, &mut facts);
        decided.act(CONTROL, &Op::Wait { ms: 12_000 }, &mut facts);
        decided.act(CONTROL, &Op::Edit(FileEdit::write("/tmp/a", "b")), &mut facts);
        assert_eq!(decided.node("omen").unwrap().unit().n_restarts, 1);
        assert_eq!(decided.now_ms(), 12_000);
        for fact in &facts {
            folded.apply(fact);
        }
        assert_eq!(decided, folded);
    }
}
