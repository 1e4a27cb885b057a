//! What makes the controller look at a DaemonSet: the handlers of its informers, and the rule for nodes of
//! `syncNodeUpdate` (Kubernetes 1.33 and later).

use super::DaemonController;
use super::fit::fit;
use crate::daemonset::DaemonSet;
use crate::meta::Key;
use crate::node::Node;
use crate::object::Kind;
use crate::pod::Pod;
use crate::store::{Seen, Store};
use std::sync::Arc;

impl DaemonController {
    /// Takes note of a change.
    pub(crate) fn observe(&mut self, store: &Store, seen: &Seen, now_ms: u64) {
        match seen {
            Seen::Pod(old, new) => self.pod(store, old.as_deref(), new.as_deref(), now_ms),
            Seen::Node(old, new) => self.node(store, old.as_deref(), new.as_deref()),
            Seen::DaemonSet(old, new) => self.daemonset(old.as_deref(), new.as_deref()),
            Seen::Other(id) if id.kind == Kind::ControllerRevision => {
                let owner = store.revision(&id.key).and_then(|revision| revision.meta.owner.as_ref());
                if let Some(owner) = owner {
                    self.queue.add(&Key::new(&id.key.namespace, &owner.name));
                }
            }
            Seen::Other(_) | Seen::Nothing => {}
        }
    }

    fn daemonset(&mut self, old: Option<&DaemonSet>, new: Option<&DaemonSet>) {
        if let Some(set) = new.or(old) {
            // One text for all that name it, which then need not be read.
            self.queue.add(self.keys.entry(set.meta.uid).or_insert_with(|| set.meta.key()));
        }
        let replaced = |old: &&DaemonSet| new.is_none_or(|new| new.meta.uid != old.meta.uid);
        if let Some(gone) = old.filter(replaced) {
            self.rows.remove(&gone.meta.uid);
            self.stale.remove(&gone.meta.uid);
            self.backoffs.forget(gone.meta.uid);
            self.keys.remove(&gone.meta.uid);
        }
    }

    fn pod(&mut self, store: &Store, old: Option<&Pod>, new: Option<&Pod>, now_ms: u64) {
        let Some(pod) = new.or(old) else { return };
        let Some(owner) = &pod.shape.owner else {
            let mut sets = store.daemonsets().filter(|set| *set.meta.namespace == *pod.key.namespace);
            if let Some(set) = sets.find(|set| set.selector.matches(&pod.shape.labels)) {
                self.queue.add(&set.meta.key());
            }
            return;
        };
        let places = [old.and_then(Pod::place_name), new.and_then(Pod::place_name)];
        if owner.kind == "DaemonSet" {
            let stale = &mut self.stale.entry(owner.uid).or_default().pods;
            for place in places.into_iter().flatten() {
                if stale.last() != Some(place) {
                    stale.push(place.clone());
                }
            }
        }
        // It is there as long as its key is known.
        let Some(key) = self.keys.get(&owner.uid) else { return };
        self.queue.add(key);
        let became_ready = old.is_some_and(|old| !old.is_ready()) && new.is_some_and(Pod::is_ready);
        if !became_ready || pod.deleting.is_some() {
            return;
        }
        let seconds = store.daemonset(key).map_or(0, |set| set.min_ready_seconds);
        if seconds > 0 {
            // A second more than needed, against clocks that differ by less.
            self.queue.add_at(key.clone(), now_ms + (u64::from(seconds) + 1) * 1000);
        }
    }

    fn node(&mut self, store: &Store, old: Option<&Node>, new: Option<&Node>) {
        let Some(name) = new.or(old).map(|node| Arc::<str>::from(node.meta.name.as_str())) else { return };
        let same = |a: &Node, b: &Node| a.meta.labels == b.meta.labels && a.taints == b.taints;
        if old.zip(new).is_some_and(|(old, new)| same(old, new)) {
            return;
        }
        for set in store.daemonsets() {
            self.stale.entry(set.meta.uid).or_default().nodes.insert(name.clone());
            // A node that goes wakes nobody.
            if new.is_some_and(|node| wakes(store, set, node)) {
                self.queue.add(&set.meta.key());
            }
        }
    }
}

/// A node wakes a DaemonSet where a pod is missing, where one may not stay, or where one may be in its place again.
/// Only bound pods count.
fn wakes(store: &Store, set: &DaemonSet, node: &Node) -> bool {
    let fit = fit(set, node);
    let has_pod = store.pods_at(set.meta.uid, &node.meta.name).iter().any(|pod| pod.node.is_some());
    if has_pod { !fit.keep || set.status.misscheduled > 0 } else { fit.run }
}
