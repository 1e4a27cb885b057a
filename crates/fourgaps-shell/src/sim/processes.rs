//! Processes of a node: `kill`, `pidof`, `pgrep`, `pkill`.
//!
//! A real node has many more processes than are simulated. What would also find one of those is refused, so that an
//! answer is never too short.

use super::Machines;
use super::flags::{Flag, Style, Takes, Words};
use crate::command::{Call, Command};
use fourgaps_node::{Node, Op, Phase, Signal, UnitState};
use fourgaps_view::systemd::PROGRAM;
use regex::Regex;

/// A signal by its name, with or without `SIG`, or by its number.
pub(super) fn signal_named(name: &str) -> Option<Signal> {
    use Signal::{Hup, Int, Kill, Pipe, Quit, Term, Usr1};
    let upper = name.to_ascii_uppercase();
    let short = upper.strip_prefix("SIG").unwrap_or(&upper);
    let all = [Hup, Int, Quit, Kill, Usr1, Pipe, Term];
    all.into_iter().find(|signal| signal.name() == short || signal.number().to_string() == short)
}

/// A simulated process.
struct Process {
    pid: u32,
    /// Its name, as the kernel keeps it.
    name: &'static str,
    /// Its command line.
    line: &'static str,
}

fn processes(node: &Node) -> Vec<Process> {
    let line = if node.unit().state == UnitState::Running { PROGRAM } else { "containerd" };
    let containerd = node.containerd().map(|process| Process { pid: process.pid, name: "containerd", line });
    let pauses = node.sandboxes().iter().filter_map(|pod| pod.pid);
    let pauses = pauses.map(|pid| Process { pid, name: "pause", line: "/pause" });
    let mut all: Vec<Process> = containerd.into_iter().chain(pauses).collect();
    all.sort_by_key(|process| process.pid);
    all
}

/// Names and command lines of processes that a node may have besides.
const ELSEWHERE: [(&str, &str); 19] = [
    ("systemd", "/sbin/init"),
    ("systemd-journal", "/lib/systemd/systemd-journald"),
    ("systemd-udevd", "/lib/systemd/systemd-udevd"),
    ("systemd-logind", "/lib/systemd/systemd-logind"),
    ("dbus-daemon", "/usr/bin/dbus-daemon --system --address=systemd: --nofork --nopidfile"),
    ("sshd", "sshd: /usr/sbin/sshd -D [listener] 0 of 10-100 startups"),
    ("cron", "/usr/sbin/cron -f"),
    ("agetty", "/sbin/agetty -o -p -- \\u --noclear - linux"),
    ("bash", "-bash"),
    ("kthreadd", "[kthreadd]"),
    ("kworker/0:0", "[kworker/0:0]"),
    ("kubelet", "/usr/bin/kubelet --container-runtime-endpoint=unix:///run/containerd/containerd.sock"),
    ("kube-proxy", "/usr/local/bin/kube-proxy"),
    ("k3s", "/usr/local/bin/k3s server"),
    ("nvidia-ctk-inst", "nvidia-ctk-installer"),
    ("nvidia-toolkit", "nvidia-toolkit"),
    ("nvidia-device-p", "nvidia-device-plugin"),
    ("dcgm-exporter", "/usr/bin/dcgm-exporter"),
    ("runc", "runc"),
];
/// A shim: there is one for every running sandbox, and its number is not simulated.
const SHIM: (&str, &str) = (
    "containerd-shim",
    "/usr/bin/containerd-shim-runc-v2 -namespace k8s.io -id 0 -address /run/containerd/containerd.sock",
);

/// The simulated processes that a test finds.
///
/// # Errors
/// The name of a process that it would find too, and that is not simulated.
fn found(node: &Node, test: impl Fn(&str, &str) -> bool) -> Result<Vec<Process>, &'static str> {
    let has_shims = node.sandboxes().iter().any(|pod| pod.is_ready());
    let more = ELSEWHERE.into_iter().chain(has_shims.then_some(SHIM));
    if let Some((name, _)) = more.into_iter().find(|(name, line)| test(name, line)) {
        return Err(name);
    }
    Ok(processes(node).into_iter().filter(|process| test(process.name, process.line)).collect())
}

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

/// Sends a signal to a process, or only looks for it; true where it is there.
fn deliver(call: &mut Call<'_, Machines>, pid: u32, signal: Option<Signal>) -> bool {
    let is_there = call.node().is_some_and(|node| {
        processes(node).iter().any(|process| process.pid == pid)
            || node.toolkit_of(pid).is_some_and(|run| !matches!(run.phase, Phase::Ended { .. }))
    });
    if pid <= 1 {
        call.not_simulated("kill", &pid.to_string());
    } else if !is_there {
        call.err(format!("bash: kill: ({pid}) - No such process\n"));
    } else if let Some(signal) = signal {
        let host = call.host;
        call.world.act(host, &Op::Signal { pid, signal });
    }
    is_there
}

pub(super) struct Pidof;

impl Command<Machines> for Pidof {
    fn name(&self) -> &str {
        "pidof"
    }

    fn help(&self) -> String {
        "Usage: pidof [-s] PROGRAM...\n\nSimulated here: containerd, and pause of the sandboxes.\n".into()
    }

