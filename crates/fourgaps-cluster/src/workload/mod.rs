//! Deployments, their ReplicaSets, and the Endpoints of Services: steps that plan, and one place that acts. What nobody reads
//! typed all the time stays as it was given (`Plain`); these controllers read the few fields that they need.
//! Source: `pkg/controller/{deployment,replicaset,endpoint}` of Kubernetes 1.34.

mod conditions;
mod deployment;
mod endpoints;
mod plan;
mod replicas;
mod view;

use crate::cluster::Cluster;
use crate::meta::Key;
use crate::object::{Id, Kind};
use crate::pod::Pod;
use crate::queue::Queue;
use crate::selector::Selector;
use crate::store::{Seen, Store};
use std::collections::BTreeSet;

pub use endpoints::addresses;
pub use plan::{Rollback, rollback};
pub use view::{Deployment, REVISION, ReplicaSet, replica_sets_of};

/// What these controllers remember.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Workloads {
    deployments: Queue<Key>,
    sets: Queue<Key>,
    services: BTreeSet<Key>,
    /// True from the first Service on: before, no pod needs to be asked for its labels.
    has_services: bool,
    /// An owner is gone: what it owned goes too.
    collects: bool,
}

impl Workloads {
    pub(crate) fn observe(&mut self, store: &Store, seen: &Seen) {
        match seen {
            Seen::Other(id) => self.other(store, id),
            Seen::Pod(old, new) => {
                for pod in [old, new].into_iter().flatten() {
                    self.pod(store, pod);
                }
            }
            _ => {}
        }
    }

    fn other(&mut self, store: &Store, id: &Id) {
        let object = store.other(id.kind, &id.key);
        match id.kind {
            Kind::Deployment => self.deployments.add(&id.key),
            Kind::ReplicaSet => {
                self.sets.add(&id.key);
                match object.map(|set| &set.meta.owner) {
                    Some(Some(owner)) => self.deployments.add(&Key::new(&id.key.namespace, &owner.name)),
                    Some(None) => {}
                    // Whose it was is not told any more.
                    None => {
                        store.others(Kind::Deployment).for_each(|one| self.deployments.add(&one.meta.key()));
                    }
                }
            }
            Kind::Service => {
                self.has_services = true;
                self.services.insert(id.key.clone());
            }
            _ => return,
        }
        self.collects |= object.is_none();
    }

    fn pod(&mut self, store: &Store, pod: &Pod) {
        if let Some(owner) = pod.shape.owner.as_ref().filter(|owner| owner.kind == "ReplicaSet") {
            let key = Key::new(&pod.key.namespace, &owner.name);
            self.sets.add(&key);
            // One that recreates waits for the last of the old pods, which no ReplicaSet counts any more.
            let set = store.other(Kind::ReplicaSet, &key).and_then(|set| set.meta.owner.as_ref());
            if let Some(above) = set.filter(|_| store.pod_with(pod.uid).is_none()) {
                self.deployments.add(&Key::new(&pod.key.namespace, &above.name));
            }
        }
        if !self.has_services {
            return;
        }
        for service in store.others(Kind::Service) {
            let selector = Selector::of_labels(endpoints::selector(service));
            if service.meta.namespace == *pod.key.namespace && selector.matches(&pod.shape.labels) {
                self.services.insert(service.meta.key());
            }
        }
    }

    pub(crate) fn wake(&mut self, now_ms: u64) {
        self.deployments.wake(now_ms);
        self.sets.wake(now_ms);
    }

    pub(crate) fn next_due_ms(&self) -> Option<u64> {
        self.deployments.next_due_ms().into_iter().chain(self.sets.next_due_ms()).min()
    }
}

impl Cluster {
    /// Does the next step of these controllers; false where none is wanted.
    pub(crate) fn workload_step(&mut self) -> bool {
        if std::mem::take(&mut self.workloads.collects) {
            self.collect_owned();
        } else if let Some(key) = self.workloads.sets.take() {
            self.sync_replica_set(&key);
        } else if let Some(key) = self.workloads.deployments.take() {
            self.sync_deployment(&key);
        } else if let Some(key) = self.workloads.services.pop_first() {
            self.sync_endpoints(&key);
        } else {
            return false;
        }
        true
    }

    /// The garbage collector: ReplicaSets without their Deployment, pods without their ReplicaSet, Endpoints without their
    /// Service.
    fn collect_owned(&mut self) {
        let lost = |store: &Store, kind: Kind, namespace: &str, owner: &crate::meta::Owner| {
            let there = store.other(kind, &Key::new(namespace, &owner.name));
            there.is_none_or(|there| there.meta.uid != owner.uid)
        };
        let store = self.store();
        let sets = store.others(Kind::ReplicaSet).filter(|set| {
            let owner = set.meta.owner.as_ref();
            owner.is_some_and(|owner| lost(store, Kind::Deployment, &set.meta.namespace, owner))
        });
        let sets: Vec<Key> = sets.map(|set| set.meta.key()).collect();
        let endpoints = store.others(Kind::Endpoints).map(|one| one.meta.key());
        let endpoints: Vec<Key> = endpoints.filter(|key| store.other(Kind::Service, key).is_none()).collect();
        for (kind, keys) in [(Kind::ReplicaSet, sets), (Kind::Endpoints, endpoints)] {
            for key in keys {
                self.remove(Id { kind, key });
            }
        }
        let store = self.store();
        let pods = store.pods().filter(|pod| {
            let owner = pod.shape.owner.as_ref().filter(|owner| owner.kind == "ReplicaSet");
            owner.is_some_and(|owner| lost(store, Kind::ReplicaSet, &pod.key.namespace, owner))
        });
        for key in pods.map(|pod| pod.key.clone()).collect::<Vec<_>>() {
            // It was there a line ago.
            let _ = self.delete_pod(&key, None);
        }
    }
}
