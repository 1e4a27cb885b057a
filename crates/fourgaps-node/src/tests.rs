//! A node's life in small steps, for every version.

use crate::{
    Answer, End, INOTIFY_INSTANCES, JobEnd, Node, Op, Restart, SandboxSpec, Signal, Supervisor, Sysctl,
    SysctlLine, UnitState, Verb,
};
use fourgaps_base::{FileEdit, FileTree, Files};
use fourgaps_config::Version;

const RUNC: &str = "version = 2\n[plugins.\"io.containerd.grpc.v1.cri\".containerd.runtimes.runc]\n  \
                    runtime_type = \"io.containerd.runc.v2\"\n";
const NVIDIA: &str = "[plugins.\"io.containerd.grpc.v1.cri\".containerd.runtimes.nvidia]\n  \
                      runtime_type = \"io.containerd.runc.v2\"\n";

fn node(version: &'static Version, restart: Restart) -> Node {
    let mut files = FileTree::new();
    files.write(crate::MAIN, RUNC);
    Node::new("omen", version, Supervisor::Systemd(restart), files, 7)
}

fn handlers(node: &Node) -> Option<Vec<String>> {
    let run = node.containerd()?.run();
    Some(run.handlers.iter().flatten().map(|handler| handler.name.clone()).collect())
}

fn sandbox(name: &str, handler: Option<&str>) -> Op {
    Op::RunSandbox(SandboxSpec {
        name: name.into(),
        namespace: "default".into(),
        uid: name.into(),
        attempt: 0,
        handler: handler.map(String::from),
        log_directory: String::new(),
    })
}

/// Does what is wished, and folds the facts into a copy: both nodes must be equal.
#[track_caller]
fn act(node: &mut Node, op: Op) -> Answer {
    let mut copy = node.clone();
    let done = node.act(&op);
    done.facts.iter().for_each(|fact| copy.apply(fact));
    assert_eq!(copy, *node);
    done.answer
}

#[test]
fn only_a_start_loads_what_is_written() {
    for version in Version::all() {
        let mut node = node(version, Restart::Always);
        assert_eq!(act(&mut node, Op::Systemctl(Verb::Start)), Answer::Done);
        act(&mut node, Op::Edit(FileEdit::write(crate::MAIN, format!("{RUNC}{NVIDIA}"))));
        assert_eq!(handlers(&node).unwrap(), ["runc"], "{}", version.name());
        assert_eq!(node.next_start().handlers.len(), if version.name() == "2.0.5" { 1 } else { 2 });
        assert!(matches!(act(&mut node, sandbox("a", Some("nvidia"))), Answer::Refused(_)));
        act(&mut node, Op::Systemctl(Verb::Restart));
        assert_eq!(handlers(&node).unwrap(), ["nvidia", "runc"]);
        assert!(matches!(act(&mut node, sandbox("a", Some("nvidia"))), Answer::Sandbox { .. }));
    }
}

#[test]
fn sighup_kills_and_the_supervisor_decides() {
    for (restart, back) in [(Restart::Always, true), (Restart::OnFailure, false), (Restart::No, false)] {
        let mut node = node(Version::named("1.7.27").unwrap(), restart);
        act(&mut node, Op::Systemctl(Verb::Start));
        act(&mut node, sandbox("web", None));
        let pid = node.containerd().unwrap().pid;
        act(&mut node, Op::Signal { pid, signal: Signal::Hup });
        assert_eq!(node.last_end().unwrap().end, End::Killed(Signal::Hup));
        act(&mut node, Op::Wait { ms: 4_999 });
        assert!(node.containerd().is_none());
        act(&mut node, Op::Wait { ms: 1 });
        assert_eq!(node.containerd().is_some(), back);
        assert!(node.sandboxes()[0].is_ready());
        assert_eq!(node.unit().n_restarts, u32::from(back));
    }
}

#[test]
fn bad_files_take_the_daemon_down_at_its_next_start_only() {
    let mut node = node(Version::named("2.2.5").unwrap(), Restart::Always);
    act(&mut node, Op::Systemctl(Verb::Start));
    act(&mut node, sandbox("web", None));
    act(&mut node, Op::Edit(FileEdit::write(crate::MAIN, "version = ")));
    assert!(node.containerd().is_some());
    let answer = act(&mut node, Op::Systemctl(Verb::Restart));
    assert_eq!(answer, Answer::JobFailed(JobEnd::ExitCode));
    assert_eq!(node.last_end().unwrap().end, End::Exited(1));
    act(&mut node, Op::Wait { ms: 12_000 });
    assert!(matches!(node.unit().state, UnitState::AutoRestart { .. }));
    assert_eq!(node.unit().n_restarts, 2);
    act(&mut node, Op::Edit(FileEdit::write(crate::MAIN, RUNC)));
    act(&mut node, Op::Wait { ms: 5_000 });
    assert!(node.containerd().is_some());
    assert!(node.sandboxes()[0].is_ready());
}

