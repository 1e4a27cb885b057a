//! `kubectl describe` of DaemonSets, quotas, disruption budgets, and of what kubectl has no words of its own for.

use super::describe::{events, labels};
use super::manifest::moment_text;
use super::tabs::tabbed;
use super::template::described;
use fourgaps_cluster::Store;
use fourgaps_cluster::admission;
use fourgaps_cluster::daemonset::DaemonSet;
use fourgaps_cluster::disruption::disruptions;
use fourgaps_cluster::meta::Labels;
use fourgaps_cluster::object::{Id, Kind, Plain};
use fourgaps_cluster::pod::Phase;
use fourgaps_cluster::read::part;
use fourgaps_cluster::selector::{Operator, Selector};
use fourgaps_cluster::spec::Amounts;
use serde_json::Value;

/// The annotation in which the API server keeps the number of templates.
const TEMPLATE_GENERATION: &str = "deprecated.daemonset.template.generation";

/// The whole text of a DaemonSet (`describeDaemonSet`).
pub fn describe_daemonset(store: &Store, set: &DaemonSet, now_ms: u64) -> String {
    let (meta, status) = (&set.meta, &set.status);
    let mut annotations: Labels = meta.annotations.clone();
    annotations.insert(TEMPLATE_GENERATION.into(), set.template_generation.to_string());
    let mut out = format!("Name:\t{}\nNamespace:\t{}\n", meta.name, meta.namespace);
    out += &format!("Selector:\t{}\n", selector(&set.selector));
    let nodes = super::daemonset::labels(&set.template.spec.node_selector);
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
    out += &described(&set.template);
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
pub fn describe_quota(store: &Store, plain: &Plain) -> String {
    let mut out = format!("Name:\t{}\nNamespace:\t{}\n", plain.meta.name, plain.meta.namespace);
    out += "Resource\tUsed\tHard\n--------\t----\t----\n";
    for (name, used, hard) in quota_rows(store, plain) {
        out += &format!("{name}\t{used}\t{hard}\n");
    }
    tabbed(&out)
}

/// The whole text of a disruption budget (`describePodDisruptionBudget`).
pub fn describe_budget(store: &Store, plain: &Plain, now_ms: u64) -> String {
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

/// The whole text of an object that kubectl knows nothing of but its fields (`describeUnstructured`).
pub fn describe_plain(store: &Store, kind: Kind, plain: &Plain, now_ms: u64) -> String {
    let meta = &plain.meta;
    let mut out = format!("Name:\t{}\nNamespace:\t{}\n", meta.name, meta.namespace);
    out += &labels("Labels", &meta.labels);
    out += &labels("Annotations", &meta.annotations);
    let mut whole = plain.body.as_object().cloned().unwrap_or_default();
    whole.insert("API Version".into(), kind.api_version().into());
    whole.insert("Kind".into(), kind.name().into());
    let version = super::manifest::manifest(&fourgaps_cluster::object::Object::Other(
        kind,
        std::sync::Arc::new(plain.clone()),
    ));
    let version = version["metadata"]["resourceVersion"].clone();
    whole.insert(
        "metadata".into(),
        serde_json::json!({
            "creationTimestamp": moment_text(meta.created_ms),
            "resourceVersion": version,
            "UID": meta.uid.to_string(),
        }),
    );
    fields(&whole, "", &mut out);
    out += &events(store, &Id { kind, key: meta.key() }, Some(meta.uid), now_ms);
    tabbed(&out)
}

/// `creationTimestamp` becomes `Creation Timestamp`; what has blanks already stays.
fn title(field: &str) -> String {
    if field.contains(' ') || field == "UID" {
        return field.into();
    }
    let mut out = String::new();
    for c in field.chars() {
        match out.is_empty() {
            true => out.extend(c.to_uppercase()),
            false if c.is_uppercase() => out.extend([' ', c]),
            false => out.push(c),
        }
    }
    out
}

fn fields(entries: &serde_json::Map<String, Value>, indent: &str, out: &mut String) {
    let mut titled: Vec<(String, &Value)> =
        entries.iter().map(|(field, value)| (title(field), value)).collect();
    titled.sort_by(|a, b| a.0.cmp(&b.0));
    for (title, value) in titled {
        match value {
            Value::Object(inner) => {
                *out += &format!("{indent}{title}:\n");
                fields(inner, &format!("{indent}  "), out);
            }
            Value::Array(items) => {
                *out += &format!("{indent}{title}:\n");
                for item in items {
                    match item.as_object() {
                        Some(inner) => fields(inner, &format!("{indent}  "), out),
                        None => *out += &format!("{indent}  {}\n", super::jsonpath::shown(item)),
                    }
                }
            }
            scalar => *out += &format!("{indent}{title}:\t{}\n", super::jsonpath::shown(scalar)),
        }
    }
}
