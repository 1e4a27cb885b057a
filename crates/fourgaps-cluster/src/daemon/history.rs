//! The revisions of a DaemonSet: found, made, numbered and thrown away (`constructHistory`, `cleanupHistory`).

use crate::api::Refusal;
use crate::change::Change;
use crate::cluster::Cluster;
use crate::daemonset::{DaemonSet, DaemonStatus, Revision};
use crate::meta::{Key, Meta, Owner, Uid, whole_seconds};
use crate::object::{Id, Kind, Object};
use crate::pod::{HASH_LABEL, Pod, Shape};
use crate::spec::Template;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The hash of a template, in the alphabet of Kubernetes: FNV-1a of 32 bits, in decimal, each digit replaced so that no
/// word can arise. Kubernetes hashes its own in-memory form; here it is the JSON text, so the hashes differ from those
/// of a real cluster and from nothing else.
pub fn hash_of(template: &Template, collisions: u32) -> String {
    let mut hash = 0x811c_9dc5_u32;
    let mut feed = |bytes: &[u8]| {
        for byte in bytes {
            hash = (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193);
        }
    };
    feed(template.given.to_string().as_bytes());
    if collisions > 0 {
        feed(&collisions.to_le_bytes());
    }
    let digits = hash.to_string();
    digits.bytes().map(|digit| char::from(b"456789bcdf"[usize::from(digit - b'0')])).collect()
}

/// Finds or makes the revision of the template as it is now and gives it the highest number.
///
/// # Errors
/// Another template has its name; the next try will use another one.
pub fn construct(cluster: &mut Cluster, set: &DaemonSet) -> Result<Arc<Revision>, Refusal> {
    let all = cluster.store().revisions_of(set.meta.uid);
    let is_current = |revision: &Arc<Revision>| same(&revision.template, &set.template);
    let highest_old =
        all.iter().filter(|revision| !is_current(revision)).map(|revision| revision.number).max();
    let number = highest_old.unwrap_or(0) + 1;
    let mut current: Vec<Arc<Revision>> =
        all.into_iter().filter(|revision| is_current(revision)).cloned().collect();
    let Some(newest) = current.pop() else { return snapshot(cluster, set, number) };
    for twin in current {
        relabel(cluster, set, newest.hash());
        cluster.commit(Change::Gone(Id { kind: Kind::ControllerRevision, key: twin.meta.key() }));
    }
    if newest.number >= number {
        return Ok(newest);
    }
    let raised = Arc::new(Revision { number, ..(*newest).clone() });
    cluster.commit(Change::Put(Object::Revision(raised.clone())));
    Ok(raised)
}

/// Revisions that nobody controls and that match the selector become the DaemonSet's own (`controlledHistories`); true where
/// there were any.
pub fn adopt(cluster: &mut Cluster, set: &DaemonSet) -> bool {
    let mine = |revision: &&Arc<Revision>| {
        revision.meta.owner.is_none()
            && revision.meta.namespace == set.meta.namespace
            && set.selector.matches(&revision.meta.labels)
    };
    let found: Vec<Arc<Revision>> = cluster.store().revisions().filter(mine).cloned().collect();
    for revision in &found {
        let meta = Meta { owner: Some(owner(set)), ..revision.meta.clone() };
        let revision = Arc::new(Revision { meta, ..(**revision).clone() });
        cluster.commit(Change::Put(Object::Revision(revision)));
    }
    !found.is_empty()
}

fn same(a: &Arc<Template>, b: &Arc<Template>) -> bool {
    Arc::ptr_eq(a, b) || a.given == b.given
}

fn snapshot(cluster: &mut Cluster, set: &DaemonSet, number: u64) -> Result<Arc<Revision>, Refusal> {
    let hash = hash_of(&set.template, set.status.collisions);
    let key = Key::new(&set.meta.namespace, &format!("{}-{hash}", set.meta.name));
    if cluster.store().revision(&key).is_some() {
        let status = DaemonStatus { collisions: set.status.collisions + 1, ..set.status };
        cluster.commit(Change::DaemonStatus { key: set.meta.key(), status: Box::new(status) });
        return Err(Refusal::AlreadyExists(Id { kind: Kind::ControllerRevision, key }));
    }
    let mut meta = Meta::new(&key.namespace, &key.name);
    meta.uid = cluster.next_uid();
    meta.created_ms = whole_seconds(cluster.now_ms());
    meta.labels = set.template.labels.clone();
    meta.labels.insert(HASH_LABEL.into(), hash);
    meta.annotations = set.meta.annotations.clone();
    meta.owner = Some(owner(set));
    let revision = Arc::new(Revision { meta, number, template: set.template.clone() });
    cluster.commit(Change::Put(Object::Revision(revision.clone())));
    Ok(revision)
}

/// The reference by which a DaemonSet's pods and revisions name it.
pub fn owner(set: &DaemonSet) -> Owner {
    Owner { kind: "DaemonSet".into(), name: set.meta.name.clone(), uid: set.meta.uid }
}

/// Gives every pod the label of this revision.
fn relabel(cluster: &mut Cluster, set: &DaemonSet, hash: &str) {
    let uids: Vec<Uid> = cluster.store().pods_of(set.meta.uid).map(|pod| pod.uid).collect();
    for uid in uids {
        let Some(pod) = cluster.store().pod_with(uid).filter(|pod| pod.hash() != hash).cloned() else {
            continue;
        };
        let mut shape: Shape = (*pod.shape).clone();
        shape.labels.insert(HASH_LABEL.into(), hash.into());
        let pod = Pod { shape: Arc::new(shape), ..(*pod).clone() };
        cluster.commit(Change::Put(Object::Pod(Arc::new(pod))));
    }
}

/// The hashes on pods, also on spent ones.
pub fn hashes_on_pods(cluster: &Cluster, set: &DaemonSet) -> BTreeSet<String> {
    cluster.store().pods_of(set.meta.uid).map(|pod| pod.hash().to_string()).collect()
}

/// Throws away the oldest revisions beyond the limit, but none that a pod still has.
pub fn clean_up(
    cluster: &mut Cluster,
    set: &DaemonSet,
    current: &Revision,
    on_pods: Option<&BTreeSet<String>>,
) {
    let revisions = cluster.store().revisions_of(set.meta.uid);
    let old: Vec<Arc<Revision>> =
        revisions.into_iter().filter(|revision| revision.meta.uid != current.meta.uid).cloned().collect();
    let limit = usize::try_from(set.revision_history_limit).unwrap_or(usize::MAX);
    let surplus = old.len().saturating_sub(limit);
    if surplus == 0 {
        return;
    }
    let seen_now;
    let on_pods = match on_pods {
        Some(on_pods) => on_pods,
        None => {
            seen_now = hashes_on_pods(cluster, set);
            &seen_now
        }
    };
    for revision in old.into_iter().filter(|revision| !on_pods.contains(revision.hash())).take(surplus) {
        cluster.commit(Change::Gone(Id { kind: Kind::ControllerRevision, key: revision.meta.key() }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn hashes_use_ten_characters() {
        for n in 0..200 {
            let hash = hash_of(&Template::of(&json!({ "n": n })), n % 3);
            assert!(hash.len() <= 10 && hash.chars().all(|c| "456789bcdf".contains(c)), "{hash}");
        }
    }
}
