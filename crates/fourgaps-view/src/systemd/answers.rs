//! What `systemctl` answers beside states: jobs that fail, units that are not there, and the unit's file.

use super::{DESCRIPTION, DOCUMENTATION, PROGRAM};
use crate::Printed;
use fourgaps_node::{JobEnd, Node, Restart, Supervisor};

/// A job that failed.
pub fn job_failed(unit: &str, end: JobEnd) -> Printed {
    let why = match end {
        JobEnd::Success => "",
        JobEnd::ExitCode => " because the control process exited with error code",
        JobEnd::Signal => " because a fatal signal was delivered to the control process",
        JobEnd::StartLimitHit => " because start of the service was attempted too often",
    };
    let mut text = format!(
        "Job for {unit} failed{why}.\n\
         See \"systemctl status {unit}\" and \"journalctl -xeu {unit}\" for details.\n"
    );
    if end == JobEnd::StartLimitHit {
        text += &format!(
            "To force a start use \"systemctl reset-failed {unit}\"\nfollowed by \"systemctl start {unit}\" again.\n"
        );
    }
    Printed { stderr: text, exit: 1, ..Printed::default() }
}

/// A reload of a unit that has no way to reload.
pub fn no_reload(unit: &str) -> Printed {
    let why = format!("Failed to reload {unit}: Job type reload is not applicable for unit {unit}.");
    Printed::fail(3, &why)
}

/// What a verb answers of a unit that is not there.
pub fn missing(verb: &str, unit: &str) -> Printed {
    match verb {
        "status" => Printed::fail(4, &format!("Unit {unit} could not be found.")),
        "stop" => Printed::fail(5, &format!("Failed to stop {unit}: Unit {unit} not loaded.")),
        "start" | "restart" | "reload" => {
            Printed::fail(5, &format!("Failed to {verb} {unit}: Unit {unit} not found."))
        }
        "kill" => Printed::fail(1, &format!("Failed to kill unit {unit}: Unit {unit} not loaded.")),
        "reset-failed" => {
            let why = format!("Failed to reset failed state of unit {unit}: Unit {unit} not loaded.");
            Printed::fail(1, &why)
        }
        "cat" => Printed::fail(1, &format!("No files found for {unit}.")),
        "is-enabled" => {
            Printed::fail(1, &format!("Failed to get unit file state for {unit}: No such file or directory"))
        }
        "is-failed" => Printed { exit: 1, ..Printed::ok("inactive\n") },
        _ => Printed { exit: 3, ..Printed::ok("inactive\n") },
    }
}

/// The unit's file, as far as its settings count here.
pub fn unit_file(node: &Node) -> String {
    let restart = match node.supervisor() {
        Supervisor::Systemd(Restart::No) => "no",
        Supervisor::Systemd(Restart::OnFailure) => "on-failure",
        _ => "always",
    };
    format!(
        "[Unit]\nDescription={DESCRIPTION}\nDocumentation={DOCUMENTATION}\n\n\
         [Service]\nExecStart={PROGRAM}\nType=notify\nKillMode=process\nRestart={restart}\nRestartSec=5\n\n\
         [Install]\nWantedBy=multi-user.target\n"
    )
}
