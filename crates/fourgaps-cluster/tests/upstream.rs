//! Cases of Kubernetes' own unit tests (`pkg/controller/daemon/update_test.go`, `daemon_controller_test.go`), named by the
//! test they come from: what is there, and how many pods each sync then creates and deletes.

mod common;

use common::{Stage, rolling, template};
use fourgaps_cluster::daemon::{Budget, budget, fit};
use fourgaps_cluster::daemonset::{DaemonSet, Strategy};
use fourgaps_cluster::meta::{Labels, Meta};
use fourgaps_cluster::node::{Condition, Node, Truth};
use fourgaps_cluster::object::{Kind, Plain};
use fourgaps_cluster::pod::Phase;
use fourgaps_cluster::spec::PodSpec;
use fourgaps_cluster::taint::Effect;
use serde_json::{Value, json};
use std::sync::Arc;

const TOLERATION: &str = "node-role.kubernetes.io/control-plane";

#[test]
fn updates_pods() {
    let mut stage = Stage::new(5, rolling("2", "0"));
    stage.check(&[(5, 0)]);
    stage.all_ready();
    stage.update(&json!({}));
    for wanted in [2, 2, 1] {
        stage.check(&[(0, wanted), (wanted, 0)]);
        stage.all_ready();
    }
    stage.check(&[(0, 0)]);
}

#[test]
fn updates_pods_with_a_surge() {
    let mut stage = Stage::new(5, rolling("0", "2"));
    stage.check(&[(5, 0)]);
    stage.all_ready();
    stage.update(&json!({}));
    for wanted in [(2, 0), (2, 2), (1, 2), (0, 1)] {
        stage.check(&[wanted, (0, 0)]);
        stage.all_ready();
    }
}

#[test]
fn a_node_that_fits_no_more_is_left_only_when_another_pod_is_available() {
    let tolerant = json!({ "tolerations": [{ "key": TOLERATION, "operator": "Exists" }] });
    let mut stage = Stage::with(5, rolling("0", "1"), &tolerant);
    stage.taint("node-0", &format!("{TOLERATION}:NoSchedule"));
    stage.check(&[(5, 0)]);
    stage.all_ready();
    stage.update(&json!({}));
    for wanted in [(1, 1), (1, 1), (1, 1), (1, 1), (0, 1)] {
        stage.check(&[wanted, (0, 0)]);
        stage.all_ready();
    }
}

#[test]
fn new_pods_that_are_not_ready_stall_the_rollout() {
    let mut stage = Stage::new(5, rolling("3", "0"));
    stage.check(&[(5, 0)]);
    stage.all_ready();
    stage.update(&json!({}));
    stage.check(&[(0, 3), (3, 0), (0, 0)]);
}

#[test]
fn a_second_update_replaces_only_what_is_broken_already() {
    let mut stage = Stage::new(5, rolling("2", "0"));
    stage.check(&[(5, 0)]);
    stage.all_ready();
    for _ in 0..2 {
        stage.update(&json!({}));
        stage.check(&[(0, 2), (2, 0), (0, 0)]);
    }
    assert_eq!(stage.cluster.store().pods().filter(|pod| pod.is_ready()).count(), 3);
}

#[test]
fn healthy_old_pods_outlive_any_number_of_updates() {
    let mut stage = Stage::new(20, rolling("10", "0"));
    stage.check(&[(20, 0)]);
    stage.all_ready();
    stage.update(&json!({}));
    stage.check(&[(0, 10), (10, 0), (0, 0)]);
    let healthy = |stage: &Stage| -> Vec<_> {
        stage.cluster.store().pods().filter(|pod| pod.is_ready()).map(|pod| pod.uid).collect()
    };
    let first = healthy(&stage);
    for max_unavailable in [3, 0, 9, 1, 5, 7, 2, 8, 4, 6] {
        stage.edit(|set| set.strategy = rolling(&max_unavailable.to_string(), "0"));
        stage.update(&json!({}));
        stage.check(&[(0, 10), (10, 0), (0, 0)]);
        assert_eq!(healthy(&stage), first);
    }
    stage.edit(|set| set.strategy = rolling("11", "0"));
    stage.update(&json!({}));
    stage.check(&[(0, 11), (11, 0), (0, 0)]);
    assert_eq!(healthy(&stage).len(), 9);
}

