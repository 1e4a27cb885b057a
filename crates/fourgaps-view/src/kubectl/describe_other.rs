//! `kubectl describe` of DaemonSets, quotas, disruption budgets, and of what kubectl has no words of its own for.

use super::describe::{events, labels};
use super::describe_node::describe_node;
use super::describe_pod::describe_pod;
use super::manifest::manifest;
use super::tabs::tabbed;
use super::template::described as template;
use super::workload::{describe_deployment, describe_replica_set, describe_service};
use fourgaps_cluster::Store;
use fourgaps_cluster::admission;
use fourgaps_cluster::daemonset::DaemonSet;
use fourgaps_cluster::disruption::disruptions;
use fourgaps_cluster::meta::Labels;
use fourgaps_cluster::object::{Id, Kind, Object, Plain};
use fourgaps_cluster::pod::Phase;
use fourgaps_cluster::read::{self, part};
use fourgaps_cluster::selector::{Operator, Selector};
use fourgaps_cluster::spec::Amounts;
use serde_json::Value;

/// The annotation in which the API server keeps the number of templates.
const TEMPLATE_GENERATION: &str = "deprecated.daemonset.template.generation";

/// The whole text of a DaemonSet (`describeDaemonSet`).
fn describe_daemonset(store: &Store, set: &DaemonSet, now_ms: u64) -> String {
    let (meta, status) = (&set.meta, &set.status);
    let mut annotations: Labels = meta.annotations.clone();
    annotations.insert(TEMPLATE_GENERATION.into(), set.template_generation.to_string());
    let mut out = format!("Name:\t{}\nNamespace:\t{}\n", meta.name, meta.namespace);
    out += &format!("Selector:\t{}\n", selector(&set.selector));
    let nodes = super::daemonset::label_text(&set.template.spec.node_selector);
    out += &format!("Node-Selector:\t{nodes}\n");
    out += &labels("Labels", &meta.labels);
    out += &labels("Annotations", &annotations);
    out += &format!("Desired Number of Nodes Scheduled: {}\n", status.desired);
    out += &format!("Current Number of Nodes Scheduled: {}\n", status.current);
    out += &format!("Number of Nodes Scheduled with Up-to-date Pods: {}\n", status.updated);
    out += &format!("Number of Nodes Scheduled with Available Pods: {}\n", status.available);
    out += &format!("Number of Nodes Misscheduled: {}\n", status.misscheduled);
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
    out += &template(&set.template);
    let id = Id { kind: Kind::DaemonSet, key: meta.key() };
    out += &events(store, &id, Some(meta.uid), now_ms);
    tabbed(&out)
}

/// A selector as kubectl writes it (`FormatLabelSelector`).
pub(crate) fn selector(selector: &Selector) -> String {
    let mut told: Vec<String> = selector.labels.iter().map(|(key, value)| format!("{key}={value}")).collect();
    for one in &selector.expressions {
        let (key, values) = (&one.key, one.values.join(","));
        told.push(match one.operator {
            Operator::In => format!("{key} in ({values})"),
            Operator::NotIn => format!("{key} notin ({values})"),
            Operator::Exists => key.clone(),
            Operator::DoesNotExist => format!("!{key}"),
            Operator::Gt => format!("{key}>{values}"),
            Operator::Lt => format!("{key}<{values}"),
        });
    }
    if told.is_empty() { "<none>".into() } else { told.join(",") }
}

/// The whole text of a quota (`describeQuota`).
fn describe_quota(store: &Store, plain: &Plain) -> String {
    let mut out = format!("Name:\t{}\nNamespace:\t{}\n", plain.meta.name, plain.meta.namespace);
    out += "Resource\tUsed\tHard\n--------\t----\t----\n";
    for (name, used, hard) in quota_rows(store, plain) {
        out += &format!("{name}\t{used}\t{hard}\n");
    }
    tabbed(&out)
}

/// The whole text of a disruption budget (`describePodDisruptionBudget`).
fn describe_budget(store: &Store, plain: &Plain, now_ms: u64) -> String {
    let spec = part(&plain.body, "spec");
    let mut out = format!("Name:\t{}\nNamespace:\t{}\n", plain.meta.name, plain.meta.namespace);
    for (title, field) in [("Min available", "minAvailable"), ("Max unavailable", "maxUnavailable")] {
        let value = part(spec, field);
        if !value.is_null() {
            out += &format!("{title}:\t{}\n", super::jsonpath::shown(value));
        }
    }
    out += &format!("Selector:\t{}\nStatus:\n", selector(&Selector::of(part(spec, "selector"))));
    let budget = disruptions(store, plain);
    out += &format!("    Allowed disruptions:\t{}\n    Current:\t{}\n", budget.allowed, budget.current);
    out += &format!("    Desired:\t{}\n    Total:\t{}\n", budget.desired, budget.total);
    let id = Id { kind: Kind::PodDisruptionBudget, key: plain.meta.key() };
    tabbed(&(out + &events(store, &id, Some(plain.meta.uid), now_ms)))
}

