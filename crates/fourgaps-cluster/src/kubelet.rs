//! The kubelets of nodes that are not simulated themselves: scripts that say what becomes of a pod with a certain image.
//! A node whose inside matters has a kubelet of its own, which reports through the same changes.

use crate::change::Change;
use crate::cluster::Cluster;
use crate::event::{Level, Note};
use crate::meta::{Uid, place_print};
use crate::node::{Truth, Why};
use crate::object::{Id, Kind};
use crate::pod::{ContainerState, ContainerStatus, Ended, Phase, Pod, PodStatus};
use crate::store::Seen;
use fourgaps_node::{BACK_OFF_SHOWN_MS, not_found, pull_wait_ms};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

/// From the second end of a container on, it waits before it is started again; doubled up to the longest.
const CRASH_WAIT_MS: u64 = 10_000;
const LONGEST_CRASH_WAIT_MS: u64 = 300_000;
/// From one try to make a sandbox to the next (A3.7: 10 to 15 s).
const SANDBOX_WAIT_MS: u64 = 13_000;
/// From a pod's binding to the kubelet's first word on it (`timeline-kubelet-silent`).
const TAKEN_AFTER_MS: u64 = 200;
/// From the end of a pod's containers to the end of its object.
const REMOVED_AFTER_MS: u64 = 1_000;

/// What becomes of a pod.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Behaviour {
    /// How long the image is pulled, in milliseconds.
    pub pull_ms: u64,
    /// There is no such image.
    pub missing: bool,
    /// How long after its start the container is ready, in milliseconds; `None` is never.
    pub ready_ms: Option<u64>,
    /// How long after its start the container ends by itself, in milliseconds, and with which code.
    pub ends: Option<(u64, i32)>,
    /// How long it takes to stop, in milliseconds.
    pub stop_ms: u64,
    /// The kubelet refuses the pod, for want of a device: the sentence.
    pub refused: Option<String>,
    /// No sandbox is made for the pod: what the runtime says.
    pub no_sandbox: Option<String>,
}

impl Default for Behaviour {
    fn default() -> Self {
        Self {
            pull_ms: 1_000,
            missing: false,
            ready_ms: Some(1_000),
            ends: None,
            stop_ms: 2_000,
            refused: None,
            no_sandbox: None,
        }
    }
}

/// A step in the life of a pod.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Taken,
    Pulled,
    BackOff,
    Ready,
    Ends,
    Restart,
    Stopped,
    Removed,
}

/// What is said of an image.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Said {
    everywhere: Option<Behaviour>,
    on: BTreeMap<Arc<str>, Behaviour>,
}

/// The kubelets' memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kubelets {
    images: BTreeMap<String, Said>,
    /// Nodes whose kubelet does nothing: it is dead, its runtime is down, or somebody else plays it.
    idle: BTreeSet<Arc<str>>,
    /// What is to be done at each moment, in the order in which it was wished: thousands of pods take their steps together.
    due: BTreeMap<u64, VecDeque<(Uid, Step)>>,
    tries: BTreeMap<Uid, u32>,
    /// The network of each node, by the fingerprint of its name: the order in which it came, and the last number that was given out in it.
    networks: BTreeMap<u64, (u32, u32)>,
}

impl Kubelets {
    /// Says how pods with an image behave.
    pub fn script(&mut self, image: &str, behaviour: Behaviour) {
        self.images.entry(image.into()).or_default().everywhere = Some(behaviour);
    }

    /// Says how pods with an image behave on one node.
    pub fn script_on(&mut self, node: &str, image: &str, behaviour: Behaviour) {
        self.images.entry(image.into()).or_default().on.insert(node.into(), behaviour);
    }

    /// Stops the kubelet of a node from acting, or lets it act again.
    pub fn set_idle(&mut self, node: &str, idle: bool) {
        if idle {
            self.idle.insert(node.into());
        } else {
            self.idle.remove(node);
        }
    }

