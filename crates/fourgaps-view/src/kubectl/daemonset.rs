//! `kubectl get daemonsets`.

use super::age;
use fourgaps_cluster::daemonset::DaemonSet;
use fourgaps_cluster::meta::Labels;

/// The columns; the last three only with `-o wide`.
pub const DAEMONSET_COLUMNS: [&str; 11] = [
    "NAME",
    "DESIRED",
    "CURRENT",
    "READY",
    "UP-TO-DATE",
    "AVAILABLE",
    "NODE SELECTOR",
    "AGE",
    "CONTAINERS",
    "IMAGES",
    "SELECTOR",
];

/// The cells of a DaemonSet (`printDaemonSet`).
pub fn daemonset_cells(set: &DaemonSet, now_ms: u64) -> Vec<String> {
    let status = &set.status;
    let containers = &set.template.spec.containers;
    let list = |pick: fn(&fourgaps_cluster::spec::Container) -> &str| {
        containers.iter().map(pick).collect::<Vec<_>>().join(",")
    };
    vec![
        set.meta.name.clone(),
        status.desired.to_string(),
        status.current.to_string(),
        status.ready.to_string(),
        status.updated.to_string(),
        status.available.to_string(),
        label_text(&set.template.spec.node_selector),
        age(now_ms.saturating_sub(set.meta.created_ms)),
        list(|container| &container.name),
        list(|container| &container.image),
        super::describe_other::selector(&set.selector),
    ]
}

/// `key=value,key=value`, or `<none>`.
pub fn label_text(labels: &Labels) -> String {
    if labels.is_empty() {
        return "<none>".into();
    }
    labels.iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(",")
}
