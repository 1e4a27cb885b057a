//! Evictions and the disruption budgets that hold them up.
//! Source: `pkg/registry/core/pod/storage/eviction.go` and `pkg/controller/disruption` of Kubernetes 1.34.
//!
//! A choice: how many pods a budget covers is the number that is there, not what their owners want.

use crate::api::Refusal;
use crate::cluster::Cluster;
use crate::daemonset::Share;
use crate::meta::Key;
use crate::object::{Id, Kind, Plain};
use crate::pod::Pod;
use crate::read::part;
use crate::selector::Selector;
use crate::store::Store;
use serde_json::Value;
use std::sync::Arc;

/// What a budget allows now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Pods that may go.
    pub allowed: u32,
    /// Pods that are ready.
    pub current: u32,
    /// Pods that must be ready.
    pub desired: u32,
    /// Pods that it covers.
    pub total: u32,
}

/// Why a pod is not evicted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotEvicted {
    /// A budget forbids it for now (429).
    Budget,
    /// The server refuses.
    Refused(Refusal),
}

/// The words of the answer where a budget forbids it.
pub const OF_BUDGET: &str = "Cannot evict pod as it would violate the pod's disruption budget.";

/// What a budget allows now.
pub fn budget(store: &Store, plain: &Plain) -> Budget {
    let count = |pods: usize| u32::try_from(pods).unwrap_or(u32::MAX);
    let pods: Vec<&Arc<Pod>> = store.pods().filter(|pod| covers(plain, pod)).collect();
    let total = count(pods.len());
    let current = count(pods.iter().filter(|pod| pod.is_ready() && pod.deleting.is_none()).count());
    let spec = part(&plain.body, "spec");
    let share = |field: &str| match part(spec, field) {
        Value::String(text) => Share::read(text),
        value => value.as_u64().and_then(|count| u32::try_from(count).ok()).map(Share::Count),
    };
    let desired = match (share("minAvailable"), share("maxUnavailable")) {
        (Some(least), _) => least.of(total),
        (None, Some(most)) => total.saturating_sub(most.of(total)),
        (None, None) => 0,
    };
    Budget { allowed: current.saturating_sub(desired), current, desired, total }
}

fn covers(plain: &Plain, pod: &Pod) -> bool {
    let selector = part(part(&plain.body, "spec"), "selector");
    *plain.meta.namespace == *pod.key.namespace
        && !selector.is_null()
        && !pod.status.phase.is_terminal()
        && Selector::of(selector).matches(&pod.shape.labels)
}

impl Cluster {
    /// Evicts a pod: deletes it, unless a budget forbids it. A pod that is not ready does not count against one that is met.
    ///
    /// # Errors
    /// Says why it stays.
    pub fn evict(&mut self, key: &Key) -> Result<(), NotEvicted> {
        let store = self.store();
        let missing = || NotEvicted::Refused(Refusal::NotFound(Id { kind: Kind::Pod, key: key.clone() }));
        let pod = store.pod(key).ok_or_else(missing)?;
        let budgets = store.others(Kind::PodDisruptionBudget).filter(|plain| covers(plain, pod));
        for plain in budgets {
            let budget = budget(store, plain);
            let harmless = !pod.is_ready() && budget.current >= budget.desired && budget.desired > 0;
            if budget.allowed == 0 && !harmless && pod.deleting.is_none() {
                return Err(NotEvicted::Budget);
            }
        }
        self.mark_disrupted(key, "EvictionByEvictionAPI", "Eviction API: evicting");
        self.delete_pod(key, None).map_err(NotEvicted::Refused)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meta::Meta;
    use crate::node::Truth;
    use crate::pod::PodStatus;
    use serde_json::json;

    #[test]
    fn a_budget_lets_go_what_it_can_spare() {
        let mut cluster = Cluster::new(1, crate::daemon::Watch::AtOnce);
        for name in ["a", "b", "c"] {
            let shape =
                crate::pod::Shape { labels: [("app".into(), "web".into())].into(), ..Default::default() };
            let (namespace, name) = ("shop".into(), name.into());
            let new = crate::api::NewPod { namespace, name, shape: Arc::new(shape), target: None };
            let key = cluster.create_pod(new).unwrap();
            let mut status = PodStatus::default();
            status.set_condition("Ready", Truth::True, 0);
            let status = Arc::new(status);
            cluster.commit(crate::Change::PodStatus { key, status });
        }
        let body = json!({ "spec": { "minAvailable": 2, "selector": { "matchLabels": { "app": "web" } } } });
        cluster.put_plain(Kind::PodDisruptionBudget, Plain { meta: Meta::new("shop", "pdb"), body });
        let key = |name: &str| Key { namespace: "shop".into(), name: name.into() };
        assert_eq!(cluster.evict(&key("a")), Ok(()));
        assert_eq!(cluster.evict(&key("b")), Err(NotEvicted::Budget));
        assert!(matches!(cluster.evict(&key("x")), Err(NotEvicted::Refused(_))));
    }
}
