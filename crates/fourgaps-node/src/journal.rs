//! The journal: what systemd and the processes logged, as plain values. Their words are the view's.

use crate::process::{End, Process};
use crate::unit::JobEnd;
use fourgaps_base::kept_variants;
use std::sync::Arc;

/// An entry of the journal.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// When, in ms of virtual time.
    pub at_ms: u64,
    /// What.
    pub said: Said,
}

/// Who said what.
#[derive(Clone, Debug, PartialEq)]
pub enum Said {
    /// systemd, of the containerd unit.
    Systemd(UnitEvent),
    /// k3s, of its containerd that ended: `containerd exited: …`.
    K3s(End),
    /// The kernel and systemd: the node goes down to restart.
    WentDown,
    /// The node is back: a new boot begins.
    CameUp,
    /// A containerd process on its way up; its words follow from [`Process::run`].
    Boot(Arc<Process>),
    /// A containerd process that ended in order.
    Stop(Arc<Process>),
}

/// What systemd logs of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitEvent {
    /// `Starting …`.
    Starting,
    /// `Started …`.
    Started,
    /// `Stopping …`.
    Stopping,
    /// `Stopped …`.
    Stopped,
    /// `Failed to start …`.
    StartFailed,
    /// `Main process exited, …`; systemd says so of an unclean end only.
    MainExited(End),
    /// `Deactivated successfully.`.
    Deactivated,
    /// `Failed with result '…'.`.
    Failed(JobEnd),
    /// `Scheduled restart job, restart counter is at N.`.
    RestartScheduled(u32),
    /// `Start request repeated too quickly.`.
    TooQuick,
    /// A shim that outlived the process before: `Found left-over process N (containerd-shim) …`.
    LeftOver(u32),
    /// A shim when the unit stopped: `Unit process N (containerd-shim) remains running after unit stopped.`.
    Remains(u32),
}
kept_variants!(UnitEvent {
    "Starting" => Starting {},
    "Started" => Started {},
    "Stopping" => Stopping {},
    "Stopped" => Stopped {},
    "StartFailed" => StartFailed {},
    "MainExited" => MainExited(end),
    "Deactivated" => Deactivated {},
    "Failed" => Failed(result),
    "RestartScheduled" => RestartScheduled(n_restarts),
    "TooQuick" => TooQuick {},
    "LeftOver" => LeftOver(pid),
    "Remains" => Remains(pid),
});
