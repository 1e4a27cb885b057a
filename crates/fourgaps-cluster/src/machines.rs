//! The machines of a scenario under one clock, as far as folding facts goes. A page holds these and nothing more of a world:
//! what decides, and the objects of the API, are large.

use fourgaps_base::{FileEdit, FileTree, kept, kept_variants};
use fourgaps_config::Version;
use fourgaps_node::{Astray, Node, Supervisor};

/// The name of the machine from which the cluster is run.
pub const CONTROL: &str = "control";

/// When every scenario begins: 2026-03-02 00:00:00 UTC, in milliseconds since 1970.
pub const EPOCH_MS: u64 = 1_772_409_600_000;

/// Something that happened somewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// It is now this time everywhere, in ms since the scenario began.
    Clock(u64),
    /// Something happened on a node.
    Node(String, fourgaps_node::Fact),
    /// A file of the control host changed.
    Control(FileEdit),
    /// A script was tried on the scenario's hidden nodes.
    Graded(Vec<Verdict>),
    /// Which of the lines that the scenario's goals run end well now, in the order of the scenario.
    Held(Vec<bool>),
}
kept_variants!(Fact {
    "t" => Clock(ms),
    "on" => Node(name, fact),
    "control" => Control(edit),
    "graded" => Graded(verdicts),
    "held" => Held(held),
});

impl Fact {
    /// True where a save keeps the same of both.
    pub fn is_kept_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Node(node, fact), Self::Node(on, other)) => node == on && fact.is_kept_like(other),
            _ => self == other,
        }
    }
}

/// What a script said of a hidden node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The name of the node's state.
    pub id: String,
    /// True where the script ended well.
    pub said_fine: bool,
    /// True where that is right.
    pub right: bool,
}
kept!(Verdict { id, said_fine, right });

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

/// Folders that a node has before anybody writes to it.
const FOLDERS: [&str; 6] =
    ["/etc/containerd", "/etc/sysctl.d", "/root", "/tmp", "/usr/local/bin", "/var/log"];

/// Nodes and control host.
#[derive(Clone, Debug, PartialEq)]
pub struct Machines {
    pub(crate) specs: Vec<NodeSpec>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) control: Control,
    pub(crate) graded: Vec<Verdict>,
    pub(crate) held: Vec<bool>,
    pub(crate) now_ms: u64,
}

impl Machines {
    /// Machines of which every containerd was just started on the node's files.
    ///
    /// A node of a version that is not built in is left out; scenarios are checked before.
    pub fn start(nodes: Vec<(NodeSpec, FileTree)>, control: FileTree) -> Self {
        let (mut started, mut specs) = (Vec::new(), Vec::new());
        for (nth, (spec, mut files)) in (1u64..).zip(nodes) {
            for folder in FOLDERS {
                files.make_folder(folder);
            }
            let Some(version) = Version::named(&spec.containerd) else { continue };
            let mut node = Node::new(&spec.name, version, spec.supervisor, files, nth);
            node.start_containerd();
            started.push(node.with_inotify_used(spec.inotify_used));
            specs.push(spec);
        }
        let mut control = Control { files: control };
        for folder in ["/root", "/tmp"] {
            control.files.make_folder(folder);
        }
        Self { specs, nodes: started, control, graded: Vec::new(), held: Vec::new(), now_ms: 0 }
    }

    /// Says which signals of a toolkit that is started on a node go astray.
    pub fn set_astray(&mut self, name: &str, astray: Astray) {
        if let Some(node) = self.nodes.iter_mut().find(|node| node.name() == name) {
            *node = node.clone().with_astray(astray);
        }
    }

    /// What the scenario says of a node.
    pub fn spec(&self, name: &str) -> Option<&NodeSpec> {
        self.specs.iter().find(|spec| spec.name == name)
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

    /// Which of the lines that the scenario's goals run end well; empty where none was run yet.
    pub fn held(&self) -> &[bool] {
        &self.held
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
            Fact::Held(held) => self.held.clone_from(held),
            // A change that the disk refuses was never one.
            Fact::Control(edit) => {
                let _ = self.control.files.edit(edit, self.now_ms);
            }
        }
    }
}
