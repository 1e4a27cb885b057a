//! Objects as JSON: read from a manifest, and written whole, as `kubectl get -o json` shows them.
//! Reading is lenient; what the API server would refuse is the work of validation before.

use crate::daemonset::{DaemonSet, Revision, Share, Strategy};
use crate::meta::{Meta, Owner, whole_seconds};
use crate::node::{Condition, Node, Truth};
use crate::object::{Kind, Object, Plain};
use crate::pod::{ContainerState, ContainerStatus, Ended, Pod, Shape};
use crate::read;
use crate::selector::Selector;
use crate::spec::{Amounts, PodSpec, Template, amounts, toleration_value};
use crate::taint::{Effect, Taint};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// What a manifest asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Manifest {
    /// A pod: its name, or the beginning of it where it ends in `-`.
    Pod(String, String, Arc<Shape>),
    /// Any other object.
    Object(Object),
}

/// Reads a manifest; an object of a namespace that names none is put into this one. `None` where the kind is not known
/// here or belongs to another API version.
pub fn read_manifest(value: &Value, namespace: &str) -> Option<Manifest> {
    let kind = Kind::all().find(|kind| read::text(value, "kind") == Some(&kind.name()))?;
    if read::text(value, "apiVersion") != Some(kind.api_version()) {
        return None;
    }
    let mut meta = read_meta(read::part(value, "metadata"));
    if !kind.is_namespaced() {
        meta.namespace.clear();
    } else if meta.namespace.is_empty() {
        meta.namespace = namespace.into();
    }
    let spec = read::part(value, "spec");
    Some(Manifest::Object(match kind {
        Kind::Pod => {
            let shape = Shape {
                labels: meta.labels,
                annotations: meta.annotations,
                owner: None,
                spec: PodSpec::of(spec),
            };
            return Some(Manifest::Pod(meta.namespace, meta.name, Arc::new(shape)));
        }
        Kind::Node => Object::Node(Arc::new(read_node(meta, value))),
        Kind::DaemonSet => Object::DaemonSet(Arc::new(read_daemonset(meta, spec))),
        kind => {
            let mut body = value.clone();
            if let Some(body) = body.as_object_mut() {
                body.retain(|field, _| !["kind", "apiVersion", "metadata"].contains(&field.as_str()));
            }
            Object::Other(kind, Arc::new(Plain { meta, body }))
        }
    }))
}

fn read_meta(value: &Value) -> Meta {
    let text = |field| read::text(value, field).unwrap_or_default();
    Meta {
        labels: read::labels(value, "labels"),
        annotations: read::labels(value, "annotations"),
        finalizers: read::texts(value, "finalizers"),
        ..Meta::new(text("namespace"), text("name"))
    }
}

fn read_daemonset(meta: Meta, spec: &Value) -> DaemonSet {
    let number = |field| read::number(spec, field).and_then(|number| u32::try_from(number).ok());
    DaemonSet {
        meta,
        selector: Selector::of(read::part(spec, "selector")),
        template: Arc::new(Template::of(read::part(spec, "template"))),
        strategy: read_strategy(read::part(spec, "updateStrategy")),
        min_ready_seconds: number("minReadySeconds").unwrap_or(0),
        revision_history_limit: number("revisionHistoryLimit").unwrap_or(10),
        ..DaemonSet::default()
    }
}

fn read_strategy(value: &Value) -> Strategy {
    if read::text(value, "type") == Some("OnDelete") {
        return Strategy::OnDelete;
    }
    let rolling = read::part(value, "rollingUpdate");
    let share = |field: &str| match read::part(rolling, field) {
        Value::Number(number) => number.as_u64().and_then(|n| u32::try_from(n).ok()).map(Share::Count),
        Value::String(text) => Share::read(text),
        _ => None,
    };
    Strategy::RollingUpdate {
        max_unavailable: share("maxUnavailable").unwrap_or(Share::Count(1)),
        max_surge: share("maxSurge").unwrap_or(Share::Count(0)),
    }
}

fn read_node(meta: Meta, value: &Value) -> Node {
    let (spec, status) = (read::part(value, "spec"), read::part(value, "status"));
    let taint = |taint: &Value| {
        let effect = read::text(taint, "effect").and_then(Effect::read)?;
        let value = read::text(taint, "value").unwrap_or_default().to_string();
        Some(Taint { value, ..Taint::new(read::text(taint, "key")?, effect) })
    };
    let condition = |condition: &Value| {
        let truth = [Truth::True, Truth::False, Truth::Unknown];
        let text = |field| read::text(condition, field).unwrap_or_default().to_string();
        Some(Condition {
            kind: text("type").into(),
            status: truth.into_iter().find(|truth| Some(truth.name()) == read::text(condition, "status"))?,
            reason: text("reason").into(),
            message: text("message"),
            ..Condition::default()
        })
    };
    let info = json!({
        "nodeInfo": read::part(status, "nodeInfo"),
        "addresses": read::part(status, "addresses"),
    });
    Node {
        meta,
        taints: read::items(spec, "taints").filter_map(taint).collect(),
        unschedulable: read::flag(spec, "unschedulable"),
        capacity: amounts(status, "capacity"),
        allocatable: amounts(status, "allocatable"),
        conditions: read::items(status, "conditions").filter_map(condition).collect(),
        info,
    }
}

