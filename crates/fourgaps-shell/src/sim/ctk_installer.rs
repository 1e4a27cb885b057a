//! `nvidia-ctk-installer`: what the toolkit's container runs. It sets the node up, waits for a signal, and cleans up.
//! Source: the recordings, which ran it on a node, and the public source of the toolkit.

use super::Machines;
use super::asking::stamp;
use crate::command::{Call, Command};
use fourgaps_cluster::{CONTROL, EPOCH_MS};
use fourgaps_node::{Answer, End, Node, Op, Options, Phase, Release};
use fourgaps_view::Stamp;

pub(super) struct CtkInstaller;

const NAME: &str = "nvidia-ctk-installer";
/// The release that was recorded.
const RELEASE: Release = Release(1, 18, 1);
/// What the recordings ran it with; its own engine would be docker, and its own root that of a container.
const WANTED: [&str; 2] = ["--runtime=containerd", "--host-root=/"];
const HELP: &str = "\
Usage: nvidia-ctk-installer --runtime=containerd --host-root=/ [OPTIONS]

Simulated here, as of release 1.18.1:
  --config-source=command|file   what is edited: what a dump says, or the file
  --set-as-default=false         leaves the default handler alone
  --restart-mode=signal|systemd|none
  --cdi-enabled                  lets the toolkit and containerd use CDI
  --no-daemon                    ends after the set-up, and never cleans up
Others of its options that concern containerd are taken too. A node's pod runs it the same way.
Once it waits for its signal you get the prompt back, as if it were started with `&`; its process number is in
/run/nvidia/toolkit/toolkit.pid. What it logs after that is not shown.
";

impl Command<Machines> for CtkInstaller {
    fn name(&self) -> &str {
        NAME
    }

    fn help(&self) -> String {
        HELP.into()
    }

    fn folder(&self, world: &Machines, host: &str) -> Option<&'static str> {
        world.node(host).map(|_| "/usr/bin")
    }

    fn run(&self, call: &mut Call<'_, Machines>) -> i32 {
        if call.node().is_none() {
            return call.not_installed(NAME);
        }
        if call.wants_help() {
            call.out(HELP);
            return 0;
        }
        if let Some(flag) = WANTED.iter().find(|flag| !call.args.iter().any(|arg| arg == *flag)) {
            return call.not_simulated(NAME, &format!("without {flag}"));
        }
        let options = match Options::new(RELEASE).with_flags(call.args.iter().map(String::as_str)) {
            Ok(options) => Box::new(options),
            Err(word) => return call.not_simulated(NAME, &word),
        };
        let astray = call.node().map(Node::astray).unwrap_or_default();
        let host = call.host;
        let op = Op::Toolkit { options, astray, in_pod: false };
        let Answer::Started { pid } = call.world.act(host, &op) else {
            return call.not_simulated(NAME, "on this machine now");
        };
        let status = stay(call, pid);
        let log = call.node().and_then(|node| node.toolkit_of(pid)).map(|run| run.log.clone());
        let at = stamp(call.world);
        for (ms, line) in log.unwrap_or_default() {
            call.err(Stamp { unix_ms: EPOCH_MS + ms, ..at }.log(&line.to_string()));
        }
        status
    }

    fn complete(&self, _: &Machines, _: &str, _: &[String]) -> Vec<String> {
        let more =
            ["--config-source=", "--set-as-default=", "--restart-mode=", "--cdi-enabled", "--no-daemon"];
        WANTED.into_iter().chain(more).map(String::from).collect()
    }
}

/// Lets time pass until a run waits for its signal or has ended; gives its exit status.
fn stay(call: &mut Call<'_, Machines>, pid: u32) -> i32 {
    loop {
        let Some((node, run)) = call.node().and_then(|node| Some((node, node.toolkit_of(pid)?))) else {
            return 1;
        };
        match run.phase {
            Phase::Waiting => return 0,
            Phase::Ended { end: End::Exited(status), .. } => return status,
            Phase::Ended { end: End::Killed(signal), .. } => return 128 + signal.number(),
            _ => {}
        }
        let ms = node.next_due_ms().map_or(1000, |due| due.saturating_sub(node.now_ms()));
        call.world.act(CONTROL, &Op::Wait { ms });
    }
}
