//! The kubelet: it keeps pods running through containerd, and says whether the node is ready.
//!
//! What is told of pods here is what a kubelet knows; API objects belong to the cluster. Times have no jitter. A network
//! plugin is taken to be there, and images to be on the node unless they are told to be pulled. Source: `../shared/facts/kubernetes.md`, A3 and A5.

mod devices;
mod end;
mod health;
mod image;
mod programs;
mod sync;
#[cfg(test)]
mod tests;

use crate::process::End;
use crate::toolkit::{Astray, Options};
use std::collections::{BTreeMap, BTreeSet};

pub use devices::Resource;
pub use health::{Health, RUNTIME_DOWN};
pub use image::{BACK_OFF_SHOWN_MS, Pull, Pulling, not_found, pull_wait_ms};

/// A pod as the kubelet is given it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PodSpec {
    /// Its uid, by which it is known here.
    pub uid: String,
    /// Its namespace.
    pub namespace: String,
    /// Its name.
    pub name: String,
    /// The handler of its RuntimeClass, if it has one.
    pub handler: Option<String>,
    /// Containers that run one after the other before the others.
    pub init: Vec<ContainerSpec>,
    /// Its containers.
    pub containers: Vec<ContainerSpec>,
    /// `restartPolicy`.
    pub restart: RestartPolicy,
    /// `terminationGracePeriodSeconds`, in ms.
    pub grace_ms: u64,
    /// Extended resources that it takes, with their number.
    pub devices: BTreeMap<String, u32>,
}

/// `restartPolicy` of a pod.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RestartPolicy {
    /// After every end.
    Always,
    /// After an end with a status other than 0.
    OnFailure,
    /// Never.
    Never,
}

/// A container of a pod.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContainerSpec {
    /// Its name.
    pub name: String,
    /// Its image.
    pub image: String,
    /// How the image is pulled; nothing where the node has it.
    pub pull: Option<Pull>,
    /// How long after its start it is ready, in ms; nothing where it never is.
    pub ready_ms: Option<u64>,
    /// What runs in it.
    pub program: Program,
}

impl ContainerSpec {
    /// A container whose image is there, and which is ready at once.
    pub fn new(name: &str, image: &str, program: Program) -> Self {
        Self { name: name.into(), image: image.into(), pull: None, ready_ms: Some(0), program }
    }
}

/// What runs in a container.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Program {
    /// It runs until SIGTERM, and then so many ms longer.
    Stays {
        /// How long it takes to end.
        ends_after_ms: u64,
    },
    /// It ends by itself.
    Ends {
        /// After how long, in ms.
        after_ms: u64,
        /// With which status.
        status: i32,
    },
    /// It looks every five seconds whether a file is there, and ends well when it is.
    WaitsFor {
        /// The file.
        path: String,
    },
    /// It writes a file, making the folders above it, and ends well.
    Writes {
        /// The file.
        path: String,
        /// What goes into it.
        text: String,
    },
    /// The toolkit.
    Toolkit {
        /// What it is told.
        options: Box<Options>,
        /// Which of its signals go astray.
        astray: Astray,
        /// True where the entrypoint of the operator's pod waits for the driver first.
        entrypoint: bool,
    },
    /// A device plugin that registers devices with the kubelet.
    DevicePlugin {
        /// The resource's name.
        resource: String,
        /// How many devices.
        count: u32,
    },
    /// What the real program would do is not known; it is not started.
    NotSimulated {
        /// What of it.
        why: String,
    },
}

/// A pod and how it fares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pod {
    /// What was asked for.
    pub spec: PodSpec,
    /// What has become of it.
    pub status: PodStatus,
}

/// How a pod fares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PodStatus {
    /// Its phase.
    pub phase: PodPhase,
    /// Why the kubelet refused it, in one word; else empty.
    pub reason: String,
    /// The same in one sentence; else empty.
    pub message: String,
    /// The id of its sandbox.
    pub sandbox: Option<String>,
    /// How many sandboxes it had before this one.
    pub attempt: u32,
    /// The init containers in the order of the specification.
    pub init: Vec<ContainerStatus>,
    /// The containers in the order of the specification.
    pub containers: Vec<ContainerStatus>,
    /// Set from the wish to delete it until it is gone.
    pub deleting: Option<Deleting>,
    /// When the kubelet turns to it next, in ms.
    pub sync_ms: Option<u64>,
    /// True where the kubelet turns to it once the runtime answers again.
    pub waits: bool,
}

/// A pod that is to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deleting {
    /// How long its containers may take, in ms.
    pub grace_ms: u64,
    /// When they are killed, in ms; nothing before they were told to end.
    pub kill_ms: Option<u64>,
}

