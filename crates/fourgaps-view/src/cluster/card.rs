//! A node as a card: what the cluster says of it, and what its own containerd has loaded.

use crate::kubectl::PodRow;
use fourgaps_cluster::meta::Uid;
use fourgaps_cluster::node::{Node, Truth};
use fourgaps_cluster::pod::Pod;
use fourgaps_cluster::trace::Rung;
use fourgaps_cluster::{GPU, Store, World};
use serde::Serialize;

/// A node.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct NodeCard {
    /// Its name.
    pub name: String,
    /// `True`, `False` or `Unknown`, as its kubelet said.
    pub ready: &'static str,
    /// What it said with that, where it is not ready.
    pub why: String,
    /// True where it takes no new pods.
    pub cordoned: bool,
    /// Its taints.
    pub taints: Vec<String>,
    /// Its GPUs, where it ever offered some.
    pub gpus: Option<Gpus>,
    /// What its containerd has loaded, where the node is simulated from within.
    pub handlers: Option<Handlers>,
    /// Its pods; those of DaemonSets first.
    pub pods: Vec<PodMark>,
}

/// GPUs as the node offers them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Gpus {
    /// How many may be used.
    pub allocatable: u32,
    /// How many there are.
    pub capacity: u32,
}

/// What a containerd has loaded.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Handlers {
    /// True where the process runs.
    pub runs: bool,
    /// The handlers; nothing where its CRI service does not answer.
    pub names: Option<Vec<String>>,
}

/// A pod.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PodMark {
    /// Which DaemonSet it belongs to, as a number in the list of the view; nothing for other pods.
    pub set: Option<u32>,
    /// Its namespace.
    pub namespace: String,
    /// Its name.
    pub name: String,
    /// The number of its revision; 0 where it has none.
    pub revision: u64,
    /// The word for where it stands.
    pub rung: &'static str,
    /// The word under STATUS.
    pub word: String,
    /// The text under READY.
    pub ready: String,
    /// How often its containers were started again.
    pub restarts: u32,
}

impl NodeCard {
    /// A node of the cluster.
    pub(super) fn of(world: &World, store: &Store, sets: &Sets, node: &Node) -> Self {
        let now_ms = world.now_ms();
        let name = &node.meta.name;
        let ready = node.condition("Ready");
        let why =
            ready.filter(|ready| ready.status != Truth::True).map(|ready| ready.why.message().to_string());
        let amount = |amounts: &fourgaps_cluster::spec::Amounts| {
            amounts.get(GPU).map(|amount| u32::try_from(amount.units()).unwrap_or(0))
        };
        let machine = world.node(name).map(|machine| {
            let run = machine.containerd().map(|process| process.run());
            let names = |run: &fourgaps_config::daemon::DaemonRun| {
                let handlers = run.handlers.as_ref()?;
                Some(handlers.iter().map(|handler| handler.name.clone()).collect())
            };
            Handlers { runs: run.is_some(), names: run.and_then(names) }
        });
        let of_sets = sets.0.iter().zip(0u32..).flat_map(|(set, nth)| {
            let pods = store.pods_at(set.uid, name).into_iter();
            pods.map(move |pod| PodMark::of(pod, Some(nth), set.number(pod.hash()), now_ms))
        });
        let owned = |pod: &Pod| sets.0.iter().any(|set| pod.is_owned_by(set.uid));
        let others = store.pods_on(name).filter(|pod| !owned(pod));
        let pods = of_sets.chain(others.map(|pod| PodMark::of(pod, None, 0, now_ms))).collect();
        Self {
            name: name.clone(),
            ready: node.ready().name(),
            why: why.unwrap_or_default(),
            cordoned: node.unschedulable,
            taints: node.taints.iter().map(ToString::to_string).collect(),
            gpus: amount(&node.capacity)
                .map(|capacity| Gpus { allocatable: amount(&node.allocatable).unwrap_or(0), capacity }),
            handlers: machine,
            pods,
        }
    }
}

impl PodMark {
    fn of(pod: &Pod, set: Option<u32>, revision: u64, now_ms: u64) -> Self {
        let row = PodRow::new(pod, now_ms);
        Self {
            set,
            namespace: pod.key.namespace.to_string(),
            name: row.name,
            revision,
            rung: Rung::of(pod).name(),
            word: row.status,
            ready: row.ready,
            restarts: pod.status.containers.iter().map(|container| container.restarts).sum(),
        }
    }
}

/// The DaemonSets of a cluster and the numbers of their revisions, by hash.
pub(super) struct Sets(Vec<Revisions>);

/// The revisions of a DaemonSet.
pub(super) struct Revisions {
    uid: Uid,
    numbers: Vec<(String, u64)>,
}

impl Sets {
    pub fn of(store: &Store) -> Self {
        Self(store.daemonsets().map(|set| Revisions::of(store, set.meta.uid)).collect())
    }
}

impl Revisions {
    pub fn of(store: &Store, uid: Uid) -> Self {
        let revisions = store.revisions_of(uid).into_iter();
        Self { uid, numbers: revisions.map(|revision| (revision.hash().into(), revision.number)).collect() }
    }

    /// The number of a revision; 0 where it is known no more.
    pub fn number(&self, hash: &str) -> u64 {
        self.numbers.iter().find(|(known, _)| known == hash).map_or(0, |(_, number)| *number)
    }
}
