//! What becomes of a node whose kubelet or runtime fails, and of its pods: the node life-cycle controller, the taint
//! eviction controller, the pod garbage collector and the collector of what owners leave behind.
//!
//! Times without jitter: a silent kubelet is noticed after 50 s (checked every 5 s), a dead runtime by the kubelet after
//! 30 s and told with its next status (every 10 s). `NoSchedule` follows the status at once. `NoExecute` is put by who
//! checks: in the round that finds a kubelet silent, in the next one where a kubelet tells itself, and it goes in the next
//! one after a recovery (`timeline-kubelet-silent`, `timeline-runtime-down`).

use crate::change::Change;
use crate::cluster::Cluster;
use crate::event::{Level, Note};
use crate::meta::{Key, Uid};
use crate::node::{Condition, Node, Truth, Why};
use crate::object::{Id, Kind};
use crate::pod::{Phase, Pod};
use crate::store::Seen;
use crate::taint::{Effect, Taint};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// How long a kubelet may be silent, and how often somebody looks, in milliseconds.
const SILENT_MS: u64 = 50_000;
const LOOK_MS: u64 = 5_000;
/// How long a kubelet waits for its runtime, and how often it posts its status.
const RUNTIME_MS: u64 = 30_000;
const POST_MS: u64 = 10_000;
/// From the status of a kubelet that was found silent to the `NoExecute` taint (`timeline-kubelet-silent`).
const NO_EXECUTE_AFTER_MS: u64 = 200;
/// How long pods of a node that is gone are left, and how often somebody looks.
const ORPHANED_MS: u64 = 40_000;
const COLLECT_MS: u64 = 20_000;

/// How a node is doing, as far as its kubelet goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Health {
    /// All is well.
    Well,
    /// The kubelet says nothing and does nothing.
    KubeletSilent,
    /// The kubelet lives, its container runtime does not: it says so and touches no pod.
    RuntimeDown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    NotReady,
    NoExecute,
    Cleared,
    Collect,
}

/// What these controllers remember.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lifecycle {
    health: BTreeMap<Arc<str>, Health>,
    due: BTreeSet<(u64, Step, Arc<str>)>,
    /// Pods that go when their time on a tainted node is up.
    evictions: BTreeMap<(u64, Key), Uid>,
    evicts_at: BTreeMap<Key, u64>,
    /// Nodes whose pods must be looked at, and owners that are gone or to go.
    tainted: BTreeSet<Arc<str>>,
    /// Nodes whose pods were marked and that are to be tainted.
    marked: BTreeSet<Arc<str>>,
    owners: BTreeSet<(Key, Uid)>,
}

impl Health {
    fn key(self) -> &'static str {
        match self {
            Self::RuntimeDown => "node.kubernetes.io/not-ready",
            _ => "node.kubernetes.io/unreachable",
        }
    }
}

fn next(now_ms: u64, after_ms: u64, every_ms: u64) -> u64 {
    (now_ms + after_ms).div_ceil(every_ms) * every_ms
}

impl Lifecycle {
    pub(crate) fn observe(&mut self, seen: &Seen, now_ms: u64) {
        let no_execute = |node: &Node| node.taints.iter().any(|taint| taint.effect == Effect::NoExecute);
        match seen {
            Seen::Node(old, Some(new)) => {
                let had = old.as_deref().is_some_and(no_execute);
                if had || no_execute(new) {
                    self.tainted.insert(new.meta.name.as_str().into());
                }
            }
            Seen::Node(Some(old), None) => {
                let name: Arc<str> = old.meta.name.as_str().into();
                self.due.insert((next(now_ms, ORPHANED_MS, COLLECT_MS), Step::Collect, name));
            }
            Seen::Pod(old, Some(new)) => {
                if let Some(node) =
                    new.node.as_ref().filter(|_| old.as_ref().is_none_or(|old| old.node.is_none()))
                {
                    self.tainted.insert(node.clone());
                }
            }
            Seen::Pod(Some(old), None) => {
                self.forget(&old.key);
                // An owner that waits for its pods may go with the last of them.
                if let Some(owner) = old.shape.owner.as_ref().filter(|owner| owner.kind == "DaemonSet") {
                    let key = Key { namespace: old.key.namespace.clone(), name: owner.name.as_str().into() };
                    self.owners.insert((key, owner.uid));
                }
            }
            Seen::DaemonSet(Some(old), new) if new.as_ref().is_none_or(|set| set.meta.deleting.is_some()) => {
                self.owners.insert((old.meta.key(), old.meta.uid));
            }
            _ => {}
        }
    }

