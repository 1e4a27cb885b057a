//! The table of each kind, and those of kinds that are shown rarely.

use super::age;
use super::daemonset::{DAEMONSET_COLUMNS, daemonset_cells};
use super::describe_other::quota_rows;
use super::node::{NODE_COLUMNS, NODE_WIDE, node_cells};
use super::pod::{POD_COLUMNS, POD_WIDE, PodRow};
use fourgaps_base::sort_by_key;
use fourgaps_cluster::daemonset::Revision;
use fourgaps_cluster::disruption::disruptions;
use fourgaps_cluster::event::Event;
use fourgaps_cluster::meta::{Meta, Uid};
use fourgaps_cluster::object::{Kind, Object, Plain};
use fourgaps_cluster::read::{entries, part, text};
use fourgaps_cluster::{EPOCH_MS, Store};
use serde_json::{Value, json};
use std::sync::Arc;

/// The columns of `kubectl get events -o wide`, and those of them that stand there only then.
pub(crate) const EVENT_COLUMNS: [&str; 10] = [
    "LAST SEEN",
    "TYPE",
    "REASON",
    "OBJECT",
    "SUBOBJECT",
    "SOURCE",
    "MESSAGE",
    "FIRST SEEN",
    "COUNT",
    "NAME",
];
pub(crate) const EVENT_WIDE: [&str; 5] = ["SUBOBJECT", "SOURCE", "FIRST SEEN", "COUNT", "NAME"];
/// The columns of `kubectl get controllerrevisions`.
pub(crate) const REVISION_COLUMNS: [&str; 4] = ["NAME", "CONTROLLER", "REVISION", "AGE"];
/// Identities of events begin here, far behind those of objects.
const EVENT_UIDS: u64 = 1 << 48;

/// The events as objects of the API, by namespace and name.
pub fn events_of(store: &Store) -> Vec<Object> {
    let mut events: Vec<Object> =
        store.events().iter().enumerate().map(|(at, event)| event_of(at, event)).collect();
    sort_by_key(&mut events, Object::key);
    events
}

/// An event as an object of the API, by its place in the store. Events of nodes live in the namespace `default`. Their names are
/// those of what they are about and the moment of the first, in nanoseconds; here the last digits tell apart those of one moment.
pub fn event_of(at: usize, event: &Event) -> Object {
    let at = u64::try_from(at).unwrap_or(0);
    let about = &event.note.about;
    let mut object = json!({
        "apiVersion": about.kind.api_version(),
        "kind": about.kind.name(),
        "name": about.key.name,
    });
    if !about.key.namespace.is_empty() {
        object["namespace"] = about.key.namespace.as_ref().into();
    }
    if let Some(uid) = event.note.uid {
        object["uid"] = uid.to_string().into();
    }
    let namespace = if about.key.namespace.is_empty() { "default" } else { &about.key.namespace };
    let nanos = (EPOCH_MS + event.first_ms) * 1_000_000 + at % 1_000_000;
    let mut meta = Meta::new(namespace, &format!("{}.{nanos:x}", about.key.name));
    (meta.uid, meta.created_ms) = (Uid(EVENT_UIDS + at), event.first_ms);
    let body = json!({
        "count": event.count,
        "eventTime": null,
        "firstTimestamp": event.first_ms,
        "involvedObject": object,
        "lastTimestamp": event.last_ms,
        "message": event.note.message,
        "reason": event.note.reason,
        "reportingComponent": event.note.source,
        "reportingInstance": "",
        "source": { "component": event.note.source },
        "type": event.note.level.name(),
    });
    Object::Other(Kind::Event, Arc::new(Plain { meta, body }))
}

/// The cells of an event (`printEvent`).
fn event_cells(plain: &Plain, now_ms: u64) -> Vec<String> {
    let body = &plain.body;
    let about = part(body, "involvedObject");
    let said = |value: &Value, field: &str| text(value, field).unwrap_or_default().to_string();
    let since = |field: &str| age(now_ms.saturating_sub(part(body, field).as_u64().unwrap_or(0)));
    vec![
        since("lastTimestamp"),
        said(body, "type"),
        said(body, "reason"),
        format!("{}/{}", said(about, "kind").to_ascii_lowercase(), said(about, "name")),
        String::new(),
        said(part(body, "source"), "component"),
        said(body, "message").trim().to_string(),
        since("firstTimestamp"),
        super::jsonpath::shown(part(body, "count")),
        plain.meta.name.clone(),
    ]
}

