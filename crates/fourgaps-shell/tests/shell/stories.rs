//! What happens to a node, told by the commands that a person types.

use crate::node::{NVIDIA, RUNC};
use crate::term::Term;
use fourgaps_base::FileTree;
use fourgaps_node::{Restart, Supervisor};

const VERSIONS: [&str; 6] = ["1.6.36", "1.7.27", "2.0.5", "2.1.4", "2.2.5", "2.3.4"];
const POD: &str = r#"{"metadata": {"name": "gputest", "namespace": "gpu-operator", "uid": "u1"}}"#;
const CONFIG: &str = "/etc/containerd/config.toml";

/// The names of the handlers that `crictl info` tells.
const HANDLERS: &str = "crictl info | jq -r '.config.containerd.runtimes | keys | join(\" \")'";

#[test]
fn a_written_handler_is_in_force_after_a_start_only() {
    for version in VERSIONS {
        let mut term = Term::plain(version);
        term.write("/root/pod.json", POD);
        let first = term.pid().unwrap();
        term.write(CONFIG, &format!("{RUNC}{NVIDIA}"));
        assert_eq!(term.out("systemctl is-active containerd"), "active\n");
        assert_eq!(term.out(HANDLERS), "runc\n", "{version}");
        let refused = term.run("crictl runp -r nvidia pod.json");
        assert_eq!((refused.out.as_str(), refused.status), ("", 1));
        assert!(refused.err.contains("no runtime for \\\"nvidia\\\" is configured"), "{}", refused.err);
        term.out("sleep 5; systemctl restart containerd");
        assert_ne!(term.pid().unwrap(), first);
        assert_eq!(term.out(HANDLERS), "nvidia runc\n", "{version}");
        let id = term.out("crictl runp -r nvidia pod.json");
        assert_eq!(term.out("crictl pods -q"), id);
        assert_eq!(term.out("crictl pods --name gpu -q; crictl pods --name ^web -q"), id);
        // The handler goes away, the sandbox stays.
        term.write(CONFIG, RUNC);
        term.out("systemctl restart containerd");
        assert_eq!(term.out(HANDLERS), "runc\n");
        assert_eq!(term.out(&format!("crictl pods -q --id {}", &id[..6])), id);
        assert!(
            term.out(&format!("crictl inspectp {}", &id[..13])).contains("\"runtimeHandler\": \"nvidia\"")
        );
    }
}

#[test]
fn the_journal_tells_of_a_restart() {
    let mut term = Term::plain("1.7.27");
    let first = term.pid().unwrap();
    term.out("sleep 5; systemctl restart containerd");
    let second = term.pid().unwrap();
    let lines = term.out("journalctl -u containerd --no-pager | grep 'systemd\\['");
    let lines: Vec<&str> = lines.lines().collect();
    assert_eq!(
        lines,
        [
            "Mar 02 00:00:00 omen systemd[1]: Starting containerd.service - containerd container runtime...",
            "Mar 02 00:00:00 omen systemd[1]: Started containerd.service - containerd container runtime.",
            "Mar 02 00:00:05 omen systemd[1]: Stopping containerd.service - containerd container runtime...",
            "Mar 02 00:00:05 omen systemd[1]: containerd.service: Deactivated successfully.",
            "Mar 02 00:00:05 omen systemd[1]: Stopped containerd.service - containerd container runtime.",
            "Mar 02 00:00:05 omen systemd[1]: Starting containerd.service - containerd container runtime...",
            "Mar 02 00:00:05 omen systemd[1]: Started containerd.service - containerd container runtime.",
        ]
    );
    let booted = "level=info msg=\"containerd successfully booted in 0.417476s\"";
    let line = format!("omen containerd[{second}]: time=\"2026-03-02T00:00:05.000000000Z\" {booted}\n");
    assert_eq!(
        term.out("journalctl -u containerd --since 00:00:01 | grep 'successfully booted'"),
        format!("Mar 02 00:00:05 {line}")
    );
    let newest = term.out("journalctl -u containerd.service -o short-iso -rg 'successfully booted' -n1");
    assert_eq!(newest, format!("2026-03-02T00:00:05+0000 {line}"));
    // Capitals in a pattern count.
    term.check("journalctl -u containerd -g Booted", "-- No entries --\n", "", 1);
    let both = term.out("journalctl -u containerd -o short-iso | grep -o 'containerd.[0-9]*.: .*booted'");
    let pids: Vec<bool> = both.lines().map(|line| line.contains(&first.to_string())).collect();
    assert_eq!(pids, [true, false]);
    assert_eq!(term.out("journalctl -u containerd -n 2 -o cat | wc -l"), "2\n");
    term.check("journalctl -u containerd -g nothing-like-it", "-- No entries --\n", "", 1);
    term.check("journalctl -u containerd --since tomorrow", "-- No entries --\n", "", 0);
}

