//! The machines of a scenario: its nodes and the control host, with the hidden states of a node that grades a script.

use super::cluster::LightEntry;
use super::past;
use crate::strict::{Sheet, Table};
use fourgaps_base::{Pos, clean, in_order};
use fourgaps_cluster::{CONTROL, NodeSpec, PodEntry, RuntimeClass};
use fourgaps_node::{Astray, Restart, Supervisor};
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
    /// Which signals of a toolkit that a learner starts there hit the toolkit itself.
    pub astray: Astray,
    /// Where it stands in the scenario's file.
    pub pos: Pos,
}

/// A hidden state of the first node, on which a learner's script is tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grade {
    /// Its name; the texts of a language say what the node was.
    pub id: String,
    /// True where the node has every handler that the cluster asks for.
    pub fine: bool,
    /// The node.
    pub node: NodeEntry,
    /// Lines that are run on the node before the script looks at it.
    pub before: Vec<String>,
}

/// The name of the node where a scenario names none.
const ONE_NODE: &str = "omen";
/// The folder of a node's files where a scenario names none.
const ROOTFS: &str = "rootfs";
/// The folder of the control host's files.
pub(super) const CONTROL_FILES: &str = "control";
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
    pub grades: Vec<Grade>,
}

impl Machines {
    /// Reads `nodes`, `control_files`, `runtime_classes`, `pods` and `grades`. Without `nodes` there is one, unless the cluster
    /// has only nodes that are no machines.
    pub fn take(
        sheet: &mut Sheet<'_>,
        top: &mut Table<'_>,
        containerd: &str,
        files: &[String],
        light: &[LightEntry],
    ) -> Self {
        let at = top.at();
        let tables = top.tables(sheet, "nodes");
        let mut nodes: Vec<NodeEntry> =
            tables.into_iter().map(|table| take_node(sheet, table, containerd, files)).collect();
        if nodes.is_empty() && light.is_empty() {
            nodes.push(NodeEntry {
                spec: NodeSpec {
                    name: ONE_NODE.into(),
                    containerd: containerd.into(),
                    supervisor: SUPERVISORS[0].1,
                    gpus: Vec::new(),
                    inotify_used: 0,
                },
                rootfs: ROOTFS.into(),
                files: files.to_vec(),
                astray: Astray::default(),
                pos: at,
            });
        }
        let mut seen = BTreeSet::from([CONTROL.to_string()]);
        let names = nodes.iter().map(|node| (&node.spec.name, node.pos));
        for (name, pos) in names.chain(light.iter().map(|node| (&node.name, node.pos))) {
            if !name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-') {
                sheet.fault(pos, format!("`{name}` has letters other than a-z, 0-9 and -"));
            }
            if !seen.insert(name.clone()) {
                sheet.fault(pos, format!("two machines are called `{name}`"));
            }
        }
        let control = if top.has("control_files") { top.texts(sheet, "control_files") } else { Vec::new() };
        check_paths(sheet, top.at_key("control_files"), &control);
        let classes: Vec<RuntimeClass> = top
            .tables(sheet, "runtime_classes")
            .into_iter()
            .map(|mut table| {
                let class =
                    RuntimeClass { name: table.text(sheet, "name"), handler: table.text(sheet, "handler") };
                table.close(sheet);
                class
            })
            .collect();
        let classes = in_order(classes, |a, b| a.name.cmp(&b.name));
        let tables = top.tables(sheet, "pods");
        let pods = tables.into_iter().map(|table| take_pod(sheet, table, &nodes, &classes)).collect();
        let mut grades = Vec::new();
        for table in top.tables(sheet, "grades") {
            match nodes.first() {
                Some(node) => grades.push(take_grade(sheet, table, &node.spec.name, containerd, files)),
                None => sheet.fault(table.at(), "a grade is a state of a machine, and there is none"),
            }
        }
        Self { nodes, control, classes, pods, grades }
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
    let name = table.text(sheet, "name");
    let node = take_machine(sheet, &mut table, name, containerd, files);
    table.close(sheet);
    node
}

fn take_grade(
    sheet: &mut Sheet<'_>,
    mut table: Table<'_>,
    name: &str,
    containerd: &str,
    files: &[String],
) -> Grade {
    let id = table.text(sheet, "id");
    let fine = table.required(sheet, "fine").is_some_and(|entry| entry.flag(sheet, "fine"));
    let before = if table.has("before") { table.texts(sheet, "before") } else { Vec::new() };
    let node = take_machine(sheet, &mut table, name.into(), containerd, files);
    table.close(sheet);
    Grade { id, fine, node, before }
}

fn take_machine(
    sheet: &mut Sheet<'_>,
    table: &mut Table<'_>,
    name: String,
    containerd: &str,
    files: &[String],
) -> NodeEntry {
    let pos = table.at();
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
    let inotify_used =
        table.number(sheet, "inotify_used").and_then(|n| u32::try_from(n).ok()).unwrap_or_default();
    let astray = past::take_astray(sheet, table);
    let supervisor = known.unwrap_or(SUPERVISORS[0].1);
    let spec = NodeSpec { name, containerd, supervisor, gpus, inotify_used };
    NodeEntry { spec, rootfs, files: own, astray, pos }
}

/// Absolute clean paths, each once.
pub(super) fn check_paths(sheet: &mut Sheet<'_>, at: Pos, files: &[String]) {
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
