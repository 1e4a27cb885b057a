//! The cluster's half of a world: its objects and controllers, and what goes between them and the kubelets.

use super::programs::{Place, container_of};
use super::report::{status_of, write_node};
use super::{Fact, Image, Machines, NodeSpec, World};
use crate::change::Change;
use crate::cluster::Cluster;
use crate::event::{Level, Note};
use crate::lifecycle::Health;
use crate::meta::Key;
use crate::object::{Id, Kind};
use crate::pod::Pod;
use crate::read;
use crate::store::Store;
use crate::trace::Trace;
use fourgaps_base::FileTree;
use fourgaps_node::{ContainerSpec, KubeletFact, KubeletOp, Node, Op, PodSpec, RestartPolicy};
use std::sync::Arc;

/// Objects and controllers.
#[derive(Clone, Debug)]
pub(super) struct Kube {
    cluster: Cluster,
}

impl Kube {
    /// `machines` are the nodes with a kubelet of their own. Where nothing is said of an image, they have it, and the scripted
    /// kubelets of other nodes pull it in a second.
    pub fn new(mut cluster: Cluster, machines: &[String], images: &[Image]) -> Self {
        for Image { name, node, behaviour } in images {
            match node {
                Some(node) => cluster.kubelets().script_on(node, name, behaviour.clone()),
                None => cluster.kubelets().script(name, behaviour.clone()),
            }
        }
        for name in machines {
            cluster.kubelets().set_idle(name, true);
        }
        Self { cluster }
    }

    pub fn store(&self) -> &Store {
        self.cluster.store()
    }

    pub fn trace(&self) -> &Trace {
        self.cluster.trace()
    }

    /// Tells the API what a kubelet told.
    pub fn hear(&mut self, now_ms: u64, node: &Node, facts: &[fourgaps_node::Fact]) {
        let told = facts.iter().filter_map(|fact| match fact {
            fourgaps_node::Fact::Kubelet(KubeletFact::Event { uid, warning, reason, message }) => {
                Some((uid, *warning, reason, message))
            }
            _ => None,
        });
        for (uid, warning, reason, message) in told {
            self.cluster.set_clock(now_ms);
            let store = self.cluster.store();
            let object = match uid {
                None => store
                    .node(node.name())
                    .map(|object| (Id::new(Kind::Node, "", node.name()), object.meta.uid)),
                Some(uid) => {
                    let pod = store.pods_on(node.name()).find(|pod| pod.uid.to_string() == *uid);
                    pod.map(|pod| (Id { kind: Kind::Pod, key: pod.key.clone() }, pod.uid))
                }
            };
            let Some((about, uid)) = object else { continue };
            let level = if warning { Level::Warning } else { Level::Normal };
            let (reason, message) = (reason.clone().into(), message.clone());
            self.cluster.tell(Note {
                about,
                uid: Some(uid),
                level,
                reason,
                message,
                source: "kubelet".into(),
            });
        }
    }

    /// What the API wants of the kubelet of a node.
    fn wishes(&self, spec: &NodeSpec, node: &Node) -> Vec<Op> {
        let kubelet = node.kubelet();
        if !kubelet.runs() {
            return Vec::new();
        }
        let mut wishes = Vec::new();
        let mut known: Vec<String> = Vec::new();
        for pod in self.store().pods_on(node.name()) {
            let uid = pod.uid.to_string();
            let there = kubelet.pod(&uid);
            let wish = match (there, pod.deleting) {
                (None, None) if !pod.status.phase.is_terminal() => {
                    Some(KubeletOp::Add(Box::new(self.for_kubelet(spec, node, pod))))
                }
                (Some(there), Some(deleting)) => {
                    let grace_ms = u64::from(deleting.grace_seconds) * 1000;
                    let is_new = there.status.deleting.is_none_or(|old| grace_ms < old.grace_ms);
                    is_new.then(|| KubeletOp::Delete { uid: uid.clone(), grace_ms: Some(grace_ms) })
                }
                _ => None,
            };
            known.push(uid);
            wishes.extend(wish.map(Op::Kubelet));
        }
        // Pods that the API does not have any more are ended, too.
        for pod in kubelet.pods() {
            if pod.status.deleting.is_none() && !known.contains(&pod.spec.uid) {
                let uid = pod.spec.uid.clone();
                wishes.push(Op::Kubelet(KubeletOp::Delete { uid, grace_ms: None }));
            }
        }
        wishes
    }

