//! The objects of the API, and how changes are folded into them. Decides nothing and never fails.

use crate::change::{Change, Fact};
use crate::daemonset::{DaemonSet, Revision};
use crate::event::Event;
use crate::meta::{Key, Labels, Uid, fingerprint, place_print};
use crate::node::Node;
use crate::object::{Id, Kind, Object, Plain};
use crate::pod::Pod;
use crate::prints::Prints;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Every object of the cluster.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Store {
    nodes: BTreeMap<String, Arc<Node>>,
    /// The same, to be found sooner; of several names of one print the last.
    node_prints: BTreeMap<u64, Arc<Node>>,
    pods: BTreeMap<Uid, Arc<Pod>>,
    pod_names: Prints,
    /// The pods of every place: the node they are on or meant for.
    places: Prints,
    daemonsets: BTreeMap<Key, Arc<DaemonSet>>,
    revisions: BTreeMap<Key, Arc<Revision>>,
    others: BTreeMap<Id, Arc<Plain>>,
    events: Vec<Event>,
    last_uid: u64,
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
        let found = self.node_prints.get(&place_print(name)).filter(|node| node.meta.name == name);
        found.or_else(|| self.nodes.get(name))
    }

    /// The pods, by namespace and name.
    pub fn pods(&self) -> impl ExactSizeIterator<Item = &Arc<Pod>> {
        let mut pods: Vec<&Arc<Pod>> = self.pods.values().collect();
        pods.sort_unstable_by(|a, b| a.key.cmp(&b.key));
        pods.into_iter()
    }

    /// The pods, oldest first: for who counts them in any order.
    pub(crate) fn pods_by_age(&self) -> impl ExactSizeIterator<Item = &Arc<Pod>> {
        self.pods.values()
    }

    /// A pod by its namespace and name.
    pub fn pod(&self, key: &Key) -> Option<&Arc<Pod>> {
        self.with_print(&self.pod_names, name_print(key)).find(|pod| pod.key == *key)
    }

    fn with_print<'s>(&'s self, prints: &'s Prints, print: u64) -> impl Iterator<Item = &'s Arc<Pod>> {
        prints.get(print).filter_map(|uid| self.pods.get(&uid))
    }

    /// A pod by its identity.
    pub fn pod_with(&self, uid: Uid) -> Option<&Arc<Pod>> {
        self.pods.get(&uid)
    }

    /// The pods of a controller, oldest first.
    pub fn pods_of(&self, owner: Uid) -> impl Iterator<Item = &Arc<Pod>> {
        self.pods.values().filter(move |pod| pod.is_owned_by(owner))
    }

    /// The pods of a controller at one place, as they were created.
    pub(crate) fn placed_of<'s>(&'s self, owner: Uid, place: &str) -> impl Iterator<Item = &'s Arc<Pod>> {
        let here = self.with_print(&self.places, place_print(place));
        here.filter(move |pod| pod.place() == Some(place) && pod.is_owned_by(owner))
    }

    /// The pods of a controller at one place, oldest first as controllers sort them ([`Pod::rank`]).
    pub fn pods_at(&self, owner: Uid, place: &str) -> Vec<&Arc<Pod>> {
        let mut pods: Vec<&Arc<Pod>> = self.placed_of(owner, place).collect();
        pods.sort_by(|a, b| a.rank().cmp(&b.rank()));
        pods
    }

    /// The pods bound to a node, oldest first.
    pub fn pods_on<'s>(&'s self, node: &str) -> impl Iterator<Item = &'s Arc<Pod>> {
        let here = self.with_print(&self.places, place_print(node));
        here.filter(move |pod| pod.node.as_deref() == Some(node))
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
            Kind::Node => self.node(&id.key.name).cloned().map(Object::Node),
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
                let new = Arc::new(DaemonSet { status: **status, ..(*old).clone() });
                self.daemonsets.insert(key.clone(), new.clone());
                Seen::DaemonSet(Some(old), Some(new))
            }
            Change::Told(note) => {
                self.events.push(Event::new(note.clone(), fact.at_ms));
                Seen::Nothing
            }
            Change::ToldAgain { event, message, missed } => {
                let event = usize::try_from(*event).ok().and_then(|at| self.events.get_mut(at));
                if let Some(event) = event {
                    event.again(message.as_deref(), *missed, fact.at_ms);
                }
                Seen::Nothing
            }
        }
    }

    fn put(&mut self, object: &Object) -> Seen {
        match object {
            Object::Node(node) => {
                self.last_uid = self.last_uid.max(node.meta.uid.0);
                self.node_prints.insert(place_print(&node.meta.name), node.clone());
                Seen::Node(self.nodes.insert(node.meta.name.clone(), node.clone()), Some(node.clone()))
            }
            Object::Pod(pod) => {
                self.last_uid = self.last_uid.max(pod.uid.0);
                // A pod of this name but another identity was replaced.
                let named = self.pod(&pod.key).map(|old| old.uid);
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
            Kind::Node => Seen::Node(self.remove_node(&id.key.name), None),
            Kind::Pod => {
                let named = self.pod(&id.key).map(|old| old.uid);
                let old = named.and_then(|uid| self.pods.remove(&uid));
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

    fn remove_node(&mut self, name: &str) -> Option<Arc<Node>> {
        let old = self.nodes.remove(name)?;
        let print = place_print(name);
        if self.node_prints.get(&print).is_some_and(|known| known.meta.name == name) {
            self.node_prints.remove(&print);
        }
        Some(old)
    }

    fn reindex(&mut self, old: Option<&Pod>, new: Option<&Pod>) {
        let entries = |pod: &Pod| {
            let orphan = pod.shape.owner.is_none();
            (pod.uid, name_print(&pod.key), pod.place().map(place_print), orphan)
        };
        let (old, new) = (old.map(entries), new.map(entries));
        // A pod that comes to the node it is meant for stays where it is.
        if old == new {
            return;
        }
        if let Some((uid, name, place, orphan)) = old {
            self.pod_names.remove(name, uid);
            if let Some(place) = place {
                self.places.remove(place, uid);
            }
            if orphan {
                self.orphans.remove(&uid);
            }
        }
        if let Some((uid, name, place, orphan)) = new {
            self.pod_names.insert(name, uid);
            if let Some(place) = place {
                self.places.insert(place, uid);
            }
            if orphan {
                self.orphans.insert(uid);
            }
        }
    }
}

/// The print of a namespace and a name.
fn name_print(key: &Key) -> u64 {
    fingerprint(&key.name) ^ fingerprint(&key.namespace).rotate_left(1)
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
