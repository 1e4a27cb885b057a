//! The ReplicaSet controller: as many pods as it is told.

use super::view::{Counts, ReplicaSet, count};
use crate::api::NewPod;
use crate::change::Change;
use crate::cluster::Cluster;
use crate::event::{Level, Note};
use crate::meta::{Key, Owner};
use crate::object::{Id, Kind, Object, Plain};
use crate::pod::{Phase, Pod, Shape};
use crate::read::part;
use crate::selector::Selector;
use crate::spec::Template;
use fourgaps_base::{sort_by, sort_by_key};
use serde_json::json;
use std::cmp::Reverse;
use std::sync::Arc;

/// The most pods that one sync makes, and the most that it ends.
const BURST: usize = 500;

/// What a ReplicaSet wants of its pods now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Plan {
    create: usize,
    delete: Vec<Key>,
}

fn plan(replicas: u32, pods: &[Arc<Pod>]) -> Plan {
    let wanted = usize::try_from(replicas).unwrap_or(usize::MAX);
    if pods.len() <= wanted {
        return Plan { create: (wanted - pods.len()).min(BURST), delete: Vec::new() };
    }
    let on_its_node = |pod: &Pod| pods.iter().filter(|other| other.node == pod.node).count();
    let mut pods: Vec<&Arc<Pod>> = pods.iter().collect();
    // `ActivePodsWithRanks`: what loses least goes first.
    sort_by_key(&mut pods, |pod| {
        let phase = u8::from(pod.status.phase == Phase::Running);
        let restarts: u32 = pod.status.containers.iter().map(|container| container.restarts).sum();
        let (ready, node) = (pod.ready_since_ms(), pod.node.is_some());
        let age = (Reverse(ready), Reverse(restarts), Reverse(pod.created_ms), pod.key.name.clone());
        (node, phase, ready.is_some(), Reverse(on_its_node(pod)), age)
    });
    let delete = pods.iter().take((pods.len() - wanted).min(BURST)).map(|pod| pod.key.clone()).collect();
    Plan { create: 0, delete }
}

impl Cluster {
    pub(super) fn sync_replica_set(&mut self, key: &Key) {
        let Some(plain) = self.store().other(Kind::ReplicaSet, key).cloned() else { return };
        let set = ReplicaSet::of(&plain);
        self.claim_pods(&plain);
        let plan = plan(set.replicas, &self.pods_of_set(&plain));
        let failed = self.make_pods(&plain, plan.create);
        for key in plan.delete {
            self.told_of(&plain, Level::Normal, "SuccessfulDelete", format!("Deleted pod: {}", key.name));
            // It was there a line ago.
            let _ = self.delete_pod(&key, None);
        }
        self.write_set_status(&plain, &set);
        let now_ms = self.now_ms();
        match failed {
            true => self.workloads.sets.add_after_failure(key.clone(), now_ms),
            false => self.workloads.sets.forget(key),
        }
    }

    /// Pods that match no more are let go, and those of nobody that match are taken in (`ClaimPods`).
    fn claim_pods(&mut self, set: &Plain) {
        let selector = Selector::of(part(part(&set.body, "spec"), "selector"));
        let owner = Owner { kind: "ReplicaSet".into(), name: set.meta.name.clone(), uid: set.meta.uid };
        let claimed = |pod: &Arc<Pod>| {
            let matches = selector.matches(&pod.shape.labels);
            let lives = pod.deleting.is_none() && *pod.key.namespace == *set.meta.namespace;
            match &pod.shape.owner {
                Some(old) => (old.uid == owner.uid && !matches && lives).then_some(None),
                None => {
                    let free = lives && matches && !pod.status.phase.is_terminal();
                    free.then(|| Some(owner.clone()))
                }
            }
        };
        let found: Vec<(Arc<Pod>, Option<Owner>)> =
            self.store().pods_by_age().filter_map(|pod| Some((pod.clone(), claimed(pod)?))).collect();
        for (pod, owner) in found {
            let shape = Arc::new(Shape { owner, ..(*pod.shape).clone() });
            self.commit(Change::Put(Object::Pod(Arc::new(Pod { shape, ..(*pod).clone() }))));
        }
    }

    /// Pods that it has and that are to stay.
    fn pods_of_set(&self, set: &Plain) -> Vec<Arc<Pod>> {
        let stays = |pod: &&Arc<Pod>| pod.deleting.is_none() && !pod.status.phase.is_terminal();
        let mut own: Vec<_> = self.store().pods_of(set.meta.uid).filter(stays).cloned().collect();
        sort_by(&mut own, |a, b| a.key.cmp(&b.key));
        own
    }

