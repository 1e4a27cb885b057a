//! `kubectl get --watch`: the table, and a line for every change, in virtual time.

use super::get::{kind_columns, row};
use super::resources::{Wanted, is_meant};
use super::{Session, Stop};
use crate::sim::asking::{QUIET_MS, STOPPED};
use fourgaps_cluster::object::{Id, Object};
use fourgaps_cluster::{Change, change};
use fourgaps_view::kubectl::Widths;

pub(super) fn run(
    session: &mut Session<'_, '_>,
    wanted: &Wanted,
    wide: bool,
    headers: bool,
) -> Result<(), Stop> {
    let kind = wanted.kind;
    let columns = kind_columns(session, kind, wide)?;
    let (objects, missing) = session.find(wanted)?;
    if let Some(first) = missing.first() {
        return Stop::error(first);
    }
    let mut widths = Widths::default();
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut headers = headers.then(|| columns.iter().map(ToString::to_string).collect::<Vec<_>>());
    if !objects.is_empty() {
        rows.extend(headers.take());
    }
    for object in &objects {
        rows.push(row(session, object, columns.len()));
    }
    session.call.out(widths.lines(&rows));
    let selector = session.selector()?;
    let mut quiet_since_ms = session.now_ms;
    while session.call.world.world.now_ms() < quiet_since_ms + QUIET_MS {
        let changes = session.call.world.step(quiet_since_ms + QUIET_MS);
        for (at, fact) in changes.iter().enumerate() {
            session.now_ms = fact.at_ms;
            let change = fact.change.clone();
            // The API server writes a binding and the condition that says so at once.
            let next = changes.get(at + 1).map(|fact| &fact.change);
            let half = matches!((&change, next), (Change::PodStatus { uid, .. }, Some(Change::PodBound { uid: bound, .. })) if uid == bound);
            let gone = matches!(change, Change::Gone(_));
            let Some(object) = seen(session, change).filter(|_| !half) else { continue };
            let named =
                wanted.names.is_empty() || wanted.names.iter().any(|name| **name == *object.key().name);
            if object.kind() != kind || !named || !is_meant(session, &object, &selector) {
                continue;
            }
            quiet_since_ms = session.now_ms;
            let mut rows: Vec<Vec<String>> = headers.take().into_iter().collect();
            rows.push(row(session, &object, columns.len()));
            // A kubelet's last word on a pod takes its time away first, and then the pod goes.
            if gone && matches!(&object, Object::Pod(pod) if pod.is_spent()) {
                rows.push(row(session, &object, columns.len()));
            }
            session.call.out(widths.lines(&rows));
        }
    }
    Err(Stop::Interrupted(STOPPED.into()))
}

/// Folds a change in; gives the object that it concerns, as it is now or was at its end.
fn seen(session: &mut Session<'_, '_>, change: Change) -> Option<Object> {
    use fourgaps_cluster::object::Kind;
    let id = match &change {
        Change::Put(object) => Id { kind: object.kind(), key: object.key() },
        Change::Gone(id) => id.clone(),
        Change::PodBound { uid, .. } | Change::PodStatus { uid, .. } | Change::PodDeleting { uid, .. } => {
            Id { kind: Kind::Pod, key: session.store.pod_with(*uid)?.key.clone() }
        }
        Change::DaemonStatus { key, .. } => Id { kind: Kind::DaemonSet, key: key.clone() },
        Change::Told(_) | Change::ToldAgain { .. } => return None,
    };
    let before = session.store.get(&id);
    session.store.apply(&change::Fact { at_ms: session.now_ms, change });
    session.store.get(&id).or(before)
}