/// Writes objects whole. Moments are counted from the world's own beginning.
#[derive(Clone, Copy, Debug)]
pub struct Writer {
    /// The moment 0 of the cluster, in seconds since 1970.
    pub epoch_seconds: u64,
}

impl Writer {
    /// The whole object, with what was given and what the API server and the controllers added.
    pub fn value(&self, object: &Object) -> Value {
        let kind = object.kind();
        let mut value = json!({ "apiVersion": kind.api_version(), "kind": kind.name() });
        let (meta, rest) = match object {
            Object::Node(node) => (self.meta(&node.meta), self.node(node)),
            Object::Pod(pod) => (self.pod_meta(pod), self.pod(pod)),
            Object::DaemonSet(set) => {
                let mut meta = self.meta(&set.meta);
                meta["annotations"]["deprecated.daemonset.template.generation"] =
                    json!(set.template_generation.to_string());
                (meta, daemonset(set))
            }
            Object::Revision(revision) => (self.meta(&revision.meta), revision_body(revision)),
            Object::Other(_, plain) => (self.meta(&plain.meta), plain.body.clone()),
        };
        value["metadata"] = meta;
        if let (Some(value), Value::Object(rest)) = (value.as_object_mut(), rest) {
            value.extend(rest);
        }
        value
    }

    /// A moment as the API writes it.
    pub fn moment(&self, ms: u64) -> String {
        let seconds = self.epoch_seconds + whole_seconds(ms) / 1000;
        let (days, rest) = (seconds / 86_400, seconds % 86_400);
        let (year, month, day) = civil(days);
        let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
        format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
    }

    fn meta(&self, meta: &Meta) -> Value {
        let mut value = json!({
            "name": meta.name,
            "uid": meta.uid.to_string(),
            "creationTimestamp": self.moment(meta.created_ms),
        });
        let fields = [
            ("namespace", json!(meta.namespace), meta.namespace.is_empty()),
            ("labels", json!(meta.labels), meta.labels.is_empty()),
            ("annotations", json!(meta.annotations), meta.annotations.is_empty()),
            ("generation", json!(meta.generation), meta.generation == 0),
            ("finalizers", json!(meta.finalizers), meta.finalizers.is_empty()),
        ];
        for (name, field, _) in fields.into_iter().filter(|(_, _, empty)| !empty) {
            value[name] = field;
        }
        if let Some(deleting) = meta.deleting {
            value["deletionTimestamp"] = json!(self.moment(deleting.at_ms));
            value["deletionGracePeriodSeconds"] = json!(deleting.grace_seconds);
        }
        if let Some(owner) = &meta.owner {
            value["ownerReferences"] = owner_value(owner);
        }
        value
    }

    fn pod_meta(&self, pod: &Pod) -> Value {
        self.meta(&Meta {
            uid: pod.uid,
            labels: pod.shape.labels.clone(),
            annotations: pod.shape.annotations.clone(),
            created_ms: pod.created_ms,
            deleting: pod.deleting,
            owner: pod.shape.owner.clone(),
            finalizers: pod.finalizers.clone(),
            ..Meta::new(&pod.key.namespace, &pod.key.name)
        })
    }

    fn pod(&self, pod: &Pod) -> Value {
        let mut spec = pod.shape.spec.given.clone();
        let tolerations: Vec<Value> = pod.shape.spec.tolerations.iter().map(toleration_value).collect();
        if spec.is_null() {
            spec = json!({});
        }
        if !tolerations.is_empty() {
            spec["tolerations"] = json!(tolerations);
        }
        if let Some(target) = &pod.target {
            let field = json!({ "key": "metadata.name", "operator": "In", "values": [&**target] });
            let terms = json!({ "nodeSelectorTerms": [{ "matchFields": [field] }] });
            spec["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"] = terms;
        }
        if let Some(node) = &pod.node {
            spec["nodeName"] = json!(&**node);
        }
        let mut status = json!({ "phase": pod.status.phase.name(), "qosClass": qos(&pod.shape.spec) });
        if !pod.status.conditions.is_empty() {
            status["conditions"] = pod.status.conditions.iter().map(|c| self.condition(c, false)).collect();
        }
        let names = pod.shape.spec.containers.iter();
        if !pod.status.containers.is_empty() {
            let both = names.zip(&pod.status.containers);
            status["containerStatuses"] =
                both.map(|(spec, status)| self.container(&spec.name, &spec.image, status)).collect();
        }
        for (field, text) in
            [("reason", &pod.status.reason), ("message", &pod.status.message), ("podIP", &pod.status.ip)]
        {
            if !text.is_empty() {
                status[field] = json!(text);
            }
        }
        if let Some(start_ms) = pod.status.start_ms {
            status["startTime"] = json!(self.moment(start_ms));
        }
        json!({ "spec": spec, "status": status })
    }