    /// What is said of an image on a node.
    pub(crate) fn said_of(&self, node: &str, image: &str) -> Option<&Behaviour> {
        let said = self.images.get(image)?;
        said.on.get(node).or(said.everywhere.as_ref())
    }

    fn behaviour(&self, pod: &Pod) -> Behaviour {
        self.said_of(pod.node.as_deref().unwrap_or_default(), image(pod)).cloned().unwrap_or_default()
    }

    fn at(&mut self, due_ms: u64, pod: &Pod, step: Step) {
        self.due.entry(due_ms).or_default().push_back((pod.uid, step));
    }

    /// Takes note of a change: a pod came to a node, or is to go from it.
    pub(crate) fn observe(&mut self, seen: &Seen, now_ms: u64) {
        match seen {
            Seen::Pod(old, Some(new)) => {
                let Some(node) = &new.node else { return };
                if self.idle.contains(node) {
                    return;
                }
                if new.deleting.is_some() && old.as_ref().is_none_or(|old| old.deleting.is_none()) {
                    let stop_ms = self.behaviour(new).stop_ms;
                    self.at(now_ms + stop_ms, new, Step::Stopped);
                } else if old.as_ref().is_none_or(|old| old.node.is_none()) {
                    self.at(now_ms + TAKEN_AFTER_MS, new, Step::Taken);
                }
            }
            Seen::Pod(Some(old), None) => drop(self.tries.remove(&old.uid)),
            Seen::Node(None, Some(new)) => {
                let nth = u32::try_from(self.networks.len()).unwrap_or(0) + 1;
                self.networks.entry(place_print(&new.meta.name)).or_insert((nth, 1));
            }
            _ => {}
        }
    }

    pub(crate) fn next_due_ms(&self) -> Option<u64> {
        self.due.first_key_value().map(|(due_ms, _)| *due_ms)
    }

    fn take_due(&mut self, now_ms: u64) -> Option<(Uid, Step)> {
        let mut first = self.due.first_entry().filter(|first| *first.key() <= now_ms)?;
        let next = first.get_mut().pop_front();
        if first.get().is_empty() {
            first.remove();
        }
        next
    }
}

impl Cluster {
    /// How pods behave on nodes that are not simulated themselves.
    pub fn kubelets(&mut self) -> &mut Kubelets {
        &mut self.kubelets
    }

    /// The next address of a node's network, `10.244.N.M`: N counts nodes as they came, M goes up from 2 (as recorded).
    pub(crate) fn next_address(&mut self, node: &Arc<str>) -> Arc<str> {
        let number = |pod: &Arc<Pod>| pod.status.ip.rsplit('.').next()?.parse().ok();
        let there = self.store.pods_on(node).filter_map(number).max().unwrap_or(1);
        let (nth, last) = self.kubelets.networks.entry(place_print(node)).or_insert((0, 1));
        *last = there.max(*last) + 1;
        format!("10.{}.{}.{last}", (244 + *nth / 256) % 256, *nth % 256).into()
    }

