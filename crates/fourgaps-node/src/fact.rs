//! Facts: what happened, small enough to send and to keep; and folding them into a node.

use crate::journal::{Entry, Said, UnitEvent};
use crate::kernel::Kernel;
use crate::kubelet::KubeletFact;
use crate::node::Node;
use crate::process::{End, Ended, Process};
use crate::sandbox::Sandbox;
use crate::toolkit::{Astray, LogLine, Options, Phase, Toolkit};
use crate::unit::{Unit, UnitState};
use fourgaps_base::{
    FileEdit, Held, Json, Kept, Variants, kept_variants, variant_from_json, variant_to_json,
};
use std::sync::Arc;

/// Something that happened on a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// It is now this time, in ms.
    Clock {
        /// The time.
        ms: u64,
    },
    /// A file changed.
    Edited(FileEdit),
    /// A containerd process was started on the files as they are.
    Started {
        /// Its number.
        pid: u32,
        /// Whether it ignores SIGHUP.
        sighup_ignored: bool,
    },
    /// The containerd process ended.
    Ended {
        /// How.
        end: End,
    },
    /// k3s logged that its containerd ended, and ends too.
    K3sLost(End),
    /// systemd logged something of the unit.
    Unit(UnitEvent),
    /// The unit is in another state.
    UnitIs(UnitState),
    /// The unit counts its restarts anew.
    UnitCounts(u32),
    /// A sandbox was made.
    SandboxMade(Box<Sandbox>),
    /// The process of a sandbox is gone.
    SandboxStopped {
        /// Its id.
        id: String,
    },
    /// A sandbox is gone.
    SandboxRemoved {
        /// Its id.
        id: String,
    },
    /// The socket file of containerd is there, or gone.
    Socket(bool),
    /// Something happened in the run of the toolkit with this process number.
    Toolkit(u32, ToolkitFact),
    /// Something happened to the kubelet or its pods. Not kept in saves, see [`Fact::is_kept`].
    Kubelet(KubeletFact),
    /// A setting of the kernel has another value.
    Sysctl {
        /// The setting.
        key: String,
        /// Its value.
        value: i64,
    },
    /// The node went down to restart: processes and what lay in memory are gone.
    WentDown {
        /// When it is back, in ms.
        up_ms: u64,
    },
    /// The node is back, and nothing runs yet.
    CameUp,
    /// A number was drawn or given out, so that none is used twice.
    Drawn {
        /// How many ids were drawn in all.
        ids: u64,
        /// The last process number that was given out.
        pid: u32,
    },
}

kept_variants!(Fact {
    "Clock" => Clock { ms },
    "Edited" => Edited(edit),
    "Started" => Started { pid, sighup_ignored },
    "Ended" => Ended { end },
    "K3sLost" => K3sLost(end),
    "Unit" => Unit(event),
    "UnitIs" => UnitIs(state),
    "UnitCounts" => UnitCounts(n_restarts),
    "SandboxMade" => SandboxMade(sandbox),
    "SandboxStopped" => SandboxStopped { id },
    "SandboxRemoved" => SandboxRemoved { id },
    "Socket" => Socket(there),
    "Toolkit" => Toolkit(pid, fact),
    "Sysctl" => Sysctl { key, value },
    "WentDown" => WentDown { up_ms },
    "CameUp" => CameUp {},
    "Drawn" => Drawn { ids, pid },
} but not Kubelet);

impl Fact {
    /// True where a save keeps it. What only the machines' own programs ask for again is decided anew with the line that it
    /// came from, and would make every save long.
    pub fn is_kept(&self) -> bool {
        !matches!(self, Self::Kubelet(_) | Self::Toolkit(_, ToolkitFact::Said(_)))
    }

    /// True where a save keeps the same of both: of a toolkit's run it does not keep everything that the run is told.
    pub fn is_kept_like(&self, other: &Self) -> bool {
        match (self, other) {
            (
                Self::Toolkit(pid, ToolkitFact::Started { options, .. }),
                Self::Toolkit(other_pid, ToolkitFact::Started { options: other_options, .. }),
            ) => pid == other_pid && options.to_json() == other_options.to_json(),
            _ => self == other,
        }
    }
}

/// Something that happened in a run of the toolkit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToolkitFact {
    /// It was started. Runs that ended before are forgotten.
    Started {
        /// What it is told. Of this, saves keep where it writes what: a run that is taken up again is decided anew.
        options: Box<Options>,
        /// Which of its signals go astray. Not kept either.
        astray: Astray,
    },
    /// It logged a line. Not kept in saves.
    Said(LogLine),
    /// It does something else now.
    Is(Phase),
}

impl Kept for ToolkitFact {
    fn to_json(&self) -> Json {
        variant_to_json(self)
    }

    fn from_json(json: &Json) -> Result<Self, String> {
        variant_from_json(json)
    }
}

impl Variants for ToolkitFact {
    fn take_apart(&self) -> (&'static str, Option<Json>) {
        match self {
            Self::Started { options, .. } => ("Started", Some(options.to_json())),
            Self::Said(_) => ("Said", None),
            Self::Is(phase) => ("Is", Some(phase.to_json())),
        }
    }

