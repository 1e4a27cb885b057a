//! The Endpoints controller: the addresses of the pods behind a Service, the ready ones apart from the others.

use crate::cluster::Cluster;
use crate::meta::{Key, Labels, Meta};
use crate::object::{Kind, Plain};
use crate::pod::Pod;
use crate::read::{items, labels, number, part, text};
use crate::selector::Selector;
use crate::store::Store;
use fourgaps_base::sort_by;
use serde_json::{Value, json};
use std::sync::Arc;

/// The labels by which a Service finds its pods.
pub(super) fn selector(service: &Plain) -> Labels {
    labels(part(&service.body, "spec"), "selector")
}

/// Every `address:port` of an Endpoints object that is ready, in order.
pub fn addresses(endpoints: &Plain) -> Vec<String> {
    let of_subset = |subset: &Value| -> Vec<String> {
        let hosts: Vec<&str> = items(subset, "addresses").filter_map(|one| text(one, "ip")).collect();
        let ports: Vec<i64> = items(subset, "ports").filter_map(|one| number(one, "port")).collect();
        match ports.is_empty() {
            true => hosts.iter().map(ToString::to_string).collect(),
            false => {
                ports.iter().flat_map(|port| hosts.iter().map(move |host| format!("{host}:{port}"))).collect()
            }
        }
    };
    items(&endpoints.body, "subsets").flat_map(of_subset).collect()
}

/// What a Service's Endpoints hold now.
fn subsets(store: &Store, service: &Plain) -> Vec<Value> {
    let wanted = Selector::of_labels(selector(service));
    let behind = |pod: &&Arc<Pod>| {
        *pod.key.namespace == *service.meta.namespace
            && pod.deleting.is_none()
            && !pod.status.phase.is_terminal()
            && !pod.status.ip.is_empty()
            && wanted.matches(&pod.shape.labels)
    };
    let address = |pod: &Arc<Pod>| {
        json!({
            "ip": *pod.status.ip,
            "nodeName": pod.node.as_deref().unwrap_or_default(),
            "targetRef": {
                "kind": "Pod",
                "name": pod.key.name.as_ref(),
                "namespace": pod.key.namespace.as_ref(),
                "uid": pod.uid.to_string(),
            },
        })
    };
    let mut pods: Vec<&Arc<Pod>> = store.pods().filter(behind).collect();
    sort_by(&mut pods, |a, b| a.status.ip.cmp(&b.status.ip));
    let (ready, others): (Vec<&Arc<Pod>>, Vec<&Arc<Pod>>) = pods.into_iter().partition(|pod| pod.is_ready());
    if ready.is_empty() && others.is_empty() {
        return Vec::new();
    }
    let mut subset = json!({ "ports": ports(service) });
    for (field, pods) in [("addresses", ready), ("notReadyAddresses", others)] {
        if !pods.is_empty() {
            subset[field] = pods.into_iter().map(address).collect();
        }
    }
    vec![subset]
}

/// The ports of the pods: a target with a name is left out, since no container's ports are looked up here.
fn ports(service: &Plain) -> Vec<Value> {
    let of = |port: &Value| {
        let target = match part(port, "targetPort") {
            Value::Null => number(port, "port"),
            target => target.as_i64(),
        }?;
        let mut written = json!({ "port": target, "protocol": text(port, "protocol").unwrap_or("TCP") });
        if let Some(name) = text(port, "name") {
            written["name"] = name.into();
        }
        Some(written)
    };
    items(part(&service.body, "spec"), "ports").filter_map(of).collect()
}

impl Cluster {
    pub(super) fn sync_endpoints(&mut self, key: &Key) {
        let Some(service) = self.store().other(Kind::Service, key).cloned() else { return };
        // One without a selector has the Endpoints that somebody writes by hand.
        if selector(&service).is_empty() {
            return;
        }
        let body = json!({ "subsets": subsets(self.store(), &service) });
        let old = self.store().other(Kind::Endpoints, key);
        if old.is_none_or(|old| old.body != body) {
            let meta = Meta { labels: service.meta.labels.clone(), ..Meta::new(&key.namespace, &key.name) };
            self.put_plain(Kind::Endpoints, Plain { meta, body });
        }
    }
}