#[test]
fn a_journal_is_followed_until_nothing_comes() {
    let mut term = Term::plain("1.7.27");
    term.out("kill -9 $(pidof containerd)");
    let answer = term.run("journalctl -fu containerd -o cat -n 2; echo $? at $(date +%T)");
    let lines: Vec<&str> = answer.out.lines().collect();
    assert_eq!(
        lines[..2],
        [
            "containerd.service: Main process exited, code=killed, status=9/KILL",
            "containerd.service: Failed with result 'signal'.",
        ]
    );
    assert_eq!(lines[2], "containerd.service: Scheduled restart job, restart counter is at 1.");
    assert_eq!(lines[lines.len() - 2], "Started containerd.service - containerd container runtime.");
    assert_eq!(lines.last(), Some(&"130 at 00:10:05"));
    assert_eq!(answer.err, "journalctl: nothing happens for ten minutes; stopped as by Ctrl+C\n");
    assert_eq!(term.run("journalctl -fu containerd -r").status, 2);
}

#[test]
fn a_signal_kills_and_systemd_starts_again() {
    let mut term = Term::plain("2.2.5");
    let first = term.pid().unwrap();
    assert_eq!(
        term.out("pidof containerd; pgrep containerd; pgrep -x containerd"),
        format!("{first}\n").repeat(3)
    );
    term.write(CONFIG, &format!("{RUNC}{NVIDIA}"));
    term.out("sleep 60; kill -HUP $(pidof containerd)");
    term.check("systemctl is-active containerd", "activating\n", "", 3);
    let status = term.run("systemctl status containerd --no-pager");
    assert_eq!(status.status, 3);
    let head = format!(
        "● containerd.service - containerd container runtime\n     \
         Loaded: loaded (/lib/systemd/system/containerd.service; enabled; preset: enabled)\n     \
         Active: activating (auto-restart) since Mon 2026-03-02 00:00:00 UTC; 1min 0s ago\n       \
         Docs: https://containerd.io\n    \
         Process: {first} ExecStart=/usr/bin/containerd (code=killed, signal=HUP)\n   \
         Main PID: {first} (code=killed, signal=HUP)\n\n"
    );
    assert!(status.out.starts_with(&head), "{}", status.out);
    let refused = term.run("crictl pods");
    assert!(refused.err.contains("connect: connection refused"), "{}", refused.err);
    term.out("sleep 5");
    let second = term.pid().unwrap();
    assert_eq!(term.out(HANDLERS), "nvidia runc\n");
    assert_eq!(
        term.out("systemctl show -p NRestarts -p MainPID --property=ActiveState,SubState containerd"),
        format!("MainPID={second}\nNRestarts=1\nActiveState=active\nSubState=running\n")
    );
    assert_eq!(term.out("systemctl show -P MainPID containerd"), format!("{second}\n"));
    let status = term.out("systemctl status containerd -n 1");
    assert!(status.contains("Active: active (running) since Mon 2026-03-02 00:01:05 UTC; now\n"), "{status}");
    assert!(status.contains(&format!(
        "     CGroup: /system.slice/containerd.service\n             └─{second} /usr/bin/containerd\n\nMar 02"
    )));
    assert_eq!(status.lines().count(), 9);
    term.check(&format!("kill -9 {first}"), "", &format!("bash: kill: ({first}) - No such process\n"), 1);
    term.out("pkill -KILL -x containerd; sleep 1");
    let status = term.run("systemctl status containerd");
    assert!(
        status.out.contains("Active: activating (auto-restart) (Result: signal) since"),
        "{}",
        status.out
    );
    assert_eq!(
        term.out("journalctl -u containerd -o cat -n 2"),
        "containerd.service: Main process exited, code=killed, status=9/KILL\n\
         containerd.service: Failed with result 'signal'.\n"
    );
}

