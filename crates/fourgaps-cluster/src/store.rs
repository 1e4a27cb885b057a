//! The objects of the API, and how changes are folded into them. Decides nothing and never fails.

use crate::change::{Change, Fact};
use crate::daemonset::{DaemonSet, Revision};
use crate::event::Event;
use crate::meta::{Key, Labels, Uid, place_print};
use crate::node::Node;
use crate::object::{Id, Kind, Object, Plain};
use crate::pod::Pod;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Pods by the node they are on or meant for, found by the print of its name. Two names of one print share an
/// entry, so who looks for a place looks at the name too.
type ByPlace = BTreeMap<u64, Vec<(Arc<str>, Uid)>>;

/// Every object of the cluster.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Store {
    nodes: BTreeMap<String, Arc<Node>>,
    pods: BTreeMap<Uid, Arc<Pod>>,
    pod_names: BTreeMap<Key, Uid>,
    daemonsets: BTreeMap<Key, Arc<DaemonSet>>,
    revisions: BTreeMap<Key, Arc<Revision>>,
    others: BTreeMap<Id, Arc<Plain>>,
    events: Vec<Event>,
    last_uid: u64,
    of_owner: BTreeMap<Uid, ByPlace>,
    on_node: ByPlace,
    orphans: BTreeSet<Uid>,
}

/// What a change replaced, for those who watch.
#[derive(Clone, Debug)]
pub enum Seen {
    /// A pod before and after.
    Pod(Option<Arc<Pod>>, Option<Arc<Pod>>),
    /// A node before and after.
    Node(Option<Arc<Node>>, Option<Arc<Node>>),
    /// A DaemonSet before and after.
    DaemonSet(Option<Arc<DaemonSet>>, Option<Arc<DaemonSet>>),
    /// Another object, which may be gone.
    Other(Id),
    /// Nothing that anybody watches.
    Nothing,
}

