//! Further cases of Kubernetes' own tests (`pkg/controller/daemon`, `test/integration/daemonset`), named by what they hold; the
//! letters in the comments are those of the table in `kubernetes.md` of the facts.

mod common;

use common::{Stage, rolling, template};
use fourgaps_cluster::daemon::{Budget, Watch, budget, fit};
use fourgaps_cluster::daemonset::{DaemonSet, Revision, Strategy};
use fourgaps_cluster::meta::{Key, Labels, Meta};
use fourgaps_cluster::node::{Node, Truth};
use fourgaps_cluster::object::{Id, Kind, Object};
use fourgaps_cluster::pod::{Phase, Pod};
use fourgaps_cluster::quantity::Quantity;
use fourgaps_cluster::selector::Selector;
use fourgaps_cluster::spec::PodSpec;
use fourgaps_cluster::taint::Taint;
use fourgaps_cluster::{Change, Cluster};
use serde_json::json;
use std::sync::Arc;

/// The revision is known, but no pod is there yet.
fn prepared(nodes: usize, strategy: Strategy, more: &serde_json::Value) -> Stage {
    let mut stage = Stage::with(0, strategy, more);
    stage.check(&[(0, 0)]);
    for n in 0..nodes {
        stage.cluster.create_node(Node::new(&format!("node-{n}")));
    }
    stage
}

fn names(stage: &Stage) -> Vec<String> {
    stage.cluster.store().pods().map(|pod| pod.key.name.to_string()).collect()
}

/// U7: of a hundred nodes two old pods and most of the new ones are broken; only those two are replaced.
#[test]
fn exactly_the_broken_old_pods_are_replaced() {
    let mut stage = Stage::new(100, rolling("10", "0"));
    stage.check(&[(100, 0)]);
    stage.all_ready();
    stage.update(&json!({}));
    stage.check(&[(0, 10)]);
    let hash = stage.hash();
    let old: Vec<Arc<Pod>> =
        stage.cluster.store().pods().filter(|pod| pod.hash() != hash).take(12).cloned().collect();
    // Twelve old pods stay, two of them broken; all others are new and broken.
    for node in 0..100 {
        let place = format!("node-{node}");
        if old.iter().any(|pod| pod.place() == Some(&place)) {
            continue;
        }
        let gone: Vec<Key> = stage
            .cluster
            .store()
            .pods()
            .filter(|pod| pod.place() == Some(&place))
            .map(|pod| pod.key.clone())
            .collect();
        gone.iter().for_each(|key| stage.cluster.remove_pod(key));
        stage.place(&place, &format!("new-{node}"), &hash, 1);
    }
    let broken = [old[3].uid, old[8].uid];
    stage.say(
        |pod| broken.contains(&pod.uid),
        |status, now_ms| {
            status.set_condition("Ready", Truth::False, now_ms);
        },
    );
    stage.check(&[(0, 2), (2, 0), (0, 0)]);
    for pod in old {
        assert_eq!(stage.cluster.store().pod_with(pod.uid).is_none(), broken.contains(&pod.uid));
    }
}

/// U9: a surge over pods that are not ready, to its end.
#[test]
fn a_surge_goes_on_as_its_pods_become_available() {
    let mut stage = Stage::new(5, rolling("0", "3"));
    stage.cluster.set_clock(100_000);
    stage.check(&[(5, 0)]);
    stage.update(&json!({}));
    stage.cluster.set_clock(200_000);
    stage.check(&[(5, 0), (0, 5)]);
    stage.all_ready();
    stage.edit(|set| set.min_ready_seconds = 15);
    stage.update(&json!({}));
    stage.cluster.set_clock(300_000);
    stage.check(&[(3, 0)]);
    let hash = stage.hash();
    let new: Vec<String> = stage
        .cluster
        .store()
        .pods()
        .filter(|pod| pod.hash() == hash)
        .filter_map(|pod| pod.place().map(String::from))
        .collect();
    let at = |pod: &Pod, places: &[String]| places.iter().any(|place| pod.place() == Some(place));
    stage.ready(|pod| pod.hash() == hash && at(pod, &new[..2]));
    let alone = (0..5).map(|n| format!("node-{n}")).find(|place| !new.contains(place)).unwrap();
    stage.say(
        |pod| pod.hash() != hash && pod.place() == Some(&alone),
        |status, now_ms| status.set_condition("Ready", Truth::False, now_ms),
    );
    stage.cluster.set_clock(310_000);
    stage.check(&[(1, 0)]);
    stage.cluster.set_clock(320_000);
    stage.check(&[(1, 3)]);
    stage.ready(|pod| pod.hash() == hash && !pod.is_ready());
    stage.cluster.set_clock(340_000);
    stage.check(&[(0, 2)]);
    stage.cluster.set_clock(350_000);
    stage.check(&[(0, 0)]);
}

