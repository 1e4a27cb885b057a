//! What holds for every cluster and every series of faults. The numbers in the comments are those of "Invariants worth property
//! tests" in `kubernetes.md` of the facts.

mod common;

use common::{Stage, rolling};
use fourgaps_cluster::Cluster;
use fourgaps_cluster::change::Change;
use fourgaps_cluster::daemon::{Watch, budget, fit};
use fourgaps_cluster::daemonset::{DaemonSet, Strategy as Replacement};
use fourgaps_cluster::kubelet::Behaviour;
use fourgaps_cluster::lifecycle::Health;
use fourgaps_cluster::meta::{Key, Meta, Uid};
use fourgaps_cluster::node::{Node, Truth};
use fourgaps_cluster::object::{Id, Kind};
use fourgaps_cluster::pod::{Phase, Pod};
use fourgaps_cluster::rollout;
use fourgaps_cluster::selector::Selector;
use fourgaps_cluster::spec::Template;
use proptest::prelude::*;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

const NODES: usize = 6;

/// Something that happens, to a node where it needs one.
#[derive(Clone, Copy, Debug)]
enum Fault {
    Update,
    /// Back to the revision before, or to the one at this place of the history.
    Undo(Option<usize>),
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
    /// The API server refuses so many writes of a status, and so many reads after them.
    Refuse(u32, u32),
    Sync,
}

