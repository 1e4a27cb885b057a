//! The toolkit's releases, signals, restarts and ends, beyond what was recorded of 1.18.1.
//! Source of what is expected: the public repository's own tests of these releases, and `../shared/facts`.

use crate::{
    Answer, Astray, End, K3S_CONFIG, MAIN, Node, Noticed, Op, Options, Phase, Release, Restart, Signal,
    Supervisor, Verb,
};
use fourgaps_base::{FileEdit, FileTree, Files};
use fourgaps_config::Version;

const DROP_IN: &str = "/etc/containerd/conf.d/99-nvidia.toml";
const V2: &str = "version = 2\n[plugins.\"io.containerd.grpc.v1.cri\".containerd.runtimes.runc]\n  \
                  runtime_type = \"io.containerd.runc.v2\"\n";

fn node(version: &str, supervisor: Supervisor, main: Option<&str>) -> Node {
    let mut files = FileTree::new();
    if let Some(text) = main {
        files.write(if supervisor == Supervisor::K3s { K3S_CONFIG } else { MAIN }, text);
    }
    let mut node = Node::new("omen", Version::named(version).unwrap(), supervisor, files, 3);
    match supervisor {
        Supervisor::None => node.act(&Op::Start { sighup_ignored: false }),
        _ => node.act(&Op::Systemctl(Verb::Start)),
    };
    node
}

fn by_systemd(main: Option<&str>) -> Node {
    node("1.7.27", Supervisor::Systemd(Restart::Always), main)
}

fn options(release: &str, flags: &str) -> Box<Options> {
    let flags = flags.split_whitespace();
    Box::new(Options::new(Release::named(release).unwrap()).with_flags(flags).unwrap())
}

/// Runs the toolkit for so long.
fn run(node: &mut Node, release: &str, flags: &str, ms: u64) -> u32 {
    run_astray(node, release, flags, Astray::default(), ms)
}

fn run_astray(node: &mut Node, release: &str, flags: &str, astray: Astray, ms: u64) -> u32 {
    let wish = Op::Toolkit { options: options(release, flags), astray, in_pod: false };
    let Answer::Started { pid } = node.act(&wish).answer else { panic!("it starts") };
    node.act(&Op::Wait { ms });
    pid
}

fn signal(node: &mut Node, pid: u32, signal: Signal, ms: u64) {
    node.act(&Op::Signal { pid, signal });
    node.act(&Op::Wait { ms });
}

fn log(node: &Node, pid: u32) -> String {
    let toolkit = node.toolkit_of(pid).unwrap();
    toolkit.log.iter().map(|(_, line)| format!("{line}\n")).collect()
}

fn phase(node: &Node, pid: u32) -> Phase {
    node.toolkit_of(pid).unwrap().phase
}

fn end(node: &Node, pid: u32) -> Option<End> {
    match phase(node, pid) {
        Phase::Ended { end, .. } => Some(end),
        _ => None,
    }
}

fn text<'n>(node: &'n Node, path: &str) -> Option<std::borrow::Cow<'n, str>> {
    node.files().text(path)
}

fn loaded(node: &Node) -> Vec<String> {
    let handlers = node.containerd().and_then(|process| process.run().handlers.as_ref());
    handlers.into_iter().flatten().map(|handler| handler.name.clone()).collect()
}

#[test]
fn before_1_18_the_main_file_is_edited_and_an_emptied_one_removed() {
    for release in ["1.14.6", "1.15.0", "1.16.2"] {
        let mut node = by_systemd(None);
        let pid = run(&mut node, release, "", 10_000);
        assert_eq!(phase(&node, pid), Phase::Waiting, "{}", log(&node, pid));
        assert!(text(&node, MAIN).unwrap().starts_with("version = 2\n\n[plugins]\n"));
        assert_eq!(text(&node, DROP_IN), None);
        let infers = log(&node, pid).contains("could not infer options from runtimes [runc");
        assert_eq!(infers, release == "1.16.2", "only 1.16 says so");
        signal(&mut node, pid, Signal::Term, 10_000);
        assert_eq!(end(&node, pid), Some(End::Exited(0)));
        assert_eq!(text(&node, MAIN), None);
        assert!(log(&node, pid).contains("level=info msg=\"Config file is empty, removed\""));
    }
}

