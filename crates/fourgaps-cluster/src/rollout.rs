//! What `kubectl rollout` does to a DaemonSet: it goes back to an older template, and reads how far a rollout is.

use crate::api::Refusal;
use crate::cluster::Cluster;
use crate::daemonset::{DaemonSet, Revision, Strategy};
use crate::meta::Key;
use std::sync::Arc;

/// How an undo ended (`polymorphichelpers/rollback.go` of kubectl).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Undo {
    /// The template is that of an older revision now.
    RolledBack,
    /// It is already.
    Skipped {
        /// The revision that was asked for.
        revision: u64,
    },
    /// There is no older revision.
    NoHistory,
    /// There is no such revision.
    NoRevision {
        /// The revision that was asked for.
        revision: u64,
    },
}

/// The revision that an undo would go back to: this one, or for 0 the one before the newest.
///
/// # Errors
/// There is no such revision.
pub fn target(cluster: &Cluster, set: &DaemonSet, revision: u64) -> Result<Arc<Revision>, Undo> {
    let history = cluster.store().revisions_of(set.meta.uid);
    if revision == 0 && history.len() <= 1 {
        return Err(Undo::NoHistory);
    }
    let found = match revision {
        0 => history.iter().nth_back(1),
        _ => history.iter().find(|old| old.number == revision),
    };
    found.map(|found| (*found).clone()).ok_or(Undo::NoRevision { revision })
}

/// Makes the template of an older revision the present one. For the controller this is a change like any other.
///
/// # Errors
/// There is no such DaemonSet.
pub fn undo(cluster: &mut Cluster, key: &Key, revision: u64) -> Result<Undo, Refusal> {
    let missing =
        || Refusal::NotFound(crate::object::Id { kind: crate::object::Kind::DaemonSet, key: key.clone() });
    let set = cluster.store().daemonset(key).ok_or_else(missing)?.clone();
    let target = match target(cluster, &set, revision) {
        Ok(target) => target,
        Err(end) => return Ok(end),
    };
    if target.template.given == set.template.given {
        return Ok(Undo::Skipped { revision });
    }
    cluster.edit_daemonset(key, |set| set.template = target.template.clone())?;
    Ok(Undo::RolledBack)
}

/// How far a rollout is (`polymorphichelpers/rollout_status.go` of kubectl).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The controller has not looked yet.
    NotObserved,
    /// Nodes with the newest template, of those that should run a pod.
    Updated(u32, u32),
    /// Nodes with an available pod, of those that should run one.
    Available(u32, u32),
    /// All is done.
    Done,
    /// Nobody rolls anything out: old pods are only replaced where somebody deletes them.
    OnDelete,
}

/// How far the rollout of a DaemonSet is.
pub fn progress(set: &DaemonSet) -> Progress {
    let status = &set.status;
    if set.strategy == Strategy::OnDelete {
        Progress::OnDelete
    } else if set.meta.generation > status.observed_generation {
        Progress::NotObserved
    } else if status.updated < status.desired {
        Progress::Updated(status.updated, status.desired)
    } else if status.available < status.desired {
        Progress::Available(status.available, status.desired)
    } else {
        Progress::Done
    }
}
