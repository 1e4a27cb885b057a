//! A large rollout, to see how one goes: every node but one takes the new template, a tenth of them at a time.

use crate::cluster::Cluster;
use crate::daemon::Watch;
use crate::daemonset::{DaemonSet, Share, Strategy};
use crate::kubelet::Behaviour;
use crate::meta::{Key, Meta};
use crate::node::Node;
use crate::quantity::Quantity;
use crate::selector::Selector;
use crate::spec::Template;
use serde_json::json;
use std::sync::Arc;

/// The time after which the first rollout is done for sure, in milliseconds.
pub const LONG_MS: u64 = 3_600_000;

fn template(image: &str) -> Template {
    let limits = json!({ "nvidia.com/gpu": "1", "cpu": "500m", "memory": "1Gi" });
    let container = json!({ "name": "gpu", "image": image, "resources": { "limits": limits } });
    let labels = json!({ "app": "gpu-ds" });
    let toleration = json!({ "key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule" });
    let spec =
        json!({ "containers": [container], "nodeSelector": { "gpu": "yes" }, "tolerations": [toleration] });
    Template::of(&json!({ "metadata": { "labels": labels }, "spec": spec }))
}

/// A cluster of so many nodes that all run the first template. One node has no way to get the image of the next.
pub fn steady(nodes: u32) -> Cluster {
    let mut cluster = Cluster::new(7, Watch::AtOnce);
    for n in 0..nodes {
        let mut node = Node::new(&format!("node-{n}"));
        node.meta.labels.insert("gpu".into(), "yes".into());
        for (name, amount) in [("cpu", "64"), ("memory", "256Gi"), ("nvidia.com/gpu", "1"), ("pods", "110")] {
            node.allocatable.insert(name.into(), Quantity::read(amount).unwrap_or_default());
        }
        node.capacity = node.allocatable.clone();
        cluster.create_node(node);
    }
    let broken = Behaviour { missing: true, ..Behaviour::default() };
    cluster.kubelets().script_on("node-7", "gpu:b", broken);
    let first = template("gpu:a");
    cluster.create_daemonset(DaemonSet {
        meta: Meta::new(&key().namespace, &key().name),
        selector: Selector::of_labels(first.labels.clone()),
        template: Arc::new(first),
        strategy: Strategy::RollingUpdate { max_unavailable: Share::Percent(10), max_surge: Share::Count(0) },
        revision_history_limit: 10,
        ..DaemonSet::default()
    });
    cluster.run_until(LONG_MS);
    cluster.take_facts();
    cluster
}

/// The DaemonSet of [`steady`].
pub fn key() -> Key {
    Key::new("gpu", "gpu-ds")
}

/// Gives it the second template.
pub fn begin(cluster: &mut Cluster) {
    // It was created with the cluster, so it is there.
    let _ = cluster.edit_daemonset(&key(), |set| set.template = Arc::new(template("gpu:b")));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_healthy_node_is_reached() {
        let mut cluster = steady(60);
        begin(&mut cluster);
        cluster.run_until(2 * LONG_MS);
        let status = cluster.store().daemonset(&key()).unwrap().status;
        assert_eq!((status.desired, status.updated, status.available), (60, 60, 59));
        assert!(cluster.take_facts().len() > 500);
    }
}
