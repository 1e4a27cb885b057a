//! Wishes: what a person, a script or another program wants of a node, and what it answers.

use crate::fact::Fact;
use crate::kubelet::KubeletOp;
use crate::process::Signal;
use crate::toolkit::{Astray, CtkAnswer, Options, Release};
use crate::unit::JobEnd;
use fourgaps_base::{FileEdit, FileError};

/// A wish.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Op {
    /// Change a file.
    Edit(FileEdit),
    /// `systemctl VERB containerd`.
    Systemctl(Verb),
    /// Start containerd by hand; with `nohup` the process ignores SIGHUP.
    Start {
        /// As by nohup.
        sighup_ignored: bool,
    },
    /// `kill -SIGNAL PID`.
    Signal {
        /// To whom.
        pid: u32,
        /// Which.
        signal: Signal,
    },
    /// `RunPodSandbox`.
    RunSandbox(SandboxSpec),
    /// `StopPodSandbox`.
    StopSandbox {
        /// Its whole id.
        id: String,
    },
    /// `RemovePodSandbox`.
    RemoveSandbox {
        /// Its whole id.
        id: String,
    },
    /// Run the toolkit's container.
    Toolkit {
        /// What it is told.
        options: Box<Options>,
        /// Which of its signals go astray.
        astray: Astray,
        /// In the operator's pod an entrypoint waits for the driver first.
        in_pod: bool,
    },
    /// `nvidia-ctk runtime configure WORDS`.
    Ctk {
        /// The release of the program.
        release: Release,
        /// The words.
        words: Vec<String>,
    },
    /// Something that concerns the kubelet and its pods.
    Kubelet(KubeletOp),
    /// `sysctl`, where it sets something.
    Sysctl(Sysctl),
    /// Restart the whole node.
    Reboot,
    /// Let time pass; whatever falls due meanwhile happens.
    Wait {
        /// How long.
        ms: u64,
    },
}

/// A verb of `systemctl` that changes something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    /// `start`.
    Start,
    /// `stop`.
    Stop,
    /// `restart`.
    Restart,
    /// `reload`: the unit has no `ExecReload=`.
    Reload,
    /// `reset-failed`.
    ResetFailed,
}

/// What `sysctl` is to set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sysctl {
    /// `-w KEY=VALUE`.
    Set {
        /// The setting.
        setting: String,
    },
    /// `-p FILE`.
    Load {
        /// The file.
        path: String,
    },
    /// `--system`.
    System,
}

/// What `sysctl` says, line by line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SysctlLine {
    /// `* Applying FILE ...`.
    Applying(String),
    /// `KEY = VALUE`.
    Set {
        /// The setting.
        key: String,
        /// Its value now.
        value: i64,
    },
    /// There is no such file.
    NoFile(String),
    /// A setting that is not simulated.
    NotSimulated(String),
}

/// What a sandbox is wanted for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SandboxSpec {
    /// The pod's name.
    pub name: String,
    /// The pod's namespace.
    pub namespace: String,
    /// The pod's uid.
    pub uid: String,
    /// Which try this is.
    pub attempt: u32,
    /// The handler of its RuntimeClass, if it has one.
    pub handler: Option<String>,
    /// The folder for the pod's logs; may be empty.
    pub log_directory: String,
}

/// What a wish made happen.
#[derive(Clone, Debug, PartialEq)]
pub struct Done {
    /// What happened, in order; already folded into the node.
    pub facts: Vec<Fact>,
    /// What the wisher is told.
    pub answer: Answer,
}

/// What the wisher is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It was done.
    Done,
    /// A sandbox was made.
    Sandbox {
        /// Its id.
        id: String,
    },
    /// A process was started.
    Started {
        /// Its number.
        pid: u32,
    },
    /// What `nvidia-ctk` said.
    Ctk(CtkAnswer),
    /// The real program refuses, in these words.
    Refused(String),
    /// A file cannot be changed.
    File(FileError),
    /// What `sysctl` says.
    Sysctl(Vec<SysctlLine>),
    /// The node is down.
    Down,
    /// There is no such process.
    NoProcess,
    /// The job of systemd failed; where it did not even start the process, its limit was hit.
    JobFailed(JobEnd),
    /// systemd has no unit for containerd.
    NoUnit,
    /// The unit has no such job.
    NoReload,
    /// What the real program says is not known.
    NotSimulated(String),
}
