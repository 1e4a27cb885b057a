//! `systemctl show`: the properties that follow from what is simulated.

use super::{Changes, DESCRIPTION, UNIT, UNIT_FILE, active_state, result, sub_state};
use crate::moment;
use fourgaps_node::{End, Node, Restart, Supervisor, UnitState};

/// The properties of the unit that are known here, in the order in which systemd tells them.
/// `epoch_ms` is when the scenario began, in ms since 1970.
pub fn properties(node: &Node, epoch_ms: u64) -> Vec<(&'static str, String)> {
    let running = node.containerd().filter(|_| node.unit().state == UnitState::Running);
    let last = node.last_end().filter(|_| running.is_none());
    let restart = match node.supervisor() {
        Supervisor::Systemd(Restart::Always) => "always",
        Supervisor::Systemd(Restart::OnFailure) => "on-failure",
        _ => "no",
    };
    let (code, status) = match last.map(|last| last.end) {
        None => (0, 0),
        Some(End::Exited(status)) => (1, status),
        Some(End::Killed(signal)) => (2, signal.number()),
    };
    let pid = running.map(|process| process.pid);
    let main_pid = pid.or(last.map(|last| last.pid)).unwrap_or(0);
    let mut all = vec![
        ("Type", "notify".to_string()),
        ("Restart", restart.into()),
        ("RestartUSec", "5s".into()),
        ("MainPID", pid.unwrap_or(0).to_string()),
        ("Result", result(node).into()),
        ("NRestarts", node.unit().n_restarts.to_string()),
        ("ExecMainPID", main_pid.to_string()),
        ("ExecMainCode", code.to_string()),
        ("ExecMainStatus", status.to_string()),
        ("KillMode", "process".into()),
        ("Id", UNIT.into()),
        ("Names", UNIT.into()),
        ("Description", DESCRIPTION.into()),
        ("LoadState", "loaded".into()),
        ("ActiveState", active_state(node).into()),
        ("SubState", sub_state(node).into()),
        ("FragmentPath", UNIT_FILE.into()),
        ("UnitFileState", "enabled".into()),
        ("UnitFilePreset", "enabled".into()),
    ];
    let at = Changes::of(node);
    let moments = [
        ("InactiveExitTimestamp", at.inactive_exit),
        ("ActiveEnterTimestamp", at.active_enter),
        ("ActiveExitTimestamp", at.active_exit),
        ("InactiveEnterTimestamp", at.inactive_enter),
    ];
    // How an unset time is told differs from release to release, so it is left to the asker.
    let set = moments.into_iter().filter_map(|(name, ms)| Some((name, epoch_ms + ms?)));
    all.extend(set.map(|(name, unix_ms)| (name, moment::with_weekday(unix_ms))));
    all
}
