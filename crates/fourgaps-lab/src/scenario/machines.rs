//! The machines of a scenario: its nodes, the control host, and the world that they are on arrival.

use super::Scenario;
use crate::strict::{Sheet, Table};
use fourgaps_base::{FileTree, Pos, clean};
use fourgaps_cluster::{CONTROL, NodeSpec, PodEntry, RuntimeClass, World};
use fourgaps_node::{Restart, Supervisor};
use std::collections::BTreeSet;

/// A node of a scenario, and where its files lie in the scenario's folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeEntry {
    /// The node.
    pub spec: NodeSpec,
    /// The folder of its files in the scenario's folder; several nodes may have the same.
    pub rootfs: String,
    /// Its files at the start.
    pub files: Vec<String>,
    /// Where it stands in the scenario's file.
    pub pos: Pos,
}

/// The name of the node where a scenario names none.
const ONE_NODE: &str = "omen";
/// The folder of a node's files where a scenario names none.
const ROOTFS: &str = "rootfs";
/// The folder of the control host's files.
const CONTROL_FILES: &str = "control";
const SUPERVISORS: [(&str, Supervisor); 3] = [
    ("systemd", Supervisor::Systemd(Restart::Always)),
    ("systemd-on-failure", Supervisor::Systemd(Restart::OnFailure)),
    ("nohup", Supervisor::None),
];

/// What the file says of machines.
pub(super) struct Machines {
    pub nodes: Vec<NodeEntry>,
    pub control: Vec<String>,
    pub classes: Vec<RuntimeClass>,
    pub pods: Vec<PodEntry>,
}

impl Machines {
    /// Reads `nodes`, `control_files`, `runtime_classes` and `pods`. Without `nodes` there is one.
    pub fn take(sheet: &mut Sheet<'_>, top: &mut Table<'_>, containerd: &str, files: &[String]) -> Self {
        let at = top.at();
        let tables = top.tables(sheet, "nodes");
        let mut nodes: Vec<NodeEntry> =
            tables.into_iter().map(|table| take_node(sheet, table, containerd, files)).collect();
        if nodes.is_empty() {
            nodes.push(NodeEntry {
                spec: NodeSpec {
                    name: ONE_NODE.into(),
                    containerd: containerd.into(),
                    supervisor: SUPERVISORS[0].1,
                    gpus: Vec::new(),
                },
                rootfs: ROOTFS.into(),
                files: files.to_vec(),
                pos: sheet.pos(at),
            });
        }
        let mut seen = BTreeSet::from([CONTROL.to_string()]);
        for node in &nodes {
            let name = &node.spec.name;
            if !name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-') {
                sheet.fault_at(node.pos, format!("`{name}` has letters other than a-z, 0-9 and -"));
            }
            if !seen.insert(name.clone()) {
                sheet.fault_at(node.pos, format!("two machines are called `{name}`"));
            }
        }
        let control = if top.has("control_files") { top.texts(sheet, "control_files") } else { Vec::new() };
        check_paths(sheet, top.at_key("control_files"), &control);
        let mut classes: Vec<RuntimeClass> = top
            .tables(sheet, "runtime_classes")
            .into_iter()
            .map(|mut table| {
                let class =
                    RuntimeClass { name: table.text(sheet, "name"), handler: table.text(sheet, "handler") };
                table.close(sheet);
                class
            })
            .collect();
        classes.sort_by(|a, b| a.name.cmp(&b.name));
        let tables = top.tables(sheet, "pods");
        let pods = tables.into_iter().map(|table| take_pod(sheet, table, &nodes, &classes)).collect();
        Self { nodes, control, classes, pods }
    }
}

