//! A recorded story, as it is in its file.

use fourgaps_cluster::daemon::Watch;
use serde::Deserialize;
use std::fs;
use std::io;
use std::path::Path;

/// A story.
#[derive(Debug, Deserialize)]
pub struct Story {
    /// When the controller saw what it had done.
    watch_events: String,
    /// The name of the DaemonSet.
    pub daemonset: String,
    /// The nodes at the beginning.
    pub nodes: Vec<String>,
    /// The update strategy at the beginning.
    pub strategy: String,
    /// `minReadySeconds` at the beginning.
    pub min_ready_seconds: u32,
    /// `revisionHistoryLimit` at the beginning.
    pub revision_history_limit: u32,
    /// What happened.
    pub step: Vec<Step>,
}

/// One step and everything that was seen after it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Step {
    /// The number of the step.
    pub n: u32,
    /// The clock of the story.
    pub at_ms: u64,
    /// What was done.
    #[serde(rename = "do")]
    pub words: String,
    /// What the controller did to pods.
    pub actions: Vec<String>,
    /// What it told.
    pub events: Vec<String>,
    /// Why the sync failed.
    pub sync_error: Option<String>,
    /// What kubectl printed.
    pub output: Option<Vec<String>>,
    /// False where the DaemonSet is gone.
    pub ds_exists: Option<bool>,
    /// True where it is to go.
    pub ds_deleting: Option<bool>,
    pub desired: Option<u32>,
    pub current: Option<u32>,
    pub ready: Option<u32>,
    pub updated: Option<u32>,
    pub available: Option<u32>,
    pub unavailable: Option<u32>,
    pub misscheduled: Option<u32>,
    pub generation: Option<u64>,
    #[serde(rename = "observedGeneration")]
    pub observed_generation: Option<u64>,
    #[serde(rename = "templateGeneration")]
    pub template_generation: Option<u64>,
    /// `kubectl get ds`.
    pub get_ds: Option<Vec<String>>,
    /// The line of `kubectl rollout status`.
    pub rollout_status: Option<String>,
    /// Whether that line ends the command.
    pub rollout_done: Option<bool>,
    /// `kubectl get pods -o wide`.
    pub get_pods: Vec<String>,
    /// Numbers and names of the revisions.
    pub revisions: Vec<String>,
    /// The pods of each node.
    pub pods: Vec<String>,
    /// Nodes that should not run a pod.
    pub not_eligible: Vec<String>,
    /// The taints of each node.
    pub taints: Vec<String>,
    /// Whether the step woke the controller.
    pub controller_queued: bool,
}

impl Story {
    /// Reads a story.
    ///
    /// # Errors
    /// Names the file and what is wrong with it.
    pub fn read(file: &Path) -> io::Result<Self> {
        let wrong = |error: String| io::Error::other(format!("{}: {error}", file.display()));
        let text = fs::read_to_string(file).map_err(|error| wrong(error.to_string()))?;
        toml::from_str(&text).map_err(|error| wrong(error.to_string()))
    }

    /// When the controller saw what it had done, where the story says so in words that are known.
    pub fn watch(&self) -> Option<Watch> {
        match self.watch_events.as_str() {
            "after each sync" => Some(Watch::AfterSync),
            "at once" => Some(Watch::AtOnce),
            _ => None,
        }
    }
}