    /// What was to come of how a node did does not come any more.
    fn drop_steps(&mut self, node: &str) {
        self.due.retain(|(_, step, of)| *step == Step::Collect || **of != *node);
    }

    fn forget(&mut self, key: &Key) -> bool {
        let Some(at_ms) = self.evicts_at.remove(key) else { return false };
        self.evictions.remove(&(at_ms, key.clone())).is_some()
    }

    pub(crate) fn next_due_ms(&self) -> Option<u64> {
        let step = self.due.first().map(|(due_ms, ..)| *due_ms);
        let eviction = self.evictions.first_key_value().map(|((due_ms, _), _)| *due_ms);
        step.into_iter().chain(eviction).min()
    }
}

impl Cluster {
    /// Lets a node fail or recover. What follows takes its time.
    pub fn set_health(&mut self, node: &str, health: Health) {
        if self.health(node) == health {
            return;
        }
        let (name, now_ms): (Arc<str>, u64) = (node.into(), self.now_ms());
        self.lifecycle.health.insert(name.clone(), health);
        self.lifecycle.drop_steps(&name);
        self.kubelets.set_idle(node, health != Health::Well);
        let due_ms = match health {
            Health::Well => return self.recovered(node),
            Health::KubeletSilent => next(now_ms, SILENT_MS, LOOK_MS),
            Health::RuntimeDown => next(now_ms, RUNTIME_MS, POST_MS),
        };
        self.lifecycle.due.insert((due_ms, Step::NotReady, name));
    }

    /// A node comes: its kubelet creates the object, and the life-cycle controller takes note of it.
    pub fn register_node(&mut self, node: Node) {
        let name = node.meta.name.clone();
        self.create_node(node);
        let message = format!("Node {name} event: Registered Node {name} in Controller");
        self.tell_of_node(&name, "RegisteredNode", message, "node-controller");
    }

    /// Keeps new pods off a node, or lets them come again; the life-cycle controller says the same with a taint.
    ///
    /// # Errors
    /// There is no such node.
    pub fn cordon(&mut self, node: &str, on: bool) -> Result<(), crate::api::Refusal> {
        let taint = Taint::new("node.kubernetes.io/unschedulable", Effect::NoSchedule);
        self.edit_node(node, |node| node.unschedulable = on)?;
        self.edit_node(node, |node| match on {
            true => node.add_taint(taint.clone()),
            false => node.taints.retain(|old| old.key != taint.key),
        })?;
        Ok(())
    }

    /// Writes into a pod that somebody else than its owner ends it.
    pub(crate) fn mark_disrupted(&mut self, key: &Key, reason: &'static str, message: &str) {
        let Some(pod) = self.store.pod(key).filter(|pod| pod.deleting.is_none()) else { return };
        let (mut status, now_ms) = ((*pod.status).clone(), self.now_ms());
        status.set_condition("DisruptionTarget", Truth::True, now_ms);
        if let Some(condition) = status.conditions.iter_mut().find(|one| one.kind == "DisruptionTarget") {
            condition.why = Why::new(reason, message);
        }
        let uid = pod.uid;
        self.commit(Change::PodStatus { uid, status: Arc::new(status) });
    }

    /// How a node is doing.
    pub fn health(&self, node: &str) -> Health {
        self.lifecycle.health.get(node).copied().unwrap_or(Health::Well)
    }

