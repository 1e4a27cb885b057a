//! Objects as the API gives them: JSON with every field that the lab knows. `-o json`, `yaml`, `jsonpath` and
//! `custom-columns` all start from here.

use crate::moment;
use fourgaps_cluster::EPOCH_MS;
use fourgaps_cluster::daemonset::DaemonSet;
use fourgaps_cluster::meta::{Deleting, Labels, Meta, Owner, Uid};
use fourgaps_cluster::node::{Condition, Node};
use fourgaps_cluster::object::Object;
use fourgaps_cluster::pod::{ContainerState, ContainerStatus, Ended, Pod};
use fourgaps_cluster::spec::Amounts;
use serde_json::{Map, Value, json};

/// A moment as the API writes it.
pub fn moment_text(ms: u64) -> String {
    moment::seconds(EPOCH_MS + ms)
}

/// An object of the API, whole.
pub fn manifest(object: &Object) -> Value {
    let mut whole = match object {
        Object::Node(node) => of_node(node),
        Object::Pod(pod) => of_pod(pod),
        Object::DaemonSet(set) => of_daemonset(set),
        Object::Revision(revision) => json!({
            "data": { "spec": { "template": revision.template.given } },
            "metadata": meta(&revision.meta),
            "revision": revision.number,
        }),
        Object::Other(_, plain) => {
            let mut whole = plain.body.as_object().cloned().unwrap_or_default();
            whole.insert("metadata".into(), meta(&plain.meta));
            let mut whole = Value::Object(whole);
            write_moments(&mut whole);
            whole
        }
    };
    let kind = object.kind();
    whole["apiVersion"] = kind.api_version().into();
    whole["kind"] = kind.name().into();
    whole["metadata"]["resourceVersion"] = version_of(&whole).into();
    whole
}

/// Controllers keep moments as numbers, of conditions and of events.
fn write_moments(whole: &mut Value) {
    for field in ["firstTimestamp", "lastTimestamp"] {
        if let Some(ms) = whole.get(field).and_then(Value::as_u64) {
            whole[field] = moment_text(ms).into();
        }
    }
    let conditions = whole.pointer_mut("/status/conditions").and_then(Value::as_array_mut);
    for condition in conditions.into_iter().flatten() {
        for field in ["lastTransitionTime", "lastUpdateTime"] {
            if let Some(ms) = condition[field].as_u64() {
                condition[field] = moment_text(ms).into();
            }
        }
    }
}

/// A number that changes whenever the object does; clients may not read more into it.
fn version_of(whole: &Value) -> String {
    // FNV-1a.
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = whole.to_string().bytes().fold(0xcbf2_9ce4_8422_2325, step);
    (hash % 1_000_000).to_string()
}

/// Several objects as the list that kubectl prints.
pub fn list(items: Vec<Value>) -> Value {
    json!({ "apiVersion": "v1", "items": items, "kind": "List", "metadata": { "resourceVersion": "" } })
}

/// The parts that are there, as one object.
fn object<const N: usize>(parts: [(&str, Option<Value>); N]) -> Value {
    let mut object = Map::new();
    for (field, part) in parts {
        if let Some(part) = part {
            object.insert(field.into(), part);
        }
    }
    Value::Object(object)
}

fn some(labels: &Labels) -> Option<Value> {
    (!labels.is_empty()).then(|| json!(labels))
}

fn said(text: &str) -> Option<Value> {
    (!text.is_empty()).then(|| text.into())
}

struct MetaParts<'a> {
    name: &'a str,
    namespace: &'a str,
    uid: Uid,
    labels: &'a Labels,
    annotations: &'a Labels,
    created_ms: u64,
    deleting: Option<Deleting>,
    generation: u64,
    owner: Option<&'a Owner>,
    finalizers: &'a [String],
}

fn meta(meta: &Meta) -> Value {
    meta_of(&MetaParts {
        name: &meta.name,
        namespace: &meta.namespace,
        uid: meta.uid,
        labels: &meta.labels,
        annotations: &meta.annotations,
        created_ms: meta.created_ms,
        deleting: meta.deleting,
        generation: meta.generation,
        owner: meta.owner.as_ref(),
        finalizers: &meta.finalizers,
    })
}

fn meta_of(parts: &MetaParts<'_>) -> Value {
    let owner = parts.owner.map(|owner| {
        json!([{
            "apiVersion": "apps/v1",
            "blockOwnerDeletion": true,
            "controller": true,
            "kind": owner.kind,
            "name": owner.name,
            "uid": owner.uid.to_string(),
        }])
    });
    object([
        ("annotations", some(parts.annotations)),
        ("creationTimestamp", Some(moment_text(parts.created_ms).into())),
        ("deletionGracePeriodSeconds", parts.deleting.map(|deleting| deleting.grace_seconds.into())),
        ("deletionTimestamp", parts.deleting.map(|deleting| moment_text(deleting.at_ms).into())),
        ("finalizers", (!parts.finalizers.is_empty()).then(|| json!(parts.finalizers))),
        ("generation", (parts.generation > 0).then(|| parts.generation.into())),
        ("labels", some(parts.labels)),
        ("name", Some(parts.name.into())),
        ("namespace", said(parts.namespace)),
        ("ownerReferences", owner),
        ("uid", Some(parts.uid.to_string().into())),
    ])
}

fn amounts(amounts: &Amounts) -> Value {
    let entries = amounts.iter().map(|(name, amount)| (name.clone(), amount.to_string().into()));
    Value::Object(entries.collect())
}

