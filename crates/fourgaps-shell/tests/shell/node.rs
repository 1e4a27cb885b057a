//! A world of one node, with the programs of a lab.

use crate::term::{Answer, Term};
use fourgaps_base::FileTree;
use fourgaps_cluster::{CONTROL, NodeSpec, World};
use fourgaps_node::{Restart, Supervisor};
use fourgaps_shell::{Machines, commands};

/// The file of a node with the handler runc alone, and what adds another one.
pub const RUNC: &str = "version = 2\n[plugins.\"io.containerd.grpc.v1.cri\".containerd.runtimes.runc]\n  \
                        runtime_type = \"io.containerd.runc.v2\"\n";
pub const NVIDIA: &str = "[plugins.\"io.containerd.grpc.v1.cri\".containerd.runtimes.nvidia]\n  \
                          runtime_type = \"io.containerd.runc.v2\"\n";

impl Term<Machines> {
    /// The node omen with these files, and a login on it.
    pub fn omen(version: &str, supervisor: Supervisor, mut files: FileTree) -> Self {
        for folder in ["/root", "/tmp", "/etc/containerd/conf.d"] {
            files.make_folder(folder);
        }
        let spec = NodeSpec {
            name: "omen".into(),
            containerd: version.into(),
            supervisor,
            gpus: Vec::new(),
            inotify_used: 20,
        };
        let mut control = FileTree::new();
        control.make_folder("/root");
        let world = World::start(vec![(spec, files)], control, Vec::new());
        let mut term = Self::over(Machines::new(world), commands(), "omen");
        assert!(term.shell.open("control", CONTROL));
        term
    }

    /// The same with runc alone, looked after as containerd's own unit does.
    pub fn plain(version: &str) -> Self {
        let mut files = FileTree::new();
        files.write("/etc/containerd/config.toml", RUNC);
        Self::omen(version, Supervisor::Systemd(Restart::Always), files)
    }

    /// Writes a file of the node.
    pub fn write(&mut self, path: &str, text: &str) {
        let edit = fourgaps_base::FileEdit::write(path, text);
        fourgaps_shell::World::edit(&mut *self.world.lock().unwrap(), "omen", edit).unwrap();
    }

    /// The containerd process of the node.
    pub fn pid(&self) -> Option<u32> {
        Some(self.world.lock().unwrap().node("omen")?.containerd()?.pid)
    }

    /// What a line prints where all goes well.
    #[track_caller]
    pub fn out(&mut self, line: &str) -> String {
        let Answer { out, err, status, .. } = self.run(line);
        assert_eq!((err.as_str(), status), ("", 0), "{line}\n{out}");
        out
    }

    /// Types a line and compares its output, its errors and its status.
    #[track_caller]
    pub fn check(&mut self, line: &str, out: &str, err: &str, status: i32) {
        let answer = self.run(line);
        assert_eq!((answer.out.as_str(), answer.err.as_str(), answer.status), (out, err, status), "{line}");
    }
}

#[test]
fn time_goes_on_to_what_happens_next() {
    let mut term = Term::plain("1.7.27");
    let nothing = term.run("next-event");
    assert_eq!((nothing.err.as_str(), nothing.status), ("next-event: nothing happened within a day\n", 1));
    // The unit starts it again after five seconds.
    term.out("kill -HUP $(pidof containerd)");
    assert_eq!(term.pid(), None);
    assert_eq!(term.out("next-event"), "something happened after 5.000 s\n");
    assert!(term.pid().is_some());
}

#[test]
fn a_machine_has_the_programs_that_run_there() {
    let mut term = Term::plain("1.7.27");
    term.check(
        "type containerd systemctl",
        "containerd is /usr/bin/containerd\nsystemctl is /usr/bin/systemctl\n",
        "",
        0,
    );
    term.check(
        "which sysctl kubectl ctr crictl",
        "/usr/sbin/sysctl\n/usr/bin/kubectl\n/usr/bin/ctr\n/usr/bin/crictl\n",
        "",
        0,
    );
    term.check("/usr/bin/containerd --version | cut -d' ' -f1", "containerd\n", "", 0);
    let answer =
        term.run_in("control", "command -v containerd crictl kubectl; which containerd; type containerd");
    assert_eq!(answer.out, "/usr/bin/kubectl\n");
    assert_eq!((answer.err.as_str(), answer.status), ("bash: type: containerd: not found\n", 1));
}

#[test]
fn ps_tells_of_processes_that_are_named() {
    let mut term = Term::plain("1.7.27");
    let pid = term.pid().unwrap();
    term.out("sleep 1d; sleep 3661");
    term.check(
        &format!("ps -p {pid} -o pid,comm,args"),
        &format!("    PID COMMAND         COMMAND\n{pid:7} containerd      /usr/bin/containerd\n"),
        "",
        0,
    );
    term.check(
        "ps -C containerd -o lstart=,etime=,etimes=",
        "Mon Mar  2 00:00:00 2026  1-01:01:01   90061\n",
        "",
        0,
    );
    term.check(
        &format!("ps -o user,uid,cmd=X --no-headers -p {pid}"),
        "root         0 /usr/bin/containerd\n",
        "",
        0,
    );
    term.check("kill -HUP $(pidof containerd); sleep 60; ps -C containerd -o etime=", "      00:55\n", "", 0);
    term.check(&format!("ps -p {pid} -o pid"), "    PID\n", "", 1);
    for line in [
        "ps",
        "ps aux",
        "ps -ef",
        "ps -e -o pid",
        "ps -p 1 -o comm",
        "ps -C kubelet -o pid",
        "ps -o rss -C containerd",
        "ps -C containerd",
    ] {
        let answer = term.run(line);
        assert!(answer.err.contains("not simulated in this lab"), "{line}: {answer:?}");
        assert_eq!((answer.out.as_str(), answer.status), ("", 2), "{line}");
    }
}

/// No tree of files has the devices, and every machine has.
#[test]
fn what_goes_to_the_null_device_is_gone() {
    let mut term = Term::plain("1.7.27");
    for line in [
        "echo x | tee /dev/null",
        "awk 'BEGIN { print \"y\" > \"/dev/null\"; print \"x\" }'",
        "echo y > /dev/null; echo x",
        "echo y >> /dev/null; cat /dev/null; echo x",
        "cp /dev/null f; cat f; echo x",
        "[ -d /dev ] && [ -e /dev/null ] && [ ! -s /dev/null ] && echo x",
        "cd /dev; cd - > null 2> /dev/null; cd; echo x",
    ] {
        term.check(line, "x\n", "", 0);
    }
}
