//! How a world begins.

use super::kube::Kube;
use super::report::{registered, registered_light};
use super::{Content, Fact, Machines, NodeSpec, PodEntry, RuntimeClass, World};
use crate::api::NewPod;
use crate::cluster::Cluster;
use crate::daemon::Watch;
use crate::daemonset::DaemonSet;
use crate::meta::{Labels, Meta};
use crate::object::{Kind, Plain};
use crate::pod::Shape;
use crate::selector::Selector;
use crate::spec::{PodSpec, Template};
use fourgaps_base::FileTree;
use fourgaps_node::{KubeletOp, Op};
use serde_json::json;
use std::sync::Arc;

/// How long a cluster has run when a learner arrives, in milliseconds.
const BEFORE_MS: u64 = 60_000;
/// The label by which the operator knows nodes with a GPU.
pub(super) const GPU_LABEL: &str = "nvidia.com/gpu.present";
/// The RuntimeClass that the operator's pods ask for, where there is one.
const OPERATOR_CLASS: &str = "nvidia";

impl World {
    /// A world in which every node's containerd was just started on the node's files.
    ///
    /// A node of a version that is not built in is left out; scenarios are checked before.
    pub fn start(nodes: Vec<(NodeSpec, FileTree)>, control: FileTree, classes: Vec<RuntimeClass>) -> Self {
        Self::begin(nodes, control, Content { classes, ..Content::default() })
    }

    /// The same with objects. Where there are any, or GPUs, the machines are a cluster: it has run for a minute when the
    /// learner arrives.
    pub fn begin(nodes: Vec<(NodeSpec, FileTree)>, control: FileTree, content: Content) -> Self {
        Self::begin_telling(nodes, control, content, &mut Vec::new())
    }

    /// The same, putting what happened to the machines as they were started behind `facts`.
    pub fn begin_telling(
        nodes: Vec<(NodeSpec, FileTree)>,
        control: FileTree,
        content: Content,
        facts: &mut Vec<Fact>,
    ) -> Self {
        let has_gpus = nodes.iter().any(|(spec, _)| !spec.gpus.is_empty());
        let mut world = Self { machines: Machines::start(nodes, control), kube: None, changes: Vec::new() };
        if content.makes_cluster(world.specs.iter()) {
            world.join(&content, has_gpus, facts);
        }
        world
    }

    fn join(&mut self, content: &Content, has_gpus: bool, facts: &mut Vec<Fact>) {
        let mut cluster = Cluster::new(1, Watch::AtOnce);
        let mut addresses = 1u64..;
        for (spec, nth) in self.specs.iter().zip(addresses.by_ref()) {
            cluster.register_node(registered(spec, nth));
        }
        for (node, nth) in content.nodes.iter().zip(addresses) {
            cluster.register_node(registered_light(node, nth));
        }
        let mut namespaces = vec!["default", "kube-node-lease", "kube-public", "kube-system"];
        namespaces.extend(has_gpus.then_some("gpu-operator"));
        namespaces.extend(content.pods.iter().map(|pod| pod.namespace.as_str()));
        for name in namespaces {
            cluster.put_plain(Kind::Namespace, Plain { meta: Meta::new("", name), ..Plain::default() });
        }
        for class in &content.classes {
            let plain = Plain { meta: Meta::new("", &class.name), body: json!({ "handler": class.handler }) };
            cluster.put_plain(Kind::RuntimeClass, plain);
        }
        if has_gpus {
            let with_class = content.classes.iter().any(|class| class.name == OPERATOR_CLASS);
            cluster.create_daemonset(device_plugin(with_class));
        }
        // A scenario whose object is refused has no such object.
        for manifest in &content.objects {
            let _ = cluster.create(manifest);
        }
        for entry in &content.pods {
            let _ = cluster.create_pod(new_pod(entry));
        }
        let machines: Vec<String> = self.specs.iter().map(|spec| spec.name.clone()).collect();
        self.kube = Some(Kube::new(cluster, &machines, &content.images));
        for at in 0..self.nodes.len() {
            let name = self.nodes[at].name().to_string();
            self.act_on_node(&name, &Op::Kubelet(KubeletOp::Start), facts);
        }
        self.settle(facts);
        self.wait(BEFORE_MS, facts);
        self.changes.clear();
    }
}

/// The operator's device plugin, as far as a lab needs it: a pod on every node with a GPU, which asks for the operator's
/// RuntimeClass.
fn device_plugin(with_class: bool) -> DaemonSet {
    const NAME: &str = "nvidia-device-plugin-daemonset";
    let mut spec = json!({
        "containers": [{ "image": super::programs::DEVICE_PLUGIN, "name": "nvidia-device-plugin" }],
        "nodeSelector": { GPU_LABEL: "true" },
        "tolerations": [{ "effect": "NoSchedule", "key": "nvidia.com/gpu", "operator": "Exists" }],
    });
    if with_class {
        spec["runtimeClassName"] = json!(OPERATOR_CLASS);
    }
    let template = json!({ "metadata": { "labels": { "app": NAME } }, "spec": spec });
    DaemonSet {
        meta: Meta { labels: Labels::from([("app".into(), NAME.into())]), ..Meta::new("gpu-operator", NAME) },
        selector: Selector::of_labels(Labels::from([("app".into(), NAME.into())])),
        template: Arc::new(Template::of(&template)),
        revision_history_limit: 10,
        ..DaemonSet::default()
    }
}

fn new_pod(entry: &PodEntry) -> NewPod {
    let mut container = json!({ "image": entry.image, "name": entry.name });
    if !entry.command.is_empty() {
        container["command"] = json!(entry.command);
    }
    let mut spec = json!({ "containers": [container], "nodeName": entry.node, "restartPolicy": "Never" });
    if let Some(class) = &entry.runtime_class {
        spec["runtimeClassName"] = json!(class);
    }
    let shape = Arc::new(Shape { spec: PodSpec::of(&spec), ..Shape::default() });
    NewPod { namespace: entry.namespace.clone(), name: entry.name.clone(), shape, target: None }
}
