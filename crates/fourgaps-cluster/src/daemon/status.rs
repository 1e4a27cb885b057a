//! The numbers of a DaemonSet (`updateDaemonSetStatus`).

use super::rows::Rows;
use crate::daemonset::{DaemonSet, DaemonStatus};

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