#[test]
fn from_1_17_a_dump_is_written_back_flat() {
    let mut node = by_systemd(Some(V2));
    let pid = run(&mut node, "1.17.8", "", 10_000);
    let written = text(&node, MAIN).unwrap().into_owned();
    assert!(written.contains("oom_score = 0\n"), "what nobody wrote is written now");
    assert!(written.contains("default_runtime_name = \"nvidia\""));
    assert_eq!(loaded(&node), ["nvidia", "nvidia-cdi", "nvidia-legacy", "runc"]);
    signal(&mut node, pid, Signal::Term, 10_000);
    assert_eq!(loaded(&node), ["runc"]);
    assert!(!text(&node, MAIN).unwrap().contains("nvidia"));
    assert!(text(&node, MAIN).unwrap().contains("oom_score = 0\n"), "and stays");
}

#[test]
fn old_releases_refuse_new_versions_of_the_configuration() {
    for (containerd, release, known) in
        [("2.1.4", "1.17.3", false), ("2.1.4", "1.17.4", true), ("2.1.4", "1.16.2", true)]
    {
        let mut node = node(containerd, Supervisor::Systemd(Restart::Always), Some(V2));
        let pid = run(&mut node, release, "", 10_000);
        assert_eq!(phase(&node, pid) == Phase::Waiting, known, "{release}: {}", log(&node, pid));
        if !known {
            let words = "unable to load containerd config: unsupported config version: 3\"";
            assert!(log(&node, pid).contains(words), "{}", log(&node, pid));
            assert_eq!(end(&node, pid), Some(End::Exited(1)));
            assert_eq!(text(&node, MAIN).unwrap(), V2);
        }
    }
}

#[test]
fn the_first_release_with_a_drop_in_loses_imports() {
    let main = format!("imports = [\"/etc/containerd/own.d/*.toml\"]\n{V2}");
    for (release, imports) in [
        ("1.18.0", "imports = [\"/etc/containerd/config.d/*.toml\"]"),
        ("1.18.1", "imports = [\"/etc/containerd/own.d/*.toml\", \"/etc/containerd/conf.d/*.toml\"]"),
        ("1.20.0", "imports = [\"/etc/containerd/own.d/*.toml\", \"/etc/containerd/conf.d/*.toml\"]"),
    ] {
        let mut node = by_systemd(Some(&main));
        run(&mut node, release, "", 10_000);
        assert_eq!(text(&node, MAIN).unwrap().lines().next(), Some(imports));
        assert_eq!(loaded(&node), ["nvidia", "nvidia-cdi", "nvidia-legacy", "runc"]);
    }
}

#[test]
fn only_1_20_mends_an_empty_type() {
    let main = "version = 2\n[plugins.\"io.containerd.grpc.v1.cri\".containerd.runtimes.runc.options]\n\
                SystemdCgroup = true\n";
    for (release, ty) in [("1.19.1", None), ("1.20.0", Some("io.containerd.runc.v2"))] {
        let mut node = by_systemd(Some(main));
        run(&mut node, release, "--config-source=file", 10_000);
        let written = text(&node, DROP_IN).unwrap().into_owned();
        assert!(written.contains("SystemdCgroup = true\n"));
        assert_eq!(ty.is_some(), written.contains("runtime_type = \"io.containerd.runc.v2\""), "{written}");
    }
}

#[test]
fn a_signal_before_the_wait_ends_it_and_cleans_nothing() {
    let mut node = by_systemd(Some(V2));
    let pid = run(&mut node, "1.18.1", "", 500);
    assert!(matches!(phase(&node, pid), Phase::Installing { .. }));
    signal(&mut node, pid, Signal::Term, 10_000);
    assert_eq!(end(&node, pid), Some(End::Exited(0)));
    assert!(
        log(&node, pid)
            .ends_with("msg=\"Signal received, exiting early\"\nlevel=info msg=\"Shutting Down\"\n")
    );
    assert_eq!(text(&node, MAIN).unwrap(), V2);
    assert!(!node.files().exists("/usr/local/nvidia/toolkit/nvidia-container-runtime"), "half installed");
}

#[test]
fn sigkill_cleans_nothing_and_a_new_run_writes_anew() {
    let mut node = by_systemd(Some(V2));
    let pid = run(&mut node, "1.18.1", "", 10_000);
    signal(&mut node, pid, Signal::Kill, 10_000);
    assert_eq!(end(&node, pid), Some(End::Killed(Signal::Kill)));
    assert!(text(&node, DROP_IN).is_some());
    assert!(node.files().exists("/run/nvidia/toolkit/toolkit.pid"));
    node.act(&Op::Edit(FileEdit::write(DROP_IN, "version = 2\n")));
    let pid = run(&mut node, "1.18.1", "", 10_000);
    assert_eq!(phase(&node, pid), Phase::Waiting);
    assert!(text(&node, DROP_IN).unwrap().contains("runtimes.nvidia"));
    assert_eq!(node.toolkits().len(), 1);
}