/// U11 to U18: what the budget is, and how many nodes have no pod that counts.
#[test]
fn numbers_of_the_budget() {
    // Strategy, nodes, nodes with a pod, of these on their way out; then surge, unavailable, desired, empty.
    let cases = [
        (("0", "0"), 0, 0, 0, (0, 0, 0, 0)),
        (("1", "0"), 2, 2, 0, (0, 1, 2, 0)),
        (("0", "0"), 2, 1, 0, (0, 1, 2, 1)),
        (("50%", "0"), 2, 2, 0, (0, 1, 2, 0)),
        (("0", "50%"), 2, 2, 0, (1, 0, 2, 0)),
        (("0", "100%"), 2, 2, 0, (2, 0, 2, 0)),
        (("50%", "0"), 3, 2, 1, (0, 2, 3, 1)),
    ];
    for ((unavailable, surge), nodes, with_pod, going, (max_surge, max_unavailable, desired, empty)) in cases
    {
        let mut stage = prepared(nodes, rolling(unavailable, surge), &json!({}));
        let hash = stage.hash();
        for n in 0..with_pod {
            stage.place(&format!("node-{n}"), &format!("pod-{n}"), &hash, 1);
        }
        stage.all_ready();
        for n in 0..going {
            stage.cluster.delete_pod(&Key::new("gpu", &format!("pod-{n}")), None).unwrap();
        }
        let set = stage.set().clone();
        let runs = stage.cluster.store().nodes().filter(|node| fit::fit(&set, node).run);
        let pods = |node: &Node| stage.cluster.store().pods_at(set.meta.uid, &node.meta.name).len();
        let (mut counted, mut without) = (0, 0);
        for node in runs {
            counted += 1;
            without += u32::from(pods(node) == 0);
        }
        let wanted = Budget { desired, max_unavailable, max_surge };
        assert_eq!(budget(set.strategy, counted), Some(wanted), "{unavailable} {surge}");
        assert_eq!(without, empty, "{unavailable} {surge}");
    }
}

/// C6: a pod of the DaemonSet's own that has the port already.
#[test]
fn a_pod_that_is_there_keeps_its_port() {
    let port = json!({ "containers": [{ "name": "main", "image": "app", "ports": [{ "hostPort": 666 }] }] });
    let mut stage = prepared(1, rolling("1", "0"), &port);
    let hash = stage.hash();
    stage.place("node-0", "pod", &hash, 1);
    stage.check(&[(0, 0)]);
}

/// C10: pods on nodes that are not selected go.
#[test]
fn unselected_pods_are_deleted() {
    let mut stage = prepared(10, rolling("1", "0"), &json!({ "nodeSelector": { "color": "blue" } }));
    for n in 5..10 {
        stage.label(&format!("node-{n}"), "color", "blue");
    }
    let hash = stage.hash();
    for (node, count) in [("node-1", 3), ("node-4", 1)] {
        for n in 0..count {
            stage.place(node, &format!("{node}-{n}"), &hash, n);
        }
    }
    // Pods of others stay where they are.
    let other = Labels::from([("app".to_string(), "other".to_string())]);
    stage.place_foreign("node-0", "foreign-0", other.clone(), PodSpec::default());
    stage.place_foreign("node-5", "foreign-5", other, PodSpec::default());
    stage.check(&[(5, 4)]);
    assert!(names(&stage).iter().filter(|name| name.starts_with("foreign")).count() == 2);
}

/// C12: a selector, or a name, that no node has; and both, where they speak of different nodes.
#[test]
fn names_and_selectors_of_nodes() {
    let cases = [
        (json!({ "nodeSelector": { "color": "red" } }), 0),
        (json!({ "nodeName": "node-0" }), 1),
        (json!({ "nodeName": "node-10" }), 0),
        (json!({ "nodeName": "node-6", "nodeSelector": { "color": "blue" } }), 1),
        (json!({ "nodeName": "node-0", "nodeSelector": { "color": "blue" } }), 0),
    ];
    for (more, wanted) in cases {
        let mut stage = prepared(7, rolling("1", "0"), &more);
        for n in 4..7 {
            stage.label(&format!("node-{n}"), "color", "blue");
        }
        stage.check(&[(wanted, 0)]);
    }
}

