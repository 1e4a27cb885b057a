//! A pod as the API server knows it.

use crate::meta::{Deleting, Key, Labels, Owner, Uid};
use crate::node::{Condition, Truth, Why};
use crate::short::Short;
use crate::spec::PodSpec;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::sync::Arc;

/// The label by which a DaemonSet's pod names its revision.
pub const HASH_LABEL: &str = "controller-revision-hash";
/// The label by which it names the template's generation.
pub const GENERATION_LABEL: &str = "pod-template-generation";

/// `status.phase`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Phase {
    /// Not all containers have run yet.
    #[default]
    Pending,
    /// Bound, and at least one container runs or is to run again.
    Running,
    /// All containers ended well and none is to run again.
    Succeeded,
    /// All containers ended, one of them badly, or the kubelet refused the pod.
    Failed,
}

impl Phase {
    /// The word of the API.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pending => "Pending",
            Self::Running => "Running",
            Self::Succeeded => "Succeeded",
            Self::Failed => "Failed",
        }
    }

    /// True where no container will run any more.
    pub fn is_terminal(self) -> bool {
        matches!(self, Self::Succeeded | Self::Failed)
    }
}

/// What a container does at the moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ContainerState {
    /// It does not run; why, in one word and in one sentence.
    Waiting {
        /// Such as `ContainerCreating` or `ImagePullBackOff`.
        reason: Cow<'static, str>,
        /// The sentence; often empty.
        #[serde(default, skip_serializing_if = "str::is_empty")]
        message: Box<str>,
    },
    /// It runs.
    Running {
        /// Since when, in milliseconds.
        since_ms: u64,
    },
    /// It has ended.
    Ended(Box<Ended>),
}

/// How a container ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    /// Its exit code.
    pub code: i32,
    /// Such as `Completed`, `Error` or `ContainerStatusUnknown`.
    pub reason: Cow<'static, str>,
    /// When it had started, in milliseconds.
    pub started_ms: u64,
    /// When it ended, in milliseconds; `None` where nobody knows.
    pub ended_ms: Option<u64>,
}

/// One line of `status.containerStatuses`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContainerStatus {
    /// What it does.
    pub state: ContainerState,
    /// How it ended the time before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<Box<Ended>>,
    /// Whether it is ready.
    pub ready: bool,
    /// How often it was started again.
    pub restarts: u32,
}

impl ContainerStatus {
    /// A container that waits for this reason.
    pub fn waiting(reason: &'static str) -> Self {
        let state = ContainerState::Waiting { reason: reason.into(), message: "".into() };
        Self { state, last: None, ready: false, restarts: 0 }
    }
}

/// `status` of a pod.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PodStatus {
    /// The phase.
    pub phase: Phase,
    /// Why the kubelet or a controller ended the pod, such as `Evicted`.
    #[serde(default, skip_serializing_if = "Why::is_empty")]
    pub why: Why,
    /// `Ready`, `PodScheduled` and their like.
    pub conditions: Short<Condition>,
    /// The containers, in the order of the specification. Empty before the kubelet has spoken.
    pub containers: Short<ContainerStatus>,
    /// The init containers, in the same way.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub init: Vec<ContainerStatus>,
    /// The address, once it has one.
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub ip: Arc<str>,
    /// When the kubelet took it, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_ms: Option<u64>,
}

impl PodStatus {
    /// A condition by its kind.
    pub fn condition(&self, kind: &str) -> Option<&Condition> {
        self.conditions.iter().find(|condition| condition.kind == kind)
    }

    /// Sets a condition; the moment stays where the status does not change.
    pub fn set_condition(&mut self, kind: &'static str, status: Truth, now_ms: u64) {
        let since_ms = crate::meta::whole_seconds(now_ms);
        match self.conditions.iter_mut().find(|old| old.kind == kind) {
            Some(old) if old.status == status => {}
            Some(old) => (old.status, old.since_ms) = (status, since_ms),
            None => {
                let kind = kind.into();
                self.conditions.push(Condition { kind, status, since_ms, ..Condition::default() });
            }
        }
    }
}

/// What all pods of one template have in common.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shape {
    /// `metadata.labels`.
    pub labels: Labels,
    /// `metadata.annotations`.
    pub annotations: Labels,
    /// Who controls it.
    pub owner: Option<Owner>,
    /// `spec`.
    pub spec: PodSpec,
}

/// A pod.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pod {
    /// Namespace and name.
    pub key: Key,
    /// Its identity.
    pub uid: Uid,
    /// When it was created, in milliseconds, whole seconds.
    pub created_ms: u64,
    /// Set from the wish to delete it until it is gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deleting: Option<Deleting>,
    /// What must be done before it may go.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub finalizers: Vec<String>,
    /// What it shares with others of its template.
    pub shape: Arc<Shape>,
    /// The one node a DaemonSet made it for, held by a required affinity to `metadata.name`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<Arc<str>>,
    /// `spec.nodeName` once the scheduler has bound it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<Arc<str>>,
    /// `status`.
    pub status: Arc<PodStatus>,
}

impl Pod {
    /// The node it is on or meant for.
    pub fn place(&self) -> Option<&str> {
        self.place_name().map(|place| &**place)
    }

    /// [`Pod::place`], to be kept.
    pub(crate) fn place_name(&self) -> Option<&Arc<str>> {
        self.node.as_ref().or(self.target.as_ref()).or(self.shape.spec.aims_at.as_ref())
    }

    /// How controllers sort the pods of a node, oldest first: bound before unbound, then by creation and name
    /// (`podByCreationTimestampAndPhase` of Kubernetes).
    pub fn rank(&self) -> (bool, u64, &str) {
        (self.node.is_none(), self.created_ms, &self.key.name)
    }

    /// True where the condition `Ready` holds.
    pub fn is_ready(&self) -> bool {
        self.ready_since_ms().is_some()
    }

    /// Since when the condition `Ready` holds, in milliseconds.
    pub fn ready_since_ms(&self) -> Option<u64> {
        let ready = self.status.condition("Ready").filter(|ready| ready.status == Truth::True);
        ready.map(|ready| ready.since_ms)
    }

    /// The revision in its label.
    pub fn hash(&self) -> &str {
        self.shape.labels.get(HASH_LABEL).map_or("", String::as_str)
    }

    /// True where it is to go and no container of it runs: controllers look through it.
    pub fn is_spent(&self) -> bool {
        self.deleting.is_some() && self.status.phase.is_terminal()
    }

    /// True where a wish to delete it takes it away at once: nobody has to stop a container.
    /// `pkg/registry/core/pod/strategy.go` of Kubernetes: unbound, or already at its end.
    pub fn goes_at_once(&self) -> bool {
        self.finalizers.is_empty() && (self.node.is_none() || self.status.phase.is_terminal())
    }

    /// True where it is controlled by that one.
    pub fn is_owned_by(&self, uid: Uid) -> bool {
        self.shape.owner.as_ref().is_some_and(|owner| owner.uid == uid)
    }
}
