//! `kubectl describe pod`.

use super::age;
use super::describe::{events, labels, long_moment};
use super::node::address;
use super::tabs::tabbed;
use super::template::{containers, init_containers, node_selectors, tolerations, volumes};
use fourgaps_cluster::Store;
use fourgaps_cluster::object::{Id, Kind};
use fourgaps_cluster::pod::Pod;
use fourgaps_cluster::spec::PodSpec;

/// The whole text (`describePod`).
pub(crate) fn describe_pod(store: &Store, pod: &Pod, now_ms: u64) -> String {
    let (shape, status) = (&pod.shape, &pod.status);
    let mut out = format!("Name:\t{}\nNamespace:\t{}\nPriority:\t0\n", pod.key.name, pod.key.namespace);
    if let Some(class) = &shape.spec.runtime_class {
        out += &format!("Runtime Class Name:\t{class}\n");
    }
    out += &match &pod.node {
        None => "Node:\t<none>\n".to_string(),
        Some(name) => {
            // A kubelet that refuses a pod does not say where it is.
            let refused = !status.why.reason().is_empty() && status.containers.is_empty();
            let ip = store.node(name).filter(|_| !refused).and_then(|node| address(node, "InternalIP"));
            format!("Node:\t{name}/{}\n", ip.unwrap_or_default())
        }
    };
    if let Some(start_ms) = status.start_ms {
        out += &format!("Start Time:\t{}\n", long_moment(start_ms));
    }
    out += &labels("Labels", &shape.labels);
    out += &labels("Annotations", &shape.annotations);
    match pod.deleting.filter(|_| !status.phase.is_terminal()) {
        None => out += &format!("Status:\t{}\n", status.phase.name()),
        Some(deleting) => {
            let lasts = match now_ms.checked_sub(deleting.at_ms) {
                None => "<invalid>".into(),
                Some(ms) => age(ms),
            };
            out += &format!("Status:\tTerminating (lasts {lasts})\n");
            out += &format!("Termination Grace Period:\t{}s\n", deleting.grace_seconds);
        }
    }
    for (title, text) in [("Reason", status.why.reason()), ("Message", status.why.message())] {
        if !text.is_empty() {
            out += &format!("{title}:\t{text}\n");
        }
    }
    out += &format!("IP:\t{}\n", status.ip);
    out += &match &*status.ip {
        "" => "IPs:\t<none>\n".to_string(),
        ip => format!("IPs:\n  IP:\t{ip}\n"),
    };
    if let Some(owner) = &shape.owner {
        out += &format!("Controlled By:\t{}/{}\n", owner.kind, owner.name);
    }
    let spec = fourgaps_cluster::manifest::pod_spec(&shape.spec.given);
    out += &init_containers("", &spec, &status.init);
    out += &containers("", &spec, &status.containers);
    let conditions = super::pod::conditions(pod);
    if !conditions.is_empty() {
        out += "Conditions:\n  Type\tStatus\n";
        for condition in conditions {
            out += &format!("  {} \t{} \n", condition.kind, condition.status.name());
        }
    }
    out += &volumes("", &shape.spec.given);
    out += &format!("QoS Class:\t{}\n", quality(&shape.spec));
    out += &node_selectors("", &shape.spec.node_selector);
    out += &tolerations("", &shape.spec.tolerations);
    out += &events(store, &Id { kind: Kind::Pod, key: pod.key.clone() }, Some(pod.uid), now_ms);
    tabbed(&out)
}

/// `ComputePodQOS`: only processor and memory count.
fn quality(spec: &PodSpec) -> &'static str {
    const COUNTED: [&str; 2] = ["cpu", "memory"];
    let counted = |name: &&str| COUNTED.contains(name);
    let any = spec.containers.iter().any(|container| {
        container.requests.keys().chain(container.limits.keys()).any(|name| counted(&name.as_str()))
    });
    let all = spec.containers.iter().all(|container| {
        COUNTED.iter().all(|name| {
            let limit = container.limits.get(*name);
            limit.is_some() && container.requests.get(*name) == limit
        })
    });
    match (any, all) {
        (false, _) => "BestEffort",
        (true, true) => "Guaranteed",
        (true, false) => "Burstable",
    }
}
