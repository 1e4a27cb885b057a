//! A rollout that stops quietly, as the page and two alerts see it.

use super::*;
use fourgaps_base::FileTree;
use fourgaps_cluster::Cluster;
use fourgaps_cluster::daemon::Watch;
use fourgaps_cluster::daemonset::DaemonSet;
use fourgaps_cluster::kubelet::Behaviour;
use fourgaps_cluster::meta::{Key, Meta};
use fourgaps_cluster::node::Node;
use fourgaps_cluster::selector::Selector;
use fourgaps_cluster::spec::Template;
use serde_json::json;
use std::sync::Arc;

const MINUTE: u64 = 60_000;

fn template(image: &str) -> Arc<Template> {
    let spec = json!({ "containers": [{ "name": "gpu", "image": image }] });
    Arc::new(Template::of(&json!({ "metadata": { "labels": { "app": "gpu-ds" } }, "spec": spec })))
}

/// Three nodes that run the first template for ten minutes, then get another image for so long.
fn world(image: &str, behaviour: Behaviour, then_ms: u64) -> World {
    let mut cluster = Cluster::new(1, Watch::AtOnce);
    for n in 1..=3 {
        cluster.create_node(Node::new(&format!("node-{n}")));
    }
    cluster.kubelets().script(image, behaviour);
    let first = template("gpu:a");
    cluster.create_daemonset(DaemonSet {
        meta: Meta::new("gpu", "gpu-ds"),
        selector: Selector::of_labels(first.labels.clone()),
        template: first,
        revision_history_limit: 10,
        ..DaemonSet::default()
    });
    cluster.run_until(10 * MINUTE);
    cluster.edit_daemonset(&key(), |set| set.template = template(image)).unwrap();
    cluster.run_until(10 * MINUTE + then_ms);
    World::of_objects(cluster, FileTree::new(), &[])
}

fn key() -> Key {
    Key::new("gpu", "gpu-ds")
}

fn missing() -> Behaviour {
    Behaviour { missing: true, ..Behaviour::default() }
}

fn over(world: &World, expression: Expression, for_ms: u64) -> Alert {
    let set = world.store().unwrap().daemonset(&key()).unwrap();
    Rule { expression, above: 0, for_ms }.over(world.trace().unwrap(), set, world.now_ms())
}

#[test]
fn a_quiet_stall_is_announced_with_node_cause_and_words_of_the_cluster() {
    assert_eq!(ClusterView::of(&world("gpu:b", missing(), 4 * MINUTE)).unwrap().sets[0].stall, None);
    let view = ClusterView::of(&world("gpu:b", missing(), 7 * MINUTE)).unwrap();
    let set = &view.sets[0];
    assert_eq!((set.desired, set.current, set.ready, set.updated, set.available), (3, 3, 2, 1, 2));
    assert_eq!((set.revision, set.rolling, set.begun_ms), (2, true, 10 * MINUTE));
    let stall = set.stall.as_ref().unwrap();
    assert!(stall.for_ms > 6 * MINUTE, "{stall:?}");
    let [blocker] = stall.blockers.as_slice() else { panic!("{stall:?}") };
    assert_eq!((blocker.node.as_str(), blocker.cause), ("node-1", "image"));
    assert!(blocker.told.as_ref().unwrap().starts_with("Failed to pull image \"gpu:b\""), "{stall:?}");
    assert_eq!(
        (stall.untouched.as_slice(), stall.left, stall.done),
        (&["node-2".into(), "node-3".into()][..], 2, 0)
    );
}

#[test]
fn cards_tell_generations_apart() {
    let view = ClusterView::of(&world("gpu:b", missing(), 7 * MINUTE)).unwrap();
    let marks: Vec<(u64, &str, &str)> = view
        .nodes
        .iter()
        .map(|node| {
            let [pod] = node.pods.as_slice() else { panic!("{node:?}") };
            (pod.revision, pod.rung, pod.ready.as_str())
        })
        .collect();
    assert_eq!(marks, [(2, "image", "0/1"), (1, "ready", "1/1"), (1, "ready", "1/1")]);
    assert!(
        view.nodes.iter().all(|node| node.ready == "True" && node.handlers.is_none() && node.gpus.is_none())
    );
}

