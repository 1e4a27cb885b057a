//! `kubectl get` of the kinds that have few columns.

use super::age;
use fourgaps_cluster::admission;
use fourgaps_cluster::daemonset::Revision;
use fourgaps_cluster::disruption;
use fourgaps_cluster::event::Event;
use fourgaps_cluster::object::{Kind, Plain};
use fourgaps_cluster::store::Store;
use serde_json::Value;

/// The columns of `kubectl get runtimeclass`.
pub const RUNTIME_CLASS_COLUMNS: [&str; 3] = ["NAME", "HANDLER", "AGE"];
/// The columns of `kubectl get controllerrevisions`.
pub const REVISION_COLUMNS: [&str; 4] = ["NAME", "CONTROLLER", "REVISION", "AGE"];
/// The columns of `kubectl get events`.
pub const EVENT_COLUMNS: [&str; 5] = ["LAST SEEN", "TYPE", "REASON", "OBJECT", "MESSAGE"];
/// The columns of `kubectl get resourcequota`.
pub const QUOTA_COLUMNS: [&str; 4] = ["NAME", "REQUEST", "LIMIT", "AGE"];
/// The columns of `kubectl get pdb`.
pub const PDB_COLUMNS: [&str; 5] = ["NAME", "MIN AVAILABLE", "MAX UNAVAILABLE", "ALLOWED DISRUPTIONS", "AGE"];

/// The cells of a RuntimeClass.
pub fn runtime_class_cells(class: &Plain, now_ms: u64) -> Vec<String> {
    let handler = class.body.get("handler").and_then(Value::as_str).unwrap_or_default();
    vec![class.meta.name.clone(), handler.into(), age(now_ms.saturating_sub(class.meta.created_ms))]
}

/// The cells of a revision.
pub fn revision_cells(revision: &Revision, now_ms: u64) -> Vec<String> {
    let owner = revision.meta.owner.as_ref();
    let kind = owner.and_then(|owner| Kind::meant(&owner.kind));
    let controller = match (owner, kind) {
        (Some(owner), Some(kind)) => format!("{}/{}", kind.told(), owner.name),
        _ => "<none>".into(),
    };
    let span = age(now_ms.saturating_sub(revision.meta.created_ms));
    vec![revision.meta.name.clone(), controller, revision.number.to_string(), span]
}

/// The cells of an event.
pub fn event_cells(event: &Event, now_ms: u64) -> Vec<String> {
    let note = &event.note;
    vec![
        age(now_ms.saturating_sub(event.last_ms)),
        note.level.name().into(),
        note.reason.to_string(),
        format!("{}/{}", note.about.kind.singular(), note.about.key.name),
        note.message.trim().into(),
    ]
}

/// The cells of a budget for disruptions.
pub fn pdb_cells(store: &Store, budget: &Plain, now_ms: u64) -> Vec<String> {
    let share = |field: &str| match &budget.body["spec"][field] {
        Value::Null => "N/A".to_string(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    vec![
        budget.meta.name.clone(),
        share("minAvailable"),
        share("maxUnavailable"),
        disruption::disruptions(store, budget).allowed.to_string(),
        age(now_ms.saturating_sub(budget.meta.created_ms)),
    ]
}

/// The cells of a quota (`printResourceQuota`): `resource: used/hard`, limits in a cell of their own.
pub fn quota_cells(store: &Store, quota: &Plain, now_ms: u64) -> Vec<String> {
    let hard = admission::hard(quota);
    let used = admission::used(store, &quota.meta.namespace, &hard);
    let cell = |limits: bool| {
        let shown = hard.iter().filter(|(name, _)| name.starts_with("limits") == limits);
        let one = |(name, hard): (&String, _)| {
            format!("{name}: {}/{hard}", used.get(name).copied().unwrap_or_default())
        };
        shown.map(one).collect::<Vec<_>>().join(", ")
    };
    let span = age(now_ms.saturating_sub(quota.meta.created_ms));
    vec![quota.meta.name.clone(), cell(false), cell(true), span]
}
