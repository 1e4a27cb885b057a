//! What the pods of DaemonSets went through, kept as it happens: which rung of the ladder each stood on, and which numbers
//! their DaemonSet had. The objects know only how things are now; a rollout over time, an alert and a stall need the past.

use crate::daemonset::{DaemonSet, DaemonStatus};
use crate::meta::Uid;
use crate::pod::{ContainerState, HASH_LABEL, Pod, Shape};
use crate::store::Seen;
use std::collections::BTreeMap;
use std::sync::Arc;

/// So many steps are kept; then the older half is forgotten.
const MOST: usize = 400_000;

/// Where a pod stands on the way from its creation to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rung {
    /// No node has been found for it.
    Unscheduled,
    /// Its node has it, and its containers do not run yet.
    Creating,
    /// An image does not come.
    Image,
    /// A container ended and is to run again.
    Crash,
    /// It runs and is not ready.
    NotReady,
    /// It is ready.
    Ready,
    /// It is to go and still there.
    Stopping,
    /// It has ended.
    Ended,
}

/// The reasons for which a container waits for its image (`pkg/kubelet/images/types.go` of Kubernetes).
const OF_IMAGES: [&str; 6] = [
    "ErrImageNeverPull",
    "ErrImagePull",
    "ImageInspectError",
    "ImagePullBackOff",
    "InvalidImageName",
    "RegistryUnavailable",
];

impl Rung {
    /// Where a pod stands.
    pub fn of(pod: &Pod) -> Self {
        if pod.deleting.is_some() {
            return Self::Stopping;
        }
        if pod.status.phase.is_terminal() {
            return Self::Ended;
        }
        if pod.node.is_none() {
            return Self::Unscheduled;
        }
        if pod.is_ready() {
            return Self::Ready;
        }
        let rung = |state: &ContainerState| match state {
            ContainerState::Waiting { reason, .. } if OF_IMAGES.contains(&reason.as_ref()) => Self::Image,
            ContainerState::Waiting { reason, .. } if reason == "CrashLoopBackOff" => Self::Crash,
            ContainerState::Waiting { .. } => Self::Creating,
            ContainerState::Ended(_) => Self::Crash,
            ContainerState::Running { .. } => Self::NotReady,
        };
        // The container that is furthest back holds the pod up.
        let waiting = pod.status.containers.iter().filter(|one| !one.ready).map(|one| rung(&one.state));
        let marked = if pod.status.containers.is_empty() { Self::Creating } else { Self::NotReady };
        waiting.min().unwrap_or(marked)
    }

    /// The word that names it in the texts of the page.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unscheduled => "unscheduled",
            Self::Creating => "creating",
            Self::Image => "image",
            Self::Crash => "crash",
            Self::NotReady => "not-ready",
            Self::Ready => "ready",
            Self::Stopping => "stopping",
            Self::Ended => "ended",
        }
    }
}

/// A step of a pod.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// When, in milliseconds.
    pub at_ms: u64,
    /// Which DaemonSet's pod.
    pub set: Uid,
    /// Which template the DaemonSet had by then, counted as it counts them.
    pub template_generation: u64,
    /// Which pod.
    pub pod: Uid,
    /// The node that it is on or meant for.
    pub node: Arc<str>,
    /// What it shares with others of its template, its revision among it.
    shape: Arc<Shape>,
    /// Where it stands now; nothing where it is gone.
    pub rung: Option<Rung>,
    /// How often its containers were started again.
    pub restarts: u32,
}

impl Step {
    /// The hash of its revision.
    pub fn hash(&self) -> &str {
        self.shape.labels.get(HASH_LABEL).map_or("", String::as_str)
    }
}

/// New numbers of a DaemonSet, or a new template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// When, in milliseconds.
    pub at_ms: u64,
    /// Which DaemonSet.
    pub set: Uid,
    /// Counts the changes of its template.
    pub template_generation: u64,
    /// Its numbers.
    pub status: DaemonStatus,
}

/// Steps and counts in the order in which they happened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    steps: Vec<Step>,
    counts: Vec<Count>,
    /// The present template of each DaemonSet, as it counts them.
    templates: BTreeMap<Uid, u64>,
}

impl Trace {
    /// The steps of all pods.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The counts of all DaemonSets.
    pub fn counts(&self) -> &[Count] {
        &self.counts
    }

    /// When a DaemonSet got the template that it has, as far as is known.
    pub fn begun_ms(&self, set: Uid) -> Option<u64> {
        let counts = || self.counts.iter().filter(move |count| count.set == set);
        let generation = counts().next_back()?.template_generation;
        counts().find(|count| count.template_generation == generation).map(|count| count.at_ms)
    }

    /// Takes note of a change.
    pub(crate) fn observe(&mut self, seen: &Seen, now_ms: u64) {
        match seen {
            Seen::Pod(old, new) => self.observe_pod(old.as_deref(), new.as_deref(), now_ms),
            Seen::DaemonSet(old, Some(new)) => {
                let of = |set: &DaemonSet| (set.template_generation, set.status);
                if old.as_ref().is_none_or(|old| of(old) != of(new)) {
                    forget(&mut self.counts);
                    let (template_generation, status) = of(new);
                    self.templates.insert(new.meta.uid, template_generation);
                    self.counts.push(Count { at_ms: now_ms, set: new.meta.uid, template_generation, status });
                }
            }
            _ => {}
        }
    }

    fn observe_pod(&mut self, old: Option<&Pod>, new: Option<&Pod>, now_ms: u64) {
        // A pod that took the place of another of its name.
        if let (Some(before), Some(after)) = (old, new)
            && before.uid != after.uid
        {
            self.observe_pod(old, None, now_ms);
            return self.observe_pod(None, new, now_ms);
        }
        let Some(pod) = new.or(old) else { return };
        let Some(owner) = pod.shape.owner.as_ref().filter(|owner| owner.kind == "DaemonSet") else { return };
        let Some(node) = pod.place_name() else { return };
        let of = |pod: &Pod| (Rung::of(pod), pod.status.containers.iter().map(|one| one.restarts).sum());
        let (before, after) = (old.map(of), new.map(of));
        if before != after {
            forget(&mut self.steps);
            let (rung, restarts) = after
                .map_or((None, before.map_or(0, |(_, restarts)| restarts)), |(rung, restarts)| {
                    (Some(rung), restarts)
                });
            let (node, shape) = (node.clone(), pod.shape.clone());
            let template_generation = self.templates.get(&owner.uid).copied().unwrap_or(0);
            self.steps.push(Step {
                at_ms: now_ms,
                set: owner.uid,
                template_generation,
                pod: pod.uid,
                node,
                shape,
                rung,
                restarts,
            });
        }
    }
}

/// Makes room where there is too much.
fn forget<T>(list: &mut Vec<T>) {
    if list.len() >= MOST {
        list.drain(..MOST / 2);
    }
}