#[test]
fn a_second_instance_finds_the_lock_taken() {
    let mut node = by_systemd(Some(V2));
    let first = run(&mut node, "1.18.1", "", 10_000);
    let second = run(&mut node, "1.18.1", "", 10_000);
    assert_eq!((phase(&node, first), end(&node, second)), (Phase::Waiting, Some(End::Exited(1))));
    assert!(log(&node, second).contains("Unable to get exclusive lock on '/run/nvidia/toolkit/toolkit.pid'"));
}

#[test]
fn a_daemon_that_is_down_is_tried_six_times() {
    let mut node = node("1.7.27", Supervisor::None, Some(V2));
    let containerd = node.containerd().unwrap().pid;
    node.act(&Op::Signal { pid: containerd, signal: Signal::Kill });
    let pid = run(&mut node, "1.18.1", "--host-root=", 25_000);
    assert!(matches!(phase(&node, pid), Phase::Signalling { tries: 5, .. }));
    node.act(&Op::Wait { ms: 1_000 });
    assert_eq!(end(&node, pid), Some(End::Exited(1)));
    let said = log(&node, pid);
    assert_eq!(said.matches("connect: connection refused").count(), 6, "{said}");
    assert!(said.contains("attempt 5/6") && said.contains("Max retries reached 6/6, aborting"));
    assert!(text(&node, DROP_IN).is_some(), "nothing is rolled back");

    let pid = run(&mut node, "1.18.1", "", 7_000);
    node.act(&Op::Start { sighup_ignored: true });
    node.act(&Op::Wait { ms: 5_000 });
    assert_eq!(phase(&node, pid), Phase::Waiting);
}

#[test]
fn modes_of_restarting() {
    for (mode, restarts) in [("systemd", true), ("none", false), ("signal", true)] {
        let mut node = by_systemd(Some(V2));
        let before = node.containerd().unwrap().pid;
        let pid = run(&mut node, "1.18.1", &format!("--restart-mode={mode}"), 10_000);
        assert_eq!(phase(&node, pid), Phase::Waiting);
        assert_eq!(node.containerd().unwrap().pid != before, restarts, "{mode}");
        assert_eq!(loaded(&node).contains(&"nvidia".to_string()), restarts, "{mode}");
    }
    for (mut node, status) in [
        (node("1.7.27", Supervisor::None, Some(V2)), 5),
        (by_systemd(Some("version = 2\nroot = '/run'\nstate = '/run'\n")), 1),
    ] {
        let pid = run(&mut node, "1.18.1", "--restart-mode=systemd --config-source=file", 10_000);
        assert!(
            log(&node, pid).contains(&format!("using systemd: exit status {status}")),
            "{}",
            log(&node, pid)
        );
        assert_eq!(end(&node, pid), Some(End::Exited(1)));
    }
    let mut node = by_systemd(Some(V2));
    let pid = run(&mut node, "1.18.1", "--restart-mode=kick", 10_000);
    assert!(log(&node, pid).contains("unable to restart containerd: invalid restart mode specified: kick"));
    assert_eq!(end(&node, pid), Some(End::Exited(1)));
}

#[test]
fn a_signal_that_hits_the_toolkit_leaves_containerd_alone() {
    for (noticed, success, cleaned) in [
        (Noticed::AtOnce, false, false),
        (Noticed::AfterSuccess, true, false),
        (Noticed::Waiting, true, true),
    ] {
        let mut node = by_systemd(Some(V2));
        let astray = Astray { setup: Some(noticed), cleanup: true };
        let pid = run_astray(&mut node, "1.18.1", "", astray, 10_000);
        assert_eq!(end(&node, pid), Some(End::Exited(0)));
        assert_eq!(log(&node, pid).contains("Successfully signaled containerd"), success);
        assert_eq!(text(&node, DROP_IN).is_none(), cleaned);
        assert_eq!(loaded(&node), ["runc"]);
        assert_eq!(node.unit().n_restarts, 0);
    }
}

#[test]
fn without_a_daemon_nothing_is_cleaned() {
    let mut node = by_systemd(Some(V2));
    let pid = run(&mut node, "1.18.1", "--no-daemon", 10_000);
    assert_eq!(end(&node, pid), Some(End::Exited(0)));
    assert!(log(&node, pid).ends_with("msg=\"Completed nvidia-ctk-installer\"\n"));
    assert!(text(&node, DROP_IN).is_some());
}