    fn run(&self, call: &mut Call<'_, Machines>) -> i32 {
        let words = match Words::read(call.args, &[Flag(&["-s"], Takes::Nothing)], Style::Gnu) {
            Ok(words) => words,
            Err(word) => return call.not_simulated("pidof", word),
        };
        let Some(node) = call.node() else { return call.not_simulated("pidof", "processes of this machine") };
        let mut pids = Vec::new();
        for program in &words.rest {
            let base = program.rsplit('/').next().unwrap_or(program);
            // The shim's name is cut by the kernel, its program is not.
            match found(node, |name, line| name == base || line.split(' ').next() == Some(*program)) {
                Ok(processes) => pids.extend(processes.iter().map(|process| process.pid)),
                Err(other) => return call.not_simulated("pidof", other),
            }
        }
        // The newest first.
        pids.reverse();
        pids.truncate(if words.has("-s") { 1 } else { usize::MAX });
        if pids.is_empty() {
            return 1;
        }
        let text: Vec<String> = pids.iter().map(u32::to_string).collect();
        call.out(text.join(" ") + "\n");
        0
    }

    fn complete(&self, _: &Machines, _: &str, _: &[String]) -> Vec<String> {
        vec!["containerd".into()]
    }
}

/// `pgrep`, and `pkill`, which sends a signal to what the other one finds.
pub(super) struct Pgrep {
    /// Whether this is `pkill`.
    pub kills: bool,
}

const PGREP: [Flag; 9] = [
    Flag(&["-x", "--exact"], Takes::Nothing),
    Flag(&["-f", "--full"], Takes::Nothing),
    Flag(&["-a", "--list-full"], Takes::Nothing),
    Flag(&["-l", "--list-name"], Takes::Nothing),
    Flag(&["-c", "--count"], Takes::Nothing),
    Flag(&["-o", "--oldest"], Takes::Nothing),
    Flag(&["-n", "--newest"], Takes::Nothing),
    Flag(&["-e", "--echo"], Takes::Nothing),
    Flag(&["--signal"], Takes::Value),
];

impl Command<Machines> for Pgrep {
    fn name(&self) -> &str {
        if self.kills { "pkill" } else { "pgrep" }
    }

    fn help(&self) -> String {
        let (usage, more) = match self.kills {
            true => ("pkill [-SIGNAL]", "  -e           says whom it signalled\n"),
            false => ("pgrep", "  -a, -l, -c   with command lines, with names, or only how many\n"),
        };
        format!(
            "Usage: {usage} [-x] [-f] [-o | -n] PATTERN\n\nSimulated here: containerd, and pause of the sandboxes.\n  \
             -x, -f       the whole name, the command line\n  -o, -n       the oldest, the newest\n{more}\
             A pattern that finds other processes of a node too is refused; while sandboxes run, `containerd` without\n\
             -x finds their shims.\n"
        )
    }

    fn run(&self, call: &mut Call<'_, Machines>) -> i32 {
        let name = if self.kills { "pkill" } else { "pgrep" };
        let mut args = call.args.to_vec();
        let mut signal = "TERM".to_string();
        if self.kills {
            let at = args.iter().position(|arg| {
                arg.strip_prefix('-').is_some_and(|rest| rest == "0" || signal_named(rest).is_some())
            });
            if let Some(at) = at {
                signal = args.remove(at)[1..].to_string();
            }
        }
        let words = match Words::read(&args, &PGREP, Style::Gnu) {
            Ok(words) => words,
            Err(word) => return call.not_simulated(name, word),
        };
        let odd: &[&str] = if self.kills { &["-a", "-l", "-c"] } else { &["-e", "--signal"] };
        if let Some(flag) = odd.iter().find(|flag| words.has(flag)) {
            return call.not_simulated(name, flag);
        }
        let [pattern] = words.rest[..] else {
            let why = if words.rest.is_empty() {
                "no matching criteria specified"
            } else {
                "only one pattern can be provided"
            };
            call.err(format!("{name}: {why}\nTry `{name} --help' for more information.\n"));
            return 2;
        };
        let Some(node) = call.node() else { return call.not_simulated(name, "processes of this machine") };
        let whole = if words.has("-x") { format!("^(?:{pattern})$") } else { pattern.to_string() };
        let Ok(regex) = Regex::new(&whole) else { return call.not_simulated(name, pattern) };
        let full = words.has("-f");
        let mut processes = match found(node, |name, line| regex.is_match(if full { line } else { name })) {
            Ok(processes) => processes,
            Err(other) => {
                return call.not_simulated(name, &format!("{pattern}, which finds {other} too"));
            }
        };
        if words.has("-o") {
            processes.truncate(1);
        }
        if words.has("-n") {
            processes.drain(..processes.len().saturating_sub(1));
        }
        if self.kills {
            return kill_all(call, &processes, words.value("--signal").unwrap_or(&signal), words.has("-e"));
        }
        let line = |process: &Process| match (words.has("-a"), words.has("-l")) {
            (true, _) => format!("{} {}\n", process.pid, process.line),
            (_, true) => format!("{} {}\n", process.pid, process.name),
            _ => format!("{}\n", process.pid),
        };
        let text = match words.has("-c") {
            true => format!("{}\n", processes.len()),
            false => processes.iter().map(line).collect(),
        };
        call.out(text);
        i32::from(processes.is_empty())
    }

    fn complete(&self, _: &Machines, _: &str, _: &[String]) -> Vec<String> {
        let signals: &[&str] = if self.kills { &["-HUP", "-TERM", "-KILL"] } else { &[] };
        signals.iter().chain(&["-x", "containerd"]).map(|word| (*word).to_string()).collect()
    }
}

fn kill_all(call: &mut Call<'_, Machines>, processes: &[Process], name: &str, told: bool) -> i32 {
    let signal = signal_named(name);
    if signal.is_none() && name != "0" {
        return call.not_simulated("pkill", &format!("the signal {name}"));
    }
    for process in processes {
        deliver(call, process.pid, signal);
        if told {
            call.out(format!("{} killed (pid {})\n", process.name, process.pid));
        }
    }
    i32::from(processes.is_empty())
}
