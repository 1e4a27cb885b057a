//! Deployments, ReplicaSets, Services and Endpoints: their rows, and what `kubectl describe` tells of them.
//! Source: `pkg/printers/internalversion` of Kubernetes 1.34 and `pkg/describe` of kubectl.

use super::age;
use super::daemonset::label_text as pairs;
use super::describe::{events, labels, long_moment};
use super::describe_other::selector as selected;
use super::jsonpath::shown;
use super::tabs::tabbed;
use super::template::described;
use fourgaps_base::sort_by;
use fourgaps_cluster::Store;
use fourgaps_cluster::object::{Id, Kind, Plain};
use fourgaps_cluster::pod::Phase;
use fourgaps_cluster::read::{items, labels as map, number, part, text};
use fourgaps_cluster::selector::Selector;
use fourgaps_cluster::spec::Template;
use fourgaps_cluster::workload::{Deployment, ReplicaSet, addresses, replica_sets_of};
use serde_json::Value;
use std::sync::Arc;

/// How many addresses a row shows.
const MOST_ADDRESSES: usize = 3;

/// The columns of such a kind, and how many of them stand there without `-o wide`.
pub(crate) fn columns_of(kind: Kind) -> Option<(&'static [&'static str], usize)> {
    Some(match kind {
        Kind::Deployment => {
            (&["NAME", "READY", "UP-TO-DATE", "AVAILABLE", "AGE", "CONTAINERS", "IMAGES", "SELECTOR"], 5)
        }
        Kind::ReplicaSet => {
            (&["NAME", "DESIRED", "CURRENT", "READY", "AGE", "CONTAINERS", "IMAGES", "SELECTOR"], 5)
        }
        Kind::Service => (&["NAME", "TYPE", "CLUSTER-IP", "EXTERNAL-IP", "PORT(S)", "AGE", "SELECTOR"], 6),
        Kind::Endpoints => (&["NAME", "ENDPOINTS", "AGE"], 3),
        _ => return None,
    })
}

/// The cells of such an object.
pub(crate) fn cells_of(kind: Kind, plain: &Arc<Plain>, now_ms: u64) -> Vec<String> {
    let spec = part(&plain.body, "spec");
    let old = age(now_ms.saturating_sub(plain.meta.created_ms));
    let mut cells = vec![plain.meta.name.clone()];
    match kind {
        Kind::Deployment => {
            let deployment = Deployment::of(plain);
            let count = |field: &str| deployment.status_count(field).to_string();
            cells.push(format!("{}/{}", count("readyReplicas"), deployment.replicas));
            cells.extend([count("updatedReplicas"), count("availableReplicas"), old]);
            cells.extend(of_template(spec));
        }
        Kind::ReplicaSet => {
            let set = ReplicaSet::of(plain);
            cells.extend([set.replicas, set.status.replicas, set.status.ready].map(|n| n.to_string()));
            cells.push(old);
            cells.extend(of_template(spec));
        }
        Kind::Service => {
            let kind = text(spec, "type").unwrap_or_default();
            let external = if kind == "LoadBalancer" { "<pending>" } else { "<none>" };
            cells.extend([kind, text(spec, "clusterIP").unwrap_or_default(), external].map(String::from));
            cells.extend([ports(spec), old, pairs(&map(spec, "selector"))]);
        }
        _ => {
            let none = items(&plain.body, "subsets").next().is_none();
            cells.extend([if none { "<none>".into() } else { some(&addresses(plain)) }, old]);
        }
    }
    cells
}

/// Containers, images, selector.
fn of_template(spec: &Value) -> [String; 3] {
    let list = |field: &str| -> String {
        let containers = items(part(part(spec, "template"), "spec"), "containers");
        containers.filter_map(|container| text(container, field)).collect::<Vec<_>>().join(",")
    };
    [list("name"), list("image"), selected(&Selector::of(part(spec, "selector")))]
}

fn ports(spec: &Value) -> String {
    let one = |port: &Value| {
        let node = number(port, "nodePort").map(|node| format!(":{node}")).unwrap_or_default();
        format!("{}{node}/{}", shown(part(port, "port")), text(port, "protocol").unwrap_or("TCP"))
    };
    let told: Vec<String> = items(spec, "ports").map(one).collect();
    if told.is_empty() { "<none>".into() } else { told.join(",") }
}

/// The first addresses, and how many more there are.
fn some(addresses: &[String]) -> String {
    match addresses.len().checked_sub(MOST_ADDRESSES) {
        None | Some(0) => addresses.join(","),
        Some(more) => format!("{} + {more} more...", addresses[..MOST_ADDRESSES].join(",")),
    }
}

fn head(plain: &Plain) -> String {
    format!("Name:\t{}\nNamespace:\t{}\n", plain.meta.name, plain.meta.namespace)
}

