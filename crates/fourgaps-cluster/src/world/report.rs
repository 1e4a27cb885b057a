//! What a kubelet writes into the API: the status of its node and of its pods.

use super::arrival::GPU_LABEL;
use super::programs::GPU;
use super::{LightNode, NodeSpec};
use crate::meta::{Labels, Meta, whole_seconds};
use crate::node::{Condition, Node, Truth, Why};
use crate::pod::{self, Phase, Pod, PodStatus};
use crate::quantity::Quantity;
use crate::short::Short;
use crate::spec::Amounts;
use fourgaps_node::{ContainerState, ContainerStatus, PodPhase, RUNTIME_DOWN, Terminated};
use serde_json::json;
use std::sync::Arc;

/// The version of every kubelet of a lab.
const KUBELET: &str = "v1.34.9";

/// A condition that is always as it should be: kind, reason, message.
const CALM: [[&str; 3]; 3] = [
    ["MemoryPressure", "KubeletHasSufficientMemory", "kubelet has sufficient memory available"],
    ["DiskPressure", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"],
    ["PIDPressure", "KubeletHasSufficientPID", "kubelet has sufficient PID available"],
];

/// A condition as a kubelet tells it: kind, status, reason, message.
type Told = (&'static str, Truth, &'static str, &'static str);
const READY: Told = ("Ready", Truth::True, "KubeletReady", "kubelet is posting ready status");

/// The node object of a machine as its kubelet registers it; `nth` counts from 1.
///
/// Free choices: the sizes are those of the recorded nodes (`describe-node.txt`), addresses count up.
pub(super) fn registered(spec: &NodeSpec, nth: u64) -> Node {
    let mut node = named(&spec.name, &spec.containerd, nth);
    if !spec.gpus.is_empty() {
        node.meta.labels.insert(GPU_LABEL.into(), "true".into());
        // They were offered once, before the machine was started.
        node.capacity.insert(GPU.into(), Quantity::whole(0));
        node.allocatable.insert(GPU.into(), Quantity::whole(0));
    }
    node
}

/// The node object of a node that is no machine, ready from the start.
pub(super) fn registered_light(light: &LightNode, nth: u64) -> Node {
    let mut node = named(&light.name, &light.containerd, nth);
    node.meta.labels.extend(light.labels.clone());
    node.taints.clone_from(&light.taints);
    node.capacity.extend(light.allocatable.clone());
    node.allocatable.extend(light.allocatable.clone());
    set_conditions(&mut node, READY, 0);
    node
}

fn named(name: &str, containerd: &str, nth: u64) -> Node {
    let labels = Labels::from([
        ("beta.kubernetes.io/arch".to_string(), "amd64".to_string()),
        ("beta.kubernetes.io/os".into(), "linux".into()),
        ("kubernetes.io/arch".into(), "amd64".into()),
        ("kubernetes.io/hostname".into(), name.into()),
        ("kubernetes.io/os".into(), "linux".into()),
    ]);
    let sizes = [("cpu", "8"), ("ephemeral-storage", "200Gi"), ("memory", "64Gi"), ("pods", "110")];
    let size = |(name, size): (&str, &str)| (name.to_string(), Quantity::read(size).unwrap_or_default());
    let capacity: Amounts = sizes.map(size).into();
    Node {
        meta: Meta { labels, ..Meta::new("", name) },
        allocatable: capacity.clone(),
        capacity,
        info: json!({
            "addresses": [
                { "address": format!("10.0.0.{}", 10 + nth), "type": "InternalIP" },
                { "address": name, "type": "Hostname" },
            ],
            "nodeInfo": {
                "architecture": "amd64",
                "bootID": "0",
                "containerRuntimeVersion": format!("containerd://{containerd}"),
                "kernelVersion": "6.8.0-79-generic",
                "kubeProxyVersion": "",
                "kubeletVersion": KUBELET,
                "machineID": "0",
                "operatingSystem": "linux",
                "osImage": "Ubuntu 24.04.3 LTS",
                "systemUUID": "0",
            },
        }),
        ..Node::default()
    }
}

/// Says whether a node is ready, and that all else is as it should be.
fn set_conditions(object: &mut Node, ready: Told, now_ms: u64) {
    let calm = CALM.map(|[kind, reason, message]| (kind, Truth::False, reason, message));
    let now_ms = whole_seconds(now_ms);
    for (kind, status, reason, message) in calm.into_iter().chain([ready]) {
        let as_before = |old: &Condition| old.status == status && old.why.reason() == reason;
        if !object.condition(kind).is_some_and(as_before) {
            let (kind, why) = (kind.into(), Why::new(reason, message));
            object.set_condition(Condition { kind, status, why, since_ms: now_ms, heard_ms: now_ms });
        }
    }
}

/// Writes into the node object what the kubelet sees of its machine now. It speaks where something changed, and the moment
/// of a condition is that of its last word.
pub(super) fn write_node(object: &mut Node, spec: &NodeSpec, machine: &fourgaps_node::Node, now_ms: u64) {
    let kubelet = machine.kubelet();
    let ready = match kubelet.health().ready {
        true => READY,
        false => ("Ready", Truth::False, "KubeletNotReady", RUNTIME_DOWN),
    };
    set_conditions(object, ready, now_ms);
    let amount = |count: u32| Quantity::whole(count.into());
    for (name, resource) in kubelet.resources() {
        object.capacity.insert(name.clone(), amount(resource.capacity));
        object.allocatable.insert(name.clone(), amount(resource.allocatable));
    }
    // What a kubelet has forgotten over a restart is not there any more, but its name stays.
    let gone: Vec<String> = object.capacity.keys().filter(|name| name.contains('/')).cloned().collect();
    for name in gone.into_iter().filter(|name| !kubelet.resources().contains_key(name)) {
        object.capacity.insert(name.clone(), amount(0));
        object.allocatable.insert(name, amount(0));
    }
    let runtime = format!("containerd://{}", spec.containerd);
    object.info["nodeInfo"]["containerRuntimeVersion"] = runtime.into();
}

/// The status of a pod as its kubelet tells it.
pub(super) fn status_of(pod: &Pod, there: &fourgaps_node::Pod, ip: Arc<str>, now_ms: u64) -> PodStatus {
    let told = &there.status;
    let has_sandbox = told.sandbox.is_some();
    let containers: Short<pod::ContainerStatus> = told.containers.iter().map(container_of).collect();
    let phase = match told.phase {
        PodPhase::Pending => Phase::Pending,
        PodPhase::Running => Phase::Running,
        PodPhase::Succeeded => Phase::Succeeded,
        PodPhase::Failed => Phase::Failed,
    };
    let names = pod.shape.spec.containers.iter().zip(&containers);
    let unready: Vec<&str> =
        names.filter(|(_, status)| !status.ready).map(|(container, _)| container.name.as_str()).collect();
    let why_not = match phase {
        Phase::Succeeded => ("PodCompleted", String::new()),
        _ => ("ContainersNotReady", format!("containers with unready status: [{}]", unready.join(" "))),
    };
    let initialized =
        told.init.iter().all(|one| matches!(&one.state, ContainerState::Terminated(end) if end.status == 0));
    let (ready, calm) = (told.is_ready(), ("", String::new()));
    let because = |holds: bool| if holds { calm.clone() } else { why_not.clone() };
    let of_init = if phase == Phase::Succeeded { ("PodCompleted", String::new()) } else { calm.clone() };
    let conditions = [
        ("PodReadyToStartContainers", has_sandbox && !phase.is_terminal(), calm.clone()),
        ("Initialized", initialized, of_init),
        ("Ready", ready, because(ready)),
        ("ContainersReady", ready, because(ready)),
        ("PodScheduled", true, calm.clone()),
    ];
    let own = conditions.each_ref().map(|(kind, ..)| *kind);
    let others = pod.status.conditions.iter().filter(|old| !own.contains(&old.kind.as_ref())).cloned();
    let condition = |(kind, holds, (reason, message)): (&'static str, bool, (&'static str, String))| {
        let status = if holds { Truth::True } else { Truth::False };
        let old = pod.status.condition(kind).filter(|old| old.status == status);
        let since_ms = old.map_or(whole_seconds(now_ms), |old| old.since_ms);
        Condition { kind: kind.into(), status, why: Why::new(reason, message), since_ms, heard_ms: 0 }
    };
    PodStatus {
        phase,
        why: Why::new(told.reason.clone(), told.message.clone()),
        // What others wrote stays.
        conditions: conditions.map(condition).into_iter().chain(others).collect(),
        containers: if told.reason.is_empty() { containers } else { Short::default() },
        init: if told.reason.is_empty() { told.init.iter().map(init_of).collect() } else { Vec::new() },
        ip,
        start_ms: pod.status.start_ms.or(Some(whole_seconds(now_ms))),
    }
}

fn container_of(told: &ContainerStatus) -> pod::ContainerStatus {
    let state = match &told.state {
        ContainerState::Waiting { reason, message } => {
            pod::ContainerState::Waiting { reason: reason.clone().into(), message: message.as_str().into() }
        }
        ContainerState::Running(running) => {
            pod::ContainerState::Running { since_ms: whole_seconds(running.since_ms) }
        }
        ContainerState::Terminated(end) => pod::ContainerState::Ended(Box::new(ended_of(end))),
    };
    let ready = told.running().is_some_and(|running| running.ready);
    let last = told.last.as_ref().map(ended_of).map(Box::new);
    pod::ContainerStatus { state, last, ready, restarts: told.restarts }
}

/// An init container is ready once it has ended well.
fn init_of(told: &ContainerStatus) -> pod::ContainerStatus {
    let status = container_of(told);
    let ready = matches!(&status.state, pod::ContainerState::Ended(end) if end.code == 0);
    pod::ContainerStatus { ready, ..status }
}

fn ended_of(end: &Terminated) -> pod::Ended {
    pod::Ended {
        code: end.status,
        reason: end.reason.clone().into(),
        started_ms: whole_seconds(end.started_ms),
        ended_ms: Some(whole_seconds(end.ended_ms)),
    }
}