#[test]
fn a_start_that_fails_says_where_to_look() {
    let mut term = Term::plain("1.7.27");
    term.write(CONFIG, "version = ");
    let failed = "Job for containerd.service failed because the control process exited with error code.\n\
                  See \"systemctl status containerd.service\" and \"journalctl -xeu containerd.service\" for details.\n";
    term.check("systemctl restart containerd", "", failed, 1);
    let why = term.out("journalctl -u containerd -o cat | grep ^containerd: ");
    assert!(why.starts_with("containerd: failed to load TOML"), "{why}");
    assert_eq!(
        term.out("journalctl -u containerd -o cat -n 1"),
        "Failed to start containerd.service - containerd container runtime.\n"
    );
    // systemd goes on trying; five tries in ten seconds are the most.
    for _ in 0..3 {
        term.check("systemctl restart containerd", "", failed, 1);
    }
    let too_often = "Job for containerd.service failed because start of the service was attempted too often.\n\
                     See \"systemctl status containerd.service\" and \"journalctl -xeu containerd.service\" for details.\n\
                     To force a start use \"systemctl reset-failed containerd.service\"\n\
                     followed by \"systemctl start containerd.service\" again.\n";
    term.check("systemctl restart containerd", "", too_often, 1);
    term.check("systemctl is-failed containerd", "failed\n", "", 0);
    let status = term.run("systemctl status containerd -n0");
    assert_eq!(status.status, 3);
    assert!(status.out.starts_with("× containerd.service"), "{}", status.out);
    assert!(status.out.contains("Active: failed (Result: start-limit-hit) since"), "{}", status.out);
    assert!(status.out.contains("   Duration: 0\n"), "{}", status.out);
    term.write(CONFIG, RUNC);
    term.out("sleep 20; systemctl reset-failed containerd; systemctl start containerd");
    assert_eq!(term.out("systemctl is-active containerd"), "active\n");
}

#[test]
fn unknown_units_and_machines_are_answered_as_by_the_real_ones() {
    let mut term = Term::plain("2.1.4");
    term.check("systemctl status containrd", "", "Unit containrd.service could not be found.\n", 4);
    term.check("systemctl start x", "", "Failed to start x.service: Unit x.service not found.\n", 5);
    term.check("systemctl stop x", "", "Failed to stop x.service: Unit x.service not loaded.\n", 5);
    term.check("systemctl is-active x containerd", "inactive\nactive\n", "", 0);
    term.check("systemctl is-active -q x", "", "", 3);
    // What is refused is no answer, so that of the others does not stand.
    let answer = term.run("systemctl is-active containerd ssh");
    assert!(answer.err.ends_with("not simulated in this lab\n") && answer.status != 0, "{answer:?}");
    let reload = "Failed to reload containerd.service: Job type reload is not applicable for unit containerd.service.\n";
    term.check("systemctl reload containerd", "", reload, 3);
    let kubelet = term.run("systemctl status kubelet");
    assert_eq!(
        (kubelet.err.as_str(), kubelet.status),
        ("systemctl: status kubelet: not simulated in this lab\n", 2)
    );
    for program in ["containerd", "crictl", "ctr", "nvidia-ctk"] {
        let answer = term.run_in("control", &format!("{program} --version"));
        assert_eq!((answer.err, answer.status), (format!("bash: {program}: command not found\n"), 127));
    }
    let answer = term.run_in("control", "ssh omen 'systemctl is-active containerd'");
    assert_eq!(answer.out, "active\n");
}

