//! Budgets for disruptions, and the eviction that asks them. Only evictions do: neither a DaemonSet's controller nor a
//! taint nor a plain delete asks.

use crate::api::Refusal;
use crate::cluster::Cluster;
use crate::daemonset::Share;
use crate::meta::{Key, Uid};
use crate::object::{Id, Kind, Plain};
use crate::pod::{Phase, Pod};
use crate::read;
use crate::selector::Selector;
use crate::store::Store;
use crate::workload::{Deployment, ReplicaSet};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// `status` of a PodDisruptionBudget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Disruptions {
    /// How many pods may be evicted now.
    pub allowed: u32,
    /// Pods that are healthy.
    pub current: u32,
    /// How many must be.
    pub desired: u32,
    /// Pods that the budget is about.
    pub total: u32,
}

fn share(spec: &Value, field: &str) -> Option<Share> {
    match read::part(spec, field) {
        Value::Number(number) => number.as_u64().and_then(|n| u32::try_from(n).ok()).map(Share::Count),
        Value::String(text) => Share::read(text),
        _ => None,
    }
}

/// The pods that a budget is about.
pub fn pods_of<'a>(store: &'a Store, budget: &'a Plain) -> impl Iterator<Item = &'a Arc<Pod>> {
    let selector = Selector::of(read::part(read::part(&budget.body, "spec"), "selector"));
    let namespace = budget.meta.namespace.as_str();
    let ends = |pod: &Pod| pod.status.phase.is_terminal();
    store.pods_by_age().filter(move |pod| {
        *pod.key.namespace == *namespace && !ends(pod) && selector.matches(&pod.shape.labels)
    })
}

/// How many pods there should be: what their Deployments and ReplicaSets are told, and of others those that are there.
fn expected(store: &Store, pods: &[&Arc<Pod>]) -> u32 {
    let mut sets: BTreeMap<Uid, Option<u32>> = BTreeMap::new();
    let mut alone = 0;
    for pod in pods {
        let owner = pod.shape.owner.as_ref().filter(|owner| owner.kind == "ReplicaSet");
        let Some(owner) = owner else {
            alone += 1;
            continue;
        };
        let set = store.other(Kind::ReplicaSet, &Key::new(&pod.key.namespace, &owner.name));
        let above = set.and_then(|set| set.meta.owner.as_ref());
        let deployment =
            above.and_then(|above| store.other(Kind::Deployment, &Key::new(&pod.key.namespace, &above.name)));
        match (deployment, set) {
            (Some(plain), _) => sets.insert(plain.meta.uid, Some(Deployment::of(plain).replicas)),
            (None, Some(plain)) => sets.insert(plain.meta.uid, Some(ReplicaSet::of(plain).replicas)),
            (None, None) => sets.insert(owner.uid, None),
        };
    }
    alone + sets.into_values().flatten().sum::<u32>()
}

/// What a budget allows now. A share, and what may be missing, count against the pods that should be there.
pub fn disruptions(store: &Store, budget: &Plain) -> Disruptions {
    let spec = read::part(&budget.body, "spec");
    let pods: Vec<&Arc<Pod>> = pods_of(store, budget).collect();
    let healthy = |pod: &&&Arc<Pod>| pod.is_ready() && pod.deleting.is_none();
    let current = u32::try_from(pods.iter().filter(healthy).count()).unwrap_or(u32::MAX);
    let least = share(spec, "minAvailable");
    let total = match least {
        Some(Share::Count(_)) => u32::try_from(pods.len()).unwrap_or(u32::MAX),
        _ => expected(store, &pods),
    };
    let desired = match (least, share(spec, "maxUnavailable")) {
        (Some(least), _) => least.of(total),
        (None, Some(most)) => total.saturating_sub(most.of(total)),
        (None, None) => 0,
    };
    Disruptions { allowed: current.saturating_sub(desired), current, desired, total }
}

impl Cluster {
    /// Asks for the eviction of a pod, as `kubectl drain` does; `grace_seconds` as for a deletion.
    ///
    /// # Errors
    /// There is no such pod, or its budget does not allow it now.
    pub fn evict(&mut self, key: &Key, grace_seconds: Option<u32>) -> Result<(), Refusal> {
        let missing = || Refusal::NotFound(Id { kind: Kind::Pod, key: key.clone() });
        let pod = self.store().pod(key).ok_or_else(missing)?;
        let ready = pod.is_ready() && pod.deleting.is_none();
        // `canIgnorePDB`: what does not run yet or any more disturbs nobody.
        let idle = pod.deleting.is_some() || pod.status.phase != Phase::Running;
        let about = |budget: &&Arc<Plain>| pods_of(self.store(), budget).any(|pod| pod.key == *key);
        let budget = self.store().others(Kind::PodDisruptionBudget).find(about);
        // A pod that is not ready disturbs nobody as long as enough others are.
        let allowed = idle
            || budget.is_none_or(|budget| {
                let disruptions = disruptions(self.store(), budget);
                disruptions.allowed > 0 || !ready && disruptions.current >= disruptions.desired
            });
        if !allowed {
            let why = "Cannot evict pod as it would violate the pod's disruption budget.";
            return Err(Refusal::TooManyRequests(why.into()));
        }
        self.mark_disrupted(key, "EvictionByEvictionAPI", "Eviction API: evicting");
        self.delete_pod(key, grace_seconds)
    }
}
