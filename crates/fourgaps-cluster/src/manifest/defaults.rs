//! What the API server fills in where a manifest says nothing, and how it writes amounts.
//! Source: `pkg/apis/{core,apps}/v1/defaults.go` of Kubernetes 1.34; `get-ds-lab-yaml.txt`.

use crate::object::Kind;
use crate::quantity::Quantity;
use serde_json::{Map, Value, json};

/// Fills in the defaults of a kind.
pub fn fill(kind: Kind, object: &mut Value) {
    match kind {
        Kind::DaemonSet => {
            let spec = part(object, "spec");
            or(spec, "revisionHistoryLimit", json!(10));
            let strategy = part(spec, "updateStrategy");
            or(strategy, "type", json!("RollingUpdate"));
            if strategy["type"] == "RollingUpdate" {
                part(strategy, "rollingUpdate");
            }
            if let Some(rolling) = strategy.get_mut("rollingUpdate") {
                or(rolling, "maxUnavailable", json!(1));
                or(rolling, "maxSurge", json!(0));
            }
            let template = part(spec, "template");
            pod_spec(part(template, "spec"));
        }
        Kind::Deployment => {
            let spec = part(object, "spec");
            or(spec, "replicas", json!(1));
            or(spec, "revisionHistoryLimit", json!(10));
            or(spec, "progressDeadlineSeconds", json!(600));
            let strategy = part(spec, "strategy");
            or(strategy, "type", json!("RollingUpdate"));
            if strategy["type"] == "RollingUpdate" {
                let rolling = part(strategy, "rollingUpdate");
                or(rolling, "maxUnavailable", json!("25%"));
                or(rolling, "maxSurge", json!("25%"));
            }
            pod_spec(part(part(spec, "template"), "spec"));
        }
        Kind::Service => {
            let spec = part(object, "spec");
            or(spec, "type", json!("ClusterIP"));
            or(spec, "sessionAffinity", json!("None"));
            for port in spec.get_mut("ports").and_then(Value::as_array_mut).into_iter().flatten() {
                or(port, "protocol", json!("TCP"));
                let number = port["port"].clone();
                or(port, "targetPort", number);
            }
        }
        Kind::Pod => {
            let spec = part(object, "spec");
            limits_as_requests(spec);
            or(spec, "enableServiceLinks", json!(true));
            pod_spec(spec);
        }
        _ => {}
    }
}

/// The object in a field, made where there is none.
fn part<'v>(value: &'v mut Value, field: &str) -> &'v mut Value {
    if !value.is_object() {
        *value = Value::Object(Map::new());
    }
    let part = &mut value[field];
    if part.is_null() {
        *part = Value::Object(Map::new());
    }
    part
}

fn or(value: &mut Value, field: &str, default: Value) {
    if let Some(entries) = value.as_object_mut() {
        let entry = entries.entry(field).or_insert(Value::Null);
        if entry.is_null() {
            *entry = default;
        }
    }
}

fn pod_spec(spec: &mut Value) {
    or(spec, "dnsPolicy", json!("ClusterFirst"));
    or(spec, "restartPolicy", json!("Always"));
    or(spec, "schedulerName", json!("default-scheduler"));
    or(spec, "securityContext", json!({}));
    or(spec, "terminationGracePeriodSeconds", json!(30));
    if let Some(overhead) = spec.get_mut("overhead") {
        canonical(overhead);
    }
    for list in ["initContainers", "containers"] {
        for container in spec.get_mut(list).and_then(Value::as_array_mut).into_iter().flatten() {
            let image = container.get("image").and_then(Value::as_str).unwrap_or_default();
            let tag = image
                .rsplit('/')
                .next()
                .and_then(|name| name.split_once(':'))
                .map_or("latest", |(_, tag)| tag);
            let policy = if tag == "latest" { "Always" } else { "IfNotPresent" };
            or(container, "imagePullPolicy", json!(policy));
            or(container, "resources", json!({}));
            or(container, "terminationMessagePath", json!("/dev/termination-log"));
            or(container, "terminationMessagePolicy", json!("File"));
            for amounts in ["limits", "requests"] {
                if let Some(amounts) = container["resources"].get_mut(amounts) {
                    canonical(amounts);
                }
            }
            for port in container.get_mut("ports").and_then(Value::as_array_mut).into_iter().flatten() {
                or(port, "protocol", json!("TCP"));
            }
        }
    }
}

/// Amounts in the form of the API: texts, without fractions.
fn canonical(amounts: &mut Value) {
    for amount in amounts.as_object_mut().into_iter().flat_map(|entries| entries.values_mut()) {
        let text = amount.as_str().map_or_else(|| amount.to_string(), String::from);
        if let Some(quantity) = Quantity::read(&text) {
            *amount = quantity.to_string().into();
        }
    }
}

/// Of a pod, and not of a template, a limit without a request becomes one.
fn limits_as_requests(spec: &mut Value) {
    for container in spec.get_mut("containers").and_then(Value::as_array_mut).into_iter().flatten() {
        let Some(limits) = container["resources"].get("limits").and_then(Value::as_object).cloned() else {
            continue;
        };
        let requests = part(&mut container["resources"], "requests");
        for (name, limit) in limits {
            or(requests, &name, limit);
        }
    }
}
