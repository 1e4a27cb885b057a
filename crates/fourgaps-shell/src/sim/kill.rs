//! `kill`, in the words of bash, whose own command it is.

use super::Machines;
use super::processes::{deliver, signal_named};
use crate::command::{Call, Command};
use fourgaps_node::Node;

pub(super) struct Kill;

impl Command<Machines> for Kill {
    fn name(&self) -> &str {
        "kill"
    }

    fn help(&self) -> String {
        "Usage: kill [-SIGNAL | -s SIGNAL] PID...\n\nSimulated here: containerd and the pause processes of sandboxes, \
         with the signals\nHUP, INT, QUIT, KILL, USR1, PIPE, TERM; with 0 it only looks whether a process is there.\n"
            .into()
    }

    fn run(&self, call: &mut Call<'_, Machines>) -> i32 {
        let (name, pids) = match call.args {
            [flag, name, pids @ ..] if flag == "-s" || flag == "-n" => (name.as_str(), pids),
            [flag, pids @ ..] if flag == "--" => ("TERM", pids),
            [flag, pids @ ..] if flag.starts_with('-') && flag.len() > 1 => (&flag[1..], pids),
            pids => ("TERM", pids),
        };
        let pids = if let [dashes, rest @ ..] = pids
            && dashes == "--"
        {
            rest
        } else {
            pids
        };
        if pids.is_empty() {
            if name == "TERM" {
                call.err("kill: usage: kill [-s sigspec | -n signum | -sigspec] pid | jobspec ... or kill -l [sigspec]\n");
                return 2;
            }
            return call.not_simulated("kill", &format!("-{name}"));
        }
        let signal = signal_named(name);
        if signal.is_none() && name != "0" {
            return call.not_simulated("kill", &format!("the signal {name}"));
        }
        let mut any = false;
        for pid in pids {
            let Ok(pid) = pid.parse::<u32>() else {
                if pid.starts_with(['%', '-']) {
                    return call.not_simulated("kill", pid);
                }
                call.err(format!("bash: kill: {pid}: arguments must be process or job IDs\n"));
                continue;
            };
            any |= deliver(call, pid, signal);
        }
        i32::from(!any)
    }

    fn complete(&self, world: &Machines, host: &str, words: &[String]) -> Vec<String> {
        let pid = world.node(host).and_then(Node::containerd).map(|process| process.pid.to_string());
        let signals = ["-HUP", "-TERM", "-KILL"].map(String::from).into_iter();
        if words.is_empty() { signals.chain(pid).collect() } else { pid.into_iter().collect() }
    }
}