    /// Does the next step of these controllers; false where none is due.
    pub(crate) fn lifecycle_step(&mut self) -> bool {
        if let Some(node) = self.lifecycle.tainted.pop_first() {
            self.look_for_evictions(&node);
            return true;
        }
        if let Some((key, uid)) = self.lifecycle.owners.pop_first() {
            self.collect_dependents(&key, uid);
            return true;
        }
        let now_ms = self.now_ms();
        if let Some(entry) = self.lifecycle.evictions.first_entry().filter(|entry| entry.key().0 <= now_ms) {
            let (_, key) = entry.remove_entry().0;
            self.lifecycle.evicts_at.remove(&key);
            self.evict_for_taint(&key);
            return true;
        }
        if self.lifecycle.due.first().is_none_or(|(due_ms, ..)| *due_ms > now_ms) {
            return false;
        }
        let Some((_, step, node)) = self.lifecycle.due.pop_first() else { return false };
        match step {
            Step::NotReady => self.not_ready(&node),
            Step::NoExecute => self.taint(&node, Effect::NoExecute),
            Step::Cleared => self.clear(&node, Effect::NoExecute),
            Step::Collect => self.collect_orphaned(&node),
        }
        true
    }

    /// Taints the nodes whose pods were marked; true where there were some. A live cluster marks the pods first, and syncs a
    /// DaemonSet before the taint is there (`get-ds-watch-kubelet-silent`).
    pub(crate) fn taint_marked(&mut self) -> bool {
        let marked = std::mem::take(&mut self.lifecycle.marked);
        marked.iter().for_each(|node| self.taint(node, Effect::NoSchedule));
        !marked.is_empty()
    }

    fn not_ready(&mut self, node: &Arc<str>) {
        let (health, now_ms) = (self.health(node), self.now_ms());
        let silent = health == Health::KubeletSilent;
        let (status, reason, message) = match silent {
            true => (Truth::Unknown, "NodeStatusUnknown", "Kubelet stopped posting node status."),
            false => (Truth::False, "KubeletNotReady", "container runtime is down"),
        };
        self.set_ready(node, silent, status, reason, message);
        let message = format!("Node {node} status is now: NodeNotReady");
        self.tell_of_node(node, "NodeNotReady", message, if silent { "node-controller" } else { "kubelet" });
        if !silent {
            return self.tainted_by_kubelet(node);
        }
        self.lifecycle.marked.insert(node.clone());
        self.lifecycle.due.insert((now_ms + NO_EXECUTE_AFTER_MS, Step::NoExecute, node.clone()));
        // Only a controller that finds out itself marks the pods.
        let pods: Vec<Arc<Pod>> = self.store.pods_on(node).filter(|pod| pod.is_ready()).cloned().collect();
        for pod in pods {
            let mut status = (*pod.status).clone();
            status.set_condition("Ready", Truth::False, now_ms);
            self.commit(Change::PodStatus { uid: pod.uid, status: Arc::new(status) });
            self.tell(Note {
                about: Id { kind: Kind::Pod, key: pod.key.clone() },
                uid: Some(pod.uid),
                level: Level::Warning,
                reason: "NodeNotReady".into(),
                message: "Node is not ready".into(),
                source: "node-controller".into(),
            });
        }
    }

    /// Taints a node whose own kubelet says that it is not ready, and takes the taints away when it says that it is.
    pub(crate) fn follow_kubelet(&mut self, node: &str) {
        let Some(object) = self.store.node(node) else { return };
        let key = Health::RuntimeDown.key();
        // The other taint is still there for a while after a recovery.
        let is_tainted =
            object.taints.iter().any(|taint| taint.key == key && taint.effect == Effect::NoSchedule);
        match object.ready() {
            Truth::False if !is_tainted => {
                let node = Arc::<str>::from(node);
                self.lifecycle.drop_steps(&node);
                self.lifecycle.health.insert(node.clone(), Health::RuntimeDown);
                self.tainted_by_kubelet(&node);
            }
            Truth::True if is_tainted && self.lifecycle.health.remove(node).is_some() => {
                self.lifecycle.drop_steps(node);
                self.untaint(node);
            }
            _ => {}
        }
    }

    fn set_ready(&mut self, node: &str, all: bool, status: Truth, reason: &'static str, message: &str) {
        let now_ms = self.now_ms();
        let since_ms = crate::meta::whole_seconds(now_ms);
        // A node that is gone has no status.
        let _ = self.edit_node(node, |node| {
            if status == Truth::True {
                let pressures = node.conditions.iter_mut().filter(|one| one.kind.ends_with("Pressure"));
                pressures.for_each(|pressure| pressure.status = Truth::False);
            }
            let kinds: Vec<_> = node.conditions.iter().map(|condition| condition.kind.clone()).collect();
            for kind in kinds.into_iter().filter(|kind| kind == "Ready" || all && kind.ends_with("Pressure"))
            {
                node.set_condition(Condition {
                    kind,
                    status,
                    why: Why::new(reason, message),
                    since_ms,
                    heard_ms: now_ms,
                });
            }
        });
    }

