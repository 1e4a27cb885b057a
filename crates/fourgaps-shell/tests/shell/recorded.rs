//! Every recorded text, typed as its command line: our terminal gives the bytes of the real one.

use crate::term::{Answer, Term};
use fourgaps_base::FileTree;
use fourgaps_node::{Restart, Supervisor};
use fourgaps_shell::Machines;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The node whose tools were recorded.
const CASE: &str = "gap1-registry-merged-into-nvidia";

fn oracle() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/oracle");
    let found = folder.is_dir();
    if !found {
        eprintln!("SKIPPED: the recordings are not beside this checkout");
    }
    found.then_some(folder)
}

fn add(folder: &Path, path: &str, files: &mut FileTree) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let below = format!("{path}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            add(&entry.path(), &below, files);
        } else {
            files.write(&below, fs::read(entry.path()).unwrap());
        }
    }
}

/// A pod as the recordings describe it.
fn pod(name: &str, namespace: &str) -> String {
    format!(
        r#"{{"metadata": {{"name": "{name}", "namespace": "{namespace}", "uid": "{name}", "attempt": 1}},
            "log_directory": "/run", "linux": {{"security_context": {{"namespace_options": {{"network": 2}}}}}}}}"#
    )
}

/// Takes out what the recordings take out, and what depends on the recording machine.
fn normal(text: &str) -> String {
    let text: String = text.split_inclusive('\n').map(normal_line).collect();
    // Ids, whole or cut: what looks like one and is long enough to be none by chance.
    let mut out = String::new();
    let mut run = String::new();
    for letter in text.chars().chain(['\n']) {
        if letter.is_ascii_digit() || ('a'..='f').contains(&letter) {
            run.push(letter);
            continue;
        }
        match run.len() {
            64 => out.push_str("<id>"),
            13 if run.bytes().any(|byte| byte.is_ascii_digit()) => out.push_str("<id13>       "),
            _ => out.push_str(&run),
        }
        run.clear();
        out.push(letter);
    }
    out.pop();
    out
}

fn normal_line(line: &str) -> String {
    let line = between(line, "time=\"", "\"", "<time>");
    let line = between(&line, "\"createdAt\": \"", "\"", "<time>");
    let line = between(&line, "successfully booted in ", "s\"", "<seconds>");
    let line = between(&line, " t=\"", "\"", "<took>");
    let line = between(&line, "  UUID: ", "\n", "<uuid>");
    // Several names of one image: which one is told first is the machine's affair.
    let line = between(&line, "\"image\": \"", "\"", "<image>");
    let line = match line.strip_prefix("    \"pid\": ").map(str::trim_end) {
        Some(pid) if pid.trim_end_matches(',').bytes().all(|byte| byte.is_ascii_digit()) => {
            format!("    \"pid\": \"<pid>\"{}\n", if pid.ends_with(',') { "," } else { "" })
        }
        _ => line,
    };
    match line.strip_prefix('E').and_then(|rest| rest.split_once(" log.go:32]")) {
        Some((_, rest)) => format!("E<time> <pid> log.go:32]{rest}"),
        None => line,
    }
}

/// Replaces what stands between two marks.
fn between(line: &str, before: &str, after: &str, by: &str) -> String {
    let found = line.split_once(before).and_then(|(head, rest)| Some((head, rest.split_once(after)?.1)));
    found.map_or_else(|| line.into(), |(head, tail)| format!("{head}{before}{by}{after}{tail}"))
}

/// An answer as the recordings write it.
fn recorded_form(answer: &Answer) -> String {
    let stderr = if answer.err.is_empty() { "" } else { "# stderr\n" };
    format!("{}{stderr}{}# exit {}\n", answer.out, answer.err, answer.status)
}

/// What was logged since the last look, as the recordings write it: without the stamps.
fn log(term: &mut Term<Machines>) -> String {
    let lines = term.out("journalctl -u containerd -o cat --no-pager");
    let of_containerd = lines.lines().filter_map(|line| Some(line.split_once("Z\" ")?.1));
    of_containerd.map(|line| format!("{line}\n")).collect()
}

struct Recorded {
    name: String,
    /// The command line that was typed, where the text says it.
    line: Option<String>,
    text: String,
}

fn recordings(oracle: &Path, version: &str) -> BTreeMap<String, Recorded> {
    let read = |path: PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).unwrap();
        let (line, text) = match text.strip_prefix("$ ").and_then(|rest| rest.split_once('\n')) {
            Some((line, rest)) => {
                let line = line.split("   (").next().unwrap_or(line);
                (Some(line.trim_end().to_string()), rest.to_string())
            }
            None => (None, text),
        };
        (name.clone(), Recorded { name, line, text })
    };
    let entries = fs::read_dir(oracle.join("texts").join(version)).unwrap();
    entries.map(|entry| read(entry.unwrap().path())).collect()
}

