//! A DaemonSet in numbers, and what holds its rollout up.

use fourgaps_cluster::Store;
use fourgaps_cluster::daemonset::DaemonSet;
use fourgaps_cluster::rollout::{Progress, progress};
use fourgaps_cluster::stall::{Blocker, Stall, stall};
use fourgaps_cluster::trace::Trace;
use serde::Serialize;

/// So many names of nodes are told; of the others, how many there are.
const NAMED: usize = 8;

/// A DaemonSet.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SetView {
    /// Its namespace.
    pub namespace: String,
    /// Its name.
    pub name: String,
    /// DESIRED.
    pub desired: u32,
    /// CURRENT.
    pub current: u32,
    /// READY.
    pub ready: u32,
    /// UP-TO-DATE.
    pub updated: u32,
    /// AVAILABLE.
    pub available: u32,
    /// The number of its newest revision.
    pub revision: u64,
    /// Which template it has, as it counts them.
    pub template_generation: u64,
    /// When it got it, in milliseconds.
    pub begun_ms: u64,
    /// True where a rollout is on its way.
    pub rolling: bool,
    /// What holds it up, where it stands still.
    pub stall: Option<StallView>,
}

/// A rollout that stands still.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct StallView {
    /// For how long, in milliseconds.
    pub for_ms: u64,
    /// The first nodes that hold it up.
    pub blockers: Vec<BlockerView>,
    /// How many there are.
    pub blocked: u32,
    /// Why no second pod is created beside an old one, where that is what holds it up.
    pub refused: Option<String>,
    /// The first nodes that still run the old pod.
    pub untouched: Vec<String>,
    /// How many there are.
    pub left: u32,
    /// Nodes that run the new pod.
    pub done: u32,
}

/// A node that holds a rollout up.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct BlockerView {
    /// The node.
    pub node: String,
    /// The word for the cause.
    pub cause: &'static str,
    /// Its pod, where it has one.
    pub pod: Option<String>,
    /// What the cluster itself told of it.
    pub told: Option<String>,
}

impl SetView {
    /// A DaemonSet at a moment.
    pub fn of(store: &Store, trace: &Trace, set: &DaemonSet, now_ms: u64) -> Self {
        let status = set.status;
        let newest = store.revisions_of(set.meta.uid).last().map_or(0, |revision| revision.number);
        let stall = stall(store, trace, &set.meta.key(), now_ms);
        Self {
            namespace: set.meta.namespace.clone(),
            name: set.meta.name.clone(),
            desired: status.desired,
            current: status.current,
            ready: status.ready,
            updated: status.updated,
            available: status.available,
            revision: newest,
            template_generation: set.template_generation,
            begun_ms: trace.begun_ms(set.meta.uid).unwrap_or(0),
            rolling: !matches!(progress(set), Progress::Done | Progress::OnDelete),
            stall: stall.map(|stall| StallView::of(&stall, now_ms)),
        }
    }
}

impl StallView {
    fn of(stall: &Stall, now_ms: u64) -> Self {
        let count = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
        let blocker = |blocker: &Blocker| BlockerView {
            node: blocker.node.to_string(),
            cause: blocker.cause.name(),
            pod: blocker.pod.as_ref().map(ToString::to_string),
            told: blocker.told.clone(),
        };
        Self {
            for_ms: now_ms.saturating_sub(stall.since_ms),
            blockers: stall.blockers.iter().take(NAMED).map(blocker).collect(),
            blocked: count(stall.blockers.len()),
            refused: stall.refused.clone(),
            untouched: stall.untouched.iter().take(NAMED).map(ToString::to_string).collect(),
            left: count(stall.untouched.len()),
            done: stall.done,
        }
    }
}
