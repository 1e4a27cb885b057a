//! What holds for every Deployment, whatever happens to its pods and nodes.

use fourgaps_cluster::Cluster;
use fourgaps_cluster::daemon::Watch;
use fourgaps_cluster::kubelet::Behaviour;
use fourgaps_cluster::lifecycle::Health;
use fourgaps_cluster::meta::Key;
use fourgaps_cluster::node::Node;
use fourgaps_cluster::object::{Kind, Object, Plain};
use fourgaps_cluster::workload::{Deployment, ReplicaSet, replica_sets_of};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Something that happens.
#[derive(Clone, Debug)]
enum Fault {
    /// A new template: the image of this number.
    Image(usize),
    Scale(u32),
    Pause(bool),
    /// A pod is deleted, the nth of those that there are.
    Delete(usize),
    Silent(usize),
    Well(usize),
    Wait(u64),
}

/// The last one cannot be pulled, the one before never gets ready.
const IMAGES: [&str; 4] = ["web:1", "web:2", "web:unready", "web:missing"];

fn fault() -> impl Strategy<Value = Fault> {
    prop_oneof![
        4 => (0..IMAGES.len()).prop_map(Fault::Image),
        3 => (0_u32..6).prop_map(Fault::Scale),
        1 => any::<bool>().prop_map(Fault::Pause),
        3 => (0_usize..8).prop_map(Fault::Delete),
        1 => (0_usize..3).prop_map(Fault::Silent),
        2 => (0_usize..3).prop_map(Fault::Well),
        8 => (1_u64..40_000).prop_map(Fault::Wait),
    ]
}

struct Stage {
    cluster: Cluster,
    key: Key,
}

impl Stage {
    fn new(strategy: &Value) -> Self {
        let mut cluster = Cluster::new(5, Watch::AtOnce);
        cluster.put_plain(
            Kind::Namespace,
            Plain { meta: fourgaps_cluster::meta::Meta::new("", "default"), ..Plain::default() },
        );
        for n in 0..3 {
            cluster.create_node(Node::new(&format!("node-{n}")));
        }
        for (image, behaviour) in [
            (IMAGES[2], Behaviour { ready_ms: None, ..Behaviour::default() }),
            (IMAGES[3], Behaviour { missing: true, ..Behaviour::default() }),
        ] {
            cluster.kubelets().script(image, behaviour);
        }
        let labels = json!({ "app": "web" });
        let container = json!({ "name": "web", "image": IMAGES[0] });
        let made = cluster.create(&json!({
            "apiVersion": "apps/v1",
            "kind": "Deployment",
            "metadata": { "name": "web", "namespace": "default" },
            "spec": {
                "replicas": 3,
                "strategy": strategy,
                "selector": { "matchLabels": labels },
                "template": { "metadata": { "labels": labels }, "spec": { "containers": [container] } },
            },
        }));
        assert_eq!(made, Ok(Vec::new()));
        let mut stage = Self { cluster, key: Key::new("default", "web") };
        stage.wait(30_000);
        stage
    }

    fn deployment(&self) -> Deployment {
        Deployment::of(self.cluster.store().other(Kind::Deployment, &self.key).unwrap())
    }

    fn sets(&self) -> Vec<ReplicaSet> {
        replica_sets_of(self.cluster.store(), self.deployment().plain.meta.uid)
    }

    fn patch(&mut self, patch: &Value) {
        let object = Object::Other(Kind::Deployment, self.deployment().plain);
        self.cluster.patch(Kind::Deployment, &object, patch).unwrap();
    }

    /// Lets time pass, and looks at every moment of it.
    fn wait(&mut self, ms: u64) {
        let until = self.cluster.now_ms() + ms;
        loop {
            let next = self.cluster.next_due_ms().unwrap_or(until).clamp(self.cluster.now_ms(), until);
            self.cluster.run_until(next);
            self.check();
            if next >= until {
                return;
            }
        }
    }

