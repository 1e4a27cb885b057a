//! The sync of a pod: sandbox, init containers, containers.
//! Source: `pkg/kubelet/kuberuntime` of Kubernetes, `../shared/facts/kubernetes.md` A3.

use super::{
    ContainerSpec, ContainerState, ContainerStatus, KubeletFact, Pod, PodPhase, PodSpec, PodStatus, Program,
    RestartPolicy, Running, Terminated,
};
use crate::act::Deciding;
use crate::op::{Answer, SandboxSpec};
use crate::process::Signal;
use fourgaps_config::daemon::{SandboxAnswer, quote};

/// After an error the kubelet turns to a pod again in this time.
pub(super) const RETRY_MS: u64 = 10_000;
/// The first time that a container which keeps ending is held back, and the longest.
const BACK_OFF_MS: std::ops::Range<u64> = 10_000..300_000;
/// A container that ran so long is not held back any more.
const RUNS_WELL_MS: u64 = 600_000;

/// Which containers of a pod.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    Init,
    App,
}

impl PodStatus {
    pub(super) fn list(&mut self, which: Which) -> &mut Vec<ContainerStatus> {
        match which {
            Which::Init => &mut self.init,
            Which::App => &mut self.containers,
        }
    }
}

impl PodSpec {
    pub(super) fn container(&self, which: Which, at: usize) -> Option<&ContainerSpec> {
        match which {
            Which::Init => self.init.get(at),
            Which::App => self.containers.get(at),
        }
    }
}

