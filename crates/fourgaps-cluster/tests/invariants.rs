//! What holds for every cluster and every series of faults.

mod common;

use common::{Stage, rolling};
use fourgaps_cluster::change::Change;
use fourgaps_cluster::daemon::fit;
use fourgaps_cluster::daemonset::Strategy as Replacement;
use fourgaps_cluster::meta::{Key, Uid};
use fourgaps_cluster::node::{Node, Truth};
use fourgaps_cluster::object::{Id, Kind};
use fourgaps_cluster::pod::{Phase, Pod};
use fourgaps_cluster::rollout;
use proptest::prelude::*;
use serde_json::json;
use std::collections::BTreeSet;
use std::sync::Arc;

const NODES: usize = 6;

/// Something that happens, to a node where it needs one.
#[derive(Clone, Copy, Debug)]
enum Fault {
    Update,
    Undo,
    Bind(usize),
    Ready(usize),
    Unready(usize),
    Fail(usize),
    Stop(usize),
    Taint(usize, bool),
    Untaint(usize),
    Remove(usize),
    Return(usize),
    Delete(usize),
    Wait(u64),
    Sync,
}

fn fault() -> impl Strategy<Value = Fault> {
    let node = 0..NODES;
    prop_oneof![
        2 => Just(Fault::Update),
        1 => Just(Fault::Undo),
        6 => node.clone().prop_map(Fault::Bind),
        8 => node.clone().prop_map(Fault::Ready),
        2 => node.clone().prop_map(Fault::Unready),
        1 => node.clone().prop_map(Fault::Fail),
        6 => node.clone().prop_map(Fault::Stop),
        1 => (node.clone(), any::<bool>()).prop_map(|(node, evict)| Fault::Taint(node, evict)),
        1 => node.clone().prop_map(Fault::Untaint),
        1 => node.clone().prop_map(Fault::Remove),
        1 => node.clone().prop_map(Fault::Return),
        1 => node.prop_map(Fault::Delete),
        2 => (1_u64..20_000).prop_map(Fault::Wait),
        12 => Just(Fault::Sync),
    ]
}

fn name(node: usize) -> String {
    format!("node-{node}")
}

fn at(pod: &Pod, node: usize) -> bool {
    pod.place() == Some(name(node).as_str())
}

fn happen(stage: &mut Stage, fault: Fault) {
    let live = |node: usize| {
        move |pod: &Pod| {
            at(pod, node) && pod.deleting.is_none() && pod.node.is_some() && !pod.status.phase.is_terminal()
        }
    };
    match fault {
        Fault::Update => stage.update(&json!({})),
        Fault::Undo => drop(rollout::undo(&mut stage.cluster, &stage.key.clone(), 0)),
        Fault::Bind(node) => {
            let waits = |pod: &&Arc<Pod>| at(pod, node) && pod.node.is_none();
            let uid = stage.cluster.store().pods().find(waits).map(|pod| pod.uid);
            if let Some(uid) = uid {
                stage.cluster.commit(Change::PodBound { uid, node: name(node).into() });
            }
        }
        Fault::Ready(node) => stage.ready(live(node)),
        Fault::Unready(node) => {
            stage.say(live(node), |status, now_ms| status.set_condition("Ready", Truth::False, now_ms));
        }
        Fault::Fail(node) => {
            stage.say(live(node), |status, now_ms| {
                status.phase = Phase::Failed;
                status.set_condition("Ready", Truth::False, now_ms);
            });
        }
        Fault::Stop(node) => {
            let going = |pod: &&Arc<Pod>| at(pod, node) && pod.deleting.is_some();
            let key = stage.cluster.store().pods().find(going).map(|pod| pod.key.clone());
            key.iter().for_each(|key| stage.cluster.remove_pod(key));
        }
        Fault::Taint(node, evict) => {
            if stage.cluster.store().node(&name(node)).is_some() {
                stage.taint(&name(node), if evict { "a:NoExecute" } else { "a:NoSchedule" });
            }
        }
        Fault::Untaint(node) => drop(stage.cluster.edit_node(&name(node), |node| node.taints.clear())),
        Fault::Remove(node) => stage.cluster.remove(Id::new(Kind::Node, "", &name(node))),
        Fault::Return(node) => {
            if stage.cluster.store().node(&name(node)).is_none() {
                stage.cluster.create_node(Node::new(&name(node)));
            }
        }
        Fault::Delete(node) => {
            let key: Option<Key> =
                stage.cluster.store().pods().find(|pod| at(pod, node)).map(|pod| pod.key.clone());
            key.iter().for_each(|key| drop(stage.cluster.delete_pod(key, None)));
        }
        Fault::Wait(ms) => stage.cluster.set_clock(stage.cluster.now_ms() + ms),
        Fault::Sync => {}
    }
}

/// Nodes that should run a pod and have no available one.
fn without_pod(stage: &Stage) -> usize {
    let set = stage.set();
    let up = |pod: &&Arc<Pod>| pod.deleting.is_none() && pod.is_ready();
    let nodes = stage.cluster.store().nodes().filter(|node| fit::fit(set, node).run);
    nodes.filter(|node| !stage.cluster.store().pods_at(set.meta.uid, &node.meta.name).iter().any(up)).count()
}

