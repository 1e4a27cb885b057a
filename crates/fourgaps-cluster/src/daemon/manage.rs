//! The first half of a sync: every node that should have a pod gets one, and pods that are too much go (`manage`,
//! `podsShouldBeOnNode`).

use super::backoff::Backoffs;
use super::rows::{Row, Rows, is_available, ready_since};
use super::sync::Plan;
use crate::daemonset::DaemonSet;
use crate::event::Level;
use crate::pod::{Phase, Pod};
use crate::store::Store;
use std::sync::Arc;

/// What is to be done, and how long failed pods are left alone.
pub fn plan(
    store: &Store,
    set: &DaemonSet,
    rows: &Rows,
    backoffs: &mut Backoffs,
    hash: &str,
    now_ms: u64,
) -> Plan {
    let mut plan = Plan::default();
    for row in rows.tally().busy.iter().map(|at| rows.row(at)) {
        if row.fit.run && !row.occupied {
            plan.create(&row.node);
        } else {
            tidy(&mut plan, store, set, row, backoffs, hash, now_ms);
        }
    }
    plan
}

fn tidy(
    plan: &mut Plan,
    store: &Store,
    set: &DaemonSet,
    row: &Row,
    backoffs: &mut Backoffs,
    hash: &str,
    now_ms: u64,
) {
    let pods = store.pods_at(set.meta.uid, &row.node);
    if !row.exists {
        // Pods bound to a node that is gone are left to the pod garbage collector.
        pods.into_iter().filter(|pod| pod.node.is_none()).for_each(|pod| plan.delete(pod));
        return;
    }
    let living = pods.into_iter().filter(|pod| pod.deleting.is_none());
    if !row.fit.keep {
        living.for_each(|pod| plan.delete(pod));
        return;
    }
    let mut running: Vec<&Arc<Pod>> = Vec::new();
    for pod in living {
        let ended = match pod.status.phase {
            Phase::Failed => {
                if let Some(delay_ms) = backoffs.must_wait(set, &row.node, now_ms) {
                    plan.again_at.push(now_ms + delay_ms);
                    continue;
                }
                (Level::Warning, "FailedDaemonPod", "Found failed daemon pod", "will try to kill it")
            }
            Phase::Succeeded => {
                (Level::Normal, "SucceededDaemonPod", "Found succeeded daemon pod", "will try to delete it")
            }
            Phase::Pending | Phase::Running => {
                running.push(pod);
                continue;
            }
        };
        let (level, reason, found, then) = ended;
        let message = format!("{found} {} on node {}, {then}", pod.key, row.node);
        plan.told.push((level, reason, message));
        plan.delete(pod);
    }
    if !set.strategy.surges() {
        // Without a surge the oldest stays.
        running.iter().skip(1).for_each(|pod| plan.delete(pod));
        return;
    }
    if running.is_empty() && row.fit.run {
        // With a surge there must be a pod that is not on its way out.
        plan.create(&row.node);
        return;
    }
    surplus(plan, set, &running, hash, now_ms);
}

/// With a surge two pods may be there: the oldest new one that is not available yet, and the oldest old one as long as
/// it is ready.
fn surplus(plan: &mut Plan, set: &DaemonSet, running: &[&Arc<Pod>], hash: &str, now_ms: u64) {
    let (mut new, mut old) = (None, None);
    for pod in running {
        let kept = if pod.hash() == hash { &mut new } else { &mut old };
        match kept {
            None => *kept = Some(*pod),
            Some(_) => plan.delete(pod),
        }
    }
    if let (Some(new), Some(old)) = (new, old)
        && (!old.is_ready() || is_available(ready_since(new), set.min_ready_seconds, now_ms))
    {
        plan.delete(old);
    }
}
