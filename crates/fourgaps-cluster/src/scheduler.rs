//! The scheduler of Kubernetes 1.34: for each pod without a node the filters in their order, and the sentence that says
//! why no node is good enough.
//!
//! Free choice: of the nodes that fit it takes the one with the fewest pods, and of these the first by name.

use crate::change::Change;
use crate::cluster::Cluster;
use crate::event::{Level, Note};
use crate::meta::{Uid, fingerprint};
use crate::node::{Node, Truth, Why};
use crate::object::{Id, Kind};
use crate::pod::Pod;
use crate::quantity::Quantity;
use crate::spec::Amounts;
use crate::store::{Seen, Store};
use crate::taint::{Effect, Taint, untolerated};
use fourgaps_base::sort;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The first wait after a pod did not fit, in milliseconds.
const FIRST_WAIT_MS: u64 = 1_000;
/// The longest one.
const LONGEST_WAIT_MS: u64 = 10_000;
/// After this time a pod is tried again although nothing happened.
const FLUSH_MS: u64 = 300_000;

/// What the scheduler remembers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scheduler {
    /// Pods to be placed now.
    active: BTreeSet<Uid>,
    /// Pods that fit nowhere.
    parked: BTreeMap<Uid, Parked>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Parked {
    target: Option<Arc<str>>,
    tries: u32,
    since_ms: u64,
    /// When it is tried again.
    due_ms: u64,
}

impl Parked {
    /// Something happened that may help: it is tried again, but not before its wait is over.
    fn hurry(&mut self, now_ms: u64) {
        let wait = FIRST_WAIT_MS.saturating_mul(1 << (self.tries - 1).min(10)).min(LONGEST_WAIT_MS);
        self.due_ms = self.due_ms.min((self.since_ms + wait).max(now_ms));
    }
}

impl Scheduler {
    /// Takes note of a change.
    pub(crate) fn observe(&mut self, seen: &Seen, now_ms: u64) {
        match seen {
            Seen::Pod(old, new) => {
                if let Some(pod) = new.as_ref().filter(|pod| waits(pod)) {
                    if !self.parked.contains_key(&pod.uid) {
                        self.active.insert(pod.uid);
                    }
                    return;
                }
                let Some(pod) = new.as_ref().or(old.as_ref()) else { return };
                self.active.remove(&pod.uid);
                self.parked.remove(&pod.uid);
                // One that has ended holds nothing any more, so its removal frees nothing.
                let holds = |pod: &Arc<Pod>| !pod.status.phase.is_terminal();
                let frees = old.as_ref().is_some_and(holds) && !new.as_ref().is_some_and(holds);
                if let Some(node) = pod.node.as_deref().filter(|_| frees) {
                    self.helped(node, now_ms);
                }
            }
            Seen::Node(old, Some(new)) => {
                let same = |old: &Node| {
                    old.meta.labels == new.meta.labels
                        && old.taints == new.taints
                        && old.unschedulable == new.unschedulable
                        && old.allocatable == new.allocatable
                };
                if !old.as_deref().is_some_and(same) {
                    self.helped(&new.meta.name, now_ms);
                }
            }
            _ => {}
        }
    }

    /// Something on this node changed for the better.
    fn helped(&mut self, node: &str, now_ms: u64) {
        for parked in self.parked.values_mut() {
            if parked.target.as_deref().is_none_or(|target| target == node) {
                parked.hurry(now_ms);
            }
        }
    }

    pub(crate) fn next_due_ms(&self) -> Option<u64> {
        self.parked.values().map(|parked| parked.due_ms).min()
    }

    pub(crate) fn wake(&mut self, now_ms: u64) {
        let due = self.parked.iter().filter(|(_, parked)| parked.due_ms <= now_ms);
        self.active.extend(due.map(|(uid, _)| *uid));
    }
}

fn waits(pod: &Pod) -> bool {
    pod.node.is_none() && pod.deleting.is_none() && !pod.status.phase.is_terminal()
}

/// Why a node is not good enough.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// The reasons of the first filter that the node does not pass.
    pub reasons: Vec<String>,
    /// Whether it would help if other pods went.
    pub others_in_the_way: bool,
}

impl Misfit {
    fn for_good(reason: &str) -> Self {
        Self { reasons: vec![reason.into()], others_in_the_way: false }
    }
}