    /// One taint at once, the other when somebody looks.
    fn tainted_by_kubelet(&mut self, node: &Arc<str>) {
        self.taint(node, Effect::NoSchedule);
        self.lifecycle.due.insert((self.next_look_ms(), Step::NoExecute, node.clone()));
    }

    /// The same, the other way round.
    fn untaint(&mut self, node: &str) {
        self.clear(node, Effect::NoSchedule);
        self.lifecycle.due.insert((self.next_look_ms(), Step::Cleared, node.into()));
    }

    fn next_look_ms(&self) -> u64 {
        next(self.now_ms() + 1, 0, LOOK_MS)
    }

    /// A node has one of the two taints, that of how it does.
    fn taint(&mut self, node: &str, effect: Effect) {
        let (key, now_ms) = (self.health(node).key(), self.now_ms());
        let added_ms = (effect == Effect::NoExecute).then_some(now_ms);
        let _ = self.edit_node(node, |node| {
            node.taints.retain(|taint| taint.key == key || !is_of_health(taint, effect));
            node.add_taint(Taint { added_ms, ..Taint::new(key, effect) });
        });
    }

    fn clear(&mut self, node: &str, effect: Effect) {
        let _ = self.edit_node(node, |node| node.taints.retain(|taint| !is_of_health(taint, effect)));
    }

    fn recovered(&mut self, node: &str) {
        self.set_ready(node, false, Truth::True, "KubeletReady", "kubelet is posting ready status");
        if self.store.node(node).is_some() {
            self.tell_of_node(node, "NodeReady", format!("Node {node} status is now: NodeReady"), "kubelet");
            self.untaint(node);
            self.take_up_pods(node);
        }
    }

    fn tell_of_node(&mut self, node: &str, reason: &'static str, message: String, source: &'static str) {
        let about = Id::new(Kind::Node, "", node);
        let uid = self.store.node(node).map(|node| node.meta.uid);
        let level = Level::Normal;
        self.tell(Note { about, uid, level, reason: reason.into(), message, source: source.into() });
    }

    /// Which pods of a node go because of its `NoExecute` taints, and when.
    fn look_for_evictions(&mut self, node: &str) {
        let taints: Vec<Taint> = match self.store.node(node) {
            Some(node) => {
                node.taints.iter().filter(|taint| taint.effect == Effect::NoExecute).cloned().collect()
            }
            None => return,
        };
        // Nothing ends and nobody was to go.
        if taints.is_empty() && self.lifecycle.evicts_at.is_empty() {
            return;
        }
        let now_ms = self.now_ms();
        let pods: Vec<Arc<Pod>> =
            self.store.pods_on(node).filter(|pod| pod.deleting.is_none()).cloned().collect();
        for pod in pods {
            let Some(stays_ms) = stays_ms(&pod, &taints) else {
                if self.lifecycle.forget(&pod.key) {
                    let message = format!("Cancelling deletion of Pod {}", pod.key);
                    self.tell_of_eviction(&pod.key, message);
                }
                continue;
            };
            let at_ms = now_ms + stays_ms;
            if !self.lifecycle.evicts_at.contains_key(&pod.key) {
                self.lifecycle.evicts_at.insert(pod.key.clone(), at_ms);
                self.lifecycle.evictions.insert((at_ms, pod.key.clone()), pod.uid);
            }
        }
    }

    fn evict_for_taint(&mut self, key: &Key) {
        if self.store.pod(key).is_some_and(|pod| pod.deleting.is_none()) {
            self.tell_of_eviction(key, format!("Marking for deletion Pod {key}"));
            let message = "Taint manager: deleting due to NoExecute taint";
            self.mark_disrupted(key, "DeletionByTaintManager", message);
            let _ = self.delete_pod(key, None);
        }
    }

