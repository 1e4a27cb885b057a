//! `kubectl describe node`.

use super::age;
use super::describe::{amounts, events, labels, long_moment};
use super::node::roles;
use super::tabs::tabbed;
use fourgaps_base::{sort, sort_by};
use fourgaps_cluster::Store;
use fourgaps_cluster::node::Node;
use fourgaps_cluster::object::{Id, Kind};
use fourgaps_cluster::quantity::Quantity;
use fourgaps_cluster::spec::Amounts;
use serde_json::Value;

/// How often a kubelet renews the lease of its node, in milliseconds (`nodeLeaseDurationSeconds` of 40 s, a quarter).
const LEASE_EVERY_MS: u64 = 10_000;

/// Resources that every node shows, whether somebody asks for them or not.
const ALWAYS: [&str; 3] = ["cpu", "memory", "ephemeral-storage"];

/// The whole text (`describeNode`).
pub(crate) fn describe_node(store: &Store, node: &Node, now_ms: u64) -> String {
    let mut out = String::new();
    let meta = &node.meta;
    out += &format!("Name:\t{}\n", meta.name);
    out += &format!("Roles:\t{}\n", roles(&meta.labels));
    out += &labels("Labels", &meta.labels);
    out += &labels("Annotations", &meta.annotations);
    out += &format!("CreationTimestamp:\t{}\n", long_moment(meta.created_ms));
    let mut taints: Vec<String> = node.taints.iter().map(ToString::to_string).collect();
    sort(&mut taints);
    match taints.split_first() {
        None => out += "Taints:\t<none>\n",
        Some((first, rest)) => {
            out += &format!("Taints:\t{first}\n");
            rest.iter().for_each(|taint| out += &format!("\t{taint}\n"));
        }
    }
    out += &format!("Unschedulable:\t{}\n", node.unschedulable);
    lease(node, now_ms, &mut out);
    conditions(node, &mut out);
    if let Some(addresses) = node.info.get("addresses").and_then(Value::as_array) {
        out += "Addresses:\n";
        for address in addresses {
            let text = |field: &str| address.get(field).and_then(Value::as_str).unwrap_or_default();
            out += &format!("  {}:\t{}\n", text("type"), text("address"));
        }
    }
    out += &amounts("Capacity:", "  ", &node.capacity);
    out += &amounts("Allocatable:", "  ", &node.allocatable);
    system_info(node, &mut out);
    pods(store, node, now_ms, &mut out);
    let id = Id::new(Kind::Node, "", &meta.name);
    out += &events(store, &id, None, now_ms);
    tabbed(&out)
}

fn lease(node: &Node, now_ms: u64, out: &mut String) {
    let heard = node.condition("Ready").filter(|ready| ready.why.reason() == "NodeStatusUnknown");
    // A kubelet that is silent has renewed it last when it was last heard.
    let renewed = heard.map_or(now_ms, |ready| ready.heard_ms) / LEASE_EVERY_MS * LEASE_EVERY_MS;
    *out += &format!("Lease:\n  HolderIdentity:\t{}\n", node.meta.name);
    *out += &format!("  AcquireTime:\t<unset>\n  RenewTime:\t{}\n", long_moment(renewed));
}

fn conditions(node: &Node, out: &mut String) {
    if node.conditions.is_empty() {
        return;
    }
    *out += "Conditions:\n  Type\tStatus\tLastHeartbeatTime\tLastTransitionTime\tReason\tMessage\n";
    *out += "  ----\t------\t-----------------\t------------------\t------\t-------\n";
    for one in &node.conditions {
        *out += &format!(
            "  {} \t{} \t{} \t{} \t{} \t{}\n",
            one.kind,
            one.status.name(),
            long_moment(one.heard_ms),
            long_moment(one.since_ms),
            one.why.reason(),
            one.why.message()
        );
    }
}

fn system_info(node: &Node, out: &mut String) {
    const LINES: [(&str, &str); 10] = [
        ("Machine ID", "machineID"),
        ("System UUID", "systemUUID"),
        ("Boot ID", "bootID"),
        ("Kernel Version", "kernelVersion"),
        ("OS Image", "osImage"),
        ("Operating System", "operatingSystem"),
        ("Architecture", "architecture"),
        ("Container Runtime Version", "containerRuntimeVersion"),
        ("Kubelet Version", "kubeletVersion"),
        ("Kube-Proxy Version", "kubeProxyVersion"),
    ];
    let info = node.info.get("nodeInfo");
    *out += "System Info:\n";
    for (title, field) in LINES {
        let text = info.and_then(|info| info.get(field)).and_then(Value::as_str).unwrap_or_default();
        *out += &format!("  {title}:\t{text}\n");
    }
}

/// The pods that have not ended, what they ask for, and the sums (`describeNodeResource`).
fn pods(store: &Store, node: &Node, now_ms: u64, out: &mut String) {
    let mut running: Vec<_> =
        store.pods_on(&node.meta.name).filter(|pod| !pod.status.phase.is_terminal()).collect();
    sort_by(&mut running, |a, b| a.key.cmp(&b.key));
    *out += &format!("Non-terminated Pods:\t({} in total)\n", running.len());
    *out += "  Namespace\tName\t\tCPU Requests\tCPU Limits\tMemory Requests\tMemory Limits\tAge\n";
    *out += "  ---------\t----\t\t------------\t----------\t---------------\t-------------\t---\n";
    let (mut requests, mut limits) = (Amounts::new(), Amounts::new());
    for pod in &running {
        let (asked, most) = (pod.shape.spec.requests(), pod.shape.spec.limits());
        let cell = |amounts: &Amounts, name: &str| part_of(amounts, name, node);
        *out += &format!(
            "  {}\t{}\t\t{}\t{}\t{}\t{}\t{}\n",
            pod.key.namespace,
            pod.key.name,
            cell(&asked, "cpu"),
            cell(&most, "cpu"),
            cell(&asked, "memory"),
            cell(&most, "memory"),
            age(now_ms.saturating_sub(pod.created_ms)),
        );
        add(&mut requests, &asked);
        add(&mut limits, &most);
    }
    *out += "Allocated resources:\n  (Total limits may be over 100 percent, i.e., overcommitted.)\n";
    *out += "  Resource\tRequests\tLimits\n  --------\t--------\t------\n";
    for name in ALWAYS {
        *out += &format!("  {name}\t{}\t{}\n", part_of(&requests, name, node), part_of(&limits, name, node));
    }
    let other = node.allocatable.keys().filter(|name| !ALWAYS.contains(&name.as_str()) && *name != "pods");
    for name in other {
        let sum = |amounts: &Amounts| amounts.get(name).copied().unwrap_or_default().to_string();
        *out += &format!("  {name}\t{}\t{}\n", sum(&requests), sum(&limits));
    }
}

fn add(sum: &mut Amounts, more: &Amounts) {
    for (name, amount) in more {
        let entry = sum.entry(name.clone()).or_default();
        *entry = entry.plus(*amount);
    }
}

/// `500m (6%)`: an amount and its part of what the node can give.
fn part_of(amounts: &Amounts, name: &str, node: &Node) -> String {
    let (amount, of) = (amounts.get(name).copied().unwrap_or_default(), node.allocatable.get(name));
    let of = of.copied().unwrap_or_else(Quantity::default).milli();
    let percent = if of == 0 { 0 } else { amount.milli() * 100 / of };
    format!("{amount} ({percent}%)")
}
