//! A rollout that stands still, and what holds it up: the budget is used up by nodes, and each of them is followed down the
//! ladder of its pod to the first rung that does not hold. The API has no such state: `kubectl` only prints the same numbers.

use crate::daemon::rows::{Live, Row, Rows, Stale, is_available, is_updated};
use crate::daemonset::{DaemonSet, DaemonStatus};
use crate::event::{Event, Level};
use crate::meta::{Key, Uid};
use crate::node::Truth;
use crate::object::Kind;
use crate::pod::Pod;
use crate::rollout::{Progress, progress};
use crate::store::Store;
use crate::trace::{Rung, Step, Trace};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A rollout that made no step for so long stands still, in milliseconds.
pub const AFTER_MS: u64 = 300_000;

/// Why a node holds a rollout up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    /// It has neither the old nor the new pod, for the API server refuses the new one.
    Refused,
    /// It has neither, and nobody says why.
    Missing,
    /// The scheduler does not put the new pod on it.
    Unscheduled,
    /// The containers of its pod are not created.
    Creating,
    /// The image of its pod does not come.
    Image,
    /// A container of its pod ends again and again.
    Crash,
    /// Its pod runs and is not ready.
    NotReady,
    /// Its pod has ended and is made again.
    Ended,
    /// Its old pod should be gone and is not.
    Stopping,
    /// Its old pod is kept by a finalizer.
    Held,
    /// Its kubelet says that the node is not ready.
    NodeDown,
    /// Its kubelet says nothing.
    NodeSilent,
    /// The node is gone, its pod is not.
    NodeGone,
}

impl Cause {
    /// The word that names it in the texts of the page.
    pub fn name(self) -> &'static str {
        match self {
            Self::Refused => "refused",
            Self::Missing => "missing",
            Self::Unscheduled => "unscheduled",
            Self::Creating => "creating",
            Self::Image => "image",
            Self::Crash => "crash",
            Self::NotReady => "not-ready",
            Self::Ended => "ended",
            Self::Stopping => "stopping",
            Self::Held => "held",
            Self::NodeDown => "node-down",
            Self::NodeSilent => "node-silent",
            Self::NodeGone => "node-gone",
        }
    }
}

/// A node that holds a rollout up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocker {
    /// The node.
    pub node: Arc<str>,
    /// Why.
    pub cause: Cause,
    /// Its pod, where it has one.
    pub pod: Option<Key>,
    /// What the cluster itself told of it.
    pub told: Option<String>,
}

/// A rollout that stands still.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stall {
    /// The moment of its last step, in milliseconds.
    pub since_ms: u64,
    /// The nodes that hold it up, by name.
    pub blockers: Vec<Blocker>,
    /// Why no second pod is created beside an old one, where that is what holds it up.
    pub refused: Option<String>,
    /// Nodes that still run the old pod, by name.
    pub untouched: Vec<Arc<str>>,
    /// Nodes that run the new one.
    pub done: u32,
}

/// What holds the rollout of a DaemonSet up, where it has made no step for [`AFTER_MS`].
pub fn stall(store: &Store, trace: &Trace, key: &Key, now_ms: u64) -> Option<Stall> {
    let set = store.daemonset(key).filter(|set| set.meta.deleting.is_none())?;
    if !matches!(progress(set), Progress::Updated(..) | Progress::Available(..)) {
        return None;
    }
    let revisions = store.revisions_of(set.meta.uid);
    let hash = revisions.last()?.hash();
    if moves(trace, set.meta.uid, hash, now_ms) {
        return None;
    }
    let since_ms = last_step_ms(trace, set.meta.uid, hash);
    if now_ms < since_ms + AFTER_MS {
        return None;
    }
    let ladder = Ladder { store, set, hash, since_ms, now_ms, told: told(store, since_ms) };
    let mut rows = Rows::default();
    rows.refresh(store, set, hash, Stale::default());
    let mut stall = Stall { since_ms, ..Stall::default() };
    for row in rows.iter().filter(|row| row.occupied || row.fit.run) {
        match row.live {
            Live::New(since) if row.oldest_updated && ladder.available(since) => stall.done += 1,
            Live::Old(since) if ladder.available(since) => {
                stall.untouched.extend(row.fit.run.then(|| row.node.clone()));
            }
            _ => stall.blockers.extend(ladder.blocker(row)),
        }
    }
    if stall.blockers.is_empty() {
        stall.refused = Some(ladder.refusal()?);
    }
    Some(stall)
}