#[test]
fn only_the_broken_old_pods_go_where_the_budget_is_used_up() {
    let mut stage = Stage::new(100, rolling("10", "0"));
    stage.check(&[(100, 0)]);
    stage.all_ready();
    stage.update(&json!({}));
    for _ in 0..8 {
        stage.check(&[(0, 10), (10, 0)]);
        stage.all_ready();
    }
    stage.check(&[(0, 10), (10, 0)]);
    // 90 are new, ten are old; now 88 new ones and two old ones break.
    let hash = stage.hash();
    let mut new_ready = 0;
    let mut old_broken = 0;
    let pods: Vec<_> = stage.cluster.store().pods().cloned().collect();
    for pod in pods {
        let is_new = pod.hash() == hash;
        let breaks = if is_new { new_ready >= 2 } else { old_broken < 2 };
        new_ready += u32::from(is_new && !breaks);
        old_broken += u32::from(!is_new && breaks);
        let status = if breaks { Truth::False } else { Truth::True };
        stage.say(|other| other.uid == pod.uid, |s, now_ms| s.set_condition("Ready", status, now_ms));
    }
    stage.check(&[(0, 2), (2, 0), (0, 0)]);
}

#[test]
fn old_pods_that_are_all_broken_go_all_at_once() {
    let mut stage = Stage::new(5, rolling("3", "0"));
    stage.check(&[(5, 0)]);
    stage.update(&json!({}));
    stage.check(&[(0, 5), (5, 0), (0, 0)]);
}

#[test]
fn a_surge_over_broken_pods_knows_no_limit() {
    let mut stage = Stage::new(5, rolling("0", "3"));
    stage.cluster.set_clock(100_000);
    stage.check(&[(5, 0)]);
    stage.update(&json!({}));
    stage.cluster.set_clock(200_000);
    stage.check(&[(5, 0)]);
    stage.check(&[(0, 5)]);
    stage.all_ready();
    stage.edit(|set| set.min_ready_seconds = 15);
    stage.update(&json!({}));
    stage.cluster.set_clock(300_000);
    stage.check(&[(3, 0)]);
}

#[test]
fn a_strategy_alone_replaces_nothing() {
    let mut stage = Stage::new(5, Strategy::OnDelete);
    stage.check(&[(5, 0)]);
    stage.all_ready();
    stage.edit(|set| set.strategy = rolling("3", "0"));
    stage.check(&[(0, 0)]);
}

#[test]
fn budgets() {
    let cases = [
        ("0", "0", 0, (0, 0)),
        ("1", "0", 2, (1, 0)),
        ("0", "0", 2, (1, 0)),
        ("50%", "0", 2, (1, 0)),
        ("0", "50%", 2, (0, 1)),
        ("0", "100%", 2, (0, 2)),
        ("50%", "0", 3, (2, 0)),
        ("50%", "0", 0, (0, 0)),
    ];
    for (unavailable, surge, desired, (max_unavailable, max_surge)) in cases {
        let wanted = Budget { desired, max_unavailable, max_surge };
        let got = budget(rolling(unavailable, surge), desired);
        assert_eq!(got, Some(wanted), "{unavailable} {surge} of {desired}");
    }
    assert_eq!(budget(Strategy::OnDelete, 3), None);
}

#[test]
fn simple_daemonset_launches_pods() {
    for strategy in [Strategy::OnDelete, rolling("1", "0")] {
        let mut stage = Stage::new(5, strategy);
        stage.check(&[(5, 0)]);
        let places: Vec<&str> =
            stage.cluster.store().pods().filter_map(|pod| pod.target.as_deref()).collect();
        assert_eq!(places.len(), 5);
        assert!(stage.cluster.store().pods().all(|pod| pod.node.is_none()));
    }
    Stage::new(0, rolling("1", "0")).check(&[(0, 0)]);
    Stage::new(1, rolling("1", "0")).check(&[(1, 0)]);
}

#[test]
fn refusals_stop_the_batches() {
    let mut stage = Stage::new(100, rolling("1", "0"));
    let body = json!({ "spec": { "hard": { "pods": "10" } } });
    stage.cluster.put_plain(Kind::ResourceQuota, Plain { meta: Meta::new("gpu", "ten"), body });
    let report = stage.cluster.sync_daemonset().unwrap();
    // 1, 2, 4, and of the next 8 three are taken.
    assert_eq!(report.actions.len(), 15);
    assert!(report.error.is_some());
    let status = stage.status();
    assert_eq!((status.desired, status.current, status.updated), (100, 10, 10));
}

