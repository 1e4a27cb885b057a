//! Whatever is typed behind a command, it answers: no panic, and what it does not know is refused in one line.

use crate::node::{NVIDIA, RUNC};
use crate::term::Term;
use fourgaps_base::FileTree;
use fourgaps_cluster::{NodeSpec, World};
use fourgaps_node::{Restart, Supervisor};
use fourgaps_shell::{Machines, commands};
use proptest::prelude::*;
use std::cell::RefCell;

/// Words that mean something to one of the commands.
const KNOWN: [&str; 72] = [
    "config",
    "dump",
    "default",
    "migrate",
    "--config",
    "-c",
    "/tmp/x.toml",
    "--version",
    "plugins",
    "ls",
    "version",
    "info",
    "pods",
    "ps",
    "images",
    "runp",
    "inspectp",
    "stopp",
    "rmp",
    "statsp",
    "-q",
    "-a",
    "-f",
    "-r",
    "nvidia",
    "/root/pod.json",
    "--name",
    "--namespace",
    "-n",
    "3",
    "0",
    "-1",
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
    "containerd",
    "containerd.service",
    "nosuch",
    "-p",
    "MainPID",
    "--value",
    "-s",
    "HUP",
    "-HUP",
    "-9",
    "-u",
    "-b",
    "-e",
    "-o",
    "short-iso",
    "--since",
    "-5min",
    "-g",
    "[",
    "-x",
    "1",
    "fs.inotify.max_user_instances=64",
    "--system",
    "runtime",
    "configure",
    "--runtime=containerd",
    "-w",
];

/// A line with a command's name and any words.
fn lines() -> impl Strategy<Value = String> {
    let names: Vec<String> = commands().iter().map(|command| command.name().to_string()).collect();
    let word = prop_oneof![
        4 => proptest::sample::select(&KNOWN[..]).prop_map(String::from),
        1 => "-{0,2}[a-z=0-9:./ ü-]{0,9}",
    ];
    (proptest::sample::select(names), proptest::collection::vec(word, 0..5)).prop_map(|(name, words)| {
        let quoted = words.iter().map(|word| format!(" '{word}'"));
        name + &quoted.collect::<String>()
    })
}

fn world() -> World {
    let mut files = FileTree::new();
    for folder in ["/root", "/tmp", "/run", "/etc/containerd"] {
        files.make_folder(folder);
    }
    files.write("/etc/containerd/config.toml", format!("{RUNC}{NVIDIA}"));
    files.write("/tmp/x.toml", "version = 2\n");
    files.write("/root/pod.json", r#"{"metadata": {"name": "a", "namespace": "b", "uid": "c"}}"#);
    let spec = NodeSpec {
        name: "omen".into(),
        containerd: "2.2.5".into(),
        supervisor: Supervisor::Systemd(Restart::OnFailure),
        gpus: Vec::new(),
        inotify_used: 0,
    };
    World::start(vec![(spec, files)], FileTree::new(), Vec::new())
}

#[test]
fn any_words_are_answered() {
    let start = world();
    let term = RefCell::new(Term::over(Machines::new(start.clone()), commands(), "omen"));
    let config = ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() };
    proptest!(config, |(lines in proptest::collection::vec(lines(), 1..4))| {
        let mut term = term.borrow_mut();
        term.world.lock().unwrap().world = start.clone();
        for line in &lines {
            let answer = term.run(line);
            prop_assert!((0..256).contains(&answer.status), "{line}: {}", answer.status);
            // A refusal is one line that names its command.
            let name = line.split(' ').next().unwrap_or_default();
            for said in answer.err.lines().filter(|said| said.ends_with("not simulated in this lab")) {
                prop_assert!(said.starts_with(&format!("{name}: ")) && answer.status != 0, "{line}: {said}");
            }
        }
    });
}

#[test]
fn every_command_says_what_is_simulated_and_completes_its_words() {
    let mut term = Term::plain("1.7.27");
    for command in commands() {
        let name = command.name();
        let help = term.out(&format!("{name} --help"));
        assert!(help.starts_with("Usage: ") && help.contains("Simulated here"), "{name}: {help}");
    }
    let check = |line: &str, wanted: &str| {
        let found = term.shell.complete("tab", line, line.len());
        assert_eq!(found.words, [wanted], "{line}");
    };
    check("containerd config du", "dump");
    check("systemctl resta", "restart");
    check("systemctl restart cont", "containerd");
    check("journalctl -u c", "containerd");
    check("crictl insp", "inspectp");
    check("ctr pl", "plugins");
    check("nvidia-ctk runtime conf", "configure");
    check("sysctl fs.inotify.max_user_i", "fs.inotify.max_user_instances");
    let pid = term.pid().unwrap().to_string();
    let found = term.shell.complete("tab", "kill -HUP ", 10);
    assert_eq!(found.words, [pid]);
}
