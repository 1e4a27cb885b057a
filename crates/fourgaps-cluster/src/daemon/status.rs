//! The numbers of a DaemonSet (`updateDaemonSetStatus`).

use super::rows::Rows;
use crate::change::Change;
use crate::cluster::Cluster;
use crate::daemonset::{DaemonSet, DaemonStatus};

/// How often more a status is written that was refused (`StatusUpdateRetries`).
const RETRIES: u32 = 1;
/// What an API server says to who writes an object that somebody else has written meanwhile.
const CONFLICT: &str =
    "the object has been modified; please apply your changes to the latest version and try again";

/// How many of the next calls of the controller the API server refuses, and how many it was asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Refusals {
    /// Writes of a status that are refused: somebody else was there before.
    pub updates: u32,
    /// Reads of a DaemonSet after such a refusal that fail.
    pub gets: u32,
    /// Writes that were tried so far.
    pub updates_tried: u32,
    /// Reads that were tried so far.
    pub gets_tried: u32,
}

impl Refusals {
    fn is_refused(left: &mut u32, tried: &mut u32) -> bool {
        *tried += 1;
        let refused = *left > 0;
        *left -= u32::from(refused);
        refused
    }
}

impl Cluster {
    /// Lets the API server refuse calls of the DaemonSet controller, as it does where others write too.
    pub fn refuse_status(&mut self, updates: u32, gets: u32) {
        self.daemon.refusals = Refusals { updates, gets, ..Refusals::default() };
    }

    /// What is left of that, and what was tried.
    pub fn status_refusals(&self) -> Refusals {
        self.daemon.refusals
    }
}

/// Writes the numbers, once more where they are refused (`storeDaemonSetStatus`).
///
/// # Errors
/// The refusal of the last write, or of the read before it.
pub(super) fn write(cluster: &mut Cluster, set: &DaemonSet, status: DaemonStatus) -> Result<(), String> {
    let name = &set.meta.name;
    let Refusals { updates, gets, updates_tried, gets_tried } = &mut cluster.daemon.refusals;
    let mut tries = 0;
    while Refusals::is_refused(updates, updates_tried) {
        if tries >= RETRIES {
            return Err(format!("Operation cannot be fulfilled on daemonsets.apps \"{name}\": {CONFLICT}"));
        }
        if Refusals::is_refused(gets, gets_tried) {
            return Err(format!("daemonsets.apps \"{name}\" cannot be read"));
        }
        tries += 1;
    }
    cluster.commit(Change::DaemonStatus { key: set.meta.key(), status: Box::new(status) });
    Ok(())
}

/// The numbers that follow from the rows. Only the oldest pod of a node counts.
pub fn status(set: &DaemonSet, rows: &Rows, now_ms: u64) -> DaemonStatus {
    let tally = rows.tally();
    let available = tally.ready.available(set.min_ready_seconds, now_ms);
    DaemonStatus {
        desired: tally.desired,
        current: tally.current,
        ready: tally.ready.all(),
        updated: tally.updated,
        available,
        unavailable: tally.desired - available,
        misscheduled: tally.misscheduled,
        observed_generation: set.meta.generation,
        collisions: set.status.collisions,
    }
}