#[test]
fn neither_readiness_nor_room_of_a_node_matters() {
    let mut stage = Stage::new(1, rolling("1", "0"));
    let edited = stage.cluster.edit_node("node-0", |node| {
        let status = Truth::False;
        node.set_condition(Condition { kind: "Ready".into(), status, ..Condition::default() });
        let status = Truth::True;
        node.set_condition(Condition { kind: "NetworkUnavailable".into(), status, ..Condition::default() });
    });
    assert_eq!(edited, Ok(true));
    stage.check(&[(1, 0)]);
    let huge = json!({ "containers": [{ "name": "main", "image": "app", "resources": { "requests": { "cpu": "500" } } }] });
    Stage::with(1, rolling("1", "0"), &huge).check(&[(1, 0)]);
    let mut foreign = Stage::new(1, rolling("1", "0"));
    let port = json!({ "containers": [{ "name": "x", "ports": [{ "hostPort": 666 }] }] });
    foreign.place_foreign("node-0", "other", Labels::new(), PodSpec::of(&port));
    foreign.check(&[(1, 0)]);
}

#[test]
fn a_daemonset_that_is_to_go_does_nothing() {
    let mut stage = Stage::new(5, rolling("1", "0"));
    stage.cluster.delete_daemonset(&stage.key.clone(), true).unwrap();
    stage.check(&[(0, 0)]);
}

/// The revision is known, but no pod is there yet.
fn prepared(nodes: usize, strategy: Strategy, more: &Value) -> Stage {
    let mut stage = Stage::with(0, strategy, more);
    stage.check(&[(0, 0)]);
    for n in 0..nodes {
        stage.cluster.create_node(Node::new(&format!("node-{n}")));
    }
    stage
}

#[test]
fn deals_with_existing_pods() {
    for strategy in [rolling("1", "0"), rolling("0", "1")] {
        let mut stage = prepared(5, strategy, &json!({}));
        let hash = stage.hash();
        for (node, count) in [("node-1", 1), ("node-2", 2), ("node-3", 5)] {
            for n in 0..count {
                stage.place(node, &format!("{node}-{n}"), &hash, n);
            }
        }
        let other = Labels::from([("app".to_string(), "other".to_string())]);
        stage.place_foreign("node-4", "foreign-1", other.clone(), PodSpec::default());
        stage.place_foreign("node-4", "foreign-2", other, PodSpec::default());
        stage.check(&[(2, 5)]);
    }
}

#[test]
fn a_node_selector_decides() {
    let selector = json!({ "nodeSelector": { "color": "blue" } });
    let mut stage = prepared(7, rolling("1", "0"), &selector);
    for n in 4..7 {
        stage.label(&format!("node-{n}"), "color", "blue");
    }
    stage.check(&[(3, 0)]);
    let mut stage = prepared(10, rolling("1", "0"), &selector);
    for n in 5..10 {
        stage.label(&format!("node-{n}"), "color", "blue");
    }
    let hash = stage.hash();
    for (node, count) in [("node-0", 1), ("node-1", 3), ("node-2", 4), ("node-6", 13), ("node-9", 1)] {
        for n in 0..count {
            stage.place(node, &format!("{node}-{n}"), &hash, n);
        }
    }
    stage.check(&[(3, 20)]);
}

#[test]
fn numbers_follow_readiness() {
    let mut stage = Stage::new(2, rolling("1", "0"));
    stage.check(&[(2, 0)]);
    assert_eq!((stage.status().ready, stage.status().observed_generation), (0, 1));
    stage.all_ready();
    stage.check(&[(0, 0)]);
    assert_eq!(stage.status().ready, 2);
}

#[test]
fn failed_pods_are_killed() {
    for (failed, normal, wanted) in [(0, 1, (0, 0)), (0, 0, (1, 0)), (1, 0, (0, 1)), (1, 3, (0, 3))] {
        let mut stage = prepared(1, rolling("1", "0"), &json!({}));
        let hash = stage.hash();
        for n in 0..failed + normal {
            stage.place("node-0", &format!("pod-{n}"), &hash, n);
        }
        stage.phase(Phase::Failed, |pod| pod.created_ms < failed * 1000);
        stage.check(&[wanted]);
    }
}

