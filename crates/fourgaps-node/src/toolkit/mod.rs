//! The NVIDIA toolkit: its container's life, and how it edits a containerd configuration.

mod ctk;
mod editing;
mod files;
mod life;
mod log;
mod options;
mod release;
#[cfg(test)]
mod tests;

pub use ctk::CtkAnswer;
pub(crate) use files::Dumped;
pub use log::{Level, LogLine};
pub use options::Options;
pub use release::Release;

use crate::process::End;
use fourgaps_base::kept_variants;

/// A run of the toolkit's container.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Toolkit {
    /// The number of its process on the node.
    pub pid: u32,
    /// What it was told.
    pub options: Options,
    /// Which of its signals go astray.
    pub astray: Astray,
    /// When it was started, in ms of virtual time.
    pub started_ms: u64,
    /// What it is doing.
    pub phase: Phase,
    /// Its log, with the time of each line in ms.
    pub log: Vec<(u64, LogLine)>,
}

/// What a run is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The entrypoint looks for the driver again at this time, in ms.
    WaitingForDriver {
        /// When.
        next_ms: u64,
    },
    /// The entrypoint sleeps until then.
    Settling {
        /// When.
        until_ms: u64,
    },
    /// Its programs are copied until then; meanwhile they are not there.
    Installing {
        /// When.
        until_ms: u64,
    },
    /// containerd could not be reached, and is tried again.
    Signalling {
        /// How many tries there were.
        tries: u32,
        /// When, in ms.
        next_ms: u64,
        /// Whether this is the clean-up.
        cleaning: bool,
    },
    /// It waits for a signal.
    Waiting,
    /// It ended.
    Ended {
        /// How.
        end: End,
        /// When, in ms.
        at_ms: u64,
    },
}
kept_variants!(Phase {
    "WaitingForDriver" => WaitingForDriver { next_ms },
    "Settling" => Settling { until_ms },
    "Installing" => Installing { until_ms },
    "Signalling" => Signalling { tries, next_ms, cleaning },
    "Waiting" => Waiting {},
    "Ended" => Ended { end, at_ms },
});

/// Which signals to containerd hit the toolkit itself: containerd's first bytes came before the toolkit had asked for
/// the sender's credentials, so that the process id reads 0 (`toolkit/*/missed/` of the recordings).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Astray {
    /// The one of the set-up, and when the toolkit noticed.
    pub setup: Option<Noticed>,
    /// The one of the clean-up, which the toolkit does not notice.
    pub cleanup: bool,
}

/// When a toolkit notices its own signal: a race between its threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Noticed {
    /// Before it logs its success.
    AtOnce,
    /// After it logged its success, and that it waits: it ends early all the same.
    AfterSuccess,
    /// When it waits: it cleans up.
    Waiting,
}