/// The whole text of a Deployment (`describeDeployment`).
pub(crate) fn describe_deployment(store: &Store, plain: &Arc<Plain>, now_ms: u64) -> String {
    let deployment = Deployment::of(plain);
    let (meta, spec) = (&plain.meta, deployment.spec());
    let mut out = head(plain);
    out += &format!("CreationTimestamp:\t{}\n", long_moment(meta.created_ms));
    out += &labels("Labels", &meta.labels);
    out += &labels("Annotations", &meta.annotations);
    out += &format!("Selector:\t{}\n", selected(&Selector::of(part(spec, "selector"))));
    let count = |field: &str| deployment.status_count(field);
    out += &format!(
        "Replicas:\t{} desired | {} updated | {} total | {} available | {} unavailable\n",
        deployment.replicas,
        count("updatedReplicas"),
        count("replicas"),
        count("availableReplicas"),
        count("unavailableReplicas")
    );
    let strategy = if deployment.recreates { "Recreate" } else { "RollingUpdate" };
    out += &format!("StrategyType:\t{strategy}\nMinReadySeconds:\t{}\n", deployment.min_ready_seconds);
    if !deployment.recreates {
        let (surge, unavailable) = deployment.shares;
        out += &format!("RollingUpdateStrategy:\t{unavailable} max unavailable, {surge} max surge\n");
    }
    out += &described(&Template::of(part(spec, "template")));
    let mut conditions = items(deployment.status(), "conditions").peekable();
    if conditions.peek().is_some() {
        out += "Conditions:\n  Type\tStatus\tReason\n  ----\t------\t------\n";
    }
    for condition in conditions {
        let of = |field: &str| text(condition, field).unwrap_or_default();
        out += &format!("  {} \t{}\t{}\n", of("type"), of("status"), of("reason"));
    }
    let template = part(spec, "template");
    let mut sets = replica_sets_of(store, meta.uid);
    sort_by(&mut sets, |a, b| a.name().cmp(b.name()));
    let (new, old): (Vec<ReplicaSet>, Vec<ReplicaSet>) =
        sets.into_iter().partition(|set| set.template() == *template);
    if !new.is_empty() || !old.is_empty() {
        let created = |sets: &[ReplicaSet]| -> String {
            let one = |set: &ReplicaSet| {
                format!("{} ({}/{} replicas created)", set.name(), set.status.replicas, set.replicas)
            };
            let told: Vec<String> = sets.iter().map(one).collect();
            if told.is_empty() { "<none>".into() } else { told.join(", ") }
        };
        out += &format!("OldReplicaSets:\t{}\nNewReplicaSet:\t{}\n", created(&old), created(&new));
    }
    let id = Id { kind: Kind::Deployment, key: meta.key() };
    tabbed(&(out + &events(store, &id, Some(meta.uid), now_ms)))
}

/// The whole text of a ReplicaSet (`describeReplicaSet`).
pub(crate) fn describe_replica_set(store: &Store, plain: &Arc<Plain>, now_ms: u64) -> String {
    let (meta, spec, set) = (&plain.meta, part(&plain.body, "spec"), ReplicaSet::of(plain));
    let mut out = head(plain);
    out += &format!("Selector:\t{}\n", selected(&Selector::of(part(spec, "selector"))));
    out += &labels("Labels", &meta.labels);
    out += &labels("Annotations", &meta.annotations);
    if let Some(owner) = &meta.owner {
        out += &format!("Controlled By:\t{}/{}\n", owner.kind, owner.name);
    }
    out += &format!("Replicas:\t{} current / {} desired\n", set.status.replicas, set.replicas);
    let count = |phase: Phase| {
        let own = store.pods().filter(|pod| pod.is_owned_by(meta.uid));
        own.filter(|pod| pod.status.phase == phase).count()
    };
    out += &format!(
        "Pods Status:\t{} Running / {} Waiting / {} Succeeded / {} Failed\n",
        count(Phase::Running),
        count(Phase::Pending),
        count(Phase::Succeeded),
        count(Phase::Failed)
    );
    out += &described(&Template::of(part(spec, "template")));
    let id = Id { kind: Kind::ReplicaSet, key: meta.key() };
    tabbed(&(out + &events(store, &id, Some(meta.uid), now_ms)))
}

/// The whole text of a Service (`describeService`).
pub(crate) fn describe_service(store: &Store, plain: &Plain, now_ms: u64) -> String {
    let (meta, spec) = (&plain.meta, part(&plain.body, "spec"));
    let of = |field: &str| text(spec, field).unwrap_or_default();
    let list = |field: &str| -> String {
        let all: Vec<&str> = items(spec, field).filter_map(Value::as_str).collect();
        if all.is_empty() { "<none>".into() } else { all.join(",") }
    };
    let mut out = head(plain);
    out += &labels("Labels", &meta.labels);
    out += &labels("Annotations", &meta.annotations);
    out += &format!("Selector:\t{}\nType:\t{}\n", pairs(&map(spec, "selector")), of("type"));
    out += &format!("IP Family Policy:\t{}\nIP Families:\t{}\n", of("ipFamilyPolicy"), list("ipFamilies"));
    out += &format!("IP:\t{}\nIPs:\t{}\n", of("clusterIP"), list("clusterIPs"));
    let behind = store.other(Kind::Endpoints, &meta.key()).map(|one| addresses(one)).unwrap_or_default();
    for port in items(spec, "ports") {
        let protocol = text(port, "protocol").unwrap_or("TCP");
        let name = text(port, "name").unwrap_or("<unset>");
        out += &format!("Port:\t{name}\t{}/{protocol}\n", shown(part(port, "port")));
        out += &format!("TargetPort:\t{}/{protocol}\n", shown(part(port, "targetPort")));
        if let Some(node) = number(port, "nodePort") {
            out += &format!("NodePort:\t{name}\t{node}/{protocol}\n");
        }
        let target = format!(":{}", shown(part(port, "targetPort")));
        let own: Vec<String> = behind.iter().filter(|one| one.ends_with(&target)).cloned().collect();
        out += &format!("Endpoints:\t{}\n", some(&own));
    }
    out += &format!("Session Affinity:\t{}\n", of("sessionAffinity"));
    out += &format!("Internal Traffic Policy:\t{}\n", of("internalTrafficPolicy"));
    let id = Id { kind: Kind::Service, key: meta.key() };
    tabbed(&(out + &events(store, &id, Some(meta.uid), now_ms)))
}
