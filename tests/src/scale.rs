//! A large rollout: every node but one takes the new template, a tenth of them at a time.

use fourgaps_cluster::Cluster;
use fourgaps_cluster::daemon::Watch;
use fourgaps_cluster::daemonset::{DaemonSet, Share, Strategy};
use fourgaps_cluster::kubelet::Behaviour;
use fourgaps_cluster::meta::{Key, Meta};
use fourgaps_cluster::node::Node;
use fourgaps_cluster::quantity::Quantity;
use fourgaps_cluster::selector::Selector;
use fourgaps_cluster::spec::Template;
use serde_json::json;
use std::sync::Arc;

/// The time a rollout gets, in milliseconds.
const LONG_MS: u64 = 3_600_000;

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
        cluster.create_node(node);
    }
    let broken = Behaviour { missing: true, ..Behaviour::default() };
    cluster.kubelets().script_on("node-7", "gpu:b", broken);
    let first = template("gpu:a");
    cluster.create_daemonset(DaemonSet {
        meta: Meta::new("gpu", "gpu-ds"),
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

/// Rolls the second template out and gives back how many facts that made.
///
/// # Panics
/// The rollout did not reach every healthy node.
pub fn roll_out(cluster: &mut Cluster) -> usize {
    let key = Key::new("gpu", "gpu-ds");
    let changed = cluster.edit_daemonset(&key, |set| set.template = Arc::new(template("gpu:b")));
    assert_eq!(changed, Ok(true));
    cluster.run_until(2 * LONG_MS);
    let status = cluster.store().daemonset(&key).expect("it was created above").status;
    let nodes = u32::try_from(cluster.store().nodes().len()).unwrap_or(u32::MAX);
    let ends = (status.desired, status.updated, status.available);
    assert_eq!(ends, (nodes, nodes, nodes - 1), "{status:?}");
    cluster.take_facts().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_healthy_node_is_reached() {
        assert!(roll_out(&mut steady(60)) > 500);
    }
}