#[test]
fn too_many_starts_are_refused() {
    let mut node = node(Version::named("1.7.27").unwrap(), Restart::Always);
    for _ in 0..5 {
        assert_eq!(act(&mut node, Op::Systemctl(Verb::Restart)), Answer::Done);
    }
    assert_eq!(act(&mut node, Op::Systemctl(Verb::Restart)), Answer::JobFailed(JobEnd::StartLimitHit));
    act(&mut node, Op::Wait { ms: 10_000 });
    assert_eq!(act(&mut node, Op::Systemctl(Verb::Start)), Answer::Done);
}

#[test]
fn a_used_up_budget_takes_the_cri_down_while_the_unit_is_active() {
    for version in Version::all() {
        let mut node = node(version, Restart::Always).with_inotify_used(128);
        act(&mut node, Op::Systemctl(Verb::Start));
        assert_eq!(node.unit().state, UnitState::Running);
        let run = node.containerd().unwrap().run();
        assert_eq!(run.handlers, None);
        let words = "failed to create CRI service: failed to create cni conf monitor for default: \
                     failed to create fsnotify watcher: too many open files";
        assert!(run.complaints.iter().any(|line| line.contains(words)), "{:?}", run.complaints);
        assert!(matches!(act(&mut node, sandbox("web", None)), Answer::Refused(_)));

        let path = "/etc/sysctl.d/99-inotify.conf";
        act(&mut node, Op::Edit(FileEdit::MakeFolder("/etc/sysctl.d".into())));
        act(&mut node, Op::Edit(FileEdit::write(path, "# more\nfs/inotify/max_user_instances = 8192\n")));
        let said = act(&mut node, Op::Sysctl(Sysctl::Load { path: path.into() }));
        let set = SysctlLine::Set { key: INOTIFY_INSTANCES.into(), value: 8192 };
        assert_eq!(said, Answer::Sysctl(vec![set.clone()]));
        assert_eq!(node.containerd().unwrap().run().handlers, None, "a process keeps what it has");
        act(&mut node, Op::Systemctl(Verb::Restart));
        assert_eq!(handlers(&node).unwrap(), ["runc"]);
        let said = act(&mut node, Op::Sysctl(Sysctl::System));
        assert_eq!(said, Answer::Sysctl(vec![SysctlLine::Applying(path.into()), set]));

        act(&mut node, Op::Reboot);
        assert_eq!(act(&mut node, sandbox("web", None)), Answer::Down);
        act(&mut node, Op::Wait { ms: 60_000 });
        assert_eq!(handlers(&node).unwrap(), ["runc"], "the file survives a restart of the node");
    }
}

#[test]
fn a_setting_that_is_only_in_memory_is_lost_with_it() {
    let mut node = node(Version::named("1.7.27").unwrap(), Restart::Always).with_inotify_used(128);
    act(&mut node, Op::Sysctl(Sysctl::Set { setting: "fs.inotify.max_user_instances=8192".into() }));
    act(&mut node, Op::Systemctl(Verb::Start));
    assert_eq!(handlers(&node).unwrap(), ["runc"]);
    act(&mut node, Op::Reboot);
    act(&mut node, Op::Wait { ms: 60_000 });
    assert_eq!(handlers(&node), Some(Vec::new()));
    let said = act(&mut node, Op::Sysctl(Sysctl::Set { setting: "vm.swappiness=1".into() }));
    assert_eq!(said, Answer::Sysctl(vec![SysctlLine::NotSimulated("vm.swappiness".into())]));
}

#[test]
fn a_restart_of_the_node_loads_what_is_written_and_ends_sandboxes() {
    let mut node = node(Version::named("2.2.5").unwrap(), Restart::OnFailure);
    act(&mut node, Op::Edit(FileEdit::MakeFolder("/run".into())));
    act(&mut node, Op::Edit(FileEdit::write("/run/x", "")));
    act(&mut node, Op::Systemctl(Verb::Start));
    act(&mut node, sandbox("web", None));
    act(&mut node, Op::Edit(FileEdit::write(crate::MAIN, format!("{RUNC}{NVIDIA}"))));
    act(&mut node, Op::Reboot);
    assert_eq!(node.dial(), Err("no such file or directory"));
    act(&mut node, Op::Wait { ms: 60_000 });
    assert_eq!(handlers(&node).unwrap(), ["nvidia", "runc"]);
    assert!(!node.sandboxes()[0].is_ready());
    assert!(!node.files().exists("/run/x") && node.files().exists("/run"));
}
