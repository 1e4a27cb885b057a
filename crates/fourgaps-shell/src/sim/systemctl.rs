//! `systemctl`: the unit of containerd, or of k3s where that one runs containerd.
//! Source: the public source of systemd 252.

use super::Machines;
use super::asking::{next_words, tools};
use super::flags::{Flag, Style, Takes, Words};
use super::processes::signal_named;
use crate::command::{Call, Command};
use crate::world::World;
use fourgaps_node::{Answer, Node, Op, Supervisor, UnitState, Verb};
use fourgaps_view::Printed;
use fourgaps_view::systemd::{self, UNIT, UNIT_FILE};

pub(super) struct Systemctl;

const NAME: &str = "systemctl";
/// The status of what is not simulated.
const REFUSED: i32 = 2;
const FLAGS: [Flag; 11] = [
    Flag(&["--property", "-p"], Takes::Value),
    Flag(&["-P"], Takes::Value),
    Flag(&["--value"], Takes::Nothing),
    Flag(&["--quiet", "-q"], Takes::Nothing),
    Flag(&["--no-pager"], Takes::Nothing),
    Flag(&["--full", "-l"], Takes::Nothing),
    Flag(&["--lines", "-n"], Takes::Value),
    Flag(&["--signal", "-s"], Takes::Value),
    Flag(&["--kill-who", "--kill-whom"], Takes::Value),
    Flag(&["--system"], Takes::Nothing),
    Flag(&["--help", "-h"], Takes::Nothing),
];
const VERBS: [&str; 14] = [
    "start",
    "stop",
    "restart",
    "reload",
    "status",
    "is-active",
    "is-failed",
    "is-enabled",
    "show",
    "cat",
    "kill",
    "reset-failed",
    "daemon-reload",
    "reboot",
];
const HELP: &str = "\
Usage: systemctl COMMAND containerd

Simulated here, for the unit that runs containerd (k3s on a node of k3s):
  start, stop, restart        of a start that fails, the journal says why
  reload                      refused, as the unit has no way to reload
  is-active, is-failed, is-enabled [-q]
  status [-n LINES]           without tasks, memory and processor time
  show -p PROPERTY [--value]  MainPID, NRestarts, ActiveState, SubState, Result, Restart and the like
  cat                         the unit's file
  kill [-s SIGNAL] [--kill-whom=main]
  reset-failed                also forgets how often it was started
  daemon-reload               nothing to do: units here do not change
  reboot                      restarts the node
";

/// A unit that was named.
enum Named {
    /// The one that containerd runs in; `true` where it is containerd's own.
    Ours(bool),
    /// One that is not there.
    Missing,
    /// One that a real node has, but no simulated one.
    Elsewhere,
}

/// Units that real nodes have.
const ELSEWHERE: [&str; 12] = [
    "kubelet",
    "ssh",
    "sshd",
    "dbus",
    "cron",
    "systemd-journald",
    "systemd-logind",
    "systemd-udevd",
    "systemd-networkd",
    "systemd-timesyncd",
    "nvidia-persistenced",
    "docker",
];

fn named(node: &Node, unit: &str) -> Named {
    let name = unit.strip_suffix(".service").unwrap_or(unit);
    match (name, node.supervisor()) {
        ("containerd", Supervisor::Systemd(_)) => Named::Ours(true),
        ("k3s", Supervisor::K3s) => Named::Ours(false),
        _ if ELSEWHERE.contains(&name) || unit.contains(['*', '?', '[']) => Named::Elsewhere,
        _ if unit.contains('.') && !unit.ends_with(".service") => Named::Elsewhere,
        _ => Named::Missing,
    }
}

impl Command<Machines> for Systemctl {
    fn name(&self) -> &str {
        NAME
    }

    fn help(&self) -> String {
        HELP.into()
    }

    fn run(&self, call: &mut Call<'_, Machines>) -> i32 {
        let words = match Words::read(call.args, &FLAGS, Style::Gnu) {
            Ok(words) => words,
            Err(word) => return call.not_simulated(NAME, word),
        };
        if words.has("--help") {
            call.out(HELP);
            return 0;
        }
        let Some((verb, units)) = words.rest.split_first() else {
            return call.not_simulated(NAME, "a list of all units");
        };
        if call.node().is_none() {
            return call.not_simulated(NAME, "units of this machine");
        }
        match (*verb, units) {
            ("daemon-reload", []) => 0,
            ("reboot", []) => super::reboot::reboot(call),
            (verb, []) if VERBS.contains(&verb) => {
                call.not_simulated(NAME, &format!("{verb} without a unit"))
            }
            (verb, _) if !VERBS.contains(&verb) || verb == "reboot" || verb == "daemon-reload" => {
                let what = words.rest.join(" ");
                call.not_simulated(NAME, &what)
            }
            (verb, units) => {
                let statuses: Vec<i32> = units.iter().map(|unit| one(call, verb, unit, &words)).collect();
                // These ask whether any of several is; what was refused is no answer to that.
                let asks = ["is-active", "is-failed", "is-enabled"].contains(&verb);
                let worst = statuses.iter().find(|status| **status != 0).copied().unwrap_or(0);
                let is_any = asks && statuses.contains(&0) && !statuses.contains(&REFUSED);
                if is_any { 0 } else { worst }
            }
        }
    }

    fn complete(&self, world: &Machines, host: &str, words: &[String]) -> Vec<String> {
        if words.iter().all(|word| word.starts_with('-')) {
            return VERBS.iter().map(|verb| (*verb).to_string()).collect();
        }
        let unit = match world.node(host).map(Node::supervisor) {
            Some(Supervisor::K3s) => "k3s",
            _ => "containerd",
        };
        let tree: Vec<(&str, &[&str])> = VERBS.iter().map(|verb| (*verb, &[] as &[&str])).collect();
        if words.len() == 1 && next_words(words, &tree).is_empty() { vec![unit.into()] } else { Vec::new() }
    }
}