    /// A kubelet that is back carries out what it missed and says again which pods are ready.
    pub(crate) fn take_up_pods(&mut self, node: &str) {
        let now_ms = self.now_ms();
        let pods: Vec<Arc<Pod>> = self.store.pods_on(node).cloned().collect();
        for pod in pods {
            let runs_ready = |container: &ContainerStatus| {
                container.ready && matches!(container.state, ContainerState::Running { .. })
            };
            let containers = &pod.status.containers;
            if pod.deleting.is_some() {
                let stop_ms = self.kubelets.behaviour(&pod).stop_ms;
                self.kubelets.at(now_ms + stop_ms, &pod, Step::Stopped);
            } else if containers.is_empty() && !pod.status.phase.is_terminal() {
                self.kubelets.at(now_ms, &pod, Step::Taken);
            } else if !pod.is_ready() && !containers.is_empty() && containers.iter().all(runs_ready) {
                self.kubelets.at(now_ms, &pod, Step::Ready);
            } else if containers.iter().any(|c| matches!(c.state, ContainerState::Waiting { .. })) {
                self.kubelets.at(now_ms, &pod, Step::Pulled);
            } else if containers.iter().any(|c| matches!(c.state, ContainerState::Running { .. })) {
                // What its containers were about to do while nobody looked.
                let behaviour = self.kubelets.behaviour(&pod);
                let steps =
                    [(behaviour.ready_ms, Step::Ready), (behaviour.ends.map(|end| end.0), Step::Ends)];
                for (after_ms, step) in steps.into_iter().filter_map(|(ms, step)| Some((ms?, step))) {
                    self.kubelets.at(now_ms + after_ms, &pod, step);
                }
            }
        }
    }

    /// Lets one kubelet do its next step; false where none is due.
    pub(crate) fn kubelet_step(&mut self) -> bool {
        let now_ms = self.now_ms();
        let Some((uid, step)) = self.kubelets.take_due(now_ms) else { return false };
        let Some(pod) = self.store.pod_with(uid).cloned() else { return true };
        let idle = pod.node.as_ref().is_some_and(|node| self.kubelets.idle.contains(node));
        // What a pod on its way out would have become does not matter any more.
        let going = matches!(step, Step::Stopped | Step::Removed);
        if idle || pod.status.phase.is_terminal() && !going || pod.deleting.is_some() && !going {
            return true;
        }
        let behaviour = self.kubelets.behaviour(&pod);
        let mut status = (*pod.status).clone();
        match step {
            Step::Taken if behaviour.refused.is_some() => self.refused(&pod, &mut status, &behaviour),
            Step::Taken => {
                wait_for(&pod, &mut status, "ContainerCreating", String::new());
                status.set_condition("Ready", Truth::False, now_ms);
                status.start_ms = status.start_ms.or(Some(now_ms));
                if let Some(node) = pod.node.as_ref().filter(|_| status.ip.is_empty()) {
                    status.ip = self.next_address(node);
                }
                if let Some(why) = &behaviour.no_sandbox {
                    let message = format!("Failed to create pod sandbox: {why}");
                    self.kubelet_tells(&pod, Level::Warning, "FailedCreatePodSandBox", message);
                    self.kubelets.at(now_ms + SANDBOX_WAIT_MS, &pod, Step::Taken);
                } else {
                    let message = format!("Pulling image \"{}\"", image(&pod));
                    self.kubelet_tells(&pod, Level::Normal, "Pulling", message);
                    self.kubelets.at(now_ms + behaviour.pull_ms, &pod, Step::Pulled);
                }
            }
            Step::Pulled => self.pulled(&pod, &mut status, &behaviour),
            Step::BackOff => {
                let image = image(&pod);
                let told = format!("Back-off pulling image \"{image}\"");
                let message = format!("{told}: ErrImagePull: {}", not_found(image));
                wait_for(&pod, &mut status, "ImagePullBackOff", message);
                self.kubelet_tells(&pod, Level::Normal, "BackOff", told);
                self.kubelet_tells(&pod, Level::Warning, "Failed", "Error: ImagePullBackOff".into());
            }
            Step::Ready => {
                status.containers.iter_mut().for_each(|container| container.ready = true);
                status.set_condition("Ready", Truth::True, now_ms);
            }
            Step::Ends => self.ended(&pod, &mut status, &behaviour),
            Step::Restart => self.started(&pod, &mut status, &behaviour),
            Step::Stopped => {
                stopped(&mut status, now_ms);
                self.kubelets.at(now_ms + REMOVED_AFTER_MS, &pod, Step::Removed);
            }
            Step::Removed => {
                if pod.finalizers.is_empty() {
                    self.remove_pod(&pod.key);
                }
                return true;
            }
        }
        if status != *pod.status {
            self.commit(Change::PodStatus { uid, status: Arc::new(status) });
        }
        true
    }