    /// These events name no identity, so `kubectl describe pod` does not find them.
    fn tell_of_eviction(&mut self, key: &Key, message: String) {
        let about = Id { kind: Kind::Pod, key: key.clone() };
        let (level, reason) = (Level::Normal, "TaintManagerEviction".into());
        self.tell(Note {
            about,
            uid: None,
            level,
            reason,
            message,
            source: "taint-eviction-controller".into(),
        });
    }

    /// The pod garbage collector takes the pods of a node that is gone.
    fn collect_orphaned(&mut self, node: &str) {
        if self.store.node(node).is_some() {
            return;
        }
        let keys: Vec<Key> = self.store.pods_on(node).map(|pod| pod.key.clone()).collect();
        for key in keys {
            self.remove_pod(&key);
        }
    }

    /// The garbage collector deletes what belonged to an owner that is gone; one that waits for its own goes with them.
    fn collect_dependents(&mut self, key: &Key, uid: Uid) {
        let owner = self.store.daemonset(key).filter(|set| set.meta.uid == uid);
        let waits = owner.is_some_and(|set| set.meta.deleting.is_some());
        if owner.is_some() && !waits {
            return;
        }
        let mut keys: Vec<Key> = self.store.pods_of(uid).map(|pod| pod.key.clone()).collect();
        keys.sort_unstable();
        for key in &keys {
            let _ = self.delete_pod(key, None);
        }
        if self.store.pods_of(uid).next().is_some() {
            return;
        }
        let revisions: Vec<Key> =
            self.store.revisions_of(uid).iter().map(|revision| revision.meta.key()).collect();
        for key in revisions {
            self.remove(Id { kind: Kind::ControllerRevision, key });
        }
        if waits {
            self.remove(Id { kind: Kind::DaemonSet, key: key.clone() });
        }
    }
}

/// True for a taint with this effect that says how a node does.
fn is_of_health(taint: &Taint, effect: Effect) -> bool {
    let keys = [Health::RuntimeDown.key(), Health::KubeletSilent.key()];
    taint.effect == effect && keys.contains(&taint.key.as_str())
}

/// How long a pod stays in spite of these taints, in milliseconds; `None` is for ever.
fn stays_ms(pod: &Pod, taints: &[Taint]) -> Option<u64> {
    if matches!(pod.status.phase, Phase::Failed | Phase::Succeeded) {
        return None;
    }
    let of_taint = |taint: &Taint| -> Option<u64> {
        let tolerations = pod.shape.spec.tolerations.iter().filter(|toleration| toleration.tolerates(taint));
        let seconds: Vec<Option<u64>> = tolerations.map(|toleration| toleration.seconds).collect();
        match seconds.as_slice() {
            [] => Some(0),
            some => some.iter().flatten().min().map(|seconds| seconds * 1000),
        }
    };
    taints.iter().filter_map(of_taint).min()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::daemon::Watch;

    /// A kubelet that fails again before somebody looked taints its node again, and the look takes nothing away.
    #[test]
    fn a_kubelet_that_fails_again_at_once_taints_its_node_again() {
        let mut cluster = Cluster::new(1, Watch::AtOnce);
        cluster.create_node(Node::new("a"));
        let says = |cluster: &mut Cluster, status| {
            cluster.set_ready("a", false, status, "KubeletReady", "");
            cluster.follow_kubelet("a");
        };
        let taints = |cluster: &Cluster| -> Vec<Effect> {
            cluster.store().node("a").unwrap().taints.iter().map(|taint| taint.effect).collect()
        };
        says(&mut cluster, Truth::True);
        says(&mut cluster, Truth::False);
        cluster.run_until(6_000);
        assert_eq!(taints(&cluster), [Effect::NoSchedule, Effect::NoExecute]);
        says(&mut cluster, Truth::True);
        assert_eq!(taints(&cluster), [Effect::NoExecute]);
        says(&mut cluster, Truth::False);
        cluster.run_until(60_000);
        let mut both = taints(&cluster);
        both.sort_by_key(|effect| *effect == Effect::NoExecute);
        assert_eq!(both, [Effect::NoSchedule, Effect::NoExecute]);
        says(&mut cluster, Truth::True);
        cluster.run_until(66_000);
        assert_eq!(taints(&cluster), []);
    }
}
