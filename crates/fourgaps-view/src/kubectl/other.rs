//! Tables of kinds that are shown rarely.

use super::age;
use super::describe_other::quota_rows;
use fourgaps_cluster::Store;
use fourgaps_cluster::daemonset::Revision;
use fourgaps_cluster::disruption::disruptions;
use fourgaps_cluster::event::Event;
use fourgaps_cluster::object::{Kind, Plain};
use fourgaps_cluster::read::{entries, part};
use serde_json::Value;
use std::sync::Arc;

/// The columns of `kubectl get events`.
pub const EVENT_COLUMNS: [&str; 5] = ["LAST SEEN", "TYPE", "REASON", "OBJECT", "MESSAGE"];
/// The columns of `kubectl get controllerrevisions`.
pub const REVISION_COLUMNS: [&str; 4] = ["NAME", "CONTROLLER", "REVISION", "AGE"];

/// The cells of an event (`printEvent`).
pub fn event_cells(event: &Event, now_ms: u64) -> Vec<String> {
    let note = &event.note;
    vec![
        age(now_ms.saturating_sub(event.last_ms)),
        note.level.name().into(),
        note.reason.to_string(),
        format!("{}/{}", note.about.kind.singular(), note.about.key.name),
        note.message.trim().to_string(),
    ]
}

/// The cells of a revision (`printControllerRevision`).
pub fn revision_cells(revision: &Revision, now_ms: u64) -> Vec<String> {
    let owner = revision.meta.owner.as_ref();
    vec![
        revision.meta.name.clone(),
        owner.map_or("<none>".into(), |owner| {
            format!("{}.apps/{}", owner.kind.to_ascii_lowercase(), owner.name)
        }),
        revision.number.to_string(),
        age(now_ms.saturating_sub(revision.meta.created_ms)),
    ]
}

/// The columns of a kind whose fields nobody needs typed, and how many of them stand there without `-o wide`; nothing where
/// its table is not known here.
pub fn plain_columns(kind: Kind) -> Option<(&'static [&'static str], usize)> {
    if let Some(columns) = super::workload::columns_of(kind) {
        return Some(columns);
    }
    let columns: &[&str] = match kind {
        Kind::RuntimeClass => &["NAME", "HANDLER", "AGE"],
        Kind::ResourceQuota => &["NAME", "REQUEST", "LIMIT", "AGE"],
        Kind::PodDisruptionBudget => {
            &["NAME", "MIN AVAILABLE", "MAX UNAVAILABLE", "ALLOWED DISRUPTIONS", "AGE"]
        }
        Kind::ConfigMap => &["NAME", "DATA", "AGE"],
        Kind::Namespace => &["NAME", "STATUS", "AGE"],
        _ => return None,
    };
    Some((columns, columns.len()))
}

/// The cells of such a kind.
pub fn plain_cells(store: &Store, kind: Kind, plain: &Arc<Plain>, now_ms: u64) -> Vec<String> {
    if super::workload::columns_of(kind).is_some() {
        return super::workload::cells_of(kind, plain, now_ms);
    }
    let body = &plain.body;
    let spec = part(body, "spec");
    let text = |value: &Value| match value {
        Value::Null => "N/A".into(),
        value => super::jsonpath::shown(value),
    };
    let mut cells = vec![plain.meta.name.clone()];
    match kind {
        Kind::RuntimeClass => cells.push(super::jsonpath::shown(part(body, "handler"))),
        Kind::ResourceQuota => {
            let rows = quota_rows(store, plain);
            let of = |limits: bool| {
                let rows = rows.iter().filter(|(name, ..)| name.starts_with("limits.") == limits);
                rows.map(|(name, used, hard)| format!("{name}: {used}/{hard}")).collect::<Vec<_>>().join(", ")
            };
            cells.extend([of(false), of(true)]);
        }
        Kind::PodDisruptionBudget => {
            cells.extend(["minAvailable", "maxUnavailable"].map(|field| text(part(spec, field))));
            cells.push(disruptions(store, plain).allowed.to_string());
        }
        Kind::ConfigMap => cells.push(entries(body, "data").count().to_string()),
        Kind::Namespace => cells.push("Active".into()),
        _ => {}
    }
    cells.push(age(now_ms.saturating_sub(plain.meta.created_ms)));
    cells
}
