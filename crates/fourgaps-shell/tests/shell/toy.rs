//! A world of a control host and two nodes whose only program says what it was given.

use fourgaps_base::{FileEdit, FileError, FileTree};
use fourgaps_shell::{Call, Command, Machine, StopHandle, World};
use std::collections::BTreeMap;

/// 2026-03-01 00:00:00 UTC.
pub const START_MS: u64 = 1_772_323_200_000;

pub struct Toy {
    pub disks: BTreeMap<String, FileTree>,
    pub now_ms: u64,
}

impl World for Toy {
    fn hosts(&self) -> Vec<String> {
        self.disks.keys().cloned().collect()
    }

    fn machine(&self, host: &str) -> Option<Machine> {
        self.disks.contains_key(host).then(|| Machine {
            user: "root".into(),
            home: "/root".into(),
            control: host == "control",
            kernel: None,
        })
    }

    fn files(&self, host: &str) -> &FileTree {
        &self.disks[host]
    }

    fn edit(&mut self, host: &str, edit: FileEdit) -> Result<(), FileError> {
        let now_ms = self.now_ms;
        self.disks.get_mut(host).ok_or(FileError::NotFound)?.edit(&edit, now_ms)
    }

    fn now_ms(&self) -> u64 {
        self.now_ms
    }

    fn wait(&mut self, ms: u64) {
        self.now_ms = self.now_ms.saturating_add(ms);
    }
}

/// `told`: prints its machine, its arguments and its input; the status is the first argument where it is a number.
struct Told;

impl Command<Toy> for Told {
    fn name(&self) -> &str {
        "told"
    }

    fn run(&self, call: &mut Call<'_, Toy>) -> i32 {
        let text = format!("{} {:?} {:?}\n", call.host, call.args, String::from_utf8_lossy(call.stdin));
        call.out(text);
        call.args.first().and_then(|arg| arg.parse().ok()).unwrap_or(0)
    }

    fn help(&self) -> String {
        "told: says what it is given\n".into()
    }

    fn complete(&self, world: &Toy, _: &str, words: &[String]) -> Vec<String> {
        if words.is_empty() { world.hosts() } else { Vec::new() }
    }
}

/// A shell over the toy world.
pub type Term = crate::term::Term<Toy>;

impl Term {
    pub fn new() -> Self {
        let mut disks = BTreeMap::new();
        for host in ["control", "omen", "rem"] {
            let mut files = FileTree::new();
            for folder in ["/root", "/tmp", "/etc/containerd"] {
                files.make_folder(folder);
            }
            files.write("/etc/containerd/config.toml", "version = 2\n");
            disks.insert(host.to_string(), files);
        }
        Self::over(Toy { disks, now_ms: START_MS }, vec![Box::new(Told)], "control")
    }

    /// Presses Ctrl+C at the first output of the next line.
    pub fn stop_after_output(&mut self, handle: StopHandle) {
        self.stop = Some(handle);
    }

    /// Runs lines one by one and gives everything that they showed.
    pub fn shows(&mut self, lines: &[&str]) -> String {
        lines.iter().map(|line| self.run(line).shown).collect()
    }
}
