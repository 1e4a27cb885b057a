//! A world of a control host and two nodes whose only program says what it was given.

use fourgaps_base::{FileEdit, FileError, FileTree};
use fourgaps_shell::{Call, Command, Machine, Shell, StopHandle, Stream, World};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// 2026-03-01 00:00:00 UTC.
pub const START_MS: u64 = 1_772_323_200_000;

const STACK_BYTES: usize = 64 << 20;

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

/// What a line gave: everything shown in its order, the two streams apart, and the status.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Answer {
    pub shown: String,
    pub out: String,
    pub err: String,
    pub status: i32,
}

/// A piece of output as it was heard.
type Piece = (Stream, Vec<u8>);

pub struct Term {
    pub world: Arc<Mutex<Toy>>,
    pub shell: Shell<Toy>,
    runtime: tokio::runtime::Runtime,
    stop: Option<StopHandle>,
}

impl Term {
    pub fn new() -> Self {
        let mut disks = BTreeMap::new();
        for host in ["control", "omen", "rem"] {
            let mut files = FileTree::new();
            for folder in ["/root", "/tmp", "/dev", "/etc/containerd"] {
                files.make_folder(folder);
            }
            files.write("/etc/containerd/config.toml", "version = 2\n");
            disks.insert(host.to_string(), files);
        }
        let world = Arc::new(Mutex::new(Toy { disks, now_ms: START_MS }));
        let mut shell = Shell::new(world.clone(), vec![Box::new(Told)]);
        assert!(shell.open("tab", "control"));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        Self { world, shell, runtime, stop: None }
    }

    /// Runs a line in the first tab.
    pub fn run(&mut self, line: &str) -> Answer {
        self.run_in("tab", line)
    }

    pub fn run_in(&mut self, tab: &str, line: &str) -> Answer {
        let heard: Arc<Mutex<Vec<Piece>>> = Arc::default();
        let sink = heard.clone();
        let stop = self.stop.take();
        let out = Box::new(move |stream, data: &[u8]| {
            sink.lock().unwrap().push((stream, data.to_vec()));
            stop.iter().for_each(StopHandle::stop);
        });
        // Without optimisation a level of the interpreter takes several times its stack.
        let (runtime, shell) = (&self.runtime, &mut self.shell);
        let status = std::thread::scope(|scope| {
            let run = || runtime.block_on(shell.run(tab, line, out));
            let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, run);
            thread.unwrap().join().unwrap()
        });
        let mut answer = Answer { status, ..Answer::default() };
        for (stream, data) in heard.lock().unwrap().iter() {
            let text = String::from_utf8_lossy(data);
            answer.shown.push_str(&text);
            match stream {
                Stream::Out => answer.out.push_str(&text),
                Stream::Err => answer.err.push_str(&text),
            }
        }
        answer
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