    /// `UnexpectedAdmissionError`: the pod has failed before anything of it ran.
    fn refused(&mut self, pod: &Pod, status: &mut PodStatus, behaviour: &Behaviour) {
        let why = behaviour.refused.as_deref().unwrap_or_default();
        status.phase = Phase::Failed;
        status.why = Why::new("UnexpectedAdmissionError", format!("Pod was rejected: {why}"));
        status.start_ms = Some(self.now_ms());
        status.set_condition("Ready", Truth::False, self.now_ms());
        self.kubelet_tells(pod, Level::Warning, "UnexpectedAdmissionError", why.into());
    }

    fn pulled(&mut self, pod: &Pod, status: &mut PodStatus, behaviour: &Behaviour) {
        let now_ms = self.now_ms();
        if !behaviour.missing {
            self.started(pod, status, behaviour);
            return;
        }
        let tries = self.kubelets.tries.entry(pod.uid).or_default();
        *tries += 1;
        let tries = *tries;
        let wait_ms = pull_wait_ms(tries);
        let image = image(pod);
        wait_for(pod, status, "ErrImagePull", not_found(image));
        let message = format!("Failed to pull image \"{image}\": {}", not_found(image));
        if tries > 1 {
            self.kubelet_tells(pod, Level::Normal, "Pulling", format!("Pulling image \"{image}\""));
        }
        self.kubelet_tells(pod, Level::Warning, "Failed", message);
        self.kubelet_tells(pod, Level::Warning, "Failed", "Error: ErrImagePull".into());
        self.kubelets.at(now_ms + BACK_OFF_SHOWN_MS, pod, Step::BackOff);
        self.kubelets.at(now_ms + wait_ms, pod, Step::Pulled);
    }

    fn started(&mut self, pod: &Pod, status: &mut PodStatus, behaviour: &Behaviour) {
        let now_ms = self.now_ms();
        status.phase = Phase::Running;
        while status.containers.len() < pod.shape.spec.containers.len() {
            status.containers.push(ContainerStatus::waiting(""));
        }
        for container in &mut status.containers {
            let again = container.last.is_some() || matches!(container.state, ContainerState::Ended(_));
            container.restarts += u32::from(again);
            if let ContainerState::Ended(ended) = &container.state {
                container.last = Some(ended.clone());
            }
            container.state = ContainerState::Running { since_ms: now_ms };
            container.ready = behaviour.ready_ms == Some(0);
        }
        let ready = if behaviour.ready_ms == Some(0) { Truth::True } else { Truth::False };
        status.set_condition("Ready", ready, now_ms);
        for container in &pod.shape.spec.containers {
            let there = format!("Container image \"{}\" already present on machine", container.image);
            self.kubelet_tells(pod, Level::Normal, "Pulled", there);
            self.kubelet_tells(
                pod,
                Level::Normal,
                "Created",
                format!("Created container: {}", container.name),
            );
            self.kubelet_tells(
                pod,
                Level::Normal,
                "Started",
                format!("Started container {}", container.name),
            );
        }
        let ends_ms = behaviour.ends.map(|(ends_ms, _)| ends_ms);
        if let Some(ready_ms) =
            behaviour.ready_ms.filter(|ms| *ms > 0 && ends_ms.is_none_or(|ends| *ms < ends))
        {
            self.kubelets.at(now_ms + ready_ms, pod, Step::Ready);
        }
        if let Some(ends_ms) = ends_ms {
            self.kubelets.at(now_ms + ends_ms, pod, Step::Ends);
        }
    }

