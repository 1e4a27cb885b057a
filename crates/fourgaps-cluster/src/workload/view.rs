//! Deployments and ReplicaSets as their controllers read them.

use crate::daemonset::Share;
use crate::meta::Uid;
use crate::object::{Kind, Plain};
use crate::read::{flag, number, part, text};
use crate::store::Store;
use fourgaps_base::sort_by_key;
use serde_json::Value;
use std::sync::Arc;

/// The annotation with the number of a revision.
pub const REVISION: &str = "deployment.kubernetes.io/revision";
/// The label that tells the pods of one ReplicaSet from those of another.
pub(super) const HASH: &str = "pod-template-hash";

/// A Deployment.
#[derive(Clone, Debug)]
pub struct Deployment {
    /// As it is kept.
    pub plain: Arc<Plain>,
    /// How many pods it is to have.
    pub replicas: u32,
    /// `Recreate`: the old pods go before new ones come.
    pub recreates: bool,
    /// `maxSurge` and `maxUnavailable` as they are written.
    pub shares: (Share, Share),
    /// `minReadySeconds`.
    pub min_ready_seconds: u32,
    /// `paused`.
    pub paused: bool,
}

/// A ReplicaSet.
#[derive(Clone, Debug)]
pub struct ReplicaSet {
    /// As it is kept.
    pub plain: Arc<Plain>,
    /// How many pods it is to have.
    pub replicas: u32,
    /// How many it has, has ready, and has available, as it says.
    pub status: Counts,
}

/// Pods of a ReplicaSet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// There.
    pub replicas: u32,
    /// Ready.
    pub ready: u32,
    /// Ready for long enough.
    pub available: u32,
}

pub(super) fn count(value: &Value, field: &str) -> u32 {
    number(value, field).and_then(|n| u32::try_from(n).ok()).unwrap_or(0)
}

fn share(value: &Value, field: &str) -> Share {
    match part(value, field) {
        Value::String(text) => Share::read(text).unwrap_or(Share::Percent(25)),
        Value::Number(number) => {
            Share::Count(number.as_u64().and_then(|n| u32::try_from(n).ok()).unwrap_or(0))
        }
        _ => Share::Percent(25),
    }
}

impl Deployment {
    /// Reads one.
    pub fn of(plain: &Arc<Plain>) -> Self {
        let spec = part(&plain.body, "spec");
        let strategy = part(spec, "strategy");
        let rolling = part(strategy, "rollingUpdate");
        Self {
            replicas: if part(spec, "replicas").is_null() { 1 } else { count(spec, "replicas") },
            recreates: text(strategy, "type") == Some("Recreate"),
            shares: (share(rolling, "maxSurge"), share(rolling, "maxUnavailable")),
            min_ready_seconds: count(spec, "minReadySeconds"),
            paused: flag(spec, "paused"),
            plain: plain.clone(),
        }
    }

    /// `spec`.
    pub fn spec(&self) -> &Value {
        part(&self.plain.body, "spec")
    }

    /// `status`.
    pub fn status(&self) -> &Value {
        part(&self.plain.body, "status")
    }

    /// A number of the status.
    pub fn status_count(&self, field: &str) -> u32 {
        count(self.status(), field)
    }

    /// The condition of this type.
    pub fn condition(&self, kind: &str) -> Option<&Value> {
        crate::read::items(self.status(), "conditions").find(|one| text(one, "type") == Some(kind))
    }

    /// The pods that may be above the number, and those that may be missing (`ResolveFenceposts`).
    pub fn fence(&self) -> (u32, u32) {
        if self.recreates {
            return (0, 0);
        }
        let down = |share: Share| match share {
            Share::Count(count) => count,
            Share::Percent(part) => {
                u32::try_from(u64::from(part) * u64::from(self.replicas) / 100).unwrap_or(0)
            }
        };
        match (self.shares.0.of(self.replicas), down(self.shares.1)) {
            (0, 0) => (0, 1),
            fence => fence,
        }
    }

    /// The most pods at once.
    pub(super) fn most(&self) -> u32 {
        self.replicas + self.fence().0
    }

    /// How many may be missing (`MaxUnavailable`).
    pub(super) fn may_miss(&self) -> u32 {
        if self.recreates || self.replicas == 0 { 0 } else { self.fence().1.min(self.replicas) }
    }

    /// The number of its revision.
    pub fn revision(&self) -> u64 {
        revision_of(&self.plain)
    }
}

impl ReplicaSet {
    /// Reads one.
    pub fn of(plain: &Arc<Plain>) -> Self {
        let (spec, status) = (part(&plain.body, "spec"), part(&plain.body, "status"));
        Self {
            replicas: if part(spec, "replicas").is_null() { 1 } else { count(spec, "replicas") },
            status: Counts {
                replicas: count(status, "replicas"),
                ready: count(status, "readyReplicas"),
                available: count(status, "availableReplicas"),
            },
            plain: plain.clone(),
        }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.plain.meta.name
    }

    /// The number of its revision.
    pub fn revision(&self) -> u64 {
        revision_of(&self.plain)
    }

    /// Its template, without the label that it has from its Deployment.
    pub fn template(&self) -> Value {
        let mut template = part(part(&self.plain.body, "spec"), "template").clone();
        if let Some(labels) = template["metadata"]["labels"].as_object_mut() {
            labels.remove(HASH);
        }
        template
    }
}

fn revision_of(plain: &Plain) -> u64 {
    plain.meta.annotations.get(REVISION).and_then(|text| text.parse().ok()).unwrap_or(0)
}

/// The ReplicaSets of a Deployment, oldest first.
pub fn replica_sets_of(store: &Store, owner: Uid) -> Vec<ReplicaSet> {
    let own = store.others(Kind::ReplicaSet).filter(|set| set.meta.is_owned_by(owner));
    let mut sets: Vec<ReplicaSet> = own.map(ReplicaSet::of).collect();
    sort_by_key(&mut sets, |set| (set.plain.meta.created_ms, set.plain.meta.uid));
    sets
}
