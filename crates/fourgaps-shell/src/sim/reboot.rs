//! `reboot`: the node goes down, and time passes until it is back.

use super::Machines;
use crate::command::{Call, Command};
use fourgaps_cluster::CONTROL;
use fourgaps_node::Op;

pub(super) struct Reboot;

impl Command<Machines> for Reboot {
    fn name(&self) -> &str {
        "reboot"
    }

    fn help(&self) -> String {
        "Usage: reboot\n\nSimulated here: the node restarts. Time passes until it is back, and a login stays open.\n".into()
    }

    fn folder(&self, _: &Machines, _: &str) -> Option<&'static str> {
        Some("/usr/sbin")
    }

    fn run(&self, call: &mut Call<'_, Machines>) -> i32 {
        match call.args {
            [] if call.node().is_some() => reboot(call),
            [] => call.not_simulated("reboot", "of this machine"),
            [word, ..] => call.not_simulated("reboot", word),
        }
    }
}

/// Restarts the node that the call is on.
pub(super) fn reboot(call: &mut Call<'_, Machines>) -> i32 {
    let host = call.host;
    call.world.act(host, &Op::Reboot);
    let up_ms = call.node().and_then(|node| Some(node.down_until_ms()?.saturating_sub(node.now_ms())));
    if let Some(ms) = up_ms {
        call.world.act(CONTROL, &Op::Wait { ms });
    }
    0
}