/// One unit of a command line.
fn one(call: &mut Call<'_, Machines>, verb: &str, unit: &str, words: &Words<'_>) -> i32 {
    let Some(node) = call.node() else { return 1 };
    let whole = if unit.ends_with(".service") { unit.to_string() } else { format!("{unit}.service") };
    let own = match named(node, unit) {
        Named::Ours(own) => own,
        Named::Elsewhere => return call.not_simulated(NAME, &format!("{verb} {unit}")),
        Named::Missing if verb == "show" => return call.not_simulated(NAME, &format!("show {unit}")),
        Named::Missing => {
            let printed = systemd::missing(verb, &whole);
            if words.has("--quiet") {
                return printed.exit;
            }
            return call.print(&printed);
        }
    };
    let printed = match verb {
        "start" => return job(call, Verb::Start, verb, &whole),
        "stop" => return job(call, Verb::Stop, verb, &whole),
        "restart" => return job(call, Verb::Restart, verb, &whole),
        "reload" => return job(call, Verb::Reload, verb, &whole),
        "reset-failed" => return job(call, Verb::ResetFailed, verb, &whole),
        "is-active" => {
            told(systemd::active_state(node), if node.unit().state == UnitState::Running { 0 } else { 3 })
        }
        "is-failed" => {
            let failed = matches!(node.unit().state, UnitState::Failed(_));
            told(systemd::active_state(node), if failed { 0 } else { 1 })
        }
        "is-enabled" => told("enabled", 0),
        _ if !own => return call.not_simulated(NAME, &format!("{verb} {unit}")),
        "status" => match words.value("--lines").map_or(Ok(10), str::parse) {
            Ok(lines) => systemd::status(node, tools(node), call.world.epoch_ms(), lines),
            Err(_) => {
                return call
                    .not_simulated(NAME, &format!("--lines {}", words.value("--lines").unwrap_or_default()));
            }
        },
        "cat" => {
            let text = node
                .files()
                .text(UNIT_FILE)
                .map_or_else(|| systemd::unit_file(node), |text| text.into_owned());
            Printed::ok(format!("# {UNIT_FILE}\n{text}"))
        }
        "show" => return show(call, words),
        "kill" => return kill(call, words),
        _ => return call.not_simulated(NAME, &format!("{verb} {unit}")),
    };
    if words.has("--quiet") && verb.starts_with("is-") {
        return printed.exit;
    }
    call.print(&printed)
}

fn told(word: &str, exit: i32) -> Printed {
    Printed { exit, ..Printed::ok(format!("{word}\n")) }
}

fn job(call: &mut Call<'_, Machines>, op: Verb, verb: &str, unit: &str) -> i32 {
    let host = call.host;
    match call.world.act(host, &Op::Systemctl(op)) {
        Answer::JobFailed(end) => {
            let printed = systemd::job_failed(unit, end);
            call.print(&printed)
        }
        Answer::NoReload => {
            let printed = systemd::no_reload(unit);
            call.print(&printed)
        }
        Answer::NotSimulated(why) => call.not_simulated(NAME, &format!("{verb} {unit}: {why}")),
        _ => 0,
    }
}

fn show(call: &mut Call<'_, Machines>, words: &Words<'_>) -> i32 {
    let Some(node) = call.node() else { return 1 };
    let lists = words.values("--property").chain(words.values("-P"));
    let wanted: Vec<&str> = lists.flat_map(|list| list.split(',')).filter(|name| !name.is_empty()).collect();
    if wanted.is_empty() {
        return call.not_simulated(NAME, "show without -p PROPERTY");
    }
    let all = systemd::properties(node, call.world.epoch_ms());
    if let Some(odd) = wanted.iter().find(|name| all.iter().all(|(known, _)| known != *name)) {
        return call.not_simulated(NAME, &format!("show -p {odd}"));
    }
    let only_values = words.has("--value") || words.has("-P");
    let kept = all.iter().filter(|(name, _)| wanted.contains(name));
    let line = |(name, value): &(&str, String)| match only_values {
        true => format!("{value}\n"),
        false => format!("{name}={value}\n"),
    };
    let text: String = kept.map(line).collect();
    call.out(text);
    0
}

fn kill(call: &mut Call<'_, Machines>, words: &Words<'_>) -> i32 {
    let Some(node) = call.node() else { return 1 };
    let name = words.value("--signal").unwrap_or("TERM");
    let Some(signal) = signal_named(name) else {
        return call.not_simulated(NAME, &format!("kill --signal={name}"));
    };
    let main_only = match words.value("--kill-who").unwrap_or("all") {
        "main" => true,
        "all" => false,
        other => return call.not_simulated(NAME, &format!("--kill-whom={other}")),
    };
    if !main_only && node.sandboxes().iter().any(|pod| pod.is_ready()) {
        return call
            .not_simulated(NAME, "kill of the shims of running sandboxes; --kill-whom=main spares them");
    }
    let pid =
        node.containerd().filter(|_| node.unit().state == UnitState::Running).map(|process| process.pid);
    match pid {
        Some(pid) => {
            let host = call.host;
            call.world.act(host, &Op::Signal { pid, signal });
            0
        }
        None if main_only => {
            let printed = Printed::fail(1, &format!("Failed to kill unit {UNIT}: No main process to kill"));
            call.print(&printed)
        }
        // Where there is nobody to get the signal, nothing is amiss.
        None => 0,
    }
}
