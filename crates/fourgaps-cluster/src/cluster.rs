//! The cluster as a whole: the store, the controllers' memory, the clock, and the one place where changes are applied.

use crate::change::{Change, Fact};
use crate::daemon::{DaemonController, Watch};
use crate::event::Note;
use crate::kubelet::Kubelets;
use crate::lifecycle::Lifecycle;
use crate::meta::{Uid, mixed};
use crate::object::{Id, Kind};
use crate::recorder::Recorder;
use crate::scheduler::Scheduler;
use crate::store::{Seen, Store};
use crate::trace::Trace;
use crate::workload::Workloads;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A cluster in virtual time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cluster {
    /// The objects.
    pub(crate) store: Store,
    /// The DaemonSet controller.
    pub(crate) daemon: DaemonController,
    pub(crate) scheduler: Scheduler,
    pub(crate) kubelets: Kubelets,
    pub(crate) lifecycle: Lifecycle,
    pub(crate) workloads: Workloads,
    recorder: Recorder,
    trace: Trace,
    now_ms: u64,
    seed: u64,
    names: u64,
    namespaces: BTreeSet<Arc<str>>,
    facts: Vec<Fact>,
}

impl Cluster {
    /// An empty cluster at moment 0. The seed decides the names that Kubernetes draws at random.
    pub fn new(seed: u64, watch: Watch) -> Self {
        Self {
            store: Store::default(),
            daemon: DaemonController::new(watch),
            scheduler: Scheduler::default(),
            kubelets: Kubelets::default(),
            lifecycle: Lifecycle::default(),
            workloads: Workloads::default(),
            recorder: Recorder::default(),
            trace: Trace::default(),
            now_ms: 0,
            seed,
            names: 0,
            namespaces: BTreeSet::new(),
            facts: Vec::new(),
        }
    }

    /// The objects.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// What pods of DaemonSets went through so far.
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// The moment, in milliseconds.
    pub fn now_ms(&self) -> u64 {
        self.now_ms
    }

    /// Moves the clock on and makes those ready whose moment has come; runs nobody. Never moves it back.
    pub fn set_clock(&mut self, now_ms: u64) {
        self.now_ms = now_ms.max(self.now_ms);
        self.daemon.queue.wake(self.now_ms);
        self.scheduler.wake(self.now_ms);
        self.workloads.wake(self.now_ms);
    }

    /// Lets everybody act until nobody has anything to do before that moment, and moves the clock there.
    pub fn run_until(&mut self, then_ms: u64) {
        self.settle();
        while let Some(due_ms) = self.next_due_ms().filter(|due_ms| *due_ms <= then_ms) {
            self.set_clock(due_ms);
            self.settle();
        }
        self.set_clock(then_ms);
        self.settle();
    }

    /// Lets everybody act at this moment until nobody has anything to do. All kubelets go first, then the nodes, the scheduler, and
    /// then a controller looks once at everything that happened, as it would if it were busy meanwhile.
    pub fn settle(&mut self) {
        loop {
            while self.kubelet_step() || self.lifecycle_step() || self.schedule_one() {}
            if self.workload_step() {
                continue;
            }
            let synced = self.sync_daemonset().is_some();
            if !self.taint_marked() && !synced {
                return;
            }
        }
    }

    /// The next moment at which somebody wants to act, in milliseconds.
    pub fn next_due_ms(&self) -> Option<u64> {
        let due = [
            self.daemonsets_due_ms(),
            self.scheduler.next_due_ms(),
            self.kubelets.next_due_ms(),
            self.lifecycle.next_due_ms(),
            self.workloads.next_due_ms(),
        ];
        due.into_iter().flatten().min()
    }

    /// Everything that happened since the last time this was asked.
    pub fn take_facts(&mut self) -> Vec<Fact> {
        std::mem::take(&mut self.facts)
    }

    /// Applies a change and tells those who watch.
    pub fn commit(&mut self, change: Change) {
        let fact = Fact { at_ms: self.now_ms, change };
        let seen = self.store.apply(&fact);
        self.facts.push(fact);
        self.watched(&seen);
    }

    /// Tells those who watch.
    fn watched(&mut self, seen: &Seen) {
        if !matches!(seen, Seen::Nothing) {
            self.daemon.observe(&self.store, seen, self.now_ms);
            self.scheduler.observe(seen, self.now_ms);
            self.kubelets.observe(seen, self.now_ms);
            self.lifecycle.observe(seen, self.now_ms);
            self.trace.observe(seen, self.now_ms);
            self.workloads.observe(&self.store, seen);
        }
        if let Seen::Pod(Some(old), None) = seen {
            self.recorder.forget(&Id { kind: Kind::Pod, key: old.key.clone() }, old.uid);
        }
    }

    /// Lets an event become an object.
    pub fn tell(&mut self, note: Note) {
        self.tell_of(note, 0);
    }

    /// The same, told of a version of its object.
    pub(crate) fn tell_of(&mut self, note: Note, version: u64) {
        if let Some(change) = self.recorder.record(note, version, self.now_ms) {
            self.commit(change);
        }
    }

    /// The one text that all keys share for a namespace.
    pub(crate) fn namespace(&mut self, name: &str) -> Arc<str> {
        if let Some(known) = self.namespaces.get(name) {
            return known.clone();
        }
        let new = Arc::<str>::from(name);
        self.namespaces.insert(new.clone());
        new
    }

    /// The identity of the next object.
    pub(crate) fn next_uid(&self) -> Uid {
        self.store.next_uid()
    }

    /// Five characters of the alphabet that Kubernetes draws names from (`apimachinery/pkg/util/rand`).
    pub(crate) fn draw_suffix(&mut self) -> [char; 5] {
        const ALPHABET: &[u8; 27] = b"bcdfghjklmnpqrstvwxz2456789";
        self.names += 1;
        let mut rest = mixed(self.seed ^ mixed(self.names));
        let mut draw = || {
            let at = rest % 27;
            rest /= 27;
            char::from(ALPHABET[usize::try_from(at).unwrap_or(0)])
        };
        std::array::from_fn(|_| draw())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cluster_can_be_kept_and_handed_over() {
        fn check<T: Clone + PartialEq + Send + Sync>(_: &T) {}
        check(&Cluster::new(1, Watch::AtOnce));
    }

    #[test]
    fn names_are_drawn_from_the_seed() {
        let draw = |seed| {
            let mut cluster = Cluster::new(seed, Watch::AtOnce);
            (0..50).map(|_| cluster.draw_suffix()).collect::<BTreeSet<_>>()
        };
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
        assert!(
            draw(1)
                .iter()
                .all(|name| !name.iter().any(|c| ['a', 'e', 'i', 'o', 'u', 'y', '1', '3'].contains(c)))
        );
    }
}