impl Store {
    /// The nodes in name order.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = &Arc<Node>> {
        self.nodes.values()
    }

    /// A node by its name.
    pub fn node(&self, name: &str) -> Option<&Arc<Node>> {
        self.nodes.get(name)
    }

    /// The pods, by namespace and name.
    pub fn pods(&self) -> impl ExactSizeIterator<Item = &Arc<Pod>> {
        self.pod_names.values().map(|uid| &self.pods[uid])
    }

    /// A pod by its namespace and name.
    pub fn pod(&self, key: &Key) -> Option<&Arc<Pod>> {
        self.pods.get(self.pod_names.get(key)?)
    }

    /// A pod by its identity.
    pub fn pod_with(&self, uid: Uid) -> Option<&Arc<Pod>> {
        self.pods.get(&uid)
    }

    /// The pods of a controller, each with the node it is on or meant for.
    pub fn pods_of(&self, owner: Uid) -> impl Iterator<Item = (&Arc<str>, Uid)> {
        let entries = self.of_owner.get(&owner).into_iter().flat_map(BTreeMap::values).flatten();
        entries.map(|(place, uid)| (place, *uid))
    }

    /// The pods of a controller at one place, oldest first as controllers sort them: bound before unbound, then by
    /// creation and name (`podByCreationTimestampAndPhase` of Kubernetes).
    pub fn pods_at(&self, owner: Uid, place: &str) -> Vec<&Arc<Pod>> {
        let entry = self.of_owner.get(&owner).and_then(|by_place| by_place.get(&place_print(place)));
        let uids = entry.into_iter().flatten().filter(|(name, _)| **name == *place).map(|(_, uid)| uid);
        let mut pods: Vec<&Arc<Pod>> = uids.filter_map(|uid| self.pods.get(uid)).collect();
        pods.sort_by(|a, b| {
            (a.node.is_none(), a.created_ms, &a.key.name).cmp(&(b.node.is_none(), b.created_ms, &b.key.name))
        });
        pods
    }

    /// The pods bound to a node, oldest first.
    pub fn pods_on<'s>(&'s self, node: &'s str) -> impl Iterator<Item = &'s Arc<Pod>> {
        let entry = self.on_node.get(&place_print(node)).into_iter().flatten();
        entry.filter(move |(name, _)| **name == *node).filter_map(|(_, uid)| self.pods.get(uid))
    }

    /// The pods that nobody controls, oldest first.
    pub fn orphans(&self) -> impl Iterator<Item = &Arc<Pod>> {
        self.orphans.iter().filter_map(|uid| self.pods.get(uid))
    }

    /// The DaemonSets, by namespace and name.
    pub fn daemonsets(&self) -> impl ExactSizeIterator<Item = &Arc<DaemonSet>> {
        self.daemonsets.values()
    }

    /// A DaemonSet by its namespace and name.
    pub fn daemonset(&self, key: &Key) -> Option<&Arc<DaemonSet>> {
        self.daemonsets.get(key)
    }

    /// The revisions, by namespace and name.
    pub fn revisions(&self) -> impl ExactSizeIterator<Item = &Arc<Revision>> {
        self.revisions.values()
    }

    /// The revisions of a DaemonSet, lowest number first.
    pub fn revisions_of(&self, owner: Uid) -> Vec<&Arc<Revision>> {
        let mut found: Vec<&Arc<Revision>> =
            self.revisions.values().filter(|revision| revision.meta.is_owned_by(owner)).collect();
        found.sort_by_key(|revision| revision.number);
        found
    }

    /// A revision by its namespace and name.
    pub fn revision(&self, key: &Key) -> Option<&Arc<Revision>> {
        self.revisions.get(key)
    }

    /// An object that is not typed.
    pub fn other(&self, kind: Kind, key: &Key) -> Option<&Arc<Plain>> {
        self.others.get(&Id { kind, key: key.clone() })
    }

    /// The objects of a kind that is not typed, by namespace and name.
    pub fn others(&self, kind: Kind) -> impl Iterator<Item = &Arc<Plain>> {
        let first = Id { kind, key: Key::default() };
        self.others.range(first..).take_while(move |(id, _)| id.kind == kind).map(|(_, plain)| plain)
    }

    /// Any object.
    pub fn get(&self, id: &Id) -> Option<Object> {
        match id.kind {
            Kind::Node => self.nodes.get(&*id.key.name).cloned().map(Object::Node),
            Kind::Pod => self.pod(&id.key).cloned().map(Object::Pod),
            Kind::DaemonSet => self.daemonsets.get(&id.key).cloned().map(Object::DaemonSet),
            Kind::ControllerRevision => self.revisions.get(&id.key).cloned().map(Object::Revision),
            kind => self.others.get(id).cloned().map(|plain| Object::Other(kind, plain)),
        }
    }

    /// The events, in the order in which each was first told.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The identity that the next object gets.
    pub fn next_uid(&self) -> Uid {
        Uid(self.last_uid + 1)
    }

    /// Folds a change into the objects and says what it replaced. A change of an object that is not there is none.
    pub fn apply(&mut self, fact: &Fact) -> Seen {
        match &fact.change {
            Change::Put(object) => self.put(object),
            Change::Gone(id) => self.remove(id),
            Change::PodBound { uid, node } => self.edit_pod(*uid, |pod| pod.node = Some(node.clone())),
            Change::PodStatus { uid, status } => self.edit_pod(*uid, |pod| pod.status = status.clone()),
            Change::PodDeleting { uid, deleting } => {
                self.edit_pod(*uid, |pod| pod.deleting = Some(*deleting))
            }
            Change::DaemonStatus { key, status } => {
                let Some(old) = self.daemonsets.get(key).cloned() else { return Seen::Nothing };
                let new = Arc::new(DaemonSet { status: *status, ..(*old).clone() });
                self.daemonsets.insert(key.clone(), new.clone());
                Seen::DaemonSet(Some(old), Some(new))
            }
            Change::Told(note) => {
                self.events.push(Event::new(note.clone(), fact.at_ms));
                Seen::Nothing
            }
            Change::ToldAgain { event, message } => {
                let event = usize::try_from(*event).ok().and_then(|at| self.events.get_mut(at));
                if let Some(event) = event {
                    event.again(message.as_deref(), fact.at_ms);
                }
                Seen::Nothing
            }
        }
    }

    fn put(&mut self, object: &Object) -> Seen {
        match object {
            Object::Node(node) => {
                self.last_uid = self.last_uid.max(node.meta.uid.0);
                Seen::Node(self.nodes.insert(node.meta.name.clone(), node.clone()), Some(node.clone()))
            }
            Object::Pod(pod) => {
                self.last_uid = self.last_uid.max(pod.uid.0);
                // A pod of this name but another identity was replaced.
                let named = self.pod_names.insert(pod.key.clone(), pod.uid);
                let old = named.and_then(|uid| self.pods.remove(&uid));
                self.pods.insert(pod.uid, pod.clone());
                self.reindex(old.as_deref(), Some(pod));
                Seen::Pod(old, Some(pod.clone()))
            }
            Object::DaemonSet(set) => {
                self.last_uid = self.last_uid.max(set.meta.uid.0);
                Seen::DaemonSet(self.daemonsets.insert(set.meta.key(), set.clone()), Some(set.clone()))
            }
            Object::Revision(revision) => {
                self.last_uid = self.last_uid.max(revision.meta.uid.0);
                self.revisions.insert(revision.meta.key(), revision.clone());
                Seen::Other(Id { kind: Kind::ControllerRevision, key: revision.meta.key() })
            }
            Object::Other(kind, plain) => {
                self.last_uid = self.last_uid.max(plain.meta.uid.0);
                let id = Id { kind: *kind, key: plain.meta.key() };
                self.others.insert(id.clone(), plain.clone());
                Seen::Other(id)
            }
        }
    }

    fn remove(&mut self, id: &Id) -> Seen {
        match id.kind {
            Kind::Node => Seen::Node(self.nodes.remove(&*id.key.name), None),
            Kind::Pod => {
                let old = self.pod_names.remove(&id.key).and_then(|uid| self.pods.remove(&uid));
                self.reindex(old.as_deref(), None);
                Seen::Pod(old, None)
            }
            Kind::DaemonSet => Seen::DaemonSet(self.daemonsets.remove(&id.key), None),
            Kind::ControllerRevision => {
                self.revisions.remove(&id.key);
                Seen::Other(id.clone())
            }
            _ => {
                self.others.remove(id);
                Seen::Other(id.clone())
            }
        }
    }

    fn edit_pod(&mut self, uid: Uid, edit: impl FnOnce(&mut Pod)) -> Seen {
        let Some(slot) = self.pods.get_mut(&uid) else { return Seen::Nothing };
        let old = slot.clone();
        let mut new = (*old).clone();
        edit(&mut new);
        let new = Arc::new(new);
        *slot = new.clone();
        if old.node != new.node {
            self.reindex(Some(&old), Some(&new));
        }
        Seen::Pod(Some(old), Some(new))
    }

    fn reindex(&mut self, old: Option<&Pod>, new: Option<&Pod>) {
        let is_orphan = |pod: &Pod| pod.shape.owner.is_none();
        if let Some(pod) = old.filter(|pod| is_orphan(pod)) {
            self.orphans.remove(&pod.uid);
        }
        if let Some(pod) = new.filter(|pod| is_orphan(pod)) {
            self.orphans.insert(pod.uid);
        }
        // A pod that comes to the node it is meant for stays where it is.
        let (from, to) = (old.and_then(owner_and_place), new.and_then(owner_and_place));
        let uids = (old.map(|pod| pod.uid), new.map(|pod| pod.uid));
        if from != to || uids.0 != uids.1 {
            if let (Some((owner, place)), Some(uid)) = (from, uids.0)
                && let Some(by_place) = self.of_owner.get_mut(&owner)
            {
                take_out(by_place, place, uid);
                if by_place.is_empty() {
                    self.of_owner.remove(&owner);
                }
            }
            if let (Some((owner, place)), Some(uid)) = (to, uids.1) {
                put_in(self.of_owner.entry(owner).or_default(), place, uid);
            }
        }
        if let Some((node, pod)) = old.and_then(|pod| Some((pod.node.as_ref()?, pod))) {
            take_out(&mut self.on_node, node, pod.uid);
        }
        if let Some((node, pod)) = new.and_then(|pod| Some((pod.node.as_ref()?, pod))) {
            put_in(&mut self.on_node, node, pod.uid);
        }
    }
}

