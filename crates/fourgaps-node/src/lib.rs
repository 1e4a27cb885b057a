//! One GPU node that lives: files, virtual time, the systemd unit, the containerd process and its sandboxes.
//!
//! *Deciding* and *folding* are apart. [`Node::act`] works out what an [`Op`] makes happen and lists it as [`Fact`]s;
//! [`Node::apply`] folds one fact into the state and decides nothing, so a page that has the facts needs none of the
//! deciding code. Whatever follows from the state, such as the handlers that a process has loaded, is derived, never
//! carried. Knows nothing of Kubernetes' objects, and no text for humans.

mod act;
mod fact;
mod ids;
mod journal;
mod k3s;
mod kernel;
mod kubelet;
mod memo;
mod node;
mod op;
mod process;
mod sandbox;
mod toolkit;
mod unit;

#[cfg(test)]
mod tests;

pub use fact::{Fact, ToolkitFact};
pub use journal::{Entry, Said, UnitEvent};
pub use k3s::CONFIG as K3S_CONFIG;
pub use kernel::{INOTIFY_INSTANCES, Kernel};
pub use kubelet::{
    BACK_OFF_SHOWN_MS, ContainerSpec, ContainerState, ContainerStatus, Deleting, Health, Kubelet,
    KubeletFact, KubeletOp, Pod, PodPhase, PodSpec, PodStatus, Program, Pull, RUNTIME_DOWN, Resource,
    RestartPolicy, Running, Terminated, not_found, pull_wait_ms,
};
pub use node::{MAIN, Node};
pub use op::{Answer, Done, Op, SandboxSpec, Sysctl, SysctlLine, Verb};
pub use process::{End, Ended, Process, Signal};
pub use sandbox::Sandbox;
pub use toolkit::{Astray, CtkAnswer, Level, LogLine, Noticed, Options, Phase, Release, Toolkit};
pub use unit::{JobEnd, Restart, Supervisor, Unit, UnitState};