#[test]
fn a_failed_pod_is_left_alone_for_longer_each_time() {
    let mut stage = Stage::new(1, rolling("1", "0"));
    stage.check(&[(1, 0)]);
    for delay_ms in [0, 1000, 2000, 4000, 8000] {
        stage.phase(Phase::Failed, |_| true);
        let now_ms = stage.cluster.now_ms();
        if delay_ms > 0 {
            stage.cluster.set_clock(now_ms + delay_ms - 1);
            stage.check(&[(0, 0)]);
        }
        stage.cluster.set_clock(now_ms + delay_ms);
        stage.check(&[(0, 1), (1, 0)]);
    }
}

#[test]
fn taints_keep_away_and_drive_out() {
    let mut stage = Stage::new(1, rolling("1", "0"));
    stage.check(&[(1, 0)]);
    stage.taint("node-0", "a:NoSchedule");
    stage.check(&[(0, 0)]);
    stage.taint("node-0", "a:NoExecute");
    stage.check(&[(0, 1), (0, 0)]);
    for tolerated in [
        "node.kubernetes.io/not-ready:NoExecute",
        "node.kubernetes.io/unreachable:NoExecute",
        "node.kubernetes.io/disk-pressure:NoSchedule",
        "node.kubernetes.io/memory-pressure:NoSchedule",
        "node.kubernetes.io/pid-pressure:NoSchedule",
        "node.kubernetes.io/unschedulable:NoSchedule",
        "a:PreferNoSchedule",
    ] {
        let mut stage = Stage::new(1, rolling("1", "0"));
        stage.taint("node-0", tolerated);
        stage.check(&[(1, 0)]);
    }
    for refused in
        ["node.kubernetes.io/not-ready:NoSchedule", "node.kubernetes.io/network-unavailable:NoSchedule"]
    {
        let mut stage = Stage::new(1, rolling("1", "0"));
        stage.taint("node-0", refused);
        stage.check(&[(0, 0)]);
    }
    let host = json!({ "hostNetwork": true });
    let mut stage = Stage::with(1, rolling("1", "0"), &host);
    stage.taint("node-0", "node.kubernetes.io/network-unavailable:NoSchedule");
    stage.check(&[(1, 0)]);
}

#[test]
fn a_terminating_pod_is_waited_for() {
    let mut stage = prepared(1, rolling("1", "0"), &json!({}));
    let hash = stage.hash();
    stage.place("node-0", "pod", &hash, 0);
    let key = fourgaps_cluster::meta::Key::new("gpu", "pod");
    stage.cluster.delete_pod(&key, None).unwrap();
    stage.check(&[(0, 0)]);
    stage.phase(Phase::Succeeded, |_| true);
    stage.check(&[(1, 0)]);
}

#[test]
fn node_should_run_daemon_pod() {
    let node = |taints: &[&str]| {
        let mut node = Node::new("node-0");
        node.meta.labels.insert("type".into(), "production".into());
        node.taints =
            taints.iter().map(|taint| fourgaps_cluster::taint::Taint::read(taint).unwrap()).collect();
        node
    };
    let affinity = |value: &str| {
        let wanted =
            json!([{ "matchExpressions": [{ "key": "type", "operator": "In", "values": [value] }] }]);
        json!({ "affinity": { "nodeAffinity": { "requiredDuringSchedulingIgnoredDuringExecution": {
            "nodeSelectorTerms": wanted } } } })
    };
    let cases = [
        (json!({}), (true, true)),
        (json!({ "nodeName": "other" }), (false, false)),
        (json!({ "nodeName": "node-0" }), (true, true)),
        (json!({ "nodeSelector": { "type": "test" } }), (false, false)),
        (json!({ "nodeSelector": { "type": "production" } }), (true, true)),
        (affinity("test"), (false, false)),
        (affinity("production"), (true, true)),
    ];
    for (more, (run, keep)) in cases {
        let set = DaemonSet { template: Arc::new(template(1, &more)), ..DaemonSet::default() };
        assert_eq!(fit::fit(&set, &node(&[])), fit::Fit { run, keep }, "{more}");
    }
    let set = DaemonSet { template: Arc::new(template(1, &json!({}))), ..DaemonSet::default() };
    assert_eq!(fit::fit(&set, &node(&["a:NoSchedule"])), fit::Fit { run: false, keep: true });
    assert_eq!(fit::fit(&set, &node(&["a:NoExecute"])), fit::Fit::NEVER);
    assert_eq!(Effect::read("NoExecute"), Some(Effect::NoExecute));
}

