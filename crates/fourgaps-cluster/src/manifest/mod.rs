//! Objects as they are written: types and faults of a manifest, its defaults, and the object that it makes.

mod apply;
mod defaults;
mod merge;
mod schema;
mod validate;
mod yaml;

pub use apply::{Applied, LAST_APPLIED, Problem};
pub use merge::{Way, patched};
pub use schema::{field_type, known_part};
pub use yaml::{YamlFault, documents};

use crate::daemonset::{DaemonSet, Share, Strategy};
use crate::meta::Meta;
use crate::object::{Kind, Object, Plain};
use crate::pod::{Pod, Shape};
use crate::read::{labels, number, part, text};
use crate::selector::Selector;
use crate::spec::{PodSpec, Template};
use crate::taint::Taint;
use serde_json::Value;
use std::sync::Arc;

/// The kind that a manifest says it is, where the lab has it.
pub fn kind_of(value: &Value) -> Option<Kind> {
    let (kind, version) = (text(value, "kind")?, text(value, "apiVersion")?);
    Kind::all().find(|known| known.name() == kind && known.api_version() == version)
}

/// The metadata that a manifest may set.
fn meta_of(kind: Kind, value: &Value) -> Meta {
    let meta = part(value, "metadata");
    let namespace = if kind.is_namespaced() { text(meta, "namespace").unwrap_or_default() } else { "" };
    Meta {
        labels: labels(meta, "labels"),
        annotations: labels(meta, "annotations"),
        ..Meta::new(namespace, text(meta, "name").unwrap_or_default())
    }
}

/// The DaemonSet of a manifest whose defaults are filled in.
fn daemonset_of(value: &Value) -> DaemonSet {
    let spec = part(value, "spec");
    let strategy = part(spec, "updateStrategy");
    let rolling = part(strategy, "rollingUpdate");
    let share = |field: &str| match part(rolling, field) {
        Value::String(text) => Share::read(text).unwrap_or(Share::Count(0)),
        value => Share::Count(value.as_u64().and_then(|n| u32::try_from(n).ok()).unwrap_or(0)),
    };
    let count = |field: &str| number(spec, field).and_then(|n| u32::try_from(n).ok()).unwrap_or(0);
    DaemonSet {
        meta: meta_of(Kind::DaemonSet, value),
        selector: Selector::of(part(spec, "selector")),
        template: Arc::new(Template::of(part(spec, "template"))),
        strategy: match text(strategy, "type") {
            Some("OnDelete") => Strategy::OnDelete,
            _ => Strategy::RollingUpdate {
                max_unavailable: share("maxUnavailable"),
                max_surge: share("maxSurge"),
            },
        },
        min_ready_seconds: count("minReadySeconds"),
        revision_history_limit: count("revisionHistoryLimit"),
        ..DaemonSet::default()
    }
}

/// What a pod's manifest says of it.
fn shape_of(value: &Value) -> Shape {
    let meta = meta_of(Kind::Pod, value);
    let spec = PodSpec::of(part(value, "spec"));
    Shape { labels: meta.labels, annotations: meta.annotations, owner: None, spec }
}

/// Everything but kind and metadata.
fn plain_of(kind: Kind, value: &Value) -> Plain {
    let mut body = value.clone();
    if let Some(entries) = body.as_object_mut() {
        for field in ["apiVersion", "kind", "metadata"] {
            entries.remove(field);
        }
    }
    Plain { meta: meta_of(kind, value), body }
}

/// `spec` of a pod as the server completes it, where it was made from a template.
pub fn pod_spec(given: &Value) -> Value {
    let mut whole = serde_json::json!({ "spec": given });
    defaults::fill(Kind::Pod, &mut whole);
    whole["spec"].take()
}

/// A live object in the form of a manifest: what of it a manifest can set.
pub fn as_written(object: &Object) -> Value {
    let meta = |meta: &Meta| {
        let mut written = serde_json::json!({ "name": meta.name });
        for (field, labels) in [("labels", &meta.labels), ("annotations", &meta.annotations)] {
            if !labels.is_empty() {
                written[field] = serde_json::json!(labels);
            }
        }
        if !meta.namespace.is_empty() {
            written["namespace"] = serde_json::json!(meta.namespace);
        }
        written
    };
    let of_pod = |pod: &Pod| Meta {
        labels: pod.shape.labels.clone(),
        annotations: pod.shape.annotations.clone(),
        ..Meta::new(&pod.key.namespace, &pod.key.name)
    };
    let mut written = match object {
        Object::DaemonSet(set) => {
            serde_json::json!({ "metadata": meta(&set.meta), "spec": daemon_spec(set) })
        }
        Object::Pod(pod) => {
            serde_json::json!({ "metadata": meta(&of_pod(pod)), "spec": pod.shape.spec.given })
        }
        Object::Node(node) => {
            let mut spec = serde_json::json!({});
            let taint = |taint: &Taint| {
                let mut written = serde_json::json!({ "effect": taint.effect.name(), "key": taint.key });
                if !taint.value.is_empty() {
                    written["value"] = taint.value.as_str().into();
                }
                written
            };
            if !node.taints.is_empty() {
                spec["taints"] = node.taints.iter().map(taint).collect();
            }
            if node.unschedulable {
                spec["unschedulable"] = true.into();
            }
            serde_json::json!({ "metadata": meta(&node.meta), "spec": spec })
        }
        Object::Revision(revision) => serde_json::json!({ "metadata": meta(&revision.meta) }),
        Object::Other(_, plain) => {
            let mut body = plain.body.as_object().cloned().unwrap_or_default();
            body.insert("metadata".into(), meta(&plain.meta));
            Value::Object(body)
        }
    };
    written["apiVersion"] = object.kind().api_version().into();
    written["kind"] = object.kind().name().into();
    written
}

/// `spec` of a DaemonSet as the API gives it.
pub fn daemon_spec(set: &DaemonSet) -> Value {
    let share = |share: Share| match share {
        Share::Count(count) => serde_json::json!(count),
        share => share.to_string().into(),
    };
    let strategy = match set.strategy {
        Strategy::OnDelete => serde_json::json!({ "type": "OnDelete" }),
        Strategy::RollingUpdate { max_unavailable, max_surge } => serde_json::json!({
            "rollingUpdate": { "maxSurge": share(max_surge), "maxUnavailable": share(max_unavailable) },
            "type": "RollingUpdate",
        }),
    };
    let mut spec = serde_json::json!({
        "revisionHistoryLimit": set.revision_history_limit,
        "selector": selector(&set.selector),
        "template": set.template.given,
        "updateStrategy": strategy,
    });
    if set.min_ready_seconds > 0 {
        spec["minReadySeconds"] = set.min_ready_seconds.into();
    }
    spec
}

fn selector(selector: &Selector) -> Value {
    let mut written = serde_json::json!({});
    if !selector.labels.is_empty() {
        written["matchLabels"] = serde_json::json!(selector.labels);
    }
    for one in &selector.expressions {
        let mut expression = serde_json::json!({ "key": one.key, "operator": format!("{:?}", one.operator) });
        if !one.values.is_empty() {
            expression["values"] = serde_json::json!(one.values);
        }
        match written.get_mut("matchExpressions").and_then(Value::as_array_mut) {
            Some(list) => list.push(expression),
            None => written["matchExpressions"] = serde_json::json!([expression]),
        }
    }
    written
}
