//! `kubectl rollout status`, `history` and `undo`.

use super::columns;
use fourgaps_cluster::daemonset::Revision;
use fourgaps_cluster::rollout::{Progress, Undo};
use std::sync::Arc;

/// The annotation from which CHANGE-CAUSE comes.
const CHANGE_CAUSE: &str = "kubernetes.io/change-cause";

/// The line that `kubectl rollout status` prints for each change of the DaemonSet; an error is one line too.
pub fn status_line(name: &str, progress: Progress) -> String {
    let waiting = format!("Waiting for daemon set \"{name}\" rollout to finish: ");
    match progress {
        Progress::NotObserved => "Waiting for daemon set spec update to be observed...".into(),
        Progress::Updated(done, all) => format!("{waiting}{done} out of {all} new pods have been updated..."),
        Progress::Available(up, all) => format!("{waiting}{up} of {all} updated pods are available..."),
        Progress::Done => format!("daemon set \"{name}\" successfully rolled out"),
        Progress::OnDelete => {
            "error: rollout status is only available for RollingUpdate strategy type".into()
        }
    }
}

/// `kubectl rollout history`; the revisions lowest number first.
pub fn history(name: &str, revisions: &[&Arc<Revision>]) -> String {
    let mut rows = vec![vec!["REVISION".to_string(), "CHANGE-CAUSE".to_string()]];
    for revision in revisions {
        let cause = revision.meta.annotations.get(CHANGE_CAUSE).filter(|cause| !cause.is_empty());
        rows.push(vec![revision.number.to_string(), cause.map_or("<none>", String::as_str).to_string()]);
    }
    format!("daemonset.apps/{name} \n{}\n", columns(&rows, 2, 0))
}

/// What `kubectl rollout undo` prints; the flag is true for an error.
pub fn undone(name: &str, undo: &Undo) -> (String, bool) {
    match undo {
        Undo::RolledBack => (format!("daemonset.apps/{name} rolled back"), false),
        Undo::Skipped { revision } => {
            let why = format!("current template already matches revision {revision}");
            (format!("daemonset.apps/{name} skipped rollback ({why})"), false)
        }
        Undo::NoHistory => ("error: no last revision to roll back to".into(), true),
        Undo::NoRevision { revision } => {
            (format!("error: unable to find specified revision {revision} in history"), true)
        }
    }
}
