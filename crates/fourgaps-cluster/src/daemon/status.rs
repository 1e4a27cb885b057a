//! The numbers of a DaemonSet (`updateDaemonSetStatus`).

use super::rows::{Rows, is_available};
use crate::daemonset::{DaemonSet, DaemonStatus};

/// The numbers that follow from the rows. Only the oldest pod of a node counts.
pub fn status(set: &DaemonSet, rows: &Rows, now_ms: u64) -> DaemonStatus {
    let mut status = DaemonStatus {
        observed_generation: set.meta.generation,
        collisions: set.status.collisions,
        ..DaemonStatus::default()
    };
    for row in rows.iter().filter(|row| row.exists) {
        if !row.fit.run {
            status.misscheduled += u32::from(row.occupied);
            continue;
        }
        status.desired += 1;
        if row.occupied {
            let available = is_available(row.oldest_ready, set.min_ready_seconds, now_ms);
            status.current += 1;
            status.ready += u32::from(row.oldest_ready.is_some());
            status.available += u32::from(available);
            status.updated += u32::from(row.oldest_updated);
        }
    }
    status.unavailable = status.desired - status.available;
    status
}