    fn container(&self, name: &str, image: &str, status: &ContainerStatus) -> Value {
        let ended = |ended: &Ended| {
            let mut value = json!({ "exitCode": ended.code, "reason": ended.reason });
            if let Some(ended_ms) = ended.ended_ms {
                value["startedAt"] = json!(self.moment(ended.started_ms));
                value["finishedAt"] = json!(self.moment(ended_ms));
            }
            json!({ "terminated": value })
        };
        let state = match &status.state {
            ContainerState::Waiting { reason, message } if message.is_empty() => {
                json!({ "waiting": { "reason": reason } })
            }
            ContainerState::Waiting { reason, message } => {
                json!({ "waiting": { "reason": reason, "message": message } })
            }
            ContainerState::Running { since_ms } => {
                json!({ "running": { "startedAt": self.moment(*since_ms) } })
            }
            ContainerState::Ended(end) => ended(end),
        };
        json!({
            "name": name,
            "image": image,
            "ready": status.ready,
            "started": matches!(status.state, ContainerState::Running { .. }),
            "restartCount": status.restarts,
            "state": state,
            "lastState": status.last.as_ref().map_or_else(|| json!({}), ended),
        })
    }

    fn condition(&self, condition: &Condition, heard: bool) -> Value {
        let mut value = json!({
            "type": condition.kind,
            "status": condition.status.name(),
            "lastTransitionTime": self.moment(condition.since_ms),
        });
        if heard {
            value["lastHeartbeatTime"] = json!(self.moment(condition.heard_ms));
        }
        for (field, text) in [("reason", &*condition.reason), ("message", &condition.message)] {
            if !text.is_empty() {
                value[field] = json!(text);
            }
        }
        value
    }

    fn node(&self, node: &Node) -> Value {
        let mut spec = json!({});
        if node.unschedulable {
            spec["unschedulable"] = json!(true);
        }
        if !node.taints.is_empty() {
            spec["taints"] = node.taints.iter().map(|taint| self.taint(taint)).collect();
        }
        let mut status = json!({
            "capacity": texts(&node.capacity),
            "allocatable": texts(&node.allocatable),
            "conditions": node.conditions.iter().map(|c| self.condition(c, true)).collect::<Vec<_>>(),
        });
        for field in ["nodeInfo", "addresses"] {
            if let Some(info) = node.info.get(field).filter(|info| !info.is_null()) {
                status[field] = info.clone();
            }
        }
        json!({ "spec": spec, "status": status })
    }

    fn taint(&self, taint: &Taint) -> Value {
        let mut value = json!({ "key": taint.key, "effect": taint.effect.name() });
        if !taint.value.is_empty() {
            value["value"] = json!(taint.value);
        }
        if let Some(added_ms) = taint.added_ms {
            value["timeAdded"] = json!(self.moment(added_ms));
        }
        value
    }
}

fn owner_value(owner: &Owner) -> Value {
    let api_version = Kind::meant(&owner.kind).map_or("v1", Kind::api_version);
    json!([{
        "apiVersion": api_version,
        "kind": owner.kind,
        "name": owner.name,
        "uid": owner.uid.to_string(),
        "controller": true,
        "blockOwnerDeletion": true,
    }])
}

fn texts(amounts: &Amounts) -> Value {
    Value::Object(
        amounts.iter().map(|(name, amount)| (name.clone(), json!(amount.to_string()))).collect::<Map<_, _>>(),
    )
}

fn share(share: Share) -> Value {
    match share {
        Share::Count(count) => json!(count),
        Share::Percent(_) => json!(share.to_string()),
    }
}

