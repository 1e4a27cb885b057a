//! The end of a pod: its containers are told to end, killed when their time is up, and the pod is gone.
//! Source: `../shared/facts/kubernetes.md` A3.8.

use super::sync::{RETRY_MS, Which};
use super::{Deleting, KubeletFact, KubeletOp, Pod, PodPhase, PodSpec, PodStatus, Program, Running};
use crate::act::Deciding;
use crate::fact::Fact;
use crate::op::Answer;
use crate::process::Signal;

impl Deciding<'_> {
    /// A wish that concerns the kubelet.
    pub(crate) fn kubelet_op(&mut self, op: &KubeletOp) -> Answer {
        match op {
            KubeletOp::Start => self.start_kubelet(),
            KubeletOp::Stop => self.stop_kubelet(),
            KubeletOp::Add(spec) => {
                if self.node.kubelet.pod(&spec.uid).is_none() {
                    self.add_pod(spec);
                }
            }
            KubeletOp::Delete { uid, grace_ms } => self.delete_pod(uid, *grace_ms),
        }
        Answer::Done
    }

    fn delete_pod(&mut self, uid: &str, grace_ms: Option<u64>) {
        let Some(Pod { spec, mut status }) = self.node.kubelet.pod(uid).cloned() else { return };
        let grace_ms = grace_ms.unwrap_or(spec.grace_ms);
        let kill_ms = match status.deleting {
            // A shorter time counts from when the containers were told.
            Some(Deleting { kill_ms: Some(kill_ms), .. }) => Some(kill_ms.min(self.node.now_ms + grace_ms)),
            _ => None,
        };
        status.deleting = Some(Deleting { grace_ms, kill_ms });
        status.sync_ms = Some(self.node.now_ms);
        self.fares(uid, status);
    }

    pub(super) fn sync_deletion(&mut self, spec: &PodSpec, mut status: PodStatus) {
        let now = self.node.now_ms;
        let Some(mut deleting) = status.deleting else { return };
        if self.node.no_answer().is_some() {
            // Nobody can be asked to end a container.
            status.sync_ms = Some(now + RETRY_MS);
            return self.fares(&spec.uid, status);
        }
        let kills = deleting.kill_ms.is_some_and(|at| at <= now);
        let tells = deleting.kill_ms.is_none();
        if tells {
            deleting.kill_ms = Some(now + deleting.grace_ms);
            status.deleting = Some(deleting);
        }
        // What is told below may end at once, and then says so in the state of the node.
        self.fares(&spec.uid, status.clone());
        for which in [Which::Init, Which::App] {
            for at in 0..status.list(which).len() {
                let Some(container) = spec.container(which, at) else { continue };
                let running =
                    status.list(which)[at].running().filter(|running| running.ended.is_none()).cloned();
                let Some(running) = running else { continue };
                if tells {
                    self.event(
                        &spec.uid,
                        false,
                        "Killing",
                        &format!("Stopping container {}", container.name),
                    );
                }
                if kills {
                    self.kill(&container.program, &running, Signal::Kill);
                } else if tells {
                    self.kill(&container.program, &running, Signal::Term);
                }
            }
        }
        let Some(Pod { mut status, .. }) = self.node.kubelet.pod(&spec.uid).cloned() else { return };
        if self.node.no_answer().is_none() {
            self.observe(spec, &mut status);
        }
        let all = status.init.iter().chain(&status.containers);
        if all.clone().any(|container| container.running().is_some()) {
            let next = deleting.kill_ms.filter(|at| *at > now).unwrap_or(now + RETRY_MS);
            status.sync_ms = Some(status.sync_ms.map_or(next, |sync| sync.min(next)));
            return self.fares(&spec.uid, status);
        }
        let well = all.filter_map(|container| container.terminated()).all(|ended| ended.status == 0);
        if !matches!(status.phase, PodPhase::Succeeded | PodPhase::Failed) {
            status.phase = if well { PodPhase::Succeeded } else { PodPhase::Failed };
        }
        if let Some(id) = status.sandbox.take() {
            self.with_sandbox(&id, |id| Fact::SandboxStopped { id });
            self.with_sandbox(&id, |id| Fact::SandboxRemoved { id });
        }
        self.fares(&spec.uid, status);
        self.kubelet(KubeletFact::Gone { uid: spec.uid.clone() });
    }

    /// A signal to the program of a container.
    fn kill(&mut self, program: &Program, running: &Running, signal: Signal) {
        let now = self.node.now_ms;
        match (program, signal) {
            (Program::Toolkit { .. }, _) => {
                self.signal_toolkit(running.pid, signal);
                self.look_at_toolkits();
            }
            (Program::Stays { ends_after_ms }, Signal::Term) if *ends_after_ms > 0 => {
                let at_ms = now + ends_after_ms;
                self.change_running(running.pid, |running, _| running.next_ms = Some(at_ms));
            }
            (Program::Stays { .. }, Signal::Term) => {
                self.process_ended(running.pid, 0, now);
            }
            _ => {
                self.process_ended(running.pid, 128 + signal.number(), now);
            }
        }
    }

    /// A signal by hand; false where no container has this process.
    pub(crate) fn signal_container(&mut self, pid: u32, signal: Signal) -> bool {
        let pods = self.node.kubelet.pods.clone();
        let found = pods.iter().find_map(|pod| {
            let all = pod.spec.init.iter().zip(&pod.status.init);
            let mut all = all.chain(pod.spec.containers.iter().zip(&pod.status.containers));
            all.find_map(|(spec, status)| {
                Some((spec, status.running().filter(|running| running.pid == pid)?))
            })
        });
        let Some((spec, running)) = found else { return false };
        self.kill(&spec.program, running, signal);
        true
    }
}