fn check_sync(stage: &mut Stage, surges: bool, max_unavailable: usize) {
    let before = without_pod(stage);
    let had: BTreeSet<Uid> = available_of_newest(stage);
    stage.sync();
    let status = stage.status();
    assert!(status.updated <= status.current && status.current <= status.desired, "{status:?}");
    assert!(status.available <= status.ready && status.ready <= status.current, "{status:?}");
    assert_eq!(status.unavailable, status.desired - status.available);
    let store = stage.cluster.store();
    let set = stage.set();
    let numbers: Vec<u64> = store.revisions_of(set.meta.uid).iter().map(|revision| revision.number).collect();
    let different: BTreeSet<u64> = numbers.iter().copied().collect();
    assert_eq!(different.len(), numbers.len(), "{numbers:?}");
    let newest = store.revisions_of(set.meta.uid).last().map(|revision| revision.template.given.clone());
    assert_eq!(newest.as_ref(), Some(&set.template.given), "the newest template has the highest number");
    for node in store.nodes().filter(|node| fit::fit(set, node).keep) {
        let pods = store.pods_at(set.meta.uid, &node.meta.name);
        let live =
            pods.iter().filter(|pod| pod.deleting.is_none() && !pod.status.phase.is_terminal()).count();
        assert!(live <= if surges { 2 } else { 1 }, "{} has {live} live pods", node.meta.name);
        let terminating = pods.iter().any(|pod| pod.deleting.is_some() && !pod.status.phase.is_terminal());
        assert!(surges || live == 0 || !terminating, "{} got a pod too early", node.meta.name);
    }
    if !surges {
        let after = without_pod(stage);
        assert!(after <= before.max(max_unavailable), "{before} without a pod, then {after}");
    }
    // What is available and new already is never deleted, as long as its node is good enough.
    for pod in stage.cluster.store().pods().filter(|pod| had.contains(&pod.uid)) {
        let keeps = pod.place().and_then(|place| stage.cluster.store().node(place));
        let keeps = keeps.is_some_and(|node| fit::fit(stage.set(), node).keep);
        assert!(!keeps || surges || pod.deleting.is_none(), "{} was new and available", pod.key);
    }
}

fn available_of_newest(stage: &Stage) -> BTreeSet<Uid> {
    let revisions = stage.cluster.store().revisions_of(stage.set().meta.uid);
    let current = revisions.iter().find(|revision| revision.template.given == stage.set().template.given);
    let Some(hash) = current.map(|revision| revision.hash().to_string()) else { return BTreeSet::new() };
    let pods = stage.cluster.store().pods();
    let mine = pods.filter(|pod| pod.hash() == hash && pod.is_ready() && pod.deleting.is_none());
    mine.filter(|pod| !pod.status.phase.is_terminal()).map(|pod| pod.uid).collect()
}

fn play(strategy: Replacement, surges: bool, max_unavailable: usize, faults: &[Fault]) {
    let mut stage = Stage::new(NODES, strategy);
    for fault in faults {
        happen(&mut stage, *fault);
        if matches!(fault, Fault::Sync) {
            check_sync(&mut stage, surges, max_unavailable);
        }
    }
    // Where nothing happens any more, the controller comes to rest.
    let rests = |stage: &mut Stage| (0..200).any(|_| stage.cluster.sync_daemonset().is_none());
    assert!(rests(&mut stage), "still busy");
    // A node that went has woken nobody, so there may be something left to do.
    stage.sync();
    assert!(rests(&mut stage), "busy again");
    assert_eq!(stage.sync(), (0, 0));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_rolling_update_keeps_its_budget(faults in prop::collection::vec(fault(), 1..60), most in 1_usize..4) {
        play(rolling(&most.to_string(), "0"), false, most, &faults);
    }

    #[test]
    fn a_surge_adds_at_most_one_pod_to_a_node(faults in prop::collection::vec(fault(), 1..60), most in 1_usize..3) {
        play(rolling("0", &most.to_string()), true, 0, &faults);
    }

    /// The same seed and the same faults give the same facts.
    #[test]
    fn everything_happens_the_same_twice(faults in prop::collection::vec(fault(), 1..40)) {
        let run = || {
            let mut stage = Stage::new(NODES, rolling("2", "0"));
            for fault in &faults {
                happen(&mut stage, *fault);
                stage.cluster.settle_daemonsets();
            }
            stage.cluster.take_facts()
        };
        let facts = run();
        prop_assert_eq!(&facts, &run());
        // Folded into an empty store they give the same objects, also after a journey as text.
        let mut store = fourgaps_cluster::Store::default();
        for fact in &facts {
            let text = serde_json::to_string(fact).unwrap();
            store.apply(&serde_json::from_str(&text).unwrap());
        }
        let mut direct = fourgaps_cluster::Store::default();
        facts.iter().for_each(|fact| drop(direct.apply(fact)));
        prop_assert_eq!(store, direct);
    }
}
