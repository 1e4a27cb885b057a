//! The specification of a pod: what controllers, scheduler and admission read of it, beside the whole as it was given.

use crate::meta::Labels;
use crate::quantity::Quantity;
use crate::read;
use crate::selector::{Operator, Requirement, requirements};
use crate::taint::{Effect, Toleration};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Amounts by resource name.
pub type Amounts = BTreeMap<String, Quantity>;

/// One container of a pod.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Container {
    /// Its name.
    pub name: String,
    /// Its image.
    pub image: String,
    /// `resources.requests`; a limit without a request is one too.
    pub requests: Amounts,
    /// `resources.limits`.
    pub limits: Amounts,
    /// `hostPort` of every port that has one.
    pub host_ports: Vec<u16>,
}

/// One alternative of `nodeSelectorTerms`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeTerm {
    /// Demands on the labels of the node.
    pub labels: Vec<Requirement>,
    /// Demands on its fields; only `metadata.name` exists.
    pub fields: Vec<Requirement>,
}

/// What is read of `spec` of a pod.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PodSpec {
    /// `spec` as it was given.
    pub given: Value,
    /// `containers`.
    pub containers: Vec<Container>,
    /// `initContainers`.
    pub init_containers: Vec<Container>,
    /// `nodeName` of the manifest, which goes past the scheduler.
    pub node_name: Option<String>,
    /// `nodeSelector`.
    pub node_selector: Labels,
    /// Required node affinity; empty where none is demanded. One term must hold.
    pub node_terms: Vec<NodeTerm>,
    /// The one node that required affinity names, as pods of DaemonSets have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub aims_at: Option<Arc<str>>,
    /// `tolerations`.
    pub tolerations: Vec<Toleration>,
    /// `runtimeClassName`.
    pub runtime_class: Option<String>,
    /// `overhead`.
    pub overhead: Amounts,
    /// `hostNetwork`.
    pub host_network: bool,
    /// `terminationGracePeriodSeconds`.
    pub grace_seconds: u32,
}

/// The node of the first demand for a name, where it is one name (`GetTargetNodeName` of the DaemonSet controller).
fn aim(terms: &[NodeTerm]) -> Option<Arc<str>> {
    let mut fields = terms.iter().flat_map(|term| &term.fields);
    let named = fields.find(|field| field.key == "metadata.name" && field.operator == Operator::In)?;
    match named.values.as_slice() {
        [one] => Some(one.as_str().into()),
        _ => None,
    }
}

impl PodSpec {
    /// Reads `spec`.
    pub fn of(value: &Value) -> Self {
        let text = |field: &str| read::text(value, field).filter(|text| !text.is_empty()).map(String::from);
        let affinity = read::part(read::part(value, "affinity"), "nodeAffinity");
        let required = read::part(affinity, "requiredDuringSchedulingIgnoredDuringExecution");
        let term = |term: &Value| NodeTerm {
            labels: requirements(term, "matchExpressions"),
            fields: requirements(term, "matchFields"),
        };
        let node_terms: Vec<NodeTerm> = read::items(required, "nodeSelectorTerms").map(term).collect();
        Self {
            aims_at: aim(&node_terms),
            containers: read::items(value, "containers").map(Container::of).collect(),
            init_containers: read::items(value, "initContainers").map(Container::of).collect(),
            node_name: text("nodeName"),
            node_selector: read::labels(value, "nodeSelector"),
            node_terms,
            tolerations: read::items(value, "tolerations").map(toleration).collect(),
            runtime_class: text("runtimeClassName"),
            overhead: amounts(value, "overhead"),
            host_network: read::flag(value, "hostNetwork"),
            grace_seconds: read::number(value, "terminationGracePeriodSeconds")
                .and_then(|seconds| u32::try_from(seconds).ok())
                .unwrap_or(30),
            given: value.clone(),
        }
    }

    /// What the scheduler and a quota count: the sum over containers, or the largest init container, and the overhead.
    pub fn requests(&self) -> Cow<'_, Amounts> {
        // Most pods are one container.
        if let ([one], [], true) = (&*self.containers, &*self.init_containers, self.overhead.is_empty()) {
            return Cow::Borrowed(&one.requests);
        }
        let mut sum = Amounts::new();
        for (name, amount) in self.containers.iter().flat_map(|container| &container.requests) {
            let entry = sum.entry(name.clone()).or_default();
            *entry = entry.plus(*amount);
        }
        for (name, amount) in self.init_containers.iter().flat_map(|container| &container.requests) {
            let entry = sum.entry(name.clone()).or_default();
            *entry = (*entry).max(*amount);
        }
        for (name, amount) in &self.overhead {
            let entry = sum.entry(name.clone()).or_default();
            *entry = entry.plus(*amount);
        }
        Cow::Owned(sum)
    }

    /// The sum of the limits of the containers, or the largest of an init container, and the overhead where there is any.
    pub fn limits(&self) -> Amounts {
        let mut sum = Amounts::new();
        for (name, amount) in self.containers.iter().flat_map(|container| &container.limits) {
            let entry = sum.entry(name.clone()).or_default();
            *entry = entry.plus(*amount);
        }
        for (name, amount) in self.init_containers.iter().flat_map(|container| &container.limits) {
            let entry = sum.entry(name.clone()).or_default();
            *entry = (*entry).max(*amount);
        }
        for (name, amount) in &self.overhead {
            if let Some(entry) = sum.get_mut(name) {
                *entry = entry.plus(*amount);
            }
        }
        sum
    }

    /// The host ports of all containers.
    pub fn host_ports(&self) -> impl Iterator<Item = u16> {
        self.containers.iter().flat_map(|container| container.host_ports.iter().copied())
    }

    /// True where `nodeSelector` and required node affinity allow a node of this name with these labels.
    /// Asks nothing of `nodeName`, taints or resources.
    pub fn selects_node(&self, name: &str, labels: &Labels) -> bool {
        let selected = self.node_selector.iter().all(|(key, value)| labels.get(key) == Some(value));
        if !selected || self.node_terms.is_empty() {
            return selected;
        }
        let name = name.to_string();
        let holds = |term: &NodeTerm| {
            let some = !term.labels.is_empty() || !term.fields.is_empty();
            some && term.labels.iter().all(|wanted| wanted.matches(labels.get(&wanted.key)))
                && term
                    .fields
                    .iter()
                    .all(|wanted| wanted.key == "metadata.name" && wanted.matches(Some(&name)))
        };
        self.node_terms.iter().any(holds)
    }

    /// Adds tolerations, in the reading and in the whole; one that is there already is not added again.
    pub fn tolerate(&mut self, more: impl IntoIterator<Item = Toleration>) {
        for toleration in more {
            if self.tolerations.contains(&toleration) {
                continue;
            }
            if let Some(given) = self.given.as_object_mut() {
                let list = given.entry("tolerations").or_insert_with(|| Value::Array(Vec::new()));
                if let Some(list) = list.as_array_mut() {
                    list.push(toleration_value(&toleration));
                }
            }
            self.tolerations.push(toleration);
        }
    }
}

