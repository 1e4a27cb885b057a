//! The second half of a sync: old pods are replaced within a budget (`rollingUpdate` in `update.go`, as it is since
//! Kubernetes 1.31).

use super::rows::{Live, Row, Rows, is_available, is_updated};
use super::sync::Plan;
use crate::daemonset::{DaemonSet, Strategy};
use crate::pod::Pod;
use crate::store::Store;
use std::sync::Arc;

/// How much a rolling update may do at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Nodes that should run a pod.
    pub desired: u32,
    /// How many may be without an available pod.
    pub max_unavailable: u32,
    /// How many may have a second pod.
    pub max_surge: u32,
}

/// The budget for so many nodes (`updatedDesiredNodeCounts`); `None` where old pods are not replaced at all.
pub fn budget(strategy: Strategy, desired: u32) -> Option<Budget> {
    let Strategy::RollingUpdate { max_unavailable, max_surge } = strategy else { return None };
    let (mut max_unavailable, max_surge) = (max_unavailable.of(desired), max_surge.of(desired));
    if desired > 0 && max_unavailable == 0 && max_surge == 0 {
        max_unavailable = 1;
    }
    Some(Budget { desired, max_unavailable, max_surge })
}

/// Which pods go and which nodes get a second one.
///
/// # Errors
/// With a surge, an old pod on a node that is gone stops everything until the pod is gone too.
pub fn plan(store: &Store, set: &DaemonSet, rows: &Rows, hash: &str, now_ms: u64) -> Result<Plan, String> {
    let Some(budget) = budget(set.strategy, rows.tally().desired) else { return Ok(Plan::default()) };
    let available = |since| is_available(since, set.min_ready_seconds, now_ms);
    let chosen = match budget.max_surge {
        0 => replacing(rows, budget, set.min_ready_seconds, now_ms),
        _ => surging(rows.iter().filter(|row| row.is_counted()), budget, available)?,
    };
    let mut plan = Plan { create: chosen.create, ..Plan::default() };
    for node in chosen.delete_old {
        if plan.deletes_enough() {
            break;
        }
        let is_old =
            |pod: &&Arc<Pod>| pod.deleting.is_none() && !is_updated(pod, hash, set.template_generation);
        store.pods_at(set.meta.uid, node).into_iter().filter(is_old).for_each(|pod| plan.delete(pod));
    }
    Ok(plan)
}

/// Nodes whose old pod goes, and nodes that get a new one beside it.
struct Chosen<'a> {
    delete_old: Vec<&'a str>,
    create: Vec<Arc<str>>,
}

fn first<T>(list: Vec<T>, count: u32) -> impl Iterator<Item = T> {
    list.into_iter().take(usize::try_from(count).unwrap_or(usize::MAX))
}

/// Without a surge: old pods that are not available go in any case, and each counts; then as many of the others as the
/// budget still allows.
fn replacing(rows: &Rows, budget: Budget, min_ready_seconds: u32, now_ms: u64) -> Chosen<'_> {
    let tally = rows.tally();
    let node = |at: usize| &*rows.row(at).node;
    let available = |at: usize| match rows.row(at).live {
        Live::Old(since) => is_available(since, min_ready_seconds, now_ms),
        _ => false,
    };
    let mut delete_old: Vec<usize> = tally.old_waiting.iter().collect();
    // Who is ready is available at once where nothing else is asked.
    if min_ready_seconds > 0 {
        delete_old.extend(tally.old_ready.iter().filter(|at| !available(*at)));
        delete_old.sort_unstable();
    }
    let waiting = u32::try_from(delete_old.len()).unwrap_or(u32::MAX);
    let new = tally.new - tally.new_ready.available(min_ready_seconds, now_ms);
    let left = budget.max_unavailable.saturating_sub(waiting + new + tally.unsettled);
    let candidates = tally.old_ready.iter().filter(|at| available(*at));
    delete_old.extend(candidates.take(usize::try_from(left).unwrap_or(usize::MAX)));
    Chosen { delete_old: delete_old.into_iter().map(node).collect(), create: Vec::new() }
}

/// With a surge: a new pod comes beside the old one and the old one goes when the new one is available. Where the old
/// one is not available, the new one comes beyond the limit.
fn surging<'a>(
    rows: impl Iterator<Item = &'a Row>,
    budget: Budget,
    available: impl Fn(Option<u32>) -> bool,
) -> Result<Chosen<'a>, String> {
    let (mut delete_old, mut misplaced) = (Vec::new(), Vec::new());
    let (mut create, mut candidates) = (Vec::new(), Vec::new());
    let (mut surged, mut up) = (0_u32, 0_u32);
    for row in rows {
        match row.live {
            Live::Excess => surged += 1,
            Live::None => {}
            Live::New(since) => up += u32::from(available(since)),
            Live::Old(_) if !row.exists => {
                let name = &row.node;
                return Err(format!("couldn't get node for nodeName \"{name}\": node \"{name}\" not found"));
            }
            Live::Old(since) => {
                let old_is_up = available(since);
                up += u32::from(old_is_up);
                match (old_is_up, row.fit.run) {
                    (false, true) => create.push(row.node.clone()),
                    (false, false) => delete_old.push(&*row.node),
                    (true, true) => candidates.push(row.node.clone()),
                    (true, false) => misplaced.push(&*row.node),
                }
            }
            Live::Both(new, old) => {
                up += u32::from(available(old));
                if available(new) {
                    delete_old.push(&*row.node);
                } else {
                    surged += 1;
                }
            }
        }
    }
    delete_old.extend(first(misplaced, up.saturating_sub(budget.desired)));
    create.extend(first(candidates, budget.max_surge.saturating_sub(surged)));
    Ok(Chosen { delete_old, create })
}