    fn ended(&mut self, pod: &Pod, status: &mut PodStatus, behaviour: &Behaviour) {
        let now_ms = self.now_ms();
        let code = behaviour.ends.map_or(0, |(_, code)| code);
        let reason = if code == 0 { "Completed" } else { "Error" };
        for container in &mut status.containers {
            let ContainerState::Running { since_ms } = container.state else { continue };
            let ended = Ended { code, reason: reason.into(), started_ms: since_ms, ended_ms: Some(now_ms) };
            container.state = ContainerState::Ended(Box::new(ended));
            container.ready = false;
        }
        status.set_condition("Ready", Truth::False, now_ms);
        let tries = self.kubelets.tries.entry(pod.uid).or_default();
        *tries += 1;
        // The first time it is started again at once, then after 10 s, 20 s and so on.
        let wait_ms = match *tries {
            0 | 1 => 0,
            n => CRASH_WAIT_MS.saturating_mul(1 << (n - 2).min(10)).min(LONGEST_CRASH_WAIT_MS),
        };
        if wait_ms > 0 {
            for container in &mut status.containers {
                if let ContainerState::Ended(ended) = &container.state {
                    container.last = Some(ended.clone());
                }
            }
            let (seconds, name) = (wait_ms / 1000, pod.shape.spec.containers.first().map_or("", |c| &c.name));
            let span = if seconds < 60 {
                format!("{seconds}s")
            } else {
                format!("{}m{}s", seconds / 60, seconds % 60)
            };
            let of = format!("{}_{}({})", pod.key.name, pod.key.namespace, pod.uid);
            let message = format!("back-off {span} restarting failed container={name} pod={of}");
            let told = format!("Back-off restarting failed container {name} in pod {of}");
            for container in &mut status.containers {
                let (reason, message) = ("CrashLoopBackOff".into(), message.as_str().into());
                container.state = ContainerState::Waiting { reason, message };
            }
            self.kubelet_tells(pod, Level::Warning, "BackOff", told);
        }
        self.kubelets.at(now_ms + wait_ms, pod, Step::Restart);
    }

    pub(crate) fn kubelet_tells(&mut self, pod: &Pod, level: Level, reason: &'static str, message: String) {
        self.tell(Note {
            about: Id { kind: Kind::Pod, key: pod.key.clone() },
            uid: Some(pod.uid),
            level,
            reason: reason.into(),
            message,
            source: "kubelet".into(),
        });
    }
}

fn image(pod: &Pod) -> &str {
    pod.shape.spec.containers.first().map_or("", |container| &container.image)
}

fn wait_for(pod: &Pod, status: &mut PodStatus, reason: &'static str, message: String) {
    let state = ContainerState::Waiting { reason: reason.into(), message: message.into() };
    let waiting = ContainerStatus { state, ..ContainerStatus::waiting("") };
    status.containers = pod.shape.spec.containers.iter().map(|_| waiting.clone()).collect();
}

/// `TerminatePod` of the kubelet's `status_manager.go`: what ran ends well, what never ran ends for reasons unknown.
pub fn stopped(status: &mut PodStatus, now_ms: u64) {
    for container in &mut status.containers {
        let ended = match &container.state {
            ContainerState::Running { since_ms } => {
                let (reason, ended_ms) = ("Completed".into(), Some(now_ms));
                Box::new(Ended { code: 0, reason, started_ms: *since_ms, ended_ms })
            }
            ContainerState::Ended(ended) => ended.clone(),
            ContainerState::Waiting { .. } => {
                let reason = "ContainerStatusUnknown".into();
                Box::new(Ended { code: 137, reason, ..Ended::default() })
            }
        };
        container.state = ContainerState::Ended(ended);
        container.ready = false;
    }
    let well =
        |container: &ContainerStatus| matches!(&container.state, ContainerState::Ended(end) if end.code == 0);
    if !status.phase.is_terminal() {
        let all_well = status.containers.iter().all(well);
        status.phase = if all_well { Phase::Succeeded } else { Phase::Failed };
    }
    status.set_condition("Ready", Truth::False, now_ms);
}