/// C15 to C18: every failed pod that is deleted is told of.
#[test]
fn failed_pods_are_told_of() {
    for (failed, normal, wanted) in [(0_u64, 1, 0), (0, 0, 0), (1, 0, 1), (1, 3, 1)] {
        let mut stage = prepared(1, rolling("1", "0"), &json!({}));
        let hash = stage.hash();
        for n in 0..failed + normal {
            stage.place("node-0", &format!("pod-{n}"), &hash, n);
        }
        stage.phase(Phase::Failed, |pod| pod.created_ms < failed * 1000);
        stage.sync();
        let told = |reason: &str| {
            stage.cluster.store().events().iter().filter(|event| &*event.note.reason == reason).count()
        };
        assert_eq!(told("FailedDaemonPod"), wanted, "{failed} {normal}");
    }
}

/// The same for pods that ended well: Normal, and with other words.
#[test]
fn succeeded_pods_are_replaced() {
    let mut stage = prepared(1, rolling("1", "0"), &json!({}));
    let hash = stage.hash();
    stage.place("node-0", "pod-0", &hash, 0);
    stage.phase(Phase::Succeeded, |_| true);
    stage.check(&[(0, 1), (1, 0)]);
    let events = stage.cluster.store().events();
    let told = events.iter().find(|event| &*event.note.reason == "SucceededDaemonPod").unwrap();
    assert_eq!(
        told.note.message,
        "Found succeeded daemon pod gpu/pod-0 on node node-0, will try to delete it"
    );
}

/// C26: requests, ports of the host and the mark of a cordon are not asked.
#[test]
fn what_a_node_is_not_asked_for() {
    let mut node = Node::new("node-0");
    node.allocatable = [("memory", "100M"), ("cpu", "1")]
        .map(|(name, amount)| (name.to_string(), Quantity::read(amount).unwrap()))
        .into();
    node.unschedulable = true;
    node.taints = vec![Taint::read("node.kubernetes.io/unschedulable:NoSchedule").unwrap()];
    let container = |more: serde_json::Value| {
        let mut container = json!({ "name": "main", "image": "app" });
        for (name, value) in more.as_object().into_iter().flatten() {
            container[name] = value.clone();
        }
        json!({ "containers": [container] })
    };
    for more in [
        container(json!({ "resources": { "requests": { "memory": "200M" } } })),
        container(json!({ "resources": { "requests": { "cpu": "0.5" } } })),
        container(json!({ "ports": [{ "hostPort": 666 }] })),
    ] {
        let set = DaemonSet { template: Arc::new(template(1, &more)), ..DaemonSet::default() };
        assert_eq!(fit::fit(&set, &node), fit::Fit { run: true, keep: true }, "{more}");
    }
}

/// C27 and C41: which changes of a node wake the controller.
#[test]
fn changes_of_a_node_that_wake() {
    type Edit = fn(&mut Node);
    let selector = json!({ "nodeSelector": { "color": "blue" } });
    // The DaemonSet, the node before, the change, and whether it wakes.
    let cases: [(&serde_json::Value, Edit, Edit, bool); 5] = [
        (&selector, |_| {}, |_| {}, false),
        (
            &selector,
            |node| drop(node.meta.labels.insert("color".into(), "red".into())),
            |node| drop(node.meta.labels.insert("color".into(), "blue".into())),
            true,
        ),
        (
            &serde_json::Value::Null,
            |node| node.taints = vec![Taint::read("a:NoSchedule").unwrap()],
            |node| node.taints.clear(),
            true,
        ),
        (
            &serde_json::Value::Null,
            |_| {},
            |node| {
                node.allocatable.insert("memory".into(), Quantity::whole(1));
            },
            false,
        ),
        (&serde_json::Value::Null, |_| {}, |node| node.unschedulable = true, false),
    ];
    for (at, (more, before, change, wakes)) in cases.into_iter().enumerate() {
        let mut stage = Stage::with(0, rolling("1", "0"), more);
        let mut node = Node::new("node-0");
        before(&mut node);
        stage.cluster.create_node(node);
        stage.cluster.settle_daemonsets();
        let _ = stage.cluster.edit_node("node-0", change);
        assert_eq!(stage.cluster.daemonsets_wait(), wakes, "case {at}");
    }
}

