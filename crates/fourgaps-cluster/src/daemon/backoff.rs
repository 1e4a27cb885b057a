//! How long a pod that failed is left alone before it is replaced, so that the controller does not fight with a kubelet
//! that refuses every pod (`failedPodsBackoff`).

use crate::daemonset::DaemonSet;
use crate::meta::Uid;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The first wait, in milliseconds.
const FIRST_MS: u64 = 1_000;
/// The longest wait, in milliseconds (`cmd/kube-controller-manager/app/apps.go`).
const LONGEST_MS: u64 = 900_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Wait {
    delay_ms: u64,
    since_ms: u64,
}

/// The waits, by DaemonSet, observed generation and node: a new generation starts anew.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Backoffs(BTreeMap<(Uid, u64, Arc<str>), Wait>);

impl Backoffs {
    /// How long the failed pod of a node has to be left alone, in milliseconds; `None` where it may be replaced now,
    /// and then the next one has to wait longer.
    pub fn must_wait(&mut self, set: &DaemonSet, node: &Arc<str>, now_ms: u64) -> Option<u64> {
        let key = (set.meta.uid, set.status.observed_generation, node.clone());
        let next = match self.0.get(&key) {
            Some(wait) if now_ms - wait.since_ms < wait.delay_ms => return Some(wait.delay_ms),
            Some(wait) if now_ms - wait.since_ms <= 2 * LONGEST_MS => (wait.delay_ms * 2).min(LONGEST_MS),
            _ => FIRST_MS,
        };
        self.0.insert(key, Wait { delay_ms: next, since_ms: now_ms });
        None
    }

    /// Forgets a DaemonSet.
    pub fn forget(&mut self, uid: Uid) {
        self.0.retain(|(of, _, _), _| *of != uid);
    }
}