/// The phase of a pod.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PodPhase {
    /// Not all containers have run yet.
    Pending,
    /// At least one container runs or is to run again.
    Running,
    /// All ended well.
    Succeeded,
    /// All ended, one of them badly; or the kubelet refused the pod.
    Failed,
}

/// How a container fares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContainerStatus {
    /// What it does.
    pub state: ContainerState,
    /// How it ended the time before.
    pub last: Option<Terminated>,
    /// How often it was started again.
    pub restarts: u32,
    /// How long it is held back after its next end, in ms.
    pub back_off_ms: u64,
    /// How far its image is.
    pub pulling: Pulling,
}

/// What a container does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ContainerState {
    /// It does not run; why, in one word and in one sentence.
    Waiting {
        /// Such as `ContainerCreating`.
        reason: String,
        /// The sentence; often empty.
        message: String,
    },
    /// It runs, as far as the kubelet knows.
    Running(Running),
    /// It has ended.
    Terminated(Terminated),
}

/// A container that was started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Running {
    /// 64 hexadecimal digits.
    pub id: String,
    /// The number of its process.
    pub pid: u32,
    /// Since when, in ms.
    pub since_ms: u64,
    /// When its program does something next, in ms.
    pub next_ms: Option<u64>,
    /// True where it is ready.
    pub ready: bool,
    /// When it will be, in ms.
    pub ready_at_ms: Option<u64>,
    /// How and when its process ended, while the kubelet has not noticed.
    pub ended: Option<(i32, u64)>,
}

/// A container that has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terminated {
    /// Its exit status; of one killed by a signal 128 and the signal's number.
    pub status: i32,
    /// `Completed`, `Error`, or `Unknown` where it was lost with the node.
    pub reason: String,
    /// When it was started, in ms.
    pub started_ms: u64,
    /// When it ended, in ms.
    pub ended_ms: u64,
}

/// The kubelet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kubelet {
    /// True while its process runs.
    pub(crate) runs: bool,
    /// True where it is started with the node: it ran when the node went down.
    pub(crate) was_enabled: bool,
    pub(crate) health: Health,
    pub(crate) pods: Vec<Pod>,
    /// Images that were pulled.
    pub(crate) images: BTreeSet<String>,
    pub(crate) resources: BTreeMap<String, Resource>,
}

/// A wish that concerns the kubelet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KubeletOp {
    /// `systemctl start kubelet`.
    Start,
    /// `systemctl stop kubelet`; pods run on.
    Stop,
    /// The scheduler bound a pod to this node.
    Add(Box<PodSpec>),
    /// A pod is to go.
    Delete {
        /// Its uid.
        uid: String,
        /// How long its containers may take, in ms; nothing for the pod's own time.
        grace_ms: Option<u64>,
    },
}

/// Something that happened to the kubelet or its pods.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KubeletFact {
    /// Its process runs, or not.
    Runs(bool),
    /// It got a pod.
    Added(Box<PodSpec>),
    /// A pod fares otherwise.
    Pod {
        /// Its uid.
        uid: String,
        /// How.
        status: Box<PodStatus>,
    },
    /// A pod is gone from the node.
    Gone {
        /// Its uid.
        uid: String,
    },
    /// An image was pulled.
    Pulled(String),
    /// What it knows of the runtime.
    Health(Health),
    /// An extended resource.
    Resource {
        /// Its name.
        name: String,
        /// What there is of it.
        resource: Resource,
    },
    /// An event for the API; nothing on the node changes with it.
    Event {
        /// The pod that it concerns; nothing for the node.
        uid: Option<String>,
        /// True for `Warning`.
        warning: bool,
        /// Its reason.
        reason: String,
        /// Its message.
        message: String,
    },
}

impl Kubelet {
    pub(crate) fn new() -> Self {
        Self {
            runs: false,
            was_enabled: false,
            health: Health::default(),
            pods: Vec::new(),
            images: BTreeSet::new(),
            resources: BTreeMap::new(),
        }
    }

    /// True while its process runs.
    pub fn runs(&self) -> bool {
        self.runs
    }

    /// What it knows of the runtime, and what it says of the node.
    pub fn health(&self) -> &Health {
        &self.health
    }

    /// Its pods in the order in which it got them.
    pub fn pods(&self) -> &[Pod] {
        &self.pods
    }

    /// A pod.
    pub fn pod(&self, uid: &str) -> Option<&Pod> {
        self.pods.iter().find(|pod| pod.spec.uid == uid)
    }

    /// The extended resources that plugins registered.
    pub fn resources(&self) -> &BTreeMap<String, Resource> {
        &self.resources
    }

