//! A containerd process: it reads its files once, at its start, and keeps what it read until its end.

use crate::memo::Memo;
use crate::node::Node;
use fourgaps_base::{FileTree, kept_variants};
use fourgaps_config::daemon::{DaemonRun, Machine, start_on};
use fourgaps_config::{Request, Version};
use std::sync::{Arc, OnceLock};

/// A signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// 1: no version of containerd handles it.
    Hup,
    /// 2.
    Int,
    /// 3.
    Quit,
    /// 9.
    Kill,
    /// 10: containerd writes its stacks to a file and goes on.
    Usr1,
    /// 13: containerd swallows it.
    Pipe,
    /// 15.
    Term,
}
kept_variants!(Signal {
    "Hup" => Hup {},
    "Int" => Int {},
    "Quit" => Quit {},
    "Kill" => Kill {},
    "Usr1" => Usr1 {},
    "Pipe" => Pipe {},
    "Term" => Term {},
});

impl Signal {
    /// Its number on Linux.
    pub fn number(self) -> i32 {
        match self {
            Self::Hup => 1,
            Self::Int => 2,
            Self::Quit => 3,
            Self::Kill => 9,
            Self::Usr1 => 10,
            Self::Pipe => 13,
            Self::Term => 15,
        }
    }

    /// Its name without `SIG`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Hup => "HUP",
            Self::Int => "INT",
            Self::Quit => "QUIT",
            Self::Kill => "KILL",
            Self::Usr1 => "USR1",
            Self::Pipe => "PIPE",
            Self::Term => "TERM",
        }
    }
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// By itself, with this status.
    Exited(i32),
    /// By a signal.
    Killed(Signal),
}
kept_variants!(End { "Exited" => Exited(status), "Killed" => Killed(signal) });

/// A process that ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    /// Its number.
    pub pid: u32,
    /// How.
    pub end: End,
    /// When, in ms of virtual time.
    pub at_ms: u64,
}

/// What a start depends on beside the disk.
#[derive(Debug, PartialEq)]
pub(crate) struct Start {
    version: String,
    main: &'static str,
    machine: Arc<Machine>,
}

/// A process that was started.
#[derive(Clone, Debug)]
pub struct Process {
    /// Its number.
    pub pid: u32,
    /// When it was started, in ms of virtual time.
    pub started_ms: u64,
    /// The version of its program.
    pub version: String,
    /// True where it was started with SIGHUP ignored, as by nohup.
    pub sighup_ignored: bool,
    /// Its main file.
    pub main: &'static str,
    /// The machine as it was at the start.
    pub machine: Arc<Machine>,
    /// The disk as it was at the start.
    pub files: Arc<FileTree>,
    /// What it made of the files: follows from them, so it is worked out when it is first asked for.
    run: OnceLock<Arc<DaemonRun>>,
    memo: Memo<Start, DaemonRun>,
}

impl PartialEq for Process {
    fn eq(&self, other: &Self) -> bool {
        self.pid == other.pid
            && self.started_ms == other.started_ms
            && self.version == other.version
            && self.sighup_ignored == other.sighup_ignored
            && self.main == other.main
            && self.machine == other.machine
            && self.files == other.files
    }
}

impl Process {
    pub(crate) fn new(pid: u32, node: &Node, sighup_ignored: bool) -> Self {
        Self {
            pid,
            started_ms: node.now_ms,
            version: node.version.clone(),
            sighup_ignored,
            main: node.main(),
            machine: machine_now(node),
            files: Arc::clone(&node.files),
            run: OnceLock::new(),
            memo: node.starts.clone(),
        }
    }

    /// The same process, which does not keep what it made of its files: a journal has thousands, and what each became follows
    /// from its files again.
    #[must_use]
    pub fn forgetting(&self) -> Self {
        Self { run: OnceLock::new(), ..self.clone() }
    }

    /// What it holds in memory, or how it ended at its start.
    pub fn run(&self) -> &DaemonRun {
        self.run.get_or_init(|| {
            let start =
                Start { version: self.version.clone(), main: self.main, machine: Arc::clone(&self.machine) };
            self.memo.get(start, &self.files, |start, files| {
                let version = Version::named(&start.version).expect("a node has a version that is built in");
                start_on(&Request::new(version, files, start.main), &start.machine)
            })
        })
    }

    /// What a signal does to it; nothing where it goes on.
    ///
    /// Source: `handledSignals` of every version, `stories/*/sighup-default.toml`, `sighup-ignored.toml`.
    pub(crate) fn end_by(&self, signal: Signal) -> Option<End> {
        match signal {
            Signal::Term | Signal::Int => Some(End::Exited(0)),
            Signal::Hup if self.sighup_ignored => None,
            Signal::Hup | Signal::Kill => Some(End::Killed(signal)),
            // Go's runtime prints the stacks of every goroutine and exits.
            Signal::Quit => Some(End::Exited(2)),
            Signal::Usr1 | Signal::Pipe => None,
        }
    }
}

/// The machine with what is left of its kernel's budgets; shared where nothing is short.
fn machine_now(node: &Node) -> Arc<Machine> {
    let inotify_instances = node.kernel.inotify_free();
    if inotify_instances > 0 {
        return Arc::clone(&node.machine);
    }
    Arc::new(Machine { inotify_instances, ..(*node.machine).clone() })
}
