//! The cluster as a whole: the store, the controllers' memory, the clock, and the one place where changes are applied.

use crate::change::{Change, Fact};
use crate::daemon::{DaemonController, Watch};
use crate::event::Note;
use crate::meta::{Uid, mixed};
use crate::recorder::Recorder;
use crate::store::{Seen, Store};

/// A cluster in virtual time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cluster {
    /// The objects.
    pub(crate) store: Store,
    /// The DaemonSet controller.
    pub(crate) daemon: DaemonController,
    recorder: Recorder,
    now_ms: u64,
    seed: u64,
    names: u64,
    facts: Vec<Fact>,
}

impl Cluster {
    /// An empty cluster at moment 0. The seed decides the names that Kubernetes draws at random.
    pub fn new(seed: u64, watch: Watch) -> Self {
        Self {
            store: Store::default(),
            daemon: DaemonController::new(watch),
            recorder: Recorder::default(),
            now_ms: 0,
            seed,
            names: 0,
            facts: Vec::new(),
        }
    }

    /// The objects.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// The moment, in milliseconds.
    pub fn now_ms(&self) -> u64 {
        self.now_ms
    }

    /// Moves the clock on and makes those ready whose moment has come; runs nobody. Never moves it back.
    pub fn set_clock(&mut self, now_ms: u64) {
        self.now_ms = now_ms.max(self.now_ms);
        self.daemon.queue.wake(self.now_ms);
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
        if !matches!(seen, Seen::Nothing) {
            self.daemon.observe(&self.store, &seen, self.now_ms);
        }
    }

    /// Lets an event become an object.
    pub fn tell(&mut self, note: Note) {
        if let Some(change) = self.recorder.record(note, self.now_ms) {
            self.commit(change);
        }
    }

    /// The identity of the next object.
    pub(crate) fn next_uid(&self) -> Uid {
        self.store.next_uid()
    }

    /// Five characters of the alphabet that Kubernetes draws names from (`apimachinery/pkg/util/rand`).
    pub(crate) fn draw_suffix(&mut self) -> String {
        const ALPHABET: &[u8; 27] = b"bcdfghjklmnpqrstvwxz2456789";
        self.names += 1;
        let mut rest = mixed(self.seed ^ mixed(self.names));
        let mut draw = || {
            let at = rest % 27;
            rest /= 27;
            char::from(ALPHABET[usize::try_from(at).unwrap_or(0)])
        };
        (0..5).map(|_| draw()).collect()
    }
}
