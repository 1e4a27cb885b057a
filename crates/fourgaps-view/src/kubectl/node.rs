//! `kubectl get nodes`.

use super::age;
use fourgaps_cluster::node::{Node, Truth};
use serde_json::Value;

/// The columns; the last five only with `-o wide`.
pub const NODE_COLUMNS: [&str; 10] = [
    "NAME",
    "STATUS",
    "ROLES",
    "AGE",
    "VERSION",
    "INTERNAL-IP",
    "EXTERNAL-IP",
    "OS-IMAGE",
    "KERNEL-VERSION",
    "CONTAINER-RUNTIME",
];

/// The cells of a node (`printNode`).
pub fn node_cells(node: &Node, now_ms: u64) -> Vec<String> {
    let mut status = match node.condition("Ready").map(|ready| ready.status) {
        Some(Truth::True) => "Ready",
        Some(_) => "NotReady",
        None => "Unknown",
    }
    .to_string();
    if node.unschedulable {
        status.push_str(",SchedulingDisabled");
    }
    let info = |field: &str, missing: &str| {
        let found = node.info.get("nodeInfo").and_then(|info| info.get(field)).and_then(Value::as_str);
        found.unwrap_or(missing).to_string()
    };
    vec![
        node.meta.name.clone(),
        status,
        roles(node),
        age(now_ms.saturating_sub(node.meta.created_ms)),
        info("kubeletVersion", ""),
        address(node, "InternalIP"),
        address(node, "ExternalIP"),
        info("osImage", "<unknown>"),
        info("kernelVersion", "<unknown>"),
        info("containerRuntimeVersion", "<unknown>"),
    ]
}

fn roles(node: &Node) -> String {
    let role = |(key, value): (&String, &String)| match key.strip_prefix("node-role.kubernetes.io/") {
        Some(role) if !role.is_empty() => Some(role.to_string()),
        _ if key == "kubernetes.io/role" && !value.is_empty() => Some(value.clone()),
        _ => None,
    };
    let mut roles: Vec<String> = node.meta.labels.iter().filter_map(role).collect();
    roles.sort_unstable();
    if roles.is_empty() { "<none>".into() } else { roles.join(",") }
}

fn address(node: &Node, kind: &str) -> String {
    let addresses = node.info.get("addresses").and_then(Value::as_array).into_iter().flatten();
    let text = |address: &Value, field: &str| address.get(field).and_then(Value::as_str).map(String::from);
    let mut of_kind = addresses.filter(|address| text(address, "type").as_deref() == Some(kind));
    of_kind.find_map(|address| text(address, "address")).unwrap_or_else(|| "<none>".into())
}