#[test]
fn the_entrypoint_waits_for_the_driver_and_five_seconds_more() {
    let mut node = by_systemd(Some(V2));
    let env = [("RUNTIME", "containerd"), ("CONTAINERD_RUNTIME_CLASS", "gpu"), ("CDI_ENABLED", "true")];
    let env: Vec<(String, String)> = env.iter().map(|(k, v)| ((*k).into(), (*v).into())).collect();
    let options = Box::new(Options::new(Release(1, 18, 1)).with_env(&env).unwrap());
    node.act(&Op::Toolkit { options, astray: Astray::default(), in_pod: true });
    node.act(&Op::Wait { ms: 12_000 });
    let pid = node.toolkits()[0].pid;
    assert_eq!(log(&node, pid).matches("waiting for the driver validations to be ready...\n").count(), 3);
    for folder in ["/run", "/run/nvidia", "/run/nvidia/validations"] {
        node.act(&Op::Edit(FileEdit::MakeFolder(folder.into())));
    }
    node.act(&Op::Edit(FileEdit::write("/run/nvidia/validations/driver-ready", "")));
    node.act(&Op::Wait { ms: 3_000 });
    assert_eq!(phase(&node, pid), Phase::Settling { until_ms: 20_000 });
    node.act(&Op::Wait { ms: 6_000 });
    assert_eq!(phase(&node, pid), Phase::Waiting);
    let written = text(&node, DROP_IN).unwrap();
    assert!(written.contains("runtimes.gpu]") && written.contains("enable_cdi = true"), "{written}");
}

#[test]
fn the_operators_pod_sees_the_node_through_its_mounts() {
    let mut node = by_systemd(Some(V2));
    let env = [
        ("CONTAINERD_CONFIG", "/runtime/config-dir/config.toml"),
        ("RUNTIME_DROP_IN_CONFIG", "/runtime/config-dir.d/99-nvidia.toml"),
        ("RUNTIME_DROP_IN_CONFIG_HOST_PATH", "/etc/containerd/conf.d/99-nvidia.toml"),
        ("CONTAINERD_SOCKET", "/runtime/sock-dir/containerd.sock"),
        ("RUNTIME_CONFIG_SOURCE", "file=/host/etc/containerd/config.toml"),
    ];
    let env: Vec<(String, String)> = env.iter().map(|(k, v)| ((*k).into(), (*v).into())).collect();
    let options = Options::new(Release(1, 18, 1)).with_env(&env).unwrap().mounted(Options::OPERATOR_MOUNTS);
    node.act(&Op::Toolkit { options: Box::new(options), astray: Astray::default(), in_pod: false });
    node.act(&Op::Wait { ms: 10_000 });
    let pid = node.toolkits()[0].pid;
    assert_eq!(phase(&node, pid), Phase::Waiting, "{}", log(&node, pid));
    assert!(log(&node, pid).contains("Flushing config to /runtime/config-dir.d/99-nvidia.toml"));
    assert!(text(&node, MAIN).unwrap().starts_with("imports = [\"/etc/containerd/conf.d/*.toml\"]\n"));
    assert!(text(&node, DROP_IN).unwrap().contains("runtimes.nvidia]"));
    assert!(!node.files().exists("/runtime"));
    signal(&mut node, pid, Signal::Term, 10_000);
    assert_eq!(text(&node, DROP_IN), None);
}

#[test]
fn k3s_ends_with_its_containerd_and_writes_the_file_anew() {
    let mut node = node("1.7.27", Supervisor::K3s, Some(V2));
    let flags = format!("--config={K3S_CONFIG} --socket=/run/k3s/containerd/containerd.sock");
    let pid = run(&mut node, "1.18.1", &flags, 10_000);
    assert_eq!(phase(&node, pid), Phase::Waiting, "{}", log(&node, pid));
    assert_eq!(node.unit().n_restarts, 1);
    assert_eq!(text(&node, K3S_CONFIG).unwrap(), V2, "the import is lost");
    assert_eq!(loaded(&node), ["runc"]);
    let template = format!("imports = [\"/etc/containerd/conf.d/*.toml\"]\n{}", "{{ template \"base\" . }}");
    node.act(&Op::Edit(FileEdit::write(format!("{K3S_CONFIG}.tmpl"), template)));
    assert_eq!(node.next_start().handlers.len(), 4);
    node.act(&Op::Systemctl(Verb::Restart));
    assert_eq!(loaded(&node).len(), 4);
}

#[test]
fn odd_values_end_it_without_words() {
    let mut node = by_systemd(Some(V2));
    node.act(&Op::Edit(FileEdit::write(MAIN, "version = 2\n[plugins]\n\"io.containerd.grpc.v1.cri\" = 5\n")));
    let pid = run(&mut node, "1.18.1", "--config-source=file", 10_000);
    assert_eq!(end(&node, pid), Some(End::Exited(2)));
}
