//! The world of a scenario: nodes, the control host, and one clock for all of them. Facts are the only way to change it.

mod arrival;
mod kube;
mod report;

use crate::change::Change;
use crate::store::Store;
use fourgaps_base::{FileEdit, FileTree};
use fourgaps_node::{Answer, Node, Op, Supervisor};
use serde::{Deserialize, Serialize};

/// The name of the machine from which the cluster is run.
pub const CONTROL: &str = "control";

/// When every scenario begins: 2026-03-02 00:00:00 UTC, in milliseconds since 1970.
pub const EPOCH_MS: u64 = 1_772_409_600_000;

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
    /// An object of the API changed.
    #[serde(rename = "api")]
    Api(Change),
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

/// What a scenario has beside machines: the objects that are there on arrival.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Content {
    /// RuntimeClasses.
    pub classes: Vec<RuntimeClass>,
    /// Pods.
    pub pods: Vec<PodEntry>,
}

/// Nodes, control host, and the cluster that they are, where the scenario has one.
#[derive(Clone, Debug)]
pub struct World {
    specs: Vec<NodeSpec>,
    nodes: Vec<Node>,
    control: Control,
    kube: Option<kube::Kube>,
    graded: Vec<Verdict>,
    now_ms: u64,
}

/// Equal are worlds whose machines and objects are equal, whatever controllers remember.
impl PartialEq for World {
    fn eq(&self, other: &Self) -> bool {
        (&self.specs, &self.nodes, &self.control, &self.graded, self.now_ms)
            == (&other.specs, &other.nodes, &other.control, &other.graded, other.now_ms)
            && self.store() == other.store()
    }
}

impl World {
    /// What the scenario says of a node.
    pub fn spec(&self, name: &str) -> Option<&NodeSpec> {
        self.specs.iter().find(|spec| spec.name == name)
    }

    /// The objects of the API, where the scenario has a cluster.
    pub fn store(&self) -> Option<&Store> {
        self.kube.as_ref().map(kube::Kube::store)
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
            Fact::Api(change) => {
                if let Some(kube) = &mut self.kube {
                    kube.fold(change, self.now_ms);
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
        let answer = self.act_on_node(host, op, facts);
        self.settle(facts);
        answer
    }

    fn act_on_node(&mut self, host: &str, op: &Op, facts: &mut Vec<Fact>) -> Answer {
        let Some(node) = self.nodes.iter_mut().find(|node| node.name() == host) else {
            return Answer::NotSimulated(format!("no machine {host}"));
        };
        let done = node.act(op);
        if let Some(kube) = &mut self.kube {
            kube.hear(self.now_ms, node, &done.facts);
        }
        // The world's own clock is told for everyone.
        let told = done.facts.into_iter().filter(|fact| !matches!(fact, fourgaps_node::Fact::Clock { .. }));
        facts.extend(told.map(|fact| Fact::Node(host.into(), fact)));
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
            let to = self.next_due_ms().map_or(until, |due| due.clamp(self.now_ms, until));
            if to > self.now_ms {
                let fact = Fact::Clock(to);
                self.apply(&fact);
                facts.push(fact);
            }
            let is_due = |node: &&Node| node.next_due_ms().is_some_and(|due| due <= to);
            let names: Vec<String> =
                self.nodes.iter().filter(is_due).map(|node| node.name().into()).collect();
            for name in &names {
                self.act_on_node(name, &Op::Wait { ms: 0 }, facts);
            }
            let moved = !names.is_empty() || self.api_due_ms().is_some_and(|due| due <= to);
            if moved {
                self.settle(facts);
            } else if to >= until {
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

    #[test]
    fn what_happened_to_the_cluster_can_be_folded_too() {
        let gpu = |name: &str| NodeSpec {
            name: name.into(),
            containerd: "1.7.27".into(),
            supervisor: Supervisor::Systemd(Restart::Always),
            gpus: vec!["a GPU".into()],
            inotify_used: 0,
        };
        let nodes = vec![(gpu("omen"), FileTree::new()), (gpu("omen2"), FileTree::new())];
        let mut decided = World::start(nodes, FileTree::new(), Vec::new());
        let mut folded = decided.clone();
        assert_eq!(decided.store().unwrap().pods().len(), 2);
        let mut facts = Vec::new();
        decided.act("omen2", &Op::Systemctl(fourgaps_node::Verb::Stop), &mut facts);
        decided.act(CONTROL, &Op::Wait { ms: 45_000 }, &mut facts);
        let pods: Vec<_> = decided.store().unwrap().pods().map(|pod| pod.key.clone()).collect();
        decided.api(&mut facts, |cluster| cluster.delete_pod(&pods[0], None)).unwrap().unwrap();
        decided.act(CONTROL, &Op::Wait { ms: 45_000 }, &mut facts);
        let (half, rest) = facts.split_at(facts.len() / 2);
        half.iter().for_each(|fact| folded.apply(fact));
        rest.iter().for_each(|fact| folded.apply(fact));
        assert_eq!(decided, folded);
        // Whoever only folded can go on deciding.
        let mut more = [Vec::new(), Vec::new()];
        for (world, facts) in [&mut decided, &mut folded].into_iter().zip(&mut more) {
            world.act("omen2", &Op::Systemctl(fourgaps_node::Verb::Start), facts);
            world.act(CONTROL, &Op::Wait { ms: 60_000 }, facts);
            assert!(world.store().unwrap().pods().all(|pod| pod.is_ready()));
        }
        assert_eq!(decided, folded);
    }
}
