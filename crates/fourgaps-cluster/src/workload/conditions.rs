//! The status of a Deployment: its numbers and its conditions (`calculateStatus`, `syncRolloutStatus`).

use super::view::{Deployment, ReplicaSet, count};
use crate::meta::whole_seconds;
use crate::read::{items, number, text};
use serde_json::{Value, json};

/// How long a Deployment may make no progress where a manifest says nothing, in seconds.
const DEADLINE_S: u64 = 600;
/// The reason of a Deployment that has all that it wants.
const DONE: &str = "NewReplicaSetAvailable";

/// What a status follows from.
pub(super) struct Progress<'p> {
    pub deployment: &'p Deployment,
    pub all: &'p [ReplicaSet],
    pub new: Option<&'p ReplicaSet>,
    /// True where the newest ReplicaSet was just made.
    pub made: bool,
    pub now_ms: u64,
}

/// A condition's type, status, reason and message.
type Said<'s> = (&'s str, &'s str, &'s str, String);

/// True where every pod is of the newest template and available.
pub(super) fn is_complete(deployment: &Deployment, status: &Value) -> bool {
    let generation = i64::try_from(deployment.plain.meta.generation).unwrap_or(i64::MAX);
    ["updatedReplicas", "replicas", "availableReplicas"]
        .iter()
        .all(|field| count(status, field) == deployment.replicas)
        && number(status, "observedGeneration").unwrap_or(0) >= generation
}

/// The status now, and when it is to be looked at again because the time of a rollout may be up, in milliseconds.
pub(super) fn status(progress: &Progress<'_>) -> (Value, Option<u64>) {
    let Progress { deployment, all, new, now_ms, .. } = *progress;
    let sum = |of: fn(&ReplicaSet) -> u32| all.iter().map(of).sum::<u32>();
    let available = sum(|set| set.status.available);
    let numbers = [
        ("availableReplicas", available),
        ("readyReplicas", sum(|set| set.status.ready)),
        ("replicas", sum(|set| set.status.replicas)),
        ("unavailableReplicas", sum(|set| set.replicas).saturating_sub(available)),
        ("updatedReplicas", new.map_or(0, |set| set.status.replicas)),
    ];
    let mut status = json!({ "observedGeneration": deployment.plain.meta.generation });
    for (field, number) in numbers.into_iter().filter(|(_, number)| *number > 0) {
        status[field] = number.into();
    }
    let mut conditions: Vec<Value> = items(deployment.status(), "conditions").cloned().collect();
    if progress.made
        && let Some(new) = new
    {
        let message = format!("Created new replica set \"{}\"", new.name());
        say(&mut conditions, ("Progressing", "True", "NewReplicaSetCreated", message), now_ms);
    }
    let least = deployment.replicas.saturating_sub(deployment.may_miss());
    let enough: Said<'_> = match available >= least {
        true => {
            ("Available", "True", "MinimumReplicasAvailable", "Deployment has minimum availability.".into())
        }
        false => (
            "Available",
            "False",
            "MinimumReplicasUnavailable",
            "Deployment does not have minimum availability.".into(),
        ),
    };
    say(&mut conditions, enough, now_ms);
    let due_ms = tell_progress(progress, &status, &mut conditions);
    status["conditions"] = Value::Array(conditions);
    (status, due_ms)
}

fn tell_progress(progress: &Progress<'_>, status: &Value, conditions: &mut Vec<Value>) -> Option<u64> {
    let Progress { deployment, new, now_ms, .. } = *progress;
    let old = conditions.iter().find(|one| text(one, "type") == Some("Progressing")).cloned();
    let reason = old.as_ref().and_then(|one| text(one, "reason")).unwrap_or_default();
    if deployment.paused {
        let said = ("Progressing", "Unknown", "DeploymentPaused", "Deployment is paused".to_string());
        if reason != said.2 {
            say(conditions, said, now_ms);
        }
        return None;
    }
    if reason == "DeploymentPaused" {
        let said = ("Progressing", "Unknown", "DeploymentResumed", "Deployment is resumed".to_string());
        say(conditions, said, now_ms);
        return Some(now_ms);
    }
    let name = new.map_or(&*deployment.plain.meta.name, ReplicaSet::name);
    let what = if new.is_some() { "ReplicaSet" } else { "Deployment" };
    let same = count(status, "replicas") == count(status, "updatedReplicas");
    if same && reason == DONE {
        return None;
    }
    let was = |field: &str| deployment.status_count(field);
    let is = |field: &str| count(status, field);
    let olds = |replicas: u32, updated: u32| replicas.saturating_sub(updated);
    let moves = is("updatedReplicas") > was("updatedReplicas")
        || olds(is("replicas"), is("updatedReplicas")) < olds(was("replicas"), was("updatedReplicas"))
        || is("readyReplicas") > was("readyReplicas")
        || is("availableReplicas") > was("availableReplicas");
    let deadline_ms = number(deployment.spec(), "progressDeadlineSeconds")
        .and_then(|seconds| u64::try_from(seconds).ok())
        .unwrap_or(DEADLINE_S)
        * 1000;
    if is_complete(deployment, status) {
        let message = format!("{what} \"{name}\" has successfully progressed.");
        say(conditions, ("Progressing", "True", DONE, message), now_ms);
        return None;
    }
    if moves {
        let message = format!("{what} \"{name}\" is progressing.");
        let said = ("Progressing", "True", "ReplicaSetUpdated", message);
        // A sign of life moves the clock, though the condition stays.
        conditions.retain(|one| text(one, "type") != Some("Progressing"));
        let since = old.as_ref().filter(|one| text(one, "status") == Some("True"));
        let since =
            since.and_then(|one| number(one, "lastTransitionTime")).and_then(|ms| u64::try_from(ms).ok());
        conditions.push(written(said, now_ms, since.unwrap_or(now_ms)));
        return Some(whole_seconds(now_ms) + deadline_ms);
    }
    let begun = old.as_ref().and_then(|one| number(one, "lastUpdateTime"));
    let begun = begun.and_then(|ms| u64::try_from(ms).ok()).unwrap_or(now_ms);
    if reason == "ProgressDeadlineExceeded" {
        return None;
    }
    if now_ms < begun + deadline_ms {
        return Some(begun + deadline_ms);
    }
    let message = format!("{what} \"{name}\" has timed out progressing.");
    say(conditions, ("Progressing", "False", "ProgressDeadlineExceeded", message), now_ms);
    None
}

/// `SetDeploymentCondition`: what says the same stays; the newest word stands last. Moments are kept as numbers, and written
/// out where somebody reads the object.
fn say(conditions: &mut Vec<Value>, said: Said<'_>, now_ms: u64) {
    let old = conditions.iter().find(|one| text(one, "type") == Some(said.0));
    let (mut since_ms, mut same) = (now_ms, false);
    if let Some(old) = old {
        same = text(old, "status") == Some(said.1) && text(old, "reason") == Some(said.2);
        let before = number(old, "lastTransitionTime").and_then(|ms| u64::try_from(ms).ok());
        since_ms = before.filter(|_| text(old, "status") == Some(said.1)).unwrap_or(now_ms);
    }
    if !same {
        conditions.retain(|one| text(one, "type") != Some(said.0));
        conditions.push(written(said, now_ms, since_ms));
    }
}

fn written((kind, status, reason, message): Said<'_>, now_ms: u64, since_ms: u64) -> Value {
    json!({
        "lastTransitionTime": whole_seconds(since_ms),
        "lastUpdateTime": whole_seconds(now_ms),
        "message": message,
        "reason": reason,
        "status": status,
        "type": kind,
    })
}