/// Whether a pod fits on a node: the filters in the order of `apis/config/v1/default_plugins.go`.
///
/// # Errors
/// The first filter that the node does not pass.
pub fn fits(store: &Store, pod: &Pod, node: &Node) -> Result<(), Misfit> {
    let spec = &pod.shape.spec;
    if node.unschedulable {
        let cordon = [Taint::new("node.kubernetes.io/unschedulable", Effect::NoSchedule)];
        if untolerated(&cordon, &spec.tolerations, &[Effect::NoSchedule]).is_some() {
            return Err(Misfit::for_good("node(s) were unschedulable"));
        }
    }
    if spec.node_name.as_ref().is_some_and(|name| *name != node.meta.name) {
        return Err(Misfit::for_good("node(s) didn't match the requested node name"));
    }
    if untolerated(&node.taints, &spec.tolerations, &[Effect::NoSchedule, Effect::NoExecute]).is_some() {
        return Err(Misfit::for_good("node(s) had untolerated taint(s)"));
    }
    let elsewhere = pod.target.as_deref().is_some_and(|target| target != node.meta.name);
    if elsewhere || !spec.selects_node(&node.meta.name, &node.meta.labels) {
        return Err(Misfit::for_good("node(s) didn't match Pod's node affinity/selector"));
    }
    let others = store.pods_on(&node.meta.name).filter(|other| !other.status.phase.is_terminal());
    let others: Vec<&Arc<Pod>> = others.collect();
    let is_taken = |port| others.iter().any(|other| other.shape.spec.host_ports().any(|taken| taken == port));
    if spec.host_ports().any(is_taken) {
        let reasons = vec!["node(s) didn't have free ports for the requested pod ports".into()];
        return Err(Misfit { reasons, others_in_the_way: true });
    }
    resources(&spec.requests(), node, &others)
}

/// `NodeResourcesFit`: what the pod asks for, beside what the others of the node asked for.
fn resources(asked: &Amounts, node: &Node, others: &[&Arc<Pod>]) -> Result<(), Misfit> {
    let pods = i64::try_from(others.len()).unwrap_or(i64::MAX);
    let used = |name: &str| {
        let of = |other: &&Arc<Pod>| other.shape.spec.requests().get(name).copied().unwrap_or_default();
        others.iter().map(of).fold(Quantity::default(), Quantity::plus)
    };
    let (mut reasons, mut others_in_the_way) = (Vec::new(), true);
    let mut check = |name: &str, asked: Quantity, used: Quantity| {
        let has = node.allocatable.get(name).copied().unwrap_or_default();
        if used.plus(asked) > has {
            reasons.push(if name == "pods" {
                "Too many pods".into()
            } else {
                format!("Insufficient {name}")
            });
            others_in_the_way &= asked <= has;
        }
    };
    // A node that says nothing of pods takes any number of them.
    if node.allocatable.contains_key("pods") {
        check("pods", Quantity::whole(1), Quantity::whole(pods));
    }
    for (name, amount) in asked.iter().filter(|(_, amount)| !amount.is_zero()) {
        check(name, *amount, used(name));
    }
    if reasons.is_empty() { Ok(()) } else { Err(Misfit { reasons, others_in_the_way }) }
}

/// The sentence of `FailedScheduling` (`FitError` of 1.34.2 and later, with the tail of preemption).
pub fn sentence(misfits: &[Misfit], nodes: usize, only_one_asked: bool) -> String {
    if nodes == 0 {
        return "no nodes available to schedule pods".into();
    }
    let others = nodes - misfits.len();
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for reason in misfits.iter().flat_map(|misfit| &misfit.reasons) {
        *reasons.entry(reason).or_default() += 1;
    }
    if only_one_asked && others > 0 {
        reasons.insert("node(s) didn't satisfy plugin(s) [NodeAffinity]", others);
    }
    let in_the_way = misfits.iter().filter(|misfit| misfit.others_in_the_way).count();
    let helps = BTreeMap::from([
        ("No preemption victims found for incoming pod", in_the_way),
        ("Preemption is not helpful for scheduling", nodes - in_the_way),
    ]);
    let counted = |reasons: BTreeMap<&str, usize>| {
        let some = reasons.into_iter().filter(|(_, count)| *count > 0);
        // Sorted as texts, numbers first.
        let mut told: Vec<String> = some.map(|(reason, count)| format!("{count} {reason}")).collect();
        sort(&mut told);
        format!("0/{nodes} nodes are available: {}.", told.join(", "))
    };
    format!("{} no new claims to deallocate, preemption: {}", counted(reasons), counted(helps))
}