/// Resource, used, hard, by name.
pub(crate) fn quota_rows(store: &Store, plain: &Plain) -> Vec<(String, String, String)> {
    let hard = admission::hard(plain);
    let used = admission::used(store, &plain.meta.namespace, &hard);
    let text = |amounts: &Amounts, name: &String| amounts.get(name).copied().unwrap_or_default().to_string();
    hard.keys().map(|name| (name.clone(), text(&used, name), text(&hard, name))).collect()
}

/// The whole text of an object that kubectl knows nothing of but its fields (`genericDescriber`).
fn describe_plain(store: &Store, object: &Object, now_ms: u64) -> String {
    let mut whole = manifest(object);
    let mut out = String::new();
    let map = |field: &str| read::labels(part(&whole, "metadata"), field);
    let key = object.key();
    out += &format!("Name:\t{}\nNamespace:\t{}\n", key.name, key.namespace);
    out += &labels("Labels", &map("labels"));
    out += &labels("Annotations", &map("annotations"));
    let uid = match object {
        Object::Revision(revision) => Some(revision.meta.uid),
        Object::Other(_, plain) => Some(plain.meta.uid),
        _ => None,
    };
    if let Some(meta) = whole["metadata"].as_object_mut() {
        meta.retain(|field, _| !["annotations", "labels", "name", "namespace"].contains(&field.as_str()));
    }
    fields(&whole, "", &mut out);
    out += &events(store, &Id { kind: object.kind(), key }, uid, now_ms);
    tabbed(&out)
}

/// `creationTimestamp` becomes `Creation Timestamp`; what has other signs than letters stays (`smartLabelFor`).
fn title(field: &str) -> String {
    const ACRONYMS: [&str; 5] = ["API", "URL", "UID", "OSB", "GUID"];
    if field.contains(|c: char| !c.is_ascii_alphabetic() && c != '-') {
        return field.into();
    }
    let letters: Vec<char> = field.chars().collect();
    let mut words: Vec<String> = Vec::new();
    for (at, c) in letters.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| letters.get(at));
        let after_small = before.is_some_and(|before| !before.is_uppercase());
        let next_small = letters.get(at + 1).is_some_and(|next| next.is_lowercase());
        match words.last_mut().filter(|_| !(c.is_uppercase() && (after_small || next_small))) {
            Some(word) => word.push(*c),
            None => words.push(c.to_string()),
        }
    }
    for word in &mut words {
        let upper = word.to_uppercase();
        *word = match ACRONYMS.contains(&upper.as_str()) {
            true => upper,
            false => upper[..1].to_string() + &word[1..],
        };
    }
    words.join(" ")
}

fn fields(value: &Value, indent: &str, out: &mut String) {
    for (field, value) in value.as_object().into_iter().flatten() {
        let title = title(field);
        match value {
            Value::Object(_) => {
                *out += &format!("{indent}{title}:\n");
                fields(value, &format!("{indent}  "), out);
            }
            Value::Array(items) => {
                *out += &format!("{indent}{title}:\n");
                for item in items {
                    match item {
                        Value::Object(_) => fields(item, &format!("{indent}  "), out),
                        item => *out += &format!("{indent}  {}\n", super::jsonpath::shown(item)),
                    }
                }
            }
            Value::Null => *out += &format!("{indent}{title}:\t<nil>\n"),
            scalar => *out += &format!("{indent}{title}:\t{}\n", super::jsonpath::shown(scalar)),
        }
    }
}

/// The whole text of a namespace with its quotas (`describeNamespace`).
fn describe_namespace(store: &Store, plain: &Plain) -> String {
    let meta = &plain.meta;
    let mut out = format!("Name:\t{}\n", meta.name);
    out += &labels("Labels", &meta.labels);
    out += &labels("Annotations", &meta.annotations);
    out += "Status:\tActive\n\n";
    let mut quotas =
        store.others(Kind::ResourceQuota).filter(|quota| quota.meta.namespace == meta.name).peekable();
    if quotas.peek().is_none() {
        out += "No resource quota.\n";
    } else {
        out += "Resource Quotas\n";
    }
    for quota in quotas {
        out += &format!("  Name:\t{}\n  Resource\tUsed\tHard\n  --------\t---\t---\n", quota.meta.name);
        for (name, used, hard) in quota_rows(store, quota) {
            out += &format!("  {name}\t{used}\t{hard}\n");
        }
    }
    tabbed(&(out + "\nNo LimitRange resource.\n"))
}

