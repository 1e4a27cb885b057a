//! The systemd unit of containerd, and who starts the process again when it ends.
//! Source: `containerd.service` of each version (the same in all that matters here), and systemd.service(5).

use crate::process::{End, Signal};
use fourgaps_base::kept_variants;

/// Who looks after the containerd process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Supervisor {
    /// systemd, with this `Restart=`.
    Systemd(Restart),
    /// k3s, which systemd always restarts. containerd's file is [`crate::K3S_CONFIG`], as k3s wrote it last.
    K3s,
    /// Nobody: somebody started it by hand.
    None,
}

/// `Restart=` of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Restart {
    /// Never.
    No,
    /// After every end that nobody asked systemd for; in the unit that containerd ships.
    Always,
    /// After an end that is not clean. SIGHUP, SIGINT, SIGTERM and SIGPIPE are clean ends.
    OnFailure,
}

/// The unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// Its state.
    pub state: UnitState,
    /// Since when, in ms of virtual time.
    pub since_ms: u64,
    /// How often systemd has started it again by itself, since it was last started by hand.
    pub n_restarts: u32,
    /// The starts of the last ten seconds, in ms: systemd refuses the sixth.
    pub(crate) starts_ms: Vec<u64>,
}

/// The state of a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnitState {
    /// `inactive (dead)`.
    Dead,
    /// `active (running)`.
    Running,
    /// `activating (auto-restart)`: it is started again at this time, in ms.
    AutoRestart {
        /// When.
        due_ms: u64,
        /// How the process before ended.
        result: JobEnd,
    },
    /// `failed`.
    Failed(JobEnd),
}
kept_variants!(UnitState {
    "Dead" => Dead {},
    "Running" => Running {},
    "AutoRestart" => AutoRestart { due_ms, result },
    "Failed" => Failed(result),
});

/// `Result=` of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobEnd {
    /// A clean end.
    Success,
    /// A status other than 0.
    ExitCode,
    /// An unclean signal.
    Signal,
    /// It was started too often.
    StartLimitHit,
}
kept_variants!(JobEnd {
    "Success" => Success {},
    "ExitCode" => ExitCode {},
    "Signal" => Signal {},
    "StartLimitHit" => StartLimitHit {},
});

impl JobEnd {
    pub(crate) fn of(end: End) -> Self {
        match end {
            End::Exited(0) => Self::Success,
            End::Killed(Signal::Hup | Signal::Int | Signal::Term | Signal::Pipe) => Self::Success,
            End::Exited(_) => Self::ExitCode,
            End::Killed(_) => Self::Signal,
        }
    }

    /// The word that `systemctl show` has for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::ExitCode => "exit-code",
            Self::Signal => "signal",
            Self::StartLimitHit => "start-limit-hit",
        }
    }
}

/// `RestartSec=` of the shipped unit.
pub(crate) const RESTART_AFTER_MS: u64 = 5_000;
/// `StartLimitIntervalSec=` of systemd's own defaults.
pub(crate) const LIMIT_SPAN_MS: u64 = 10_000;
/// `StartLimitBurst=` of systemd's own defaults.
pub(crate) const LIMIT_BURST: usize = 5;

impl Unit {
    pub(crate) fn new() -> Self {
        Self { state: UnitState::Dead, since_ms: 0, n_restarts: 0, starts_ms: Vec::new() }
    }

    /// True where a start at this time is one too many.
    pub(crate) fn limit_is_hit(&self, now_ms: u64) -> bool {
        let recent = self.starts_ms.iter().filter(|at| **at + LIMIT_SPAN_MS > now_ms).count();
        recent >= LIMIT_BURST
    }
}

impl Restart {
    /// True where a unit is started again after such an end.
    pub(crate) fn after(self, result: JobEnd) -> bool {
        match self {
            Self::No => false,
            Self::Always => true,
            Self::OnFailure => result != JobEnd::Success,
        }
    }
}
