//! What runs in containers.

use super::sync::Which;
use super::{ContainerSpec, ContainerState, ContainerStatus, Pod, Program, Running, status_of};
use crate::act::Deciding;
use crate::op::Answer;
use crate::toolkit::Phase;
use fourgaps_base::Files;

/// How often a container looks for a file.
const LOOK_MS: u64 = 5_000;
/// How long a device plugin takes to register.
const REGISTER_MS: u64 = 1_000;
/// How often the kubelet looks which containers have ended.
const RELIST_MS: u64 = 1_000;

impl Deciding<'_> {
    /// Starts the program of a container.
    pub(super) fn begin(&mut self, spec: &ContainerSpec, id: String) -> Running {
        let now = self.node.now_ms;
        let ready_at_ms = spec.ready_ms.filter(|ms| *ms > 0).map(|ms| now + ms);
        let ready = spec.ready_ms == Some(0);
        let mut running =
            Running { id, pid: 0, since_ms: now, next_ms: None, ready, ready_at_ms, ended: None };
        match &spec.program {
            Program::Toolkit { options, astray, entrypoint } => {
                if let Answer::Started { pid } = self.run_toolkit(options, *astray, *entrypoint) {
                    running.pid = pid;
                }
                return running;
            }
            Program::Stays { .. } | Program::NotSimulated { .. } => {}
            Program::Ends { after_ms, .. } => running.next_ms = Some(now + after_ms),
            Program::WaitsFor { .. } | Program::Writes { .. } => running.next_ms = Some(now),
            Program::DevicePlugin { .. } => running.next_ms = Some(now + REGISTER_MS),
        }
        running.pid = self.pid();
        running
    }

    /// When a pod is looked at next, where a container of it has just been started.
    pub(super) fn soon(&self, sync_ms: Option<u64>, container: &ContainerStatus) -> Option<u64> {
        let ended = container.running().and_then(|running| running.ended);
        ended.map_or(sync_ms, |(_, at)| Some(at + RELIST_MS))
    }

    /// Every program does what is due.
    pub(super) fn run_programs(&mut self) {
        let now = self.node.now_ms;
        let due = |container: &ContainerStatus| {
            container.running().is_some_and(|running| running.next_ms.is_some_and(|next| next <= now))
        };
        let pods = self.node.kubelet.pods.iter();
        let pods = pods.filter(|pod| pod.status.init.iter().chain(&pod.status.containers).any(due));
        for Pod { spec, mut status } in pods.cloned().collect::<Vec<_>>() {
            for which in [Which::Init, Which::App] {
                for at in 0..status.list(which).len() {
                    let Some(container) = spec.container(which, at) else { continue };
                    if !due(&status.list(which)[at]) {
                        continue;
                    }
                    let Some(mut running) = status.list(which)[at].running().cloned() else { continue };
                    self.step(&container.program, &mut running);
                    if running.ended.is_some() {
                        status.sync_ms = Some(now + RELIST_MS);
                    }
                    status.list(which)[at].state = ContainerState::Running(running);
                }
            }
            self.fares(&spec.uid, status);
        }
    }

    fn step(&mut self, program: &Program, running: &mut Running) {
        let now = self.node.now_ms;
        running.next_ms = None;
        match program {
            Program::Stays { .. } => running.ended = Some((0, now)),
            Program::Ends { status, .. } => running.ended = Some((*status, now)),
            Program::WaitsFor { path } => {
                if self.node.files().exists(path) {
                    running.ended = Some((0, now));
                } else {
                    running.next_ms = Some(now + LOOK_MS);
                }
            }
            Program::Writes { path, text } => {
                self.write(path, text);
                running.ended = Some((0, now));
            }
            Program::DevicePlugin { resource, count } => self.register(resource, *count),
            Program::Toolkit { .. } | Program::NotSimulated { .. } => {}
        }
    }

    /// Containers become ready whose time has come.
    pub(super) fn probe(&mut self) {
        let now = self.node.now_ms;
        let due = |running: &Running| running.ready_at_ms.is_some_and(|at| at <= now);
        let pods = self.node.kubelet.pods.iter().filter(|pod| pod.all_running().any(due));
        for Pod { spec, mut status } in pods.cloned().collect::<Vec<_>>() {
            let all = status.init.iter_mut().chain(&mut status.containers);
            for running in all.filter_map(ContainerStatus::running_mut).filter(|running| due(running)) {
                (running.ready, running.ready_at_ms) = (running.ended.is_none(), None);
            }
            self.fares(&spec.uid, status);
        }
    }

    /// What follows when the kubelet has noticed that a program ended.
    pub(super) fn program_ended(&mut self, spec: &ContainerSpec) {
        if let Program::DevicePlugin { resource, .. } = &spec.program {
            self.unregister(resource);
        }
    }

    /// Takes runs of the toolkit that have ended for ends of their containers.
    pub(crate) fn look_at_toolkits(&mut self) {
        let ends = self.node.toolkits.iter().filter_map(|toolkit| match toolkit.phase {
            Phase::Ended { end, at_ms } => Some((toolkit.pid, status_of(end), at_ms)),
            _ => None,
        });
        for (pid, code, at_ms) in ends.collect::<Vec<_>>() {
            self.process_ended(pid, code, at_ms);
        }
    }

    /// The process of a container has ended, where a container has it; the kubelet will notice.
    pub(super) fn process_ended(&mut self, pid: u32, code: i32, at_ms: u64) {
        let now = self.node.now_ms;
        self.change_running(pid, |running, sync_ms| {
            if running.ended.is_none() {
                running.ended = Some((code, at_ms));
                (running.next_ms, running.ready_at_ms) = (None, None);
                *sync_ms = Some(now + RELIST_MS);
            }
        });
    }

    /// Changes the container that has this process.
    pub(super) fn change_running(&mut self, pid: u32, change: impl FnOnce(&mut Running, &mut Option<u64>)) {
        let has = |container: &ContainerStatus| container.running().is_some_and(|running| running.pid == pid);
        let mut pods = self.node.kubelet.pods.iter();
        let pod = pods.find(|pod| pod.status.init.iter().chain(&pod.status.containers).any(has));
        let Some(Pod { spec, status: old }) = pod else { return };
        let (uid, mut status, mut sync_ms) = (spec.uid.clone(), old.clone(), old.sync_ms);
        let all = status.init.iter_mut().chain(&mut status.containers);
        if let Some(running) = all.filter_map(ContainerStatus::running_mut).find(|running| running.pid == pid)
        {
            change(running, &mut sync_ms);
        }
        status.sync_ms = sync_ms;
        if status != *old {
            self.fares(&uid, status);
        }
    }
}