/// The whole text of a ConfigMap (`ConfigMapDescriber`).
fn describe_config(store: &Store, plain: &Plain, now_ms: u64) -> String {
    let meta = &plain.meta;
    let mut out = format!("Name:\t{}\nNamespace:\t{}\n", meta.name, meta.namespace);
    out += &labels("Labels", &meta.labels);
    out += &labels("Annotations", &meta.annotations);
    out += "\nData\n====\n";
    for (key, value) in read::entries(&plain.body, "data") {
        out += &format!("{key}:\n----\n{}\n\n", super::jsonpath::shown(value));
    }
    out += "\nBinaryData\n====\n";
    for (key, value) in read::entries(&plain.body, "binaryData") {
        let text = value.as_str().unwrap_or_default().trim_end_matches('=');
        out += &format!("{key}: {} bytes\n", text.len() * 3 / 4);
    }
    let id = Id { kind: Kind::ConfigMap, key: meta.key() };
    tabbed(&(out + "\n" + &events(store, &id, Some(meta.uid), now_ms)))
}

/// The whole text of Endpoints (`describeEndpoints`).
fn describe_endpoints(store: &Store, plain: &Plain, now_ms: u64) -> String {
    let meta = &plain.meta;
    let mut out = format!("Name:\t{}\nNamespace:\t{}\n", meta.name, meta.namespace);
    out += &labels("Labels", &meta.labels);
    out += &labels("Annotations", &meta.annotations);
    out += "Subsets:\n";
    for subset in read::items(&plain.body, "subsets") {
        for (title, field) in [("Addresses", "addresses"), ("NotReadyAddresses", "notReadyAddresses")] {
            let all: Vec<&str> = read::items(subset, field).filter_map(|one| read::text(one, "ip")).collect();
            let all = if all.is_empty() { "<none>".into() } else { all.join(",") };
            out += &format!("  {title}:\t{all}\n");
        }
        let mut ports = read::items(subset, "ports").peekable();
        if ports.peek().is_some() {
            out += "  Ports:\n    Name\tPort\tProtocol\n    ----\t----\t--------\n";
        }
        for port in ports {
            let name = read::text(port, "name").filter(|name| !name.is_empty()).unwrap_or("<unset>");
            let protocol = read::text(port, "protocol").unwrap_or("TCP");
            out += &format!("    {name}\t{}\t{protocol}\n", super::jsonpath::shown(part(port, "port")));
        }
        out += "\n";
    }
    let id = Id { kind: Kind::Endpoints, key: meta.key() };
    tabbed(&(out + &events(store, &id, Some(meta.uid), now_ms)))
}

/// The whole text of `kubectl describe` of an object, as a server shows it.
pub fn described(store: &Store, object: &Object, now_ms: u64) -> String {
    match object {
        Object::Node(node) => describe_node(store, node, now_ms),
        Object::Pod(pod) => describe_pod(store, pod, now_ms),
        Object::DaemonSet(set) => describe_daemonset(store, set, now_ms),
        Object::Other(Kind::ResourceQuota, plain) => describe_quota(store, plain),
        Object::Other(Kind::PodDisruptionBudget, plain) => describe_budget(store, plain, now_ms),
        Object::Other(Kind::Deployment, plain) => describe_deployment(store, plain, now_ms),
        Object::Other(Kind::ReplicaSet, plain) => describe_replica_set(store, plain, now_ms),
        Object::Other(Kind::Service, plain) => describe_service(store, plain, now_ms),
        Object::Other(Kind::Namespace, plain) => describe_namespace(store, plain),
        Object::Other(Kind::ConfigMap, plain) => describe_config(store, plain, now_ms),
        Object::Other(Kind::Endpoints, plain) => describe_endpoints(store, plain, now_ms),
        object => describe_plain(store, object, now_ms),
    }
}

#[cfg(test)]
mod tests {
    use super::title;

    #[test]
    fn fields_have_titles() {
        for (field, wanted) in [
            ("apiVersion", "API Version"),
            ("creationTimestamp", "Creation Timestamp"),
            ("uid", "UID"),
            ("hostIP", "Host IP"),
            ("nvidia.com/gpu", "nvidia.com/gpu"),
            ("kind", "Kind"),
        ] {
            assert_eq!(title(field), wanted);
        }
    }
}