#[test]
fn the_unit_is_that_of_whoever_looks_after_containerd() {
    let missing = "Failed to restart containerd.service: Unit containerd.service not found.\n";
    let mut files = FileTree::new();
    files.write(CONFIG, RUNC);
    let mut nobody = Term::omen("1.7.27", Supervisor::None, files.clone());
    nobody.check("systemctl restart containerd", "", missing, 5);
    nobody.check("journalctl -u containerd", "-- No entries --\n", "", 0);
    let pid = nobody.pid();
    nobody.out("kill -HUP $(pidof containerd)");
    assert_eq!(nobody.pid(), pid);
    files.write(fourgaps_node::K3S_CONFIG, RUNC);
    let mut k3s = Term::omen("1.7.27", Supervisor::K3s, files);
    k3s.check("systemctl restart containerd", "", missing, 5);
    let pid = k3s.pid();
    assert_eq!(k3s.out("systemctl restart k3s; systemctl is-active k3s"), "active\n");
    assert_ne!(k3s.pid(), pid);
}

#[test]
fn a_containerd_that_was_started_by_hand_ignores_sighup() {
    let mut files = FileTree::new();
    files.write(CONFIG, RUNC);
    let mut term = Term::omen("1.6.36", Supervisor::Systemd(Restart::No), files);
    term.out("systemctl stop containerd");
    term.check("pidof containerd", "", "", 1);
    let lines = term.out("journalctl -u containerd | wc -l");
    let started = term.run("nohup containerd &> /tmp/log &");
    assert_eq!(started.status, 0, "{}", started.shown);
    let pid = term.pid().unwrap();
    assert_eq!(term.out("grep -c 'successfully booted' /tmp/log"), "1\n");
    term.write(CONFIG, &format!("{RUNC}{NVIDIA}"));
    term.out("pkill -HUP -x containerd; sleep 10");
    assert_eq!(term.pid(), Some(pid));
    assert_eq!(term.out(HANDLERS), "runc\n");
    assert_eq!(term.out("journalctl -u containerd | wc -l"), lines);
    assert_eq!(term.run("systemctl is-active containerd").out, "inactive\n");
    assert_eq!(term.out("nohup echo a b"), "a b\n");
}

#[test]
fn the_toolkit_writes_and_restarts_nothing() {
    let mut term = Term::plain("2.2.5");
    let pid = term.pid();
    let line = "nvidia-ctk runtime configure --runtime=containerd --nvidia-set-as-default";
    let answer = term.run(line);
    assert_eq!((answer.out.as_str(), answer.status), ("", 0), "{}", answer.err);
    let last = "time=\"2026-03-02T00:00:00Z\" level=info msg=\"It is recommended that containerd daemon be restarted.\"\n";
    assert!(answer.err.ends_with(last), "{}", answer.err);
    assert_eq!(term.pid(), pid);
    assert_eq!(term.out(HANDLERS), "runc\n");
    assert!(term.out("containerd config dump").contains("nvidia-container-runtime"));
    let refused = term.run("nvidia-ctk runtime configure --runtime=docker");
    assert_eq!(
        (refused.err.as_str(), refused.status),
        ("nvidia-ctk: runtime configure --runtime=docker: not simulated in this lab\n", 2)
    );
}