/// True where an old pod was taken away so lately that no stall is possible. While a rollout goes well this is seen from the last
/// of many steps.
fn moves(trace: &Trace, set: Uid, hash: &str, now_ms: u64) -> bool {
    let late = trace.steps().iter().rev().take_while(|step| now_ms < step.at_ms + AFTER_MS);
    late.filter(|step| step.set == set).any(|step| takes_away(step, hash))
}

/// An old pod is to go, or is gone.
fn takes_away(step: &Step, hash: &str) -> bool {
    matches!(step.rung, None | Some(Rung::Stopping)) && step.hash() != hash
}

/// The last moment at which a rollout came nearer to its end: it began, an old pod was taken away, or more nodes than ever
/// before run the new one. What goes forth and back is no step.
fn last_step_ms(trace: &Trace, set: Uid, hash: &str) -> u64 {
    let complete =
        |status: &DaemonStatus| (status.updated, status.available) == (status.desired, status.desired);
    let counts: Vec<_> = trace.counts().iter().filter(|count| count.set == set).collect();
    let mut begins = counts.windows(2).filter(|pair| {
        let [before, after] = pair else { return false };
        let again = complete(&before.status) && !complete(&after.status);
        before.template_generation != after.template_generation || again
    });
    let first_ms = counts.first().map_or(0, |count| count.at_ms);
    let begun_ms = begins.next_back().map_or(first_ms, |pair| pair[1].at_ms);

    let mut pods: BTreeMap<Uid, bool> = BTreeMap::new();
    let (mut done, mut most, mut last_ms) = (0_u32, 0_u32, begun_ms);
    for step in trace.steps().iter().filter(|step| step.set == set) {
        let (is_new, ready) = (step.hash() == hash, step.rung == Some(Rung::Ready));
        let counts_now = is_new && ready;
        let counted = match step.rung {
            Some(_) => pods.insert(step.pod, counts_now),
            None => pods.remove(&step.pod),
        };
        done = done + u32::from(counts_now) - u32::from(counted == Some(true));
        if step.at_ms > begun_ms && (done > most || takes_away(step, hash)) {
            last_ms = step.at_ms;
        }
        most = if step.at_ms > begun_ms { most.max(done) } else { done };
    }
    last_ms
}

/// What was told since a moment that is no good news, by object.
fn told(store: &Store, since_ms: u64) -> BTreeMap<Uid, &Event> {
    let mut told: BTreeMap<Uid, &Event> = BTreeMap::new();
    let warnings = store.events().iter().filter(|event| event.note.level == Level::Warning);
    for event in warnings.filter(|event| event.last_ms >= since_ms) {
        let Some(uid) = event.note.uid else { continue };
        let length = |event: &Event| event.note.message.len();
        // Of several complaints about one pod the longest says most: `Error: ErrImagePull` follows the cause.
        told.entry(uid)
            .and_modify(|old| {
                if length(old) <= length(event) {
                    *old = event
                }
            })
            .or_insert(event);
    }
    told
}

/// What is asked on the way down.
struct Ladder<'a> {
    store: &'a Store,
    set: &'a DaemonSet,
    hash: &'a str,
    since_ms: u64,
    now_ms: u64,
    told: BTreeMap<Uid, &'a Event>,
}