    pub(crate) fn apply(&mut self, fact: &KubeletFact) {
        match fact {
            KubeletFact::Runs(runs) => self.runs = *runs,
            KubeletFact::Added(spec) => {
                self.pods.push(Pod { status: PodStatus::new(spec), spec: (**spec).clone() });
            }
            KubeletFact::Pod { uid, status } => {
                if let Some(pod) = self.pods.iter_mut().find(|pod| pod.spec.uid == *uid) {
                    pod.status = (**status).clone();
                }
            }
            KubeletFact::Gone { uid } => self.pods.retain(|pod| pod.spec.uid != *uid),
            KubeletFact::Pulled(image) => drop(self.images.insert(image.clone())),
            KubeletFact::Health(health) => self.health = health.clone(),
            KubeletFact::Resource { name, resource } => {
                self.resources.insert(name.clone(), resource.clone());
            }
            KubeletFact::Event { .. } => {}
        }
    }

    /// The node went down: the kubelet is gone, and with it every process. It finds its pods again by their names.
    pub(crate) fn go_down(&mut self, now_ms: u64) {
        self.was_enabled = self.runs;
        self.runs = false;
        self.resources.clear();
        for pod in &mut self.pods {
            pod.status.sync_ms = None;
            pod.status.waits = true;
            let all = pod.status.init.iter_mut().chain(&mut pod.status.containers);
            for running in all.filter_map(ContainerStatus::running_mut) {
                running.ended.get_or_insert((LOST, now_ms));
                (running.next_ms, running.ready_at_ms) = (None, None);
            }
        }
    }

    /// When something happens in it by itself next, in ms.
    pub(crate) fn due_ms(&self) -> Option<u64> {
        let programs = self.pods.iter().filter_map(Pod::program_due_ms);
        if !self.runs {
            return programs.min();
        }
        let health = self.health.due_ms();
        let syncs = self.pods.iter().filter_map(|pod| pod.status.sync_ms);
        let resources = self.resources.values().filter_map(|resource| resource.forget_ms);
        let probes = self.pods.iter().flat_map(Pod::all_running).filter_map(|running| running.ready_at_ms);
        programs.chain(health).chain(probes).chain(syncs).chain(resources).min()
    }
}

/// The status of a container that was lost with its node.
pub(crate) const LOST: i32 = 255;

impl Pod {
    /// Every container that runs, as far as the kubelet knows.
    fn all_running(&self) -> impl Iterator<Item = &Running> {
        self.status.init.iter().chain(&self.status.containers).filter_map(ContainerStatus::running)
    }

    fn program_due_ms(&self) -> Option<u64> {
        self.all_running().filter_map(|running| running.next_ms).min()
    }
}

impl PodStatus {
    fn new(spec: &PodSpec) -> Self {
        let first = if spec.init.is_empty() { "ContainerCreating" } else { "PodInitializing" };
        let waiting = |list: &[ContainerSpec], reason: &str| -> Vec<ContainerStatus> {
            list.iter().map(|_| ContainerStatus::waiting(reason)).collect()
        };
        Self {
            phase: PodPhase::Pending,
            reason: String::new(),
            message: String::new(),
            sandbox: None,
            attempt: 0,
            init: waiting(&spec.init, "PodInitializing"),
            containers: waiting(&spec.containers, first),
            deleting: None,
            sync_ms: None,
            waits: false,
        }
    }

    /// True where every container is ready.
    pub fn is_ready(&self) -> bool {
        self.phase == PodPhase::Running
            && self
                .containers
                .iter()
                .all(|container| container.running().is_some_and(|running| running.ready))
    }
}

impl ContainerStatus {
    fn waiting(reason: &str) -> Self {
        let state = ContainerState::Waiting { reason: reason.into(), message: String::new() };
        Self { state, last: None, restarts: 0, back_off_ms: 0, pulling: Pulling::default() }
    }

    /// What runs, where it runs as far as the kubelet knows.
    pub fn running(&self) -> Option<&Running> {
        match &self.state {
            ContainerState::Running(running) => Some(running),
            _ => None,
        }
    }

    fn running_mut(&mut self) -> Option<&mut Running> {
        match &mut self.state {
            ContainerState::Running(running) => Some(running),
            _ => None,
        }
    }

    fn terminated(&self) -> Option<&Terminated> {
        match &self.state {
            ContainerState::Terminated(terminated) => Some(terminated),
            _ => None,
        }
    }
}

/// The status that a shell tells of an end.
fn status_of(end: End) -> i32 {
    match end {
        End::Exited(status) => status,
        End::Killed(signal) => 128 + signal.number(),
    }
}