/// The order in which the texts of a node in each state are typed.
const UP: [&str; 9] = [
    "containerd-version.txt",
    "config-migrate.txt",
    "ctr-version.txt",
    "ctr-plugins.txt",
    "crictl-version.txt",
    "crictl-info.txt",
    "crictl-pods-none.txt",
    "crictl-ps-none.txt",
    "crictl-images.txt",
];
const WITH_PODS: [&str; 6] = [
    "crictl-runp-unknown.txt",
    "crictl-pods.txt",
    "crictl-inspectp.txt",
    "crictl-statsp.txt",
    "crictl-stopp.txt",
    "crictl-rmp.txt",
];
const STOPPED: [&str; 3] = ["ctr-plugins-stopped.txt", "crictl-info-stopped.txt", "crictl-pods-stopped.txt"];

/// Types what was typed, and keeps where the answer differs.
struct Player<'r> {
    term: Term<Machines>,
    texts: &'r BTreeMap<String, Recorded>,
    version: &'r str,
    played: Vec<&'r str>,
    told: String,
}

impl<'r> Player<'r> {
    /// `POD` in a recorded line is the sandbox with the handler nvidia.
    fn play(&mut self, name: &'r str, pod: &str) -> Answer {
        let recorded = &self.texts[name];
        let line = recorded.line.clone().unwrap();
        let answer = self.term.run(&line.replace("POD", pod));
        self.compare(&recorded.name, &recorded_form(&answer), &recorded.text);
        answer
    }

    fn compare(&mut self, name: &'r str, ours: &str, real: &str) {
        self.played.push(name);
        let fix = |text: &str| {
            let text = normal(text);
            // 2.0 tells its handlers in the random order of a Go map.
            if self.version == "2.0.5" && name == "crictl-info.txt" {
                let mut lines: Vec<&str> = text.lines().map(|line| line.trim_end_matches(',')).collect();
                lines.sort_unstable();
                return lines.join("\n");
            }
            text
        };
        let (ours, real) = (fix(ours), fix(real));
        if ours != real {
            let (mut a, mut b) = (ours.lines(), real.lines());
            let first = (1..).find_map(|at| match (a.next(), b.next()) {
                (None, None) => Some((at, None, None)),
                (a, b) if a == b => None,
                (a, b) => Some((at, a, b)),
            });
            self.told.push_str(&format!("{} {name}: {first:?}\n", self.version));
        }
    }
}

#[test]
fn every_recorded_text_is_what_its_command_line_prints() {
    let Some(oracle) = oracle() else { return };
    let mut told = String::new();
    for version in ["1.6.36", "1.7.27", "2.0.5", "2.1.4", "2.2.5", "2.3.4"] {
        let mut files = FileTree::new();
        add(&oracle.join("cases").join(CASE).join("rootfs"), "", &mut files);
        let texts = recordings(&oracle, version);
        let term = Term::omen(version, Supervisor::Systemd(Restart::Always), files);
        let mut player = Player { term, texts: &texts, version, played: Vec::new(), told: String::new() };
        for name in UP {
            player.play(name, "");
        }
        let default = player.term.out("containerd config default");
        player.compare("config-default.toml", &default, &texts["config-default.toml"].text);
        let boot = log(&mut player.term);
        player.compare("boot-log.txt", &boot, &texts["boot-log.txt"].text);
        player.play("crictl-rmp-unknown.txt", "");
        player.term.write("/root/pod.json", &pod("gputest", "gpu-operator"));
        let made = player.play("crictl-runp-nvidia.txt", "");
        player.term.write("/root/pod.json", &pod("web", "default"));
        player.play("crictl-runp-default.txt", "");
        player.term.write("/root/pod.json", &pod("other", "default"));
        for name in WITH_PODS {
            player.play(name, made.out.trim());
        }
        player.term.out("systemctl stop containerd");
        for name in STOPPED {
            player.play(name, "");
        }
        // What it logged of the sandbox that was removed is not in our journal.
        let stop = log(&mut player.term);
        let stop = stop.strip_prefix(&boot).unwrap();
        let whole = &texts["stop-log.txt"].text;
        let ended = whole.find("level=info msg=\"Stop CRI service\"").unwrap();
        player.compare("stop-log.txt", stop, &whole[ended..]);
        let never: Vec<&String> =
            texts.keys().filter(|name| !player.played.contains(&name.as_str())).collect();
        assert!(never.is_empty(), "{version}: nobody typed {never:?}");
        told.push_str(&player.told);
    }
    assert!(told.is_empty(), "\n{told}");
}