/// The last case of C27: a node on which a pod was out of place is good again.
#[test]
fn a_node_whose_pod_is_in_its_place_again_wakes() {
    let mut stage = Stage::new(1, rolling("1", "0"));
    stage.check(&[(1, 0)]);
    let uid = stage.cluster.store().pods().next().unwrap().uid;
    stage.cluster.commit(Change::PodBound { uid, node: "node-0".into() });
    stage.taint("node-0", "a:NoSchedule");
    stage.sync();
    stage.cluster.settle_daemonsets();
    assert_eq!(stage.status().misscheduled, 1);
    stage.cluster.edit_node("node-0", |node| node.taints.clear()).unwrap();
    assert!(stage.cluster.daemonsets_wait());
}

/// C28: a pod of nobody's that goes wakes nobody, and one that matches a selector does.
#[test]
fn a_foreign_pod_that_goes_wakes_nobody() {
    let mut stage = Stage::new(1, rolling("1", "0"));
    let other = Labels::from([("app".to_string(), "other".to_string())]);
    stage.place_foreign("node-0", "foreign", other, PodSpec::default());
    stage.cluster.settle_daemonsets();
    stage.cluster.remove_pod(&Key::new("gpu", "foreign"));
    assert!(!stage.cluster.daemonsets_wait());
}

/// C30: pods that are on their way out and have ended are no pods of a node, but their revision is kept; a pod of another
/// controller is not adopted, and neither is one of another namespace.
#[test]
fn pods_that_count() {
    let mut stage = prepared(1, rolling("1", "0"), &json!({}));
    stage.edit(|set| set.revision_history_limit = 0);
    let first = stage.hash();
    stage.place("node-0", "spent", &first, 0);
    stage.phase(Phase::Succeeded, |_| true);
    let spent = stage.cluster.store().pod(&Key::new("gpu", "spent")).unwrap().clone();
    let held = Pod { finalizers: vec!["somebody/waits".into()], ..(*spent).clone() };
    stage.cluster.commit(Change::Put(Object::Pod(Arc::new(held))));
    stage.cluster.delete_pod(&Key::new("gpu", "spent"), None).unwrap();
    stage.update(&json!({}));
    stage.check(&[(1, 0)]);
    let revisions = |stage: &Stage| stage.cluster.store().revisions_of(stage.set().meta.uid).len();
    assert_eq!(revisions(&stage), 2, "the one of the spent pod stays");
    stage.cluster.remove_pod(&Key::new("gpu", "spent"));
    stage.sync();
    assert_eq!(revisions(&stage), 1);
    let mine = Labels::from([("app".to_string(), "ds".to_string())]);
    stage.place_foreign("node-0", "orphan", mine, PodSpec::default());
    let orphan = stage.cluster.store().pod(&Key::new("gpu", "orphan")).unwrap().clone();
    stage.cluster.remove_pod(&orphan.key);
    let elsewhere = Pod { key: Key::new("other", "orphan"), ..(*orphan).clone() };
    stage.cluster.commit(Change::Put(Object::Pod(Arc::new(elsewhere))));
    stage.check(&[(0, 0)]);
    let uid = stage.set().meta.uid;
    assert!(!stage.cluster.store().pod(&Key::new("other", "orphan")).unwrap().is_owned_by(uid));
}

/// C32 to C36: which of the pods goes.
#[test]
fn a_surge_deletes_the_right_old_pods() {
    // Seconds of minReadySeconds, the old ones ready, the new one ready for so long; then what is left on the node.
    let cases: [(u32, bool, Option<u64>, &[&str]); 4] = [
        (0, true, None, &["new", "old-50"]),
        (0, false, None, &["new"]),
        (15, true, Some(10), &["new", "old-50"]),
        (15, true, Some(20), &["new"]),
    ];
    for (min_ready_seconds, old_ready, ready_for, wanted) in cases {
        let mut stage = prepared(1, rolling("0", "1"), &json!({}));
        stage.edit(|set| set.min_ready_seconds = min_ready_seconds);
        let hash = stage.hash();
        stage.place("node-0", "new", &hash, 100);
        stage.place("node-0", "old-50", "old", 50);
        stage.place("node-0", "old-60", "old", 60);
        if old_ready {
            stage.ready(|pod| pod.hash() == "old");
        }
        if let Some(seconds) = ready_for {
            stage.cluster.set_clock(1_000_000);
            stage.ready(|pod| &*pod.key.name == "new");
            stage.cluster.set_clock(1_000_000 + seconds * 1000);
        }
        stage.sync();
        // A bound pod is on its way out until its kubelet has stopped it.
        let left = |pod: &&Arc<Pod>| pod.deleting.is_none();
        let left: Vec<String> =
            stage.cluster.store().pods().filter(left).map(|pod| pod.key.name.to_string()).collect();
        assert_eq!(left, wanted, "{min_ready_seconds} {old_ready} {ready_for:?}");
    }
}