#[test]
fn the_installer_writes_signals_waits_and_cleans_up() {
    let mut term = Term::plain("1.7.27");
    let line = "nvidia-ctk-installer --runtime=containerd --host-root=/";
    let answer = term.run(line);
    let last = "time=\"2026-03-02T00:00:01Z\" level=info msg=\"Waiting for signal\"\n";
    assert!(answer.err.ends_with(last) && answer.status == 0, "{}", answer.err);
    assert_eq!(term.run("systemctl is-active containerd").out, "activating\n");
    assert_eq!(term.out(&format!("sleep 5; {HANDLERS}")), "nvidia nvidia-cdi nvidia-legacy runc\n");
    let second = term.run(line);
    assert!(second.err.contains("unable to get flock on pidfile") && second.status == 1, "{}", second.err);
    term.out("kill $(cat /run/nvidia/toolkit/toolkit.pid); sleep 5");
    assert_eq!(term.out("ls /etc/containerd/conf.d | wc -l").trim(), "0");
    assert_eq!(term.out(HANDLERS), "runc\n");
    // Without a clean-up it ends by itself; without a restart nothing is in force.
    let line = format!("{line} --no-daemon --restart-mode=none");
    assert_eq!(term.run(&line).status, 0);
    assert_eq!(term.out(HANDLERS), "runc\n");
    assert!(term.out("containerd config dump").contains("nvidia-container-runtime"));
    let refused = term.run("nvidia-ctk-installer --runtime=containerd");
    assert_eq!(refused.err, "nvidia-ctk-installer: without --host-root=/: not simulated in this lab\n");
}

#[test]
fn files_have_the_time_of_the_world() {
    let mut term = Term::plain("1.7.27");
    term.out("sleep 3661; touch /tmp/a; echo b > /tmp/b");
    for file in ["a", "b"] {
        let line = format!("stat -c %y /tmp/{file}; ls -l /tmp/{file} | cut -c24-");
        let wanted = format!(
            "2026-03-02 01:01:01.000000000 +0000\n{} Mar  2 01:01 /tmp/{file}\n",
            if file == "a" { 0 } else { 2 }
        );
        assert_eq!(term.out(&line), wanted);
    }
    assert_eq!(
        term.out("sleep 60; find /tmp -newer /tmp/a -name c; touch /tmp/c; find /tmp -newer /tmp/a -name c"),
        "/tmp/c\n"
    );
}

#[test]
fn settings_of_the_kernel_decide_at_the_next_start_and_a_reboot_reads_them_again() {
    let mut term = Term::plain("1.7.27");
    assert_eq!(term.out("sysctl fs.inotify.max_user_instances"), "fs.inotify.max_user_instances = 128\n");
    assert_eq!(term.out("sysctl -w fs.inotify.max_user_instances=1"), "fs.inotify.max_user_instances = 1\n");
    assert_eq!(term.run("crictl version").status, 0);
    term.out("systemctl restart containerd");
    assert_eq!(term.out("systemctl is-active containerd"), "active\n");
    assert_eq!(term.run("crictl version").status, 1);
    assert!(term.out("journalctl -u containerd | grep -c 'too many open files'").starts_with('1'));
    let file = "sh -c 'printf \"fs.inotify.max_user_instances = 8192\\n\" > /etc/sysctl.d/99-inotify.conf'";
    term.out(&format!("mkdir -p /etc/sysctl.d; sudo {file}"));
    assert_eq!(term.out("sysctl -p /etc/sysctl.d/99-inotify.conf"), "fs.inotify.max_user_instances = 8192\n");
    assert_eq!(term.run("crictl version").status, 1);
    term.out("systemctl restart containerd");
    assert_eq!(term.run("crictl version").status, 0);
    term.check("sysctl -p /nosuch", "", "sysctl: cannot open \"/nosuch\": No such file or directory\n", 1);
    term.out("sysctl -q -w fs.inotify.max_user_instances=100; reboot");
    assert_eq!(term.out("sysctl -n fs.inotify.max_user_instances"), "8192\n");
    assert_eq!(term.out("systemctl is-active containerd"), "active\n");
    let boots = term.out("journalctl -u containerd | grep -c '^-- Boot'");
    assert_eq!(boots, "1\n");
    assert_eq!(
        term.out("journalctl -u containerd -b -o cat | head -1"),
        "Starting containerd.service - containerd container runtime...\n"
    );
    let before = term.out("journalctl -u containerd -b -1 -o cat | tail -1");
    assert_eq!(before, "Stopped containerd.service - containerd container runtime.\n");
}