fn condition(condition: &Condition, heard: bool) -> Value {
    object([
        ("lastHeartbeatTime", heard.then(|| moment_text(condition.heard_ms).into())),
        ("lastTransitionTime", Some(moment_text(condition.since_ms).into())),
        ("message", said(condition.why.message())),
        ("reason", said(condition.why.reason())),
        ("status", Some(condition.status.name().into())),
        ("type", Some(condition.kind.clone().into())),
    ])
}

fn of_node(node: &Node) -> Value {
    let taint = |taint: &fourgaps_cluster::taint::Taint| {
        object([
            ("effect", Some(taint.effect.name().into())),
            ("key", Some(taint.key.clone().into())),
            ("timeAdded", taint.added_ms.map(|ms| moment_text(ms).into())),
            ("value", said(&taint.value)),
        ])
    };
    let taints: Vec<Value> = node.taints.iter().map(taint).collect();
    let mut status = node.info.as_object().cloned().unwrap_or_default();
    status.insert("allocatable".into(), amounts(&node.allocatable));
    status.insert("capacity".into(), amounts(&node.capacity));
    let conditions = node.conditions.iter().map(|one| condition(one, true)).collect();
    status.insert("conditions".into(), Value::Array(conditions));
    let spec = object([
        ("taints", (!taints.is_empty()).then_some(Value::Array(taints))),
        ("unschedulable", node.unschedulable.then_some(Value::Bool(true))),
    ]);
    json!({ "metadata": meta(&node.meta), "spec": spec, "status": status })
}

fn of_pod(pod: &Pod) -> Value {
    let shape = &pod.shape;
    let meta = meta_of(&MetaParts {
        name: &pod.key.name,
        namespace: &pod.key.namespace,
        uid: pod.uid,
        labels: &shape.labels,
        annotations: &shape.annotations,
        created_ms: pod.created_ms,
        deleting: pod.deleting,
        generation: 0,
        owner: shape.owner.as_ref(),
        finalizers: &pod.finalizers,
    });
    let mut spec = fourgaps_cluster::manifest::pod_spec(&shape.spec.given);
    if let Some(target) = &pod.target {
        spec["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"] = json!({ "nodeSelectorTerms": [{ "matchFields": [
                { "key": "metadata.name", "operator": "In", "values": [target] },
            ] }] });
    }
    if let Some(node) = &pod.node {
        spec["nodeName"] = node.as_ref().into();
    }
    let status = &pod.status;
    let containers = shape.spec.containers.iter().zip(&status.containers);
    let containers: Vec<Value> = containers
        .map(|(container, status)| container_status(&container.name, &container.image, status))
        .collect();
    let init = shape.spec.init_containers.iter().zip(&status.init);
    let init: Vec<Value> =
        init.map(|(container, status)| container_status(&container.name, &container.image, status)).collect();
    let conditions = super::pod::conditions(pod).iter().map(|one| condition(one, false)).collect();
    let status = object([
        ("conditions", Some(Value::Array(conditions))),
        ("containerStatuses", (!containers.is_empty()).then_some(Value::Array(containers))),
        ("initContainerStatuses", (!init.is_empty()).then_some(Value::Array(init))),
        ("message", said(status.why.message())),
        ("phase", Some(status.phase.name().into())),
        ("podIP", said(&status.ip)),
        ("podIPs", (!status.ip.is_empty()).then(|| json!([{ "ip": *status.ip }]))),
        ("reason", said(status.why.reason())),
        ("startTime", status.start_ms.map(|ms| moment_text(ms).into())),
    ]);
    json!({ "metadata": meta, "spec": spec, "status": status })
}

fn container_status(name: &str, image: &str, status: &ContainerStatus) -> Value {
    let state = match &status.state {
        ContainerState::Waiting { reason, message } => {
            json!({ "waiting": object([("message", said(message)), ("reason", said(reason))]) })
        }
        ContainerState::Running { since_ms } => json!({ "running": { "startedAt": moment_text(*since_ms) } }),
        ContainerState::Ended(ended) => terminated(ended),
    };
    json!({
        "image": image,
        "lastState": status.last.as_deref().map_or_else(|| json!({}), terminated),
        "name": name,
        "ready": status.ready,
        "restartCount": status.restarts,
        "started": matches!(status.state, ContainerState::Running { .. }),
        "state": state,
    })
}

fn terminated(ended: &Ended) -> Value {
    json!({ "terminated": object([
        ("exitCode", Some(ended.code.into())),
        ("finishedAt", ended.ended_ms.map(|ms| moment_text(ms).into())),
        ("reason", said(&ended.reason)),
        ("startedAt", Some(moment_text(ended.started_ms).into())),
    ]) })
}

/// The annotation in which the API server keeps the number of templates.
const TEMPLATE_GENERATION: &str = "deprecated.daemonset.template.generation";

fn of_daemonset(set: &DaemonSet) -> Value {
    let mut meta = meta(&set.meta);
    meta["annotations"][TEMPLATE_GENERATION] = set.template_generation.to_string().into();
    let spec = fourgaps_cluster::manifest::daemon_spec(set);
    let status = &set.status;
    let unless_zero = |number: u32| (number > 0).then(|| number.into());
    let status = object([
        ("collisionCount", unless_zero(status.collisions)),
        ("currentNumberScheduled", Some(status.current.into())),
        ("desiredNumberScheduled", Some(status.desired.into())),
        ("numberAvailable", unless_zero(status.available)),
        ("numberMisscheduled", Some(status.misscheduled.into())),
        ("numberReady", Some(status.ready.into())),
        ("numberUnavailable", unless_zero(status.unavailable)),
        ("observedGeneration", (status.observed_generation > 0).then(|| status.observed_generation.into())),
        ("updatedNumberScheduled", unless_zero(status.updated)),
    ]);
    json!({ "metadata": meta, "spec": spec, "status": status })
}