    /// Writes what the kubelet of a node says into the API.
    fn report(&mut self, spec: &NodeSpec, node: &Node, now_ms: u64) {
        let kubelet = node.kubelet();
        let silent = self.cluster.health(node.name()) == Health::KubeletSilent;
        if kubelet.runs() == silent {
            self.cluster.set_health(node.name(), if silent { Health::Well } else { Health::KubeletSilent });
            self.cluster.kubelets().set_idle(node.name(), true);
        }
        if !kubelet.runs() {
            return;
        }
        let pods: Vec<Arc<Pod>> = self.store().pods_on(node.name()).cloned().collect();
        for pod in pods {
            match kubelet.pod(&pod.uid.to_string()) {
                Some(there) => {
                    let mut ip = pod.status.ip.clone();
                    if let Some(name) =
                        pod.node.as_ref().filter(|_| ip.is_empty() && there.status.sandbox.is_some())
                    {
                        ip = self.cluster.next_address(name);
                    }
                    let status = status_of(&pod, there, ip, now_ms);
                    if status != *pod.status {
                        self.cluster.commit(Change::PodStatus { uid: pod.uid, status: status.into() });
                    }
                }
                None if pod.deleting.is_some() && pod.finalizers.is_empty() => {
                    self.cluster.remove_pod(&pod.key)
                }
                None => {}
            }
        }
        // A node that was deleted is not registered again.
        let _ = self.cluster.edit_node(node.name(), |object| write_node(object, spec, node, now_ms));
        self.cluster.follow_kubelet(node.name());
    }

    /// A pod as its kubelet is given it.
    fn for_kubelet(&self, spec: &NodeSpec, node: &Node, pod: &Pod) -> PodSpec {
        let given = &pod.shape.spec.given;
        let class = pod.shape.spec.runtime_class.as_ref();
        let class = class.and_then(|name| self.store().other(Kind::RuntimeClass, &Key::new("", name)));
        let handler = class.and_then(|class| read::text(&class.body, "handler")).map(String::from);
        let containers = |list: &str| -> Vec<ContainerSpec> {
            let container = |container: &serde_json::Value| {
                let image = read::text(container, "image").unwrap_or_default();
                let behaviour = self.cluster.kubelets.said_of(&spec.name, image);
                container_of(container, &Place { spec, astray: node.astray(), pod: given, behaviour })
            };
            read::items(given, list).map(container).collect()
        };
        let whole = |amount: &crate::quantity::Quantity| u32::try_from(amount.units()).unwrap_or(0);
        let devices = pod.shape.spec.requests();
        let devices = devices.iter().filter(|(name, _)| name.contains('/'));
        PodSpec {
            uid: pod.uid.to_string(),
            namespace: pod.key.namespace.to_string(),
            name: pod.key.name.to_string(),
            handler,
            init: containers("initContainers"),
            containers: containers("containers"),
            restart: match read::text(given, "restartPolicy") {
                Some("Never") => RestartPolicy::Never,
                Some("OnFailure") => RestartPolicy::OnFailure,
                _ => RestartPolicy::Always,
            },
            grace_ms: u64::from(pod.shape.spec.grace_seconds) * 1000,
            devices: devices.map(|(name, amount)| (name.clone(), whole(amount))).collect(),
        }
    }
}

impl World {
    /// A world whose nodes are no machines: objects with scripted kubelets, and a control host.
    pub fn of_objects(cluster: Cluster, control: FileTree, images: &[Image]) -> Self {
        let now_ms = cluster.now_ms();
        let kube = Some(Kube::new(cluster, &[], images));
        let mut world = Self { machines: Machines::start(Vec::new(), control), kube, changes: Vec::new() };
        world.machines.now_ms = now_ms;
        world
    }

    /// Lets somebody ask the API server for something; nothing where the scenario has no cluster.
    pub fn api<T>(&mut self, facts: &mut Vec<Fact>, wish: impl FnOnce(&mut Cluster) -> T) -> Option<T> {
        let kube = self.kube.as_mut()?;
        kube.cluster.set_clock(self.machines.now_ms);
        let answer = wish(&mut kube.cluster);
        self.settle(facts);
        Some(answer)
    }

    /// A copy of objects and controllers, for trying something.
    pub fn cluster(&self) -> Option<Cluster> {
        let mut kube = self.kube.clone()?;
        kube.cluster.set_clock(self.machines.now_ms);
        Some(kube.cluster)
    }

    /// The next moment at which something happens by itself, in milliseconds.
    pub fn next_due_ms(&self) -> Option<u64> {
        self.machines.nodes.iter().filter_map(Node::next_due_ms).chain(self.api_due_ms()).min()
    }

    /// When a controller wants to act next, in milliseconds.
    pub(super) fn api_due_ms(&self) -> Option<u64> {
        self.kube.as_ref()?.cluster.next_due_ms()
    }

    /// Lets controllers and kubelets act at this moment until nobody has anything to do.
    pub(super) fn settle(&mut self, facts: &mut Vec<Fact>) {
        let Some(mut kube) = self.kube.take() else { return };
        kube.cluster.set_clock(self.machines.now_ms);
        loop {
            kube.cluster.settle();
            for (spec, node) in self.machines.specs.iter().zip(&mut self.machines.nodes) {
                for wish in kube.wishes(spec, node) {
                    let done = node.act(&wish);
                    kube.hear(self.machines.now_ms, node, &done.facts);
                    facts.extend(done.facts.into_iter().map(|fact| Fact::Node(node.name().into(), fact)));
                }
                kube.report(spec, node, self.machines.now_ms);
            }
            let told = kube.cluster.take_facts();
            if told.is_empty() {
                break;
            }
            self.changes.extend(told);
        }
        self.kube = Some(kube);
    }
}