#[test]
fn a_course_has_a_row_for_each_node() {
    let world = world("gpu:b", missing(), 7 * MINUTE);
    let store = world.store().unwrap();
    let course = Course::of(store, world.trace().unwrap(), store.daemonset(&key()).unwrap());
    let words = |row: &CourseRow| {
        let mut words: Vec<String> = row
            .cells
            .iter()
            .map(|cell| {
                cell.iter().map(|pod| format!("{} {}", pod.revision, pod.rung)).collect::<Vec<_>>().join("+")
            })
            .collect();
        words.dedup();
        words.join(", ")
    };
    let rows: Vec<String> = course.rows.iter().map(words).collect();
    // The next pod is made once the containers of the old one have ended, and before its object goes.
    let steps = "1 creating, 1 not-ready, 1 ready, 1 stopping, 1 stopping+2 creating, 2 image";
    assert_eq!(rows[0], steps);
    assert_eq!(rows[1..], ["1 creating, 1 not-ready, 1 ready", "1 creating, 1 not-ready, 1 ready"]);
    assert_eq!((course.earlier, course.more), (0, 0));
}

/// Pods on machines may come up within the second in which they are asked for; what there was before is told all the same.
#[test]
fn a_second_in_which_the_template_changes_counts_twice() {
    let at_once = Behaviour { pull_ms: 0, ready_ms: Some(0), stop_ms: 0, ..Behaviour::default() };
    let mut world = world("gpu:a", at_once, 0);
    for image in ["gpu:b", "gpu:c"] {
        let edit =
            |cluster: &mut Cluster| cluster.edit_daemonset(&key(), |set| set.template = template(image));
        world.api(&mut Vec::new(), edit).unwrap().unwrap();
    }
    let store = world.store().unwrap();
    let course = Course::of(store, world.trace().unwrap(), store.daemonset(&key()).unwrap());
    let [.., before, after] = course.moments.as_slice() else { panic!("{course:?}") };
    assert_eq!((before.at_ms, before.template_generation + 1), (after.at_ms, after.template_generation));
}

#[test]
fn an_alert_on_the_numbers_fires_where_one_on_restarts_sees_nothing() {
    let world = world("gpu:b", missing(), 20 * MINUTE);
    let alert = over(&world, Expression::NotReady, 5 * MINUTE);
    let last = alert.spans.last().unwrap();
    assert_eq!(last.firing_ms.map(|fires| fires - last.pending_ms), Some(5 * MINUTE), "{alert:?}");
    assert_eq!(last.gone_ms, None);
    assert_eq!(alert.points.last().map(|(_, value)| *value), Some(1));
    let quiet = over(&world, Expression::Restarts, 0);
    assert_eq!((quiet.spans, quiet.points.last().map(|(_, value)| *value)), (Vec::new(), Some(0)));
}

#[test]
fn a_crash_loop_is_seen_by_both() {
    let crashing = Behaviour { ready_ms: None, ends: Some((1_000, 1)), ..Behaviour::default() };
    let world = world("gpu:b", crashing, 20 * MINUTE);
    let restarts = over(&world, Expression::Restarts, MINUTE);
    assert!(restarts.spans.iter().any(|span| span.firing_ms.is_some()), "{restarts:?}");
    assert!(over(&world, Expression::NotAvailable, 5 * MINUTE).spans.last().unwrap().firing_ms.is_some());
    let stall = ClusterView::of(&world).unwrap().sets[0].stall.clone().unwrap();
    assert_eq!(stall.blockers[0].cause, "crash");
}

#[test]
fn a_rollout_that_goes_well_is_never_announced() {
    for minutes in 0..20 {
        let view = ClusterView::of(&world("gpu:b", Behaviour::default(), minutes * MINUTE)).unwrap();
        assert_eq!(view.sets[0].stall, None, "after {minutes} minutes");
    }
}