impl Cluster {
    /// Places the next pod that waits; false where none does.
    pub(crate) fn schedule_one(&mut self) -> bool {
        let Some(uid) = self.scheduler.active.pop_first() else { return false };
        let Some(pod) = self.store.pod_with(uid).filter(|pod| waits(pod)).cloned() else {
            self.scheduler.parked.remove(&uid);
            return true;
        };
        match place(&self.store, &pod) {
            Ok(node) => self.bind(&pod, node),
            Err(message) => self.park(&pod, message),
        }
        true
    }

    fn bind(&mut self, pod: &Pod, node: Arc<str>) {
        let message = format!("Successfully assigned {} to {node}", pod.key);
        let mut status = (*pod.status).clone();
        status.set_condition("PodScheduled", Truth::True, self.now_ms());
        if let Some(condition) = status.conditions.iter_mut().find(|c| c.kind == "PodScheduled") {
            condition.why = Why::default();
        }
        self.scheduler.parked.remove(&pod.uid);
        self.told_of_pod(pod, Level::Normal, "Scheduled", message);
        self.commit(Change::PodStatus { uid: pod.uid, status: Arc::new(status) });
        self.commit(Change::PodBound { uid: pod.uid, node });
    }

    fn park(&mut self, pod: &Pod, message: String) {
        let now_ms = self.now_ms();
        let tries = self.scheduler.parked.get(&pod.uid).map_or(0, |parked| parked.tries) + 1;
        let target = pod.target.clone();
        let due_ms = now_ms + FLUSH_MS;
        self.scheduler.parked.insert(pod.uid, Parked { target, tries, since_ms: now_ms, due_ms });
        self.told_of_pod(pod, Level::Warning, "FailedScheduling", message.clone());
        let mut status = (*pod.status).clone();
        status.set_condition("PodScheduled", Truth::False, now_ms);
        if let Some(condition) = status.conditions.iter_mut().find(|c| c.kind == "PodScheduled") {
            condition.why = Why::new("Unschedulable", message);
        }
        if status != *pod.status {
            self.commit(Change::PodStatus { uid: pod.uid, status: Arc::new(status) });
        }
    }

    fn told_of_pod(&mut self, pod: &Pod, level: Level, reason: &'static str, message: String) {
        // What changes a pod that waits for a node is what was told of it before.
        let before = pod.status.condition("PodScheduled").map_or(0, |last| fingerprint(last.why.message()));
        let note = Note {
            about: Id { kind: Kind::Pod, key: pod.key.clone() },
            uid: Some(pod.uid),
            level,
            reason: reason.into(),
            message,
            source: "default-scheduler".into(),
        };
        self.tell_of(note, before);
    }
}

/// The node for a pod, or the sentence that says why there is none.
fn place(store: &Store, pod: &Pod) -> Result<Arc<str>, String> {
    let total = store.nodes().len();
    if let Some(target) = &pod.target {
        // A pod that is held by the name of a node is held against that node alone.
        let Some(node) = store.node(target) else { return Err(sentence(&[], total, true)) };
        return match fits(store, pod, node) {
            Ok(()) => Ok(target.clone()),
            Err(misfit) => Err(sentence(&[misfit], total, true)),
        };
    }
    let mut misfits = Vec::new();
    let mut best: Option<(usize, &Arc<Node>)> = None;
    for node in store.nodes() {
        match fits(store, pod, node) {
            Ok(()) => {
                let pods = store.pods_on(&node.meta.name).count();
                if best.is_none_or(|(fewest, _)| pods < fewest) {
                    best = Some((pods, node));
                }
            }
            Err(misfit) => misfits.push(misfit),
        }
    }
    let best = best.map(|(_, node)| Arc::from(node.meta.name.as_str()));
    best.ok_or_else(|| sentence(&misfits, total, false))
}
