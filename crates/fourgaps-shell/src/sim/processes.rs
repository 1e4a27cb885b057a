//! The processes of a node, as far as they are simulated.
//!
//! A real node has many more processes than are simulated. What would also find one of those is refused, so that an
//! answer is never too short.

use super::Machines;
use crate::command::Call;
use fourgaps_base::sort_by_key;
use fourgaps_node::{Node, Op, Phase, Signal, UnitState};
use fourgaps_view::systemd::PROGRAM;

/// A signal by its name, with or without `SIG`, or by its number.
pub(super) fn signal_named(name: &str) -> Option<Signal> {
    use Signal::{Hup, Int, Kill, Pipe, Quit, Term, Usr1};
    let upper = name.to_ascii_uppercase();
    let short = upper.strip_prefix("SIG").unwrap_or(&upper);
    let all = [Hup, Int, Quit, Kill, Usr1, Pipe, Term];
    all.into_iter().find(|signal| signal.name() == short || signal.number().to_string() == short)
}

/// A simulated process.
pub(super) struct Process {
    pub pid: u32,
    /// Its name, as the kernel keeps it.
    pub name: &'static str,
    /// Its command line.
    pub line: &'static str,
    /// When it was started, in ms of virtual time.
    pub started_ms: u64,
}

fn processes(node: &Node) -> Vec<Process> {
    let line = if node.unit().state == UnitState::Running { PROGRAM } else { "containerd" };
    let containerd = node.containerd().map(|process| Process {
        pid: process.pid,
        name: "containerd",
        line,
        started_ms: process.started_ms,
    });
    let pause = |pid, started_ms| Process { pid, name: "pause", line: "/pause", started_ms };
    let pauses = node.sandboxes().iter().filter_map(|pod| Some(pause(pod.pid?, pod.created_ms)));
    let mut all: Vec<Process> = containerd.into_iter().chain(pauses).collect();
    sort_by_key(&mut all, |process| process.pid);
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
pub(super) fn found(node: &Node, test: impl Fn(&str, &str) -> bool) -> Result<Vec<Process>, &'static str> {
    let has_shims = node.sandboxes().iter().any(|pod| pod.is_ready());
    let more = ELSEWHERE.into_iter().chain(has_shims.then_some(SHIM));
    if let Some((name, _)) = more.into_iter().find(|(name, line)| test(name, line)) {
        return Err(name);
    }
    Ok(processes(node).into_iter().filter(|process| test(process.name, process.line)).collect())
}

/// Sends a signal to a process, or only looks for it; true where it is there.
pub(super) fn deliver(call: &mut Call<'_, Machines>, pid: u32, signal: Option<Signal>) -> bool {
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