    fn happen(&mut self, fault: &Fault) {
        match fault {
            Fault::Image(nth) => {
                let containers = json!([{ "name": "web", "image": IMAGES[*nth] }]);
                self.patch(&json!({ "spec": { "template": { "spec": { "containers": containers } } } }));
            }
            Fault::Scale(replicas) => self.patch(&json!({ "spec": { "replicas": replicas } })),
            Fault::Pause(paused) => self.patch(&json!({ "spec": { "paused": paused } })),
            Fault::Delete(nth) => {
                let key = self.cluster.store().pods().nth(*nth).map(|pod| pod.key.clone());
                key.iter().for_each(|key| drop(self.cluster.delete_pod(key, None)));
            }
            Fault::Silent(nth) => self.cluster.set_health(&format!("node-{nth}"), Health::KubeletSilent),
            Fault::Well(nth) => self.cluster.set_health(&format!("node-{nth}"), Health::Well),
            Fault::Wait(ms) => self.wait(*ms),
        }
        self.cluster.settle();
        self.check();
    }

    fn check(&self) {
        let (deployment, sets) = (self.deployment(), self.sets());
        let (surge, _) = deployment.fence();
        // 1: a rolling update never wants more pods than the number and what may be above it.
        let wanted: u32 = sets.iter().map(|set| set.replicas).sum();
        let was: u32 = sets.iter().map(|set| set.status.replicas).sum();
        assert!(wanted <= (deployment.replicas + surge).max(was), "{wanted} of {deployment:?}");
        // 2: every ReplicaSet is a template of its own, and every revision too.
        let templates: BTreeSet<String> = sets.iter().map(|set| set.template().to_string()).collect();
        assert_eq!(templates.len(), sets.len());
        let revisions: BTreeSet<u64> = sets.iter().map(ReplicaSet::revision).collect();
        assert_eq!(revisions.len(), sets.len());
        // 3: what is available is ready, and what is ready is there.
        for set in &sets {
            let counts = set.status;
            assert!(counts.available <= counts.ready && counts.ready <= counts.replicas, "{counts:?}");
        }
        // 4: nobody has more live pods than it wants, once it has had a look.
        for set in &sets {
            let own = self.cluster.store().pods().filter(|pod| pod.is_owned_by(set.plain.meta.uid));
            let live = own.filter(|pod| pod.deleting.is_none() && !pod.status.phase.is_terminal()).count();
            assert!(live <= set.replicas as usize, "{live} of {}", set.replicas);
        }
    }
}

fn play(strategy: &Value, faults: &[Fault]) {
    let mut stage = Stage::new(strategy);
    for fault in faults {
        stage.happen(fault);
    }
    // 5: with a good template and good nodes it gets all that it wants, and comes to rest.
    for nth in 0..3 {
        stage.happen(&Fault::Well(nth));
    }
    stage.happen(&Fault::Pause(false));
    stage.happen(&Fault::Image(1));
    stage.wait(900_000);
    let deployment = stage.deployment();
    for field in ["updatedReplicas", "availableReplicas", "replicas"] {
        assert_eq!(
            deployment.status_count(field),
            deployment.replicas,
            "{field} of {:?}",
            deployment.status()
        );
    }
    assert_eq!(
        deployment.condition("Progressing").and_then(|one| one["reason"].as_str()),
        Some("NewReplicaSetAvailable")
    );
    let before = stage.cluster.store().clone();
    stage.wait(60_000);
    assert_eq!(before, *stage.cluster.store(), "nothing happens any more");
    // 6: what it owned goes with it.
    stage.cluster.remove(fourgaps_cluster::object::Id { kind: Kind::Deployment, key: stage.key.clone() });
    stage.cluster.run_until(stage.cluster.now_ms() + 120_000);
    assert_eq!(stage.cluster.store().pods().len(), 0);
    assert_eq!(stage.cluster.store().others(Kind::ReplicaSet).count(), 0);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_rolling_update_keeps_within_its_fence(faults in prop::collection::vec(fault(), 1..25)) {
        play(&json!({}), &faults);
    }

    #[test]
    fn other_shares_hold_too(faults in prop::collection::vec(fault(), 1..25), surge in 0_u32..3, missing in 1_u32..3) {
        let rolling = json!({ "maxSurge": surge, "maxUnavailable": missing });
        play(&json!({ "type": "RollingUpdate", "rollingUpdate": rolling }), &faults);
    }

    #[test]
    fn recreating_ends_well(faults in prop::collection::vec(fault(), 1..15)) {
        play(&json!({ "type": "Recreate" }), &faults);
    }
}