impl Deciding<'_> {
    /// The scheduler bound a pod to this node.
    pub(super) fn add_pod(&mut self, spec: &PodSpec) {
        self.kubelet(KubeletFact::Added(Box::new(spec.clone())));
        let Some(Pod { mut status, .. }) = self.node.kubelet.pod(&spec.uid).cloned() else { return };
        if let Some(message) = self.no_devices(spec) {
            status.phase = PodPhase::Failed;
            status.reason = "UnexpectedAdmissionError".into();
            self.event(&spec.uid, true, &status.reason, &message);
            status.message = message;
            return self.fares(&spec.uid, status);
        }
        status.sync_ms = Some(self.node.now_ms);
        self.fares(&spec.uid, status);
    }

    pub(super) fn fares(&mut self, uid: &str, status: PodStatus) {
        self.kubelet(KubeletFact::Pod { uid: uid.into(), status: Box::new(status) });
    }

    pub(super) fn event(&mut self, uid: &str, warning: bool, reason: &str, message: &str) {
        let (uid, reason, message) = (Some(uid.into()), reason.into(), message.into());
        self.kubelet(KubeletFact::Event { uid, warning, reason, message });
    }

    /// Turns to every pod that waits for the runtime, at this time.
    pub(super) fn wake_pods(&mut self, at_ms: u64) {
        let waiting = self.node.kubelet.pods.iter().filter(|pod| pod.status.waits);
        for Pod { spec, mut status } in waiting.cloned().collect::<Vec<_>>() {
            status.sync_ms = Some(at_ms);
            status.waits = false;
            self.fares(&spec.uid, status);
        }
    }

    /// What falls due in the kubelet at this time.
    pub(crate) fn kubelet_is_due(&mut self) {
        let now = self.node.now_ms;
        self.run_programs();
        if !self.node.kubelet.runs {
            return;
        }
        self.post_status();
        self.probe();
        self.forget();
        let due = self.node.kubelet.pods.iter().filter(|pod| pod.status.sync_ms.is_some_and(|at| at <= now));
        for uid in due.map(|pod| pod.spec.uid.clone()).collect::<Vec<_>>() {
            self.sync_pod(&uid);
        }
    }

    fn sync_pod(&mut self, uid: &str) {
        let Some(Pod { spec, mut status }) = self.node.kubelet.pod(uid).cloned() else { return };
        status.sync_ms = None;
        let now = self.node.now_ms;
        if !self.node.kubelet.health.lets_sync(now) {
            // The runtime may be back already, and the check that will say so still to come.
            let health = &self.node.kubelet.health;
            (status.sync_ms, status.waits) = (health.answers.then_some(health.back_ms), !health.answers);
            return self.fares(uid, status);
        }
        if self.node.no_answer().is_none() {
            self.observe(&spec, &mut status);
        }
        if status.deleting.is_some() {
            return self.sync_deletion(&spec, status);
        }
        if matches!(status.phase, PodPhase::Pending | PodPhase::Running)
            && self.sync_sandbox(&spec, &mut status)
        {
            self.sync_containers(&spec, &mut status);
        }
        self.fares(uid, status);
    }

    /// Takes note of containers whose processes have ended.
    pub(super) fn observe(&mut self, spec: &PodSpec, status: &mut PodStatus) {
        for which in [Which::Init, Which::App] {
            for (at, container) in status.list(which).iter_mut().enumerate() {
                let Some(Running { since_ms, ended: Some((code, ended_ms)), .. }) = container.running()
                else {
                    continue;
                };
                let reason = match *code {
                    super::LOST => "Unknown",
                    0 => "Completed",
                    _ => "Error",
                };
                let ended = Terminated {
                    status: *code,
                    reason: reason.into(),
                    started_ms: *since_ms,
                    ended_ms: *ended_ms,
                };
                if ended.ended_ms - ended.started_ms > RUNS_WELL_MS {
                    container.back_off_ms = 0;
                }
                container.state = ContainerState::Terminated(ended);
                if let Some(spec) = spec.container(which, at) {
                    self.program_ended(spec);
                }
            }
        }
    }

    /// True where the pod has a sandbox that is ready, or has got one.
    fn sync_sandbox(&mut self, spec: &PodSpec, status: &mut PodStatus) -> bool {
        let old = status.sandbox.clone();
        let ready =
            |id: &String| self.node.sandboxes.iter().any(|sandbox| sandbox.id == *id && sandbox.is_ready());
        if old.as_ref().is_some_and(ready) {
            return true;
        }
        if let Some(old) = old {
            if self.node.no_answer().is_some() {
                // Nobody tells what has become of it.
                status.sync_ms = Some(self.node.now_ms + RETRY_MS);
                return false;
            }
            self.event(
                &spec.uid,
                false,
                "SandboxChanged",
                "Pod sandbox changed, it will be killed and re-created.",
            );
            self.with_sandbox(&old, |id| crate::fact::Fact::SandboxRemoved { id });
            status.sandbox = None;
            status.attempt += 1;
            let killed = (128 + Signal::Kill.number(), self.node.now_ms);
            let all = status.init.iter_mut().chain(&mut status.containers);
            for running in all.filter_map(ContainerStatus::running_mut) {
                running.ended.get_or_insert(killed);
            }
            self.observe(spec, status);
        }
        let answer = self.run_sandbox(&SandboxSpec {
            name: spec.name.clone(),
            namespace: spec.namespace.clone(),
            uid: spec.uid.clone(),
            attempt: status.attempt,
            handler: spec.handler.clone(),
            log_directory: format!("/var/log/pods/{}_{}_{}", spec.namespace, spec.name, spec.uid),
        });
        let why = match answer {
            Answer::Sandbox { id } => {
                status.sandbox = Some(id);
                return true;
            }
            Answer::Refused(words) => of_runtime(&words).to_string(),
            Answer::NotSimulated(why) => {
                // What the real runtime would say is not known, so there is no event.
                status.reason = "NotSimulated".into();
                status.message = why;
                return false;
            }
            _ => return false,
        };
        self.event(
            &spec.uid,
            true,
            "FailedCreatePodSandBox",
            &format!("Failed to create pod sandbox: {why}"),
        );
        status.sync_ms = Some(self.node.now_ms + RETRY_MS);
        false
    }

    fn sync_containers(&mut self, spec: &PodSpec, status: &mut PodStatus) {
        for (at, init) in spec.init.iter().enumerate() {
            if status.init[at].terminated().is_some_and(|ended| ended.status == 0) {
                continue;
            }
            let failed = status.init[at].terminated().is_some();
            if failed && spec.restart == RestartPolicy::Never {
                status.phase = PodPhase::Failed;
                return;
            }
            return self.sync_container(spec, init, (Which::Init, at), status);
        }
        for (at, container) in spec.containers.iter().enumerate() {
            self.sync_container(spec, container, (Which::App, at), status);
        }
        let containers = &status.containers;
        let ended = |container: &ContainerStatus| container.terminated().map(|ended| ended.status);
        status.phase = if containers.iter().all(|container| ended(container).is_some()) {
            let well = containers.iter().all(|container| ended(container) == Some(0));
            if well { PodPhase::Succeeded } else { PodPhase::Failed }
        } else if containers.iter().all(|container| container.running().is_some() || container.last.is_some())
        {
            PodPhase::Running
        } else {
            status.phase
        };
    }

    /// Starts a container that does not run, unless it is held back or done.
    fn sync_container(
        &mut self,
        pod: &PodSpec,
        spec: &ContainerSpec,
        (which, at): (Which, usize),
        status: &mut PodStatus,
    ) {
        let now = self.node.now_ms;
        let mut container = status.list(which)[at].clone();
        if container.running().is_some() {
            return;
        }
        if let ContainerState::Terminated(ended) = &container.state {
            let again = match (pod.restart, which) {
                (RestartPolicy::Always, Which::App) => true,
                (RestartPolicy::Never, _) => false,
                _ => ended.status != 0,
            };
            if !again {
                return;
            }
            let last = ended.clone();
            let held_ms = last.ended_ms + container.back_off_ms;
            let names = format!("{}_{}({})", pod.name, pod.namespace, pod.uid);
            if held_ms > now && last.reason != "Unknown" {
                let span = seconds(container.back_off_ms);
                let message =
                    format!("back-off {span} restarting failed container={} pod={names}", spec.name);
                let words = format!("Back-off restarting failed container {} in pod {names}", spec.name);
                self.event(&pod.uid, true, "BackOff", &words);
                container.last = Some(last);
                container.state = ContainerState::Waiting { reason: "CrashLoopBackOff".into(), message };
                status.list(which)[at] = container;
                status.sync_ms = Some(status.sync_ms.map_or(held_ms, |sync| sync.min(held_ms)));
                return;
            }
            container.last = Some(last);
        }
        if let Program::NotSimulated { why } = &spec.program {
            (status.reason, status.message) = ("NotSimulated".into(), why.clone());
            return;
        }
        if let Err(at_ms) = self.has_image(pod, spec, &mut container) {
            status.list(which)[at] = container;
            status.sync_ms = Some(status.sync_ms.map_or(at_ms, |sync| sync.min(at_ms)));
            return;
        }
        let is_new_try = container.last.is_some();
        match self.start_container(pod, spec, status.sandbox.as_deref()) {
            Ok(running) => {
                if is_new_try {
                    container.restarts += 1;
                    let next = (container.back_off_ms * 2).clamp(BACK_OFF_MS.start, BACK_OFF_MS.end);
                    container.back_off_ms = next;
                }
                container.state = ContainerState::Running(running);
                // What ends at once is noticed by the next look at the runtime.
                status.sync_ms = self.soon(status.sync_ms, &container);
            }
            Err((reason, message)) => {
                self.event(&pod.uid, true, "Failed", &format!("Error: {message}"));
                container.state = ContainerState::Waiting { reason: reason.into(), message };
                status.sync_ms = Some(now + RETRY_MS);
            }
        }
        status.list(which)[at] = container;
    }

    /// Creates and starts a container in its sandbox.
    fn start_container(
        &mut self,
        pod: &PodSpec,
        spec: &ContainerSpec,
        sandbox: Option<&str>,
    ) -> Result<Running, (&'static str, String)> {
        if let Some(words) = self.node.no_answer() {
            return Err(("CreateContainerError", described(&words).into()));
        }
        let Some(run) = self.node.containerd.as_ref().map(|process| process.run()) else {
            return Err(("CreateContainerError", String::new()));
        };
        // The handler is the one that the sandbox was asked for, and it is looked up again for every container.
        let made = self.node.sandboxes.iter().find(|made| Some(made.id.as_str()) == sandbox);
        let asked = made.and_then(|made| made.asked.clone());
        if let Some(handler) = &asked
            && !run.handlers.iter().flatten().any(|loaded| loaded.name == *handler)
        {
            let why =
                format!("failed to get sandbox runtime: no runtime for {} is configured", quote(handler));
            return Err(("CreateContainerError", why));
        }
        let answer = run.sandbox_now(asked.as_deref(), &|program| self.node.has_program(program));
        let id = self.id();
        self.event(&pod.uid, false, "Created", &format!("Created container: {}", spec.name));
        if let SandboxAnswer::Refused(words) = answer {
            return Err(("RunContainerError", described(&words).replace("<id>", &id)));
        }
        self.event(&pod.uid, false, "Started", &format!("Started container {}", spec.name));
        Ok(self.begin(spec, id))
    }
}

/// What the kubelet gets from the runtime, without what `crictl` says before it.
fn of_runtime(words: &str) -> &str {
    words.find("rpc error:").map_or(words, |at| &words[at..])
}

/// The description alone, without the code.
fn described(words: &str) -> &str {
    words.split_once("desc = ").map_or(words, |(_, words)| words)
}

/// A span of time as Go prints it, in whole seconds.
fn seconds(ms: u64) -> String {
    let (minutes, seconds) = (ms / 60_000, ms / 1_000 % 60);
    if minutes == 0 { format!("{seconds}s") } else { format!("{minutes}m{seconds}s") }
}
