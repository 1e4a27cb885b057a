//! Nodes that fail, in the times and with the ends that a live cluster showed.

use fourgaps_cluster::Cluster;
use fourgaps_cluster::api::NewPod;
use fourgaps_cluster::daemon::Watch;
use fourgaps_cluster::daemonset::{DaemonSet, DaemonStatus};
use fourgaps_cluster::kubelet::Behaviour;
use fourgaps_cluster::lifecycle::Health;
use fourgaps_cluster::meta::{Key, Meta};
use fourgaps_cluster::node::{Node, Truth};
use fourgaps_cluster::object::{Id, Kind};
use fourgaps_cluster::pod::Shape;
use fourgaps_cluster::quantity::Quantity;
use fourgaps_cluster::selector::Selector;
use fourgaps_cluster::spec::{PodSpec, Template};
use serde_json::{Value, json};
use std::sync::Arc;

fn template(image: &str, more: &Value) -> Arc<Template> {
    let resources = json!({ "limits": { "nvidia.com/gpu": 1 } });
    let mut spec = json!({ "containers": [{ "name": "gpu", "image": image, "resources": resources }] });
    for (name, value) in more.as_object().into_iter().flatten() {
        spec[name] = value.clone();
    }
    Arc::new(Template::of(&json!({ "metadata": { "labels": { "app": "gpu" } }, "spec": spec })))
}

/// Three nodes with two GPUs, one of which a DaemonSet's pod uses.
fn cluster(more: &Value) -> (Cluster, Key) {
    let mut cluster = Cluster::new(3, Watch::AtOnce);
    for n in 1..=3 {
        let mut node = Node::new(&format!("node-{n}"));
        node.allocatable.insert("nvidia.com/gpu".into(), Quantity::whole(2));
        cluster.create_node(node);
    }
    let first = template("gpu:a", more);
    cluster.create_daemonset(DaemonSet {
        meta: Meta::new("gpu", "gpu-ds"),
        selector: Selector::of_labels(first.labels.clone()),
        template: first,
        revision_history_limit: 10,
        ..DaemonSet::default()
    });
    cluster.run_until(100_000);
    (cluster, Key::new("gpu", "gpu-ds"))
}

fn numbers(cluster: &Cluster, key: &Key) -> [u32; 5] {
    let DaemonStatus { desired, current, ready, updated, available, .. } =
        cluster.store().daemonset(key).unwrap().status;
    [desired, current, ready, updated, available]
}

fn ordinary_pod(cluster: &mut Cluster, node: &str) -> Key {
    let spec = PodSpec::of(&json!({ "nodeSelector": {}, "containers": [{ "name": "web", "image": "web:1" }],
        "nodeName": node }));
    let shape = Arc::new(Shape { spec, ..Shape::default() });
    let name = format!("web-on-{node}");
    cluster.create_pod(NewPod { namespace: "gpu".into(), name, shape, target: None }).unwrap()
}

#[test]
fn a_silent_kubelet() {
    let (mut cluster, key) = cluster(&json!({}));
    let web = ordinary_pod(&mut cluster, "node-2");
    cluster.run_until(110_000);
    cluster.set_health("node-2", Health::KubeletSilent);
    cluster.run_until(159_000);
    assert_eq!(numbers(&cluster, &key), [3, 3, 3, 3, 3]);
    cluster.run_until(160_000);
    assert_eq!(cluster.store().node("node-2").unwrap().ready(), Truth::Unknown);
    // The controller looks because the pod is not ready any more, and then the node does not fit any more either.
    assert_eq!(numbers(&cluster, &key), [2, 2, 2, 2, 2]);
    assert!(!cluster.store().pod(&web).unwrap().is_ready());
    cluster.run_until(460_000);
    assert!(cluster.store().pod(&web).unwrap().deleting.is_none());
    cluster.run_until(461_000);
    assert!(cluster.store().pod(&web).unwrap().deleting.is_some());
    // Nobody is there to stop it, until the kubelet is back.
    cluster.run_until(2_000_000);
    assert!(cluster.store().pod(&web).is_some());
    cluster.set_health("node-2", Health::Well);
    cluster.run_until(2_010_000);
    assert!(cluster.store().pod(&web).is_none());
    assert_eq!(numbers(&cluster, &key), [3, 3, 3, 3, 3]);
}

#[test]
fn a_runtime_that_is_down() {
    let (mut cluster, key) = cluster(&json!({}));
    cluster.set_health("node-3", Health::RuntimeDown);
    cluster.run_until(200_000);
    assert_eq!(cluster.store().node("node-3").unwrap().ready(), Truth::False);
    // The pods stay ready, and nobody wakes the DaemonSet.
    assert_eq!(numbers(&cluster, &key), [3, 3, 3, 3, 3]);
    assert!(cluster.store().pods().all(|pod| pod.is_ready()));
}

/// A dead node uses the budget up before the first healthy node is touched.
#[test]
fn one_dead_node_stops_a_rollout_that_tolerates_everything() {
    let (mut cluster, key) = cluster(&json!({ "tolerations": [{ "operator": "Exists" }] }));
    cluster.set_health("node-2", Health::KubeletSilent);
    cluster.run_until(200_000);
    cluster
        .edit_daemonset(&key, |set| {
            set.template = template("gpu:b", &json!({ "tolerations": [{ "operator": "Exists" }] }));
        })
        .unwrap();
    cluster.run_until(4_000_000);
    assert_eq!(numbers(&cluster, &key), [3, 3, 2, 0, 2]);
}