/// `UpdateNode`: which changes of a node wake the DaemonSet.
#[test]
fn some_changes_of_a_node_wake() {
    let mut stage = Stage::new(1, rolling("1", "0"));
    stage.taint("node-0", "a:NoSchedule");
    stage.cluster.settle_daemonsets();
    stage.cluster.edit_node("node-0", |node| node.unschedulable = true).unwrap();
    assert!(!stage.cluster.daemonsets_wait());
    stage.cluster.edit_node("node-0", |node| node.taints.clear()).unwrap();
    assert!(stage.cluster.daemonsets_wait());
}

#[test]
fn an_unbound_pod_of_a_node_that_is_gone_is_deleted() {
    let mut stage = Stage::new(3, rolling("1", "0"));
    stage.check(&[(3, 0)]);
    let bound: Vec<_> =
        stage.cluster.store().pods().filter(|pod| pod.place() != Some("node-2")).cloned().collect();
    for pod in bound {
        let node = pod.target.clone().unwrap();
        stage.cluster.commit(fourgaps_cluster::Change::PodBound { uid: pod.uid, node });
    }
    for node in ["node-1", "node-2"] {
        stage.cluster.remove(fourgaps_cluster::object::Id::new(Kind::Node, "", node));
    }
    stage.check(&[(0, 1), (0, 0)]);
}

/// On node-1 a new pod and two old ones, on node-2 one pod, of five nodes.
fn surge_stage(min_ready_seconds: u32, old_ready: bool, new_ready_at: Option<u64>) -> Stage {
    let mut stage = prepared(5, rolling("0", "1"), &json!({}));
    stage.edit(|set| set.min_ready_seconds = min_ready_seconds);
    stage.check(&[(5, 0)]);
    let stage_hash = stage.hash();
    let gone: Vec<_> = stage.cluster.store().pods().map(|pod| pod.key.clone()).collect();
    gone.iter().for_each(|key| stage.cluster.remove_pod(key));
    stage.place("node-1", "new", &stage_hash, 100);
    stage.place("node-1", "old-50", "old", 50);
    stage.place("node-1", "old-60", "old", 60);
    stage.place("node-2", "other", &stage_hash, 50);
    if old_ready {
        stage.ready(|pod| pod.hash() == "old");
    }
    if let Some(at_ms) = new_ready_at {
        stage.cluster.set_clock(at_ms);
        stage.ready(|pod| &*pod.key.name == "new");
    }
    stage
}

#[test]
fn a_surge_keeps_a_ready_old_pod_until_the_new_one_is_available() {
    surge_stage(0, true, None).check(&[(3, 1)]);
    surge_stage(0, false, None).check(&[(3, 2)]);
    let mut waiting = surge_stage(15, true, Some(1_000_000));
    waiting.cluster.set_clock(1_010_000);
    waiting.check(&[(3, 1)]);
    let mut available = surge_stage(15, true, Some(1_000_000));
    available.cluster.set_clock(1_020_000);
    available.check(&[(3, 2)]);
}

#[test]
fn a_surge_replaces_a_terminating_pod_beyond_its_limit() {
    let mut stage = prepared(2, rolling("0", "1"), &json!({}));
    let hash = stage.hash();
    stage.place("node-0", "old", "old", 10);
    stage.place("node-0", "new", &hash, 20);
    stage.ready(|pod| &*pod.key.name == "old");
    stage.place("node-1", "going", "old", 10);
    stage.cluster.delete_pod(&fourgaps_cluster::meta::Key::new("gpu", "going"), None).unwrap();
    stage.check(&[(1, 0)]);
}

#[test]
fn orphans_are_adopted() {
    let mut stage = prepared(1, Strategy::OnDelete, &json!({}));
    let labels = Labels::from([("app".to_string(), "ds".to_string())]);
    stage.place_foreign("node-0", "orphan", labels, PodSpec::default());
    stage.check(&[(0, 0)]);
    let uid = stage.set().meta.uid;
    assert!(stage.cluster.store().pods().all(|pod| pod.is_owned_by(uid)));
}

#[test]
fn old_revisions_beyond_the_limit_go_unless_a_pod_has_them() {
    let mut stage = Stage::new(1, Strategy::OnDelete);
    stage.edit(|set| set.revision_history_limit = 1);
    stage.check(&[(1, 0)]);
    for _ in 0..4 {
        stage.update(&json!({}));
        stage.sync();
    }
    let numbers: Vec<u64> = stage
        .cluster
        .store()
        .revisions_of(stage.set().meta.uid)
        .iter()
        .map(|revision| revision.number)
        .collect();
    // The first is still on the pod.
    assert_eq!(numbers, [1, 5]);
}
