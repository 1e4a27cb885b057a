//! What a Deployment wants of its ReplicaSets: plans, which read and change nothing.

use super::view::{Deployment, ReplicaSet};
use crate::store::Store;
use fourgaps_base::sort_by_key;
use serde_json::Value;

/// A ReplicaSet by its place in a list, and the number of pods that it is to have.
pub(super) type Scale = (usize, u32);

fn sum(sets: &[ReplicaSet]) -> u32 {
    sets.iter().map(|set| set.replicas).sum()
}

/// How many pods the newest ReplicaSet may have now (`NewRSNewReplicas`); `others` are all of them, without a new one.
pub(super) fn replicas_of_new(deployment: &Deployment, all: &[ReplicaSet], now: u32) -> u32 {
    let (total, most) = (sum(all), deployment.most());
    if deployment.recreates {
        return deployment.replicas;
    }
    if total >= most {
        return now;
    }
    now + (most - total).min(deployment.replicas.saturating_sub(now))
}

/// The next steps of a rolling update: the newest ReplicaSet first, then the old ones (`rolloutRolling`). `new` is the place of
/// the newest in the list.
pub(super) fn rolling(deployment: &Deployment, all: &[ReplicaSet], new: usize) -> Vec<Scale> {
    let newest = &all[new];
    let to = match newest.replicas.cmp(&deployment.replicas) {
        std::cmp::Ordering::Greater => deployment.replicas,
        _ => replicas_of_new(deployment, all, newest.replicas),
    };
    if to != newest.replicas {
        return vec![(new, to)];
    }
    let least = deployment.replicas.saturating_sub(deployment.may_miss());
    let missing = newest.replicas.saturating_sub(newest.status.available);
    let mut may_go = sum(all).saturating_sub(least + missing);
    let mut left: Vec<u32> = all.iter().map(|set| set.replicas).collect();
    // Old pods that are not available go first, whatever else happens.
    for at in (0..all.len()).filter(|at| *at != new) {
        let unhealthy = left[at].saturating_sub(all[at].status.available).min(may_go);
        left[at] -= unhealthy;
        may_go -= unhealthy;
    }
    let available: u32 = all.iter().map(|set| set.status.available).sum();
    let mut surplus = available.saturating_sub(least).min(may_go);
    for at in (0..all.len()).filter(|at| *at != new) {
        let going = left[at].min(surplus);
        left[at] -= going;
        surplus -= going;
    }
    let changed = left.into_iter().enumerate().filter(|(at, to)| *to != all[*at].replicas);
    changed.collect()
}

/// `Recreate`: the newest gets its pods once the old ones are gone.
pub(super) fn recreating(
    deployment: &Deployment,
    all: &[ReplicaSet],
    new: usize,
    olds_run: bool,
) -> Vec<Scale> {
    let old = (0..all.len()).filter(|at| *at != new && all[*at].replicas > 0);
    let down: Vec<Scale> = old.map(|at| (at, 0)).collect();
    if !down.is_empty() || olds_run || all[new].replicas == deployment.replicas {
        return down;
    }
    vec![(new, deployment.replicas)]
}

/// The steps where only the number changed, or nothing may roll (`scale`): every ReplicaSet gets its part.
pub(super) fn proportional(deployment: &Deployment, all: &[ReplicaSet], new: Option<usize>) -> Vec<Scale> {
    let active: Vec<usize> = (0..all.len()).filter(|at| all[*at].replicas > 0).collect();
    let only = match active.as_slice() {
        [] => new.or_else(|| all.len().checked_sub(1)),
        [one] => Some(*one),
        _ => None,
    };
    if let Some(only) = only {
        let same = all[only].replicas == deployment.replicas;
        return if same { Vec::new() } else { vec![(only, deployment.replicas)] };
    }
    let saturated = new.is_some_and(|new| {
        let set = &all[new];
        let told = set.plain.meta.annotations.get(DESIRED).and_then(|text| text.parse().ok());
        [set.replicas, set.status.available].iter().chain(&told).all(|count| *count == deployment.replicas)
    });
    if saturated {
        return active.into_iter().filter(|at| Some(*at) != new).map(|at| (at, 0)).collect();
    }
    if deployment.recreates {
        return Vec::new();
    }
    let signed = |number: u32| i64::from(number);
    let allowed = if deployment.replicas > 0 { deployment.most() } else { 0 };
    let to_add = signed(allowed) - signed(sum(all));
    let mut order = active;
    // The largest first; of equals the younger where pods are added, the older where they go.
    sort_by_key(&mut order, |at| {
        let age = i64::try_from(*at).unwrap_or(0);
        (std::cmp::Reverse(all[*at].replicas), if to_add > 0 { -age } else { age })
    });
    let fraction = |set: &ReplicaSet| -> i64 {
        let was = set.plain.meta.annotations.get(MOST).and_then(|text| text.parse::<i64>().ok());
        let was = was.unwrap_or(signed(deployment.status_count("replicas"))).max(1);
        let now = (signed(set.replicas) * signed(deployment.most()) * 2 + was) / (2 * was);
        if deployment.replicas == 0 { -signed(set.replicas) } else { now - signed(set.replicas) }
    };
    let mut added = 0;
    let mut to: Vec<(usize, i64)> = Vec::new();
    for at in order {
        let left = to_add - added;
        let part = if to_add > 0 { fraction(&all[at]).min(left) } else { fraction(&all[at]).max(left) };
        let part = if to_add == 0 { 0 } else { part };
        added += part;
        to.push((at, signed(all[at].replicas) + part));
    }
    if let Some((_, first)) = to.first_mut() {
        *first = (*first + to_add - added).max(0);
    }
    let whole = |n: i64| u32::try_from(n).unwrap_or(0);
    // One that keeps its number is told the new one of the Deployment all the same.
    to.into_iter().map(|(at, to)| (at, whole(to))).collect()
}

/// The annotations in which a ReplicaSet keeps the numbers of its Deployment.
pub(super) const DESIRED: &str = "deployment.kubernetes.io/desired-replicas";
/// See [`DESIRED`].
pub(super) const MOST: &str = "deployment.kubernetes.io/max-replicas";

/// What a wish to go back comes to.
#[derive(Clone, Debug, PartialEq)]
pub enum Rollback {
    /// The template of that revision.
    To(Value),
    /// It is so already.
    Skipped(u64),
    /// It is paused.
    Paused,
    /// There is no revision before.
    NoHistory,
    /// There is no such revision.
    NoRevision(u64),
}

/// What going back to a revision comes to; 0 is the one before (`DeploymentRollbacker`).
pub fn rollback(store: &Store, deployment: &Deployment, to: u64) -> Rollback {
    let mut sets = super::view::replica_sets_of(store, deployment.plain.meta.uid);
    sort_by_key(&mut sets, |set| std::cmp::Reverse(set.revision()));
    let target = match to {
        0 => sets.get(1),
        to => sets.iter().find(|set| set.revision() == to),
    };
    let Some(target) = target else {
        return if to == 0 { Rollback::NoHistory } else { Rollback::NoRevision(to) };
    };
    if deployment.paused {
        return Rollback::Paused;
    }
    let template = target.template();
    match template == *crate::read::part(deployment.spec(), "template") {
        true => Rollback::Skipped(target.revision()),
        false => Rollback::To(template),
    }
}