impl Ladder<'_> {
    fn available(&self, ready_since: Option<u32>) -> bool {
        is_available(ready_since, self.set.min_ready_seconds, self.now_ms)
    }

    /// What the API server said when it refused a pod of the DaemonSet.
    fn refusal(&self) -> Option<String> {
        let of_set = |event: &&Event| {
            let about = &event.note.about;
            about.kind == Kind::DaemonSet
                && about.key == self.set.meta.key()
                && event.note.reason == "FailedCreate"
        };
        let last = self.store.events().iter().filter(of_set).max_by_key(|event| event.last_ms)?;
        (last.last_ms >= self.since_ms).then(|| last.note.message.clone())
    }

    /// Why a node that is not done holds the rollout up; nothing where it goes on by itself.
    fn blocker(&self, row: &Row) -> Option<Blocker> {
        let pods = self.store.pods_at(self.set.meta.uid, &row.node);
        let pods: Vec<&Arc<Pod>> = pods.into_iter().filter(|pod| !pod.is_spent()).collect();
        let is_new = |pod: &&&Arc<Pod>| is_updated(pod, self.hash, self.set.template_generation);
        // One that goes is in the way of the next; of two that stay the new one has to come up.
        let going = pods.iter().find(|pod| pod.deleting.is_some());
        let pod = going.or_else(|| pods.iter().find(is_new)).or_else(|| pods.first());
        let (cause, told) = match pod {
            None => match self.refusal() {
                Some(why) => (Cause::Refused, Some(why)),
                None => (Cause::Missing, None),
            },
            Some(pod) => self.pod(row, pod)?,
        };
        Some(Blocker { node: row.node.clone(), cause, pod: pod.map(|pod| pod.key.clone()), told })
    }

    fn pod(&self, row: &Row, pod: &Pod) -> Option<(Cause, Option<String>)> {
        let Some(node) = self.store.node(&row.node) else { return Some((Cause::NodeGone, None)) };
        let said = || self.told.get(&pod.uid).map(|event| event.note.message.clone());
        let rung = Rung::of(pod);
        if node.ready() != Truth::True {
            let message = node.condition("Ready").map(|ready| ready.why.message().to_string());
            let why = said().filter(|_| rung == Rung::Unscheduled).or(message.filter(|why| !why.is_empty()));
            let cause = if node.ready() == Truth::Unknown { Cause::NodeSilent } else { Cause::NodeDown };
            return Some((cause, why));
        }
        Some(match rung {
            Rung::Ready => return None,
            Rung::Stopping if !pod.finalizers.is_empty() => (Cause::Held, Some(pod.finalizers.join(", "))),
            Rung::Stopping if pod.deleting.is_some_and(|deleting| self.now_ms < deleting.at_ms) => {
                return None;
            }
            Rung::Stopping => (Cause::Stopping, None),
            Rung::Unscheduled => (Cause::Unscheduled, said()),
            Rung::Creating => (Cause::Creating, said()),
            Rung::Image => (Cause::Image, said()),
            Rung::Crash => (Cause::Crash, said()),
            Rung::NotReady => (Cause::NotReady, said()),
            Rung::Ended => {
                let status = &pod.status;
                let words = [status.why.reason(), status.why.message()];
                (Cause::Ended, Some(words.join(" ").trim().to_string()).filter(|why| !why.is_empty()))
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::large::{LONG_MS, begin, key, steady};

    /// The quick look at the last steps never says otherwise than the look at all of them.
    #[test]
    fn what_moves_has_not_stalled() {
        let mut cluster = steady(30);
        begin(&mut cluster);
        let (mut moved, mut stood) = (0, 0);
        while cluster.now_ms() < LONG_MS + 2 * AFTER_MS {
            cluster.run_until(cluster.now_ms() + 3_700);
            let set = cluster.store().daemonset(&key()).unwrap();
            let revisions = cluster.store().revisions_of(set.meta.uid);
            let (hash, now_ms) = (revisions.last().unwrap().hash(), cluster.now_ms());
            if moves(cluster.trace(), set.meta.uid, hash, now_ms) {
                moved += 1;
                assert!(now_ms < last_step_ms(cluster.trace(), set.meta.uid, hash) + AFTER_MS, "{now_ms}");
            } else {
                stood += 1;
            }
        }
        assert!(moved > 50 && stood > 50, "{moved} {stood}");
    }
}
