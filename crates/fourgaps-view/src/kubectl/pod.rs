//! `kubectl get pods`.

use super::age;
use fourgaps_cluster::node::{Condition, Truth};
use fourgaps_cluster::pod::{ContainerState, ContainerStatus, Pod};

/// The columns of `kubectl get pods`.
pub const POD_COLUMNS: [&str; 5] = ["NAME", "READY", "STATUS", "RESTARTS", "AGE"];
/// What `-o wide` adds.
pub const POD_WIDE: [&str; 4] = ["IP", "NODE", "NOMINATED NODE", "READINESS GATES"];

/// What a pod shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PodRow {
    /// Its name.
    pub name: String,
    /// Containers that are ready, of all.
    pub ready: String,
    /// The state, in one word.
    pub status: String,
    /// How often its containers were started again, and when the last one ended before.
    pub restarts: String,
    /// How old it is.
    pub age: String,
    /// Its address.
    pub ip: String,
    /// Its node.
    pub node: String,
}

impl PodRow {
    /// What a pod shows at a moment (`printPod`).
    pub fn new(pod: &Pod, now_ms: u64) -> Self {
        let status = &pod.status;
        let containers = &status.containers;
        let ready = containers.iter().filter(|container| runs_ready(container)).count();
        let or_none = |text: &str| if text.is_empty() { "<none>".to_string() } else { text.to_string() };
        Self {
            name: pod.key.name.to_string(),
            ready: format!("{ready}/{}", pod.shape.spec.containers.len()),
            status: status_word(pod),
            restarts: match init_word(pod) {
                Some(_) => restarts(&status.init, now_ms),
                None => restarts(containers, now_ms),
            },
            age: age(now_ms.saturating_sub(pod.created_ms)),
            ip: or_none(&status.ip),
            node: or_none(pod.node.as_deref().unwrap_or_default()),
        }
    }

    /// The cells of the columns and those of `-o wide`.
    pub fn cells(self) -> Vec<String> {
        let none = || "<none>".to_string();
        vec![self.name, self.ready, self.status, self.restarts, self.age, self.ip, self.node, none(), none()]
    }
}

/// The conditions in the order in which a kubelet writes them. Those that follow from the containers need not be kept.
pub(crate) fn conditions(pod: &Pod) -> Vec<Condition> {
    const ORDER: [&str; 6] = [
        "PodReadyToStartContainers",
        "Initialized",
        "Ready",
        "ContainersReady",
        "PodScheduled",
        "DisruptionTarget",
    ];
    let status = &pod.status;
    let all_ready = status.containers.iter().all(|container| container.ready);
    let ready = status.condition("Ready");
    let follows = |kind: &'static str| {
        let holds = match kind {
            "ContainersReady" => all_ready,
            "PodReadyToStartContainers" => !status.phase.is_terminal(),
            _ => true,
        };
        let followed = match kind {
            "Ready" | "DisruptionTarget" => false,
            "PodScheduled" => pod.node.is_some(),
            _ => !status.containers.is_empty(),
        };
        let status = if holds { Truth::True } else { Truth::False };
        let since_ms = ready.map_or(0, |ready| ready.since_ms);
        followed.then(|| Condition { kind: kind.into(), status, since_ms, ..Condition::default() })
    };
    ORDER.into_iter().filter_map(|kind| status.condition(kind).cloned().or_else(|| follows(kind))).collect()
}

fn runs_ready(container: &ContainerStatus) -> bool {
    container.ready && matches!(container.state, ContainerState::Running { .. })
}

/// The word under STATUS: what overrides what is the order of `printPod`.
pub(crate) fn status_word(pod: &Pod) -> String {
    let status = &pod.status;
    let mut word = match status.why.reason() {
        "" => status.phase.name().to_string(),
        reason => reason.to_string(),
    };
    let initializing = init_word(pod);
    let begun = initializing.is_none();
    word = initializing.unwrap_or(word);
    let mut one_runs = false;
    for container in status.containers.iter().rev().filter(|_| begun) {
        match &container.state {
            ContainerState::Waiting { reason, .. } if !reason.is_empty() => word = reason.to_string(),
            ContainerState::Ended(ended) if !ended.reason.is_empty() => word = ended.reason.to_string(),
            ContainerState::Ended(ended) => word = format!("ExitCode:{}", ended.code),
            ContainerState::Running { .. } => one_runs |= container.ready,
            ContainerState::Waiting { .. } => {}
        }
    }
    if word == "Completed" && one_runs {
        word = if pod.is_ready() { "Running" } else { "NotReady" }.into();
    }
    if pod.deleting.is_some() {
        if status.why.reason() == "NodeLost" {
            word = "Unknown".into();
        } else if !status.phase.is_terminal() {
            word = "Terminating".into();
        }
    }
    word
}

/// The word of a pod whose init containers have not all ended well.
fn init_word(pod: &Pod) -> Option<String> {
    let (init, status) = (&pod.status.init, &pod.status);
    let done =
        |container: &ContainerStatus| matches!(&container.state, ContainerState::Ended(end) if end.code == 0);
    let at = init.iter().position(|container| !done(container)).filter(|_| !status.phase.is_terminal())?;
    Some(match &init[at].state {
        ContainerState::Ended(ended) if ended.reason.is_empty() => format!("Init:ExitCode:{}", ended.code),
        ContainerState::Ended(ended) => format!("Init:{}", ended.reason),
        ContainerState::Waiting { reason, .. } if !reason.is_empty() && reason != "PodInitializing" => {
            format!("Init:{reason}")
        }
        _ => format!("Init:{at}/{}", init.len()),
    })
}

fn restarts(containers: &[ContainerStatus], now_ms: u64) -> String {
    let count: u32 = containers.iter().map(|container| container.restarts).sum();
    let ends = containers.iter().filter_map(|container| container.last.as_ref()?.ended_ms);
    match ends.max() {
        Some(last) if count > 0 => format!("{count} ({} ago)", age(now_ms.saturating_sub(last))),
        _ => count.to_string(),
    }
}
