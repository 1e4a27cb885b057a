//! `kubectl rollout status`, `history` and `undo`.

use super::columns;
use fourgaps_cluster::daemonset::Revision;
use fourgaps_cluster::read::text;
use fourgaps_cluster::rollout::{Progress, Undo};
use fourgaps_cluster::workload::Deployment;
use std::sync::Arc;

/// The annotation from which CHANGE-CAUSE comes.
pub const CHANGE_CAUSE: &str = "kubernetes.io/change-cause";

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
    let one = |revision: &&Arc<Revision>| {
        let cause = revision.meta.annotations.get(CHANGE_CAUSE).cloned();
        (revision.number, cause)
    };
    let revisions: Vec<(u64, Option<String>)> = revisions.iter().map(one).collect();
    history_of(&format!("daemonset.apps/{name}"), &revisions)
}

/// The same for any workload: the number and the cause of each revision.
pub fn history_of(name: &str, revisions: &[(u64, Option<String>)]) -> String {
    let mut rows = vec![vec!["REVISION".to_string(), "CHANGE-CAUSE".to_string()]];
    for (number, cause) in revisions {
        let cause = cause.as_deref().filter(|cause| !cause.is_empty()).unwrap_or("<none>");
        rows.push(vec![number.to_string(), cause.to_string()]);
    }
    format!("{name} \n{}\n", columns(&rows, 2, 0))
}

/// The line that `kubectl rollout status` prints for each change of a Deployment, and whether it is the last one; an error is
/// one line too.
pub fn deployment_line(deployment: &Deployment) -> (String, bool) {
    let meta = &deployment.plain.meta;
    let waiting = format!("Waiting for deployment \"{}\" rollout to finish: ", meta.name);
    let count = |field: &str| deployment.status_count(field);
    let (updated, all) = (count("updatedReplicas"), count("replicas"));
    let reason = deployment.condition("Progressing").and_then(|one| text(one, "reason"));
    let line = if meta.generation > u64::from(count("observedGeneration")) {
        "Waiting for deployment spec update to be observed...".into()
    } else if reason == Some("ProgressDeadlineExceeded") {
        format!("error: deployment \"{}\" exceeded its progress deadline", meta.name)
    } else if updated < deployment.replicas {
        format!("{waiting}{updated} out of {} new replicas have been updated...", deployment.replicas)
    } else if all > updated {
        format!("{waiting}{} old replicas are pending termination...", all - updated)
    } else if count("availableReplicas") < updated {
        format!("{waiting}{} of {updated} updated replicas are available...", count("availableReplicas"))
    } else {
        return (format!("deployment \"{}\" successfully rolled out", meta.name), true);
    };
    (line, false)
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