fn fault() -> impl Strategy<Value = Fault> {
    let node = 0..NODES;
    prop_oneof![
        2 => Just(Fault::Update),
        1 => prop::option::of(0..6_usize).prop_map(Fault::Undo),
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
        1 => (0_u32..4, 0_u32..2).prop_map(|(updates, gets)| Fault::Refuse(updates, gets)),
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
        Fault::Undo(place) => {
            let revisions = stage.cluster.store().revisions_of(stage.set().meta.uid);
            let chosen = place.and_then(|place| revisions.get(place % revisions.len().max(1)));
            let number = chosen.map_or(0, |revision| revision.number);
            drop(rollout::undo(&mut stage.cluster, &stage.key.clone(), number));
        }
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
        Fault::Refuse(updates, gets) => stage.cluster.refuse_status(updates, gets),
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

/// Live pods of nodes on which there is no other live one.
fn alone(stage: &Stage) -> Vec<Arc<Pod>> {
    let live: Vec<&Arc<Pod>> = stage.cluster.store().pods().filter(|pod| pod.deleting.is_none()).collect();
    let others = |pod: &Pod| live.iter().filter(|other| other.place() == pod.place()).count();
    live.iter().filter(|pod| others(pod) == 1).map(|pod| Arc::clone(pod)).collect()
}

/// True where a pod is neither gone nor on its way out.
fn stays(stage: &Stage, pod: &Pod) -> bool {
    stage.cluster.store().pod_with(pod.uid).is_some_and(|pod| pod.deleting.is_none())
}

/// True where the node of a pod is there and good enough for it.
fn may_stay(stage: &Stage, pod: &Pod) -> bool {
    let node = pod.place().and_then(|place| stage.cluster.store().node(place));
    node.is_some_and(|node| fit::fit(stage.set(), node).keep)
}

fn check_sync(stage: &mut Stage) {
    let before = without_pod(stage);
    let had: BTreeSet<Uid> = available_of_newest(stage);
    let were_alone = alone(stage);
    let tried = stage.cluster.status_refusals();
    let failed = stage.report().error.is_some();
    // A status that was refused is that of an earlier sync.
    let left = stage.cluster.status_refusals();
    let is_told = left.updates == tried.updates || !failed;
    numbers_agree(stage);
    // What fails before the end has not come to the history.
    if !failed {
        revisions_agree(stage);
    }
    let surges = stage.set().strategy.surges();
    one_pod_per_node(stage, surges);
    // 4: what is available and new already is never deleted, as long as its node is good enough.
    for pod in stage.cluster.store().pods().filter(|pod| had.contains(&pod.uid)) {
        assert!(!may_stay(stage, pod) || surges || stays(stage, pod), "{} was new and available", pod.key);
    }
    let desired = stage.status().desired;
    if let Some(budget) = budget(stage.set().strategy, desired).filter(|_| !surges && is_told) {
        let max_unavailable = usize::try_from(budget.max_unavailable).unwrap();
        // 1: no more nodes are without a pod than may be, or than were.
        let after = without_pod(stage);
        assert!(after <= before.max(max_unavailable), "{before} without a pod, then {after}");
        let hash = stage.hash();
        for pod in were_alone.iter().filter(|pod| pod.hash() != hash) {
            if pod.is_ready() {
                // 1: an old pod that is available goes only where the budget leaves room for it.
                let taken = may_stay(stage, pod) && !stays(stage, pod);
                assert!(!taken || after <= max_unavailable, "{} was taken beyond the budget", pod.key);
            } else {
                // 2: one that is not goes whatever the budget says.
                assert!(!stays(stage, pod), "{} is old and not available", pod.key);
            }
        }
    }
}

/// 7: the numbers of the status.
fn numbers_agree(stage: &Stage) {
    let status = stage.status();
    assert!(status.updated <= status.current && status.current <= status.desired, "{status:?}");
    assert!(status.available <= status.ready && status.ready <= status.current, "{status:?}");
    assert_eq!(status.unavailable, status.desired - status.available);
}

/// 5: every revision has a number of its own, the newest the highest, and few old ones stay that no pod has.
fn revisions_agree(stage: &Stage) {
    let (store, set) = (stage.cluster.store(), stage.set());
    let revisions = store.revisions_of(set.meta.uid);
    let numbers: Vec<u64> = revisions.iter().map(|revision| revision.number).collect();
    let different: BTreeSet<u64> = numbers.iter().copied().collect();
    assert_eq!(different.len(), numbers.len(), "{numbers:?}");
    let newest = revisions.last().map(|revision| revision.template.given.clone());
    assert_eq!(newest.as_ref(), Some(&set.template.given), "the newest template has the highest number");
    let on_pods: BTreeSet<&str> = store.pods().map(|pod| pod.hash()).collect();
    let old = revisions.iter().rev().skip(1);
    let unused = old.filter(|revision| !on_pods.contains(revision.hash())).count();
    let limit = usize::try_from(set.revision_history_limit).unwrap();
    assert!(unused <= limit, "{unused} old revisions are on no pod; {limit} may be kept");
}

/// 3: without a surge there is one live pod on a node, and none beside one that still stops.
fn one_pod_per_node(stage: &Stage, surges: bool) {
    let (store, set) = (stage.cluster.store(), stage.set());
    for node in store.nodes().filter(|node| fit::fit(set, node).keep) {
        let pods = store.pods_at(set.meta.uid, &node.meta.name);
        let live =
            pods.iter().filter(|pod| pod.deleting.is_none() && !pod.status.phase.is_terminal()).count();
        assert!(live <= if surges { 2 } else { 1 }, "{} has {live} live pods", node.meta.name);
        let terminating = pods.iter().any(|pod| pod.deleting.is_some() && !pod.status.phase.is_terminal());
        assert!(surges || live == 0 || !terminating, "{} got a pod too early", node.meta.name);
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

fn play(strategy: Replacement, history: u32, faults: &[Fault]) {
    let mut stage = Stage::new(NODES, strategy);
    stage.edit(|set| set.revision_history_limit = history);
    for fault in faults {
        happen(&mut stage, *fault);
        if matches!(fault, Fault::Sync) {
            check_sync(&mut stage);
        }
    }
    // 6: where nothing happens any more, the controller comes to rest.
    stage.cluster.refuse_status(0, 0);
    let rests = |stage: &mut Stage| (0..200).any(|_| stage.cluster.sync_daemonset().is_none());
    assert!(rests(&mut stage), "still busy");
    // A node that went has woken nobody, so there may be something left to do.
    stage.sync();
    assert!(rests(&mut stage), "busy again");
    assert_eq!(stage.sync(), (0, 0));
}

/// Why a node takes part in no rollout.
#[derive(Clone, Copy, Debug)]
enum Broken {
    /// Nobody answers there: its pod is not ready when the rollout begins.
    Silent,
    /// Its old pod runs on and says that it is ready, and cannot be stopped.
    RuntimeDown,
    /// Its new pod gets no image.
    NoImage,
}

fn broken() -> impl Strategy<Value = Broken> {
    prop_oneof![Just(Broken::Silent), Just(Broken::RuntimeDown), Just(Broken::NoImage)]
}

/// A template that tolerates everything, with this image.
fn tolerant(image: &str) -> Arc<Template> {
    Arc::new(Template::of(&json!({
        "metadata": { "labels": { "app": "gpu" } },
        "spec": {
            "containers": [{ "name": "gpu", "image": image }],
            "tolerations": [{ "operator": "Exists" }],
        },
    })))
}

/// A rollout over nodes of which these are broken; gives the nodes that are well and have the new image at the end.
fn rolled_out(nodes: usize, broken: &BTreeMap<usize, Broken>, strategy: Replacement) -> BTreeSet<usize> {
    let mut cluster = Cluster::new(5, Watch::AtOnce);
    for node in 0..nodes {
        cluster.create_node(Node::new(&name(node)));
    }
    let template = tolerant("gpu:a");
    cluster.create_daemonset(DaemonSet {
        meta: Meta::new("gpu", "gpu-ds"),
        selector: Selector::of_labels(template.labels.clone()),
        template,
        strategy,
        revision_history_limit: 10,
        ..DaemonSet::default()
    });
    cluster.run_until(100_000);
    for (node, why) in broken {
        match why {
            Broken::Silent => cluster.set_health(&name(*node), Health::KubeletSilent),
            Broken::RuntimeDown => cluster.set_health(&name(*node), Health::RuntimeDown),
            Broken::NoImage => {
                let missing = Behaviour { missing: true, ..Behaviour::default() };
                cluster.kubelets().script_on(&name(*node), "gpu:b", missing);
            }
        }
    }
    cluster.run_until(300_000);
    let key = Key::new("gpu", "gpu-ds");
    cluster.edit_daemonset(&key, |set| set.template = tolerant("gpu:b")).unwrap();
    cluster.run_until(2_000_000);
    let is_new = |node: &usize| {
        let new = |pod: &Arc<Pod>| {
            at(pod, *node) && pod.is_ready() && pod.shape.spec.containers[0].image == "gpu:b"
        };
        !broken.contains_key(node) && cluster.store().pods().any(new)
    };
    (0..nodes).filter(is_new).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_rolling_update_keeps_its_budget(
        faults in prop::collection::vec(fault(), 1..60), most in 1_usize..4, history in 0_u32..4,
    ) {
        play(rolling(&most.to_string(), "0"), history, &faults);
    }

    /// A share is one of the nodes that should run a pod now, rounded up.
    #[test]
    fn a_budget_in_percent_follows_the_nodes(
        faults in prop::collection::vec(fault(), 1..60), percent in 1_u32..=100, history in 0_u32..4,
    ) {
        play(rolling(&format!("{percent}%"), "0"), history, &faults);
    }

    #[test]
    fn a_surge_adds_at_most_one_pod_to_a_node(
        faults in prop::collection::vec(fault(), 1..60), most in 1_usize..3, history in 0_u32..4,
    ) {
        play(rolling("0", &most.to_string()), history, &faults);
    }

    #[test]
    fn without_a_rolling_update_only_what_is_too_much_goes(
        faults in prop::collection::vec(fault(), 1..60), history in 0_u32..4,
    ) {
        play(Replacement::OnDelete, history, &faults);
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

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    /// 8: nodes that nobody answers for use the budget up before the first healthy node is touched; a rollout that has more
    /// comes to its end on all others.
    #[test]
    fn dead_nodes_stop_a_rollout_where_they_are_as_many_as_the_budget(
        nodes in 1_usize..9, dead in prop::collection::btree_set(0_usize..9, 0..6), most in 1_usize..5,
    ) {
        let broken: BTreeMap<usize, Broken> =
            dead.into_iter().filter(|node| *node < nodes).map(|node| (node, Broken::Silent)).collect();
        let well: BTreeSet<usize> = (0..nodes).filter(|node| !broken.contains_key(node)).collect();
        let done = rolled_out(nodes, &broken, rolling(&most.to_string(), "0"));
        prop_assert_eq!(done, if broken.len() < most { well } else { BTreeSet::new() });
    }

    /// 8, where a broken node is only found to be broken when its turn comes: the rollout goes on until as many of them were
    /// met as the budget has.
    #[test]
    fn a_rollout_ends_where_it_has_met_as_many_broken_nodes_as_its_budget(
        nodes in 1_usize..9, broken in prop::collection::btree_map(0_usize..9, broken(), 0..6), most in 1_usize..5,
    ) {
        let broken: BTreeMap<usize, Broken> = broken.into_iter().filter(|(node, _)| *node < nodes).collect();
        let known = broken.values().filter(|why| matches!(why, Broken::Silent)).count();
        let met = |node: &usize| {
            let found = broken.range(..*node).filter(|(_, why)| !matches!(why, Broken::Silent));
            known + found.count()
        };
        let reached: BTreeSet<usize> =
            (0..nodes).filter(|node| !broken.contains_key(node) && met(node) < most).collect();
        let done = rolled_out(nodes, &broken, rolling(&most.to_string(), "0"));
        prop_assert_eq!(done, reached);
    }
}
