//! One sync: history, manage, rolling update, clean-up, numbers (`syncDaemonSet`).

use super::history;
use super::rows::Rows;
use super::{DaemonController, Watch, fit, manage, rolling, status};
use crate::api::{NewPod, Refusal};
use crate::change::Change;
use crate::cluster::Cluster;
use crate::daemonset::{DaemonSet, Revision};
use crate::event::{Level, Note};
use crate::meta::{Key, Uid};
use crate::object::{Id, Kind, Object};
use crate::pod::{GENERATION_LABEL, HASH_LABEL, Pod, Shape};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The most pods that one sync creates, and the most that it deletes.
const BURST: usize = 250;

/// What a step of a sync wants.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// Nodes that get a pod.
    pub create: Vec<Arc<str>>,
    /// Pods that go.
    pub delete: Vec<Uid>,
    /// What is told of the DaemonSet: level, reason, message.
    pub told: Vec<(Level, &'static str, String)>,
    /// When another look is wanted, in milliseconds.
    pub again_at: Vec<u64>,
}

impl Plan {
    /// A pod is to go. More than one sync deletes need not be known.
    pub fn delete(&mut self, pod: &Pod) {
        if !self.deletes_enough() {
            self.delete.push(pod.uid);
        }
    }

    /// Whether no more pods would go.
    pub fn deletes_enough(&self) -> bool {
        self.delete.len() >= BURST
    }

    /// A node is to get a pod. More than one sync creates need not be known.
    pub fn create(&mut self, node: &Arc<str>) {
        if self.create.len() < BURST {
            self.create.push(node.clone());
        }
    }

    fn is_empty(&self) -> bool {
        self.create.is_empty() && self.delete.is_empty()
    }
}

/// What a sync did to a pod.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// What.
    pub what: What,
    /// On which node.
    pub node: Arc<str>,
    /// The hash of the pod's revision.
    pub hash: Arc<str>,
}

/// What was done to a pod.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// It was created.
    Created,
    /// The API server refused to create it.
    Refused,
    /// It was deleted.
    Deleted,
}

/// What came of one sync.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The DaemonSet.
    pub key: Key,
    /// What it did to pods.
    pub actions: Vec<Action>,
    /// What it told: level, reason, message, and the pod it is about, if any.
    pub told: Vec<(Level, &'static str, String, Option<Key>)>,
    /// Why it failed.
    pub error: Option<String>,
    /// Whether any object of the API is another one now, events aside.
    pub changed: bool,
}

impl Cluster {
    /// Does one sync of the DaemonSet that has waited longest; `None` where none wants one.
    pub fn sync_daemonset(&mut self) -> Option<Report> {
        let key = self.daemon.queue.take()?;
        let mut report = Report { key: key.clone(), ..Report::default() };
        let set = self.store().daemonset(&key).filter(|set| set.meta.deleting.is_none()).cloned();
        let done = set.map_or(Ok(()), |set| sync(self, &set, &mut report));
        match done {
            Ok(()) => self.daemon.queue.forget(&key),
            Err(error) => {
                report.error = Some(error);
                let now_ms = self.now_ms();
                self.daemon.queue.add_after_failure(key, now_ms);
            }
        }
        Some(report)
    }

    /// Wants a sync of a DaemonSet although nothing happened.
    pub fn look_at_daemonset(&mut self, key: &Key) {
        self.daemon.queue.add(key);
    }

    /// Does syncs until none is wanted at this moment.
    pub fn settle_daemonsets(&mut self) {
        while self.sync_daemonset().is_some() {}
    }

    /// The next moment at which the controller wants to look again, in milliseconds.
    pub fn daemonsets_due_ms(&self) -> Option<u64> {
        self.daemon.queue.next_due_ms()
    }

    /// True where a DaemonSet wants a look now.
    pub fn daemonsets_wait(&self) -> bool {
        self.daemon.queue.is_ready()
    }
}