    /// Makes pods in batches of 1, 2, 4 and so on; true where one was refused, and then no further batch is tried.
    fn make_pods(&mut self, set: &Plain, wanted: usize) -> bool {
        let template = Template::of(part(part(&set.body, "spec"), "template"));
        let owner = Owner { kind: "ReplicaSet".into(), name: set.meta.name.clone(), uid: set.meta.uid };
        let Template { labels, annotations, spec, .. } = template;
        let shape = Arc::new(Shape { labels, annotations, owner: Some(owner), spec });
        let (mut done, mut batch, mut failed) = (0, 1, false);
        while done < wanted && !failed {
            for _ in 0..batch.min(wanted - done) {
                let (namespace, name) = (set.meta.namespace.clone(), format!("{}-", set.meta.name));
                let new = NewPod { namespace, name, shape: shape.clone(), target: None };
                match self.create_pod(new) {
                    Ok(key) => {
                        let message = format!("Created pod: {}", key.name);
                        self.told_of(set, Level::Normal, "SuccessfulCreate", message);
                    }
                    Err(refusal) => {
                        let message = format!("Error creating: {refusal}");
                        self.told_of(set, Level::Warning, "FailedCreate", message);
                        failed = true;
                    }
                }
            }
            (done, batch) = (done + batch, batch * 2);
        }
        failed
    }

    fn told_of(&mut self, set: &Plain, level: Level, reason: &'static str, message: String) {
        self.tell(Note {
            about: Id { kind: Kind::ReplicaSet, key: set.meta.key() },
            uid: Some(set.meta.uid),
            level,
            reason: reason.into(),
            message,
            source: "replicaset-controller".into(),
        });
    }

    fn write_set_status(&mut self, plain: &Arc<Plain>, set: &ReplicaSet) {
        let (now_ms, pods) = (self.now_ms(), self.pods_of_set(plain));
        let wait_ms = u64::from(count(part(&plain.body, "spec"), "minReadySeconds")) * 1000;
        let due: Vec<u64> = pods.iter().filter_map(|pod| Some(pod.ready_since_ms()? + wait_ms)).collect();
        let counts = Counts {
            replicas: u32::try_from(pods.len()).unwrap_or(u32::MAX),
            ready: u32::try_from(due.len()).unwrap_or(u32::MAX),
            available: u32::try_from(due.iter().filter(|due| **due <= now_ms).count()).unwrap_or(u32::MAX),
        };
        if let Some(next) = due.into_iter().filter(|due| *due > now_ms).min() {
            self.workloads.sets.add_at(plain.meta.key(), next);
        }
        let mut status = json!({ "observedGeneration": plain.meta.generation, "replicas": counts.replicas });
        for (field, number) in [
            ("availableReplicas", counts.available),
            ("fullyLabeledReplicas", counts.replicas),
            ("readyReplicas", counts.ready),
        ] {
            if number > 0 {
                status[field] = number.into();
            }
        }
        if set.status != counts || *part(&plain.body, "status") != status {
            self.write_status(Kind::ReplicaSet, plain, status);
        }
    }

    /// Writes the status of an object that is kept as it was given.
    pub(super) fn write_status(&mut self, kind: Kind, plain: &Plain, status: serde_json::Value) {
        let mut new = plain.clone();
        new.body["status"] = status;
        self.commit(Change::Put(Object::Other(kind, Arc::new(new))));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::node::Truth;

    fn pod(name: &str, ready_ms: Option<u64>) -> Arc<Pod> {
        let mut pod = Pod { key: Key::new("default", name), node: Some("n".into()), ..Pod::default() };
        let mut status = (*pod.status).clone();
        status.phase = Phase::Running;
        if let Some(ms) = ready_ms {
            status.set_condition("Ready", Truth::True, ms);
        }
        pod.status = Arc::new(status);
        Arc::new(pod)
    }

    #[test]
    fn what_is_not_ready_goes_first_and_then_the_youngest() {
        let pods = [pod("old", Some(1_000)), pod("young", Some(9_000)), pod("unready", None)];
        assert_eq!(plan(5, &pods), Plan { create: 2, delete: Vec::new() });
        let gone = |replicas| -> Vec<String> {
            plan(replicas, &pods).delete.iter().map(|key| key.name.to_string()).collect()
        };
        assert_eq!(gone(2), ["unready"]);
        assert_eq!(gone(1), ["unready", "young"]);
    }
}