fn daemonset(set: &DaemonSet) -> Value {
    let strategy = match set.strategy {
        Strategy::OnDelete => json!({ "type": "OnDelete" }),
        Strategy::RollingUpdate { max_unavailable, max_surge } => json!({
            "type": "RollingUpdate",
            "rollingUpdate": { "maxUnavailable": share(max_unavailable), "maxSurge": share(max_surge) },
        }),
    };
    let mut selector = json!({ "matchLabels": set.selector.labels });
    if !set.selector.expressions.is_empty() {
        let one = |wanted: &crate::selector::Requirement| json!({ "key": wanted.key, "operator": wanted.operator, "values": wanted.values });
        selector["matchExpressions"] = set.selector.expressions.iter().map(one).collect();
    }
    let mut spec = json!({
        "selector": selector,
        "template": set.template.given,
        "updateStrategy": strategy,
        "revisionHistoryLimit": set.revision_history_limit,
    });
    if set.min_ready_seconds > 0 {
        spec["minReadySeconds"] = json!(set.min_ready_seconds);
    }
    let s = &set.status;
    let mut status = json!({
        "currentNumberScheduled": s.current,
        "desiredNumberScheduled": s.desired,
        "numberMisscheduled": s.misscheduled,
        "numberReady": s.ready,
    });
    for (field, number) in [
        ("numberAvailable", s.available),
        ("numberUnavailable", s.unavailable),
        ("updatedNumberScheduled", s.updated),
    ] {
        if number > 0 {
            status[field] = json!(number);
        }
    }
    if s.observed_generation > 0 {
        status["observedGeneration"] = json!(s.observed_generation);
    }
    json!({ "spec": spec, "status": status })
}

fn revision_body(revision: &Revision) -> Value {
    let mut template = revision.template.given.clone();
    template["$patch"] = json!("replace");
    json!({ "data": { "spec": { "template": template } }, "revision": revision.number })
}

/// `status.qosClass`.
pub fn qos(spec: &PodSpec) -> &'static str {
    let counted = ["cpu", "memory"];
    let containers = || spec.containers.iter().chain(&spec.init_containers);
    let any = containers().any(|c| counted.iter().any(|name| c.requests.contains_key(*name)));
    let all = containers().all(|c| {
        counted.iter().all(|name| c.limits.get(*name).is_some_and(|l| Some(l) == c.requests.get(*name)))
    });
    if !any {
        "BestEffort"
    } else if all {
        "Guaranteed"
    } else {
        "Burstable"
    }
}

/// Year, month and day of a day since 1970 (Howard Hinnant's `civil_from_days`, for days that have come).
fn civil(days: u64) -> (u64, u64, u64) {
    let z = days + 719_468;
    let (era, of_era) = (z / 146_097, z % 146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (year_of_era + era * 400 + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_dates() {
        let writer = Writer { epoch_seconds: 1_764_547_200 };
        assert_eq!(writer.moment(0), "2025-12-01T00:00:00Z");
        assert_eq!(writer.moment(90_061_999), "2025-12-02T01:01:01Z");
        assert_eq!(Writer { epoch_seconds: 951_782_400 }.moment(0), "2000-02-29T00:00:00Z");
    }

    /// What nobody models is kept as it was given.
    #[test]
    fn what_was_given_comes_back() {
        let writer = Writer { epoch_seconds: 0 };
        let manifests = [
            json!({ "apiVersion": "apps/v1", "kind": "DaemonSet", "metadata": { "name": "a", "namespace": "gpu" },
                "spec": { "selector": { "matchLabels": { "app": "a" } }, "revisionHistoryLimit": 3,
                    "updateStrategy": { "type": "RollingUpdate", "rollingUpdate": { "maxUnavailable": "25%", "maxSurge": 0 } },
                    "template": { "metadata": { "labels": { "app": "a" } }, "spec": { "shareProcessNamespace": true,
                        "containers": [{ "name": "x", "image": "y", "livenessProbe": { "periodSeconds": 3 } }] } } } }),
            json!({ "apiVersion": "node.k8s.io/v1", "kind": "RuntimeClass", "metadata": { "name": "nvidia" },
                "handler": "nvidia", "overhead": { "podFixed": { "memory": "64Mi" } } }),
            json!({ "apiVersion": "v1", "kind": "Node", "metadata": { "name": "n" }, "spec": { "unschedulable": true,
                "taints": [{ "key": "a", "value": "b", "effect": "NoSchedule" }] } }),
        ];
        for manifest in manifests {
            let Some(Manifest::Object(object)) = read_manifest(&manifest, "default") else {
                panic!("{manifest}")
            };
            let back = writer.value(&object);
            for (field, wanted) in manifest["spec"].as_object().into_iter().flatten() {
                assert_eq!(&back["spec"][field], wanted, "{field}");
            }
            assert_eq!(back["handler"], manifest["handler"]);
            assert_eq!(back["metadata"]["name"], manifest["metadata"]["name"]);
        }
        assert_eq!(read_manifest(&json!({ "apiVersion": "v1", "kind": "DaemonSet" }), "default"), None);
    }
}