    fn put_together(word: &str, held: &mut Held<'_>) -> Result<Self, String> {
        match word {
            "Started" => {
                let options = Box::new(Options::from_json(held.one())?);
                Ok(Self::Started { options, astray: Astray::default() })
            }
            "Is" => Phase::from_json(held.one()).map(Self::Is),
            _ => Err(format!("`{word}` is not known")),
        }
    }
}

impl Node {
    /// Folds a fact into the state: the one place that changes it. Decides nothing and never fails.
    pub fn apply(&mut self, fact: &Fact) {
        match fact {
            Fact::Clock { ms } => self.now_ms = *ms,
            // A change that the disk refuses was never one.
            Fact::Edited(edit) => {
                let _ = Arc::make_mut(&mut self.files).edit(edit, self.now_ms);
            }
            Fact::Started { pid, sighup_ignored } => {
                let process = Process::new(*pid, self, *sighup_ignored);
                self.log(Said::Boot(Arc::new(process.clone())));
                self.containerd = Some(process);
                self.unit.starts_ms.retain(|at| at + crate::unit::LIMIT_SPAN_MS > self.now_ms);
                self.unit.starts_ms.push(self.now_ms);
            }
            Fact::Ended { end } => {
                if let Some(process) = self.containerd.take() {
                    self.last = Some(Ended { pid: process.pid, end: *end, at_ms: self.now_ms });
                    if *end == End::Exited(0) {
                        self.log(Said::Stop(Arc::new(process.forgetting())));
                    }
                }
            }
            Fact::K3sLost(end) => self.log(Said::K3s(*end)),
            Fact::Unit(event) => self.log(Said::Systemd(*event)),
            Fact::UnitIs(state) => {
                self.unit.state = state.clone();
                self.unit.since_ms = self.now_ms;
            }
            Fact::UnitCounts(n_restarts) => self.unit.n_restarts = *n_restarts,
            Fact::SandboxMade(sandbox) => self.sandboxes.push((**sandbox).clone()),
            Fact::SandboxStopped { id } => {
                if let Some(sandbox) = self.sandboxes.iter_mut().find(|sandbox| sandbox.id == *id) {
                    sandbox.pid = None;
                }
            }
            Fact::SandboxRemoved { id } => self.sandboxes.retain(|sandbox| sandbox.id != *id),
            Fact::Socket(there) => self.socket = *there,
            Fact::Toolkit(pid, fact) => self.apply_to_toolkit(*pid, fact),
            Fact::Kubelet(fact) => self.kubelet.apply(fact),
            Fact::Sysctl { key, value } => self.kernel.set(key, *value),
            Fact::WentDown { up_ms } => self.go_down(*up_ms),
            Fact::CameUp => {
                self.down_until_ms = None;
                self.log(Said::CameUp);
            }
            Fact::Drawn { ids, pid } => (self.ids, self.last_pid) = (*ids, *pid),
        }
    }

    fn apply_to_toolkit(&mut self, pid: u32, fact: &ToolkitFact) {
        let now_ms = self.now_ms;
        if let ToolkitFact::Started { options, astray } = fact {
            self.toolkits.retain(|toolkit| !matches!(toolkit.phase, Phase::Ended { .. }));
            self.toolkits.push(Toolkit {
                pid,
                options: (**options).clone(),
                astray: *astray,
                started_ms: now_ms,
                phase: Phase::Settling { until_ms: now_ms },
                log: Vec::new(),
            });
            return;
        }
        let Some(toolkit) = self.toolkits.iter_mut().find(|toolkit| toolkit.pid == pid) else { return };
        match fact {
            ToolkitFact::Said(line) => toolkit.log.push((now_ms, line.clone())),
            ToolkitFact::Is(phase) => toolkit.phase = *phase,
            ToolkitFact::Started { .. } => {}
        }
    }

    fn go_down(&mut self, up_ms: u64) {
        self.down_until_ms = Some(up_ms);
        if let Some(process) = self.containerd.take() {
            self.last = Some(Ended { pid: process.pid, end: End::Exited(0), at_ms: self.now_ms });
            self.log(Said::Stop(Arc::new(process.forgetting())));
        }
        self.log(Said::WentDown);
        self.socket = false;
        self.unit = Unit { since_ms: self.now_ms, ..Unit::new() };
        self.toolkits.clear();
        self.kubelet.go_down(self.now_ms);
        self.kernel = Kernel::new(self.kernel.inotify_used);
        for sandbox in &mut self.sandboxes {
            sandbox.pid = None;
        }
        // `/run` lies in memory.
        let files = Arc::make_mut(&mut self.files);
        let below: Vec<String> = files.below("/run").map(String::from).collect();
        for path in below.into_iter().rev() {
            let _ = files.edit(&FileEdit::Remove(path), self.now_ms);
        }
    }

    fn log(&mut self, said: Said) {
        Arc::make_mut(&mut self.journal).push(Entry { at_ms: self.now_ms, said });
    }
}