/// C33: nodes whose only pod is on its way out get a new one, however many surge already.
#[test]
fn a_surge_replaces_terminating_pods_beyond_its_limit() {
    let mut stage = prepared(5, rolling("0", "1"), &json!({}));
    let hash = stage.hash();
    for n in 0..5 {
        stage.place(&format!("node-{n}"), &format!("old-{n}"), "old", 10);
    }
    stage.place("node-0", "new-0", &hash, 20);
    stage.ready(|pod| pod.hash() == "old");
    stage.cluster.delete_pod(&Key::new("gpu", "old-4"), None).unwrap();
    let report = stage.report();
    let places: Vec<&str> = report.actions.iter().map(|action| &*action.node).collect();
    assert_eq!(places, ["node-4"]);
}

/// U19 and U20: a revision that nobody controls and that matches is taken in, one of another namespace is not.
#[test]
fn revisions_of_nobody_are_adopted() {
    for (namespace, adopted) in [("gpu", true), ("other", false)] {
        let mut stage = Stage::new(1, rolling("1", "0"));
        stage.check(&[(1, 0)]);
        let first = stage.cluster.store().revisions().next().unwrap().clone();
        let mut meta = Meta::new(namespace, "ds-orphan");
        (meta.labels, meta.uid) = (first.meta.labels.clone(), stage.cluster.store().next_uid());
        let orphan = Revision { meta, number: 7, template: Arc::new(template(70, &json!({}))) };
        stage.cluster.commit(Change::Put(Object::Revision(Arc::new(orphan))));
        stage.sync();
        let revisions = stage.cluster.store().revisions_of(stage.set().meta.uid);
        assert_eq!(revisions.len(), if adopted { 2 } else { 1 }, "{namespace}");
        // The template that is in force has the highest number all the same.
        assert_eq!(revisions.last().unwrap().number, if adopted { 8 } else { 1 });
    }
}

/// A name that another template has already: the next try hashes differently, and the rollout goes on
/// (`TestDaemonSetRollingUpdateWithHashCollision`).
#[test]
fn a_collision_of_hashes_is_counted_and_avoided() {
    let next_name = {
        let mut stage = Stage::new(3, rolling("1", "0"));
        stage.check(&[(3, 0)]);
        stage.update(&json!({}));
        stage.sync();
        let revisions = stage.cluster.store().revisions_of(stage.set().meta.uid);
        revisions.last().unwrap().meta.name.clone()
    };
    let mut stage = Stage::new(3, rolling("1", "0"));
    stage.check(&[(3, 0)]);
    stage.all_ready();
    let meta = Meta { uid: stage.cluster.store().next_uid(), ..Meta::new("gpu", &next_name) };
    let other = Revision { meta, number: 1, template: Arc::new(template(99, &json!({}))) };
    stage.cluster.commit(Change::Put(Object::Revision(Arc::new(other))));
    stage.update(&json!({}));
    let failed = stage.cluster.sync_daemonset().unwrap();
    assert!(failed.error.is_some() && failed.actions.is_empty(), "{failed:?}");
    assert_eq!(stage.status().collisions, 1);
    for _ in 0..3 {
        stage.check(&[(0, 1), (1, 0)]);
        stage.all_ready();
    }
    assert_eq!(stage.status().collisions, 1);
    assert_ne!(stage.hash(), next_name);
}

fn live_cluster(nodes: &[(&str, &str)], more: &serde_json::Value, strategy: Strategy) -> (Cluster, Key) {
    let mut cluster = Cluster::new(4, Watch::AtOnce);
    for (name, memory) in nodes {
        let mut node = Node::new(name);
        node.allocatable.insert("memory".into(), Quantity::read(memory).unwrap());
        cluster.create_node(node);
    }
    let first = template(1, more);
    cluster.create_daemonset(DaemonSet {
        meta: Meta::new("gpu", "ds"),
        selector: Selector::of_labels(first.labels.clone()),
        template: Arc::new(first),
        strategy,
        revision_history_limit: 10,
        ..DaemonSet::default()
    });
    (cluster, Key::new("gpu", "ds"))
}