#[test]
fn an_image_that_is_missing_stalls_and_an_undo_heals() {
    let (mut cluster, key) = cluster(&json!({}));
    cluster.kubelets().script("gpu:b", Behaviour { missing: true, ..Behaviour::default() });
    cluster.edit_daemonset(&key, |set| set.template = template("gpu:b", &json!({}))).unwrap();
    cluster.run_until(1_000_000);
    assert_eq!(numbers(&cluster, &key), [3, 3, 2, 1, 2]);
    fourgaps_cluster::rollout::undo(&mut cluster, &key, 0).unwrap();
    cluster.run_until(1_100_000);
    assert_eq!(numbers(&cluster, &key), [3, 3, 3, 3, 3]);
}

#[test]
fn a_node_that_goes_takes_its_pods_with_it_later() {
    let (mut cluster, key) = cluster(&json!({}));
    cluster.remove(Id::new(Kind::Node, "", "node-1"));
    cluster.run_until(139_000);
    assert_eq!(cluster.store().pods().len(), 3);
    cluster.run_until(141_000);
    assert_eq!(cluster.store().pods().len(), 2);
    assert_eq!(numbers(&cluster, &key), [2, 2, 2, 2, 2]);
}

#[test]
fn what_a_daemonset_leaves_behind_is_collected() {
    for foreground in [true, false] {
        let (mut cluster, key) = cluster(&json!({}));
        cluster.delete_daemonset(&key, foreground).unwrap();
        cluster.run_until(200_000);
        assert_eq!((cluster.store().pods().len(), cluster.store().revisions().len()), (0, 0));
        assert!(cluster.store().daemonset(&key).is_none());
    }
}

/// As recorded for DaemonSet pods and for ordinary ones.
#[test]
fn the_sentence_of_a_pod_that_fits_nowhere() {
    let told = |asked: &str, more: &Value, daemon: bool| {
        let (mut cluster, key) = cluster(&json!({}));
        let resources = json!({ "limits": { "nvidia.com/gpu": asked } });
        let mut spec = json!({ "containers": [{ "name": "gpu", "image": "gpu:b", "resources": resources }] });
        for (name, value) in more.as_object().into_iter().flatten() {
            spec[name] = value.clone();
        }
        if daemon {
            let template = json!({ "metadata": { "labels": { "app": "gpu" } }, "spec": spec });
            cluster.edit_daemonset(&key, |set| set.template = Arc::new(Template::of(&template))).unwrap();
        } else {
            let shape = Arc::new(Shape { spec: PodSpec::of(&spec), ..Shape::default() });
            cluster
                .create_pod(NewPod { namespace: "gpu".into(), name: "p".into(), shape, target: None })
                .unwrap();
        }
        cluster.run_until(150_000);
        let events = cluster.store().events();
        events.iter().find(|event| event.note.reason == "FailedScheduling").unwrap().note.message.clone()
    };
    let helps = "no new claims to deallocate, preemption: 0/3 nodes are available:";
    assert_eq!(
        told("16", &json!({}), true),
        format!(
            "0/3 nodes are available: 1 Insufficient nvidia.com/gpu, 2 node(s) didn't satisfy plugin(s) \
             [NodeAffinity]. {helps} 3 Preemption is not helpful for scheduling."
        )
    );
    assert_eq!(
        told("16", &json!({}), false),
        format!(
            "0/3 nodes are available: 3 Insufficient nvidia.com/gpu. {helps} 3 Preemption is not helpful for scheduling."
        )
    );
    assert_eq!(
        told("2", &json!({}), false),
        format!(
            "0/3 nodes are available: 3 Insufficient nvidia.com/gpu. {helps} 3 No preemption victims found for incoming pod."
        )
    );
    assert_eq!(
        told("1", &json!({ "nodeSelector": { "a": "b" } }), false),
        format!(
            "0/3 nodes are available: 3 node(s) didn't match Pod's node affinity/selector. {helps} 3 Preemption is not \
             helpful for scheduling."
        )
    );
}

/// As recorded: of two pods with a budget of one, the second is evicted only when the first is replaced.
#[test]
fn an_eviction_asks_the_budget_and_a_delete_does_not() {
    let (mut cluster, _) = cluster(&json!({}));
    let body = json!({ "spec": { "minAvailable": 2, "selector": { "matchLabels": { "app": "gpu" } } } });
    let meta = Meta::new("gpu", "gpu-pdb");
    cluster.put_plain(Kind::PodDisruptionBudget, fourgaps_cluster::object::Plain { meta, body });
    let pods: Vec<Key> = cluster.store().pods().map(|pod| pod.key.clone()).collect();
    assert_eq!(cluster.evict(&pods[0], None), Ok(()));
    let refused = cluster.evict(&pods[1], None).unwrap_err();
    assert_eq!(refused.to_string(), "Cannot evict pod as it would violate the pod's disruption budget.");
    assert_eq!(cluster.delete_pod(&pods[1], None), Ok(()));
    cluster.run_until(200_000);
    assert_eq!(cluster.store().pods().filter(|pod| pod.is_ready()).count(), 3);
}
