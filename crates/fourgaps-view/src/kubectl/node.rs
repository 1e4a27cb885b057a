//! `kubectl get nodes`: the table. What it shows are the words of the kubelet, not of the runtime.

use super::age;
use fourgaps_base::sort;
use fourgaps_cluster::meta::Labels;
use fourgaps_cluster::node::{Node, Truth};
use serde_json::Value;

/// The columns of `kubectl get nodes`.
pub const NODE_COLUMNS: [&str; 5] = ["NAME", "STATUS", "ROLES", "AGE", "VERSION"];
/// What `-o wide` adds.
pub const NODE_WIDE: [&str; 5] =
    ["INTERNAL-IP", "EXTERNAL-IP", "OS-IMAGE", "KERNEL-VERSION", "CONTAINER-RUNTIME"];

/// The cells of a node, with those of `-o wide` (`printNode`).
pub fn node_cells(node: &Node, now_ms: u64) -> Vec<String> {
    let info = |field: &str| {
        let text = node.info.get("nodeInfo").and_then(|info| info.get(field)).and_then(Value::as_str);
        text.filter(|text| !text.is_empty()).map(String::from)
    };
    let unknown = || "<unknown>".to_string();
    let mut status = vec![match node.condition("Ready").map(|ready| ready.status) {
        Some(Truth::True) => "Ready",
        Some(_) => "NotReady",
        None => "Unknown",
    }];
    if node.unschedulable {
        status.push("SchedulingDisabled");
    }
    vec![
        node.meta.name.clone(),
        status.join(","),
        roles(&node.meta.labels),
        age(now_ms.saturating_sub(node.meta.created_ms)),
        info("kubeletVersion").unwrap_or_default(),
        address(node, "InternalIP").unwrap_or("<none>").into(),
        address(node, "ExternalIP").unwrap_or("<none>").into(),
        info("osImage").unwrap_or_else(unknown),
        info("kernelVersion").unwrap_or_else(unknown),
        info("containerRuntimeVersion").unwrap_or_else(unknown),
    ]
}

/// An address of a node by its kind.
pub(crate) fn address<'n>(node: &'n Node, kind: &str) -> Option<&'n str> {
    let addresses = node.info.get("addresses")?.as_array()?;
    let found = addresses.iter().find(|one| one.get("type").and_then(Value::as_str) == Some(kind))?;
    found.get("address")?.as_str()
}

/// The roles that its labels name (`findNodeRoles`).
pub(crate) fn roles(labels: &Labels) -> String {
    let role = |(key, value): (&String, &String)| match key.strip_prefix("node-role.kubernetes.io/") {
        Some(role) if !role.is_empty() => Some(role.to_string()),
        _ if key == "kubernetes.io/role" && !value.is_empty() => Some(value.clone()),
        _ => None,
    };
    let mut roles: Vec<String> = labels.iter().filter_map(role).collect();
    sort(&mut roles);
    roles.dedup();
    if roles.is_empty() { "<none>".into() } else { roles.join(",") }
}
