//! What systemd says of containerd's unit: its journal, `systemctl status` and `systemctl show`.
//! Source: the public source of systemd 252, which Debian 12 has; and the `containerd.service` that containerd ships.
//!
//! Left out, since nothing here measures it: tasks, memory and processor time (as where their accounting is off), and
//! the `modprobe` that runs before containerd.

mod answers;
mod journal;
mod properties;
mod span;
mod status;

pub use answers::{job_failed, missing, no_reload, unit_file};
pub use journal::{Form, Line, boot_line, journal, journal_text};
pub use properties::properties;
pub use status::status;

use fourgaps_node::{End, Node, Said, Supervisor, UnitEvent, UnitState};

/// containerd's unit.
pub const UNIT: &str = "containerd.service";
/// Where its file is.
pub const UNIT_FILE: &str = "/lib/systemd/system/containerd.service";
/// The program that it starts.
pub const PROGRAM: &str = "/usr/bin/containerd";
const DESCRIPTION: &str = "containerd container runtime";
const DOCUMENTATION: &str = "https://containerd.io";

/// True where systemd looks after containerd, so that it has a unit.
pub fn has_unit(node: &Node) -> bool {
    matches!(node.supervisor(), Supervisor::Systemd(_))
}

/// `ActiveState=`
pub fn active_state(node: &Node) -> &'static str {
    match node.unit().state {
        UnitState::Dead => "inactive",
        UnitState::Running => "active",
        UnitState::AutoRestart { .. } => "activating",
        UnitState::Failed(_) => "failed",
    }
}

/// `SubState=`
fn sub_state(node: &Node) -> &'static str {
    match node.unit().state {
        UnitState::Dead => "dead",
        UnitState::Running => "running",
        UnitState::AutoRestart { .. } => "auto-restart",
        UnitState::Failed(_) => "failed",
    }
}

/// `Result=`
fn result(node: &Node) -> &'static str {
    match node.unit().state {
        UnitState::AutoRestart { result, .. } | UnitState::Failed(result) => result.word(),
        UnitState::Dead | UnitState::Running => "success",
    }
}

/// `exited, status=1/FAILURE` or `killed, signal=HUP`, behind `code=`.
fn ended(end: End) -> String {
    match end {
        End::Exited(0) => "exited, status=0/SUCCESS".into(),
        End::Exited(1) => "exited, status=1/FAILURE".into(),
        End::Exited(status) => format!("exited, status={status}"),
        End::Killed(signal) => format!("killed, signal={}", signal.name()),
    }
}

/// When the unit went from one kind of state to another, in ms since the scenario began.
#[derive(Clone, Copy, Debug, Default)]
struct Changes {
    /// It was last started.
    inactive_exit: Option<u64>,
    /// It was last up.
    active_enter: Option<u64>,
    /// It was last no longer up.
    active_exit: Option<u64>,
    /// It last became inactive, or failed.
    inactive_enter: Option<u64>,
}

impl Changes {
    fn of(node: &Node) -> Self {
        let mut at = Self::default();
        let (mut up, mut inactive) = (false, true);
        for entry in node.journal() {
            let event = match &entry.said {
                Said::Systemd(event) => event,
                Said::CameUp => {
                    (at, up, inactive) = (Self::default(), false, true);
                    continue;
                }
                _ => continue,
            };
            let now = Some(entry.at_ms);
            match event {
                UnitEvent::Starting => {
                    at.inactive_exit = now;
                    inactive = false;
                }
                UnitEvent::Started => {
                    at.active_enter = now;
                    up = true;
                }
                UnitEvent::Stopping | UnitEvent::MainExited(_) | UnitEvent::Deactivated if up => {
                    at.active_exit = now;
                    up = false;
                }
                // Where it is started again by itself, it becomes inactive only for that moment.
                UnitEvent::Stopped => {
                    at.inactive_enter = now;
                    inactive = true;
                }
                UnitEvent::Deactivated | UnitEvent::Failed(_) if !inactive => at.inactive_enter = now,
                _ => {}
            }
        }
        at
    }
}
