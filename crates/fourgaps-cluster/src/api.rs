//! What the API server does when somebody asks it for a change: it checks, fills in, counts generations, and refuses.

use crate::admission::{self, forbidden};
use crate::change::Change;
use crate::cluster::Cluster;
use crate::daemonset::{DaemonSet, Revision};
use crate::meta::{Deleting, Key, Meta, Uid, whole_seconds};
use crate::object::{Id, Kind, Object, Plain};
use crate::pod::{Pod, Shape};
use crate::taint::{Effect, Toleration};
use std::fmt;
use std::sync::Arc;

/// Why the API server does not do what it was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// 403; the message.
    Forbidden(String),
    /// 404: there is no such object.
    NotFound(Id),
    /// 409: there is one already.
    AlreadyExists(Id),
    /// 429: not now; the message.
    TooManyRequests(String),
}

/// The message of the answer.
impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let resource = |id: &Id| match id.kind.group() {
            "" => id.kind.plural().to_string(),
            group => format!("{}.{group}", id.kind.plural()),
        };
        match self {
            Self::Forbidden(message) | Self::TooManyRequests(message) => f.write_str(message),
            Self::NotFound(id) => write!(f, "{} \"{}\" not found", resource(id), id.key.name),
            Self::AlreadyExists(id) => write!(f, "{} \"{}\" already exists", resource(id), id.key.name),
        }
    }
}

/// A pod that somebody wants.
#[derive(Clone, Debug)]
pub struct NewPod {
    /// The namespace.
    pub namespace: String,
    /// The name, or its beginning where it ends in `-`.
    pub name: String,
    /// What it is like.
    pub shape: Arc<Shape>,
    /// The one node it is for.
    pub target: Option<Arc<str>>,
}

/// `DefaultTolerationSeconds`: a pod that says nothing of it stays five minutes on a node that is not ready.
fn default_tolerations(shape: Arc<Shape>) -> Arc<Shape> {
    const KEYS: [&str; 2] = ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"];
    let tolerations = &shape.spec.tolerations;
    let covered = |key: &str| tolerations.iter().any(|one| one.covers(key, "", Effect::NoExecute));
    let missing: Vec<&str> = KEYS.into_iter().filter(|key| !covered(key)).collect();
    if missing.is_empty() {
        return shape;
    }
    let missing: Vec<Toleration> = missing
        .into_iter()
        .map(|key| Toleration { seconds: Some(300), ..Toleration::exists(key, Some(Effect::NoExecute)) })
        .collect();
    let mut shape = (*shape).clone();
    shape.spec.tolerate(missing);
    Arc::new(shape)
}

impl Cluster {
    /// Creates a pod.
    ///
    /// # Errors
    /// The refusal of an admission check. The check of the RuntimeClass comes before a name is drawn and tells only the
    /// beginning of it; that of the quota tells all of it. Both are recorded.
    pub fn create_pod(&mut self, new: NewPod) -> Result<Key, Refusal> {
        let NewPod { namespace, mut name, shape, target } = new;
        let shape = admission::runtime_class(self.store(), &shape).map_err(|why| forbidden(&name, &why))?;
        let shape = default_tolerations(shape);
        if name.ends_with('-') {
            name.extend(self.draw_suffix());
        }
        let key = Key { namespace: self.namespace(&namespace), name: name.into() };
        if self.store().pod(&key).is_some() {
            return Err(Refusal::AlreadyExists(Id { kind: Kind::Pod, key }));
        }
        admission::quota(self.store(), &key.namespace, &shape.spec)
            .map_err(|why| forbidden(&key.name, &why))?;
        let pod = Pod {
            key: key.clone(),
            uid: self.next_uid(),
            created_ms: whole_seconds(self.now_ms()),
            node: shape.spec.node_name.as_deref().map(Arc::from),
            shape,
            target,
            deleting: None,
            finalizers: Vec::new(),
            status: Arc::default(),
        };
        self.commit(Change::Put(Object::Pod(Arc::new(pod))));
        Ok(key)
    }

    /// Wishes a pod away: at once where no container has to stop, else it is `Terminating` from now on.
    ///
    /// # Errors
    /// There is no such pod.
    pub fn delete_pod(&mut self, key: &Key, grace_seconds: Option<u32>) -> Result<(), Refusal> {
        let missing = || Refusal::NotFound(Id { kind: Kind::Pod, key: key.clone() });
        let pod = self.store().pod(key).ok_or_else(missing)?.clone();
        self.wish_away(&pod, grace_seconds);
        Ok(())
    }

    /// The same for a pod that is at hand.
    pub(crate) fn wish_away(&mut self, pod: &Pod, grace_seconds: Option<u32>) {
        let grace_seconds = grace_seconds.unwrap_or(pod.shape.spec.grace_seconds);
        if pod.goes_at_once() || grace_seconds == 0 && pod.finalizers.is_empty() {
            self.remove_pod(&pod.key);
        } else if pod.deleting.is_none_or(|deleting| grace_seconds < deleting.grace_seconds) {
            let at_ms = whole_seconds(self.now_ms()) + u64::from(grace_seconds) * 1000;
            let deleting = Deleting { at_ms, grace_seconds };
            self.commit(Change::PodDeleting { uid: pod.uid, deleting });
        }
    }

    /// Takes a pod out of the API.
    pub fn remove_pod(&mut self, key: &Key) {
        self.commit(Change::Gone(Id { kind: Kind::Pod, key: key.clone() }));
    }

