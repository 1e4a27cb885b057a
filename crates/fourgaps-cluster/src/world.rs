//! The world of a scenario: its machines, and the cluster that they are, where there is one. What happens to machines is told as
//! facts; what happens to the objects of the API follows from the wishes, and is decided anew where it is wanted again.

mod arrival;
mod kube;
mod programs;
mod report;

use crate::change;
use crate::kubelet::Behaviour;
use crate::machines::{CONTROL, Fact, Machines, NodeSpec, PodEntry, RuntimeClass};
use crate::meta::Labels;
use crate::spec::Amounts;
use crate::store::Store;
use crate::taint::Taint;
use crate::trace::Trace;
use fourgaps_node::{Answer, Node, Op};
pub use programs::mounts_of;
use std::ops::{Deref, DerefMut};

pub use programs::GPU;

/// What a scenario has beside machines: the objects that are there on arrival.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Content {
    /// RuntimeClasses.
    pub classes: Vec<RuntimeClass>,
    /// Pods.
    pub pods: Vec<PodEntry>,
    /// Nodes that are no machines: objects whose kubelet is a script.
    pub nodes: Vec<LightNode>,
    /// Images of which something is said.
    pub images: Vec<Image>,
    /// Objects as manifests, made in this order before the machines start.
    pub objects: Vec<serde_json::Value>,
}

/// A node of the cluster that is no machine: it has no files and no containerd, and nobody can log in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LightNode {
    /// Its name.
    pub name: String,
    /// The version of its containerd, as it is shown.
    pub containerd: String,
    /// Labels beside those that every node has.
    pub labels: Labels,
    /// Taints.
    pub taints: Vec<Taint>,
    /// What it offers beside, or instead of, what every node offers.
    pub allocatable: Amounts,
}

/// How an image behaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Its whole name, with the tag.
    pub name: String,
    /// The node on which it behaves so; nothing for every node of which nothing else is said.
    pub node: Option<String>,
    /// How.
    pub behaviour: Behaviour,
}

impl Content {
    /// True where machines with this content are a cluster: there is something in it, or a GPU to offer.
    pub fn makes_cluster<'s>(&self, mut nodes: impl Iterator<Item = &'s NodeSpec>) -> bool {
        *self != Self::default() || nodes.any(|node| !node.gpus.is_empty())
    }
}

/// Machines, and the cluster that they are, where the scenario has one.
#[derive(Clone, Debug)]
pub struct World {
    machines: Machines,
    kube: Option<kube::Kube>,
    /// Changes of objects since somebody last took them.
    changes: Vec<change::Fact>,
}

impl Deref for World {
    type Target = Machines;

    fn deref(&self) -> &Machines {
        &self.machines
    }
}

impl DerefMut for World {
    fn deref_mut(&mut self) -> &mut Machines {
        &mut self.machines
    }
}

/// Equal are worlds whose machines and objects are equal, whatever controllers remember.
impl PartialEq for World {
    fn eq(&self, other: &Self) -> bool {
        self.machines == other.machines && self.store() == other.store()
    }
}

impl World {
    /// The changes of objects since the last call, in order, for whoever watches.
    pub fn take_changes(&mut self) -> Vec<change::Fact> {
        std::mem::take(&mut self.changes)
    }

    /// The objects of the API, where the scenario has a cluster.
    pub fn store(&self) -> Option<&Store> {
        self.kube.as_ref().map(kube::Kube::store)
    }

    /// What pods of DaemonSets went through so far.
    pub fn trace(&self) -> Option<&Trace> {
        self.kube.as_ref().map(kube::Kube::trace)
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
        let Some(node) = self.machines.nodes.iter_mut().find(|node| node.name() == host) else {
            return Answer::NotSimulated(format!("no machine {host}"));
        };
        let done = node.act(op);
        if let Some(kube) = &mut self.kube {
            kube.hear(self.machines.now_ms, node, &done.facts);
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
        match self.machines.control.files.edit(edit, self.machines.now_ms) {
            Err(why) => Answer::File(why),
            Ok(()) => {
                facts.push(Fact::Control(edit.clone()));
                Answer::Done
            }
        }
    }

    /// Lets time pass everywhere; whatever falls due meanwhile happens, in the order of time and then of nodes.
    fn wait(&mut self, ms: u64, facts: &mut Vec<Fact>) {
        let until = self.machines.now_ms.saturating_add(ms);
        loop {
            let to = self.next_due_ms().map_or(until, |due| due.clamp(self.machines.now_ms, until));
            if to > self.machines.now_ms {
                let fact = Fact::Clock(to);
                self.apply(&fact);
                facts.push(fact);
            }
            let is_due = |node: &&Node| node.next_due_ms().is_some_and(|due| due <= to);
            let names: Vec<String> =
                self.machines.nodes.iter().filter(is_due).map(|node| node.name().into()).collect();
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
    use fourgaps_base::{FileEdit, FileTree};
    use fourgaps_node::{Restart, Supervisor};

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