/// A pod that is larger than its node waits there, and says so, until a node is large enough
/// (`TestInsufficientCapacityNodeDaemonSetCreateButNotLaunchPod`).
#[test]
fn a_pod_that_is_too_large_stays_pending() {
    let large = json!({ "containers": [{ "name": "main", "image": "app",
        "resources": { "requests": { "memory": "120M" } } }] });
    let nodes = [("small", "100M"), ("large", "200M")];
    let (mut cluster, _) = live_cluster(&nodes, &large, rolling("1", "0"));
    cluster.run_until(60_000);
    let pods: Vec<Arc<Pod>> = cluster.store().pods().cloned().collect();
    let of = |node: &str| pods.iter().find(|pod| pod.place() == Some(node)).unwrap();
    assert_eq!(of("large").status.phase, Phase::Running);
    let waiting = of("small");
    assert_eq!((waiting.status.phase, waiting.node.is_none()), (Phase::Pending, true));
    let scheduled = waiting.status.condition("PodScheduled").unwrap();
    assert_eq!((scheduled.status, scheduled.why.reason()), (Truth::False, "Unschedulable"));
}

/// Pods that ended are replaced, also where somebody holds their objects
/// (`TestDaemonSetWithSimpleDaemonSetLaunchesPods… finalizer`).
#[test]
fn pods_that_ended_are_replaced_while_a_finalizer_holds_them() {
    for phase in [Phase::Succeeded, Phase::Failed] {
        let mut stage = prepared(1, rolling("1", "0"), &json!({}));
        let hash = stage.hash();
        stage.place("node-0", "held", &hash, 0);
        let pod = stage.cluster.store().pod(&Key::new("gpu", "held")).unwrap().clone();
        let held = Pod { finalizers: vec!["somebody/waits".into()], ..(*pod).clone() };
        stage.cluster.commit(Change::Put(Object::Pod(Arc::new(held))));
        stage.phase(phase, |_| true);
        stage.check(&[(0, 1), (1, 0), (0, 0)]);
        assert_eq!(stage.cluster.store().pods().len(), 2, "{phase:?}");
    }
}

/// A surge over six nodes with three kinds of taints, whose template tolerates other ones each time
/// (`TestDaemonSetRollingUpdateWithTolerations`).
#[test]
fn tolerations_that_change_in_the_middle_of_a_surge() {
    let tolerating = |zones: &[&str]| {
        let one = |zone: &&str| json!({ "key": "zone", "operator": "Equal", "value": zone });
        json!({ "tolerations": zones.iter().map(one).collect::<Vec<_>>() })
    };
    let mut stage = prepared(6, rolling("0", "1"), &tolerating(&["y", "common"]));
    for (n, zone) in ["y", "y", "z", "z", "common", "common"].into_iter().enumerate() {
        stage.taint(&format!("node-{n}"), &format!("zone={zone}:NoSchedule"));
    }
    let settle = |stage: &mut Stage| while stage.sync() != (0, 0) {};
    let live = |stage: &Stage| stage.cluster.store().pods().filter(|pod| pod.deleting.is_none()).count();
    settle(&mut stage);
    stage.all_ready();
    settle(&mut stage);
    assert_eq!((live(&stage), stage.status().desired), (4, 4));
    stage.update(&tolerating(&["z", "common"]));
    settle(&mut stage);
    assert_eq!((live(&stage), stage.status().desired), (7, 4));
    stage.update(&tolerating(&["y", "z", "common"]));
    settle(&mut stage);
    assert_eq!((live(&stage), stage.status().desired), (7, 6));
    stage.update(&json!({}));
    settle(&mut stage);
    assert_eq!(stage.status().desired, 0);
    stage.cluster.remove(Id::new(Kind::Node, "", "node-0"));
    settle(&mut stage);
}

/// `ClaimPods`: a pod whose labels match no more is nobody's from then on, runs on, and gets a successor.
#[test]
fn a_pod_that_matches_no_more_is_let_go_and_replaced() {
    let mut stage = prepared(2, rolling("1", "0"), &json!({}));
    stage.check(&[(2, 0)]);
    let first = stage.cluster.store().pods().next().unwrap().clone();
    let mut shape = (*first.shape).clone();
    shape.labels.insert("app".into(), "looked-at".into());
    let relabelled = Pod { shape: Arc::new(shape), ..(*first).clone() };
    stage.cluster.commit(Change::Put(Object::Pod(Arc::new(relabelled))));
    stage.check(&[(1, 0), (0, 0)]);
    assert!(stage.cluster.store().pod_with(first.uid).unwrap().shape.owner.is_none());
    assert_eq!(stage.cluster.store().pods().len(), 3);
}