fn take_pod(
    sheet: &mut Sheet<'_>,
    mut table: Table<'_>,
    nodes: &[NodeEntry],
    classes: &[RuntimeClass],
) -> PodEntry {
    let name = table.text(sheet, "name");
    let namespace = table.optional_text(sheet, "namespace").unwrap_or_else(|| "default".into());
    let at = table.at_key("node");
    let node = table.text(sheet, "node");
    if !nodes.iter().any(|entry| entry.spec.name == node) {
        sheet.fault(at, format!("there is no node `{node}`"));
    }
    let at = table.at_key("runtime_class");
    let runtime_class = table.optional_text(sheet, "runtime_class");
    if let Some(class) = runtime_class.as_ref().filter(|name| !classes.iter().any(|c| c.name == **name)) {
        sheet.fault(at, format!("there is no RuntimeClass `{class}`"));
    }
    let image = table.text(sheet, "image");
    let command = if table.has("command") { table.texts(sheet, "command") } else { Vec::new() };
    table.close(sheet);
    PodEntry { name, namespace, node, runtime_class, image, command }
}

fn take_node(sheet: &mut Sheet<'_>, mut table: Table<'_>, containerd: &str, files: &[String]) -> NodeEntry {
    let pos = sheet.pos(table.at());
    let name = table.text(sheet, "name");
    let containerd = table.optional_text(sheet, "containerd").unwrap_or_else(|| containerd.into());
    let at = table.at_key("supervisor");
    let word = table.optional_text(sheet, "supervisor");
    let known = word.as_ref().map_or(Some(SUPERVISORS[0].1), |word| {
        SUPERVISORS.iter().find(|(name, _)| name == word).map(|(_, supervisor)| *supervisor)
    });
    if known.is_none() {
        let words = SUPERVISORS.map(|(name, _)| format!("`{name}`")).join(", ");
        sheet
            .fault(at, format!("nobody simulated looks after containerd by this name; it is one of {words}"));
    }
    let rootfs = table.optional_text(sheet, "rootfs").unwrap_or_else(|| ROOTFS.into());
    let at = table.at_key("files");
    let own = if table.has("files") { table.texts(sheet, "files") } else { files.to_vec() };
    check_paths(sheet, at, &own);
    let gpus = if table.has("gpus") { table.texts(sheet, "gpus") } else { Vec::new() };
    table.close(sheet);
    let spec = NodeSpec { name, containerd, supervisor: known.unwrap_or(SUPERVISORS[0].1), gpus };
    NodeEntry { spec, rootfs, files: own, pos }
}

/// Absolute clean paths, each once.
pub(super) fn check_paths(sheet: &mut Sheet<'_>, at: usize, files: &[String]) {
    let mut seen = BTreeSet::new();
    for path in files {
        if !path.starts_with('/') || clean(path) != *path {
            sheet.fault(at, format!("`{path}` is not an absolute path of a file"));
        }
        if !seen.insert(path) {
            sheet.fault(at, format!("`{path}` is listed twice"));
        }
    }
}

impl Scenario {
    /// Every file that the machines start with, by its path in the scenario's folder; each once.
    pub fn sources(&self) -> Vec<String> {
        let of_nodes =
            self.nodes.iter().flat_map(|node| node.files.iter().map(|path| format!("{}{path}", node.rootfs)));
        let of_control = self.control_files.iter().map(|path| format!("{CONTROL_FILES}{path}"));
        let mut seen = BTreeSet::new();
        of_nodes.chain(of_control).filter(|source| seen.insert(source.clone())).collect()
    }

    /// The world on arrival: every machine with its files, every containerd just started on them. `read` gives a file of the
    /// scenario's folder; one that is not there is left out.
    pub fn world(&self, read: impl Fn(&str) -> Option<Vec<u8>>) -> World {
        let tree = |root: &str, paths: &[String]| {
            let mut files = FileTree::new();
            for path in paths {
                if let Some(bytes) = read(&format!("{root}{path}")) {
                    files.write(path, bytes);
                }
            }
            files
        };
        let nodes = self.nodes.iter().map(|node| (node.spec.clone(), tree(&node.rootfs, &node.files)));
        let control = tree(CONTROL_FILES, &self.control_files);
        World::start(nodes.collect(), control, self.classes.clone()).with_pods(self.pods.clone())
    }

    /// A world where every node has these files.
    pub fn world_with(&self, files: &FileTree) -> World {
        let nodes = self.nodes.iter().map(|node| (node.spec.clone(), files.clone()));
        World::start(nodes.collect(), FileTree::new(), self.classes.clone()).with_pods(self.pods.clone())
    }
}
