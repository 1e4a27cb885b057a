//! What the controller writes, in the cases of Kubernetes' own tests: new pods, the node that a pod is for, and the status. The
//! letters in the comments are those of the table in `kubernetes.md` of the facts.

mod common;

use common::{Stage, rolling};
use fourgaps_cluster::daemon::Refusals;
use fourgaps_cluster::pod::{GENERATION_LABEL, HASH_LABEL, Pod, Shape};
use fourgaps_cluster::spec::PodSpec;
use serde_json::json;
use std::sync::Arc;

/// C1 and P2: what a new pod is like.
#[test]
fn a_new_pod_is_for_one_node_and_carries_two_labels() {
    let mut stage = Stage::new(2, rolling("1", "0"));
    stage.update(&json!({}));
    stage.check(&[(2, 0)]);
    let hash = stage.hash();
    for pod in stage.cluster.store().pods() {
        assert!(pod.node.is_none() && pod.target.is_some());
        assert_eq!(pod.shape.labels[GENERATION_LABEL], "2");
        assert_eq!(pod.shape.labels[HASH_LABEL], hash);
    }
}

/// P3: the node that a pod is for is the one it is bound to, else the one it was made for, else the one name that it demands.
#[test]
fn the_place_of_a_pod() {
    let pod = |node: Option<&str>, target: Option<&str>| Pod {
        node: node.map(Arc::from),
        target: target.map(Arc::from),
        ..Pod::default()
    };
    assert_eq!(pod(Some("a"), Some("b")).place(), Some("a"));
    assert_eq!(pod(None, Some("b")).place(), Some("b"));
    assert_eq!(pod(None, None).place(), None);
    let demands = |terms: serde_json::Value| {
        let affinity =
            json!({ "requiredDuringSchedulingIgnoredDuringExecution": { "nodeSelectorTerms": terms } });
        PodSpec::of(&json!({ "containers": [], "affinity": { "nodeAffinity": affinity } }))
    };
    let names = |names: &[&str]| json!({ "key": "metadata.name", "operator": "In", "values": names });
    for (terms, wanted) in [
        (json!([{ "matchFields": [names(&["a"])] }]), Some("a")),
        (json!([{ "matchExpressions": [names(&["a"])] }, { "matchFields": [names(&["b"])] }]), Some("b")),
        (json!([]), None),
        (json!([{ "matchFields": [names(&["a", "b"])] }]), None),
        (
            json!([{ "matchFields": [{ "key": "metadata.name", "operator": "NotIn", "values": ["a"] }] }]),
            None,
        ),
    ] {
        let shape = Arc::new(Shape { spec: demands(terms), ..Shape::default() });
        let bound = Pod { node: Some("z".into()), shape: shape.clone(), ..Pod::default() };
        assert_eq!(Pod { shape, ..Pod::default() }.place(), wanted);
        assert_eq!(bound.place(), Some("z"));
    }
    assert_eq!(
        Pod {
            shape: Arc::new(Shape { spec: PodSpec::of(&json!({})), ..Shape::default() }),
            ..Pod::default()
        }
        .place(),
        None
    );
}

/// C37 to C40: a status that the API server refuses is written once more, on what the server has then; after that the
/// sync has failed, and is done again later.
#[test]
fn a_refused_status_is_written_once_more() {
    let conflict = "Operation cannot be fulfilled on daemonsets.apps \"ds\": the object has been modified; please apply \
                    your changes to the latest version and try again";
    for (updates, gets, tried, error) in [
        (0, 0, (1, 0), None),
        (1, 0, (2, 1), None),
        (2, 0, (2, 1), Some(conflict)),
        (1, 1, (1, 1), Some("daemonsets.apps \"ds\" cannot be read")),
    ] {
        let mut stage = Stage::new(1, rolling("1", "0"));
        stage.cluster.refuse_status(updates, gets);
        let report = stage.report();
        let Refusals { updates_tried, gets_tried, .. } = stage.cluster.status_refusals();
        assert_eq!((updates_tried, gets_tried), tried);
        assert_eq!(report.error.as_deref(), error);
        assert_eq!(stage.status().current, u32::from(error.is_none()));
        assert_eq!(stage.cluster.store().pods().count(), 1, "the pod is there in any case");
        stage.cluster.run_until(60_000);
        assert_eq!(stage.status().current, 1);
    }
}
