//! A control host and nodes whose handlers are there, hidden, or not answered for.

use crate::term::{Answer, Term};
use fourgaps_base::FileTree;
use fourgaps_cluster::{CONTROL, Content, NodeSpec, PodEntry, RuntimeClass, World};
use fourgaps_node::{Restart, Supervisor};
use fourgaps_shell::{Machines, commands};
use std::sync::{Arc, Mutex};

const PROGRAM: &str = "/usr/local/nvidia/toolkit/nvidia-container-runtime";
const PLUGIN: &str = "plugins.\"io.containerd.grpc.v1.cri\"";

/// The main file of a node that has the handler `nvidia`.
pub fn with_nvidia() -> String {
    format!(
        "version = 2\nimports = [\"/etc/containerd/conf.d/*.toml\"]\n[{PLUGIN}.containerd.runtimes.runc]\n  \
         runtime_type = \"io.containerd.runc.v2\"\n[{PLUGIN}.containerd.runtimes.nvidia]\n  \
         runtime_type = \"io.containerd.runc.v2\"\n  [{PLUGIN}.containerd.runtimes.nvidia.options]\n    \
         BinaryName = \"{PROGRAM}\"\n"
    )
}

/// A drop-in that owns the section of the plugin, so that the handler is gone after the next start.
pub fn registry() -> String {
    format!("version = 2\n[{PLUGIN}.registry]\n  config_path = \"/etc/containerd/certs.d\"\n")
}

pub const GPU: &str = "NVIDIA GeForce RTX 4070 Laptop GPU (UUID: GPU-53be3556-a942-531c-a9a5-20e92af45279)";

/// A terminal on the control host.
pub struct Bench {
    pub machines: Arc<Mutex<Machines>>,
    term: Term<Machines>,
}

impl Bench {
    /// The four nodes of the incident, each with these files, and the pod that asks for a GPU.
    pub fn incident(files: &[(&str, &str)]) -> Self {
        let mut tree = FileTree::new();
        tree.write(PROGRAM, "");
        tree.make_folder("/root");
        for (path, text) in files {
            tree.write(path, *text);
        }
        let node = |name: &str| {
            let spec = NodeSpec {
                name: name.into(),
                containerd: "1.7.27".into(),
                supervisor: Supervisor::Systemd(Restart::Always),
                gpus: vec![GPU.into()],
                inotify_used: 0,
            };
            (spec, tree.clone())
        };
        let mut control = FileTree::new();
        control.make_folder("/root");
        let class = RuntimeClass { name: "nvidia".into(), handler: "nvidia".into() };
        let pod = PodEntry {
            name: "gputest".into(),
            namespace: "gpu-operator".into(),
            node: "omen".into(),
            runtime_class: Some("nvidia".into()),
            image: "nvidia/cuda:12.4.1-base-ubuntu22.04".into(),
            command: vec!["nvidia-smi".into(), "-L".into()],
        };
        let nodes = ["nuc1", "nuc2", "omen", "omen2"].map(node);
        Self::new(World::begin(
            nodes.into(),
            control,
            Content { classes: vec![class], pods: vec![pod], ..Content::default() },
        ))
    }

    pub fn new(world: World) -> Self {
        let term = Term::over(Machines::new(world), commands(), CONTROL);
        Self { machines: term.world.clone(), term }
    }

    /// What Tab offers at the end of a line.
    pub fn complete(&self, line: &str) -> Vec<String> {
        self.term.shell.complete("tab", line, line.len()).words
    }

    pub fn run(&mut self, line: &str) -> Answer {
        self.term.run(line)
    }

    /// What a line that goes well prints.
    #[track_caller]
    pub fn out(&mut self, line: &str) -> String {
        let answer = self.run(line);
        assert_eq!((answer.err.as_str(), answer.status), ("", 0), "{line}");
        answer.out
    }
}
