//! The incident as it was written down: every command block of the write-up, typed into the terminals of the lab.
//!
//! Three kinds of difference are the write-up's own, and the recorded programs are followed there: it sets columns apart with
//! other spaces, it leaves times out of a line of `kubectl describe node` (and what `grep -A1` prints below that line), and it
//! does not show what `sysctl -p` prints.

#[path = "../../fourgaps-lab/tests/shared/mod.rs"]
mod shared;

use fourgaps_lab::Scenario;
use fourgaps_play::{Play, Sources};
use std::sync::{Arc, Mutex};

/// A command of the write-up with the output that follows it, and the explanation in braces before it.
#[derive(Debug)]
struct Block {
    explanation: String,
    command: String,
    output: String,
}

fn blocks(text: &str) -> Vec<Block> {
    let mut found: Vec<Block> = Vec::new();
    let mut explanation = String::new();
    let mut open = false;
    for line in text.lines().skip(1) {
        if let Some(told) = line.strip_prefix('{') {
            explanation = told.trim_end_matches('}').into();
            // What follows without a command was seen and not typed.
            found.push(Block {
                explanation: explanation.clone(),
                command: String::new(),
                output: String::new(),
            });
        } else if let Some(command) = line.strip_prefix("$ ") {
            let told = std::mem::take(&mut explanation);
            found.retain(|block| !(block.command.is_empty() && block.output.is_empty()));
            found.push(Block { explanation: told, command: command.into(), output: String::new() });
            open = command.starts_with("for ");
        } else if let Some(block) = found.last_mut() {
            let into = if open { &mut block.command } else { &mut block.output };
            if open {
                into.push('\n');
                into.push_str(line);
                open = line.trim() != "done";
            } else {
                into.push_str(line);
                into.push('\n');
                // The explanation belongs to what was seen below it, and to nothing else.
                explanation.clear();
            }
        }
    }
    found
}

struct Typing {
    play: Play,
}

impl Typing {
    fn arrive() -> Self {
        let content = shared::content();
        let home = "scenarios/four-gpus/";
        let text = String::from_utf8(content[&format!("{home}scenario.toml")].clone()).unwrap();
        let scenario = Scenario::parse("scenario.toml", &text).unwrap();
        let sources: Sources = content
            .into_iter()
            .filter_map(|(path, bytes)| Some((path.strip_prefix(home)?.to_string(), bytes)))
            .collect();
        Self { play: Play::new(scenario, sources) }
    }

    /// Types a line; gives everything that it printed.
    fn type_line(&mut self, host: &str, line: &str) -> String {
        let said = Arc::new(Mutex::new(String::new()));
        let sink = said.clone();
        let out: fourgaps_shell::Output =
            Box::new(move |_, bytes| sink.lock().unwrap().push_str(&String::from_utf8_lossy(bytes)));
        let wait = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let ran = wait.block_on(self.play.run(host, line, out));
        assert!(!ran.more, "the line is not whole: {line}");
        let said = said.lock().unwrap();
        said.clone()
    }
}

/// The nvidia block of the first wrong advice: seven lines.
const BLOCK: &str = r#"cat >> /etc/containerd/config.toml <<'END'
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.nvidia]
  runtime_type = "io.containerd.runc.v2"
  runtime_engine = ""
  runtime_root = ""
  privileged_without_host_devices = false
  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.nvidia.options]
    BinaryName = "/usr/local/nvidia/toolkit/nvidia-container-runtime"
END"#;

/// Strips the handlers and the registry from both drop-ins and builds exactly one of each; puts it in place last.
const REPAIR: &str = r#"cd /etc/containerd/conf.d
cp 99-nvidia.toml /tmp/candidate.toml
grep -q certs.d /tmp/candidate.toml || cat >> /tmp/candidate.toml <<'END'
[plugins."io.containerd.grpc.v1.cri".registry]
  config_path = "/etc/containerd/certs.d"
END
printf 'version = 2\nimports = ["/tmp/candidate.toml"]\n' > /tmp/probe.toml
containerd --config /tmp/probe.toml config dump > /tmp/probe.out 2>/dev/null
if grep -q runtimes.nvidia /tmp/probe.out && grep -q certs.d /tmp/probe.out; then
  cp /tmp/candidate.toml 99-nvidia.toml
  rm -f zz-labhub-registry.toml
  cksum *.toml
