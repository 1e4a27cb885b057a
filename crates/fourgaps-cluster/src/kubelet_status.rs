//! What the kubelet of a machine says of it to the API server.

use crate::meta::{Labels, Meta};
use crate::node::{Condition, Node, Truth};
use crate::quantity::Quantity;
use crate::spec::Amounts;
use crate::world::NodeSpec;
use fourgaps_config::daemon::SandboxAnswer;
use serde_json::json;

/// The version of every kubelet of a lab.
const KUBELET: &str = "v1.34.9";
/// The resource under which the device plugin offers GPUs.
pub const GPU: &str = "nvidia.com/gpu";
/// How long a kubelet waits for its runtime before it says that it is down, in milliseconds
/// (`maxWaitForContainerRuntime`).
pub const RUNTIME_PATIENCE_MS: u64 = 30_000;
/// The handler that the pods of the operator ask for.
const GPU_HANDLER: &str = "nvidia";

/// A condition that is always as it should be: kind, reason, message.
const CALM: [[&str; 3]; 3] = [
    ["MemoryPressure", "KubeletHasSufficientMemory", "kubelet has sufficient memory available"],
    ["DiskPressure", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"],
    ["PIDPressure", "KubeletHasSufficientPID", "kubelet has sufficient PID available"],
];

/// The node object of a machine as its kubelet registers it; `nth` counts from 1.
///
/// Free choices: the sizes are those of the recorded nodes (`describe-node.txt`), addresses count up.
pub fn registered(spec: &NodeSpec, nth: u64) -> Node {
    let mut labels = Labels::from([
        ("beta.kubernetes.io/arch".to_string(), "amd64".to_string()),
        ("beta.kubernetes.io/os".into(), "linux".into()),
        ("kubernetes.io/arch".into(), "amd64".into()),
        ("kubernetes.io/hostname".into(), spec.name.clone()),
        ("kubernetes.io/os".into(), "linux".into()),
    ]);
    if !spec.gpus.is_empty() {
        labels.insert("nvidia.com/gpu.present".into(), "true".into());
    }
    let sizes = [("cpu", "8"), ("ephemeral-storage", "200Gi"), ("memory", "64Gi"), ("pods", "110")];
    let size = |(name, size): (&str, &str)| (name.to_string(), Quantity::read(size).unwrap_or_default());
    let capacity: Amounts = sizes.map(size).into();
    Node {
        meta: Meta { labels, ..Meta::new("", &spec.name) },
        allocatable: capacity.clone(),
        capacity,
        info: json!({
            "addresses": [
                { "address": format!("10.0.0.{}", 10 + nth), "type": "InternalIP" },
                { "address": spec.name, "type": "Hostname" },
            ],
            "nodeInfo": {
                "architecture": "amd64",
                "bootID": "0",
                "containerRuntimeVersion": format!("containerd://{}", spec.containerd),
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

/// Writes into the node object what the kubelet sees of its machine now.
pub fn observe(object: &mut Node, spec: &NodeSpec, machine: &fourgaps_node::Node, now_ms: u64) {
    let answers = machine.no_answer().is_none();
    let waits_since = machine.containerd().map(|process| process.started_ms);
    let waits_since = waits_since.or(machine.last_end().map(|end| end.at_ms)).unwrap_or(0);
    // On arrival everything has been as it is for long.
    let patient = waits_since > 0 && now_ms < waits_since + RUNTIME_PATIENCE_MS;
    let ready = match answers || patient {
        true => (Truth::True, "KubeletReady", "kubelet is posting ready status"),
        false => (Truth::False, "KubeletNotReady", "container runtime is down"),
    };
    let calm = CALM.map(|[kind, reason, message]| (kind, (Truth::False, reason, message)));
    for (kind, (status, reason, message)) in calm.into_iter().chain([("Ready", ready)]) {
        object.set_condition(Condition {
            kind: kind.into(),
            status,
            reason: reason.into(),
            message: message.into(),
            since_ms: now_ms - now_ms % 1000,
            heard_ms: now_ms - now_ms % 1000,
        });
    }
    let gpus = Quantity::whole(i64::try_from(spec.gpus.len()).unwrap_or(0));
    if !spec.gpus.is_empty() {
        let runs = answers && offers_gpus(machine);
        object.capacity.insert(GPU.into(), gpus);
        object.allocatable.insert(GPU.into(), if runs { gpus } else { Quantity::whole(0) });
    }
}

/// True where a sandbox of the device plugin, which asks for the handler of the operator, would be made.
pub fn offers_gpus(machine: &fourgaps_node::Node) -> bool {
    let answer = machine.containerd().map(|process| process.run().sandbox(Some(GPU_HANDLER)));
    matches!(answer, Some(SandboxAnswer::Created { .. }))
}