fn sync(cluster: &mut Cluster, set: &Arc<DaemonSet>, report: &mut Report) -> Result<(), String> {
    if set.selector.is_empty() {
        let message = "This daemon set is selecting all pods. A non-empty selector is required.";
        tell(cluster, set, report, Level::Warning, "SelectingAll", message.into(), None);
        return Ok(());
    }
    release(cluster, set, report);
    adopt(cluster, set, report);
    report.changed |= history::adopt(cluster, set);
    let before = cluster.store().revisions_of(set.meta.uid).last().map(|revision| revision.number);
    let revision = history::construct(cluster, set).map_err(|refusal| refusal.to_string())?;
    report.changed |= before != Some(revision.number);
    let uid = set.meta.uid;
    let mut rows = cluster.daemon.rows.remove(&uid).unwrap_or_default();
    let acted = act(cluster, set, &revision, &mut rows, report);
    if cluster.daemon.watch == Watch::AtOnce {
        refresh(cluster, set, &revision, &mut rows);
    }
    let status = status::status(set, &rows, cluster.now_ms());
    cluster.daemon.rows.insert(uid, rows);
    if status != set.status {
        if let Err(refusal) = status::write(cluster, set, status) {
            // What went wrong before is told rather.
            return acted.and(Err(refusal));
        }
        report.changed = true;
    }
    if set.min_ready_seconds > 0 && status.ready != status.available {
        let due_ms = cluster.now_ms() + u64::from(set.min_ready_seconds) * 1000;
        cluster.daemon.queue.add_at(set.meta.key(), due_ms);
    }
    acted
}

/// `updateDaemonSet`: manage, then the rolling update unless manage did something that is not seen yet, then clean-up.
fn act(
    cluster: &mut Cluster,
    set: &Arc<DaemonSet>,
    revision: &Revision,
    rows: &mut Rows,
    report: &mut Report,
) -> Result<(), String> {
    let hash = revision.hash();
    let now_ms = cluster.now_ms();
    refresh(cluster, set, revision, rows);
    let sees_at_once = cluster.daemon.watch == Watch::AtOnce;
    // What a clean-up at the end of the sync will still see, where that is not what is there then.
    let history_is_long = || {
        let count = cluster.store().revisions_of(set.meta.uid).len();
        count > usize::try_from(set.revision_history_limit).unwrap_or(usize::MAX)
    };
    let seen = (!sees_at_once && history_is_long()).then(|| history::hashes_on_pods(cluster, set));
    let DaemonController { backoffs, .. } = &mut cluster.daemon;
    let plan = manage::plan(&cluster.store, set, rows, backoffs, hash, now_ms);
    let idle = plan.is_empty();
    execute(cluster, set, hash, plan, report)?;
    if idle || sees_at_once {
        refresh(cluster, set, revision, rows);
        let plan = rolling::plan(cluster.store(), set, rows, hash, now_ms)?;
        execute(cluster, set, hash, plan, report)?;
    }
    let count = cluster.store().revisions_of(set.meta.uid).len();
    history::clean_up(cluster, set, revision, seen.as_ref());
    report.changed |= cluster.store().revisions_of(set.meta.uid).len() != count;
    Ok(())
}

fn refresh(cluster: &mut Cluster, set: &DaemonSet, revision: &Revision, rows: &mut Rows) {
    let stale = cluster.daemon.stale.remove(&set.meta.uid).unwrap_or_default();
    rows.refresh(&cluster.store, set, revision.hash(), stale);
}

/// Pods that match the selector no more are let go. Only places where a pod changed are looked at.
fn release(cluster: &mut Cluster, set: &DaemonSet, report: &mut Report) {
    let uid = set.meta.uid;
    let Some(stale) = cluster.daemon.stale.get_mut(&uid) else { return };
    let places = std::mem::take(&mut stale.pods);
    // Most pods look like the one before.
    let mut known: Option<Arc<Shape>> = None;
    for place in &places {
        let mut matches = |shape: &Arc<Shape>| {
            let is_known = known.as_ref().is_some_and(|known| Arc::ptr_eq(known, shape));
            let matches = is_known || set.selector.matches(&shape.labels);
            if matches && !is_known {
                known = Some(shape.clone());
            }
            matches
        };
        let strange = |pod: &&Arc<Pod>| pod.deleting.is_none() && !matches(&pod.shape);
        let found: Vec<Arc<Pod>> = cluster.store.placed_of(uid, place).filter(strange).cloned().collect();
        for pod in found {
            let shape = Shape { owner: None, ..(*pod.shape).clone() };
            report.changed = true;
            cluster
                .commit(Change::Put(Object::Pod(Arc::new(Pod { shape: Arc::new(shape), ..(*pod).clone() }))));
        }
    }
    // They are to be looked at for the rows too, and what changed meanwhile after them.
    let stale = &mut cluster.daemon.stale.entry(uid).or_default().pods;
    stale.splice(..0, places);
}

/// Pods that nobody controls and that match the selector become the DaemonSet's own.
fn adopt(cluster: &mut Cluster, set: &DaemonSet, report: &mut Report) {
    let mine = |pod: &&Arc<Pod>| {
        *pod.key.namespace == *set.meta.namespace
            && pod.deleting.is_none()
            && !pod.status.phase.is_terminal()
            && set.selector.matches(&pod.shape.labels)
    };
    let found: Vec<Arc<Pod>> = cluster.store().orphans().filter(mine).cloned().collect();
    for pod in found {
        let shape = Shape { owner: Some(history::owner(set)), ..(*pod.shape).clone() };
        let pod = Pod { shape: Arc::new(shape), ..(*pod).clone() };
        report.changed = true;
        cluster.commit(Change::Put(Object::Pod(Arc::new(pod))));
    }
}