fn take_out(by_place: &mut ByPlace, place: &str, uid: Uid) {
    let Entry::Occupied(mut entry) = by_place.entry(place_print(place)) else { return };
    entry.get_mut().retain(|(_, of)| *of != uid);
    if entry.get().is_empty() {
        entry.remove();
    }
}

/// Oldest first, as identities are given out.
fn put_in(by_place: &mut ByPlace, place: &Arc<str>, uid: Uid) {
    let list = by_place.entry(place_print(place)).or_default();
    if list.is_empty() {
        list.reserve_exact(1);
    }
    let at = list.partition_point(|(_, of)| *of < uid);
    list.insert(at, (place.clone(), uid));
}

fn owner_and_place(pod: &Pod) -> Option<(Uid, &Arc<str>)> {
    Some((pod.shape.owner.as_ref()?.uid, pod.node.as_ref().or(pod.target.as_ref())?))
}

/// The labels of an object, for selectors.
pub fn labels_of(object: &Object) -> &Labels {
    match object {
        Object::Node(node) => &node.meta.labels,
        Object::Pod(pod) => &pod.shape.labels,
        Object::DaemonSet(set) => &set.meta.labels,
        Object::Revision(revision) => &revision.meta.labels,
        Object::Other(_, plain) => &plain.meta.labels,
    }
}