/// The cells of a revision (`printControllerRevision`).
fn revision_cells(revision: &Revision, now_ms: u64) -> Vec<String> {
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

/// The columns of the table of a kind, each with whether it stands there only with `-o wide`.
pub fn kind_columns(kind: Kind) -> Vec<(&'static str, bool)> {
    let (all, plain) = match kind {
        Kind::Node => ([&NODE_COLUMNS[..], &NODE_WIDE].concat(), NODE_COLUMNS.len()),
        Kind::Pod => ([&POD_COLUMNS[..], &POD_WIDE].concat(), POD_COLUMNS.len()),
        Kind::DaemonSet => (DAEMONSET_COLUMNS.to_vec(), DAEMONSET_COLUMNS.len() - 3),
        Kind::Event => {
            return EVENT_COLUMNS.into_iter().map(|head| (head, EVENT_WIDE.contains(&head))).collect();
        }
        kind => {
            let (all, plain) = plain_columns(kind);
            (all.to_vec(), plain)
        }
    };
    all.into_iter().enumerate().map(|(at, head)| (head, at >= plain)).collect()
}

/// The cells of an object for all columns of its kind.
pub fn cells_of(store: &Store, object: &Object, now_ms: u64) -> Vec<String> {
    match object {
        Object::Node(node) => node_cells(node, now_ms),
        Object::Pod(pod) => PodRow::new(pod, now_ms).cells(),
        Object::DaemonSet(set) => daemonset_cells(set, now_ms),
        Object::Revision(revision) => revision_cells(revision, now_ms),
        Object::Other(Kind::Event, plain) => event_cells(plain, now_ms),
        Object::Other(kind, plain) => plain_cells(store, *kind, plain, now_ms),
    }
}

/// The columns of a kind whose fields nobody needs typed, and how many of them stand there without `-o wide`.
fn plain_columns(kind: Kind) -> (&'static [&'static str], usize) {
    if let Some(columns) = super::workload::columns_of(kind) {
        return columns;
    }
    let columns: &[&str] = match kind {
        Kind::ControllerRevision => &REVISION_COLUMNS,
        Kind::Lease => &["NAME", "HOLDER", "AGE"],
        Kind::RuntimeClass => &["NAME", "HANDLER", "AGE"],
        Kind::ResourceQuota => &["NAME", "REQUEST", "LIMIT", "AGE"],
        Kind::PodDisruptionBudget => {
            &["NAME", "MIN AVAILABLE", "MAX UNAVAILABLE", "ALLOWED DISRUPTIONS", "AGE"]
        }
        Kind::ConfigMap => &["NAME", "DATA", "AGE"],
        Kind::Namespace => &["NAME", "STATUS", "AGE"],
        _ => &["NAME", "AGE"],
    };
    (columns, columns.len())
}

/// The cells of such a kind.
fn plain_cells(store: &Store, kind: Kind, plain: &Arc<Plain>, now_ms: u64) -> Vec<String> {
    if super::workload::columns_of(kind).is_some() {
        return super::workload::cells_of(kind, plain, now_ms);
    }
    let body = &plain.body;
    let spec = part(body, "spec");
    let or_none = |value: &Value| match value {
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
            cells.extend(["minAvailable", "maxUnavailable"].map(|field| or_none(part(spec, field))));
            cells.push(disruptions(store, plain).allowed.to_string());
        }
        Kind::ConfigMap => {
            let count = |field: &str| entries(body, field).count();
            cells.push((count("data") + count("binaryData")).to_string());
        }
        Kind::Lease => cells.push(text(spec, "holderIdentity").unwrap_or_default().into()),
        Kind::Namespace => cells.push("Active".into()),
        _ => {}
    }
    cells.push(age(now_ms.saturating_sub(plain.meta.created_ms)));
    cells
}