    /// Creates a DaemonSet.
    pub fn create_daemonset(&mut self, mut set: DaemonSet) {
        set.meta.uid = self.next_uid();
        set.meta.created_ms = whole_seconds(self.now_ms());
        (set.meta.generation, set.template_generation) = (1, 1);
        self.commit(Change::Put(Object::DaemonSet(Arc::new(set))));
    }

    /// Changes the specification of a DaemonSet and counts its generations
    /// (`pkg/registry/apps/daemonset/strategy.go` of Kubernetes). True where something changed.
    ///
    /// # Errors
    /// There is no such DaemonSet.
    pub fn edit_daemonset(&mut self, key: &Key, edit: impl FnOnce(&mut DaemonSet)) -> Result<bool, Refusal> {
        let missing = || Refusal::NotFound(Id { kind: Kind::DaemonSet, key: key.clone() });
        let old = self.store().daemonset(key).ok_or_else(missing)?.clone();
        let mut new = (*old).clone();
        edit(&mut new);
        if new == *old {
            return Ok(false);
        }
        let template_changed = new.template.given != old.template.given;
        let spec_changed = template_changed
            || (&new.selector, new.strategy, new.min_ready_seconds, new.revision_history_limit)
                != (&old.selector, old.strategy, old.min_ready_seconds, old.revision_history_limit);
        new.meta.generation += u64::from(spec_changed);
        new.template_generation += u64::from(template_changed);
        self.commit(Change::Put(Object::DaemonSet(Arc::new(new))));
        Ok(true)
    }

    /// Wishes a DaemonSet away: in the foreground it stays, and does nothing more, until its pods are gone; else it is
    /// gone at once and its pods are collected later.
    ///
    /// # Errors
    /// There is no such DaemonSet.
    pub fn delete_daemonset(&mut self, key: &Key, foreground: bool) -> Result<(), Refusal> {
        let id = Id { kind: Kind::DaemonSet, key: key.clone() };
        let set = self.store().daemonset(key).ok_or_else(|| Refusal::NotFound(id.clone()))?;
        if !foreground {
            self.commit(Change::Gone(id));
            return Ok(());
        }
        let mut set = (**set).clone();
        let at_ms = whole_seconds(self.now_ms());
        set.meta.deleting = Some(Deleting { at_ms, grace_seconds: 0 });
        set.meta.finalizers = vec!["foregroundDeletion".into()];
        set.meta.generation += 1;
        self.commit(Change::Put(Object::DaemonSet(Arc::new(set))));
        Ok(())
    }

    /// Lets go of what an object owns, so that it stays where its owner goes: pods, revisions, ReplicaSets (the finalizer
    /// `orphan`).
    pub fn orphan(&mut self, owner: Uid) {
        let pods: Vec<Arc<Pod>> = self.store().pods_of(owner).cloned().collect();
        for pod in pods {
            let shape = Arc::new(Shape { owner: None, ..(*pod.shape).clone() });
            self.commit(Change::Put(Object::Pod(Arc::new(Pod { shape, ..(*pod).clone() }))));
        }
        let revisions: Vec<Arc<Revision>> = self.store().revisions_of(owner).into_iter().cloned().collect();
        for revision in revisions {
            let mut revision = (*revision).clone();
            revision.meta.owner = None;
            self.commit(Change::Put(Object::Revision(Arc::new(revision))));
        }
        let mine = |set: &&Arc<Plain>| set.meta.owner.as_ref().is_some_and(|of| of.uid == owner);
        let sets: Vec<Arc<Plain>> = self.store().others(Kind::ReplicaSet).filter(mine).cloned().collect();
        for set in sets {
            let mut set = (*set).clone();
            set.meta.owner = None;
            self.commit(Change::Put(Object::Other(Kind::ReplicaSet, Arc::new(set))));
        }
    }

    /// Takes any object out of the API.
    pub fn remove(&mut self, id: Id) {
        self.commit(Change::Gone(id));
    }

    /// Creates an object that no controller reads typed, or replaces it.
    pub fn put_plain(&mut self, kind: Kind, mut plain: Plain) {
        let counts = u64::from(matches!(kind, Kind::Deployment | Kind::ReplicaSet));
        match self.store().other(kind, &plain.meta.key()) {
            Some(old) => {
                let changed = u64::from(old.body.get("spec") != plain.body.get("spec"));
                plain.meta = Meta {
                    labels: plain.meta.labels,
                    annotations: plain.meta.annotations,
                    generation: old.meta.generation + counts * changed,
                    ..old.meta.clone()
                };
            }
            None => {
                (plain.meta.uid, plain.meta.created_ms) = (self.next_uid(), whole_seconds(self.now_ms()));
                plain.meta.generation = counts;
            }
        }
        self.commit(Change::Put(Object::Other(kind, Arc::new(plain))));
    }

    /// Changes a node. True where something changed.
    ///
    /// # Errors
    /// There is no such node.
    pub fn edit_node(
        &mut self,
        name: &str,
        edit: impl FnOnce(&mut crate::node::Node),
    ) -> Result<bool, Refusal> {
        let missing = || Refusal::NotFound(Id::new(Kind::Node, "", name));
        let old = self.store().node(name).ok_or_else(missing)?;
        let mut new = (**old).clone();
        edit(&mut new);
        if new == **old {
            return Ok(false);
        }
        self.commit(Change::Put(Object::Node(Arc::new(new))));
        Ok(true)
    }

    /// Creates a node.
    pub fn create_node(&mut self, mut node: crate::node::Node) {
        node.meta.uid = self.next_uid();
        node.meta.created_ms = whole_seconds(self.now_ms());
        self.commit(Change::Put(Object::Node(Arc::new(node))));
    }
}