/// Does what a plan wants (`syncNodes`): creates in batches of 1, 2, 4 and so on, stops creating after a batch with a
/// refusal, and deletes in any case.
fn execute(
    cluster: &mut Cluster,
    set: &DaemonSet,
    hash: &str,
    plan: Plan,
    report: &mut Report,
) -> Result<(), String> {
    for due_ms in plan.again_at {
        cluster.daemon.queue.add_at(set.meta.key(), due_ms);
    }
    for (level, reason, message) in plan.told {
        tell(cluster, set, report, level, reason, message, None);
    }
    let mut errors = BTreeSet::new();
    let create = &plan.create[..plan.create.len().min(BURST)];
    let shape = (!create.is_empty()).then(|| shape(set, hash));
    let newest: Arc<str> = hash.into();
    let (mut done, mut batch) = (0, 1);
    while done < create.len() && errors.is_empty() {
        let end = create.len().min(done + batch);
        for node in &create[done..end] {
            let shape = shape.clone().unwrap_or_default();
            let action = |what| Action { what, node: node.clone(), hash: newest.clone() };
            match create_on(cluster, set, shape, node) {
                Ok(key) => {
                    report.changed = true;
                    report.actions.push(action(What::Created));
                    let message = format!("Created pod: {}", key.name);
                    tell(cluster, set, report, Level::Normal, "SuccessfulCreate", message, Some(key));
                }
                Err(refusal) => {
                    report.actions.push(action(What::Refused));
                    let message = format!("Error creating: {refusal}");
                    tell(cluster, set, report, Level::Warning, "FailedCreate", message, None);
                    errors.insert(refusal.to_string());
                }
            }
        }
        (done, batch) = (end, batch * 2);
    }
    let mut last: Arc<str> = Arc::default();
    for uid in plan.delete {
        let Some(pod) = cluster.store().pod_with(uid).cloned() else { continue };
        if *last != *pod.hash() {
            last = pod.hash().into();
        }
        let node = pod.place_name().cloned().unwrap_or_default();
        report.actions.push(Action { what: What::Deleted, node, hash: last.clone() });
        report.changed = true;
        let message = format!("Deleted pod: {}", pod.key.name);
        tell(cluster, set, report, Level::Normal, "SuccessfulDelete", message, Some(pod.key.clone()));
        cluster.wish_away(&pod, None);
    }
    // Several errors are told as client-go's `Aggregate` does.
    match errors.len() {
        0 => Ok(()),
        1 => Err(errors.pop_first().unwrap_or_default()),
        _ => Err(format!("[{}]", errors.into_iter().collect::<Vec<_>>().join(", "))),
    }
}

fn create_on(
    cluster: &mut Cluster,
    set: &DaemonSet,
    shape: Arc<Shape>,
    node: &Arc<str>,
) -> Result<Key, Refusal> {
    let name = format!("{}-", set.meta.name);
    let namespace = set.meta.namespace.clone();
    cluster.create_pod(NewPod { namespace, name, shape, target: Some(node.clone()) })
}

/// What the pods of a DaemonSet look like (`CreatePodTemplate`).
fn shape(set: &DaemonSet, hash: &str) -> Arc<Shape> {
    let template = &set.template;
    let mut labels = template.labels.clone();
    labels.insert(GENERATION_LABEL.into(), set.template_generation.to_string());
    labels.insert(HASH_LABEL.into(), hash.into());
    let mut spec = template.spec.clone();
    spec.tolerate(fit::automatic_tolerations(spec.host_network));
    let owner = Some(history::owner(set));
    Arc::new(Shape { labels, annotations: template.annotations.clone(), owner, spec })
}

fn tell(
    cluster: &mut Cluster,
    set: &DaemonSet,
    report: &mut Report,
    level: Level,
    reason: &'static str,
    message: String,
    pod: Option<Key>,
) {
    report.told.push((level, reason, message.clone(), pod));
    let key = cluster.daemon.keys.get(&set.meta.uid).cloned().unwrap_or_else(|| set.meta.key());
    cluster.tell(Note {
        about: Id { kind: Kind::DaemonSet, key },
        uid: Some(set.meta.uid),
        level,
        reason: reason.into(),
        message,
        source: "daemonset-controller".into(),
    });
}
