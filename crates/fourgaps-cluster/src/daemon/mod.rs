//! The DaemonSet controller of Kubernetes 1.34 (`pkg/controller/daemon`), as steps that plan and one place that acts.
//!
//! Where the real one visits nodes in the random order of a Go map, this one takes the order of their names.

mod backoff;
pub mod fit;
mod history;
mod manage;
mod marks;
mod rolling;
pub(crate) mod rows;
mod status;
mod sync;
mod wake;

use crate::meta::{Key, Uid};
use crate::queue::Queue;
use backoff::Backoffs;
use rows::{Rows, Stale};
use std::collections::BTreeMap;

pub(crate) use history::hash_of;
pub use rolling::{Budget, budget};
pub use status::Refusals;
pub use sync::{Action, Report, What};

/// When the controller sees what it did itself. Both are real: it is a race between the watch and the sync.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watch {
    /// After the sync that did it.
    AfterSync,
    /// At once, in the middle of the sync; the more common order on a live cluster.
    AtOnce,
}

/// What the controller remembers between two syncs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DaemonController {
    pub(crate) queue: Queue<Key>,
    watch: Watch,
    /// What is known of each node, by DaemonSet.
    rows: BTreeMap<Uid, Rows>,
    /// Places where something changed since, by DaemonSet.
    stale: BTreeMap<Uid, Stale>,
    backoffs: Backoffs,
    /// What the API server does not do for it.
    refusals: Refusals,
    /// Where each DaemonSet is; pods name their owner by its identity.
    keys: BTreeMap<Uid, Key>,
}

impl DaemonController {
    pub(crate) fn new(watch: Watch) -> Self {
        Self {
            queue: Queue::default(),
            watch,
            rows: BTreeMap::new(),
            stale: BTreeMap::new(),
            backoffs: Backoffs::default(),
            refusals: Refusals::default(),
            keys: BTreeMap::new(),
        }
    }
}