fi
cd"#;

fn words(text: &str) -> Vec<Vec<&str>> {
    text.lines().map(|line| line.split_whitespace().collect()).collect()
}

#[test]
fn every_block_of_the_write_up_gives_its_output() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/course/transcript.txt");
    let Ok(text) = std::fs::read_to_string(&path) else {
        println!("skipped: {} is not there", path.display());
        return;
    };
    let mut typing = Typing::arrive();
    let mut held = 0;
    for block in blocks(&text) {
        let Block { explanation, command, output } = &block;
        match explanation.as_str() {
            told if told.contains("appended twice") => {
                typing.type_line("omen", "cp /etc/containerd/config.toml /root/before.toml");
                for _ in 0..2 {
                    typing.type_line("omen", BLOCK);
                }
                let restarted = typing.type_line("omen", "systemctl restart containerd");
                let journal = typing.type_line("omen", "journalctl -u containerd -o cat");
                for line in output.lines() {
                    let seen = restarted.lines().chain(journal.lines()).any(|seen| seen == line);
                    assert!(seen, "not seen: {line}\n{restarted}\n{journal}");
                    held += 1;
                }
                typing.type_line(
                    "omen",
                    "cp /root/before.toml /etc/containerd/config.toml; systemctl restart containerd",
                );
                continue;
            }
            told if told.contains("t2.toml is a copy") => {
                let set_up = "mkdir /tmp/t2; cp /etc/containerd/conf.d/*.toml /tmp/t2/; sed -i '1i version = 2' /tmp/t2/zz-*.toml\n\
                              sed 's|/etc/containerd/conf.d|/tmp/t2|' /etc/containerd/config.toml > /tmp/t2.toml";
                assert_eq!(typing.type_line("omen", set_up), "");
            }
            told if told.contains("after the repair") => {
                for node in ["omen", "omen2", "nuc1", "nuc2"] {
                    let once = typing.type_line(node, REPAIR);
                    assert!(once.contains("99-nvidia.toml") && !once.contains("zz-"), "{once}");
                    assert_eq!(typing.type_line(node, REPAIR), once, "a second run changes something");
                    assert_eq!(typing.type_line(node, "systemctl restart containerd"), "");
                }
                typing.type_line("control", "sleep 60");
            }
            told if told.contains("journal of omen2") => {
                let journal = typing.type_line("control", "ssh omen2 'journalctl -u containerd -o cat'");
                for line in output.lines() {
                    assert!(journal.lines().any(|seen| seen.ends_with(line)), "not seen: {line}\n{journal}");
                    held += 1;
                }
                continue;
            }
            _ => {}
        }
        let on_node = command.starts_with("containerd ")
            || command.starts_with("for ")
            || command.starts_with("printf ");
        let host = match command.as_str() {
            _ if on_node => "omen",
            command if command.starts_with("sudo ") => "omen2",
            _ => "control",
        };
        let said = typing.type_line(host, command);
        held += 1;
        if command.contains("custom-columns") {
            let (mut said, mut wanted) = (words(&said), words(output));
            said.sort();
            wanted.sort();
            assert_eq!(said, wanted, "{command}");
        } else if command.contains("describe node") {
            let line = said.lines().next().unwrap_or_default();
            let kept: Vec<&str> = line.split_whitespace().collect();
            let wanted: Vec<&str> = output.split_whitespace().collect();
            let (head, tail) = wanted.split_at(2);
            assert!(kept.starts_with(head) && kept.ends_with(tail), "{command}\n{said}");
        } else if command.contains("sysctl -p") {
            assert_eq!(said, "fs.inotify.max_user_instances = 8192\nfs.inotify.max_user_watches = 1048576\n");
        } else {
            assert_eq!(said, *output, "{command}");
        }
        if command.contains("systemctl restart") {
            // The kubelet looks again, and the device plugin registers.
            typing.type_line("control", "sleep 60");
        }
    }
    assert!(held >= 17, "only {held} blocks were held against the terminal");
}