impl Container {
    fn of(value: &Value) -> Self {
        let resources = read::part(value, "resources");
        let limits = amounts(resources, "limits");
        let mut requests = limits.clone();
        requests.extend(amounts(resources, "requests"));
        let port =
            |port: &Value| u16::try_from(read::number(port, "hostPort")?).ok().filter(|port| *port > 0);
        Self {
            name: read::text(value, "name").unwrap_or_default().into(),
            image: read::text(value, "image").unwrap_or_default().into(),
            requests,
            limits,
            host_ports: read::items(value, "ports").filter_map(port).collect(),
        }
    }
}

/// The amounts in a map of a JSON object. A number counts like its text.
pub fn amounts(value: &Value, field: &str) -> Amounts {
    let amount = |value: &Value| match value {
        Value::String(text) => Quantity::read(text),
        Value::Number(number) => Quantity::read(&number.to_string()),
        _ => None,
    };
    read::entries(value, field).filter_map(|(name, value)| Some((name.clone(), amount(value)?))).collect()
}

fn toleration(value: &Value) -> Toleration {
    let exists = read::text(value, "operator") == Some("Exists");
    let seconds = read::number(value, "tolerationSeconds");
    Toleration {
        key: read::text(value, "key").unwrap_or_default().into(),
        value: (!exists).then(|| read::text(value, "value").unwrap_or_default().into()),
        effect: read::text(value, "effect").and_then(Effect::read),
        seconds: seconds.map(|seconds| u64::try_from(seconds).unwrap_or(0)),
    }
}

/// A toleration as the API writes it.
pub fn toleration_value(toleration: &Toleration) -> Value {
    let mut value = json!({});
    if !toleration.key.is_empty() {
        value["key"] = json!(toleration.key);
    }
    match &toleration.value {
        None => value["operator"] = json!("Exists"),
        Some(text) => {
            value["operator"] = json!("Equal");
            value["value"] = json!(text);
        }
    }
    if let Some(effect) = toleration.effect {
        value["effect"] = json!(effect.name());
    }
    if let Some(seconds) = toleration.seconds {
        value["tolerationSeconds"] = json!(seconds);
    }
    value
}

/// `template` of a workload: what its pods look like.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Template {
    /// Labels of the pods.
    pub labels: Labels,
    /// Annotations of the pods.
    pub annotations: Labels,
    /// Their specification.
    pub spec: PodSpec,
    /// `template` as it was given.
    pub given: Value,
}

impl Template {
    /// Reads `template`.
    pub fn of(value: &Value) -> Self {
        let meta = read::part(value, "metadata");
        Self {
            labels: read::labels(meta, "labels"),
            annotations: read::labels(meta, "annotations"),
            spec: PodSpec::of(read::part(value, "spec")),
            given: value.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_a_request_where_none_is_given() {
        let spec = PodSpec::of(&json!({ "containers": [
            { "name": "a", "image": "x", "resources": { "limits": { "nvidia.com/gpu": 1, "cpu": "2" }, "requests": { "cpu": "500m" } } },
            { "name": "b", "image": "y", "resources": { "requests": { "cpu": "1" } } },
        ], "overhead": { "cpu": "100m" } }));
        let sum: Vec<String> =
            spec.requests().iter().map(|(name, amount)| format!("{name}={amount}")).collect();
        assert_eq!(sum, ["cpu=1600m", "nvidia.com/gpu=1"]);
    }

    #[test]
    fn node_terms_are_alternatives_of_all_their_parts() {
        let terms = json!([
            { "matchExpressions": [{ "key": "gpu", "operator": "Exists" }, { "key": "zone", "operator": "NotIn", "values": ["b"] }] },
            { "matchFields": [{ "key": "metadata.name", "operator": "In", "values": ["node-9"] }] },
            {},
        ]);
        let required = json!({ "nodeSelectorTerms": terms });
        let spec = PodSpec::of(&json!({ "affinity": { "nodeAffinity": {
            "requiredDuringSchedulingIgnoredDuringExecution": required } } }));
        let labels = |pairs: &[(&str, &str)]| {
            pairs.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect::<Labels>()
        };
        assert!(spec.selects_node("node-1", &labels(&[("gpu", "yes")])));
        assert!(!spec.selects_node("node-1", &labels(&[("gpu", "yes"), ("zone", "b")])));
        assert!(!spec.selects_node("node-1", &labels(&[])));
        assert!(spec.selects_node("node-9", &labels(&[])));
    }
}
