//! The world of a scenario on arrival, as whoever decides makes it, and as a page folds it.

use super::machines::CONTROL_FILES;
use super::{Deed, Grade, Scenario, past};
use crate::Before;
use fourgaps_base::{FileTree, Pos};
use fourgaps_cluster::{Content, Fact, Machines, World};
use std::collections::BTreeSet;

/// The files of a folder of the scenario as those of a machine.
fn tree(read: &impl Fn(&str) -> Option<Vec<u8>>, root: &str, paths: &[String]) -> FileTree {
    let mut files = FileTree::new();
    for path in paths {
        if let Some(bytes) = read(&format!("{root}{path}")) {
            files.write(path, bytes);
        }
    }
    files
}

impl Scenario {
    /// Every file that the machines start with, by its path in the scenario's folder; each once.
    pub fn sources(&self) -> Vec<String> {
        let nodes = self.nodes.iter().chain(self.grades.iter().map(|grade| &grade.node));
        let of_nodes = nodes.flat_map(|node| node.files.iter().map(|path| format!("{}{path}", node.rootfs)));
        let of_control = self.control_files.iter().map(|path| format!("{CONTROL_FILES}{path}"));
        let of_past = self.past.iter().filter_map(|past| match &past.deed {
            Deed::Write { from, .. } | Deed::Apply { from } => Some(from.clone()),
            Deed::Do(_) | Deed::Toolkit { .. } | Deed::Kubelet { .. } => None,
        });
        let told = (!self.past.is_empty()).then(|| past::FACTS.to_string());
        let mut seen = BTreeSet::new();
        of_nodes
            .chain(of_control)
            .chain(of_past)
            .chain(told)
            .filter(|source| seen.insert(source.clone()))
            .collect()
    }

    /// The objects that are there on arrival.
    fn content(&self) -> Content {
        let nodes = self.light_nodes.iter().map(|entry| entry.node(&self.containerd));
        Content { nodes: nodes.collect(), ..self.without_nodes() }
    }

    /// The same without the nodes that are no machines.
    fn without_nodes(&self) -> Content {
        let (classes, pods, images) = (self.classes.clone(), self.pods.clone(), self.images.clone());
        Content { classes, pods, images, ..Content::default() }
    }

    /// True where there is a cluster.
    pub fn has_cluster(&self) -> bool {
        let machines = self.nodes.iter().map(|node| &node.spec);
        !self.light_nodes.is_empty() || self.without_nodes().makes_cluster(machines)
    }

    /// The world on arrival: every machine with its files, every containerd started on them, and the past behind it. `read`
    /// gives a file of the scenario's folder; one that is not there is left out.
    pub fn world(&self, read: impl Fn(&str) -> Option<Vec<u8>>) -> World {
        self.arrive(read, &mut Vec::new())
    }

    /// What happened before the learner arrived, as the text of the file `past.json`, which a page folds.
    pub fn past_facts(&self, read: impl Fn(&str) -> Option<Vec<u8>>) -> String {
        let mut facts = Vec::new();
        self.arrive(read, &mut facts);
        past::written(&facts)
    }

    /// What of the past, and of the nodes, could not be: where it stands, and why.
    pub(crate) fn cannot_be(&self, read: impl Fn(&str) -> Option<Vec<u8>>) -> Vec<(Pos, String)> {
        let unread =
            self.light_nodes.iter().flat_map(|node| node.unread().into_iter().map(|text| (node.pos, text)));
        let mut faults: Vec<(Pos, String)> =
            unread.map(|(pos, text)| (pos, format!("`{text}` is no taint and no amount"))).collect();
        self.arriving(read, &mut Vec::new(), &mut faults);
        faults
    }

    /// The world on arrival, putting what happened on the way behind `facts`.
    pub fn arrive(&self, read: impl Fn(&str) -> Option<Vec<u8>>, facts: &mut Vec<Fact>) -> World {
        self.arriving(read, facts, &mut Vec::new())
    }

    fn arriving(
        &self,
        read: impl Fn(&str) -> Option<Vec<u8>>,
        facts: &mut Vec<Fact>,
        faults: &mut Vec<(Pos, String)>,
    ) -> World {
        let nodes = self.nodes.iter().map(|node| (node.spec.clone(), tree(&read, &node.rootfs, &node.files)));
        let control = tree(&read, CONTROL_FILES, &self.control_files);
        let mut world = World::begin_telling(nodes.collect(), control, self.content(), facts);
        self.set_astray(&mut world);
        self.live_through(world, read, facts, faults)
    }

    /// The world of a hidden state; the control host has these files.
    pub fn graded_world(
        &self,
        grade: &Grade,
        control: &FileTree,
        read: impl Fn(&str) -> Option<Vec<u8>>,
    ) -> World {
        let files = tree(&read, &grade.node.rootfs, &grade.node.files);
        let pods = Vec::new();
        let nodes = vec![(grade.node.spec.clone(), files)];
        World::begin(nodes, control.clone(), Content { pods, nodes: Vec::new(), ..self.content() })
    }

    fn set_astray(&self, machines: &mut Machines) {
        for node in &self.nodes {
            machines.set_astray(&node.spec.name, node.astray);
        }
    }

    /// The machines on arrival, without the cluster that they are: what a page folds facts into. The past is read, not decided.
    pub fn machines(&self, read: impl Fn(&str) -> Option<Vec<u8>>) -> Machines {
        self.before(read).arrival()
    }

    /// The same, and how they came to be so.
    pub fn before(&self, read: impl Fn(&str) -> Option<Vec<u8>>) -> Before {
        let nodes = self.nodes.iter().map(|node| (node.spec.clone(), tree(&read, &node.rootfs, &node.files)));
        let mut machines = Machines::start(nodes.collect(), tree(&read, CONTROL_FILES, &self.control_files));
        self.set_astray(&mut machines);
        let past = if self.past.is_empty() { None } else { read(past::FACTS) };
        Before { machines, facts: past.map(|text| past::read(&text)).unwrap_or_default() }
    }

    /// Machines where every node has these files.
    pub fn machines_with(&self, files: &FileTree) -> Machines {
        let nodes = self.nodes.iter().map(|node| (node.spec.clone(), files.clone()));
        Machines::start(nodes.collect(), FileTree::new())
    }
}
